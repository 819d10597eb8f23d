// The fixture of the suite that every store must pass, whole: no overrides and no skips. Each test makes a World of its
// own on the kind of store it is given.
#pragma once

#include "support/world.hpp"

#include <gtest/gtest.h>

namespace einmal::test {

class Contract : public ::testing::TestWithParam<StoreKind> {};

}  // namespace einmal::test
