// Experiment: what a positive factor on the input does to the RMS-rescaled vector, before any gain.
#pragma once

#include <string_view>
#include <vector>

#include "evidence/check.hpp"
#include "evidence/record.hpp"
#include "tensor/tensor.hpp"

namespace rmsnorm::evidence {

/// What decides the denominator: epsilon is zero; the input's mean square, at least epsilon; or
/// epsilon.
enum class ScaleMode { ideal, production, near_zero };

std::string_view name(ScaleMode mode);  // "ideal", "production", "near-zero"

struct ScaleComparison {
    ScaleMode mode;
    tensor::Tensor input;  // [..., d]
    double epsilon;
    double factor;
    tensor::Tensor base;    // the input, normalized
    tensor::Tensor scaled;  // factor * input, normalized
    double max_abs_diff;    // between `base` and `scaled`
};

struct Scale {
    std::vector<ScaleComparison> comparisons;
    std::vector<Check> checks;
};

struct ScaleCase {
    tensor::Tensor input;
    double epsilon;
    double factor;
};

/// The chapter's three: ideal, production, near-zero.
std::vector<ScaleCase> chapter_scale_cases();

/// One input with every epsilon, and each epsilon with every factor.
std::vector<ScaleCase> combinations(const tensor::Tensor& input,
                                    const std::vector<double>& epsilons,
                                    const std::vector<double>& factors);

/// Throws FactorError.
Scale scale(const std::vector<ScaleCase>& cases);

Record inputs(const Scale& evidence);
Record results(const Scale& evidence);

/// The array `scales` of a report.
Array scales_array(const Scale& evidence);

}  // namespace rmsnorm::evidence
