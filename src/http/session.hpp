// Serves one connection: reads requests, hands them to the answering side, writes the answers, in order.
#pragma once

#include "http/connection.hpp"

#include <boost/asio/ip/tcp.hpp>
#include <memory>

namespace einmal::http {

/// Serves `socket`, which must not block, to its end on the state's executor, over TLS if the state has a context. One
/// connection's failure never reaches another; an operation that `Handler::handle` has begun is completed whatever
/// becomes of the connection (contract K10).
void serve(const std::shared_ptr<ServerState>& state, boost::asio::ip::tcp::socket socket);

/// Answers a connection beyond the maximum with the refusal and closes it; over TLS it is closed without a word, since
/// a handshake costs more than an answer (contract H3).
void turn_away(const std::shared_ptr<ServerState>& state, boost::asio::ip::tcp::socket socket);

}  // namespace einmal::http
