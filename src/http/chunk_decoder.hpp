// Takes chunked framing off a body, strictly. Beast's parser is not used for bodies: in the version we build on it lets
// bare line feeds through inside quoted chunk extensions and adds trailer fields to the checked head (contract H2).
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

namespace einmal::http {

/// One body. Sizes are hexadecimal digits only; extensions and trailers are checked, bounded and dropped.
/// Source: RFC 9112 §7.1.
class ChunkDecoder {
 public:
    enum class State {
        more,       ///< all of `bytes` was used, the body is not complete
        complete,   ///< the body is complete; what follows in `bytes` belongs to the next request
        malformed,  ///< the framing is broken: the connection is good for nothing any more
        too_large,  ///< a chunk would carry the body past its limit
    };

    explicit ChunkDecoder(std::size_t body_max) : body_max_(body_max) {}

    /// Appends to `body` what `bytes` hold of it; `used` becomes the number of bytes taken.
    [[nodiscard]] State feed(std::string_view bytes, std::size_t& used, std::string& body);

 private:
    enum class Step { size_start, size, extension, size_lf, data, data_cr, data_lf, trailer, trailer_lf };

    State step(char c);
    State take_size_digit(char c);
    State end_size_line();
    State end_trailer_line();
    State count_overhead();

    const std::size_t body_max_;
    Step step_ = Step::size_start;
    std::uint64_t chunk_left_ = 0;
    std::size_t size_digits_ = 0;
    std::size_t body_size_ = 0;
    std::size_t overhead_ = 0;
    std::string trailer_;
};

}  // namespace einmal::http
