// The OpenAPI 3.1 description of exactly what is served (contract T5), made from the router's routes, the types'
// schemas and the problem catalog, so that it cannot fall behind them.
#pragma once

#include "http/router.hpp"

#include <einmal/json.hpp>
#include <einmal/options.hpp>

#include <string>

namespace einmal::http {

/// The document as JSON text. Made once, at start.
[[nodiscard]] std::string openapi_document(const Router& router, const EngineOptions& options);

/// Its `components`: schemas per type, parameters, headers and the security scheme.
[[nodiscard]] json::Value openapi_components(const Router& router, const EngineOptions& options);

}  // namespace einmal::http
