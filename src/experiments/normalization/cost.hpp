// Exercise 4: the arithmetic of LayerNorm and RMSNorm, counted while the same code runs.
#pragma once

#include <cstdint>

#include "evidence/check.hpp"
#include "numeric/counted.hpp"

namespace rmsnorm::experiments::normalization {

struct NormCost {
    numeric::OperationCounts counts;
    std::uint64_t parameters;
};

struct Cost {
    std::size_t width;
    NormCost layer_norm;  // with gamma and beta
    NormCost rms_norm;    // with gamma
    double ratio;         // of all operations, LayerNorm to RMSNorm
    std::vector<Check> checks;
};

inline constexpr std::size_t book_cost_width = 512;

/// Throws nn::NormalizationError (EmptyVector).
Cost cost(std::size_t width);

std::uint64_t total(const numeric::OperationCounts& counts);

Record inputs(const Cost& evidence);
Record results(const Cost& evidence);

/// The object `cost` of a report.
Record cost_record(const Cost& evidence);

/// The counts against those read off the formulas.
std::vector<Check> cost_checks(const Cost& evidence);

}  // namespace rmsnorm::experiments::normalization
