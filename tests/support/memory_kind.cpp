#include "store/memory_store.hpp"
#include "support/store_kind.hpp"

namespace einmal::test {
namespace {

class MemoryTestStore final : public TestStore {
 public:
    explicit MemoryTestStore(const Surroundings& around)
        : opened_(open_store("memory:", around.executor, around.options, around.clock, around.entropy).value()) {}

    Store& store() override { return *opened_.store; }
    StoreAdmin& admin() override { return *opened_.admin; }
    std::vector<Event> events() override { return store::events_of_memory_store(*opened_.store); }

 private:
    OpenedStore opened_;
};

}  // namespace

StoreKind memory_store_kind() {
    return {"memory", [](const Surroundings& around) { return std::make_unique<MemoryTestStore>(around); }};
}

}  // namespace einmal::test
