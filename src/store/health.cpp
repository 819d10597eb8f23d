#include "store/health.hpp"

#include "base/log.hpp"

#include <utility>

namespace einmal::store {

void Health::failed(const std::string& reason) {
    const std::lock_guard lock(mutex_);
    if (reason_ == reason) return;
    reason_ = reason;
    base::log(base::LogLevel::error, "store_fails", {{"doing", doing_}, {"reason", std::string_view(reason)}});
}

void Health::succeeded() {
    const std::lock_guard lock(mutex_);
    if (reason_.empty()) return;
    reason_.clear();
    base::log(base::LogLevel::info, "store_works_again", {{"doing", doing_}});
}

}  // namespace einmal::store
