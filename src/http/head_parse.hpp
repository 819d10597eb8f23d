// From a checked head to the request object that the answering side reads, through Beast's parser.
#pragma once

#include "http/head_check.hpp"

#include <string_view>

namespace einmal::http {

/// Fills `request` from `head`, of which `checked` was made; the target becomes the origin form. False when Beast reads
/// the head differently or not at all: then two readers disagree, and the head is as good as malformed (contract H2).
[[nodiscard]] bool parse_head(std::string_view head, const CheckedHead& checked, Request& request);

}  // namespace einmal::http
