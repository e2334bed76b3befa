// Experiment: one vector scaled over decades, from where epsilon decides the denominator to where
// the signal does.
#pragma once

#include <cstddef>
#include <string_view>
#include <vector>

#include "evidence/check.hpp"
#include "evidence/record.hpp"
#include "tensor/tensor.hpp"

namespace rmsnorm::evidence {

/// By the closed form ms / (ms + epsilon): at most 0.01, between, at least 0.99.
enum class Regime { epsilon, transition, signal };

std::string_view name(Regime regime);  // "epsilon", "transition", "signal"

struct SweepPoint {
    double factor;
    double mean_square;             // of factor * input
    double normalized_mean_square;  // measured
    double closed_form;             // mean_square / (mean_square + epsilon)
    double max_abs_diff;            // between the results with epsilon and with epsilon zero
    Regime regime;
};

struct SweepCase {
    tensor::Tensor input;  // [d]
    double epsilon;
    double from;         // the first factor, positive
    double to;           // the last one, greater than `from`
    std::size_t points;  // at least 2
};

struct Sweep {
    SweepCase inputs;
    std::vector<SweepPoint> points;
    std::vector<Check> checks;
};

/// The chapter's input and epsilon, eight decades of factors, two a decade.
SweepCase chapter_sweep_case();

/// Factors from one to the next by the same ratio; those between the ends are rounded to six
/// significant decimal digits.
std::vector<double> sweep_factors(double from, double to, std::size_t points);

/// A unit gain. Throws FactorError: a product overflows, or every square of it is zero, so that it
/// has no epsilon-zero result. Throws nn::RmsNormError for a layer that does not exist.
Sweep sweep(const SweepCase& sweep_case);

Record inputs(const Sweep& evidence);
Record results(const Sweep& evidence);

}  // namespace rmsnorm::evidence
