#include "http/tls_context.hpp"

#include <openssl/err.h>
#include <openssl/ssl.h>
#include <array>
#include <boost/asio/buffer.hpp>
#include <boost/asio/ssl/error.hpp>
#include <cerrno>
#include <cstdio>
#include <memory>
#include <system_error>

namespace einmal::http {
namespace {

namespace ssl = boost::asio::ssl;

Error faulty(const char* what, const std::string& path, const std::string& why) {
    return {Errc::configuration, std::string(what) + " " + path + ": " + why};
}

Result<std::string> read_file(const char* what, const std::string& path) {
    const std::unique_ptr<std::FILE, int (*)(std::FILE*)> file(std::fopen(path.c_str(), "rb"), &std::fclose);
    std::string text;
    std::array<char, 4096> block{};
    while (file && !std::feof(file.get()) && !std::ferror(file.get())) {
        text.append(block.data(), std::fread(block.data(), 1, block.size(), file.get()));
    }
    if (!file || std::ferror(file.get())) {
        return faulty(what, path, "cannot be read: " + std::generic_category().message(errno));
    }
    if (text.empty()) return faulty(what, path, "is empty");
    return text;
}

void restrict_protocol(ssl::context& context) {
    SSL_CTX* const native = context.native_handle();
    SSL_CTX_set_min_proto_version(native, TLS1_2_VERSION);
    // Renegotiation lets a client make the server work for nothing; idle connections give their buffers back.
    SSL_CTX_set_options(native, SSL_OP_NO_RENEGOTIATION | SSL_OP_NO_COMPRESSION | SSL_OP_CIPHER_SERVER_PREFERENCE);
    SSL_CTX_set_mode(native, SSL_MODE_RELEASE_BUFFERS);
    // A key with a passphrase would make OpenSSL ask on the terminal; a server must fail with a message instead.
    SSL_CTX_set_default_passwd_cb(native, [](char*, int, int, void*) { return -1; });
}

}  // namespace

Result<std::shared_ptr<ssl::context>> load_tls_context(const TlsFiles& files) {
    const auto chain = read_file("TLS certificate", files.certificate_chain);
    if (!chain) return chain.error();
    const auto key = read_file("TLS key", files.private_key);
    if (!key) return key.error();

    auto context = std::make_shared<ssl::context>(ssl::context::tls_server);
    restrict_protocol(*context);
    boost::system::error_code failure;
    context->use_certificate_chain(boost::asio::buffer(*chain), failure);
    if (failure) {
        return faulty("TLS certificate", files.certificate_chain,
                      "holds no usable PEM certificate: " + failure.message());
    }
    context->use_private_key(boost::asio::buffer(*key), ssl::context::pem, failure);
    if (failure.category() == boost::asio::error::get_ssl_category() &&
        ERR_GET_REASON(static_cast<unsigned long>(failure.value())) == X509_R_KEY_VALUES_MISMATCH) {
        return faulty("TLS key", files.private_key, "does not belong to the certificate " + files.certificate_chain);
    }
    if (failure) {
        return faulty("TLS key", files.private_key,
                      "holds no usable PEM key without a passphrase: " + failure.message());
    }
    if (SSL_CTX_check_private_key(context->native_handle()) != 1) {
        ERR_clear_error();
        return faulty("TLS key", files.private_key, "does not belong to the certificate " + files.certificate_chain);
    }
    return context;
}

}  // namespace einmal::http
