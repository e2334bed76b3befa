#include "autodiff/backward.hpp"

#include <unordered_map>
#include <utility>
#include <vector>

#include "autodiff/node.hpp"
#include "tensor/elementwise.hpp"

namespace rmsnorm::autodiff {
namespace {

using NodePointer = std::shared_ptr<Node>;

struct Pass {
    std::vector<NodePointer> post_order;
    std::unordered_map<const Node*, std::size_t> place;  // in `post_order`
};

bool is_leaf(const Node& node) { return node.operation == Operation::parameter; }

// The tracked nodes that `output` depends on, operands before the nodes that use them.
Pass depth_first(const NodePointer& output) {
    struct Visit {
        NodePointer node;
        std::size_t next_operand = 0;
    };
    Pass pass;
    std::vector<Visit> open;
    const auto enter = [&](const NodePointer& node) {
        if (!node->tracked || !pass.place.emplace(node.get(), 0).second) return;
        if (node->released) throw AutodiffError(ReleasedGraph{node->operation});
        open.push_back({node});
    };
    enter(output);
    while (!open.empty()) {
        Visit& visit = open.back();
        if (visit.next_operand < visit.node->operands.size()) {
            // A copy: entering may move the visits.
            const NodePointer operand = visit.node->operands[visit.next_operand++];
            enter(operand);
        } else {
            pass.place[visit.node.get()] = pass.post_order.size();
            pass.post_order.push_back(std::move(visit.node));
            open.pop_back();
        }
    }
    return pass;
}

void accumulate(tensor::Tensor& adjoint, const tensor::Tensor& contribution) {
    for (std::size_t i = 0; i < adjoint.size(); ++i) adjoint[i] += contribution[i];
}

enum class Kept { parameters, all };

std::vector<tensor::Tensor> adjoints_of(const Pass& pass, const tensor::Tensor& seed, Kept kept) {
    std::vector<tensor::Tensor> adjoints;
    adjoints.reserve(pass.post_order.size());
    for (const auto& node : pass.post_order) {
        adjoints.push_back(tensor::Tensor::filled(node->value.shape(), 0.0));
    }
    accumulate(adjoints.back(), seed);
    for (std::size_t place = pass.post_order.size(); place-- > 0;) {
        const Node& node = *pass.post_order[place];
        for (std::size_t operand = 0; operand < node.operands.size(); ++operand) {
            const Node& target = *node.operands[operand];
            if (!target.tracked) continue;
            const tensor::Tensor copies = node.local_gradient(node, adjoints[place], operand);
            tensor::Tensor& adjoint = adjoints[pass.place.at(&target)];
            accumulate(adjoint, copies.shape() == target.value.shape()
                                    ? copies
                                    : tensor::sum_to(copies, target.value.shape()));
            if (const auto index = tensor::first_non_finite(adjoint)) {
                throw AutodiffError(
                    NonFiniteAdjoint{node.operation, operand, *index, adjoint[*index], place});
            }
        }
        if (kept == Kept::parameters && !is_leaf(node)) adjoints[place] = tensor::Tensor();
    }
    return adjoints;
}

void require_seed(const Value& output, const tensor::Tensor& seed) {
    if (!output.tracked()) throw AutodiffError(UntrackedOutput{});
    if (seed.shape() != output.shape()) {
        throw AutodiffError(SeedShapeMismatch{output.shape(), seed.shape()});
    }
    if (const auto index = tensor::first_non_finite(seed)) {
        throw AutodiffError(NonFiniteSeed{*index, seed[*index]});
    }
}

}  // namespace

void backward(const Value& output, const tensor::Tensor& seed, Graph graph) {
    require_seed(output, seed);
    const Pass pass = depth_first(output.node());
    std::vector<tensor::Tensor> totals = adjoints_of(pass, seed, Kept::parameters);
    for (std::size_t place = 0; place < totals.size(); ++place) {
        const Node& node = *pass.post_order[place];
        if (!is_leaf(node)) continue;
        // An adjoint starts at +0.0, so it is the total of the first pass as it is.
        if (node.gradient) totals[place] = tensor::add(*node.gradient, totals[place]);
        if (const auto index = tensor::first_non_finite(totals[place])) {
            throw AutodiffError(NonFiniteGradient{*index, totals[place][*index]});
        }
    }

    // Nothing below can fail.
    for (std::size_t place = 0; place < totals.size(); ++place) {
        Node& node = *pass.post_order[place];
        if (is_leaf(node)) {
            node.gradient = std::move(totals[place]);
        } else if (graph == Graph::released) {
            node.operands.clear();
            node.local_gradient = nullptr;
            node.released = true;
        }
    }
}

std::vector<TracedNode> traced(const Value& output, const tensor::Tensor& seed) {
    require_seed(output, seed);
    const Pass pass = depth_first(output.node());
    std::vector<tensor::Tensor> adjoints = adjoints_of(pass, seed, Kept::all);
    std::vector<TracedNode> nodes;
    for (std::size_t place = 0; place < adjoints.size(); ++place) {
        const Node& node = *pass.post_order[place];
        nodes.push_back({node.operation, node.value, std::move(adjoints[place])});
    }
    return nodes;
}

}  // namespace rmsnorm::autodiff
