#include "experiments/rmsnorm/gradient_bounds.hpp"

#include <algorithm>
#include <cmath>

#include "experiments/rmsnorm/chapter_values.hpp"

namespace rmsnorm::experiments {
namespace {

using autodiff::CoordinateCheck;
using autodiff::GradientCheck;
using tensor::Tensor;

constexpr double relative_step = 0x1p-17;

// Second-order terms and the check's own arithmetic.
constexpr double margin = 1.02;

// Of the rows with this width: the logarithm's size, and the part of a square that underflow takes.
struct RowRounding {
    double width;
    double log_magnitude;
    double lost;
};

RowRounding row_rounding(const ScaledRow& row, double width) {
    return {width, row.log_magnitude(), 0x1p-1074 / row.original_stabilized()};
}

// Parts by which rounding may put off a loss, and the reverse pass of an input and of a gain.
double loss_rounding(const RowRounding& row) {
    return (row.width / 2 + row.log_magnitude + 32) * unit_roundoff + row.lost;
}

double input_pass(const RowRounding& row, double rows) {
    return (4 * row.width + 4 * row.log_magnitude + rows + 64) * unit_roundoff + 2 * row.lost;
}

double gain_pass(const RowRounding& row, double rows) {
    return (2 * row.width + 2 * row.log_magnitude + rows + 64) * unit_roundoff + 2 * row.lost;
}

// Parts of |w| / rms, or of the sum of |normalized * upstream|, by which a right gradient may be
// off.
double tolerance_by_row(const RowRounding& row, double rows) {
    const double loss = (row.width / 2 + row.log_magnitude + 16) * unit_roundoff + row.lost;
    return margin *
           (2 * relative_step * relative_step + 2 * loss / relative_step + input_pass(row, rows));
}

// Of a row that central differences move: how far off a loss of weights with this norm may be.
double loss_error(std::span<const double> values, double epsilon, double norm) {
    const ScaledRow moved = scaled_row(values, epsilon);
    const auto width = static_cast<double>(values.size());
    return loss_rounding(row_rounding(moved, width)) * std::sqrt(width) * norm;
}

// A bound of |loss| for each row: |gain * upstream| times the root of the width.
double loss_bound(const LayerCase& layer_case, std::size_t index) {
    const ScaledWeights weights = scaled_weights(row(layer_case.upstream, index), layer_case.gain);
    return std::scalbn(weights.norm, weights.exponent) *
           std::sqrt(static_cast<double>(row_width(layer_case.input)));
}

// The smaller of the spacings that the step really has at a value.
double spacing(double value, double step) {
    return std::min(value - (value - step), (value + step) - value);
}

// What a step leaves of the terms, by its part of the root of the width times the RMS: the series
// of docs/checks.md where it converges; a loss is nowhere larger than its weights, a slope no
// larger than two of its terms.
double truncation_part(double part) {
    const double any = 2 + 1 / part;
    return margin * (part < 1 ? std::min(2 * part * part / (1 - part), any) : any);
}

// What is compared is left out.
ComparedSlope input_slope(const LayerCase& layer_case, const CoordinateCheck& coordinate,
                          double step) {
    const std::size_t width = row_width(layer_case.input);
    const auto d = static_cast<double>(width);
    const std::size_t index = coordinate.index / width;
    const auto values = row(layer_case.input, index);
    const auto adjoints = row(layer_case.upstream, index);
    const ScaledRow scaled = scaled_row(values, layer_case.epsilon);
    const ScaledWeights weights = scaled_weights(adjoints, layer_case.gain);
    const double rms = rms_of(scaled);
    const double norm = std::scalbn(weights.norm, weights.exponent);
    const double terms = std::scalbn(weights.norm / std::sqrt(scaled.stabilized),
                                     weights.exponent - scaled.exponent);
    const double pass = input_pass(row_rounding(scaled, d), 0);
    // The row as it is, and moved both ways.
    std::vector<double> moved(values.begin(), values.end());
    const double value = moved[coordinate.index % width];
    double loss = 0;
    for (const double at : {value, value - step, value + step}) {
        moved[coordinate.index % width] = at;
        loss = std::max(loss, loss_error(moved, layer_case.epsilon, norm));
    }
    if (layer_case.input.size() <= whole_loss) {
        // The other rows round alike in all losses, and their sum with this one.
        for (std::size_t other = 0; other < row_count(layer_case.input); ++other) {
            loss += whole_loss * unit_roundoff * loss_bound(layer_case, other);
        }
    }
    const std::vector<double> plain_weights(adjoints.begin(), adjoints.end());
    const double noise =
        2 * loss / spacing(value, step) + lost_losses(plain_weights, spacing(value, step));
    return {0,
            pass * terms + lost_adjoints(scaled, scaled.exponent) + noise,
            truncation_part(step / (std::sqrt(d) * rms)) * terms,
            0,
            terms,
            false};
}

// What the gain's gradient and the losses that it is the slope of are made of.
struct GainTerms {
    std::vector<double> columns;  // the sum of |normalized * upstream| for each gain
    double norm;                  // of the columns
    double all;                   // the sum of |normalized * upstream * gain|
    double relative;              // rounding of the pass
};

GainTerms gain_terms(const LayerCase& layer_case) {
    const Tensor& gain = layer_case.gain;
    const auto width = static_cast<double>(gain.size());
    const auto rows = static_cast<double>(row_count(layer_case.input));
    GainTerms terms{std::vector<double>(gain.size()), 0, 0, 0};
    for (std::size_t index = 0; index < row_count(layer_case.input); ++index) {
        const ScaledRow scaled = scaled_row(row(layer_case.input, index), layer_case.epsilon);
        const auto adjoints = row(layer_case.upstream, index);
        for (std::size_t i = 0; i < gain.size(); ++i) {
            const double term =
                std::fabs(scaled.values[i] / std::sqrt(scaled.stabilized) * adjoints[i]);
            terms.columns[i] += term;
            terms.all += term * std::fabs(gain[i]);
        }
        terms.relative = std::max(terms.relative, gain_pass(row_rounding(scaled, width), rows));
    }
    const double largest = max_norm(terms.columns);
    if (largest == 0) return terms;
    double squares = 0;
    for (const double column : terms.columns) squares += column / largest * (column / largest);
    terms.norm = largest * std::sqrt(squares);
    return terms;
}

// The loss is linear in the gain: the step leaves nothing. A term rounds three times, and a sum of
// few terms as often as they are.
ComparedSlope gain_slope(const LayerCase& layer_case, const GainTerms& terms,
                         const CoordinateCheck& coordinate, double step) {
    const double gain = layer_case.gain[coordinate.index];
    const double column = terms.columns[coordinate.index];
    const bool whole = layer_case.input.size() <= whole_loss;
    const double loss = column * (std::fabs(gain) + step) + (whole ? terms.all : 0);
    const auto count = static_cast<double>(layer_case.input.size());
    const double noise =
        (2 * (whole_loss + 8) * unit_roundoff * loss + 0x1p-1072 * count) / spacing(gain, step);
    return {0, terms.relative * column + noise + 0x1p-1070 * count, 0, 0, terms.norm, false};
}

}  // namespace

double max_norm(std::span<const double> values) {
    double largest = 0;
    for (const double value : values) largest = std::max(largest, std::fabs(value));
    return largest;
}

double rms_of(const ScaledRow& row) { return std::scalbn(std::sqrt(row.stabilized), row.exponent); }

double lost_losses(const std::vector<double>& weights, double step) {
    double sum = 3 * static_cast<double>(weights.size());
    for (const double weight : weights) sum += std::fabs(weight);
    return 2 * (0x1p-1074 * sum) / step + 0x1p-1070;
}

ProbeSettings fitting_settings(const LayerCase& layer_case) {
    const auto& [input, gain, upstream, epsilon, name] = layer_case;
    const ProbeSettings customary{chapter_values::step, chapter_values::tolerance, ProbeUnit::one};
    const std::size_t count = row_count(input);
    const auto rows = static_cast<double>(count);
    const auto width = static_cast<double>(gain.size());
    const double h = customary.step;
    const double root = std::sqrt(width);
    RowRounding largest{width, 0, 0};
    double terms = 0;  // a bound of the sum of |gain * normalized * upstream|
    double worst = 0;  // of the customary step: truncation and the pass itself
    double loss = 0;   // relative rounding of a loss
    // Rounding and truncation are to stay below the tolerance, and their sum below what decides.
    const auto decides = [&](double size) {
        return 4 * customary.tolerance <= decisive_part * size;
    };
    bool fits = true;
    for (std::size_t index = 0; index < count; ++index) {
        const ScaledRow scaled = scaled_row(row(input, index), epsilon);
        const ScaledWeights weights = scaled_weights(row(upstream, index), gain);
        const double rms = rms_of(scaled);
        const RowRounding rounding = row_rounding(scaled, width);
        const double norm = std::scalbn(weights.norm, weights.exponent);
        largest.log_magnitude = std::max(largest.log_magnitude, rounding.log_magnitude);
        largest.lost = std::max(largest.lost, rounding.lost);
        loss = std::max(loss, loss_rounding(rounding));
        terms += norm * root;
        const double part = h / (root * rms);
        worst = std::max(worst, norm / rms * (2 * part * part + input_pass(rounding, 0)));
        // A smaller part leaves few digits of the differences, a larger one is no small step.
        fits = fits && part >= 0x1p-24 && part <= 0x1p-14;
        fits = fits && (norm == 0 || decides(norm / rms));
    }
    // Of the gain: |normalized| is at most the root of the width.
    CompensatedSum adjoints;
    for (const double value : upstream.values()) adjoints.add(std::fabs(value));
    const double largest_gain = std::max(1.0, max_norm(gain.values()));
    const double gain_error =
        root * adjoints.value() *
        (2 * 24 * unit_roundoff * largest_gain / h + gain_pass(largest, rows));
    const double input_error = worst + 2 * loss * terms / h;
    const double gain_norm = gain_terms(layer_case).norm;
    fits = fits && (gain_norm == 0 || decides(gain_norm));
    fits = fits && h >= largest_gain * 0x1p-24 &&
           margin * std::max(gain_error, input_error) <= customary.tolerance;
    if (fits) return customary;
    return {relative_step, tolerance_by_row(largest, rows), ProbeUnit::row};
}

std::vector<ComparedSlope> compared_slopes(const LayerCase& layer_case, ProbedTensor probed,
                                           const GradientCheck& check) {
    std::vector<ComparedSlope> slopes;
    const GainTerms terms = probed == ProbedTensor::gain ? gain_terms(layer_case) : GainTerms{};
    for (const CoordinateCheck& coordinate : check.coordinates) {
        slopes.push_back(probed == ProbedTensor::input
                             ? input_slope(layer_case, coordinate, check.step)
                             : gain_slope(layer_case, terms, coordinate, check.step));
        ComparedSlope& slope = slopes.back();
        const double analytic = coordinate.analytic;
        const double numerical = coordinate.numerical;
        slope.distance = std::fabs(analytic - numerical);
        slope.admitted =
            check.tolerance * std::max({1.0, std::fabs(analytic), std::fabs(numerical)});
        slope.passed = coordinate.passed;
    }
    return slopes;
}

}  // namespace rmsnorm::experiments
