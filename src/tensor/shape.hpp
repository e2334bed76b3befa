// Shapes: the sizes of a tensor's axes, outermost first. Rank 0 is a scalar; an axis may be empty.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

namespace rmsnorm::tensor {

using Shape = std::vector<std::size_t>;

/// The product of the axis sizes, 1 for rank 0. Throws TensorError (ElementCountOverflow) when the
/// elements could not be addressed.
std::size_t element_count(const Shape& shape);

/// The shape of an elementwise operation on `left` and `right`: axes are matched from the last one
/// backwards, and a missing axis or one of size 1 is repeated. Throws TensorError
/// (BroadcastMismatch).
Shape broadcast(const Shape& left, const Shape& right);

/// As messages quote it: "[1, 2]", "[]" for rank 0.
std::string to_text(const Shape& shape);

}  // namespace rmsnorm::tensor
