// A store that fails at a chosen step, before or after the step took effect: what a full disk, a lost connection or a
// machine that stops between commit and answer look like from above.
#pragma once

#include "support/store_decorator.hpp"

#include <cstddef>
#include <optional>

namespace einmal::test {

enum class Fault {
    unavailable,       ///< nothing was done, and the store says so
    unknown_not_done,  ///< nothing was done, but the store cannot say
    unknown_but_done,  ///< the commit happened, but the store cannot say
};

/// A step is a call of `transact` or `find_record`, the two that an operation is made of. A `find_record` that fails is
/// always unavailable: reading has no effect that could be unknown. Used on one executor.
class FaultStore final : public StoreDecorator {
 public:
    using StoreDecorator::StoreDecorator;

    boost::asio::awaitable<Result<Decision>> transact(Reads reads, Decide decide) override;
    boost::asio::awaitable<Result<std::optional<Record>>> find_record(Asker asker, KeyDigest key) override;

    /// The step after `skip` further ones fails so, and `times - 1` steps behind it.
    void fail(Fault fault, std::size_t skip = 0, std::size_t times = 1);
    /// No step fails any more.
    void heal() { fault_.reset(); }
    /// Steps taken so far.
    [[nodiscard]] std::size_t steps() const { return steps_; }
    /// Whether a fault that was ordered has not come to pass yet.
    [[nodiscard]] bool armed() const { return fault_.has_value(); }

 private:
    std::optional<Fault> next_step();

    std::optional<Fault> fault_;
    std::size_t skip_ = 0;
    std::size_t times_ = 0;
    std::size_t steps_ = 0;
};

}  // namespace einmal::test
