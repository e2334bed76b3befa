#include "evidence/layer_checks.hpp"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <utility>

#include "autodiff/gradient_check.hpp"
#include "evidence/rows.hpp"
#include "nn/rms_norm_rows.hpp"
#include "numeric/bits.hpp"

namespace rmsnorm::evidence {
namespace {

// The same coordinates on every run.
constexpr std::uint32_t sample_seed = 25;

// Squares too small for binary64 lose up to 2^-1075 each, so their mean as much: in parts of
// v = mean + epsilon.
double lost_squares(const ScaledRow& row) { return 0x1p-1074 / row.original_stabilized(); }

// An exponent that brings the largest magnitude near 1.
int exponent_of(double largest) { return largest == 0 ? 0 : std::ilogb(largest); }

// One coordinate of a row moved, the others where they are. In the scaled row the derivative of
// f(x) = sum(w * x) / sqrt(mean(x^2) + epsilon) is 2^exponent times that of the row itself.
class RowProbe {
  public:
    RowProbe(const ScaledRow& row, const std::vector<double>& weights, std::size_t coordinate)
        : row_(row), weights_(weights), coordinate_(coordinate) {}

    double operator()(double moved) const {
        CompensatedSum squares;
        CompensatedSum products;
        for (std::size_t i = 0; i < row_.values.size(); ++i) {
            const double value = i == coordinate_ ? moved : row_.values[i];
            squares.add(value * value);
            products.add(weights_[i] * value);
        }
        const auto width = static_cast<double>(row_.values.size());
        return products.value() / std::sqrt(squares.value() / width + row_.epsilon);
    }

