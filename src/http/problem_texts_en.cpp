#include "http/problem_texts.hpp"

#include "base/assert.hpp"

namespace einmal::http {

ProblemText problem_text(ProblemCode code, Language language) {
    switch (language) {
        case Language::english:
            return english_text(code);
        case Language::german:
            return german_text(code);
    }
    EINMAL_ASSERT(!"a language that is none");
}

ProblemText english_text(ProblemCode code) {
    switch (code) {
        case ProblemCode::idempotency_key_required:
            return {
                "An Idempotency-Key is required",
                "A POST or DELETE came without an Idempotency-Key, or with a blank one. Without a key the server could "
                "not recognise a repetition, and a lost answer would leave you guessing.",
                "Nothing was done and nothing was stored.",
                "Choose a name for the operation, such as pay-B-1042, write it down before you send, and send it with "
                "every attempt of this one operation."};
        case ProblemCode::idempotency_key_invalid:
            return {
                "The Idempotency-Key cannot be read",
                "The field occurs twice, is longer than 255 characters, has broken quoting, or holds characters that a "
                "key cannot have. Keys are never cut or joined.",
                "Nothing was done and nothing was stored.",
                "Send one field with 1 to 255 visible ASCII characters. Blanks and commas need the quoted form."};
        case ProblemCode::idempotency_in_progress:
            return {"The operation is still running",
                    "An earlier attempt with this key and the same content has not ended yet.",
                    "This attempt did nothing; the earlier one is at work.",
                    "Wait for the time in Retry-After and send the same request with the same key. With Prefer: "
                    "wait=10 the "
                    "server waits for you."};
        case ProblemCode::idempotency_payload_mismatch:
            return {"The key belongs to a different request",
                    "This key was used before for a request with another content or another path.",
                    "This request did nothing. What the key stood for before is unchanged.",
                    "For a new operation use a new key. If it was meant to be a repetition, send exactly what you sent "
                    "first."};
        case ProblemCode::idempotency_key_unknown:
            return {
                "Nothing is known of this key",
                "No operation with this key, method and route has ended for your account, or its record has expired.",
                "The look-up changes nothing.",
                "If you asked within the retention time, the operation has not been done: send it again with the same "
                "key."};
        case ProblemCode::precondition_invalid:
            return {"The precondition cannot be read",
                    "If-Match or If-None-Match is neither * nor a list of entity tags in double quotes. The server "
                    "does not "
                    "ignore a condition it cannot read.",
                    "Nothing was done.", "Send the ETag exactly as you received it, with its quotes."};
        case ProblemCode::precondition_failed:
            return {
                "The resource has changed",
                "The resource is not in the state that your precondition names; somebody was faster.",
                "Your change was not made. The key is still free.",
                "Read the resource again, put your change on top of what it is now, and send with the new ETag. The "
                "answer names the members that differ, as far as you may read them."};
        case ProblemCode::precondition_required:
            return {"A precondition is required",
                    "Resources of this type are changed only by somebody who says which state he has seen.",
                    "Nothing was done.", "Read the resource, and send its ETag as If-Match."};
        case ProblemCode::unknown_parameter:
            return {"There is no such parameter",
                    "The query holds a parameter that this resource does not know. It might have meant something to "
                    "you, so "
                    "it is not ignored.",
                    "Nothing was done.",
                    "Remove the parameter or correct its name; the API description lists what there is."};
        case ProblemCode::parameter_invalid:
            return {"A parameter has no usable value",
                    "A query parameter is missing, given twice, out of its range, or a cursor does not belong to this "
                    "list.",
                    "Nothing was done.", "Correct the value. Take cursors only from next_cursor of the same list."};
        case ProblemCode::json_invalid:
            return {"The body is not valid JSON",
                    "The body is empty, breaks the rules of JSON, names a member twice, or is not UTF-8.",
                    "Nothing was done. The key is still free.",
                    "Correct the body at the line and column that the answer names."};
        case ProblemCode::number_not_exact:
            return {"A number cannot be kept exactly",
                    "A number is larger or finer than the server can store without rounding. It never rounds what you "
                    "send.",
                    "Nothing was done. The key is still free.", "Send the number as a string, or with fewer digits."};
        case ProblemCode::validation_failed:
            return {"The resource would not be valid",
                    "The resource that would come of your request breaks the rules of its type.",
                    "Nothing was changed. The key is still free.",
                    "Correct the members listed under errors and send again; the same key may be used."};
        case ProblemCode::read_only_member:
            return {"A member belongs to the server",
                    "The request would change a member that only the server sets, such as id or revision.",
                    "Nothing was changed. The key is still free.", "Leave the member out, or send its current value."};
        case ProblemCode::conflict:
            return {"A unique value is taken",
                    "Another resource already holds the value of a member that must be unique.",
                    "Nothing was changed. The key is still free.",
                    "Choose another value, or work with the other resource; the answer names it if you may read it."};
        case ProblemCode::not_found:
            return {"There is no such resource",
                    "The path leads nowhere, or the resource was deleted, or it belongs to somebody else.",
                    "Nothing was done.", "Check the path and the id. Ids are never used again."};
        case ProblemCode::method_not_allowed:
            return {"The resource does not know this method", "The path is right, but not for this method.",
                    "Nothing was done.", "Use one of the methods in the Allow header."};
        case ProblemCode::unauthorized:
            return {
                "A valid token is required",
                "The request came without a token, or with one that is unknown or was revoked.",
                "Nothing was done; the key was not looked at.",
                "Send Authorization: Bearer and a token that is in force. Whoever runs the server makes tokens with "
                "einmal token create."};
        case ProblemCode::forbidden:
            return {"The token does not allow this",
                    "Your token is in force, but lacks the scope that this request needs.", "Nothing was done.",
                    "Ask for a token with the scope that the answer names."};
        case ProblemCode::rate_limited:
            return {"Too many requests", "Your token sent more requests than it may in this time.",
                    "Nothing was done; the refusal is not remembered under the key.",
                    "Wait for the time in Retry-After and send the same request with the same key."};
        case ProblemCode::unsupported_media_type:
            return {"The body has a type that is not taken",
                    "The content type, its charset or the content coding is none that this method takes.",
                    "Nothing was done.",
                    "Send application/json with POST and PUT, application/merge-patch+json with PATCH, in UTF-8, not "
                    "compressed."};
        case ProblemCode::body_too_large:
            return {"The body is too large", "The body is larger than the server takes.",
                    "Nothing was done; the body was not read to its end.",
                    "Send less. A resource is a form, not a file."};
        case ProblemCode::target_too_long:
            return {"The request target is too long", "Path and query together are longer than the server takes.",
                    "Nothing was done.", "Shorten the query."};
        case ProblemCode::header_too_large:
            return {"The header is too large", "The header fields together are larger than the server takes.",
                    "Nothing was done.", "Send fewer or smaller header fields; often cookies are the reason."};
        case ProblemCode::request_timeout:
            return {"The request did not arrive in time", "Header or body took longer to arrive than the server waits.",
                    "Nothing was done; a request that did not arrive in full holds no key.",
                    "Send the same request again with the same key."};
        case ProblemCode::request_malformed:
            return {
                "The request cannot be read", "The request breaks the rules of HTTP, or leaves open where it ends.",
                "Nothing was done, and the connection may have been closed.",
                "Look at the client or at the proxy in between: a common HTTP library does not send such requests."};
        case ProblemCode::expectation_failed:
            return {"The expectation cannot be met", "The Expect header asks for something other than 100-continue.",
                    "Nothing was done.", "Leave the Expect header out."};
        case ProblemCode::transfer_coding_unsupported:
            return {"The transfer coding is not supported", "The body has a transfer coding other than chunked.",
                    "Nothing was done.", "Send the body with Content-Length, or chunked."};
        case ProblemCode::http_version_unsupported:
            return {"The HTTP version is not supported", "The server speaks HTTP/1.1 and HTTP/1.0.",
                    "Nothing was done.", "Use HTTP/1.1."};
        case ProblemCode::unavailable:
            return {"The server cannot do this at the moment",
                    "The server is overloaded or ending, or its storage cannot be reached.",
                    "Nothing was done, and nothing is remembered under the key.",
                    "Wait for the time in Retry-After and send the same request with the same key."};
        case ProblemCode::outcome_unknown:
            return {
                "Whether the operation was done is not known",
                "The connection to the storage broke at the very moment of the commit.",
                "Perhaps. Either all of it was done or nothing.",
                "Send the same request with the same key: if it was done you get its result, if not it is done now."};
        case ProblemCode::internal:
            return {
                "The server failed", "Something happened in the server that should not happen.",
                "Nothing was done. An answer that is no success has no effect.",
                "Send the same request again with the same key. If it stays, give the request id to whoever runs the "
                "server."};
    }
    EINMAL_ASSERT(!"a problem without a text");
}

}  // namespace einmal::http
