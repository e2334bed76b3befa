// Exercise 4: the arithmetic of LayerNorm and RMSNorm, counted while the same code runs.
#pragma once

#include <cstdint>

#include "evidence/check.hpp"
#include "evidence/default_text.hpp"
#include "evidence/input.hpp"
#include "numeric/operation_counter.hpp"

namespace rmsnorm::experiments::normalization {

struct CostInputs {
    std::size_t width = 512;

    std::vector<Input> declared();
};

struct NormCost {
    numeric::OperationCounts counts;
    std::uint64_t parameters;
};

struct Cost {
    CostInputs inputs;
    NormCost layer_norm;  // with gamma and beta
    NormCost rms_norm;    // with gamma
    double ratio;         // of all operations, LayerNorm to RMSNorm
    std::vector<Check> checks;
};

/// Throws nn::NormalizationError (EmptyVector).
Cost cost(const CostInputs& inputs);

std::uint64_t total(const numeric::OperationCounts& counts);

Record results(const Cost& evidence);
std::string text(const Cost& evidence, Extent extent);

/// The counts against those read off the formulas.
std::vector<Check> cost_checks(const Cost& evidence);

}  // namespace rmsnorm::experiments::normalization
