#include "judge/input_gradient_terms.hpp"

#include <algorithm>
#include <cmath>
#include <type_traits>

#include "judge/row_statistics.hpp"

namespace rmsnorm::judge {
namespace {

template <class Real>
Real from(DoubleDouble value) {
    if constexpr (std::is_same_v<Real, double>) {
        return value.high;
    } else {
        return value;
    }
}

double power_of(double base, int exponent) {
    double result = 1;
    for (int step = 0; step < exponent; ++step) result *= base;
    return result;
}

// The terms of one row and what their bounds grow with. All vectors are a row long.
template <class Real>
struct Terms {
    std::vector<Real> first;
    std::vector<Real> second;
    std::vector<double> spread;  // the second with magnitudes in its sum
    std::vector<double> extra;   // empty, or more bound
    double scale = 0;
    double error = 0;  // of the scale
    int power = 3;

    explicit Terms(std::size_t width) : first(width), second(width), spread(width) {}
};

struct Case {
    const InputGradientFormula& formula;
    const GradientReader& reader;
    const GradientRoundings& roundings;
    const std::vector<double>& input;
    const std::vector<double>& upstream;
    std::size_t index;
    double epsilon;

    std::size_t width() const { return input.size(); }
};

template <class Real>
bool layer_norm_terms(const Case& row, Terms<Real>& terms) {
    const std::size_t width = row.width();
    const auto count = static_cast<double>(width);
    std::vector<double> gain(width);
    for (std::size_t column = 0; column < width; ++column) {
        gain[column] = row.reader.gain(column, row.formula.outer);
    }
    const RowStatistics statistics = row_statistics(row.input, gain, row.roundings.arithmetic);
    const DoubleDouble variance = statistics.variance();
    const DoubleDouble denominator = variance + DoubleDouble(row.epsilon);
    if (!(variance.high > 0) || !std::isfinite(denominator.high)) return false;
    const Scale scale = reciprocal_root(row.roundings.arithmetic, width, variance, denominator,
                                        statistics.mean_square().high / variance.high);
    terms.scale = scale.exact.high;
    terms.error = std::max(scale.below, scale.above);
    if (!(terms.error < 0.5)) return false;
    const Real multiplier = from<Real>(scale.exact);
    std::vector<Real> centered(width);
    Real sum = 0;
    Real product_sum = 0;
    double magnitude = 0;
    double product_magnitude = 0;
    for (std::size_t column = 0; column < width; ++column) {
        centered[column] =
            from<Real>(DoubleDouble(row.input[column]) - statistics.mean()) * multiplier;
        const Real term = Real(gain[column]) * Real(row.upstream[column]);
        sum = sum + term;
        product_sum = product_sum + term * centered[column];
        magnitude += std::fabs(as_double(term));
        product_magnitude += std::fabs(as_double(term * centered[column]));
    }
    const double shift =
        row.roundings.unit * terms.scale * (statistics.magnitudes.high + 2 * statistics.largest);
    terms.extra.resize(width);
    for (std::size_t column = 0; column < width; ++column) {
        const Real mean = (sum + centered[column] * product_sum) / Real(count);
        const double value = std::fabs(as_double(centered[column]));
        terms.first[column] = multiplier * Real(gain[column]) * Real(row.upstream[column]);
        terms.second[column] = multiplier * mean;
        terms.spread[column] = terms.scale * (magnitude + value * product_magnitude) / count;
        terms.extra[column] =
            terms.scale * shift * (product_magnitude + value * magnitude + magnitude) / count;
    }
    return true;
}

// To the first term, which may cancel: its own bound and the addition's stand on magnitudes.
template <class Real>
void add_upstream(const Case& row, Terms<Real>& terms) {
    terms.extra.resize(row.width());
    for (std::size_t column = 0; column < row.width(); ++column) {
        const double upstream = row.upstream[column];
        terms.extra[column] = (std::fabs(as_double(terms.first[column])) + std::fabs(upstream)) *
                              (terms.error + 8 * row.roundings.unit + 3 * row.roundings.inner_unit);
        terms.first[column] = terms.first[column] + Real(upstream);
    }
}

template <class Real>
bool rms_norm_terms(const Case& row, Terms<Real>& terms) {
    const InputGradientFormula& formula = row.formula;
    const std::size_t width = row.width();
    const double epsilon = formula.scale == ScaleReading::other_epsilon
                               ? formula.explanation.value.value_or(0)
                               : row.epsilon;
    const auto multiplier = row.reader.multiplier(row.index, formula.scale, epsilon, row.input);
    if (!multiplier) return false;
    const Real scale = from<Real>(multiplier->value);
    terms.scale = std::fabs(as_double(scale));
    terms.error = multiplier->error;
    terms.power = formula.power;
    Real coefficient = Real(formula.second);
    for (int step = 0; step < formula.power; ++step) coefficient = coefficient * scale;
    if (formula.second_without_epsilon) {
        const auto own = gradient_scale(row.reader.tensors(), row.input, row.epsilon);
        if (!own || !(own->mean_square.high > 0)) return false;
        coefficient = coefficient * from<Real>(own->denominator / own->mean_square);
    }
    Real sum = 0;
    double magnitude = 0;
    double divisor = static_cast<double>(width);
    const GradientReader::InnerSums* sums = nullptr;
    if (formula.inner_sum == InnerSum::row) {
        for (std::size_t column = 0; column < width; ++column) {
            const Real term = Real(row.upstream[column]) *
                              Real(row.reader.gain(column, formula.inner)) *
                              Real(row.input[column]);
            sum = sum + term;
            magnitude += std::fabs(as_double(term));
        }
    } else {
        sums = &row.reader.inner_sums();
        sum = sums->total;
        magnitude = sums->total_magnitude;
        if (formula.inner_sum == InnerSum::column) {
            divisor = static_cast<double>(row.reader.tensors().rows);
        }
    }
    const bool by_column = formula.inner_sum == InnerSum::column;
    Real factor = coefficient * sum / Real(divisor);
    double spread = std::fabs(as_double(coefficient)) * magnitude / divisor;
    for (std::size_t column = 0; column < width; ++column) {
        if (by_column) {
            factor = coefficient * Real(sums->columns[column]) / Real(divisor);
            spread = std::fabs(as_double(coefficient)) * sums->column_magnitudes[column] / divisor;
        }
        const double second_gain = row.reader.gain(column, formula.second_gain);
        terms.first[column] = Real(formula.first) * scale *
                              Real(row.reader.gain(column, formula.outer)) *
                              Real(row.upstream[column]);
        terms.second[column] = factor * Real(second_gain) * Real(row.input[column]);
        terms.spread[column] = spread * std::fabs(second_gain * row.input[column]);
    }
    if (formula.upstream_added) add_upstream(row, terms);
    return true;
}

template <class Real>
bool evaluate_as(const Case& row, const GradientRow& given, double factor_error,
                 InputGradientErrors& errors) {
    const std::size_t width = row.width();
    Terms<Real> terms(width);
    if (!(row.formula.layer_norm ? layer_norm_terms(row, terms) : rms_norm_terms(row, terms))) {
        return false;
    }
    const GradientRoundings& of = row.roundings;
    const auto count = static_cast<double>(width);
    const double grown = power_of(1 + terms.error, terms.power);
    const double second_error = grown - 1 + 15 * of.unit;
    const double sum_error = (count + 4) * of.unit * grown * (1 + count * of.unit);
    // The scale's power may be flushed to zero before it meets the sum, and the term with it.
    const double flushed =
        std::min(1.0, numeric::smallest_normal(of.arithmetic) / power_of(terms.scale, terms.power));
    const double inner = of.inner_unit * (1 + 4 * of.inner_unit);
    Real mean = 0;
    double mean_bound = 0;
    std::vector<Real> exact(width);
    for (auto* values :
         {&errors.first, &errors.second, &errors.exact, &errors.bound, &errors.part}) {
        values->resize(width);
    }
    for (std::size_t column = 0; column < width; ++column) {
        const double first = std::fabs(as_double(terms.first[column]));
        const double second = std::fabs(as_double(terms.second[column]));
        const double gain = std::fabs(row.reader.gain(column, GainReading::effective));
        exact[column] = terms.first[column] - terms.second[column];
        errors.first[column] = as_double(terms.first[column]);
        errors.second[column] = as_double(terms.second[column]);
        double bound = first * (terms.error + 7 * of.unit) + second * second_error +
                       terms.spread[column] * (sum_error + flushed);
        bound +=
            inner * (2 * first + second + terms.spread[column]) +
            2 * of.inner_smallest *
                (1 + gain + terms.scale + std::fabs(row.input[column]) * terms.scale * terms.scale);
        bound += of.underflow + factor_error * (first + second);
        if (!terms.extra.empty()) bound += terms.extra[column];
        errors.bound[column] = bound;
        mean = mean + exact[column];
        mean_bound += bound + (count + 4) * of.unit * (first + second);
    }
    for (std::size_t column = 0; column < width; ++column) {
        if (row.formula.mean_subtracted) {
            exact[column] = exact[column] - mean / Real(count);
            errors.bound[column] += mean_bound / count;
        }
        const double value = as_double(exact[column]);
        const double found = given.found[column];
        const double added = std::fabs(errors.first[column]) + std::fabs(errors.second[column]);
        errors.exact[column] = value;
        errors.bound[column] += of.last(value, found, added);
        errors.part[column] = part_of_bound(
            of, found, value, as_double(Real(found) - exact[column]), errors.bound[column]);
    }
    return true;
}

}  // namespace

double InputGradientErrors::largest_part() const {
    return part.empty() ? 0 : *std::max_element(part.begin(), part.end());
}

bool evaluate(const InputGradientFormula& formula, const GradientReader& reader,
              const GradientRoundings& roundings, const GradientRow& given, double factor_error,
              InputGradientErrors& errors) {
    std::vector<double> other;
    if (formula.upstream != UpstreamReading::given) {
        other.resize(given.upstream.size());
        reader.upstream(given.index, formula.upstream, other);
    }
    const std::vector<double>& upstream = other.empty() ? given.upstream : other;
    if (!all_finite(given.input) || !all_finite(upstream)) return false;
    const Case whole = {
        formula, reader, roundings, given.input, upstream, given.index, reader.tensors().epsilon};
    return roundings.arithmetic == NumberFormat::binary64
               ? evaluate_as<DoubleDouble>(whole, given, factor_error, errors)
               : evaluate_as<double>(whole, given, factor_error, errors);
}

}  // namespace rmsnorm::judge
