#include "http/session.hpp"

#include "base/log.hpp"
#include "http/chunk_decoder.hpp"
#include "http/head_check.hpp"
#include "http/head_parse.hpp"
#include "http/read_buffer.hpp"
#include "http/response_text.hpp"

#include <algorithm>
#include <array>
#include <boost/asio/as_tuple.hpp>
#include <boost/asio/co_spawn.hpp>
#include <boost/asio/detached.hpp>
#include <boost/asio/ssl/stream.hpp>
#include <boost/asio/use_awaitable.hpp>
#include <boost/asio/write.hpp>
#include <typeinfo>

namespace einmal::http {
namespace {

namespace asio = boost::asio;
using asio::ip::tcp;
using PlainStream = tcp::socket;
using TlsStream = asio::ssl::stream<tcp::socket>;

constexpr asio::as_tuple_t<asio::use_awaitable_t<>> as_tuple{};

/// RFC 9112 §2.2: an empty line or two before a request are a habit of old clients.
constexpr std::size_t empty_lines_max = 2;
/// A body grows with what arrives; the announced length alone must not cost memory.
constexpr std::size_t body_step_min = std::size_t{16} * 1024;
/// Answers up to this size are one piece of memory, larger bodies are sent from where they are.
constexpr std::size_t copied_body_max = std::size_t{16} * 1024;
/// How long and how much a closing connection is read so that the client sees the answer instead of a reset.
constexpr std::chrono::milliseconds linger_timeout{2000};
constexpr std::size_t linger_max = std::size_t{4} * 1024 * 1024;

enum class BodyEnd { whole, client_gone, late, malformed, too_large };

struct AnswerMode {
    bool head_only = false;
    bool keep_alive = true;
};

/// The text of an exception could quote what the client sent; its type cannot.
void report(const std::exception& failure) {
    base::log(base::LogLevel::error, "connection failed",
              {{.name = "exception", .value = std::string_view(typeid(failure).name())}});
}

template <class Stream>
class Session final : public Connection {
 public:
    static constexpr bool is_tls = std::is_same_v<Stream, TlsStream>;

    /// `count` is the state's counter this connection belongs to.
    Session(std::shared_ptr<ServerState> state, Stream stream, std::size_t& count)
        : state_(std::move(state)), stream_(std::move(stream)), count_(count) {
        state_->deadlines.add(*this);
        state_->connections.push_back(*this);
        ++count_;
        // From the moment of acceptance: a handshake and a first head share this time.
        expire_after(state_->options.head_timeout);
    }

    ~Session() override {
        leave_lists();
        --count_;
        if (state_->stopping && state_->connections.empty()) state_->all_closed.cancel();
    }

    static asio::awaitable<void> run(std::unique_ptr<Session> self) {
        try {
            bool go_on = true;
            if constexpr (is_tls) go_on = co_await self->shake_hands();
            while (go_on) {
                go_on = co_await self->next_head();
                if (go_on) go_on = co_await self->serve_request();
            }
            co_await self->close();
        } catch (const std::exception& failure) {
            report(failure);
        }
    }

    static asio::awaitable<void> turn_away(std::unique_ptr<Session> self) {
        try {
            co_await self->refuse(Refusal::too_many_connections, "The server has no room for another connection.",
                                  nullptr);
            co_await self->close();
        } catch (const std::exception& failure) {
            report(failure);
        }
    }

    void stop_if_idle() override {
        if (!idle_) return;
        boost::system::error_code ignored;
        // What has reached this machine already is a request that has begun.
        if (!is_tls && socket().available(ignored) > 0) return;
        cancel();
    }

    void abandon() override {
        broken_ = true;
        boost::system::error_code ignored;
        socket().close(ignored);
    }

 private:
    void on_expiry() override { cancel(); }

    void cancel() {
        boost::system::error_code ignored;
        socket().cancel(ignored);
    }

    tcp::socket& socket() {
        if constexpr (is_tls) {
            return stream_.next_layer();
        } else {
            return stream_;
        }
    }

