#include "evidence/rows.hpp"

#include <algorithm>
#include <cmath>

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

std::size_t row_width(const tensor::Tensor& tensor) { return tensor.shape().back(); }

std::size_t row_count(const tensor::Tensor& tensor) {
    return tensor.size() == 0 ? 0 : tensor.size() / row_width(tensor);
}

std::span<const double> row(const tensor::Tensor& tensor, std::size_t index) {
    return tensor.values().subspan(index * row_width(tensor), row_width(tensor));
}

void CompensatedSum::add(double term) {
    const double sum = sum_ + term;
    compensation_ += std::fabs(sum_) >= std::fabs(term) ? (sum_ - sum) + term : (term - sum) + sum_;
    sum_ = sum;
}

}  // namespace rmsnorm::evidence
