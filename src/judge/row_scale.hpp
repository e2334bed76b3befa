// What RMSNorm makes of a row is one number, its reciprocal RMS, times input and gain. Every right
// implementation computes that number to within a bound that holds for any order of the sum.
#pragma once

#include <cstddef>

#include "judge/double_double.hpp"
#include "numeric/number_format.hpp"

namespace rmsnorm::judge {

/// What is known of a row's scale: it is at least `low` and at most `high`. Nothing fits an
/// interval with `low > high`.
struct ScaleInterval {
    DoubleDouble low;
    DoubleDouble high;

    bool empty() const { return low > high; }
    bool meets(const ScaleInterval& other) const;
};

/// A formula's scale with its bound: from `exact (1 - below)` to `exact (1 + above)`.
struct Scale {
    DoubleDouble exact;
    double below = 0;
    double above = 0;

    ScaleInterval interval() const;
};

/// The relative bound of a computed `(mean + addend)^(-1/2)`, where `mean` is a mean of `width`
/// nonnegative terms that pass at most `width + 8` roundings of `arithmetic` each, in any order of
/// summation, with or without fused multiply-add, with squares flushed to zero, and the root has an
/// error of a few units. `mean_share` is `mean / (mean + addend)`; `amplification` multiplies the
/// relative error of the mean. `above` is infinite where no bound holds.
struct ScaleBound {
    double below = 0;
    double above = 0;
};
ScaleBound scale_bound(numeric::NumberFormat arithmetic, std::size_t width, double mean_share,
                       double denominator, double amplification = 1);

/// `denominator^(-1/2)` with that bound. `denominator` is `mean + addend`, above 0.
Scale reciprocal_root(numeric::NumberFormat arithmetic, std::size_t width, DoubleDouble mean,
                      DoubleDouble denominator, double amplification = 1);

/// How far `measured` is from the formula's exact scale, in unit roundoffs of `arithmetic`; 0 when
/// it holds that scale.
double distance_in_roundoffs(const ScaleInterval& measured, DoubleDouble exact,
                             numeric::NumberFormat arithmetic);

/// The same as a part of the formula's bound: at most 1 when the two meet.
double distance_in_bounds(const ScaleInterval& measured, const Scale& scale);

}  // namespace rmsnorm::judge
