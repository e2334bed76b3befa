#include "pages/reading.hpp"

#include <algorithm>
#include <cmath>
#include <cstdlib>

#include "numeric/decimal.hpp"
#include "pages/escape.hpp"

namespace rmsnorm::pages {
namespace {

using evidence::Precision;

constexpr auto minus = "\xe2\x88\x92";

bool exact(double value, const std::string& digits, Precision precision) {
    const auto read = numeric::parse_decimal(digits);
    if (!read) return false;
    return precision == Precision::binary32 ? static_cast<float>(*read) == value : *read == value;
}

std::size_t decimals_of(const std::string& digits) {
    const std::size_t point = digits.find('.');
    return point == std::string::npos ? 0 : digits.size() - point - 1;
}

bool is_power(double value, const std::string& digits, Precision precision) {
    const double magnitude = std::fabs(value);
    if (magnitude == 0 || !std::isfinite(value)) return false;
    if (magnitude < 1e-4 || magnitude >= 1e9) return true;
    if (digits.find('e') != std::string::npos) return true;
    const auto read = numeric::parse_decimal(digits);
    const std::size_t first = digits.find_first_of("123456789");
    const bool one_digit = first == std::string::npos || (first + 1 == digits.size() && first > 1);
    return read && one_digit && !exact(value, digits, precision);
}

// The sign of the digits, as readers write it.
std::string sign_of(const std::string& digits) {
    return digits.rfind('-', 0) == 0 ? minus : digits.rfind('+', 0) == 0 ? "+" : "";
}

Reading power(double value, const std::string& digits, Precision precision) {
    constexpr int significant = 3;
    const double rounded = numeric::rounded(std::fabs(value), significant);
    const std::string text = numeric::shortest(std::isfinite(rounded) ? rounded : std::fabs(value));
    // The digits of the shortest text, and the power of ten of the first of them.
    const std::size_t e = std::min(text.find('e'), text.size());
    int exponent =
        e < text.size() ? static_cast<int>(*numeric::parse_decimal(text.substr(e + 1))) : 0;
    const std::string fixed = text.substr(0, e);
    const std::size_t point = std::min(fixed.find('.'), fixed.size());
    std::string all = fixed;
    if (point < fixed.size()) all.erase(point, 1);
    const std::size_t first = all.find_first_not_of('0');
    exponent += static_cast<int>(point) - 1 - static_cast<int>(first);
    all.erase(0, first);
    all.resize(all.find_last_not_of('0') + 1);
    if (!exact(std::fabs(value), text, precision)) all.resize(significant, '0');
    if (all.size() > 1) all.insert(1, ".");
    return {sign_of(digits), all == "1" ? "" : all,
            (exponent < 0 ? minus : "") + std::to_string(std::abs(exponent))};
}

// Long digits with places to break after each third one behind the point.
std::string breakable(const std::string& number) {
    constexpr std::size_t longest = 12;
    if (number.size() <= longest) return escaped(number);
    std::string text;
    std::size_t behind = 0;
    for (std::size_t i = 0; i < number.size(); ++i) {
        if (behind > 1 && behind % 3 == 1 && i + 3 <= number.size()) text += "<wbr>";
        text += number[i];
        if (number[i] == '.' || behind > 0) ++behind;
    }
    return text;
}

}  // namespace

std::string Reading::html() const {
    if (exponent.empty()) return sign + breakable(digits);
    // Who listens hears the power named.
    return sign + digits + (digits.empty() ? "" : "\xc3\x97") +
           "10<sup><span class=\"spoken\"> to the power </span>" + exponent + "</sup>";
}

std::size_t decimals_needed(double value, const std::string& digits, Precision precision) {
    if (value == 0 || !std::isfinite(value) || is_power(value, digits, precision)) return 0;
    const std::size_t decimals = decimals_of(digits);
    if (decimals == 0 || !exact(value, digits, precision)) return decimals;
    const std::size_t last = digits.find_last_not_of('0');
    return decimals - (digits.size() - last - 1);
}

Reading reading(double value, const std::string& digits, Precision precision,
                std::size_t decimals) {
    const std::string sign = sign_of(digits);
    if (value == 0) return {sign == "+" ? "" : sign, "0", ""};
    if (is_power(value, digits, precision)) return power(value, digits, precision);
    std::string text = digits.substr(sign.empty() ? 0 : 1);
    const std::size_t shown = decimals_of(digits);
    text.resize(text.size() - (shown - std::min(decimals, shown)));
    if (text.back() == '.') text.pop_back();
    return {sign, text, ""};
}

}  // namespace rmsnorm::pages
