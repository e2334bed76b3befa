// The rows of a tensor, each brought near 1 by a power of two, for checks that overflow nowhere.
#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "tensor/tensor.hpp"

namespace rmsnorm::evidence {

/// A row `x` with mean square m and v = m + epsilon, seen from where v is near 1. Multiplying by a
/// power of two rounds nothing, save numbers too small to matter beside 1.
struct ScaledRow {
    std::vector<double> values;  // x / 2^exponent
    double epsilon;              // epsilon / 4^exponent
    double mean_square;          // m / 4^exponent, to a few units in the last place
    double stabilized;           // v / 4^exponent, from 1/4 to 4
    int exponent;

    /// |log v|, and v itself (which may overflow).
    double log_magnitude() const;
    double original_stabilized() const;
};

/// A row of at least one finite value, epsilon finite and not negative, not both zero.
ScaledRow scaled_row(std::span<const double> values, double epsilon);

/// What the reverse pass loses at most of an element's gradient to adjoints below the smallest
/// normal number, times 2^(row.exponent - exponent). docs/checks.md derives it.
double lost_adjoints(const ScaledRow& row, int exponent);

/// The width of the last axis; of a tensor with at least one axis.
std::size_t row_width(const tensor::Tensor& tensor);
std::size_t row_count(const tensor::Tensor& tensor);
std::span<const double> row(const tensor::Tensor& tensor, std::size_t index);

/// `upstream * gain` of a row over 2^exponent, which is near 1 in its largest magnitude.
struct ScaledWeights {
    std::vector<double> values;
    int exponent;
    double norm;  // Euclidean, of `values`
};

/// Both have the row's width.
ScaledWeights scaled_weights(std::span<const double> upstream, const tensor::Tensor& gain);

/// The sum, exact to about two units in the last place (Neumaier 1974).
class CompensatedSum {
  public:
    void add(double term);
    double value() const { return sum_ + compensation_; }

  private:
    double sum_ = 0;
    double compensation_ = 0;
};

/// 2^-53: half the distance from 1 to the next number.
inline constexpr double unit_roundoff = 0x1p-53;

}  // namespace rmsnorm::evidence
