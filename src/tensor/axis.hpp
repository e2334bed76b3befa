// Reductions over one axis.
#pragma once

#include "tensor/tensor.hpp"

namespace rmsnorm::tensor {

/// What becomes of the reduced axis: kept with size 1, or dropped from the shape.
enum class ReducedAxis { kept, dropped };

/// Sums over `axis`, each started at +0.0 and added in ascending index order. An empty axis sums to
/// +0.0. Throws TensorError (AxisOutOfRange; ElementCountOverflow when an empty axis kept the other
/// axes from being too large).
Tensor sum(const Tensor& a, std::size_t axis, ReducedAxis reduced);

/// The sum divided once by the axis size. Throws TensorError (AxisOutOfRange; EmptyMeanAxis when
/// the axis is empty, whatever the other axes are).
Tensor mean(const Tensor& a, std::size_t axis, ReducedAxis reduced);

/// `shape` after a reduction over `axis`. Throws TensorError (AxisOutOfRange).
Shape reduced_shape(const Shape& shape, std::size_t axis, ReducedAxis reduced);

}  // namespace rmsnorm::tensor
