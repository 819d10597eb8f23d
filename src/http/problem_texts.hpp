// What the problem pages say, per code and language (contract E2). Text only; problem_pages makes pages of it.
#pragma once

#include "http/problem_catalog.hpp"

#include <string_view>

namespace einmal::http {

enum class Language { english, german };

/// Plain sentences, no markup.
struct ProblemText {
    std::string_view title;
    std::string_view happened;  ///< what happened
    std::string_view done;      ///< was anything done
    std::string_view next;      ///< what to do now
};

[[nodiscard]] ProblemText problem_text(ProblemCode code, Language language);

/// A request that meets the problem, and what answers it; plain text over several lines, the same in every language.
[[nodiscard]] std::string_view problem_example(ProblemCode code);

/// The two halves of `problem_text`, one file each.
[[nodiscard]] ProblemText english_text(ProblemCode code);
[[nodiscard]] ProblemText german_text(ProblemCode code);

}  // namespace einmal::http
