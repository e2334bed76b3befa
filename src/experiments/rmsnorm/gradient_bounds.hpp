// What rounding and the step do at most to the central differences of a layer's loss.
// docs/checks.md derives it.
#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "evidence/gradient_decision.hpp"
#include "evidence/rows.hpp"
#include "experiments/rmsnorm/gradient_probe.hpp"

namespace rmsnorm::experiments {

/// A loss of so few terms costs nothing and rounds little: it is summed whole.
inline constexpr std::size_t whole_loss = 16;

double max_norm(std::span<const double> values);

/// The root of a row's mean square and epsilon.
double rms_of(const ScaledRow& row);

/// Of a difference over twice the step, of losses with these weights: half of the smallest number
/// for each normalized value and each output, before they are multiplied on, and for each term.
double lost_losses(const std::vector<double>& weights, double step);

/// Each coordinate of `check`, made by `probe_gradient` in units of one, with what rounding and the
/// step may have done to it.
std::vector<ComparedSlope> compared_slopes(const LayerCase& layer_case, ProbedTensor probed,
                                           const autodiff::GradientCheck& check);

}  // namespace rmsnorm::experiments
