#include "numeric/decimal.hpp"

#include <array>
#include <charconv>
#include <cmath>

namespace rmsnorm::numeric {
namespace {

// The decimal point of `digits` ("12345") placed so that the number is d.dddd times 10^exponent.
std::string positional(std::string digits, int exponent) {
    if (exponent < 0) {
        return "0." + std::string(static_cast<std::size_t>(-exponent - 1), '0') + digits;
    }
    const auto whole = static_cast<std::size_t>(exponent) + 1;
    if (digits.size() <= whole) {
        return digits + std::string(whole - digits.size(), '0') + ".0";
    }
    return digits.insert(whole, ".");
}

bool is_digit(char c) { return c >= '0' && c <= '9'; }

// Whether `text` (no sign) is digits with an optional point and exponent, at least one digit.
bool is_decimal(std::string_view text) {
    std::size_t place = 0;
    std::size_t digits = 0;
    while (place < text.size() && is_digit(text[place])) ++place, ++digits;
    if (place < text.size() && text[place] == '.') {
        ++place;
        while (place < text.size() && is_digit(text[place])) ++place, ++digits;
    }
    if (digits == 0) return false;
    if (place == text.size()) return true;
    if (text[place] != 'e' && text[place] != 'E') return false;
    ++place;
    if (place < text.size() && (text[place] == '+' || text[place] == '-')) ++place;
    if (place == text.size()) return false;
    while (place < text.size() && is_digit(text[place])) ++place;
    return place == text.size();
}

// Whether the number written in `text` (a decimal out of binary64's range) is below one.
bool is_tiny(std::string_view text) {
    // Out of range means far from one, so the place of the first nonzero digit and the exponent
    // decide, and an exponent of more than six digits decides alone.
    long point = -1;
    long first = -1;
    long place = 0;
    std::size_t at = 0;
    for (; at < text.size() && text[at] != 'e' && text[at] != 'E'; ++at) {
        if (text[at] == '.') {
            point = place;
        } else {
            if (first < 0 && text[at] != '0') first = place;
            ++place;
        }
    }
    if (first < 0) return true;
    if (point < 0) point = place;
    long exponent = 0;
    bool negative = false;
    if (at < text.size()) {
        ++at;
        if (text[at] == '+' || text[at] == '-') negative = text[at++] == '-';
        for (; at < text.size() && exponent < 1'000'000'000'000L / 10; ++at) {
            exponent = exponent * 10 + (text[at] - '0');
        }
    }
    return (negative ? -exponent : exponent) + point - first <= 0;
}

}  // namespace

std::string fixed(double value, int decimals, Plus plus) {
    // 309 digits before the point, a sign, the point.
    std::string text(static_cast<std::size_t>(decimals) + 320, '\0');
    const auto end = std::to_chars(text.data(), text.data() + text.size(), value,
                                   std::chars_format::fixed, decimals);
    text.resize(static_cast<std::size_t>(end.ptr - text.data()));
    if (plus == Plus::shown && !std::signbit(value)) text.insert(0, "+");
    return text;
}

std::string shortest(double value) {
    if (std::isnan(value)) return "NaN";
    if (std::isinf(value)) return value < 0 ? "-inf" : "inf";
    std::array<char, 32> buffer{};
    const auto end = std::to_chars(buffer.data(), buffer.data() + buffer.size(), std::fabs(value),
                                   std::chars_format::scientific);
    const std::string_view text(buffer.data(), static_cast<std::size_t>(end.ptr - buffer.data()));
    const std::size_t mark = text.find('e');
    std::string digits(text.substr(0, 1));
    if (mark > 1) digits += text.substr(2, mark - 2);
    int exponent = 0;
    const std::size_t from = mark + (text[mark + 1] == '+' ? 2 : 1);
    std::from_chars(text.data() + from, text.data() + text.size(), exponent);

    const std::string sign = std::signbit(value) ? "-" : "";
    if (value == 0 || (exponent >= -5 && exponent < 16)) {
        return sign + positional(digits, exponent);
    }
    if (digits.size() > 1) digits.insert(1, ".");
    return sign + digits + "e" + std::to_string(exponent);
}

std::optional<double> parse_decimal(std::string_view text) {
    const bool negative = !text.empty() && text.front() == '-';
    if (!text.empty() && (text.front() == '-' || text.front() == '+')) text.remove_prefix(1);
    if (!is_decimal(text)) return std::nullopt;
    double magnitude = 0;
    const auto end = std::from_chars(text.data(), text.data() + text.size(), magnitude);
    if (end.ec == std::errc::result_out_of_range) {
        if (!is_tiny(text)) return std::nullopt;
        magnitude = 0;
    }
    return negative ? -magnitude : magnitude;
}

}  // namespace rmsnorm::numeric
