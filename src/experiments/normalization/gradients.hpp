// Gradients in binary64 by two ways, and how far they are from each other.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

namespace rmsnorm::experiments::normalization {

/// The most representable numbers between components of `a` and `b`, which have one width.
std::uint64_t largest_ulp(std::span<const double> a, std::span<const double> b);

/// The largest `|a - b|` in units of `unit * magnitude`, where `magnitude` holds the size of the
/// terms that cancelled into each component. A component whose terms are all zero counts only when
/// it differs: then the result is infinite.
double largest_error(std::span<const double> a, std::span<const double> b,
                     std::span<const double> magnitude, double unit);

}  // namespace rmsnorm::experiments::normalization
