// The rejections of the tensor floor.
#pragma once

#include <cstddef>
#include <stdexcept>
#include <variant>

#include "tensor/shape.hpp"

namespace rmsnorm::tensor {

struct ElementCountOverflow {
    Shape shape;
};

struct LengthMismatch {
    Shape shape;
    std::size_t expected;
    std::size_t actual;
};

struct BroadcastMismatch {
    Shape left;
    Shape right;
};

struct AxisOutOfRange {
    std::size_t axis;
    std::size_t rank;
};

struct EmptyMeanAxis {
    Shape shape;
    std::size_t axis;
};

class TensorError : public std::runtime_error {
  public:
    using Case = std::variant<ElementCountOverflow, LengthMismatch, BroadcastMismatch,
                              AxisOutOfRange, EmptyMeanAxis>;

    explicit TensorError(Case rejection);

    const Case& rejection() const { return rejection_; }

  private:
    Case rejection_;
};

}  // namespace rmsnorm::tensor
