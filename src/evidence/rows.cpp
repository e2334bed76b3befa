#include "evidence/rows.hpp"

#include <algorithm>
#include <climits>
#include <cmath>
#include <utility>

#include "numeric/elementary.hpp"

namespace rmsnorm::evidence {

ScaledRow scaled_row(std::span<const double> values, double epsilon) {
    double largest = 0;
    for (const double value : values) largest = std::max(largest, std::fabs(value));
    // First by the largest value and the root of epsilon, so that no square overflows or is lost;
    // then by v itself.
    int exponent = std::ilogb(std::max(largest, std::sqrt(epsilon)));
    ScaledRow row{{values.begin(), values.end()}, 0, 0, 0, 0};
    for (int pass = 0; pass < 2; ++pass) {
        CompensatedSum squares;
        for (std::size_t i = 0; i < values.size(); ++i) {
            row.values[i] = std::scalbn(values[i], -exponent);
            squares.add(row.values[i] * row.values[i]);
        }
        row.epsilon = std::scalbn(epsilon, -2 * exponent);
        row.mean_square = squares.value() / static_cast<double>(values.size());
        row.stabilized = row.mean_square + row.epsilon;
        row.exponent = exponent;
        if (row.stabilized >= 0.25 && row.stabilized <= 4) break;
        exponent += std::ilogb(row.stabilized) / 2;
    }
    return row;
}

double ScaledRow::log_magnitude() const {
    constexpr double log_4 = 1.3862943611198906;
    return std::fabs(numeric::log(stabilized) + exponent * log_4);
}

double ScaledRow::original_stabilized() const { return std::scalbn(stabilized, 2 * exponent); }

double lost_adjoints(const ScaledRow& row, int exponent) {
    const auto width = static_cast<double>(row.values.size());
    const double rms = std::scalbn(std::sqrt(row.stabilized), row.exponent);
    return std::scalbn(0x1p-1040 * width * (1 + rms * rms + 1 / rms), -30 - exponent);
}

std::size_t row_width(const tensor::Tensor& tensor) { return tensor.shape().back(); }

std::size_t row_count(const tensor::Tensor& tensor) {
    return tensor.size() == 0 ? 0 : tensor.size() / row_width(tensor);
}

std::span<const double> row(const tensor::Tensor& tensor, std::size_t index) {
    return tensor.values().subspan(index * row_width(tensor), row_width(tensor));
}

ScaledWeights scaled_weights(std::span<const double> upstream, const tensor::Tensor& gain) {
    ScaledWeights weights{std::vector<double>(upstream.size(), 0.0), INT_MIN, 0};
    const auto exponent_at = [&](std::size_t i) {
        return std::ilogb(upstream[i]) + std::ilogb(gain[i]);
    };
    const auto is_zero = [&](std::size_t i) { return upstream[i] == 0 || gain[i] == 0; };
    for (std::size_t i = 0; i < upstream.size(); ++i) {
        if (!is_zero(i)) weights.exponent = std::max(weights.exponent, exponent_at(i));
    }
    if (weights.exponent == INT_MIN) return {std::move(weights.values), 0, 0};
    CompensatedSum squares;
    for (std::size_t i = 0; i < upstream.size(); ++i) {
        if (is_zero(i)) continue;
        const double product = std::scalbn(upstream[i], -std::ilogb(upstream[i])) *
                               std::scalbn(gain[i], -std::ilogb(gain[i]));
        weights.values[i] = std::scalbn(product, exponent_at(i) - weights.exponent);
        squares.add(weights.values[i] * weights.values[i]);
    }
    weights.norm = std::sqrt(squares.value());
    return weights;
}

void CompensatedSum::add(double term) {
    const double sum = sum_ + term;
    compensation_ += std::fabs(sum_) >= std::fabs(term) ? (sum_ - sum) + term : (term - sum) + sum_;
    sum_ = sum;
}

}  // namespace rmsnorm::evidence
