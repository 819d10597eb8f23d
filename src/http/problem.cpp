#include "http/problem.hpp"

#include <algorithm>
#include <stdexcept>

namespace einmal::http {
namespace {

using boost::beast::http::field;

void add_member(std::string& out, std::string_view name, std::string_view value) {
    out += ",\"";
    out += name;
    out += "\":";
    json::write_string(value, out);
}

void add_number(std::string& out, std::string_view name, std::uint64_t value) {
    out += ",\"";
    out += name;
    out += "\":";
    out += std::to_string(value);
}

void add_errors(std::string& out, const std::vector<FieldError>& errors) {
    out += ",\"errors\":[";
    for (const auto& error : errors) {
        if (out.back() != '[') out += ',';
        out += "{\"pointer\":";
        json::write_string(error.pointer, out);
        add_member(out, "code", error.code);
        add_member(out, "detail", error.detail);
        out += '}';
    }
    out += ']';
}

void add_names(std::string& out, std::string_view member, const std::vector<std::string>& names) {
    out += ",\"";
    out += member;
    out += "\":[";
    for (const auto& name : names) {
        if (out.back() != '[') out += ',';
        json::write_string(name, out);
    }
    out += ']';
}

void add_details(std::string& out, const Problem& problem) {
    if (!problem.errors.empty()) add_errors(out, problem.errors);
    if (problem.line != 0) {
        add_number(out, "line", problem.line);
        add_number(out, "column", problem.column);
    }
    if (problem.current_revision) add_number(out, "current_revision", problem.current_revision->value);
    if (!problem.changed.empty()) add_names(out, "changed", problem.changed);
    if (!problem.member.empty()) add_member(out, "member", problem.member);
    if (!problem.other_id.empty()) add_member(out, "other_id", problem.other_id);
}

/// Whether the path can stand as a URI reference; a broken request may hold anything.
bool is_reference(std::string_view path) {
    return !path.empty() && std::ranges::all_of(path, [](char c) { return c > ' ' && c < '\x7f'; });
}

std::string body_of(const Problem& problem, std::string_view instance, std::string_view request_id) {
    const auto& entry = problem_entry(problem.code);
    std::string out;
    out.reserve(512);
    out += "{\"type\":\"/problems/";
    out += entry.name;
    out += "/\"";
    add_member(out, "title", entry.title);
    add_number(out, "status", static_cast<std::uint64_t>(entry.status));
    add_member(out, "detail", problem.detail);
    if (is_reference(instance)) add_member(out, "instance", instance);
    add_member(out, "code", entry.name);
    out += entry.retryable ? ",\"retryable\":true" : ",\"retryable\":false";
    add_member(out, "next", to_text(entry.next));
    if (!request_id.empty()) add_member(out, "request_id", request_id);
    add_details(out, problem);
    out += '}';
    return out;
}

Problem failure_of(Errc code) {
    switch (code) {
        case Errc::unavailable:
            return Problem(ProblemCode::unavailable,
                           "Nothing was done. Send the same request again, with the same key.")
                .with(field::retry_after, "1");
        case Errc::outcome_unknown:
            return Problem(ProblemCode::outcome_unknown,
                           "Send the same request again with the same key: it will not take effect twice.")
                .with(field::retry_after, "1");
        case Errc::token_revoked:
            return Problem(ProblemCode::unauthorized, "The token has been revoked.")
                .with(field::www_authenticate, "Bearer");
        case Errc::configuration:
        case Errc::corrupt:
            break;
    }
    return {ProblemCode::internal, "Nothing was done. The server's log says more under this request id."};
}

}  // namespace

void throw_exception_from_error(const Problem& problem, const boost::source_location&) {
    throw std::logic_error("unchecked problem: " + problem.detail);
}

Problem problem_of(const Error& error) {
    auto problem = failure_of(error.code);
    problem.reason = error.reason;
    return problem;
}

Problem problem_of(const json::ReadError& error) {
    switch (error.kind) {
        case json::ReadError::Kind::number_not_exact: {
            Problem problem(ProblemCode::number_not_exact, "A number cannot be kept exactly: " + error.pointer);
            problem.errors.push_back({error.pointer, "number_not_exact", error.detail});
            return problem;
        }
        case json::ReadError::Kind::nul_character: {
            Problem problem(ProblemCode::validation_failed, "A text holds the character U+0000, which cannot be kept.");
            problem.errors.push_back({error.pointer, "nul_character", error.detail});
            return problem;
        }
        case json::ReadError::Kind::syntax:
            break;
    }
    Problem problem(ProblemCode::json_invalid, "Line " + std::to_string(error.line) + ", column " +
                                                   std::to_string(error.column) + ": " + error.detail);
    problem.line = error.line;
    problem.column = error.column;
    return problem;
}

Response problem_response(const Problem& problem, std::string_view instance, std::string_view request_id) {
    Response response;
    response.result(static_cast<unsigned>(problem_entry(problem.code).status));
    response.set(field::content_type, "application/problem+json");
    response.set(field::cache_control, "private, no-cache");
    for (const auto& [name, value] : problem.headers) response.set(name, value);
    response.body() = body_of(problem, instance, request_id);
    return response;
}

}  // namespace einmal::http