    asio::awaitable<bool> shake_hands() {
        idle_ = true;
        const auto [failure] = co_await stream_.async_handshake(asio::ssl::stream_base::server, as_tuple);
        idle_ = false;
        if (!failure) co_return true;
        broken_ = true;
        if (base::log_enabled(base::LogLevel::debug)) {
            const std::string reason = failure.message();
            base::log(base::LogLevel::debug, "TLS handshake failed",
                      {{.name = "reason", .value = std::string_view(reason)}});
        }
        co_return false;
    }

    /// Waits until a whole head stands at the front of the input. False: the connection ends.
    asio::awaitable<bool> next_head() {
        scanner_.reset();
        bool timed = served_ == 0;
        for (std::size_t empty_lines = 0;;) {
            while (empty_lines < empty_lines_max && input_.view().starts_with("\r\n")) {
                input_.consume(2);
                ++empty_lines;
            }
            const HeadScanner::State state = scanner_.scan(input_.view());
            if (state == HeadScanner::State::complete) break;
            if (state == HeadScanner::State::malformed) {
                co_return co_await refuse(Refusal::malformed, "A line of the head does not end in CRLF.", nullptr);
            }
            if (input_.size() > state_->options.head_max) co_return co_await refuse_large_head();
            const bool begun = !input_.empty();
            if (!begun && state_->stopping) co_return false;
            if (!timed) expire_after(begun ? state_->options.head_timeout : state_->options.idle_timeout);
            timed = timed || begun;

            idle_ = !begun;
            const auto [failure, count] = co_await stream_.async_read_some(input_.space(), as_tuple);
            idle_ = false;
            input_.commit(count);
            if (count > 0) continue;
            if (expired() && begun) {
                co_return co_await refuse(Refusal::timeout, "The head of the request took too long.", nullptr);
            }
            broken_ = !expired() && !state_->stopping;
            co_return false;
        }
        if (scanner_.size() > state_->options.head_max) co_return co_await refuse_large_head();
        co_return true;
    }

    asio::awaitable<bool> refuse_large_head() {
        if (scanner_.request_line_complete()) {
            co_return co_await refuse(Refusal::head_too_large, "The head of the request is too large.", nullptr);
        }
        co_return co_await refuse(Refusal::target_too_long, "The target is too long.", nullptr);
    }

    /// Takes the request at the front of the input through all its stations. False: the connection ends.
    asio::awaitable<bool> serve_request() {
        never_expire();
        ++served_;
        Exchange exchange;
        exchange.started = Deadline::Clock::now();
        Framing framing;
        const std::optional<HeadRefusal> flaw = take_head(exchange.request, framing);
        if (flaw) co_return co_await refuse(flaw->refusal, std::string(flaw->detail), nullptr);

        const bool head_only = exchange.request.method() == boost::beast::http::verb::head;
        const std::optional<Response> refused = co_await state_->handler.admit(exchange);
        if (refused) {
            // Whoever expects something has something to send, whether or not the head announces it.
            unread_ = framing.has_body() || framing.expectation != Expectation::none;
            co_return co_await answer(*refused, {head_only, framing.keep_alive && !unread_});
        }
        if (framing.expectation == Expectation::unknown) {
            co_return co_await refuse(Refusal::expectation_failed, "The only expectation here is 100-continue.",
                                      &exchange);
        }
        if (framing.has_body() && !take_body(exchange.request.body(), framing)) {
            const bool whole = co_await read_body(exchange, framing);
            if (!whole) co_return false;
        }
        const Response response = co_await state_->handler.handle(exchange);
        co_return co_await answer(response, {head_only, framing.keep_alive});
    }

    std::optional<HeadRefusal> take_head(Request& request, Framing& framing) {
        const std::string_view head = input_.view().substr(0, scanner_.size());
        const auto checked = check_head(head, {.target_max = state_->options.target_max});
        if (const auto* refusal = std::get_if<HeadRefusal>(&checked)) return *refusal;
        const auto& accepted = std::get<CheckedHead>(checked);
        if (!parse_head(head, accepted, request)) return HeadRefusal{Refusal::malformed, "The head is malformed."};
        framing = accepted.framing;
        input_.consume(head.size());
        return std::nullopt;
    }

