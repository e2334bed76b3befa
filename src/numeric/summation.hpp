// Three orders in which a machine may add up the same numbers (docs/summation.md). Each addition
// rounds, so that the orders differ in their last bits.
#pragma once

#include <span>

namespace rmsnorm::numeric {

/// `((0 + v0) + v1) + v2` and so on, started at +0.0: a loop with one accumulator.
double sum_ascending(std::span<const double> values);

/// The sum of the first half plus the sum of the rest, each taken likewise; for an odd count the
/// rest is the longer one. An empty sum is +0.0.
double sum_pairwise(std::span<const double> values);

/// The values at even indices in ascending order, plus those at odd indices in ascending order: a
/// loop over vector registers of two lanes.
double sum_two_lanes(std::span<const double> values);

}  // namespace rmsnorm::numeric
