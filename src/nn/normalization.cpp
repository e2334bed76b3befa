#include "nn/normalization.hpp"

#include <cmath>
#include <string>
#include <utility>

#include "numeric/decimal.hpp"

namespace rmsnorm::nn {
namespace {

void validate(const char* norm, std::span<const double> values, double epsilon) {
    if (!std::isfinite(epsilon) || epsilon < 0) {
        throw NormalizationError(norm, InvalidNormalizationEpsilon{epsilon});
    }
    if (values.empty()) throw NormalizationError(norm, EmptyVector{});
}

double normalized(const char* norm, std::size_t feature, double deviation, double variance,
                  double epsilon) {
    const double stabilized = variance + epsilon;
    if (stabilized == 0) throw NormalizationError(norm, ZeroVariance{feature});
    // An infinite variance would give a plausible zero. Under a finite one the deviation, whose
    // square it holds, is finite too.
    if (!std::isfinite(stabilized)) {
        throw NormalizationError(norm, NonFiniteVariance{feature, stabilized});
    }
    return deviation / std::sqrt(stabilized);
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
    return " epsilon is zero but feature " + std::to_string(e.feature) + " has zero variance";
}

std::string message(const NonFiniteVariance& e) {
    return " variance of feature " + std::to_string(e.feature) +
           " is not finite: " + numeric::shortest(e.value);
}

}  // namespace

std::vector<double> layer_norm(std::span<const double> values, double epsilon) {
    validate("LayerNorm", values, epsilon);
    const auto width = static_cast<double>(values.size());
    double sum = 0;
    for (const double value : values) sum += value;
    const double mean = sum / width;
    double squares = 0;
    for (const double value : values) squares += (value - mean) * (value - mean);
    const double variance = squares / width;
    std::vector<double> result;
    result.reserve(values.size());
    for (const double value : values) {
        result.push_back(normalized("LayerNorm", 0, value - mean, variance, epsilon));
    }
    return result;
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
        result.push_back(normalized("BatchNorm", feature, a - mean, variance, epsilon));
    }
    return result;
}

NormalizationError::NormalizationError(const char* norm, Case rejection)
    : std::runtime_error(norm + std::visit([](const auto& e) { return message(e); }, rejection)),
      rejection_(std::move(rejection)) {}

}  // namespace rmsnorm::nn
