// Many resources, or the states of one: pages with authenticated keyset cursors (contract T2, T3, R12).
#include "base/time.hpp"
#include "http/cursor.hpp"
#include "http/routes.hpp"

#include <charconv>

namespace einmal::http {
namespace {

namespace asio = boost::asio;

constexpr std::size_t limit_default = 50;
constexpr std::size_t limit_max = 200;

Problem invalid(std::string detail) { return {ProblemCode::parameter_invalid, std::move(detail)}; }
Problem foreign_cursor() { return invalid("The cursor does not belong to this list."); }

/// Digits without a sign or a leading zero.
template <class Number>
std::optional<Number> read_number(std::string_view text) {
    Number number{};
    const auto* begin = text.data();
    const auto* end = begin + text.size();
    const auto read = std::from_chars(begin, end, number);
    if (read.ec != std::errc{} || read.ptr != end || std::to_string(number) != text) return std::nullopt;
    return number;
}

OrProblem<std::size_t> read_limit(const Target& target) {
    const auto* text = find_parameter(target, "limit");
    if (text == nullptr) return limit_default;
    const auto limit = read_number<std::size_t>(*text);
    if (!limit || *limit < 1 || *limit > limit_max) return invalid("limit must be a whole number from 1 to 200.");
    return *limit;
}

/// The position behind the cursor of the request; nothing when it has none.
OrProblem<std::optional<std::string>> read_position(const Call& call, const CursorScope& scope) {
    const auto* text = find_parameter(call.target, "cursor");
    if (text == nullptr) return std::optional<std::string>();
    auto position = read_cursor(call.services.engine.secret(), scope, *text);
    if (!position) return foreign_cursor();
    return position;
}

std::string page_of(const Call& call, const Page& page, const std::optional<std::string>& next_cursor) {
    std::string out;
    out.reserve(64 + page.items.size() * 512);
    out += "{\"data\":[";
    for (const auto& item : page.items) {
        if (out.back() != '[') out += ',';
        out += represent(call.type(), item, call.caller().scopes);
    }
    out += "],\"next_cursor\":";
    if (next_cursor)
        json::write_string(*next_cursor, out);
    else
        out += "null";
    out += '}';
    return out;
}

/// A list's question, and what ties its cursors to it.
struct Question {
    ListQuery query;
    CursorScope scope;
    std::vector<std::string> hidden_members;  ///< filters the caller may not use (403)
};

/// The filters, in the order of the members' names, so that their order in the query does not matter.
std::optional<Problem> read_filters(const Call& call, Question& question) {
    const auto& type = call.type();
    for (const auto& member : type.indexed) {
        const auto* text = find_parameter(call.target, member);
        if (text == nullptr) continue;
        const auto value = type.filter_value(member, *text);
        if (!value) return invalid("The filter " + member + " has a value that no resource can have.");
        question.query.matches.push_back(call.services.engine.value_digest(type, member, *value));
        question.scope.circumstances.push_back(member + '=' + json::to_text(*value));
        const auto scope = type.scopes.find(member);
        if (scope != type.scopes.end() && !call.caller().scopes.allow(scope->second))
            question.hidden_members.push_back(scope->second);
    }
    return std::nullopt;
}

std::string position_of(const ListQuery& query, const Resource& last) {
    if (!query.updated_since) return last.id.text;
    return std::to_string(last.updated_at.time_since_epoch().count()) + ' ' + last.id.text;
}

std::optional<ListPosition> position_from(const ListQuery& query, std::string_view text) {
    if (!query.updated_since) return ListPosition{{}, ResourceId{std::string(text)}};
    const auto blank = text.find(' ');
    const auto time = read_number<std::int64_t>(text.substr(0, blank));
    if (blank == std::string_view::npos || !time) return std::nullopt;
    return ListPosition{Timestamp{std::chrono::milliseconds{*time}}, ResourceId{std::string(text.substr(blank + 1))}};
}

OrProblem<Question> read_question(const Call& call) {
    std::vector<std::string_view> known{"limit", "cursor", "updated_since"};
    known.insert(known.end(), call.type().indexed.begin(), call.type().indexed.end());
    if (auto refusal = refuse_parameters(call.target, known)) return std::move(*refusal);
    Question question;
    question.query.asker = call.caller().asker;
    question.query.type = call.type().name;
    question.scope.account = call.caller().asker.account;
    question.scope.list = call.match.route->pattern;
    const auto limit = read_limit(call.target);
    if (!limit) return limit.error();
    question.query.limit = *limit;
    if (const auto* text = find_parameter(call.target, "updated_since")) {
        question.query.updated_since = base::parse_rfc3339(*text);
        if (!question.query.updated_since)
            return invalid(
                "updated_since must be an RFC 3339 time such as 2026-01-31T12:00:00Z; a + in it is sent as %2B.");
        question.scope.circumstances.push_back("since " + base::to_rfc3339(*question.query.updated_since));
    }
    if (auto refusal = read_filters(call, question)) return std::move(*refusal);
    const auto position = read_position(call, question.scope);
    if (!position) return position.error();
    if (*position) {
        question.query.after = position_from(question.query, **position);
        if (!question.query.after) return foreign_cursor();
    }
    return question;
}

}  // namespace

asio::awaitable<Reply> list_resources(Call& call) {
    auto question = read_question(call);
    if (!question) co_return question.error();
    const auto conditions = read_conditions(call.request());
    if (!conditions) co_return conditions.error();
    if (auto refusal = refuse_without_scope(call.caller(), call.type().name.text + ":read"))
        co_return std::move(*refusal);
    for (const auto& scope : question->hidden_members)
        if (auto refusal = refuse_without_scope(call.caller(), scope)) co_return std::move(*refusal);
    const auto page = co_await call.services.engine.list(question->query);
    if (!page) co_return problem_of(page.error());
    std::optional<std::string> next;
    if (page->more && !page->items.empty())
        next = make_cursor(call.services.engine.secret(), question->scope,
                           position_of(question->query, page->items.back()));
    co_return private_json(page_of(call, *page, next));
}

asio::awaitable<Reply> list_revisions(Call& call) {
    if (auto refusal = refuse_parameters(call.target, {"limit", "cursor"})) co_return std::move(*refusal);
    const auto limit = read_limit(call.target);
    if (!limit) co_return limit.error();
    const CursorScope scope{call.caller().asker.account, call.match.route->pattern, {call.match.first}};
    const auto position = read_position(call, scope);
    if (!position) co_return position.error();
    if (auto refusal = refuse_without_scope(call.caller(), call.type().name.text + ":read"))
        co_return std::move(*refusal);
    RevisionsQuery query{call.caller().asker, ResourceId{call.match.first}, {}, *limit};
    if (*position) {
        const auto before = read_number<std::uint64_t>(**position);
        if (!before) co_return foreign_cursor();
        query.before = Revision{*before};
    }
    // The engine's list does not look at the type, and an empty page is no answer for a resource that is not there.
    const auto found = co_await call.services.engine.get(query.asker, call.type(), query.id);
    if (!found) co_return problem_of(found.error());
    if (!*found) co_return Problem(ProblemCode::not_found, "There is no such resource.");
    const auto page = co_await call.services.engine.list_revisions(query);
    if (!page) co_return problem_of(page.error());
    std::optional<std::string> next;
    if (page->more && !page->items.empty())
        next = make_cursor(call.services.engine.secret(), scope, std::to_string(page->items.back().revision.value));
    co_return private_json(page_of(call, *page, next));
}

asio::awaitable<Reply> read_revision(Call& call) {
    if (auto refusal = refuse_parameters(call.target, {})) co_return std::move(*refusal);
    const auto conditions = read_conditions(call.request());
    if (!conditions) co_return conditions.error();
    if (auto refusal = refuse_without_scope(call.caller(), call.type().name.text + ":read"))
        co_return std::move(*refusal);
    const auto number = read_number<std::uint64_t>(call.match.second);
    if (!number) co_return Problem(ProblemCode::not_found, "There is no such revision.");
    // Named first: g++ 12 destroys an aggregate twice that is made within a co_await expression.
    const ResourceId id{call.match.first};
    const Revision revision{*number};
    const auto found = co_await call.services.engine.get_revision(call.caller().asker, call.type(), id, revision);
    if (!found) co_return problem_of(found.error());
    if (!*found) co_return Problem(ProblemCode::not_found, "There is no such resource, or the revision is not kept.");
    co_return conditional_answer(call, *conditions, **found);
}

}  // namespace einmal::http
