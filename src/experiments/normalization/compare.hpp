// Experiment: LayerNorm and RMSNorm on vectors that are centered, offset and mixed.
#pragma once

#include <string>

#include "evidence/check.hpp"
#include "experiments/normalization/vectors.hpp"

namespace rmsnorm::experiments::normalization {

struct ComparisonCase {
    std::string name;
    Vector input;
};

struct Comparison {
    std::string name;
    Vector input;
    float mean;
    Vector layer_norm;
    Vector rms_norm;
    float largest_difference;  // between the two outputs
};

struct Compare {
    float epsilon;
    std::vector<Comparison> comparisons;
    std::vector<Check> checks;
};

/// zero-centered, positive-offset, mixed.
std::vector<ComparisonCase> book_comparison_cases();

/// Throws nn::NormalizationError.
Compare compare(const std::vector<ComparisonCase>& cases, float epsilon);

Record inputs(const Compare& evidence);
Record results(const Compare& evidence);

/// The object `compare` of a report.
Record compare_record(const Compare& evidence);

/// Where the mean is zero the two outputs have the same bits; and neither output reorders values.
std::vector<Check> comparison_checks(const Comparison& comparison);

}  // namespace rmsnorm::experiments::normalization
