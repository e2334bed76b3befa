// Experiment: the reverse pass against central differences, for the input and for the gain.
#pragma once

#include <cstdint>
#include <vector>

#include "autodiff/gradient_check.hpp"
#include "evidence/check.hpp"
#include "evidence/gradient_probe.hpp"
#include "evidence/layer_case.hpp"
#include "evidence/record.hpp"

namespace rmsnorm::evidence {

struct GradientCheckCase {
    LayerCase layer;
    double step;
    double tolerance;
    std::size_t samples;  // coordinates a tensor; at least one
    std::uint32_t seed;   // decides which, when there are more
    ProbeUnit unit = ProbeUnit::one;
};

struct GradientChecks {
    GradientCheckCase inputs;
    autodiff::GradientCheck input;
    autodiff::GradientCheck gain;
    std::vector<Check> checks;
};

/// The checked function is the sum of output * upstream; checks of both gradients that hold at any
/// scale are among `checks`. Throws nn::RmsNormError, autodiff::AutodiffError,
/// autodiff::GradientCheckError or GradientProbeError.
GradientChecks gradient_checks(const GradientCheckCase& gradient_check_case);

/// The same with the step and tolerance of `fitting_settings`.
GradientChecks fitted_gradient_checks(const LayerCase& layer_case, std::size_t samples,
                                      std::uint32_t seed);

/// For gradients that are already known, by central differences of the layer alone.
GradientChecks gradient_checks(const GradientCheckCase& gradient_check_case,
                               const tensor::Tensor& input_gradient,
                               const tensor::Tensor& gain_gradient);

bool passed(const GradientChecks& evidence);

Record inputs(const GradientChecks& evidence);
Record results(const GradientChecks& evidence);

/// The array `input_checks` or `gain_checks` of a report.
Array coordinates_array(const autodiff::GradientCheck& check);

}  // namespace rmsnorm::evidence
