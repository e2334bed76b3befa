// The rejections of the tensor floor.
#pragma once

#include <cstddef>

#include "numeric/typed_error.hpp"
#include "tensor/shape.hpp"

namespace rmsnorm::tensor {

struct ElementCountOverflow {
    Shape shape;

    bool operator==(const ElementCountOverflow&) const = default;
};

struct LengthMismatch {
    Shape shape;
    std::size_t expected;
    std::size_t actual;

    bool operator==(const LengthMismatch&) const = default;
};

struct BroadcastMismatch {
    Shape left;
    Shape right;

    bool operator==(const BroadcastMismatch&) const = default;
};

struct AxisOutOfRange {
    std::size_t axis;
    std::size_t rank;

    bool operator==(const AxisOutOfRange&) const = default;
};

struct EmptyMeanAxis {
    Shape shape;
    std::size_t axis;

    bool operator==(const EmptyMeanAxis&) const = default;
};

class TensorError : public numeric::TypedError<ElementCountOverflow, LengthMismatch,
                                               BroadcastMismatch, AxisOutOfRange, EmptyMeanAxis> {
  public:
    explicit TensorError(Case rejection);
};

}  // namespace rmsnorm::tensor
