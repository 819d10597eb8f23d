// Bytes that a connection has sent and nobody has used yet: the head being read, the start of a body, and whatever the
// client has sent ahead of the answer.
#pragma once

#include <algorithm>
#include <boost/asio/buffer.hpp>
#include <cstddef>
#include <string_view>
#include <vector>

namespace einmal::http {

class ReadBuffer {
 public:
    [[nodiscard]] std::string_view view() const { return {bytes_.data() + begin_, end_ - begin_}; }
    [[nodiscard]] bool empty() const { return begin_ == end_; }
    [[nodiscard]] std::size_t size() const { return end_ - begin_; }

    /// Room for at least one byte behind the contents. Small at first, since most requests and all idle connections are
    /// small; doubles when full. Ends the life of earlier views.
    [[nodiscard]] boost::asio::mutable_buffer space() {
        if (begin_ == end_) begin_ = end_ = 0;
        if (end_ == bytes_.size() && begin_ > 0) {
            std::copy(bytes_.begin() + static_cast<std::ptrdiff_t>(begin_),
                      bytes_.begin() + static_cast<std::ptrdiff_t>(end_), bytes_.begin());
            end_ -= begin_;
            begin_ = 0;
        }
        if (end_ == bytes_.size()) bytes_.resize(bytes_.empty() ? initial_size : bytes_.size() * 2);
        return boost::asio::buffer(bytes_.data() + end_, bytes_.size() - end_);
    }
    /// `count` bytes were put into `space()`.
    void commit(std::size_t count) { end_ += count; }
    /// The first `count` bytes have been used.
    void consume(std::size_t count) { begin_ += count; }

 private:
    static constexpr std::size_t initial_size = 4096;

    std::vector<char> bytes_;
    std::size_t begin_ = 0;
    std::size_t end_ = 0;
};

}  // namespace einmal::http
