// Experiment: LayerNorm forward with gamma and beta, in binary32.
#pragma once

#include <string>
#include <vector>

#include "evidence/check.hpp"
#include "evidence/default_text.hpp"
#include "evidence/input.hpp"
#include "experiments/normalization/vectors.hpp"
#include "nn/vector_norm.hpp"

namespace rmsnorm::experiments::normalization {

struct LayerNormInputs {
    Vector input = values::hundreds();
    Vector gamma = ones(6);
    Vector beta = zeros(6);
    float epsilon = values::epsilon;

    std::vector<Input> declared();
    void complete(const Given& given);
};

struct LayerNorm {
    LayerNormInputs inputs;
    nn::LayerNormPass<float> pass;  // mean and inverse deviation are saved for the backward pass
    Vector normalized;              // before gamma and beta
    float output_mean;
    float output_variance;
    std::vector<Check> checks;
};

/// Throws nn::NormalizationError.
LayerNorm layer_norm(const LayerNormInputs& inputs);

Record results(const LayerNorm& evidence);
std::string text(const LayerNorm& evidence, Extent extent);

/// What the figures say in words.
std::vector<std::string> notes(const LayerNorm& evidence);

/// The normalized vector's mean is zero and its variance is `variance / (variance + epsilon)`, both
/// to rounding.
std::vector<Check> normalized_checks(const LayerNorm& evidence);

/// LayerNorm with a gamma of ones and a beta of zeros.
nn::LayerNormPass<float> plain_layer_norm(const Vector& input, float epsilon);

}  // namespace rmsnorm::experiments::normalization
