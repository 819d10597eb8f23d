// Which stores the suite runs over.
#include "contract/contract_test.hpp"

namespace einmal::test {

INSTANTIATE_TEST_SUITE_P(Stores, Contract, ::testing::ValuesIn(all_store_kinds()),
                         [](const auto& each) { return each.param.name; });

}  // namespace einmal::test
