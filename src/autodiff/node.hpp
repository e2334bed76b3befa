// What the tape stores for one value; only the operations and the reverse pass look inside.
#pragma once

#include <cstddef>
#include <functional>
#include <memory>
#include <optional>
#include <utility>
#include <vector>

#include "autodiff/error.hpp"
#include "tensor/tensor.hpp"

namespace rmsnorm::autodiff {

struct Node;

/// What a node passes to one operand for an upstream adjoint of the node's shape. The result has
/// the operand's shape or one that the operand broadcasts to: the reverse pass sums the copies.
using LocalGradient = std::function<tensor::Tensor(const Node& node, const tensor::Tensor& upstream,
                                                   std::size_t operand)>;

struct Node {
    Node(Operation made_by, tensor::Tensor result) : operation(made_by), value(std::move(result)) {}
    ~Node();
    Node(const Node&) = delete;
    Node& operator=(const Node&) = delete;

    Operation operation;
    tensor::Tensor value;
    bool tracked = false;
    bool released = false;
    std::vector<std::shared_ptr<Node>> operands;
    LocalGradient local_gradient;
    std::optional<tensor::Tensor> gradient;  // of parameters; zero before the first pass
};

}  // namespace rmsnorm::autodiff
