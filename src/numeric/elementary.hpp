// The elementary functions. Every exponential and logarithm of the project is one of these.
#pragma once

namespace rmsnorm::numeric {

/// e to the power `x`, binary64.
double exp(double x);

/// Natural logarithm of `x`, binary64.
double log(double x);

}  // namespace rmsnorm::numeric
