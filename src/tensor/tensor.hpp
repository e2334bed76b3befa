// An owned tensor of binary64 values in row-major order.
#pragma once

#include <cstddef>
#include <optional>
#include <span>
#include <vector>

#include "tensor/shape.hpp"

namespace rmsnorm::tensor {

class Tensor {
  public:
    /// A rank-0 zero.
    Tensor() : values_(1) {}

    /// Throws TensorError (ElementCountOverflow, LengthMismatch) when `values` is not what `shape`
    /// holds.
    Tensor(Shape shape, std::vector<double> values);

    static Tensor filled(Shape shape, double value);
    static Tensor scalar(double value) { return filled({}, value); }
    static Tensor vector(std::vector<double> values);

    const Shape& shape() const { return shape_; }
    std::size_t rank() const { return shape_.size(); }
    std::size_t size() const { return values_.size(); }
    std::span<const double> values() const { return values_; }

    double operator[](std::size_t flat_index) const { return values_[flat_index]; }
    double& operator[](std::size_t flat_index) { return values_[flat_index]; }

  private:
    Shape shape_;
    std::vector<double> values_;
};

/// Equal shapes and equal bit patterns.
bool same_bits(const Tensor& a, const Tensor& b);

/// The flat index of the first value that is infinite or a NaN.
std::optional<std::size_t> first_non_finite(const Tensor& tensor);

}  // namespace rmsnorm::tensor
