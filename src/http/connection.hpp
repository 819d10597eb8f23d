// What all connections of one server share, and what the server can ask of each of them.
#pragma once

#include "http/deadline.hpp"
#include "http/exchange.hpp"
#include "http/http_options.hpp"
#include "http/response_text.hpp"

#include <boost/asio/any_io_executor.hpp>
#include <boost/asio/ssl/context.hpp>
#include <boost/asio/steady_timer.hpp>
#include <boost/intrusive/list.hpp>
#include <cstddef>
#include <memory>

namespace einmal::http {

using ConnectionHook = boost::intrusive::list_base_hook<boost::intrusive::tag<class Connection>,
                                                        boost::intrusive::link_mode<boost::intrusive::auto_unlink>>;

/// One open connection as the server sees it.
class Connection : public Deadline, public ConnectionHook {
 public:
    /// Ends a wait for the next request; a request that has begun goes on (contract H4).
    virtual void stop_if_idle() = 0;
    /// Cuts the connection. A request that is being handled goes on without it (contract K10).
    virtual void abandon() = 0;

 protected:
    /// For the destructor of what derives from this, as long as the lists are sure to exist.
    void leave_lists() {
        Deadline::unlink();
        ConnectionHook::unlink();
    }
};

/// Shared by the server, its listener and its connections; used on `executor` only.
struct ServerState {
    using Connections = boost::intrusive::list<Connection, boost::intrusive::base_hook<ConnectionHook>,
                                               boost::intrusive::constant_time_size<false>>;

    ServerState(boost::asio::any_io_executor io_executor, Handler& answering_side, HttpOptions limits)
        : executor(std::move(io_executor)),
          handler(answering_side),
          options(std::move(limits)),
          deadlines(executor),
          all_closed(executor) {}

    const boost::asio::any_io_executor executor;
    Handler& handler;
    const HttpOptions options;
    std::shared_ptr<boost::asio::ssl::context> tls;  ///< null: plain
    Deadlines deadlines;
    DateText date;
    Connections connections;
    std::size_t connection_count = 0;   ///< those that are served
    std::size_t turned_away_count = 0;  ///< those beyond the maximum, for the moment of their refusal
    bool stopping = false;
    boost::asio::steady_timer all_closed;  ///< cancelled when the last one goes while stopping
};

}  // namespace einmal::http
