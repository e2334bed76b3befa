// The rejections of the reverse-mode tape.
#pragma once

#include <cstddef>
#include <string_view>

#include "numeric/typed_error.hpp"
#include "tensor/error.hpp"

namespace rmsnorm::autodiff {

enum class Operation { parameter, constant, detached, add, multiply, mean, sum, exp, log };

std::string_view name(Operation operation);

/// A leaf was given a value that is infinite or a NaN.
struct NonFiniteLeaf {
    Operation operation;
    std::size_t index;
    double value;

    bool operator==(const NonFiniteLeaf&) const = default;
};

/// An operation's result is infinite or a NaN.
struct NonFiniteForward {
    Operation operation;
    std::size_t index;
    double value;

    bool operator==(const NonFiniteForward&) const = default;
};

struct NonFiniteSeed {
    std::size_t index;
    double value;

    bool operator==(const NonFiniteSeed&) const = default;
};

/// The adjoint that `operation` passed to one of its operands is infinite or a NaN.
struct NonFiniteAdjoint {
    Operation operation;
    std::size_t operand;
    std::size_t index;
    double value;
    std::size_t place = 0;  // of the operation among the tracked nodes, operands before users

    bool operator==(const NonFiniteAdjoint&) const = default;
};

/// A parameter's gradient would not stay finite.
struct NonFiniteGradient {
    std::size_t index;
    double value;

    bool operator==(const NonFiniteGradient&) const = default;
};

/// No parameter takes part in the output of the reverse pass.
struct UntrackedOutput {
    bool operator==(const UntrackedOutput&) const = default;
};

struct SeedShapeMismatch {
    tensor::Shape expected;
    tensor::Shape actual;

    bool operator==(const SeedShapeMismatch&) const = default;
};

/// The pass reached an operation whose graph an earlier pass released.
struct ReleasedGraph {
    Operation operation;

    bool operator==(const ReleasedGraph&) const = default;
};

/// A gradient was asked of a value that keeps none.
struct NotAParameter {
    Operation operation;

    bool operator==(const NotAParameter&) const = default;
};

/// Shapes or axes that do not fit the operation.
struct InvalidOperands {
    Operation operation;
    tensor::TensorError source;

    bool operator==(const InvalidOperands&) const = default;
};

class AutodiffError
    : public numeric::TypedError<NonFiniteLeaf, NonFiniteForward, NonFiniteSeed, NonFiniteAdjoint,
                                 NonFiniteGradient, UntrackedOutput, SeedShapeMismatch,
                                 ReleasedGraph, NotAParameter, InvalidOperands> {
  public:
    explicit AutodiffError(Case rejection);
};

}  // namespace rmsnorm::autodiff
