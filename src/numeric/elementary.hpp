// The elementary functions, correctly rounded. Every exponential and logarithm of the project is
// one of these, so that its last bit is the same on every machine.
#pragma once

namespace rmsnorm::numeric {

/// e to the power `x`: the binary64 number nearest to the real value, ties to even, for every `x`,
/// also where the result is subnormal. exp(-inf) is +0, exp(inf) is inf, the exponential of a NaN
/// is a NaN. Requires rounding to nearest; docs/elementary-functions.md has the proof.
double exp(double x);

/// Natural logarithm of `x`: the binary64 number nearest to the real value, ties to even, for every
/// `x`, also a subnormal one. log(1) is +0, log(+0) and log(-0) are -inf, log(inf) is inf; the
/// logarithm of a negative number or a NaN is a NaN. Requires rounding to nearest.
double log(double x);

}  // namespace rmsnorm::numeric
