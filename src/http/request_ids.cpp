#include "http/request_ids.hpp"

#include "base/digest.hpp"

#include <span>

namespace einmal::http {

std::string RequestIds::next() {
    if (used_ == pool_.size()) {
        entropy_.fill(pool_);
        used_ = 0;
    }
    const auto bytes = std::span(pool_).subspan(used_, id_bytes);
    used_ += id_bytes;
    return base::to_base64url(bytes);
}

}  // namespace einmal::http
