// The two phases behind exp and log, each on its own: for the functions themselves and for tests.
#pragma once

namespace rmsnorm::numeric {

/// What a fast phase finds.
struct FastResult {
    double value;  // the nearest binary64 number, or one of the two nearest
    bool certain;  // whether the error bound leaves only one number to round to: `value`
};

/// Whether the phases of exp apply: 2^-54 <= |x|, and e^x neither overflows nor rounds to zero.
/// Every other argument has a result that needs no computation.
bool exp_needs_phases(double x);

/// e to the power `x`, for an `x` that needs the phases.
FastResult exp_fast(double x);
double exp_accurate(double x);

/// Whether the phases of log apply: `x` is positive and finite.
bool log_needs_phases(double x);

/// Natural logarithm of `x`, for an `x` that needs the phases.
FastResult log_fast(double x);
double log_accurate(double x);

}  // namespace rmsnorm::numeric
