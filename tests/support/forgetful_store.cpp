#include "support/forgetful_store.hpp"

#include <utility>

namespace einmal::test {

boost::asio::awaitable<Result<Decision>> ForgetfulStore::transact(Reads reads, Decide decide) {
    Decide forgetting = [decide = std::move(decide)](const Snapshot& known) {
        Decision decision = decide(known);
        if (decision.writes) {
            decision.writes->record.reset();
            if (!decision.writes->resource) decision.writes.reset();
        }
        return decision;
    };
    return inner().transact(std::move(reads), std::move(forgetting));
}

}  // namespace einmal::test
