// The rejections of the reverse-mode tape.
#pragma once

#include <cstddef>
#include <stdexcept>
#include <string_view>
#include <variant>

#include "tensor/error.hpp"

namespace rmsnorm::autodiff {

enum class Operation { parameter, constant, detached, add, multiply, mean, sum, exp, log };

std::string_view name(Operation operation);

/// A leaf was given a value that is infinite or a NaN.
struct NonFiniteLeaf {
    Operation operation;
    std::size_t index;
    double value;
};

/// An operation's result is infinite or a NaN.
struct NonFiniteForward {
    Operation operation;
    std::size_t index;
    double value;
};

struct NonFiniteSeed {
    std::size_t index;
    double value;
};

/// The adjoint that `operation` passed to one of its operands is infinite or a NaN.
struct NonFiniteAdjoint {
    Operation operation;
    std::size_t operand;
    std::size_t index;
    double value;
    std::size_t place = 0;  // of the operation among the tracked nodes, operands before users
};

/// A parameter's gradient would not stay finite.
struct NonFiniteGradient {
    std::size_t index;
    double value;
};

/// No parameter takes part in the output of the reverse pass.
struct UntrackedOutput {};

struct SeedShapeMismatch {
    tensor::Shape expected;
    tensor::Shape actual;
};

/// The pass reached an operation whose graph an earlier pass released.
struct ReleasedGraph {
    Operation operation;
};

/// A gradient was asked of a value that keeps none.
struct NotAParameter {
    Operation operation;
};

/// Shapes or axes that do not fit the operation.
struct InvalidOperands {
    Operation operation;
    tensor::TensorError source;
};

class AutodiffError : public std::runtime_error {
  public:
    using Case = std::variant<NonFiniteLeaf, NonFiniteForward, NonFiniteSeed, NonFiniteAdjoint,
                              NonFiniteGradient, UntrackedOutput, SeedShapeMismatch, ReleasedGraph,
                              NotAParameter, InvalidOperands>;

    explicit AutodiffError(Case rejection);

    const Case& rejection() const { return rejection_; }

  private:
    Case rejection_;
};

}  // namespace rmsnorm::autodiff
