#include <algorithm>
#include <cmath>
#include <cstdint>
#include <cstdlib>
#include <limits>

#include "numeric/bits.hpp"
#include "numeric/decimal_conversion.hpp"
#include "numeric/natural.hpp"

namespace rmsnorm::numeric::by_integers {
namespace {

constexpr int precision = 53;
constexpr int lowest_exponent = -1074;

// 2^-1074 has as many decimals, and no number more.
constexpr int most_decimals = 1074;

// No number, and no midpoint of two, has as many significant digits.
constexpr int most_digits = 800;

struct Ratio {
    Natural numerator;
    Natural denominator;
};

// whole * 2^two * 10^ten.
Ratio ratio(const Natural& whole, int two, int ten) {
    return {whole * power_of_ten(std::max(ten, 0)) << std::max(two, 0),
            power_of_ten(std::max(-ten, 0)) << std::max(-two, 0)};
}

// The magnitude of `value` is significand * 2^exponent.
struct Binary {
    std::uint64_t significand;
    int exponent;

    explicit Binary(double value) {
        constexpr std::uint64_t leading = std::uint64_t{1} << (precision - 1);
        const std::uint64_t fraction = bits(value) & (leading - 1);
        const auto biased = static_cast<int>(bits(value) >> (precision - 1) & 0x7ff);
        significand = biased == 0 ? fraction : fraction | leading;
        exponent = std::max(biased, 1) - 1 + lowest_exponent;
    }

    // Of the largest power of ten that is not above the number; 0 for zero.
    int decade() const {
        if (significand == 0) return 0;
        // The logarithms of 2^-1074 to 2^1023 are farther from whole numbers than this rounds.
        constexpr double log10_of_2 = 0.30102999566398120;
        const std::int64_t power_of_two = Natural(significand).width() - 1 + exponent;
        const int low =
            static_cast<int>(std::floor(static_cast<double>(power_of_two) * log10_of_2));
        const auto [in_tens, unit] = ratio(significand, exponent, -low - 1);
        return in_tens < unit ? low : low + 1;
    }
};

// "d.ddde+dd" of digits whose first one stands for 10^decade.
std::string with_exponent(std::string digits, int decade, bool negative) {
    if (digits.size() > 1) digits.insert(1, 1, '.');
    const std::string exponent = std::to_string(std::abs(decade));
    return (negative ? "-" : "") + digits + (decade < 0 ? "e-" : "e+") +
           (exponent.size() < 2 ? "0" : "") + exponent;
}

}  // namespace

std::string fixed(double value, int decimals) {
    const Binary binary(value);
    const int exact = std::min(decimals, most_decimals);
    std::string digits = decimal_text(rounded_units(binary.significand, binary.exponent, exact));
    const auto behind_point = static_cast<std::size_t>(exact);
    if (digits.size() <= behind_point) digits.insert(0, behind_point + 1 - digits.size(), '0');
    if (decimals > 0) digits.insert(digits.size() - behind_point, 1, '.');
    digits.append(static_cast<std::size_t>(decimals - exact), '0');
    return (std::signbit(value) ? "-" : "") + digits;
}

// The free-format algorithm of G. L. Steele and J. L. White, How to Print Floating-Point Numbers
// Accurately, PLDI 1990: digits until what is left is within the interval that reads back.
std::string scientific(double value) {
    const Binary binary(value);
    if (binary.significand == 0) return with_exponent("0", 0, std::signbit(value));
    int decade = binary.decade();
    // Units are quarters of the last place: numbers are half as dense above a power of two as
    // below.
    const bool is_power = binary.significand == std::uint64_t{1} << (precision - 1) &&
                          binary.exponent > lowest_exponent;
    const bool ends_read_back = binary.significand % 2 == 0;
    const auto scaled = [&](std::uint64_t quarters) {
        return ratio(quarters, binary.exponent - 2, -decade);
    };
    auto [left, ten] = scaled(4 * binary.significand);
    Natural below = scaled(is_power ? 1 : 2).numerator;
    Natural above = scaled(2).numerator;
    std::string digits;
    while (true) {
        const auto [quotient, rest] = divided(left, ten);
        const std::uint64_t digit = quotient.leading(0);
        const Natural more = rest + above;
        const bool down = rest < below || (ends_read_back && rest == below);
        const bool up = ten < more || (ends_read_back && more == ten);
        if (!down && !up) {
            digits += static_cast<char>('0' + digit);
            left = rest * 10;
            below = below * 10;
            above = above * 10;
            continue;
        }
        const Natural twice = rest << 1;
        const bool nearer_up = ten < twice || (twice == ten && digit % 2 == 1);
        const std::uint64_t last = up && (!down || nearer_up) ? digit + 1 : digit;
        if (last == 10) return with_exponent("1", decade + 1, std::signbit(value));
        digits += static_cast<char>('0' + last);
        return with_exponent(digits, decade, std::signbit(value));
    }
}

std::string scientific(double value, int decimals) {
    const Binary binary(value);
    int decade = binary.decade();
    const int exact = std::min(decimals, most_digits);
    std::string digits =
        decimal_text(rounded_units(binary.significand, binary.exponent, exact - decade));
    if (digits.size() > static_cast<std::size_t>(exact) + 1) {  // all nines, rounded up
        digits.pop_back();
        ++decade;
    }
    digits.resize(static_cast<std::size_t>(decimals) + 1, '0');
    return with_exponent(digits, decade, std::signbit(value));
}

double nearest(std::string_view text) {
    const std::size_t mark = std::min(text.find_first_of("eE"), text.size());
    std::int64_t power = mark == text.size() ? 0 : decimal_exponent(text.substr(mark + 1));
    std::string digits;
    bool behind_point = false;
    for (const char c : text.substr(0, mark)) {
        if (c == '.') {
            behind_point = true;
            continue;
        }
        if (behind_point) --power;
        if (!digits.empty() || c != '0') digits += c;
    }
    while (digits.ends_with('0')) {
        digits.pop_back();
        ++power;
    }
    if (digits.empty()) return 0;
    if (digits.size() > most_digits) {  // what is cut off is not zero, and decides ties alone
        power += static_cast<std::int64_t>(digits.size()) - most_digits;
        digits.resize(most_digits);
        digits.back() = '1';
    }
    // The number is at least 10^(top - 1), and below 10^top.
    const std::int64_t top = static_cast<std::int64_t>(digits.size()) + power;
    if (top > 309) return std::numeric_limits<double>::infinity();
    if (top < -323) return 0;
    Natural whole;
    for (const char digit : digits) whole = whole * 10 + static_cast<std::uint64_t>(digit - '0');

    const Ratio exact = ratio(whole, 0, static_cast<int>(power));
    const auto units_of = [&](int exponent) {
        return rounded_quotient(exact.numerator << std::max(-exponent, 0),
                                exact.denominator << std::max(exponent, 0));
    };
    // One bit more than the precision at most, and rounded anew where it is one more.
    int exponent =
        std::max(static_cast<int>(exact.numerator.width() - exact.denominator.width()) - precision,
                 lowest_exponent);
    Natural units = units_of(exponent);
    if (units.width() > precision) units = units_of(++exponent);
    return std::ldexp(static_cast<double>(units.leading(0)), exponent);
}

}  // namespace rmsnorm::numeric::by_integers
