#include "experiments/normalization/layer_norm.hpp"

#include <cmath>

namespace rmsnorm::experiments::normalization {
namespace {

// The binary64 mean of binary32 values, and of their squared binary32 deviations from it.
struct Moments {
    float mean;
    float variance;
};

Moments moments(const Vector& values) {
    const float mean = nn::mean<double, float>(values);
    return {mean, nn::variance<double, float>(values, mean)};
}

}  // namespace

LayerNormCase book_layer_norm_case() {
    const Vector input = values::hundreds();
    return {input, ones(input.size()), zeros(input.size()), values::epsilon};
}

LayerNorm layer_norm(const LayerNormCase& layer_norm_case) {
    const auto& [input, gamma, beta, epsilon] = layer_norm_case;
    nn::LayerNormPass<float> pass = nn::layer_norm<double, float>(input, gamma, beta, epsilon);
    const Moments output = moments(pass.output);
    LayerNorm evidence{layer_norm_case, std::move(pass), plain_layer_norm(input, epsilon).output,
                       output.mean,     output.variance, {}};
    evidence.checks = normalized_checks(evidence);
    return evidence;
}

Record inputs(const LayerNorm& evidence) {
    return Record()
        .add("input", figures(evidence.inputs.input, {1}))
        .add("gamma", figures(evidence.inputs.gamma, {4}))
        .add("beta", figures(evidence.inputs.beta, {4}))
        .add("epsilon", figure(evidence.inputs.epsilon, {6}));
}

Record results(const LayerNorm& evidence) {
    return Record().add("layer_norm", layer_norm_record(evidence));
}

Record layer_norm_record(const LayerNorm& evidence) {
    return Record()
        .add("input", figures(evidence.inputs.input, {1}))
        .add("output", figures(evidence.pass.output, {4, numeric::Plus::shown}))
        .add("output_mean", figure(evidence.output_mean, {6}))
        .add("output_variance", figure(evidence.output_variance, {6}))
        .add("mean", figure(evidence.pass.mean, {2}))
        .add("variance", figure(evidence.pass.variance, {2}))
        .add("inverse_standard_deviation", figure(evidence.pass.inverse_standard_deviation, {4}));
}

std::vector<Check> normalized_checks(const LayerNorm& evidence) {
    const Moments normalized = moments(evidence.normalized);
    const auto mean = static_cast<double>(evidence.pass.mean);
    const auto variance = static_cast<double>(evidence.pass.variance);
    const auto inverse = static_cast<double>(evidence.pass.inverse_standard_deviation);
    const double expected = variance / (variance + static_cast<double>(evidence.inputs.epsilon));
    double mean_magnitude = 0;
    for (const float value : evidence.normalized) {
        mean_magnitude += std::fabs(static_cast<double>(value));
    }
    mean_magnitude /= static_cast<double>(evidence.normalized.size());
    // The rounding of the mean shifts every deviation alike; deviation, product and the mean here
    // round once each, and one unit is left for binary64 sums and terms of second order.
    const double mean_error =
        binary32_unit * (inverse * std::fabs(mean) + 4 * mean_magnitude) + 0x1p-140;
    // In units: 2.5 for the inverse and 1 for its product make 7 in a square; 2 more are in the
    // variance, and 4 in the deviations, squares and mean that are taken here. A mean that is not
    // quite zero lessens the variance by its square; 3 more are left for second order.
    const double variance_error =
        16 * binary32_unit * expected + mean_error * mean_error + 0x1p-140;
    return {
        at_most("normalized-mean", "the normalized vector's mean is zero to rounding",
                std::fabs(static_cast<double>(normalized.mean)), mean_error),
        at_most("normalized-variance",
                "the normalized vector's variance is variance / (variance + epsilon) to "
                "rounding",
                std::fabs(static_cast<double>(normalized.variance) - expected), variance_error)};
}

nn::LayerNormPass<float> plain_layer_norm(const Vector& input, float epsilon) {
    const Vector gamma = ones(input.size());
    const Vector beta = zeros(input.size());
    return nn::layer_norm<double, float>(input, gamma, beta, epsilon);
}

}  // namespace rmsnorm::experiments::normalization