    /// The body, if all of it is in the input already: most are.
    bool take_body(std::string& body, const Framing& framing) {
        const std::uint64_t length = framing.content_length.value_or(0);
        if (framing.chunked || length > input_.size() || length > state_->options.body_max) return false;
        body = input_.view().substr(0, static_cast<std::size_t>(length));
        input_.consume(body.size());
        return true;
    }

    asio::awaitable<bool> read_body(Exchange& exchange, Framing framing) {
        BodyEnd end = BodyEnd::too_large;
        if (framing.content_length.value_or(0) <= state_->options.body_max) {
            if (framing.expectation == Expectation::to_continue && input_.empty()) {
                out_ = "HTTP/1.1 100 Continue\r\n\r\n";
                const bool sent = co_await send({});
                if (!sent) co_return false;
            }
            expire_after(state_->options.body_timeout);
            if (framing.chunked) {
                end = co_await read_chunks(exchange.request.body());
            } else {
                end = co_await read_sized(exchange.request.body(), static_cast<std::size_t>(*framing.content_length));
            }
            never_expire();
        }
        switch (end) {
            case BodyEnd::whole:
                co_return true;
            case BodyEnd::client_gone:
                broken_ = true;
                co_return false;
            case BodyEnd::late:
                co_return co_await refuse(Refusal::timeout, "The body of the request took too long.", &exchange);
            case BodyEnd::malformed:
                co_return co_await refuse(Refusal::malformed, "The chunks of the body are malformed.", &exchange);
            case BodyEnd::too_large:
                co_return co_await refuse(Refusal::body_too_large, "The body is too large.", &exchange);
        }
        co_return false;
    }

    asio::awaitable<BodyEnd> read_sized(std::string& body, std::size_t length) {
        body = input_.view().substr(0, length);
        input_.consume(body.size());
        while (body.size() < length) {
            const std::size_t have = body.size();
            body.resize(std::min(length, have + std::max(body_step_min, have)));
            const auto [failure, count] =
                co_await stream_.async_read_some(asio::buffer(body.data() + have, body.size() - have), as_tuple);
            body.resize(have + count);
            if (count == 0) co_return expired() ? BodyEnd::late : BodyEnd::client_gone;
        }
        co_return BodyEnd::whole;
    }

    asio::awaitable<BodyEnd> read_chunks(std::string& body) {
        ChunkDecoder decoder(state_->options.body_max);
        for (;;) {
            std::size_t used = 0;
            const ChunkDecoder::State state = decoder.feed(input_.view(), used, body);
            input_.consume(used);
            switch (state) {
                case ChunkDecoder::State::more:
                    break;
                case ChunkDecoder::State::complete:
                    co_return BodyEnd::whole;
                case ChunkDecoder::State::malformed:
                    co_return BodyEnd::malformed;
                case ChunkDecoder::State::too_large:
                    co_return BodyEnd::too_large;
            }
            const auto [failure, count] = co_await stream_.async_read_some(input_.space(), as_tuple);
            input_.commit(count);
            if (count == 0) co_return expired() ? BodyEnd::late : BodyEnd::client_gone;
        }
    }

    /// Always false, for the caller to hand on: a connection ends with a refusal, since what follows cannot be trusted.
    asio::awaitable<bool> refuse(Refusal refusal, std::string detail, const Exchange* exchange) {
        unread_ = true;
        const bool head_only = exchange && exchange->request.method() == boost::beast::http::verb::head;
        const Response response = state_->handler.refuse(refusal, std::move(detail), exchange);
        co_return co_await answer(response, {head_only, false});
    }

