#include "autodiff/operations.hpp"

#include <initializer_list>
#include <utility>

#include "autodiff/node.hpp"
#include "tensor/elementwise.hpp"

namespace rmsnorm::autodiff {
namespace {

// Runs `forward` and puts its result on the tape.
template <class Forward>
Value record(Operation operation, std::initializer_list<Value> operands, Forward forward,
             LocalGradient local_gradient) {  // NOLINT(performance-unnecessary-value-param)
    auto compute = [&] {
        try {
            return forward();
        } catch (const tensor::TensorError& error) {
            throw AutodiffError(InvalidOperands{operation, error});
        }
    };
    auto node = std::make_shared<Node>(operation, compute());
    if (const auto index = tensor::first_non_finite(node->value)) {
        throw AutodiffError(NonFiniteForward{operation, *index, node->value[*index]});
    }
    for (const Value& operand : operands) node->tracked = node->tracked || operand.tracked();
    if (node->tracked) {
        node->operands.reserve(operands.size());
        for (const Value& operand : operands) node->operands.push_back(operand.node());
        node->local_gradient = std::move(local_gradient);
    }
    return Value(std::move(node));
}

// An upstream adjoint repeated along the axis that a reduction took away.
tensor::Tensor repeated(const Node& node, const tensor::Tensor& upstream, std::size_t axis) {
    const tensor::Shape& shape = node.operands[0]->value.shape();
    tensor::Shape kept = tensor::reduced_shape(shape, axis, tensor::ReducedAxis::kept);
    const auto values = upstream.values();
    return tensor::broadcast_to(
        tensor::Tensor(std::move(kept), std::vector<double>(values.begin(), values.end())), shape);
}

}  // namespace

Value add(const Value& a, const Value& b) {
    return record(
        Operation::add, {a, b}, [&] { return tensor::add(a.tensor(), b.tensor()); },
        [](const Node&, const tensor::Tensor& upstream, std::size_t) { return upstream; });
}

Value multiply(const Value& a, const Value& b) {
    return record(
        Operation::multiply, {a, b}, [&] { return tensor::multiply(a.tensor(), b.tensor()); },
        [](const Node& node, const tensor::Tensor& upstream, std::size_t operand) {
            return tensor::multiply(upstream, node.operands[1 - operand]->value);
        });
}

Value sum(const Value& a, std::size_t axis, tensor::ReducedAxis reduced) {
    return record(
        Operation::sum, {a}, [&] { return tensor::sum(a.tensor(), axis, reduced); },
        [axis](const Node& node, const tensor::Tensor& upstream, std::size_t) {
            return repeated(node, upstream, axis);
        });
}

Value mean(const Value& a, std::size_t axis, tensor::ReducedAxis reduced) {
    return record(
        Operation::mean, {a}, [&] { return tensor::mean(a.tensor(), axis, reduced); },
        [axis](const Node& node, const tensor::Tensor& upstream, std::size_t) {
            const auto width = static_cast<double>(node.operands[0]->value.shape()[axis]);
            return repeated(node, tensor::divide(upstream, tensor::Tensor::scalar(width)), axis);
        });
}

Value exp(const Value& a) {
    return record(
        Operation::exp, {a}, [&] { return tensor::exp(a.tensor()); },
        [](const Node& node, const tensor::Tensor& upstream, std::size_t) {
            return tensor::multiply(upstream, node.value);
        });
}

Value log(const Value& a) {
    return record(
        Operation::log, {a}, [&] { return tensor::log(a.tensor()); },
        [](const Node& node, const tensor::Tensor& upstream, std::size_t) {
            return tensor::divide(upstream, node.operands[0]->value);
        });
}

}  // namespace rmsnorm::autodiff
