// The canary: a store that makes every change but forgets the keys. The tests that guard the promise of this project
// must fail on it, and a test checks that they do; a suite that stays green here would prove nothing.
#pragma once

#include "support/store_decorator.hpp"

namespace einmal::test {

class ForgetfulStore final : public StoreDecorator {
 public:
    using StoreDecorator::StoreDecorator;

    boost::asio::awaitable<Result<Decision>> transact(Reads reads, Decide decide) override;
};

}  // namespace einmal::test
