// RMSNorm over the last axis, composed from tape operations (Zhang and Sennrich 2019, equation 4,
// with an epsilon inside the root).
#pragma once

#include <cstddef>
#include <stdexcept>
#include <string>
#include <string_view>
#include <variant>

#include "autodiff/error.hpp"
#include "autodiff/value.hpp"
#include "nn/parameter.hpp"

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

    const NamedParameter& gain() const { return gain_; }
    NamedParameter& gain() { return gain_; }
    std::size_t feature_width() const { return gain_.value().shape()[0]; }
    double epsilon() const { return epsilon_; }

  private:
    NamedParameter gain_;
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
};

struct EmptyFeatureWidth {};

struct GainRank {
    tensor::Shape shape;
};

struct GainAllocationFailed {
    std::size_t elements;
};

struct InputRankZero {};

struct InputWidthMismatch {
    std::size_t expected;
    std::size_t actual;
};

/// With epsilon zero, the computed mean square of a row is zero: also when nonzero squares
/// underflow.
struct ZeroEnergyRow {
    std::size_t row;
};

struct InvalidGainName {
    ParameterNameError source;
};

struct TapeFailure {
    RmsNormStage stage;
    autodiff::AutodiffError source;
};

class RmsNormError : public std::runtime_error {
  public:
    using Case = std::variant<InvalidEpsilon, EmptyFeatureWidth, GainRank, GainAllocationFailed,
                              InputRankZero, InputWidthMismatch, ZeroEnergyRow, InvalidGainName,
                              TapeFailure>;

    explicit RmsNormError(Case rejection);

    const Case& rejection() const { return rejection_; }

  private:
    Case rejection_;
};

/// The name of the case: "InputRankZero", "TapeFailure", …
std::string_view case_name(const RmsNormError& error);

}  // namespace rmsnorm::nn
