// Exercise 1: a vector of equal values through LayerNorm and RMSNorm, with epsilon and without.
#pragma once

#include <string>

#include "evidence/check.hpp"
#include "evidence/default_text.hpp"
#include "evidence/input.hpp"
#include "experiments/normalization/vectors.hpp"

namespace rmsnorm::experiments::normalization {

struct ConstantInputs {
    float value = 5;
    std::size_t width = 4;
    float epsilon = values::epsilon;
    bool unguarded = false;  // also shows what each refusal keeps out

    std::vector<Input> declared();
};

struct ConstantOutcome {
    std::string norm;  // "layer-norm", "rms-norm"
    float epsilon;
    bool rejected;
    std::string message;  // of the rejection
    Vector output;        // when not rejected
    Vector unguarded;     // when rejected: zero times 1 / sqrt(0)
};

struct Constant {
    ConstantInputs inputs;
    std::vector<ConstantOutcome> outcomes;  // both norms with epsilon, and without unless it is 0
    std::vector<Check> checks;
};

/// Throws nn::NormalizationError for what is rejected with epsilon too.
Constant constant(const ConstantInputs& inputs);

Record results(const Constant& evidence);
std::string text(const Constant& evidence, Extent extent);

std::vector<Check> constant_checks(const Constant& evidence);

}  // namespace rmsnorm::experiments::normalization
