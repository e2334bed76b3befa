// Experiment: RMSNorm forward with gamma, in binary32.
#pragma once

#include "evidence/check.hpp"
#include "evidence/input.hpp"
#include "experiments/normalization/vectors.hpp"
#include "nn/vector_norm.hpp"

namespace rmsnorm::experiments::normalization {

struct RmsNormInputs {
    Vector input = values::hundreds();
    Vector gamma = ones(6);
    float epsilon = values::epsilon;

    std::vector<Input> declared();
    void complete(const Given& given);
};

struct RmsNorm {
    RmsNormInputs inputs;
    nn::RmsNormPass<float> pass;
    Vector normalized;  // before gamma
    double output_rms;
    std::vector<Check> checks;
};

/// Throws nn::NormalizationError.
RmsNorm rms_norm(const RmsNormInputs& inputs);

Record results(const RmsNorm& evidence);

/// The normalized vector's RMS is `sqrt(mean_square / (mean_square + epsilon))` to rounding.
Check normalized_rms_check(const RmsNorm& evidence);

/// RMSNorm with a gamma of ones.
nn::RmsNormPass<float> plain_rms_norm(const Vector& input, float epsilon);

}  // namespace rmsnorm::experiments::normalization
