#include "http/chunk_decoder.hpp"

#include "http/head_check.hpp"

#include <algorithm>

namespace einmal::http {
namespace {

/// Extensions and trailers of one body together. Nobody needs them; an endless one must not hold the connection.
constexpr std::size_t overhead_max = std::size_t{8} * 1024;
/// Digits of one chunk size: 64 bits, leading zeros included.
constexpr std::size_t size_digits_max = 16;

int hex_value(char c) {
    if (c >= '0' && c <= '9') return c - '0';
    if (c >= 'a' && c <= 'f') return c - 'a' + 10;
    if (c >= 'A' && c <= 'F') return c - 'A' + 10;
    return -1;
}

bool is_extension_character(char c) { return c == '\t' || (c >= 0x20 && c < 0x7f); }

}  // namespace

ChunkDecoder::State ChunkDecoder::feed(std::string_view bytes, std::size_t& used, std::string& body) {
    for (used = 0; used < bytes.size();) {
        if (step_ == Step::data) {
            const auto size = static_cast<std::size_t>(std::min<std::uint64_t>(chunk_left_, bytes.size() - used));
            body.append(bytes.substr(used, size));
            used += size;
            chunk_left_ -= size;
            if (chunk_left_ == 0) step_ = Step::data_cr;
            continue;
        }
        const State state = step(bytes[used++]);
        if (state != State::more) return state;
    }
    return State::more;
}

ChunkDecoder::State ChunkDecoder::step(char c) {
    switch (step_) {
        case Step::size_start:
        case Step::size:
            return take_size_digit(c);
        case Step::extension:
            if (c == '\r') {
                step_ = Step::size_lf;
                return State::more;
            }
            return is_extension_character(c) ? count_overhead() : State::malformed;
        case Step::size_lf:
            return c == '\n' ? end_size_line() : State::malformed;
        case Step::data:
            break;
        case Step::data_cr:
            step_ = Step::data_lf;
            return c == '\r' ? State::more : State::malformed;
        case Step::data_lf:
            step_ = Step::size_start;
            return c == '\n' ? State::more : State::malformed;
        case Step::trailer:
            if (c == '\r') {
                step_ = Step::trailer_lf;
                return State::more;
            }
            trailer_.push_back(c);
            return c == '\n' ? State::malformed : count_overhead();
        case Step::trailer_lf:
            return c == '\n' ? end_trailer_line() : State::malformed;
    }
    return State::malformed;
}

ChunkDecoder::State ChunkDecoder::take_size_digit(char c) {
    const int digit = hex_value(c);
    if (digit >= 0) {
        if (step_ == Step::size_start) chunk_left_ = size_digits_ = 0;
        step_ = Step::size;
        if (++size_digits_ > size_digits_max) return State::malformed;
        chunk_left_ = chunk_left_ * 16 + static_cast<std::uint64_t>(digit);
        return State::more;
    }
    if (step_ == Step::size_start || (c != '\r' && c != ';')) return State::malformed;
    step_ = c == '\r' ? Step::size_lf : Step::extension;
    return State::more;
}

ChunkDecoder::State ChunkDecoder::end_size_line() {
    if (chunk_left_ > body_max_ - body_size_) return State::too_large;
    body_size_ += static_cast<std::size_t>(chunk_left_);
    step_ = chunk_left_ == 0 ? Step::trailer : Step::data;
    return State::more;
}

ChunkDecoder::State ChunkDecoder::end_trailer_line() {
    if (trailer_.empty()) return State::complete;
    if (!is_field_line(trailer_)) return State::malformed;
    trailer_.clear();
    step_ = Step::trailer;
    return State::more;
}

ChunkDecoder::State ChunkDecoder::count_overhead() {
    return ++overhead_ > overhead_max ? State::malformed : State::more;
}

}  // namespace einmal::http
