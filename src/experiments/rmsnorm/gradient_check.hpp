// Experiment: the reverse pass against central differences, for the input and for the gain.
#pragma once

#include <cstdint>
#include <vector>

#include "autodiff/gradient_check.hpp"
#include "evidence/check.hpp"
#include "evidence/default_text.hpp"
#include "evidence/layer_case.hpp"
#include "evidence/layer_checks.hpp"
#include "evidence/record.hpp"
#include "experiments/rmsnorm/gradient_probe.hpp"
#include "experiments/rmsnorm/layer_inputs.hpp"

namespace rmsnorm::experiments {

struct GradientCheckInputs : BackwardInputs {
    std::optional<double> step;  // these two as they fit the values, unless one is given
    std::optional<double> tolerance;
    std::size_t samples = sampled_coordinates;  // coordinates a tensor; at least one
    std::size_t seed = 0;                       // decides which, when there are more
    std::string unit;                           // "row", or empty for one
    bool fitted = false;                        // as GradientCheckCase's

    std::vector<Input> declared();
    void complete(const Given& given);
};

struct GradientCheckCase {
    LayerCase layer;
    double step;
    double tolerance;
    std::size_t samples;  // coordinates a tensor; at least one
    std::uint32_t seed;   // decides which, when there are more
    ProbeUnit unit = ProbeUnit::one;
    bool fitted = false;  // step and tolerance are those of `fitting_settings`, which decide
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
/// For a reader. Throws InputRejection for a step that a value does not take.
GradientChecks explained_gradient_checks(const GradientCheckInputs& inputs);

/// For gradients that are already known, by central differences of the layer alone. Where step or
/// tolerance cannot decide, the check of a gradient is undecided and says so.
GradientChecks gradient_checks(const GradientCheckCase& gradient_check_case,
                               const tensor::Tensor& input_gradient,
                               const tensor::Tensor& gain_gradient);

Decision decision(const GradientChecks& evidence);
bool passed(const GradientChecks& evidence);

Record results(const GradientChecks& evidence);
std::string text(const GradientChecks& evidence, Extent extent);

/// The array `input_checks` or `gain_checks` of a report.
std::string gradient_check_line(const GradientChecks& evidence);

Array coordinates_array(const autodiff::GradientCheck& check);

}  // namespace rmsnorm::experiments
