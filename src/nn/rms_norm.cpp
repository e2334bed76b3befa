#include "nn/rms_norm.hpp"

#include <array>
#include <cmath>
#include <new>
#include <utility>
#include <vector>

#include "autodiff/operations.hpp"
#include "numeric/decimal.hpp"

namespace rmsnorm::nn {
namespace {

using autodiff::Value;

double valid_epsilon(double epsilon) {
    if (!std::isfinite(epsilon) || epsilon < 0) throw RmsNormError(InvalidEpsilon{epsilon});
    return epsilon;
}

NamedParameter gain_of_ones(std::string gain_name, std::size_t feature_width, double epsilon) {
    valid_epsilon(epsilon);
    if (feature_width == 0) throw RmsNormError(EmptyFeatureWidth{});
    try {
        validate_parameter_name(gain_name);
        return NamedParameter(std::move(gain_name), tensor::Tensor::filled({feature_width}, 1.0));
    } catch (const ParameterNameError& error) {
        throw RmsNormError(InvalidGainName{error});
    } catch (const tensor::TensorError&) {
        throw RmsNormError(GainAllocationFailed{feature_width});
    } catch (const std::bad_alloc&) {
        throw RmsNormError(GainAllocationFailed{feature_width});
    } catch (const std::length_error&) {
        throw RmsNormError(GainAllocationFailed{feature_width});
    }
}

NamedParameter valid_gain(NamedParameter gain, double epsilon) {
    valid_epsilon(epsilon);
    const tensor::Shape& shape = gain.value().shape();
    if (shape.size() != 1) throw RmsNormError(GainRank{shape});
    if (shape[0] == 0) throw RmsNormError(EmptyFeatureWidth{});
    return gain;
}

// Runs one step and names its stage when the tape refuses it.
template <class Step>
Value at_stage(RmsNormStage stage, Step step) {
    try {
        return step();
    } catch (const autodiff::AutodiffError& error) {
        throw RmsNormError(TapeFailure{stage, error});
    }
}

// The axis to normalize, for an input that fits the layer.
std::size_t checked_feature_axis(const tensor::Shape& input, std::size_t feature_width) {
    if (input.empty()) throw RmsNormError(InputRankZero{});
    if (input.back() != feature_width) {
        throw RmsNormError(InputWidthMismatch{feature_width, input.back()});
    }
    return input.size() - 1;
}

Value checked_mean_square(const Value& input, std::size_t feature_axis, double epsilon) {
    const Value squared = at_stage(RmsNormStage::square, [&] { return multiply(input, input); });
    Value mean_square = at_stage(RmsNormStage::mean_square, [&] {
        return mean(squared, feature_axis, tensor::ReducedAxis::kept);
    });
    for (std::size_t row = 0; epsilon == 0 && row < mean_square.tensor().size(); ++row) {
        if (mean_square.tensor()[row] == 0) throw RmsNormError(ZeroEnergyRow{row});
    }
    return mean_square;
}

// exp(-0.5 * log(mean_square + epsilon)).
Value reciprocal_root(const Value& mean_square, double epsilon_value) {
    using Stage = RmsNormStage;
    const Value epsilon = at_stage(Stage::epsilon_constant, [&] {
        return Value::constant(tensor::Tensor::scalar(epsilon_value));
    });
    const Value stabilized = at_stage(Stage::stabilize, [&] { return add(mean_square, epsilon); });
    const Value log_mean_square =
        at_stage(Stage::log_mean_square, [&] { return autodiff::log(stabilized); });
    const Value exponent = at_stage(Stage::exponent_constant,
                                    [&] { return Value::constant(tensor::Tensor::scalar(-0.5)); });
    const Value scaled_log =
        at_stage(Stage::scale_log, [&] { return multiply(log_mean_square, exponent); });
    return at_stage(Stage::reciprocal_root, [&] { return autodiff::exp(scaled_log); });
}

std::string message(const InvalidEpsilon& e) {
    return "RMSNorm epsilon must be finite and nonnegative, got " + numeric::shortest(e.value);
}

std::string message(const EmptyFeatureWidth&) {
    return "RMSNorm feature width must be greater than zero";
}

std::string message(const GainRank& e) {
    return "RMSNorm gain must have rank 1, got shape " + tensor::to_text(e.shape);
}

std::string message(const GainAllocationFailed& e) {
    return "could not reserve storage for " + std::to_string(e.elements) + " RMSNorm gain values";
}

std::string message(const InputRankZero&) { return "RMSNorm input must have at least one axis"; }

std::string message(const InputWidthMismatch& e) {
    return "RMSNorm input feature width must be " + std::to_string(e.expected) + ", got " +
           std::to_string(e.actual);
}

std::string message(const ZeroEnergyRow& e) {
    return "RMSNorm epsilon is zero but feature row " + std::to_string(e.row) +
           " has zero mean square";
}

std::string message(const InvalidGainName& e) { return e.source.what(); }

std::string message(const TapeFailure& e) {
    return "RMSNorm " + std::string(name(e.stage)) + ": " + e.source.what();
}

}  // namespace

RmsNorm::RmsNorm(std::string gain_name, std::size_t feature_width, double epsilon)
    : parameters_({gain_of_ones(std::move(gain_name), feature_width, epsilon)}),
      epsilon_(epsilon) {}

RmsNorm::RmsNorm(NamedParameter gain, double epsilon)
    : parameters_({valid_gain(std::move(gain), epsilon)}), epsilon_(epsilon) {}

Value RmsNorm::forward(const Value& input) const {
    return forward_with_intermediates(input).output;
}

RmsNormForward RmsNorm::forward_with_intermediates(const Value& input) const {
    using Stage = RmsNormStage;
    const std::size_t feature_axis = checked_feature_axis(input.shape(), feature_width());
    const Value mean_square = checked_mean_square(input, feature_axis, epsilon_);
    const Value inverse_rms = reciprocal_root(mean_square, epsilon_);
    const Value normalized =
        at_stage(Stage::normalize, [&] { return multiply(input, inverse_rms); });
    const Value output =
        at_stage(Stage::apply_gain, [&] { return multiply(normalized, gain().value()); });
    return {mean_square, inverse_rms, normalized, output};
}

std::string_view name(RmsNormStage stage) {
    switch (stage) {
        case RmsNormStage::square: return "square";
        case RmsNormStage::mean_square: return "mean square";
        case RmsNormStage::epsilon_constant: return "epsilon constant";
        case RmsNormStage::stabilize: return "stabilize";
        case RmsNormStage::log_mean_square: return "log mean square";
        case RmsNormStage::exponent_constant: return "exponent constant";
        case RmsNormStage::scale_log: return "scale log";
        case RmsNormStage::reciprocal_root: return "reciprocal root";
        case RmsNormStage::normalize: return "normalize";
        case RmsNormStage::apply_gain: return "apply gain";
    }
    return "unknown";
}

RmsNormError::RmsNormError(Case rejection)
    : TypedError(std::move(rejection), [](const auto& e) { return message(e); }) {}

std::string_view case_name(const RmsNormError& error) {
    // In the order of RmsNormError::Case.
    constexpr std::array<std::string_view, std::variant_size_v<RmsNormError::Case>> names{
        "InvalidEpsilon",       "EmptyFeatureWidth", "GainRank",
        "GainAllocationFailed", "InputRankZero",     "InputWidthMismatch",
        "ZeroEnergyRow",        "InvalidGainName",   "TapeFailure"};
    return names[error.rejection().index()];
}

}  // namespace rmsnorm::nn
