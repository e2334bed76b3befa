// Central differences of the layer's own loss, sum(output * upstream), at sampled coordinates: in
// the units of the values, or in units that fit each row. docs/checks.md derives steps and bounds.
#pragma once

#include <cstddef>
#include <cstdint>
#include <stdexcept>
#include <string>

#include "autodiff/gradient_check.hpp"
#include "evidence/layer_case.hpp"

namespace rmsnorm::experiments {

/// What a step and a tolerance are multiples of.
enum class ProbeUnit {
    /// Of 1: the step is added as it is, errors are divided by max(1, |analytic|, |numerical|).
    one,
    /// For the input, of the root of the width times the row's RMS, and of |gain * upstream| over
    /// that RMS. For the gain, of max(1, |gain|), and of the sum of |normalized * upstream|.
    row,
};

struct ProbeSettings {
    double step;
    double tolerance;
    ProbeUnit unit;
};

/// The chapter's step and tolerance in units of one where they are sure to find the gradients
/// right and tell something; for other values what rounding and truncation allow, in units of the
/// row. The case is one that the layer accepts.
ProbeSettings fitting_settings(const LayerCase& layer_case);

enum class ProbedTensor { input, gain };

/// Compares `gradient`, of the tensor's shape, at `samples` coordinates drawn from `seed`. Of a
/// loss of many terms only those are summed that the coordinate moves: its row, or for the gain
/// its column. Throws GradientProbeError, autodiff::GradientCheckError.
autodiff::GradientCheck probe_gradient(const LayerCase& layer_case, ProbedTensor probed,
                                       const tensor::Tensor& gradient,
                                       const ProbeSettings& settings, std::size_t samples,
                                       std::uint32_t seed);

/// A coordinate at which the loss has no central difference: the step does not change it, or
/// leaves the numbers that the layer takes.
class GradientProbeError : public std::runtime_error {
  public:
    GradientProbeError(ProbedTensor tensor, std::size_t index, double value, double step,
                       std::string reason);

    ProbedTensor tensor;
    std::size_t index;  // flat
    double value;
    double step;
    std::string reason;  // completes "the step ... "
};

}  // namespace rmsnorm::experiments