    /// Sends one answer. False: the connection ends.
    asio::awaitable<bool> answer(const Response& response, AnswerMode mode) {
        static const std::string nothing;
        const bool keep_alive = mode.keep_alive && !state_->stopping;
        const bool with_body = !mode.head_only && may_have_body(response);
        const bool copied = with_body && response.body().size() <= copied_body_max;
        out_.clear();
        append_response_head(out_, response, {keep_alive, state_->date.now()});
        if (copied) out_ += response.body();
        // A client that did not ask for the end may have its next request under way.
        unread_ = unread_ || (mode.keep_alive && !keep_alive);
        const bool sent = co_await send(with_body && !copied ? response.body() : nothing);
        co_return sent&& keep_alive;
    }

    /// Sends `out_` and `tail`. False: the client is gone, or took too long.
    asio::awaitable<bool> send(const std::string& tail) {
        std::array<asio::const_buffer, 2> rest{asio::buffer(out_), asio::buffer(tail)};
        boost::system::error_code failure;
        if constexpr (!is_tls) {
            // Nearly every answer fits the socket's buffer: no operation, no wait, no deadline.
            std::size_t sent = stream_.write_some(rest, failure);
            if (sent == out_.size() + tail.size()) co_return true;
            if (failure == asio::error::would_block) failure.clear();
            for (asio::const_buffer& buffer : rest) {
                const std::size_t done = std::min(sent, buffer.size());
                buffer += done;
                sent -= done;
            }
        }
        if (!failure) {
            expire_after(state_->options.write_timeout);
            std::tie(failure, std::ignore) = co_await asio::async_write(stream_, rest, as_tuple);
            never_expire();
        }
        broken_ = broken_ || failure;
        co_return !failure;
    }

    /// Says goodbye. A client that may still be sending is read for a while, because the reset that unread bytes cause
    /// can destroy the answer on its way (RFC 9112 §9.6).
    asio::awaitable<void> close() {
        if (broken_) co_return;
        const bool linger = unread_ || !input_.empty();
        boost::system::error_code failure;
        // Without more to read, TLS sends its close_notify and does not wait for the client's.
        if (!linger) socket().shutdown(tcp::socket::shutdown_receive, failure);
        expire_after(linger_timeout);
        if constexpr (is_tls) {
            co_await stream_.async_shutdown(as_tuple);
        }
        socket().shutdown(tcp::socket::shutdown_send, failure);
        std::size_t discarded = 0;
        std::array<char, 4096> waste;
        while (linger && !failure && !expired() && discarded < linger_max) {
            std::size_t count = 0;
            std::tie(failure, count) = co_await socket().async_read_some(asio::buffer(waste), as_tuple);
            discarded += count;
        }
    }

    const std::shared_ptr<ServerState> state_;
    Stream stream_;
    std::size_t& count_;
    ReadBuffer input_;
    HeadScanner scanner_;
    std::string out_;
    std::size_t served_ = 0;
    bool idle_ = false;    ///< waits for the first byte of a request
    bool unread_ = false;  ///< the client may still be sending what nobody will read
    bool broken_ = false;  ///< nothing can be sent any more
};

template <class Stream>
std::unique_ptr<Session<Stream>> make_session(const std::shared_ptr<ServerState>& state, Stream stream,
                                              std::size_t& count) {
    return std::make_unique<Session<Stream>>(state, std::move(stream), count);
}

}  // namespace

void serve(const std::shared_ptr<ServerState>& state, tcp::socket socket) {
    if (state->tls) {
        auto session = make_session(state, TlsStream(std::move(socket), *state->tls), state->connection_count);
        asio::co_spawn(state->executor, Session<TlsStream>::run(std::move(session)), asio::detached);
    } else {
        auto session = make_session(state, std::move(socket), state->connection_count);
        asio::co_spawn(state->executor, Session<PlainStream>::run(std::move(session)), asio::detached);
    }
}

void turn_away(const std::shared_ptr<ServerState>& state, tcp::socket socket) {
    if (state->tls) return;
    auto session = make_session(state, std::move(socket), state->turned_away_count);
    asio::co_spawn(state->executor, Session<PlainStream>::turn_away(std::move(session)), asio::detached);
}

}  // namespace einmal::http
