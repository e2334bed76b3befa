#include "nn/normalization.hpp"

#include <cmath>
#include <string>
#include <utility>

#include "numeric/decimal.hpp"

namespace rmsnorm::nn {
namespace {

template <class Number>
void validate(const char* norm, std::span<const Number> values, Number epsilon) {
    if (!std::isfinite(epsilon) || epsilon < 0) {
        throw NormalizationError(norm, InvalidNormalizationEpsilon{epsilon});
    }
    if (values.empty()) throw NormalizationError(norm, EmptyVector{});
}

// What deviations of `feature`, or of every feature, are divided by.
template <class Number>
Number standard_deviation(const char* norm, std::optional<std::size_t> feature, Number variance,
                          Number epsilon) {
    const Number stabilized = variance + epsilon;
    if (stabilized == 0) throw NormalizationError(norm, ZeroVariance{feature});
    // An infinite variance would give a plausible zero. Under a finite one the deviation, whose
    // square it holds, is finite too.
    if (!std::isfinite(stabilized)) {
        throw NormalizationError(norm, NonFiniteVariance{feature, stabilized});
    }
    return std::sqrt(stabilized);
}

template <class Number>
Number mean_square(std::span<const Number> values, Number center) {
    Number sum = 0;
    for (const Number value : values) sum += (value - center) * (value - center);
    return sum / static_cast<Number>(values.size());
}

template <class Number>
std::vector<Number> layer_norm_in(std::span<const Number> values, Number epsilon) {
    validate("LayerNorm", values, epsilon);
    Number sum = 0;
    for (const Number value : values) sum += value;
    const Number mean = sum / static_cast<Number>(values.size());
    const Number divisor =
        standard_deviation("LayerNorm", std::nullopt, mean_square(values, mean), epsilon);
    std::vector<Number> result;
    result.reserve(values.size());
    for (const Number value : values) result.push_back((value - mean) / divisor);
    return result;
}

template <class Number>
std::vector<Number> rms_norm_in(std::span<const Number> values, Number epsilon) {
    validate("RMSNorm", values, epsilon);
    const Number stabilized = mean_square(values, Number{0}) + epsilon;
    if (stabilized == 0) throw NormalizationError("RMSNorm", ZeroMeanSquare{});
    if (!std::isfinite(stabilized)) {
        throw NormalizationError("RMSNorm", NonFiniteMeanSquare{stabilized});
    }
    const Number divisor = std::sqrt(stabilized);
    std::vector<Number> result;
    result.reserve(values.size());
    for (const Number value : values) result.push_back(value / divisor);
    return result;
}

std::string place(std::optional<std::size_t> feature) {
    return feature ? "feature " + std::to_string(*feature) : "the row";
}

std::string message(const InvalidNormalizationEpsilon& e) {
    return " epsilon must be finite and nonnegative, got " + numeric::shortest(e.value);
}

std::string message(const EmptyVector&) { return " needs at least one feature"; }

std::string message(const CompanionWidthMismatch& e) {
    return " companion must have the anchor's width " + std::to_string(e.anchor) + ", got " +
           std::to_string(e.companion);
}

std::string message(const ZeroVariance& e) {
    return " epsilon is zero but " + place(e.feature) + " has zero variance";
}

std::string message(const NonFiniteVariance& e) {
    return " variance of " + place(e.feature) + " is not finite: " + numeric::shortest(e.value);
}

std::string message(const ZeroMeanSquare&) {
    return " epsilon is zero but every feature has a square of zero";
}

std::string message(const NonFiniteMeanSquare& e) {
    return " mean square is not finite: " + numeric::shortest(e.value);
}

std::string message(const VectorWidthMismatch& e) {
    return " " + std::string(e.vector) + " must have the input's width " +
           std::to_string(e.expected) + ", got " + std::to_string(e.actual);
}

std::string message(const NonFiniteResult& e) {
    return " of feature " + std::to_string(e.feature) +
           " is not finite: " + numeric::shortest(e.value);
}

}  // namespace

std::vector<double> layer_norm(std::span<const double> values, double epsilon) {
    return layer_norm_in(values, epsilon);
}

std::vector<float> layer_norm(std::span<const float> values, float epsilon) {
    return layer_norm_in(values, epsilon);
}

std::vector<double> rms_norm(std::span<const double> values, double epsilon) {
    return rms_norm_in(values, epsilon);
}

std::vector<float> rms_norm(std::span<const float> values, float epsilon) {
    return rms_norm_in(values, epsilon);
}

std::vector<double> batch_norm(std::span<const double> anchor, std::span<const double> companion,
                               double epsilon) {
    validate("BatchNorm", anchor, epsilon);
    if (companion.size() != anchor.size()) {
        throw NormalizationError("BatchNorm",
                                 CompanionWidthMismatch{anchor.size(), companion.size()});
    }
    std::vector<double> result;
    result.reserve(anchor.size());
    for (std::size_t feature = 0; feature < anchor.size(); ++feature) {
        const double a = anchor[feature];
        const double c = companion[feature];
        const double mean = (a + c) / 2;
        const double variance = ((a - mean) * (a - mean) + (c - mean) * (c - mean)) / 2;
        result.push_back((a - mean) / standard_deviation("BatchNorm", feature, variance, epsilon));
    }
    return result;
}

NormalizationError::NormalizationError(const char* norm, Case rejection)
    : TypedError(
          rejection, [](const auto& e) { return message(e); }, norm) {}

}  // namespace rmsnorm::nn
