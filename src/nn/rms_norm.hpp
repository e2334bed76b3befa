// RMSNorm over the last axis, composed from tape operations (Zhang and Sennrich 2019, equation 4,
// with an epsilon inside the root).
#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <string_view>

#include "autodiff/error.hpp"
#include "autodiff/value.hpp"
#include "nn/parameter.hpp"
#include "numeric/typed_error.hpp"

namespace rmsnorm::nn {

/// Every tensor of one forward pass. For an input of shape [..., d]:
struct RmsNormForward {
    autodiff::Value mean_square;  // [..., 1]
    autodiff::Value inverse_rms;  // [..., 1]: exp(-0.5 * log(mean_square + epsilon))
    autodiff::Value normalized;   // [..., d]: input * inverse_rms
    autodiff::Value output;       // [..., d]: normalized * gain
};

/// The layer owns one gain of shape [d] and has no bias.
class RmsNorm {
  public:
    /// A gain of ones. Throws RmsNormError: InvalidEpsilon, EmptyFeatureWidth, a
    /// ParameterNameError, GainAllocationFailed, in this order of precedence.
    RmsNorm(std::string gain_name, std::size_t feature_width, double epsilon);

    /// Throws RmsNormError: InvalidEpsilon, GainRank, EmptyFeatureWidth, in this order.
    RmsNorm(NamedParameter gain, double epsilon);

    /// The input has shape [..., d], rank 1 or more. Throws RmsNormError: InputRankZero,
    /// InputWidthMismatch, then the first step that fails (a TapeFailure with its stage, or
    /// ZeroEnergyRow before the logarithm).
    autodiff::Value forward(const autodiff::Value& input) const;
    RmsNormForward forward_with_intermediates(const autodiff::Value& input) const;

    const NamedParameter& gain() const { return parameters_.all()[0]; }
    /// The gain.
    std::span<const NamedParameter> parameters() const { return parameters_.all(); }
    std::size_t feature_width() const { return gain().value().shape()[0]; }
    double epsilon() const { return epsilon_; }

  private:
    NamedParameters parameters_;
    double epsilon_;
};

/// The steps of the forward pass, in order.
enum class RmsNormStage {
    square,
    mean_square,
    epsilon_constant,
    stabilize,
    log_mean_square,
    exponent_constant,
    scale_log,
    reciprocal_root,
    normalize,
    apply_gain,
};

std::string_view name(RmsNormStage stage);

struct InvalidEpsilon {
    double value;

    bool operator==(const InvalidEpsilon&) const = default;
};

struct EmptyFeatureWidth {
    bool operator==(const EmptyFeatureWidth&) const = default;
};

struct GainRank {
    tensor::Shape shape;

    bool operator==(const GainRank&) const = default;
};

struct GainAllocationFailed {
    std::size_t elements;

    bool operator==(const GainAllocationFailed&) const = default;
};

struct InputRankZero {
    bool operator==(const InputRankZero&) const = default;
};

struct InputWidthMismatch {
    std::size_t expected;
    std::size_t actual;

    bool operator==(const InputWidthMismatch&) const = default;
};

/// With epsilon zero, the computed mean square of a row is zero: also when nonzero squares
/// underflow.
struct ZeroEnergyRow {
    std::size_t row;

    bool operator==(const ZeroEnergyRow&) const = default;
};

struct InvalidGainName {
    ParameterNameError source;

    bool operator==(const InvalidGainName&) const = default;
};

struct TapeFailure {
    RmsNormStage stage;
    autodiff::AutodiffError source;

    bool operator==(const TapeFailure&) const = default;
};

class RmsNormError
    : public numeric::TypedError<InvalidEpsilon, EmptyFeatureWidth, GainRank, GainAllocationFailed,
                                 InputRankZero, InputWidthMismatch, ZeroEnergyRow, InvalidGainName,
                                 TapeFailure> {
  public:
    explicit RmsNormError(Case rejection);
};

/// The name of the case: "InputRankZero", "TapeFailure", …
std::string_view case_name(const RmsNormError& error);

}  // namespace rmsnorm::nn
