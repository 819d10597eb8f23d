#include "http/authenticator.hpp"

#include "base/digest.hpp"
#include "http/headers.hpp"

#include <boost/beast/http/field.hpp>

namespace einmal::http {
namespace {

namespace asio = boost::asio;

// Requests that never reach the store are judged by what is remembered; so long may that be out of date.
constexpr std::chrono::seconds trusted_for{5};

// More tokens in use at once than this and the memory starts anew: a bound, not a policy.
constexpr std::size_t known_max = 10'000;

Problem unauthorized(std::string detail) {
    return Problem(ProblemCode::unauthorized, std::move(detail))
        .with(boost::beast::http::field::www_authenticate, "Bearer");
}

}  // namespace

asio::awaitable<OrProblem<std::shared_ptr<const Caller>>> Authenticator::authenticate(const Request& request,
                                                                                      Time now) {
    const auto token = read_bearer_token(request);
    if (!token) co_return unauthorized("Send a token as Authorization: Bearer.");
    const TokenDigest digest{base::sha256(*token)};
    if (const auto found = known_.find(digest); found != known_.end()) {
        if (now - found->second.looked_up_at < trusted_for) co_return found->second.caller;
    }
    const auto known = co_await engine_.find_token(digest);
    if (!known) co_return problem_of(known.error());
    if (!*known || (*known)->revoked_at) {
        known_.erase(digest);
        co_return unauthorized("The token is unknown or has been revoked.");
    }
    auto scopes = Scopes::parse((*known)->scopes);
    if (!scopes) co_return problem_of(Error{Errc::corrupt, "the scopes of a token cannot be read: " + scopes.error()});
    const Asker asker{(*known)->account, (*known)->id};
    std::shared_ptr<const Caller> caller = std::make_shared<Caller>(Caller{asker, std::move(*scopes)});
    remember(digest, {caller, now});
    co_return caller;
}

void Authenticator::forget(TokenId token) {
    std::erase_if(known_, [&](const auto& entry) { return entry.second.caller->asker.token == token; });
}

void Authenticator::remember(const TokenDigest& digest, Known known) {
    if (known_.size() >= known_max) known_.clear();
    known_.insert_or_assign(digest, std::move(known));
}

}  // namespace einmal::http
