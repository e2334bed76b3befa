// Experiment: LayerNorm forward with gamma and beta, in binary32.
#pragma once

#include "evidence/check.hpp"
#include "experiments/normalization/vectors.hpp"
#include "nn/vector_norm.hpp"

namespace rmsnorm::experiments::normalization {

struct LayerNormCase {
    Vector input;
    Vector gamma;
    Vector beta;
    float epsilon;
};

struct LayerNorm {
    LayerNormCase inputs;
    nn::LayerNormPass<float> pass;  // mean and inverse deviation are saved for the backward pass
    Vector normalized;              // before gamma and beta
    float output_mean;
    float output_variance;
    std::vector<Check> checks;
};

LayerNormCase book_layer_norm_case();

/// Throws nn::NormalizationError.
LayerNorm layer_norm(const LayerNormCase& layer_norm_case);

Record inputs(const LayerNorm& evidence);
Record results(const LayerNorm& evidence);

/// The object `layer_norm` of a report.
Record layer_norm_record(const LayerNorm& evidence);

/// The normalized vector's mean is zero and its variance is `variance / (variance + epsilon)`, both
/// to rounding.
std::vector<Check> normalized_checks(const LayerNorm& evidence);

/// LayerNorm with a gamma of ones and a beta of zeros.
nn::LayerNormPass<float> plain_layer_norm(const Vector& input, float epsilon);

}  // namespace rmsnorm::experiments::normalization
