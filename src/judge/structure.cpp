#include "judge/structure.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <type_traits>

namespace rmsnorm::judge {
namespace {

constexpr double infinity = std::numeric_limits<double>::infinity();
// For the judge's own roundings, in roundings of the arithmetic (docs/judge.md).
constexpr double own_error = 0.04;

// What a structure's tests need of the formats, computed once a row.
struct Measure {
    Structure structure;
    NumberFormat output;
    bool rounds_output;
    bool output_by_binary32;  // the last rounding, and that to the inner format, may be two
    bool inner_by_binary32;
    double unit;            // unit roundoff of the arithmetic
    double slack;           // relative error of all products
    double absolute;        // of an output that no last rounding makes: absolute / (1 + |gain|)
    double flushed;         // of an output of zero
    double inner_flushed;   // of an inner product of zero
    double loose_relative;  // relative error of two more roundings
    double loose_absolute;
};

double flush_bound(NumberFormat format) {
    // binary16 hardware keeps subnormal numbers; others may flush them.
    return format == NumberFormat::binary16 ? numeric::smallest_subnormal(format) / 2
                                            : numeric::smallest_normal(format);
}

Measure measure_of(const Structure& structure, const Formats& formats) {
    const NumberFormat arithmetic = formats.arithmetic();
    Measure m{};
    m.structure = structure;
    m.output = formats.output;
    m.rounds_output = formats.rounds_output();
    m.output_by_binary32 = formats.may_pass_binary32(formats.output);
    m.inner_by_binary32 = formats.may_pass_binary32(structure.inner);
    m.unit = numeric::unit_roundoff(arithmetic);
    const bool two_steps = structure.factoring != Factoring::once && !structure.loose;
    m.slack = (structure.roundings / (two_steps ? 2 : 1) + own_error) * m.unit;
    // The doubles between the two steps of binary64 data round once more each.
    if (two_steps && arithmetic == NumberFormat::binary64) m.slack += 3 * m.unit;
    m.absolute = arithmetic == NumberFormat::binary64 ? numeric::smallest_subnormal(arithmetic)
                                                      : numeric::smallest_normal(arithmetic);
    m.flushed = flush_bound(formats.output);
    m.inner_flushed = flush_bound(structure.inner);
    if (structure.loose && m.rounds_output) {
        m.loose_relative = 4.1 * numeric::unit_roundoff(formats.output);
        m.loose_absolute = 2 * numeric::smallest_subnormal(formats.output);
    }
    return m;
}

// The reals that become `value`, which is not negative or -0, when they are rounded to the format.
numeric::Interval reals_of(NumberFormat format, bool by_binary32, double value) {
    numeric::Interval reals = numeric::preimage(format, value);
    if (by_binary32) {
        if (reals.low > 0) reals.low = numeric::preimage(NumberFormat::binary32, reals.low).low;
        reals.high = numeric::preimage(NumberFormat::binary32, reals.high).high;
    }
    return reals;
}

// The reals of which the last rounding may make `value`, which is not negative or -0.
numeric::Interval before_last_rounding(const Measure& m, double value, double gain) {
    numeric::Interval interval;
    if (!m.rounds_output) {
        if (std::isinf(value)) return {numeric::largest_finite(m.output), infinity};
        const double absolute = m.absolute * (1 + gain);
        interval = {value - absolute, value + absolute};
    } else if (m.structure.truncated) {
        interval = {value, numeric::next_up(m.output, value)};
        // A product of two numbers of p bits is exact, and ends 2^-p of the gap below the next.
        if (m.structure.factoring == Factoring::value_first && numeric::is_in(m.output, gain) &&
            value >= numeric::smallest_normal(m.output)) {
            interval.high -= (interval.high - value) * numeric::unit_roundoff(m.output);
        }
        if (value == 0) interval.high = std::max(interval.high, m.flushed);
        if (std::isinf(value)) interval.low = numeric::largest_finite(m.output);
    } else {
        interval = reals_of(m.output, m.output_by_binary32, value);
        if (value == 0) interval.high = std::max(interval.high, m.flushed);
    }
    if (m.structure.loose) {
        interval.low -= interval.low * m.loose_relative + m.loose_absolute;
        interval.high += interval.high * m.loose_relative + m.loose_absolute;
    }
    return interval;
}

// Products and quotients as exact as the arithmetic asks for.
double product_of(double a, double b, double) { return a * b; }
DoubleDouble product_of(double a, double b, DoubleDouble) { return product(a, b); }

template <class Real>
struct Bounds {
    Real low;
    Real high;
};

// Of a quotient of this size nothing is known to the last digits.
bool out_of_range(double magnitude) { return magnitude < 0x1p-900 || magnitude > 0x1p900; }

template <class Real>
Bounds<Real> divided(const numeric::Interval& interval, Real divisor, double slack) {
    if (out_of_range(as_double(divisor))) return {0.0, infinity};
    const auto quotient = [&](double end, double change) -> Real {
        // The product that tells the rest of a quotient of doubles may overflow, and be a NaN then.
        if (end < 0x1p960) return changed_by(Real(end) / divisor, change);
        return end / as_double(divisor) * (1 + change + std::copysign(0x1p-50, change));
    };
    const Real low = interval.low > 0 ? quotient(interval.low, -slack) : Real(0.0);
    return {low, quotient(interval.high, slack)};
}

constexpr double nothing_fits = -1;

// A product that is rounded to the inner format: at once, or after a rounding of the arithmetic,
// which may leave it on the other side of a midpoint.
numeric::Interval inner_product(const Measure& m, double a, double b) {
    const auto rounded = [&](double value) { return numeric::round_to(m.structure.inner, value); };
    const double product = a * b;
    const double error =
        product * (m.inner_by_binary32 ? numeric::unit_roundoff(NumberFormat::binary32) : m.unit);
    return {rounded(product - error), rounded(product + error)};
}

template <class Real>
Bounds<Real> possible(const Measure& m, double input, double gain, double output, double error) {
    if (std::isnan(output)) return {infinity, nothing_fits};
    const double a = std::fabs(input);
    const double b = std::fabs(gain);
    const double value = std::signbit(input) != std::signbit(gain) ? -output : output;
    const double slack = m.slack + error;
    // An infinity, as of a gain beyond a lower format, times a scale is no number.
    if (std::isinf(a) || std::isinf(b)) {
        if (std::isinf(output)) return {0.0, infinity};
        return {infinity, nothing_fits};
    }
    if (a == 0 || b == 0) {
        const auto before = before_last_rounding(m, std::fabs(value), b);
        if (before.low <= 0) return {0.0, infinity};
        return {infinity, nothing_fits};
    }
    if (value < 0 && before_last_rounding(m, -value, b).low > 0) return {infinity, nothing_fits};
    numeric::Interval before = before_last_rounding(m, std::max(value, 0.0), b);
    if (value < 0) before = {0, before_last_rounding(m, 0.0, b).high};
    const Factoring factoring = m.structure.loose ? Factoring::once : m.structure.factoring;
    if (factoring == Factoring::once) {
        return divided(before, product_of(a, b, Real()), slack);
    }
    if (factoring == Factoring::product_first) {
        const numeric::Interval rounded = inner_product(m, a, b);
        if (std::isinf(rounded.low) && !std::isinf(output)) return {infinity, nothing_fits};
        if (std::isinf(rounded.high)) return {0.0, infinity};
        if (rounded.high == 0) {
            if (before.low <= 0) return {0.0, infinity};
            return {infinity, nothing_fits};
        }
        const Bounds<Real> bounds = divided(before, Real(rounded.high), slack);
        if (rounded.low == rounded.high) return bounds;
        return {bounds.low,
                rounded.low > 0 ? divided(before, Real(rounded.low), slack).high : Real(infinity)};
    }
    const double first = factoring == Factoring::value_first ? a : b;
    const double second = factoring == Factoring::value_first ? b : a;
    const Bounds<double> inner = divided(before, second, slack);
    const double lowest = numeric::round_up(m.structure.inner, inner.low);
    const double highest = numeric::round_down(m.structure.inner, inner.high);
    if (lowest > highest) return {infinity, nothing_fits};
    const auto inner_reals = [&](double rounded) {
        return reals_of(m.structure.inner, m.inner_by_binary32, rounded);
    };
    numeric::Interval range{0, infinity};
    if (lowest > 0) range.low = inner_reals(lowest).low;
    if (highest == 0) {
        range.high = std::max(inner_reals(0.0).high, m.inner_flushed);
    } else if (std::isfinite(highest)) {
        range.high = inner_reals(highest).high;
    }
    return divided(range, Real(first), slack);
}

template <class Real>
ScaleInterval row_interval(const Measure& m, const Elements& elements) {
    Real low = 0.0;
    Real high = infinity;
    const bool exact_input = elements.input_error.empty();
    for (std::size_t i = 0; i < elements.input.size(); ++i) {
        const double error = exact_input ? 0 : elements.input_error[i];
        if (error >= 0.5) continue;
        const auto bounds =
            possible<Real>(m, elements.input[i], elements.gain[i], elements.output[i], error);
        if (low < bounds.low) low = bounds.low;
        if (bounds.high < high) high = bounds.high;
        if (low > high) break;
    }
    return {DoubleDouble(low), DoubleDouble(high)};
}

// The usual case of a long row: no last rounding, and values far from underflow.
ScaleInterval plain_row_interval(const Measure& m, const Elements& elements) {
    double least = infinity;
    double most = 0;
    double low = 0;
    double high = infinity;
    const double slack = m.slack;
    for (std::size_t i = 0; i < elements.input.size(); ++i) {
        const double magnitude = elements.input[i] * elements.gain[i];
        const double output = elements.output[i];
        // Above this the absolute error is a part of 2^-64 of the output.
        if (magnitude != 0 && std::fabs(output) > 0x1p-60 && std::fabs(output) < 0x1p127 &&
            std::fabs(elements.gain[i]) < 8) {
            const double quotient = output / magnitude;
            least = quotient < least ? quotient : least;
            most = quotient > most ? quotient : most;
        } else {
            const auto bounds = possible<double>(m, elements.input[i], elements.gain[i], output, 0);
            low = std::max(low, bounds.low);
            high = std::min(high, bounds.high);
        }
    }
    if (least <= most) {
        low = std::max(low, changed_by(most, -slack));
        high = std::min(high, least > 0 ? changed_by(least, slack) : nothing_fits);
    }
    return {DoubleDouble(low), DoubleDouble(high)};
}

// A magnitude that is known to lie between two.
struct Magnitudes {
    DoubleDouble low;
    DoubleDouble high;

