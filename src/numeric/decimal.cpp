#include "numeric/decimal.hpp"

#include <cmath>

#include "numeric/decimal_conversion.hpp"

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
    return digits.insert(whole, 1, '.');
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

}  // namespace

std::int64_t decimal_exponent(std::string_view text) {
    const bool negative = text.starts_with('-');
    if (negative || text.starts_with('+')) text.remove_prefix(1);
    constexpr std::int64_t enough = 1'000'000'000'000'000;
    std::int64_t exponent = 0;
    for (const char digit : text) {
        if (exponent < enough) exponent = exponent * 10 + (digit - '0');
    }
    return negative ? -exponent : exponent;
}

std::string fixed(double value, int decimals, Plus plus) {
    const std::string text =
        std::isfinite(value) ? conversion::fixed(value, decimals) : shortest(value);
    const bool signed_number = std::signbit(value) || std::isnan(value);
    return plus == Plus::shown && !signed_number ? "+" + text : text;
}

std::string shortest(double value) {
    if (std::isnan(value)) return "NaN";
    if (std::isinf(value)) return value < 0 ? "-inf" : "inf";

    // "d.ddde-dd" taken apart, and put together without the exponent where it is small.
    const std::string text = conversion::scientific(std::fabs(value));
    const std::size_t mark = text.find('e');
    std::string digits = text.substr(0, mark);
    if (digits.size() > 1) digits.erase(1, 1);
    const auto exponent = static_cast<int>(decimal_exponent(text.substr(mark + 1)));

    const std::string sign = std::signbit(value) ? "-" : "";
    if (exponent >= -4 && exponent < 16) return sign + positional(digits, exponent);
    if (digits.size() > 1) digits.insert(1, 1, '.');
    return sign + digits + "e" + std::to_string(exponent);
}

double rounded(double value, int digits) {
    if (!std::isfinite(value)) return value;
    const double magnitude =
        conversion::nearest(conversion::scientific(std::fabs(value), digits - 1));
    return std::copysign(magnitude, value);
}

std::string shortest(double value, int digits) { return shortest(rounded(value, digits)); }

std::optional<double> parse_decimal(std::string_view text) {
    const bool negative = !text.empty() && text.front() == '-';
    if (!text.empty() && (text.front() == '-' || text.front() == '+')) text.remove_prefix(1);
    if (!is_decimal(text)) return std::nullopt;
    const double magnitude = conversion::nearest(text);
    if (std::isinf(magnitude)) return std::nullopt;
    return negative ? -magnitude : magnitude;
}

}  // namespace rmsnorm::numeric
