// Two readers of one head must agree: whatever check_head accepts, Beast has to parse, with the same method, target,
// length and connection. And no bytes whatsoever may break the scanner or the chunk decoder, however they are cut.
#include "http/chunk_decoder.hpp"
#include "http/head_check.hpp"
#include "http/head_parse.hpp"

#include <cstdint>
#include <cstdlib>
#include <string>
#include <string_view>

namespace {

using namespace einmal::http;

void require(bool condition) {
    if (!condition) std::abort();
}

void read_head(std::string_view bytes) {
    HeadScanner at_once;
    const HeadScanner::State state = at_once.scan(bytes);

    HeadScanner slow;
    HeadScanner::State slow_state = HeadScanner::State::incomplete;
    for (std::size_t have = 1; have <= bytes.size() && slow_state == HeadScanner::State::incomplete; ++have) {
        slow_state = slow.scan(bytes.substr(0, have));
    }
    require(bytes.empty() || slow_state == state);

    const std::string_view head = state == HeadScanner::State::complete ? bytes.substr(0, at_once.size()) : bytes;
    const auto checked = check_head(head, {});
    if (const auto* refusal = std::get_if<HeadRefusal>(&checked)) {
        require(!refusal->detail.empty());
        return;
    }
    require(state == HeadScanner::State::complete);
    const auto& accepted = std::get<CheckedHead>(checked);
    require(accepted.target == "*" || accepted.target.starts_with('/'));
    require(!(accepted.framing.chunked && accepted.framing.content_length));
    Request request;
    // parse_head itself compares method, target, length, chunkedness and keep-alive.
    require(parse_head(head, accepted, request));
    require(request.target() == accepted.target);
}

void read_chunks(std::string_view bytes) {
    ChunkDecoder whole_decoder(4096);
    std::string whole;
    std::size_t whole_used = 0;
    const ChunkDecoder::State state = whole_decoder.feed(bytes, whole_used, whole);

    ChunkDecoder sliced_decoder(4096);
    std::string sliced;
    std::size_t sliced_used = 0;
    ChunkDecoder::State sliced_state = ChunkDecoder::State::more;
    while (sliced_state == ChunkDecoder::State::more && sliced_used < bytes.size()) {
        std::size_t used = 0;
        sliced_state = sliced_decoder.feed(bytes.substr(sliced_used, 1), used, sliced);
        sliced_used += used;
    }
    require(state == sliced_state && whole == sliced && whole_used == sliced_used && whole.size() <= 4096);
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    const std::string_view bytes(reinterpret_cast<const char*>(data), size);
    read_head(bytes);
    read_chunks(bytes);
    return 0;
}
