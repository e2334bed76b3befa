#include "numeric/decimal_conversion.hpp"

#if defined(__cpp_lib_to_chars)

#include <algorithm>
#include <array>
#include <charconv>
#include <cstdint>
#include <limits>

namespace rmsnorm::numeric::by_charconv {
namespace {

bool is_below_one(std::string_view text);

}  // namespace

std::string fixed(double value, int decimals) {
    // 309 digits before the point, the point, a sign.
    const std::size_t most = static_cast<std::size_t>(decimals) + 311;
    const auto write = [&](char* text, std::size_t size) {
        return std::to_chars(text, text + size, value, std::chars_format::fixed, decimals).ptr;
    };
    char usual[400];  // not cleared: a report writes a hundred figures
    if (most <= sizeof usual) return {usual, write(usual, sizeof usual)};
    std::string text(most, '\0');
    text.resize(static_cast<std::size_t>(write(text.data(), most) - text.data()));
    return text;
}

std::string scientific(double value) {
    std::array<char, 32> text{};  // a sign, 17 digits, the point, and "e-324" make 24
    const auto end =
        std::to_chars(text.data(), text.data() + text.size(), value, std::chars_format::scientific);
    return {text.data(), end.ptr};
}

std::string scientific(double value, int decimals) {
    std::string text(static_cast<std::size_t>(decimals) + 8, '\0');  // a sign, "d.", "e-324"
    const auto end = std::to_chars(text.data(), text.data() + text.size(), value,
                                   std::chars_format::scientific, decimals);
    text.resize(static_cast<std::size_t>(end.ptr - text.data()));
    return text;
}

double nearest(std::string_view text) {
    double value = 0;
    const auto end = std::from_chars(text.data(), text.data() + text.size(), value);
    if (end.ec == std::errc{}) return value;
    // Out of range, which from_chars says of numbers too small and too large alike.
    return is_below_one(text) ? 0 : std::numeric_limits<double>::infinity();
}

namespace {

// Whether a decimal number out of binary64's range is the smaller kind. Such a number is far from
// one, so the place of its first digit that is not zero decides.
bool is_below_one(std::string_view text) {
    const std::size_t mark = text.find_first_of("eE");
    const std::string_view significand = text.substr(0, mark);

    const std::int64_t exponent =
        mark == std::string_view::npos ? 0 : decimal_exponent(text.substr(mark + 1));

    // The first digit stands for 10^(exponent + place), units having place 0.
    const auto point =
        static_cast<std::int64_t>(std::min(significand.find('.'), significand.size()));
    const auto first = static_cast<std::int64_t>(significand.find_first_not_of("0."));
    const std::int64_t place = first < point ? point - first - 1 : point - first;
    return exponent + place < 0;
}

}  // namespace
}  // namespace rmsnorm::numeric::by_charconv

#endif
