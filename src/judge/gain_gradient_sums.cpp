#include "judge/gain_gradient_sums.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <optional>

#include "judge/row_statistics.hpp"

namespace rmsnorm::judge {

void ColumnSum::add(DoubleDouble term, double error) {
    total.add(term.high);
    if (term.low != 0) total.add(term.low);
    const double size = std::fabs(term.high);
    magnitude += size;
    moved += size * error;
    largest = std::max(largest, size);
}

void NarrowSum::add(double term) {
    double carried = rounded(term);
    running_ = rounded(running_ + carried);
    largest_ = std::max({largest_, std::fabs(carried), std::fabs(running_)});
    // A binary counter of sums.
    for (double& slot : pairs_) {
        if (std::isnan(slot)) {
            slot = carried;
            return;
        }
        carried = rounded(slot + carried);
        largest_ = std::max(largest_, std::fabs(carried));
        slot = std::numeric_limits<double>::quiet_NaN();
    }
    pairs_.push_back(carried);
}

double NarrowSum::paired() const {
    double total = 0;
    for (const double slot : pairs_) {
        if (!std::isnan(slot)) total = rounded(total + slot);
    }
    return total;
}

SummedColumn judged_sum(const GradientRoundings& roundings, const GainGradientFormula& formula,
                        const ColumnSum& sum, double found, double factor_error) {
    const auto rows = static_cast<double>(formula.end_row - formula.first_row);
    const double size = std::fabs(formula.factor);
    const auto [high, low] = sum.total.parts();
    const DoubleDouble exact = DoubleDouble(high, low) * DoubleDouble(formula.factor);
    const double magnitude = size * sum.magnitude;
    const double unit = roundings.unit;
    double bound = size * sum.moved + magnitude * (rows + 6) * unit * (1 + rows * unit);
    bound += 3 * roundings.inner_unit * (1 + 4 * roundings.inner_unit) * magnitude;
    bound += 2 * rows * roundings.inner_smallest * (1 + size * sum.largest);
    bound += (1 + rows) * roundings.underflow + factor_error * std::fabs(exact.high);
    bound += roundings.last(exact.high, found, std::fabs(exact.high));
    const double difference = (DoubleDouble(found) - exact).high;
    return {exact.high, part_of_bound(roundings, found, exact.high, difference, bound), bound};
}

bool add_row(const GradientReader& reader, const GradientRoundings& roundings,
             const GainGradientFormula& formula, std::size_t row, std::span<const double> input,
             std::span<const double> upstream, std::span<const std::size_t> columns,
             std::span<ColumnSum> sums) {
    const GradientTensors& tensors = reader.tensors();
    if (!all_finite(input) || !all_finite(upstream)) return false;
    DoubleDouble scale(1);
    DoubleDouble mean(0);
    double error = 0;
    if (formula.summand == Summand::layer_norm) {
        const RowStatistics statistics = row_statistics(input, tensors.gain, roundings.arithmetic);
        const DoubleDouble variance = statistics.variance();
        if (!(variance.high > 0)) return false;
        const Scale bounded = reciprocal_root(roundings.arithmetic, input.size(), variance,
                                              variance + DoubleDouble(tensors.epsilon),
                                              statistics.mean_square().high / variance.high);
        scale = bounded.exact;
        mean = statistics.mean();
        error = std::max(bounded.below, bounded.above) +
                roundings.unit * static_cast<double>(input.size());
    } else if (formula.summand != Summand::input && formula.summand != Summand::upstream) {
        const double epsilon = formula.scale == ScaleReading::other_epsilon
                                   ? formula.explanation.value.value_or(0)
                                   : tensors.epsilon;
        const auto multiplier = reader.multiplier(row, formula.scale, epsilon, input);
        if (!multiplier) return false;
        scale = multiplier->value;
        error = multiplier->error;
    }
    if (formula.summand == Summand::scale_squared) scale = scale * scale;
    const bool exact = roundings.arithmetic == NumberFormat::binary64;
    for (std::size_t place = 0; place < columns.size(); ++place) {
        const std::size_t column = columns[place];
        DoubleDouble factor = formula.summand == Summand::upstream
                                  ? DoubleDouble(1)
                                  : DoubleDouble(input[column]) - mean;
        if (formula.summand == Summand::output) {
            factor = factor * DoubleDouble(reader.gain(column, GainReading::effective));
        } else if (formula.summand == Summand::over_gain) {
            factor = factor / DoubleDouble(reader.gain(column, GainReading::effective));
        }
        DoubleDouble term = exact ? DoubleDouble(upstream[column]) * factor * scale
                                  : DoubleDouble(upstream[column] * factor.high * scale.high);
        if (formula.magnitudes) term = absolute(term);
        if (!std::isfinite(term.high)) return false;
        sums[place].add(term, error);
    }
    return true;
}

std::vector<std::vector<ColumnSum>> summed(const GradientReader& reader,
                                           const GradientRoundings& roundings,
                                           std::span<const GainGradientFormula> formulas,
                                           std::span<const std::size_t> columns,
                                           std::size_t* skipped) {
    const GradientTensors& tensors = reader.tensors();
    std::vector<std::vector<ColumnSum>> sums(formulas.size(),
                                             std::vector<ColumnSum>(columns.size()));
    std::vector<double> input(tensors.width);
    std::vector<double> upstream(tensors.width);
    for (std::size_t row = 0; row < tensors.rows; ++row) {
        reader.input(row, input);
        std::optional<UpstreamReading> held;
        for (std::size_t index = 0; index < formulas.size(); ++index) {
            const GainGradientFormula& formula = formulas[index];
            if (row < formula.first_row || row >= formula.end_row) continue;
            if (held != formula.upstream) {
                reader.upstream(row, formula.upstream, upstream);
                held = formula.upstream;
            }
            if (!add_row(reader, roundings, formula, row, input, upstream, columns, sums[index]) &&
                skipped != nullptr) {
                ++*skipped;
            }
        }
    }
    return sums;
}

}  // namespace rmsnorm::judge
