#include "experiments/normalization/layer_norm.hpp"

#include <algorithm>
#include <cmath>

#include "experiments/normalization/bounds.hpp"

namespace rmsnorm::experiments::normalization {
std::vector<Input> LayerNormInputs::declared() {
    return {vector_input("input", input, "the vector", {1}),
            vector_input("gamma", gamma, "the scale", {4}, "ones"),
            vector_input("beta", beta, "the shift", {4}, "zeros"), epsilon_input(epsilon)};
}

void LayerNormInputs::complete(const Given& given) {
    complete_width(given, "gamma", gamma, input, 1);
    complete_width(given, "beta", beta, input, 0);
}

LayerNorm layer_norm(const LayerNormInputs& inputs) {
    const auto& [input, gamma, beta, epsilon] = inputs;
    nn::LayerNormPass<float> pass = nn::layer_norm<double, float>(input, gamma, beta, epsilon);
    const auto output = nn::moments<double, float>(pass.output);
    if (!std::isfinite(output.variance)) {
        throw InputRejection({"gamma", "beta"}, "the output's variance is not finite in binary32",
                             "values that leave deviations with squares of at most 3.4e38");
    }
    LayerNorm evidence{inputs,      std::move(pass), plain_layer_norm(input, epsilon).output,
                       output.mean, output.variance, {}};
    evidence.checks = normalized_checks(evidence);
    return evidence;
}

Record results(const LayerNorm& evidence) {
    return Record().add("layer_norm",
                        Record()
                            .add("input", figures(evidence.inputs.input, {1}))
                            .add("output", figures(evidence.pass.output, {4, numeric::Plus::shown}))
                            .add("output_mean", figure(evidence.output_mean, {6}))
                            .add("output_variance", figure(evidence.output_variance, {6}))
                            .add("mean", figure(evidence.pass.mean, {2}))
                            .add("variance", figure(evidence.pass.variance, {2}))
                            .add("inverse_standard_deviation",
                                 figure(evidence.pass.inverse_standard_deviation, {4})));
}

std::string text(const LayerNorm& evidence, Extent extent) {
    return default_text(results(evidence), extent) + note_lines(notes(evidence)) +
           note("mean and inverse_standard_deviation are what a backward pass needs");
}

std::vector<std::string> notes(const LayerNorm& evidence) {
    if (evidence.pass.variance != 0) return {};
    const Vector& input = evidence.inputs.input;
    const bool centered = std::all_of(input.begin(), input.end(),
                                      [&](float value) { return value == evidence.pass.mean; });
    return {centered ? "the variance is zero: every deviation is zero, epsilon alone is divided "
                       "by, and the output is beta"
                     : "the variance is zero though deviations are not: their mean square is too "
                       "small for binary32; epsilon alone is divided by"};
}

std::vector<Check> normalized_checks(const LayerNorm& evidence) {
    const NormBounds bounds = layer_norm_bounds(evidence.inputs.input, evidence.inputs.epsilon);
    const auto width = static_cast<double>(evidence.normalized.size());
    const std::vector<double> normalized = widened(evidence.normalized);
    const double mean = nn::mean<double, double>(normalized);
    const double variance = nn::variance<double, double>(normalized, mean);
    const double expected = bounds.square * bounds.inverse * bounds.inverse;
    // The exact values have a mean of zero and the expected mean square; the mean's own square is
    // what a variance lacks.
    double mean_error = 0;
    double square_error = 0;
    for (std::size_t i = 0; i < bounds.error.size(); ++i) {
        const double error = bounds.error[i];
        mean_error += error / width;
        square_error += (2 * std::fabs(bounds.normalized[i]) + error) * error / width;
    }
    return {at_most("normalized-mean", "the normalized vector's mean is zero to rounding",
                    std::fabs(mean), mean_error),
            at_most("normalized-variance",
                    "the normalized vector's variance is variance / (variance + epsilon) to "
                    "rounding",
                    std::fabs(variance - expected), square_error + mean_error * mean_error)};
}

nn::LayerNormPass<float> plain_layer_norm(const Vector& input, float epsilon) {
    return nn::layer_norm<double, float>(input, epsilon);
}

}  // namespace rmsnorm::experiments::normalization
