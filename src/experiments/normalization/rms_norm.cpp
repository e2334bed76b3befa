#include "experiments/normalization/rms_norm.hpp"

#include <cmath>

namespace rmsnorm::experiments::normalization {

RmsNormCase book_rms_norm_case() {
    const Vector input = values::hundreds();
    return {input, ones(input.size()), values::epsilon};
}

RmsNorm rms_norm(const RmsNormCase& rms_norm_case) {
    const auto& [input, gamma, epsilon] = rms_norm_case;
    nn::RmsNormPass<float> pass = nn::rms_norm<double, float>(input, gamma, epsilon);
    const double output_rms = root_mean_square(pass.output);
    nn::require_finite("RMSNorm", 0, output_rms);
    RmsNorm evidence{
        rms_norm_case, std::move(pass), plain_rms_norm(input, epsilon).output, output_rms, {}};
    evidence.checks = {normalized_rms_check(evidence)};
    return evidence;
}

Record inputs(const RmsNorm& evidence) {
    return Record()
        .add("input", figures(evidence.inputs.input, {1}))
        .add("gamma", figures(evidence.inputs.gamma, {4}))
        .add("epsilon", figure(evidence.inputs.epsilon, {6}));
}

Record results(const RmsNorm& evidence) {
    return Record().add("rms_norm", rms_norm_record(evidence));
}

Record rms_norm_record(const RmsNorm& evidence) {
    return Record()
        .add("input", figures(evidence.inputs.input, {1}))
        .add("output", figures(evidence.pass.output, {4, numeric::Plus::shown}))
        .add("output_rms", figure64(evidence.output_rms, {6}))
        .add("mean_square", figure(evidence.pass.mean_square, {2}))
        .add("inverse_rms", figure(evidence.pass.inverse_rms, {4}));
}

Check normalized_rms_check(const RmsNorm& evidence) {
    const auto square = static_cast<double>(evidence.pass.mean_square);
    const double expected =
        std::sqrt(square / (square + static_cast<double>(evidence.inputs.epsilon)));
    // In units: 2.5 for the inverse, 1 for its product and half of the 2 in the mean square make
    // 4.5; the rest is for terms of second order. Squares may be subnormal.
    const double bound = 6 * binary32_unit * expected + 0x1p-70;
    return at_most("normalized-rms",
                   "the normalized vector's RMS is sqrt(mean_square / (mean_square + epsilon)) to "
                   "rounding",
                   std::fabs(magnitude(evidence.normalized) - expected), bound);
}

nn::RmsNormPass<float> plain_rms_norm(const Vector& input, float epsilon) {
    const Vector gamma = ones(input.size());
    return nn::rms_norm<double, float>(input, gamma, epsilon);
}

}  // namespace rmsnorm::experiments::normalization
