#include "experiments/normalization/layer_norm_backward.hpp"

#include <algorithm>
#include <cmath>

#include "experiments/normalization/layer_norm.hpp"

namespace rmsnorm::experiments::normalization {
namespace {

// Adding one constant to every input changes no output, so the gradient sums to zero.
Check shift_check(const Vector& gradient, const std::vector<double>& error) {
    double sum = 0;
    double bound = 0;
    for (std::size_t i = 0; i < gradient.size(); ++i) {
        sum += static_cast<double>(gradient[i]);
        bound += error[i];
    }
    return at_most("shift-invariance",
                   "the gradient sums to zero, because a shift of the input changes nothing",
                   std::fabs(sum), bound);
}

ProbedPoint probed(const Vector& moved, float epsilon) {
    NormBounds bounds = layer_norm_bounds(moved, epsilon);
    return {plain_layer_norm(moved, epsilon).output, std::move(bounds.normalized),
            std::move(bounds.error)};
}

FittedDifferences differences(const LayerNormBackwardInputs& c) {
    // Refuses what has no gradient.
    plain_layer_norm(c.input, c.epsilon);
    const Differences exact = layer_norm_differences(c.input, widened(c.upstream), c.epsilon);
    const auto probed_at = [&](const Vector& moved) { return probed(moved, c.epsilon); };
    return fitted_differences(c.choice, {exact}, [&](float step) -> std::vector<Differences> {
        return {stepped_differences(c.input, c.upstream, step, exact, probed_at)};
    });
}

}  // namespace

std::vector<Input> LayerNormBackwardInputs::declared() {
    std::vector<Input> inputs{
        vector_input("input", input, "the vector", {1}),
        vector_input("upstream", upstream, "the adjoint of the normalized vector",
                     {1, numeric::Plus::shown}, values::five_upstream_default),
        epsilon_input(epsilon)};
    choice.declare(inputs);
    return inputs;
}

void LayerNormBackwardInputs::complete(const Given& given) {
    complete_width(given, "upstream", upstream, input, 1);
    choice.complete();
    choice = differences(*this).used;
}

LayerNormBackward layer_norm_backward(const LayerNormBackwardInputs& inputs) {
    const auto forward = plain_layer_norm(inputs.input, inputs.epsilon);
    return judged(inputs, nn::layer_norm_backward<double, float>(
                              inputs.upstream, forward.output, forward.inverse_standard_deviation));
}

LayerNormBackward judged(const LayerNormBackwardInputs& inputs, const Vector& input_gradient) {
    const auto forward = plain_layer_norm(inputs.input, inputs.epsilon);
    const NormBounds bounds = layer_norm_bounds(inputs.input, inputs.epsilon);
    const std::vector<double> error = layer_norm_gradient_error(bounds, inputs.upstream);
    JudgedGradient by_differences =
        judge("central-differences", input_gradient, error, differences(inputs), 0);
    return {inputs,
            forward.mean,
            forward.output,
            forward.inverse_standard_deviation,
            input_gradient,
            std::move(by_differences.numerical),
            std::move(by_differences.numerical_error),
            std::move(by_differences.matches),
            by_differences.largest,
            {std::move(by_differences.check), shift_check(input_gradient, error)}};
}

Record results(const LayerNormBackward& evidence) {
    constexpr Decimals four{4, numeric::Plus::shown};
    return Record().add(
        "layer_norm_backward",
        Record()
            .add("input", figures(evidence.inputs.input, {1}))
            .add("normalized", figures(evidence.normalized, four))
            .add("upstream", figures(evidence.inputs.upstream, {1, numeric::Plus::shown}))
            .add("inverse_standard_deviation", figure(evidence.inverse_standard_deviation, {4}))
            .add("input_gradient", figures(evidence.input_gradient, four))
            .add("numerical_gradient", figures(evidence.numerical_gradient, four))
            .add("matches", array(evidence.matches))
            .add("largest_disagreement", record(evidence.largest_disagreement)));
}

std::string text(const LayerNormBackward& evidence, Extent extent) {
    const Record results_of_run = results(evidence);
    const Record& record = record_field(results_of_run, "layer_norm_backward");
    return field_lines("layer_norm_backward", record, extent) +
           record_line("layer_norm_backward_largest_disagreement",
                       record_field(record, "largest_disagreement"), extent) +
           note_lines(notes(evidence));
}

std::vector<std::string> notes(const LayerNormBackward& evidence) {
    const Vector& upstream = evidence.inputs.upstream;
    if (upstream != Vector(upstream.size(), upstream.front())) return {};
    return {
        "with one value everywhere the upstream asks for the slope of the normalized values' sum, "
        "which is zero wherever the input moves: so is the gradient, to rounding"};
}

}  // namespace rmsnorm::experiments::normalization
