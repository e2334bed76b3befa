// Experiment: LayerNorm and RMSNorm on vectors that are centered, offset and mixed.
#pragma once

#include <string>
#include <vector>

#include "evidence/check.hpp"
#include "evidence/default_text.hpp"
#include "experiments/normalization/vectors.hpp"

namespace rmsnorm::experiments::normalization {

struct CompareInputs {
    float epsilon = values::epsilon;
    Vector zero_centered = {-2, -1, 0, 1, 2};
    Vector positive_offset = {8, 9, 10, 11, 12};
    Vector mixed = {3, -1, 0.5F, 2, -0.5F};

    std::vector<Input> declared();
};

struct Comparison {
    std::string name;
    Vector input = {};
    float mean = 0;
    Vector layer_norm = {};
    Vector rms_norm = {};
    float largest_difference = 0;  // between the two outputs
};

struct Compare {
    float epsilon = 0;
    std::vector<Comparison> comparisons = {{"zero-centered"}, {"positive-offset"}, {"mixed"}};
    std::vector<Check> checks;
};

/// Throws nn::NormalizationError.
Compare compare(const CompareInputs& inputs);

Record results(const Compare& evidence);
std::string text(const Compare& evidence, Extent extent);

/// What the figures say in words.
std::vector<std::string> notes(const Compare& evidence);

/// Where the mean is zero the two outputs are the same numbers; and neither output reorders values.
std::vector<Check> comparison_checks(const Comparison& comparison);

}  // namespace rmsnorm::experiments::normalization
