// Makes a request ready for deciding: everything that needs a clock, chance or the secret is drawn here, once, so that
// the decision can be pure and be repeated.
#pragma once

#include "engine/decide.hpp"

#include <einmal/engine.hpp>

namespace einmal::engine {

/// What preparing draws from. All outlive the operation.
struct Sources {
    const Catalog& catalog;
    const EngineOptions& options;
    const Clock& clock;
    Entropy& entropy;
    const Secret& secret;
    base::Hmac& hmac;
};

[[nodiscard]] Operation prepare(Command command, Sources sources);

}  // namespace einmal::engine
