// Exercise 1: a vector of equal values through LayerNorm and RMSNorm, with epsilon and without.
#pragma once

#include <string>

#include "evidence/check.hpp"
#include "experiments/normalization/vectors.hpp"

namespace rmsnorm::experiments::normalization {

struct ConstantCase {
    float value;
    std::size_t width;
    float epsilon;
    bool unguarded = false;  // also shows what each refusal keeps out
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
    ConstantCase inputs;
    std::vector<ConstantOutcome> outcomes;  // both norms with epsilon, and without unless it is 0
    std::vector<Check> checks;
};

ConstantCase book_constant_case();  // [5, 5, 5, 5]

/// Throws nn::NormalizationError for what is rejected with epsilon too.
Constant constant(const ConstantCase& constant_case);

Record inputs(const Constant& evidence);
Record results(const Constant& evidence);

/// The object `constant` of a report.
Record constant_record(const Constant& evidence);

std::vector<Check> constant_checks(const Constant& evidence);

}  // namespace rmsnorm::experiments::normalization
