// Experiment: the statistics of two vectors of one shape and of very different scales.
#pragma once

#include <string>
#include <vector>

#include "evidence/check.hpp"
#include "evidence/default_text.hpp"
#include "evidence/input.hpp"
#include "experiments/normalization/vectors.hpp"

namespace rmsnorm::experiments::normalization {

struct StatsInputs {
    Vector a = values::hundreds();
    Vector b = values::thousandths();

    std::vector<Input> declared();
};

struct VectorStatistics {
    Vector input;
    float mean;
    float variance;
    float standard_deviation;  // the root of the variance, without epsilon
    float range;               // largest minus smallest value
    double span;               // range / standard_deviation; 0 when all values are equal
};

struct Stats {
    VectorStatistics a;
    VectorStatistics b;
    std::vector<Check> checks;
};

/// Throws nn::NormalizationError.
Stats stats(const StatsInputs& inputs);

Record results(const Stats& evidence);
std::string text(const Stats& evidence, Extent extent);

/// What the figures say in words.
std::vector<std::string> notes(const Stats& evidence);

/// Two ways to one number: the mean may be off by its own rounding only, and the variance agrees
/// with a binary64 computation that takes its deviations from the first value instead.
std::vector<Check> statistics_checks(const std::string& name, const VectorStatistics& statistics);

}  // namespace rmsnorm::experiments::normalization
