// The reverse pass.
#pragma once

#include <vector>

#include "autodiff/error.hpp"
#include "autodiff/value.hpp"

namespace rmsnorm::autodiff {

/// Whether the operations between the parameters and the output can be passed again.
enum class Graph { released, retained };

/// Adds the gradient of the sum of `output * seed` to every parameter that `output` depends on.
///
/// Nodes are visited in reverse of the depth-first post-order that visits operands left to right.
/// An adjoint starts at +0.0 and receives one contribution an operand use, in order of arrival; the
/// contribution to a broadcast operand is first summed to its shape in row-major order.
///
/// `seed` has the output's shape. Throws AutodiffError (UntrackedOutput, SeedShapeMismatch,
/// NonFiniteSeed, ReleasedGraph, NonFiniteAdjoint, NonFiniteGradient), and then no gradient has
/// changed and no graph was released.
void backward(const Value& output, const tensor::Tensor& seed, Graph graph = Graph::released);

/// A node of the graph, and what a reverse pass brings to it.
struct TracedNode {
    Operation operation;
    tensor::Tensor value;
    tensor::Tensor adjoint;  // of the value's shape
};

/// The tracked nodes that `output` depends on, operands before the nodes that use them, with the
/// adjoints of a pass by `backward`. Throws what that throws before it adds to a gradient; changes
/// nothing.
std::vector<TracedNode> traced(const Value& output, const tensor::Tensor& seed);

}  // namespace rmsnorm::autodiff
