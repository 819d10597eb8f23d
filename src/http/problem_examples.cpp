#include "http/problem_texts.hpp"

#include "base/assert.hpp"

namespace einmal::http {

std::string_view problem_example(ProblemCode code) {
    switch (code) {
        case ProblemCode::idempotency_key_required:
            return "POST /v1/charges\n{\"reference\":\"B-1042\",\"amount\":4990,\"currency\":\"EUR\"}\n→ 400\n\n"
                   "POST /v1/charges\nIdempotency-Key: pay-B-1042\n→ 201";
        case ProblemCode::idempotency_key_invalid:
            return "Idempotency-Key: pay,B 1042\n→ 400\n\nIdempotency-Key: \"pay,B 1042\"\n→ 201";
        case ProblemCode::idempotency_in_progress:
            return "POST /v1/charges\nIdempotency-Key: pay-B-1042\n→ 409\nRetry-After: 1\n\n"
                   "POST /v1/charges\nIdempotency-Key: pay-B-1042\n→ 201\nIdempotent-Replayed: true";
        case ProblemCode::idempotency_payload_mismatch:
            return "POST /v1/charges\nIdempotency-Key: pay-B-1042\n{… \"amount\":4990 …}\n→ 201\n\n"
                   "POST /v1/charges\nIdempotency-Key: pay-B-1042\n{… \"amount\":5000 …}\n→ 422";
        case ProblemCode::idempotency_key_unknown:
            return "GET /v1/idempotency/pay-B-1042?method=POST&route=/v1/charges\n→ 404\n\n"
                   "POST /v1/charges\nIdempotency-Key: pay-B-1042\n→ 201";
        case ProblemCode::precondition_invalid:
            return "If-Match: r3\n→ 400\n\nIf-Match: \"r3\"\n→ 200";
        case ProblemCode::precondition_failed:
            return "PATCH /v1/contacts/con_…\nIf-Match: \"r3\"\n→ 412\nETag: \"r4\"\n{… \"changed\":[\"phone\"] …}\n\n"
                   "GET /v1/contacts/con_…\n→ 200\nETag: \"r4\"\n\nPATCH /v1/contacts/con_…\nIf-Match: \"r4\"\n→ 200";
        case ProblemCode::precondition_required:
            return "PATCH /v1/…\n→ 428\n\nPATCH /v1/…\nIf-Match: \"r3\"\n→ 200";
        case ProblemCode::unknown_parameter:
            return "GET /v1/contacts?limt=10\n→ 400\n\nGET /v1/contacts?limit=10\n→ 200";
        case ProblemCode::parameter_invalid:
            return "GET /v1/contacts?limit=1000\n→ 400\n\nGET /v1/contacts?limit=200\n→ 200";
        case ProblemCode::json_invalid:
            return "{\"name\":\"Erika\",\"name\":\"Max\"}\n→ 400\n{… \"line\":1,\"column\":17 "
                   "…}\n\n{\"name\":\"Erika\"}\n→ 201";
        case ProblemCode::number_not_exact:
            return "{… \"custom\":{\"n\":123456789012345678901234567890} …}\n→ 422\n\n"
                   "{… \"custom\":{\"n\":\"123456789012345678901234567890\"} …}\n→ 201";
        case ProblemCode::validation_failed:
            return "POST /v1/contacts\n{\"email\":\"erika@example.org\"}\n→ 422\n{… "
                   "\"errors\":[{\"pointer\":\"/name\",…}] …}\n\n"
                   "{\"name\":\"Erika\",\"email\":\"erika@example.org\"}\n→ 201";
        case ProblemCode::read_only_member:
            return "PATCH /v1/contacts/con_…\n{\"revision\":99}\n→ 422\n\n{\"phone\":\"+49 30 1234\"}\n→ 200";
        case ProblemCode::conflict:
            return "POST /v1/documents\n{\"kind\":\"invoice\",\"number\":\"2026-17\"}\n→ 409\n{… \"member\":\"number\" "
                   "…}";
        case ProblemCode::not_found:
            return "GET /v1/contacts/con_…\n→ 404";
        case ProblemCode::method_not_allowed:
            return "PUT /v1/contacts\n→ 405\nAllow: GET, HEAD, POST, OPTIONS";
        case ProblemCode::unauthorized:
            return "GET /v1/contacts\n→ 401\nWWW-Authenticate: Bearer\n\nGET /v1/contacts\nAuthorization: Bearer …\n→ "
                   "200";
        case ProblemCode::forbidden:
            return "DELETE /v1/contacts/con_…\n→ 403\n{… \"detail\":\"This needs the scope contacts:write.\" …}";
        case ProblemCode::rate_limited:
            return "POST /v1/contacts\nIdempotency-Key: new-contact-7\n→ 429\nRetry-After: 1\n\n"
                   "POST /v1/contacts\nIdempotency-Key: new-contact-7\n→ 201";
        case ProblemCode::unsupported_media_type:
            return "PATCH /v1/contacts/con_…\nContent-Type: application/json\n→ 415\n"
                   "Accept-Patch: application/merge-patch+json";
        case ProblemCode::body_too_large:
            return "POST /v1/contacts\nContent-Length: 5000000\n→ 413";
        case ProblemCode::target_too_long:
            return "GET /v1/contacts?email=…\n→ 414";
        case ProblemCode::header_too_large:
            return "GET /v1/contacts\nCookie: …\n→ 431";
        case ProblemCode::request_timeout:
            return "POST /v1/contacts\nContent-Length: 200\n(100 bytes, then silence)\n→ 408";
        case ProblemCode::request_malformed:
            return "POST /v1/contacts\nContent-Length: 5\nTransfer-Encoding: chunked\n→ 400";
        case ProblemCode::expectation_failed:
            return "Expect: 200-ok\n→ 417";
        case ProblemCode::transfer_coding_unsupported:
            return "Transfer-Encoding: gzip, chunked\n→ 501";
        case ProblemCode::http_version_unsupported:
            return "GET /v1/contacts HTTP/3.7\n→ 505";
        case ProblemCode::unavailable:
            return "POST /v1/charges\nIdempotency-Key: pay-B-1042\n→ 503\nRetry-After: 1\n\n"
                   "POST /v1/charges\nIdempotency-Key: pay-B-1042\n→ 201";
        case ProblemCode::outcome_unknown:
            return "POST /v1/charges\nIdempotency-Key: pay-B-1042\n→ 503\n\n"
                   "POST /v1/charges\nIdempotency-Key: pay-B-1042\n→ 201\nIdempotent-Replayed: true";
        case ProblemCode::internal:
            return "POST /v1/charges\nIdempotency-Key: pay-B-1042\n→ 500\n{… \"request_id\":\"…\" …}";
    }
    EINMAL_ASSERT(!"a problem without an example");
}

}  // namespace einmal::http
