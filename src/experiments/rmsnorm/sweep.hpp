// Experiment: one vector scaled over decades, from where epsilon decides the denominator to where
// the signal does.
#pragma once

#include <cstddef>
#include <string_view>
#include <vector>

#include "evidence/check.hpp"
#include "evidence/default_text.hpp"
#include "evidence/input.hpp"
#include "evidence/record.hpp"
#include "experiments/rmsnorm/chapter_values.hpp"
#include "tensor/tensor.hpp"

namespace rmsnorm::experiments {

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

struct SweepInputs {
    tensor::Tensor input = chapter_values::input();  // [d]
    double epsilon = chapter_values::epsilon;
    double from = 1e-6;       // the first factor, positive
    double to = 1e2;          // the last one, greater than `from`
    std::size_t points = 17;  // at least 2

    std::vector<Input> declared();
    void complete(const Given& given) const;
};

struct Sweep {
    SweepInputs inputs;
    std::vector<SweepPoint> points;
    std::vector<Check> checks;
};

/// Factors from one to the next by the same ratio; those between the ends are rounded to six
/// significant decimal digits.
std::vector<double> sweep_factors(double from, double to, std::size_t points);

/// A unit gain. Throws FactorError: a product overflows, or every square of it is zero, so that it
/// has no epsilon-zero result. Throws nn::RmsNormError for a layer that does not exist.
Sweep sweep(const SweepInputs& sweep_case);

/// The same for a reader. Throws InputRejection in the place of FactorError.
Sweep explained_sweep(const SweepInputs& inputs);

Record results(const Sweep& evidence);
std::string text(const Sweep& evidence, Extent extent);

}  // namespace rmsnorm::experiments
