// The server's TLS settings from two files, with errors an operator can act on (contract H1).
#pragma once

#include <einmal/result.hpp>

#include <boost/asio/ssl/context.hpp>
#include <memory>
#include <string>

namespace einmal::http {

/// Paths of two PEM files.
struct TlsFiles {
    std::string certificate_chain;  ///< the server's certificate first, then the intermediate ones
    std::string private_key;
};

/// TLS 1.2 and later. Errc::configuration, with the file and what is wrong with it: missing, unreadable, no PEM, or a
/// key that does not belong to the certificate.
[[nodiscard]] Result<std::shared_ptr<boost::asio::ssl::context>> load_tls_context(const TlsFiles& files);

}  // namespace einmal::http
