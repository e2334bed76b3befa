// Distance between two numbers, counted in representable numbers.
#pragma once

#include <cstdint>

namespace rmsnorm::numeric {

/// How many steps along the representable numbers lead from `a` to `b`; +0 and -0 are one number.
/// Infinity is the number after the largest finite one. Neither argument may be a NaN.
std::uint64_t ulp_distance(double a, double b);
std::uint32_t ulp_distance(float a, float b);

}  // namespace rmsnorm::numeric
