#include "experiments/normalization/layer_norm_backward.hpp"

#include <algorithm>
#include <cmath>

#include "experiments/normalization/layer_norm.hpp"

namespace rmsnorm::experiments::normalization {
namespace {

Check matches_check(const LayerNormBackward& evidence) {
    return at_most(
        "central-differences", "every component is within the tolerance of its central difference",
        static_cast<double>(std::count(evidence.matches.begin(), evidence.matches.end(), false)),
        0);
}

// Adding one constant to every input changes no output, so the gradient sums to zero.
Check shift_check(const LayerNormBackward& evidence) {
    const Vector& upstream = evidence.inputs.upstream;
    const auto inverse = static_cast<double>(evidence.inverse_standard_deviation);
    const auto upstream_mean = static_cast<double>(nn::mean<double, float>(upstream));
    const auto product_mean =
        static_cast<double>(nn::mean_product<double, float>(evidence.normalized, upstream));
    const double offset = inverse * std::fabs(static_cast<double>(evidence.mean));
    double sum = 0;
    double terms = 0;
    for (std::size_t i = 0; i < upstream.size(); ++i) {
        sum += static_cast<double>(evidence.input_gradient[i]);
        terms += std::fabs(static_cast<double>(upstream[i])) + std::fabs(upstream_mean) +
                 (std::fabs(static_cast<double>(evidence.normalized[i])) + offset) *
                     std::fabs(product_mean);
    }
    // In units of each term: upstream is rounded in two differences and a product, its mean once
    // more, a normalized value in a deviation and two products more; the input's mean is off by
    // one unit, which moves every normalized value alike. Six covers each of them.
    return at_most("shift-invariance",
                   "the gradient sums to zero, because a shift of the input changes nothing",
                   std::fabs(sum), 6 * binary32_unit * inverse * terms + 0x1p-140);
}

}  // namespace

LayerNormBackwardCase book_layer_norm_backward_case() {
    return {values::five(), values::five_upstream(), values::epsilon, values::probe_step,
            values::match_tolerance};
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
    Vector numerical = central_differences(
        backward_case.input, backward_case.upstream, backward_case.step,
        [&](const Vector& moved) { return plain_layer_norm(moved, backward_case.epsilon).output; });
    std::vector<bool> matches = matching(input_gradient, numerical, backward_case.tolerance);
    LayerNormBackward evidence{backward_case,      forward.mean,
                               forward.output,     forward.inverse_standard_deviation,
                               input_gradient,     std::move(numerical),
                               std::move(matches), {}};
    evidence.checks = {matches_check(evidence), shift_check(evidence)};
    return evidence;
}

Record inputs(const LayerNormBackward& evidence) {
    return Record()
        .add("input", figures(evidence.inputs.input, {1}))
        .add("upstream", figures(evidence.inputs.upstream, {1, numeric::Plus::shown}))
        .add("epsilon", figure(evidence.inputs.epsilon, {6}))
        .add("step", figure(evidence.inputs.step, {6}))
        .add("tolerance", figure(evidence.inputs.tolerance, {6}));
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
        .add("matches", array(evidence.matches));
}

}  // namespace rmsnorm::experiments::normalization
