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

}  // namespace

LayerNormBackwardCase book_layer_norm_backward_case() {
    return {values::five(),
            values::five_upstream(),
            values::epsilon,
            {values::probe_step, values::match_tolerance}};
}

LayerNormBackward layer_norm_backward(const LayerNormBackwardCase& backward_case) {
    const auto forward = plain_layer_norm(backward_case.input, backward_case.epsilon);
    return layer_norm_backward(backward_case, nn::layer_norm_backward<double, float>(
                                                  backward_case.upstream, forward.output,
                                                  forward.inverse_standard_deviation));
}

LayerNormBackward layer_norm_backward(const LayerNormBackwardCase& backward_case,
                                      const Vector& input_gradient) {
    const auto forward = plain_layer_norm(backward_case.input, backward_case.epsilon);
    const NormBounds bounds = layer_norm_bounds(backward_case.input, backward_case.epsilon);
    const std::vector<double> error = layer_norm_gradient_error(bounds, backward_case.upstream);
    const auto probed_at = [&](const Vector& moved) {
        return probed(moved, backward_case.epsilon);
    };
    const Differences exact = layer_norm_differences(
        backward_case.input, widened(backward_case.upstream), backward_case.epsilon);
    FittedDifferences fitted = fitted_differences(
        backward_case.choice, {exact}, [&](float step) -> std::vector<Differences> {
            return {stepped_differences(backward_case.input, backward_case.upstream, step, exact,
                                        probed_at)};
        });
    JudgedGradient judged = judge("central-differences", input_gradient, error,
                                  fitted.differences[0], backward_case.choice);
    return {backward_case,
            forward.mean,
            forward.output,
            forward.inverse_standard_deviation,
            fitted.step,
            fitted.by_row,
            input_gradient,
            std::move(judged.numerical),
            std::move(judged.matches),
            judged.largest,
            {std::move(judged.check), shift_check(input_gradient, error)}};
}

Record inputs(const LayerNormBackward& evidence) {
    return Record()
        .add("input", figures(evidence.inputs.input, {1}))
        .add("upstream", figures(evidence.inputs.upstream, {1, numeric::Plus::shown}))
        .add("epsilon", figure(evidence.inputs.epsilon, {6}))
        .add("step", figure(evidence.step, {6}))
        .add("tolerance",
             figure(evidence.inputs.choice.tolerance.value_or(values::match_tolerance), {6}),
             present_if(evidence.inputs.choice.tolerance.has_value()))
        .add("unit", "row", present_if(evidence.by_row));
}

Record results(const LayerNormBackward& evidence) {
    return Record().add("layer_norm_backward", layer_norm_backward_record(evidence));
}

Record layer_norm_backward_record(const LayerNormBackward& evidence) {
    constexpr Decimals four{4, numeric::Plus::shown};
    return Record()
        .add("input", figures(evidence.inputs.input, {1}))
        .add("normalized", figures(evidence.normalized, four))
        .add("upstream", figures(evidence.inputs.upstream, {1, numeric::Plus::shown}))
        .add("inverse_standard_deviation", figure(evidence.inverse_standard_deviation, {4}))
        .add("input_gradient", figures(evidence.input_gradient, four))
        .add("numerical_gradient", figures(evidence.numerical_gradient, four))
        .add("matches", array(evidence.matches))
        .add("largest_disagreement", record(evidence.largest_disagreement));
}

}  // namespace rmsnorm::experiments::normalization
