#include "base/time.hpp"

#include <algorithm>
#include <cstddef>

namespace einmal::base {
namespace {

using std::chrono::sys_days;

constexpr Timestamp earliest = sys_days{std::chrono::year{0} / 1 / 1};
constexpr Timestamp latest =
    sys_days{std::chrono::year{9999} / 12 / 31} + std::chrono::days{1} - std::chrono::milliseconds{1};

/// Writes `value` with leading zeros up to `end`.
void put_number(char* end, std::size_t digits, unsigned value) {
    for (; digits > 0; --digits, value /= 10) {
        *--end = static_cast<char>('0' + value % 10);
    }
}

/// Takes characters off the front of a text.
class Scanner {
 public:
    explicit Scanner(std::string_view text) : rest_(text) {}

    /// Exactly `digits` digits, at most nine.
    std::optional<unsigned> number(std::size_t digits) {
        if (rest_.size() < digits) {
            return std::nullopt;
        }
        unsigned value = 0;
        for (const char c : rest_.substr(0, digits)) {
            if (c < '0' || c > '9') {
                return std::nullopt;
            }
            value = value * 10 + static_cast<unsigned>(c - '0');
        }
        rest_.remove_prefix(digits);
        return value;
    }

    bool one_of(std::string_view characters) {
        if (rest_.empty() || characters.find(rest_.front()) == std::string_view::npos) {
            return false;
        }
        taken_ = rest_.front();
        rest_.remove_prefix(1);
        return true;
    }

    [[nodiscard]] char taken() const { return taken_; }
    [[nodiscard]] bool at_end() const { return rest_.empty(); }

 private:
    std::string_view rest_;
    char taken_ = '\0';
};

std::optional<sys_days> scan_date(Scanner& in) {
    const auto year = in.number(4);
    if (!year || !in.one_of("-")) {
        return std::nullopt;
    }
    const auto month = in.number(2);
    if (!month || !in.one_of("-")) {
        return std::nullopt;
    }
    const auto day = in.number(2);
    if (!day) {
        return std::nullopt;
    }
    const std::chrono::year_month_day date{std::chrono::year{static_cast<int>(*year)}, std::chrono::month{*month},
                                           std::chrono::day{*day}};
    return date.ok() ? std::optional{sys_days{date}} : std::nullopt;
}

/// `.` and at least one digit, or nothing at all; digits beyond the third are dropped.
std::optional<std::chrono::milliseconds> scan_fraction(Scanner& in) {
    if (!in.one_of(".")) {
        return std::chrono::milliseconds{0};
    }
    int value = 0;
    int digits = 0;
    while (in.one_of("0123456789")) {
        if (digits < 3) {
            value = value * 10 + (in.taken() - '0');
        }
        digits = std::min(digits + 1, 3);
    }
    if (digits == 0) {
        return std::nullopt;
    }
    for (; digits < 3; ++digits) {
        value *= 10;
    }
    return std::chrono::milliseconds{value};
}

/// `Z`, or a sign, hours and minutes.
std::optional<std::chrono::minutes> scan_offset(Scanner& in) {
    if (in.one_of("Zz")) {
        return std::chrono::minutes{0};
    }
    if (!in.one_of("+-")) {
        return std::nullopt;
    }
    const bool west = in.taken() == '-';
    const auto hours = in.number(2);
    if (!hours || *hours > 23 || !in.one_of(":")) {
        return std::nullopt;
    }
    const auto minutes = in.number(2);
    if (!minutes || *minutes > 59) {
        return std::nullopt;
    }
    const std::chrono::minutes offset{*hours * 60 + *minutes};
    return west ? -offset : offset;
}

}  // namespace

std::string to_rfc3339(Timestamp time) {
    time = std::clamp(time, earliest, latest);
    const auto day = std::chrono::floor<std::chrono::days>(time);
    const std::chrono::year_month_day date{day};
    const auto in_day = static_cast<unsigned>((time - day).count());
    std::string text = "0000-00-00T00:00:00.000Z";
    char* const at = text.data();
    put_number(at + 4, 4, static_cast<unsigned>(static_cast<int>(date.year())));
    put_number(at + 7, 2, static_cast<unsigned>(date.month()));
    put_number(at + 10, 2, static_cast<unsigned>(date.day()));
    put_number(at + 13, 2, in_day / 3'600'000);
    put_number(at + 16, 2, in_day / 60'000 % 60);
    put_number(at + 19, 2, in_day / 1000 % 60);
    put_number(at + 23, 3, in_day % 1000);
    return text;
}

std::optional<Timestamp> parse_rfc3339(std::string_view text) {
    Scanner in(text);
    const auto date = scan_date(in);
    if (!date || !in.one_of("Tt")) {
        return std::nullopt;
    }
    const auto hours = in.number(2);
    if (!hours || *hours > 23 || !in.one_of(":")) {
        return std::nullopt;
    }
    const auto minutes = in.number(2);
    if (!minutes || *minutes > 59 || !in.one_of(":")) {
        return std::nullopt;
    }
    const auto seconds = in.number(2);
    if (!seconds || *seconds > 60) {
        return std::nullopt;
    }
    const auto fraction = scan_fraction(in);
    if (!fraction) {
        return std::nullopt;
    }
    const auto offset = scan_offset(in);
    if (!offset || !in.at_end()) {
        return std::nullopt;
    }
    const auto minute = *date + std::chrono::hours{*hours} + std::chrono::minutes{*minutes} - *offset;
    if (*seconds == 60 && minute + std::chrono::minutes{1} != std::chrono::ceil<std::chrono::days>(minute)) {
        return std::nullopt;
    }
    return minute + std::chrono::seconds{*seconds} + *fraction;
}

std::optional<sys_days> parse_rfc3339_date(std::string_view text) {
    Scanner in(text);
    const auto date = scan_date(in);
    return in.at_end() ? date : std::nullopt;
}

}  // namespace einmal::base
