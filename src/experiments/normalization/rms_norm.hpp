// Experiment: RMSNorm forward with gamma, in binary32.
#pragma once

#include "evidence/check.hpp"
#include "experiments/normalization/vectors.hpp"
#include "nn/vector_norm.hpp"

namespace rmsnorm::experiments::normalization {

struct RmsNormCase {
    Vector input;
    Vector gamma;
    float epsilon;
};

struct RmsNorm {
    RmsNormCase inputs;
    nn::RmsNormPass<float> pass;
    Vector normalized;  // before gamma
    double output_rms;
    std::vector<Check> checks;
};

RmsNormCase book_rms_norm_case();

/// Throws nn::NormalizationError.
RmsNorm rms_norm(const RmsNormCase& rms_norm_case);

Record inputs(const RmsNorm& evidence);
Record results(const RmsNorm& evidence);

/// The object `rms_norm` of a report.
Record rms_norm_record(const RmsNorm& evidence);

/// The normalized vector's RMS is `sqrt(mean_square / (mean_square + epsilon))` to rounding.
Check normalized_rms_check(const RmsNorm& evidence);

/// RMSNorm with a gamma of ones.
nn::RmsNormPass<float> plain_rms_norm(const Vector& input, float epsilon);

}  // namespace rmsnorm::experiments::normalization
