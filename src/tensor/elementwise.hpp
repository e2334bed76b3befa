// Elementwise operations, with broadcasting where two tensors meet.
#pragma once

#include "tensor/tensor.hpp"

namespace rmsnorm::tensor {

/// Shapes as `broadcast` gives them; throws TensorError (BroadcastMismatch).
Tensor add(const Tensor& a, const Tensor& b);
Tensor multiply(const Tensor& a, const Tensor& b);
Tensor divide(const Tensor& a, const Tensor& b);

/// The project's own elementary functions (numeric/elementary.hpp), value by value.
Tensor exp(const Tensor& a);
Tensor log(const Tensor& a);

/// The largest absolute difference between elements of `a` and `b`, which have as many; a NaN if
/// any difference is one.
double largest_difference(const Tensor& a, const Tensor& b);

/// `a` repeated to `shape`; throws TensorError (BroadcastMismatch) when `a` does not broadcast to
/// exactly that shape.
Tensor broadcast_to(const Tensor& a, const Shape& shape);

/// The reverse of `broadcast_to`: every element of the result is the sum of the copies that it has
/// in `a`, started at +0.0 and added in `a`'s row-major order. Throws TensorError
/// (BroadcastMismatch) when `shape` does not broadcast to `a`'s shape.
Tensor sum_to(const Tensor& a, const Shape& shape);

}  // namespace rmsnorm::tensor