  private:
    const ScaledRow& row_;
    const std::vector<double>& weights_;
    std::size_t coordinate_;
};

// As docs/arithmetic.md defines it: by the spacings that really occurred.
template <class Probe>
double central_difference(double point, double step, const Probe& probe) {
    const double minus = point - step;
    const double plus = point + step;
    const double left = point - minus;
    const double right = plus - point;
    const double here = probe(point);
    const double left_slope = (here - probe(minus)) / left;
    const double right_slope = (probe(plus) - here) / right;
    return (left_slope * right + right_slope * left) / (left + right);
}

}  // namespace

Check closed_form_check(const tensor::Tensor& input, double epsilon,
                        const tensor::Tensor& normalized) {
    Worst worst;
    for (std::size_t index = 0; index < row_count(input); ++index) {
        const ScaledRow scaled = scaled_row(row(input, index), epsilon);
        const auto width = static_cast<double>(row_width(input));
        CompensatedSum squares;
        for (const double value : row(normalized, index)) squares.add(value * value);
        const double measured = squares.value() / width;
        const double expected = scaled.mean_square / scaled.stabilized;
        const double relative =
            (width + 2 * scaled.log_magnitude() + 24) * unit_roundoff + 2 * lost_squares(scaled);
        // The last term stands for squares of `normalized` that are too small for binary64.
        worst.consider(std::fabs(measured - expected), expected * relative + 0x1p-1020);
    }
    return worst.check("closed-form", "in every row mean(normalized^2) is ms/(ms+epsilon)");
}

Check row_independence_check(const LayerCase& layer_case, const tensor::Tensor& output) {
    const auto gain = layer_case.gain.values();
    std::size_t different = 0;
    for (std::size_t index = 0; index < row_count(layer_case.input); ++index) {
        nn::RmsNormRows alone({gain.begin(), gain.end()}, layer_case.epsilon);
        std::vector<double> expected(gain.size());
        alone.normalize(row(layer_case.input, index), expected);
        different += numeric::differing_bits(expected, row(output, index));
    }
    return at_most("row-independence", "each row alone has the bits that it has among the others",
                   static_cast<double>(different), 0);
}

Check input_gradient_check(const LayerCase& layer_case, const tensor::Tensor& input_gradient) {
    // In units of the row's RMS times the root of its width; docs/checks.md says why.
    constexpr double relative_step = 0x1p-17;
    const std::size_t width = row_width(layer_case.input);
    const auto d = static_cast<double>(width);
    Worst worst;
    for (const std::size_t index :
         autodiff::sample_coordinates(layer_case.input.size(), sampled_coordinates, sample_seed)) {
        const std::size_t coordinate = index % width;
        const ScaledRow scaled =
            scaled_row(row(layer_case.input, index / width), layer_case.epsilon);
        const ScaledWeights weights =
            scaled_weights(row(layer_case.upstream, index / width), layer_case.gain);
        const double rms = std::sqrt(scaled.stabilized);
        const double numerical =
            central_difference(scaled.values[coordinate], relative_step * std::sqrt(d) * rms,
                               RowProbe(scaled, weights.values, coordinate));
        const double analytic =
            std::scalbn(input_gradient[index], scaled.exponent - weights.exponent);
        const double truncation = 2.02 * relative_step * relative_step;
        const double probing = 16 * unit_roundoff / relative_step;
        const double passing =
            (4 * d + 4 * scaled.log_magnitude() + 64) * unit_roundoff + 2 * lost_squares(scaled);
        worst.consider(std::fabs(analytic - numerical),
                       weights.norm / rms * (truncation + probing + passing) +
                           lost_adjoints(scaled, weights.exponent));
    }
    return worst.check("input-gradient-differences",
                       "the input gradient, times the RMS scale of its row, is the central "
                       "difference of the formula");
}

Check gain_gradient_check(const LayerCase& layer_case, const tensor::Tensor& gain_gradient) {
    const std::size_t width = row_width(layer_case.input);
    const auto coordinates = autodiff::sample_coordinates(width, sampled_coordinates, sample_seed);
    const std::size_t rows = row_count(layer_case.input);
    double largest_upstream = 0;
    for (const double value : layer_case.upstream.values()) {
        largest_upstream = std::max(largest_upstream, std::fabs(value));
    }
    const int exponent = exponent_of(largest_upstream);
    // For each coordinate the slope of a loss that is linear in that gain, and its magnitude.
    std::vector<CompensatedSum> slopes(coordinates.size());
    std::vector<CompensatedSum> magnitudes(coordinates.size());
    double relative = 0;
    for (std::size_t index = 0; index < rows; ++index) {
        const ScaledRow scaled = scaled_row(row(layer_case.input, index), layer_case.epsilon);
        const double rms = std::sqrt(scaled.stabilized);
        relative = std::max(relative,
                            (static_cast<double>(width) + scaled.log_magnitude()) * unit_roundoff +
                                lost_squares(scaled));
        for (std::size_t i = 0; i < coordinates.size(); ++i) {
            const double upstream =
                std::scalbn(row(layer_case.upstream, index)[coordinates[i]], -exponent);
            // A central difference of a linear loss needs no small step: the gains 1 and -1 will
            // do.
            const auto loss = [&](double gain) {
                return upstream * (gain * scaled.values[coordinates[i]] / rms);
            };
            const double slope = central_difference(0.0, 1.0, loss);
            slopes[i].add(slope);
            magnitudes[i].add(std::fabs(slope));
        }
    }
    Worst worst;
    for (std::size_t i = 0; i < coordinates.size(); ++i) {
        const double analytic = std::scalbn(gain_gradient[coordinates[i]], -exponent);
        const double bound = (2 * relative + (static_cast<double>(rows) + 32) * unit_roundoff) *
                                 magnitudes[i].value() +
                             std::scalbn(0x1p-1040 * static_cast<double>(rows), -30) +
                             std::scalbn(0x1p-1040 * static_cast<double>(rows), -30 - exponent);
        worst.consider(std::fabs(analytic - slopes[i].value()), bound);
    }
    return worst.check("gain-gradient-differences",
                       "the gain gradient is the central difference of the formula");
}

}  // namespace rmsnorm::evidence
