// The pages behind a problem's `type` (contract E2): for people, without JavaScript, in English or German.
#pragma once

#include "http/exchange.hpp"
#include "http/problem_texts.hpp"

#include <string_view>

namespace einmal::http {

/// Which of the two languages an Accept-Language asks for most (RFC 9110 §12.5.4, RFC 4647 §3.4 basic lookup); English
/// when it says nothing, wants neither, or cannot be read.
[[nodiscard]] Language negotiate_language(std::string_view accept_language);

/// `/problems/`: all of them.
[[nodiscard]] Response problem_index_page(Language language);
/// `/problems/<name>/`; 404 for a name that is no code.
[[nodiscard]] Response problem_page(std::string_view name, Language language);

}  // namespace einmal::http
