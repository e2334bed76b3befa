// LayerNorm, RMSNorm and two-example BatchNorm of plain vectors, without learned parameters: what
// the layer (nn/rms_norm.hpp) is compared with.
#pragma once

#include <cstddef>
#include <optional>
#include <span>
#include <string_view>
#include <vector>

#include "numeric/typed_error.hpp"

namespace rmsnorm::nn {

/// One vector of width n (Ba, Kiros and Hinton 2016): the mean and the mean of `(v - mean)^2`, both
/// summed in ascending order and divided once by n; the result is `(v - mean) / sqrt(variance +
/// epsilon)`. Throws NormalizationError.
std::vector<double> layer_norm(std::span<const double> values, double epsilon);

/// The same with every operation rounded to binary32.
std::vector<float> layer_norm(std::span<const float> values, float epsilon);

/// One vector of width n: the mean of `v^2`, summed in ascending order and divided once by n; the
/// result is `v / sqrt(mean_square + epsilon)`. The layer multiplies by `exp(-0.5 log(…))` instead,
/// which differs in the last bits. Throws NormalizationError.
std::vector<double> rms_norm(std::span<const double> values, double epsilon);

/// The same with every operation rounded to binary32.
std::vector<float> rms_norm(std::span<const float> values, float epsilon);

/// The anchor's result in a mini-batch of the anchor and one companion of the same width (Ioffe and
/// Szegedy 2015), feature by feature: `mean = (a + c) / 2`, `variance = ((a - mean)^2 + (c -
/// mean)^2) / 2`, result `(a - mean) / sqrt(variance + epsilon)`. Throws NormalizationError.
std::vector<double> batch_norm(std::span<const double> anchor, std::span<const double> companion,
                               double epsilon);

struct InvalidNormalizationEpsilon {
    double value;

    bool operator==(const InvalidNormalizationEpsilon&) const = default;
};

struct EmptyVector {
    bool operator==(const EmptyVector&) const = default;
};

struct CompanionWidthMismatch {
    std::size_t anchor;
    std::size_t companion;

    bool operator==(const CompanionWidthMismatch&) const = default;
};

/// With epsilon zero the deviation of `feature` would be divided by zero; of every feature for
/// LayerNorm, whose variance is that of the row.
struct ZeroVariance {
    std::optional<std::size_t> feature;

    bool operator==(const ZeroVariance&) const = default;
};

/// The variance plus epsilon of `feature`, or for LayerNorm of the row, is infinite or a NaN.
struct NonFiniteVariance {
    std::optional<std::size_t> feature;
    double value;

    bool operator==(const NonFiniteVariance&) const = default;
};

/// With epsilon zero RMSNorm would divide by zero: every square is zero.
struct ZeroMeanSquare {
    bool operator==(const ZeroMeanSquare&) const = default;
};

/// The mean square plus epsilon is infinite or a NaN.
struct NonFiniteMeanSquare {
    double value;

    bool operator==(const NonFiniteMeanSquare&) const = default;
};

/// A vector that must be as wide as the input is not.
struct VectorWidthMismatch {
    std::string_view vector;  // "gamma", "beta", "upstream"
    std::size_t expected;
    std::size_t actual;

    bool operator==(const VectorWidthMismatch&) const = default;
};

/// A result is infinite or a NaN.
struct NonFiniteResult {
    std::size_t feature;
    double value;

    bool operator==(const NonFiniteResult&) const = default;
};

class NormalizationError
    : public numeric::TypedError<InvalidNormalizationEpsilon, EmptyVector, CompanionWidthMismatch,
                                 ZeroVariance, NonFiniteVariance, ZeroMeanSquare,
                                 NonFiniteMeanSquare, VectorWidthMismatch, NonFiniteResult> {
  public:
    NormalizationError(const char* norm, Case rejection);
};

}  // namespace rmsnorm::nn
