#include "evidence/number_text.hpp"

#include <algorithm>
#include <cmath>

#include "evidence/record.hpp"
#include "numeric/decimal.hpp"

namespace rmsnorm::evidence {
namespace {

std::string list(std::span<const double> values, std::size_t most, std::string (*text)(double)) {
    std::string result;
    for (const double value : values.first(std::min(values.size(), most))) {
        result.append(result.empty() ? "" : ", ").append(text(value));
    }
    if (values.size() > most) result += ", ... of " + std::to_string(values.size()) + " values";
    return "[" + result + "]";
}

}  // namespace

std::string given_text(double value) {
    std::string text = numeric::shortest(value);
    if (text.ends_with(".0")) text.resize(text.size() - 2);
    return text;
}

std::string given_text(float value) {
    const auto exact = static_cast<double>(value);
    // Nine significant digits tell every binary32 number from its neighbors.
    for (int digits = 1; digits < 9; ++digits) {
        const double shorter = numeric::rounded(exact, digits);
        if (static_cast<float>(shorter) == value) return given_text(shorter);
    }
    return given_text(numeric::rounded(exact, 9));
}

std::string figure_text(double value) {
    constexpr double smallest_fixed = 1e-9;
    constexpr double largest_fixed = 1e15;
    const double magnitude = std::fabs(value);
    if (magnitude == 0) return "0";
    if (magnitude < smallest_fixed || magnitude >= largest_fixed) {
        return given_text(numeric::rounded(value, 7));
    }
    std::string text = numeric::fixed(value, difference_decimals(value).count);
    text.resize(text.find_last_not_of('0') + 1);
    if (text.ends_with('.')) text.pop_back();
    return text;
}

int digits_apart(std::initializer_list<double> values, int least) {
    constexpr int all = 17;
    const auto told = [&](int digits) {
        for (const double a : values) {
            for (const double b : values) {
                if (a < b && numeric::rounded(a, digits) == numeric::rounded(b, digits)) {
                    return false;
                }
            }
        }
        return true;
    };
    int digits = least;
    while (digits < all && !told(digits)) ++digits;
    return digits;
}

std::string magnitudes_in(numeric::NumberFormat format) {
    return "magnitudes up to " + numeric::shortest(numeric::largest_finite(format), 6) + " in " +
           std::string(numeric::full_name(format));
}

std::string counted(std::size_t count, const std::string& thing) {
    return std::to_string(count) + " " + thing + (count == 1 ? "" : "s");
}

std::string given_list(std::span<const double> values, std::size_t most) {
    return list(values, most, given_text);
}

std::string figure_list(std::span<const double> values, std::size_t most) {
    return list(values, most, figure_text);
}

}  // namespace rmsnorm::evidence
