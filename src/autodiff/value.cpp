#include "autodiff/value.hpp"

#include <utility>

#include "autodiff/node.hpp"

namespace rmsnorm::autodiff {
namespace {

std::shared_ptr<Node> leaf(Operation operation, tensor::Tensor tensor) {
    if (const auto index = tensor::first_non_finite(tensor)) {
        throw AutodiffError(NonFiniteLeaf{operation, *index, tensor[*index]});
    }
    return std::make_shared<Node>(operation, std::move(tensor));
}

Node& parameter_node(const std::shared_ptr<Node>& node) {
    if (node->operation != Operation::parameter) {
        throw AutodiffError(NotAParameter{node->operation});
    }
    return *node;
}

}  // namespace

// A node that dies hands its operands to a list, so that a long chain dies in a loop.
Node::~Node() {
    std::vector<std::shared_ptr<Node>> dying = std::move(operands);
    while (!dying.empty()) {
        const std::shared_ptr<Node> node = std::move(dying.back());
        dying.pop_back();
        if (node.use_count() == 1) {
            for (auto& operand : node->operands) dying.push_back(std::move(operand));
            node->operands.clear();
        }
    }
}

Value Value::parameter(tensor::Tensor tensor) {
    auto node = leaf(Operation::parameter, std::move(tensor));
    node->tracked = true;
    return Value(std::move(node));
}

Value Value::constant(tensor::Tensor tensor) {
    return Value(leaf(Operation::constant, std::move(tensor)));
}

Value Value::detached() const { return Value(leaf(Operation::detached, tensor())); }

const tensor::Tensor& Value::tensor() const { return node_->value; }

bool Value::tracked() const { return node_->tracked; }

const tensor::Tensor& Value::gradient() const {
    Node& node = parameter_node(node_);
    if (!node.gradient) node.gradient = tensor::Tensor::filled(node.value.shape(), 0.0);
    return *node.gradient;
}

void Value::zero_gradient() const { parameter_node(node_).gradient.reset(); }

}  // namespace rmsnorm::autodiff
