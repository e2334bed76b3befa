#include "experiments/normalization/vectors.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

#include "evidence/number_text.hpp"

namespace rmsnorm::experiments::normalization {
namespace values {

Vector hundreds() { return {100, 102, 98, 101, 99, 103}; }
Vector thousandths() { return {0.001F, 0.003F, -0.001F, 0.002F, 0, 0.004F}; }
Vector five() { return {1, 3, 2, 5, 4}; }
Vector five_upstream() { return {0.1F, -0.2F, 0.3F, -0.1F, 0.2F}; }
Vector five_gamma() { return {1, 0.5F, 2, 1.5F, 0.25F}; }

}  // namespace values

Input vector_input(std::string_view key, Vector& values, std::string help, Decimals decimals,
                   std::string shown_default) {
    return {
        key,
        &values,
        std::move(help),
        {.shown_default = std::move(shown_default), .most_elements = widest, .decimals = decimals}};
}

void complete_width(const Given& given, std::string_view key, Vector& values, const Vector& input,
                    float neutral) {
    const std::size_t width = input.size();
    if (!given(key)) {
        if (given("input")) values = Vector(width, neutral);
    } else if (values.size() != width) {
        throw InputRejection({std::string(key)}, "found " + counted(values.size(), "value"),
                             "as many as the input has, " + std::to_string(width));
    }
}

Input epsilon_input(float& epsilon) {
    return {"epsilon",
            &epsilon,
            "added under the root, rounded to binary32",
            {.range = Range::nonnegative, .decimals = {{6}}}};
}

Vector ones(std::size_t width) { return Vector(width, 1.0F); }
Vector zeros(std::size_t width) { return Vector(width, 0.0F); }
Vector alternating(std::size_t width) { return repeated({1, -1}, width); }

Vector repeated(const Vector& pattern, std::size_t width) {
    Vector values;
    values.reserve(width);
    for (std::size_t i = 0; i < width; ++i) values.push_back(pattern[i % pattern.size()]);
    return values;
}

std::vector<double> widened(const Vector& values) { return {values.begin(), values.end()}; }

double root_mean_square(const Vector& values) {
    double sum = 0;
    for (const float value : values) {
        const float square = value * value;
        sum += static_cast<double>(square);
    }
    return std::sqrt(sum / static_cast<double>(values.size()));
}

double magnitude(const Vector& values) {
    double sum = 0;
    for (const float value : values) {
        const auto exact = static_cast<double>(value);
        sum += exact * exact;
    }
    return std::sqrt(sum / static_cast<double>(values.size()));
}

Array array(const std::vector<Decision>& decisions) {
    return array_of(decisions, [](Decision decision) { return decision; });
}

Presence present_if(bool present) { return present ? Presence::present : Presence::absent; }

}  // namespace rmsnorm::experiments::normalization
