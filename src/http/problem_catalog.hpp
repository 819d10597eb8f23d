// The closed list of problems (contract E3): every refusal of the server is one of these. The answers, the pages for
// people, the OpenAPI description and the tests walk this list; nothing else may invent a code.
#pragma once

#include <span>
#include <string_view>

namespace einmal::http {

enum class ProblemCode {
    idempotency_key_required,
    idempotency_key_invalid,
    idempotency_in_progress,
    idempotency_payload_mismatch,
    idempotency_key_unknown,
    precondition_invalid,
    precondition_failed,
    precondition_required,
    unknown_parameter,
    parameter_invalid,
    json_invalid,
    number_not_exact,
    validation_failed,
    read_only_member,
    conflict,
    not_found,
    method_not_allowed,
    unauthorized,
    forbidden,
    rate_limited,
    unsupported_media_type,
    body_too_large,
    target_too_long,
    header_too_large,
    request_timeout,
    request_malformed,
    expectation_failed,
    transfer_coding_unsupported,
    http_version_unsupported,
    unavailable,
    outcome_unknown,
    internal,
};

/// What a client should do next (contract E1).
enum class NextStep { retry_same_key, new_key, fix_request, reread_and_merge, give_up };

/// `retry_same_key` …
[[nodiscard]] std::string_view to_text(NextStep next);

struct ProblemEntry {
    ProblemCode code;
    std::string_view name;  ///< `IDEMPOTENCY_IN_PROGRESS`, as in the body and in `/problems/<name>/`
    int status;
    std::string_view title;
    bool retryable;  ///< whether the very same request may succeed later
    NextStep next;
};

/// All of them, in the order of the enumeration.
[[nodiscard]] std::span<const ProblemEntry> problem_catalog();
[[nodiscard]] const ProblemEntry& problem_entry(ProblemCode code);
/// Null when there is no such code. Case counts.
[[nodiscard]] const ProblemEntry* find_problem(std::string_view name);

}  // namespace einmal::http
