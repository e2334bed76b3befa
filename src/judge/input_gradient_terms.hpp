// What a formula makes of a row's input gradient, with the bound that every right program for that
// formula keeps.
#pragma once

#include <cstddef>
#include <vector>

#include "judge/gradient_reader.hpp"

namespace rmsnorm::judge {

struct GradientRow {
    std::size_t index = 0;
    std::vector<double> input;
    std::vector<double> upstream;
    std::vector<double> found;
};

struct InputGradientErrors {
    std::vector<double> first;   // the term r G p
    std::vector<double> second;  // the one that is subtracted
    std::vector<double> exact;
    std::vector<double> bound;
    std::vector<double> part;  // of the bound that the error is; right up to 1

    double largest_part() const;
};

/// False where the row has no gradient by the formula. `factor_error` is the relative uncertainty
/// of factors that were read off the data.
///
/// With e the relative error of the scale, u the unit roundoff of the arithmetic, z that of the
/// narrowest format, T1 and T2 the two terms and Ta the second with magnitudes in its sum:
///
///     |T1| (e + 7u) + |T2| ((1+e)^3 - 1 + 15u) + Ta (n+4) u (1+e)^3 (1 + nu)
///     + Ta min(1, smallest normal / r^3) + z (1+4z) (2|T1| + |T2| + Ta)
///     + 2 smallest (1 + |G| + r + |x| r^2) + the last rounding
bool evaluate(const InputGradientFormula& formula, const GradientReader& reader,
              const GradientRoundings& roundings, const GradientRow& row, double factor_error,
              InputGradientErrors& errors);

}  // namespace rmsnorm::judge
