#include "evidence/gradient_check.hpp"

#include <cmath>

#include "evidence/backward.hpp"
#include "evidence/layer_checks.hpp"

namespace rmsnorm::evidence {
namespace {

Check worst_coordinate(std::string name, const autodiff::GradientCheck& check) {
    double worst = 0;
    for (const auto& coordinate : check.coordinates) {
        // A NaN is the worst, and no later error takes its place.
        if (std::isnan(worst)) break;
        worst = worse(worst, coordinate.scaled_error);
    }
    return at_most(std::move(name), "the gradient agrees with central differences", worst,
                   check.tolerance);
}

}  // namespace

GradientChecks gradient_checks(const GradientCheckCase& gradient_check_case) {
    const LayerCase& layer_case = gradient_check_case.layer;
    const Backward pass = backward(layer_case);
    GradientChecks evidence =
        gradient_checks(gradient_check_case, pass.input_gradient, pass.gain_gradient);
    evidence.checks.push_back(input_gradient_check(layer_case, pass.input_gradient));
    evidence.checks.push_back(gain_gradient_check(layer_case, pass.gain_gradient));
    return evidence;
}

GradientChecks fitted_gradient_checks(const LayerCase& layer_case, std::size_t samples,
                                      std::uint32_t seed) {
    // The layer accepts the case before its rows are measured.
    layer(layer_case).forward(autodiff::Value::constant(layer_case.input));
    const ProbeSettings fitting = fitting_settings(layer_case);
    return gradient_checks(
        {layer_case, fitting.step, fitting.tolerance, samples, seed, fitting.unit});
}

GradientChecks gradient_checks(const GradientCheckCase& gradient_check_case,
                               const tensor::Tensor& input_gradient,
                               const tensor::Tensor& gain_gradient) {
    const auto& [layer_case, step, tolerance, samples, seed, unit] = gradient_check_case;
    const ProbeSettings settings{step, tolerance, unit};
    GradientChecks evidence{
        gradient_check_case,
        probe_gradient(layer_case, ProbedTensor::input, input_gradient, settings, samples, seed),
        probe_gradient(layer_case, ProbedTensor::gain, gain_gradient, settings, samples, seed),
        {}};
    evidence.checks = {worst_coordinate("input-gradient", evidence.input),
                       worst_coordinate("gain-gradient", evidence.gain)};
    return evidence;
}

bool passed(const GradientChecks& evidence) {
    return evidence.input.passed && evidence.gain.passed;
}

Record inputs(const GradientChecks& evidence) {
    const GradientCheckCase& used = evidence.inputs;
    return Record()
        .add("input", used.layer.input)
        .add("gain", used.layer.gain)
        .add("gain_name", used.layer.gain_name)
        .add("upstream", used.layer.upstream)
        .add("epsilon", setting(used.layer.epsilon))
        .add("step", setting(used.step))
        .add("tolerance", setting(used.tolerance))
        .add("samples", used.samples)
        .add("seed", used.seed)
        .add("unit", "row", used.unit == ProbeUnit::row ? Presence::present : Presence::absent);
}

Record results(const GradientChecks& evidence) {
    return Record()
        .add("input_checks", coordinates_array(evidence.input))
        .add("gain_checks", coordinates_array(evidence.gain))
        .add("gradcheck", passed(evidence));
}

Array coordinates_array(const autodiff::GradientCheck& check) {
    Array array;
    for (const auto& coordinate : check.coordinates) {
        array.items.push_back(
            Record()
                .add("index", coordinate.index)
                .add("analytic", coordinate.analytic)
                .add("numerical", coordinate.numerical)
                .add("scaled_error",
                     Scalar{coordinate.scaled_error, difference_decimals(coordinate.scaled_error)})
                .add("passed", coordinate.passed));
    }
    return array;
}

}  // namespace rmsnorm::evidence
