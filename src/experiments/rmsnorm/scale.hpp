// Experiment: what a positive factor on the input does to the RMS-rescaled vector, before any gain.
#pragma once

#include <string_view>
#include <vector>

#include "evidence/check.hpp"
#include "evidence/default_text.hpp"
#include "evidence/input.hpp"
#include "evidence/record.hpp"
#include "tensor/tensor.hpp"

namespace rmsnorm::experiments {

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

struct ScaleCase {
    tensor::Tensor input;
    double epsilon;
    double factor;
};

/// Without a value of the reader's: the chapter's three comparisons.
struct ScaleInputs {
    ScaleInputs();

    std::vector<Input> declared();
    void complete(const Given& given);
    std::vector<ScaleCase> cases() const;

    tensor::Tensor input;  // [..., d]
    std::vector<double> epsilons;
    std::vector<double> factors;   // each with every epsilon
    std::vector<Record> compared;  // one a comparison
};

struct Scale {
    std::vector<ScaleComparison> comparisons;
    std::vector<Check> checks;
};

/// The chapter's three: ideal, production, near-zero.
std::vector<ScaleCase> chapter_scale_cases();

/// One input with every epsilon, and each epsilon with every factor.
std::vector<ScaleCase> combinations(const tensor::Tensor& input,
                                    const std::vector<double>& epsilons,
                                    const std::vector<double>& factors);

/// Throws FactorError.
Scale scale(const std::vector<ScaleCase>& cases);

/// The same for a reader. Throws InputRejection in the place of FactorError.
Scale explained_scale(const ScaleInputs& inputs);

Record results(const Scale& evidence);
std::string text(const Scale& evidence, Extent extent);

/// The array `scales` of a report.
Array scales_array(const Scale& evidence);

}  // namespace rmsnorm::experiments
