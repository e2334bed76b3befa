#include "experiments/normalization/rms_norm.hpp"

#include <cmath>

#include "experiments/normalization/bounds.hpp"

namespace rmsnorm::experiments::normalization {

std::vector<Input> RmsNormInputs::declared() {
    return {vector_input("input", input, "the vector", {1}),
            vector_input("gamma", gamma, "the scale", {4}, "ones"), epsilon_input(epsilon)};
}

void RmsNormInputs::complete(const Given& given) {
    complete_width(given, "gamma", gamma, input, 1);
}

RmsNorm rms_norm(const RmsNormInputs& inputs) {
    const auto& [input, gamma, epsilon] = inputs;
    nn::RmsNormPass<float> pass = nn::rms_norm<double, float>(input, gamma, epsilon);
    const double output_rms = root_mean_square(pass.output);
    nn::require_finite("RMSNorm", 0, output_rms);
    RmsNorm evidence{
        inputs, std::move(pass), plain_rms_norm(input, epsilon).output, output_rms, {}};
    evidence.checks = {normalized_rms_check(evidence)};
    return evidence;
}

Record results(const RmsNorm& evidence) {
    return Record().add("rms_norm",
                        Record()
                            .add("input", figures(evidence.inputs.input, {1}))
                            .add("output", figures(evidence.pass.output, {4, numeric::Plus::shown}))
                            .add("output_rms", figure64(evidence.output_rms, {6}))
                            .add("mean_square", figure(evidence.pass.mean_square, {2}))
                            .add("inverse_rms", figure(evidence.pass.inverse_rms, {4})));
}

Check normalized_rms_check(const RmsNorm& evidence) {
    const NormBounds bounds = rms_norm_bounds(evidence.inputs.input, evidence.inputs.epsilon);
    return at_most("normalized-rms",
                   "the normalized vector's RMS is sqrt(mean_square / (mean_square + epsilon)) to "
                   "rounding",
                   std::fabs(magnitude(evidence.normalized) - normalized_rms(bounds)),
                   rms_error(bounds));
}

nn::RmsNormPass<float> plain_rms_norm(const Vector& input, float epsilon) {
    return nn::rms_norm<double, float>(input, epsilon);
}

}  // namespace rmsnorm::experiments::normalization
