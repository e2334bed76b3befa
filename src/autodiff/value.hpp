// A value on the reverse-mode tape: a tensor, and how it came to be.
#pragma once

#include <memory>
#include <utility>

#include "tensor/tensor.hpp"

namespace rmsnorm::autodiff {

struct Node;

/// A cheap handle: copies mean the same node. A node lives as long as a handle or a later node
/// needs it, and a graph of any depth is freed without recursion.
class Value {
  public:
    /// A leaf that collects a gradient. Throws AutodiffError (NonFiniteLeaf), as do the other
    /// leaves.
    static Value parameter(tensor::Tensor tensor);

    /// A leaf through which no gradient flows.
    static Value constant(tensor::Tensor tensor);

    /// A leaf with this value's tensor and nothing of its history.
    Value detached() const;

    const tensor::Tensor& tensor() const;
    const tensor::Shape& shape() const { return tensor().shape(); }

    /// Whether a parameter takes part in this value.
    bool tracked() const;

    /// The sum of the gradients of all passes since the last `zero_gradient`, of the value's shape.
    /// Throws AutodiffError (NotAParameter), as does `zero_gradient`.
    const tensor::Tensor& gradient() const;
    void zero_gradient() const;

    explicit Value(std::shared_ptr<Node> node) : node_(std::move(node)) {}
    const std::shared_ptr<Node>& node() const { return node_; }

  private:
    std::shared_ptr<Node> node_;
};

}  // namespace rmsnorm::autodiff
