// The differentiable operations: each computes its result and records how adjoints pass through it.
#pragma once

#include "autodiff/value.hpp"
#include "tensor/axis.hpp"

namespace rmsnorm::autodiff {

// All of them throw AutodiffError: InvalidOperands for shapes or axes that do not fit, and
// NonFiniteForward for a result that is infinite or a NaN.

/// Elementwise with broadcasting.
Value add(const Value& a, const Value& b);
Value multiply(const Value& a, const Value& b);

/// Over one axis; sums run in ascending index order.
Value sum(const Value& a, std::size_t axis, tensor::ReducedAxis reduced);
Value mean(const Value& a, std::size_t axis, tensor::ReducedAxis reduced);

Value exp(const Value& a);
Value log(const Value& a);

}  // namespace rmsnorm::autodiff