    Magnitudes times(double factor, double slack) const {
        return {changed_by(low * DoubleDouble(factor), -slack),
                changed_by(high * DoubleDouble(factor), slack)};
    }
};

// The numbers that a rounding to nearest may make of them, whichever way ties go.
numeric::Interval nearest(NumberFormat format, bool by_binary32, double flushed,
                          const Magnitudes& values) {
    double low = numeric::round_to(format, values.low.high);
    const double below = numeric::next_down(format, low);
    if (below >= 0 && reals_of(format, by_binary32, below).high >= values.low.high) low = below;
    if (values.low.high <= flushed) low = 0;
    double high = numeric::round_to(format, values.high.high);
    const double above = numeric::next_up(format, high);
    if (reals_of(format, by_binary32, above).low <= values.high.high) high = above;
    return {low, high};
}

double rounded_up(NumberFormat format, DoubleDouble value) {
    const double up = numeric::round_up(format, value.high);
    return up == value.high && value.low > 0 ? numeric::next_up(format, up) : up;
}

// The magnitudes that the last rounding may make.
numeric::Interval after_last_rounding(const Measure& m, const Magnitudes& values, double gain) {
    if (!m.rounds_output) {
        const DoubleDouble absolute = m.absolute * (1 + gain);
        return {rounded_up(m.output, values.low - absolute),
                -rounded_up(m.output, -(values.high + absolute))};
    }
    if (!m.structure.truncated) return nearest(m.output, m.output_by_binary32, m.flushed, values);
    double low = numeric::round_toward_zero(m.output, values.low.high);
    if (low == values.low.high && low > 0) low = numeric::next_down(m.output, low);
    return {values.low.high <= m.flushed ? 0 : low,
            values.high.high >= numeric::largest_finite(m.output)
                ? infinity
                : numeric::round_toward_zero(m.output, values.high.high)};
}

}  // namespace

NumberFormat Formats::arithmetic() const {
    return input == NumberFormat::binary64 ? NumberFormat::binary64 : NumberFormat::binary32;
}

bool Formats::rounds_output() const {
    return numeric::precision(output) < numeric::precision(arithmetic());
}

bool Formats::may_pass_binary32(NumberFormat to) const {
    return arithmetic() == NumberFormat::binary64 &&
           numeric::precision(to) < numeric::precision(NumberFormat::binary32);
}

std::vector<Structure> right_structures(const Formats& formats) {
    const int bits = numeric::precision(formats.arithmetic());
    std::vector<Structure> structures = {{}};
    std::vector<NumberFormat> narrow;
    for (const NumberFormat format : {formats.output, formats.input, formats.gain}) {
        if (numeric::precision(format) < bits &&
            std::find(narrow.begin(), narrow.end(), format) == narrow.end()) {
            narrow.push_back(format);
        }
    }
    for (const NumberFormat format : narrow) structures.push_back({Factoring::value_first, format});
    if (formats.rounds_output()) {
        structures.push_back({Factoring::gain_first, formats.output});
        structures.push_back({Factoring::product_first, formats.output});
    } else {
        // Division and root of fast arithmetic, with a few units each.
        structures.push_back({.roundings = 8});
    }
    return structures;
}

std::vector<Structure> truncated_structures(const Formats& formats) {
    if (!formats.rounds_output()) return {};
    return {{.truncated = true}, {Factoring::value_first, formats.output, true}};
}

Structure loose_structure(const Formats& formats) {
    return {.roundings = formats.rounds_output() ? 4.0 : 64.0, .loose = true};
}

ScaleInterval measured_scale(const Structure& structure, const Formats& formats,
                             const Elements& elements) {
    const Measure m = measure_of(structure, formats);
    if (formats.arithmetic() == NumberFormat::binary64) {
        return row_interval<DoubleDouble>(m, elements);
    }
    if (!m.rounds_output && structure.factoring == Factoring::once &&
        elements.input_error.empty()) {
        return plain_row_interval(m, elements);
    }
    return row_interval<double>(m, elements);
}

numeric::Interval output_range(const Structure& structure, const Formats& formats, double input,
                               double gain, const ScaleInterval& scale, double error) {
    const double a = std::fabs(input);
    const double b = std::fabs(gain);
    if (a == 0 || b == 0) return {0, 0};
    const Measure m = measure_of(structure, formats);
    const double slack = m.slack + error;
    Magnitudes values{scale.low, scale.high};
    switch (structure.factoring) {
        case Factoring::once: {
            const DoubleDouble factor = product(a, b);
            values = {changed_by(values.low * factor, -slack),
                      changed_by(values.high * factor, slack)};
            break;
        }
        case Factoring::product_first: {
            const numeric::Interval rounded = inner_product(m, a, b);
            values = {values.times(rounded.low, slack).low, values.times(rounded.high, slack).high};
            break;
        }
        case Factoring::value_first:
        case Factoring::gain_first: {
            const bool value_first = structure.factoring == Factoring::value_first;
            const numeric::Interval inner =
                nearest(structure.inner, m.inner_by_binary32, m.inner_flushed,
                        values.times(value_first ? a : b, slack));
            values = Magnitudes{inner.low, inner.high}.times(value_first ? b : a, slack);
        }
    }
    const numeric::Interval range = after_last_rounding(m, values, b);
    if (std::signbit(input) == std::signbit(gain)) return range;
    return {-range.high, -range.low};
}

ScaleInterval element_scale(const Structure& structure, const Formats& formats,
                            const Elements& elements, std::size_t index) {
    const Elements one{elements.input.subspan(index, 1), elements.gain.subspan(index, 1),
                       elements.output.subspan(index, 1),
                       elements.input_error.empty() ? elements.input_error
                                                    : elements.input_error.subspan(index, 1)};
    return measured_scale(structure, formats, one);
}

}  // namespace rmsnorm::judge
