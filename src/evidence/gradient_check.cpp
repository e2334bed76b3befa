#include "evidence/gradient_check.hpp"

#include <cmath>

#include "evidence/backward.hpp"
#include "nn/rms_norm_rows.hpp"

namespace rmsnorm::evidence {
namespace {

// The sum of output * upstream, in ascending order: the scalar whose gradients the pass computes.
// The plain loops give the bits of the tape and share none of its code.
double loss(nn::RmsNormRows rows, const tensor::Tensor& input, const tensor::Tensor& upstream) {
    std::vector<double> output(input.size());
    rows.normalize(input.values(), output);
    rows.finish();
    double sum = 0;
    for (std::size_t i = 0; i < output.size(); ++i) sum += output[i] * upstream[i];
    return sum;
}

nn::RmsNormRows rows_with(const tensor::Tensor& gain, double epsilon) {
    return nn::RmsNormRows({gain.values().begin(), gain.values().end()}, epsilon);
}

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
    const Backward pass = backward(gradient_check_case.layer);
    return gradient_checks(gradient_check_case, pass.input_gradient, pass.gain_gradient);
}

GradientChecks gradient_checks(const GradientCheckCase& gradient_check_case,
                               const tensor::Tensor& input_gradient,
                               const tensor::Tensor& gain_gradient) {
    // Names of their own rather than a structured binding: clang 14 lets no lambda capture one.
    const LayerCase& layer_case = gradient_check_case.layer;
    const double step = gradient_check_case.step;
    const double tolerance = gradient_check_case.tolerance;
    const std::size_t samples = gradient_check_case.samples;
    const std::uint32_t seed = gradient_check_case.seed;
    const nn::RmsNormRows rows = rows_with(layer_case.gain, layer_case.epsilon);
    GradientChecks evidence{
        gradient_check_case,
        autodiff::check_gradient(
            layer_case.input, input_gradient, step, tolerance,
            autodiff::sample_coordinates(layer_case.input.size(), samples, seed),
            [&](const tensor::Tensor& probe) { return loss(rows, probe, layer_case.upstream); }),
        autodiff::check_gradient(
            layer_case.gain, gain_gradient, step, tolerance,
            autodiff::sample_coordinates(layer_case.gain.size(), samples, seed),
            [&](const tensor::Tensor& probe) {
                return loss(rows_with(probe, layer_case.epsilon), layer_case.input,
                            layer_case.upstream);
            }),
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
        .add("upstream", used.layer.upstream)
        .add("epsilon", setting(used.layer.epsilon))
        .add("step", setting(used.step))
        .add("tolerance", setting(used.tolerance))
        .add("samples", used.samples)
        .add("seed", used.seed);
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
