#include "http/routes.hpp"

#include "http/headers.hpp"

#include <algorithm>
#include <array>
#include <boost/beast/http/field.hpp>

namespace einmal::http {
namespace {

using boost::beast::http::field;

void append_two_digits(std::string& out, unsigned value) {
    out += static_cast<char>('0' + value / 10 % 10);
    out += static_cast<char>('0' + value % 10);
}

}  // namespace

Response make_response(unsigned status, std::string_view content_type, std::string body) {
    Response response;
    response.result(status);
    response.set(field::content_type, boost::beast::string_view(content_type.data(), content_type.size()));
    response.body() = std::move(body);
    return response;
}

Response private_json(std::string body) {
    auto response = make_response(200, "application/json", std::move(body));
    response.set(field::cache_control, "private, no-cache");
    return response;
}

OrProblem<Conditions> read_conditions(const Request& request) {
    auto if_match = read_precondition(request, field::if_match);
    if (!if_match) return if_match.error();
    auto if_none_match = read_precondition(request, field::if_none_match);
    if (!if_none_match) return if_none_match.error();
    return Conditions{std::move(*if_match), std::move(*if_none_match)};
}

Reply conditional_answer(const Call& call, const Conditions& conditions, const Resource& resource) {
    auto tag = entity_tag(resource.revision);
    if (conditions.if_match && !conditions.if_match->matches_strongly(resource.revision)) {
        Problem problem(ProblemCode::precondition_failed, "The resource is not in the state that If-Match names.");
        problem.current_revision = resource.revision;
        return std::move(problem).with(field::etag, std::move(tag));
    }
    const bool unchanged = conditions.if_none_match && conditions.if_none_match->matches_weakly(resource.revision);
    auto response = private_json(unchanged ? "" : represent(call.type(), resource, call.caller().scopes));
    response.set(field::etag, tag);
    if (unchanged) {
        response.result(304);
        response.erase(field::content_type);
    }
    return response;
}

std::optional<Problem> refuse_without_scope(const Caller& caller, const std::string& scope) {
    if (caller.scopes.allow(scope)) return std::nullopt;
    return Problem(ProblemCode::forbidden, "This needs the scope " + scope + ".");
}

std::optional<Problem> refuse_parameters(const Target& target, const std::vector<std::string_view>& known) {
    const auto& parameters = target.parameters;
    for (auto at = parameters.begin(); at != parameters.end(); ++at) {
        if (std::ranges::find(known, at->first) == known.end()) {
            Problem problem(ProblemCode::unknown_parameter, "The query holds a parameter that is not known here.");
            if (known.empty()) problem.detail = "This request takes no query parameters.";
            return problem;
        }
        const bool twice =
            std::any_of(parameters.begin(), at, [&](const auto& other) { return other.first == at->first; });
        if (twice) return Problem(ProblemCode::parameter_invalid, "The parameter " + at->first + " occurs twice.");
    }
    return std::nullopt;
}

const std::string* find_parameter(const Target& target, std::string_view name) {
    const auto found = std::ranges::find_if(target.parameters, [&](const auto& entry) { return entry.first == name; });
    return found == target.parameters.end() ? nullptr : &found->second;
}

std::string to_http_date(Timestamp time) {
    constexpr std::array days{"Sun, ", "Mon, ", "Tue, ", "Wed, ", "Thu, ", "Fri, ", "Sat, "};
    constexpr std::array months{" Jan ", " Feb ", " Mar ", " Apr ", " May ", " Jun ",
                                " Jul ", " Aug ", " Sep ", " Oct ", " Nov ", " Dec "};
    const auto day = std::chrono::floor<std::chrono::days>(time);
    const std::chrono::year_month_day date(day);
    const std::chrono::hh_mm_ss clock(std::chrono::floor<std::chrono::seconds>(time - day));
    std::string out = days[std::chrono::weekday(day).c_encoding()];
    append_two_digits(out, static_cast<unsigned>(date.day()));
    out += months[static_cast<unsigned>(date.month()) - 1];
    const auto year = static_cast<unsigned>(std::clamp(static_cast<int>(date.year()), 0, 9999));
    append_two_digits(out, year / 100);
    append_two_digits(out, year % 100);
    out += ' ';
    append_two_digits(out, static_cast<unsigned>(clock.hours().count()));
    out += ':';
    append_two_digits(out, static_cast<unsigned>(clock.minutes().count()));
    out += ':';
    append_two_digits(out, static_cast<unsigned>(clock.seconds().count()));
    return out + " GMT";
}

}  // namespace einmal::http
