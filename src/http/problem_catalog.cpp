#include "http/problem_catalog.hpp"

#include "base/assert.hpp"

#include <algorithm>
#include <array>

namespace einmal::http {
namespace {

using enum ProblemCode;
using enum NextStep;

constexpr std::array entries{
    ProblemEntry{idempotency_key_required, "IDEMPOTENCY_KEY_REQUIRED", 400, "An Idempotency-Key is required", false,
                 fix_request},
    ProblemEntry{idempotency_key_invalid, "IDEMPOTENCY_KEY_INVALID", 400, "The Idempotency-Key cannot be read", false,
                 fix_request},
    ProblemEntry{idempotency_in_progress, "IDEMPOTENCY_IN_PROGRESS", 409, "The operation is still running", true,
                 retry_same_key},
    ProblemEntry{idempotency_payload_mismatch, "IDEMPOTENCY_PAYLOAD_MISMATCH", 422,
                 "The key belongs to a different request", false, new_key},
    ProblemEntry{idempotency_key_unknown, "IDEMPOTENCY_KEY_UNKNOWN", 404, "Nothing is known of this key", false,
                 retry_same_key},
    ProblemEntry{precondition_invalid, "PRECONDITION_INVALID", 400, "The precondition cannot be read", false,
                 fix_request},
    ProblemEntry{precondition_failed, "PRECONDITION_FAILED", 412, "The resource has changed", false, reread_and_merge},
    ProblemEntry{precondition_required, "PRECONDITION_REQUIRED", 428, "A precondition is required", false,
                 reread_and_merge},
    ProblemEntry{unknown_parameter, "UNKNOWN_PARAMETER", 400, "There is no such parameter", false, fix_request},
    ProblemEntry{parameter_invalid, "PARAMETER_INVALID", 400, "A parameter has no usable value", false, fix_request},
    ProblemEntry{json_invalid, "JSON_INVALID", 400, "The body is not valid JSON", false, fix_request},
    ProblemEntry{number_not_exact, "NUMBER_NOT_EXACT", 422, "A number cannot be kept exactly", false, fix_request},
    ProblemEntry{validation_failed, "VALIDATION_FAILED", 422, "The resource would not be valid", false, fix_request},
    ProblemEntry{read_only_member, "READ_ONLY_MEMBER", 422, "A member belongs to the server", false, fix_request},
    ProblemEntry{conflict, "CONFLICT", 409, "A unique value is taken", false, fix_request},
    ProblemEntry{not_found, "NOT_FOUND", 404, "There is no such resource", false, give_up},
    ProblemEntry{method_not_allowed, "METHOD_NOT_ALLOWED", 405, "The resource does not know this method", false,
                 fix_request},
    ProblemEntry{unauthorized, "UNAUTHORIZED", 401, "A valid token is required", false, fix_request},
    ProblemEntry{forbidden, "FORBIDDEN", 403, "The token does not allow this", false, give_up},
    ProblemEntry{rate_limited, "RATE_LIMITED", 429, "Too many requests", true, retry_same_key},
    ProblemEntry{unsupported_media_type, "UNSUPPORTED_MEDIA_TYPE", 415, "The body has a type that is not taken", false,
                 fix_request},
    ProblemEntry{body_too_large, "BODY_TOO_LARGE", 413, "The body is too large", false, fix_request},
    ProblemEntry{target_too_long, "TARGET_TOO_LONG", 414, "The request target is too long", false, fix_request},
    ProblemEntry{header_too_large, "HEADER_TOO_LARGE", 431, "The header is too large", false, fix_request},
    ProblemEntry{request_timeout, "REQUEST_TIMEOUT", 408, "The request did not arrive in time", true, retry_same_key},
    ProblemEntry{request_malformed, "REQUEST_MALFORMED", 400, "The request cannot be read", false, fix_request},
    ProblemEntry{expectation_failed, "EXPECTATION_FAILED", 417, "The expectation cannot be met", false, fix_request},
    ProblemEntry{transfer_coding_unsupported, "TRANSFER_CODING_UNSUPPORTED", 501,
                 "The transfer coding is not supported", false, fix_request},
    ProblemEntry{http_version_unsupported, "HTTP_VERSION_UNSUPPORTED", 505, "The HTTP version is not supported", false,
                 fix_request},
    ProblemEntry{unavailable, "UNAVAILABLE", 503, "The server cannot do this at the moment", true, retry_same_key},
    ProblemEntry{outcome_unknown, "OUTCOME_UNKNOWN", 503, "Whether the operation was done is not known", true,
                 retry_same_key},
    ProblemEntry{internal, "INTERNAL", 500, "The server failed", true, retry_same_key},
};

constexpr bool is_in_order() {
    for (std::size_t i = 0; i < entries.size(); ++i) {
        if (static_cast<std::size_t>(entries[i].code) != i) return false;
    }
    return entries.back().code == internal;
}
static_assert(is_in_order(), "one entry per code, in the order of the enumeration");

}  // namespace

std::string_view to_text(NextStep next) {
    switch (next) {
        case retry_same_key:
            return "retry_same_key";
        case new_key:
            return "new_key";
        case fix_request:
            return "fix_request";
        case reread_and_merge:
            return "reread_and_merge";
        case give_up:
            return "give_up";
    }
    EINMAL_ASSERT(!"a next step that is none");
}

std::span<const ProblemEntry> problem_catalog() { return entries; }

const ProblemEntry& problem_entry(ProblemCode code) { return entries[static_cast<std::size_t>(code)]; }

const ProblemEntry* find_problem(std::string_view name) {
    const auto found = std::ranges::find(entries, name, &ProblemEntry::name);
    return found == entries.end() ? nullptr : &*found;
}

}  // namespace einmal::http
