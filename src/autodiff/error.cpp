#include "autodiff/error.hpp"

#include <string>
#include <utility>

#include "numeric/decimal.hpp"

namespace rmsnorm::autodiff {
namespace {

std::string at(std::size_t index, double value) {
    return " at flat index " + std::to_string(index) + ": " + numeric::shortest(value);
}

std::string message(const NonFiniteLeaf& e) {
    return std::string(name(e.operation)) + " leaf is not finite" + at(e.index, e.value);
}

std::string message(const NonFiniteForward& e) {
    return std::string(name(e.operation)) + " result is not finite" + at(e.index, e.value);
}

std::string message(const NonFiniteSeed& e) {
    return "reverse pass seed is not finite" + at(e.index, e.value);
}

std::string message(const NonFiniteAdjoint& e) {
    return std::string(name(e.operation)) + " passes an adjoint to operand " +
           std::to_string(e.operand) + " that is not finite" + at(e.index, e.value);
}

std::string message(const NonFiniteGradient& e) {
    return "accumulated parameter gradient is not finite" + at(e.index, e.value);
}

std::string message(const UntrackedOutput&) {
    return "the reverse pass needs an output that depends on a parameter";
}

std::string message(const SeedShapeMismatch& e) {
    return "reverse pass seed must have the output's shape " + tensor::to_text(e.expected) +
           ", got " + tensor::to_text(e.actual);
}

std::string message(const ReleasedGraph& e) {
    return "the graph behind the " + std::string(name(e.operation)) +
           " result was released by an earlier reverse pass";
}

std::string message(const NotAParameter& e) {
    return "only a parameter keeps a gradient, not a value made by " +
           std::string(name(e.operation));
}

std::string message(const InvalidOperands& e) {
    return std::string(name(e.operation)) + ": " + e.source.what();
}

}  // namespace

std::string_view name(Operation operation) {
    switch (operation) {
        case Operation::parameter: return "parameter";
        case Operation::constant: return "constant";
        case Operation::detached: return "detached";
        case Operation::add: return "add";
        case Operation::multiply: return "multiply";
        case Operation::mean: return "mean";
        case Operation::sum: return "sum";
        case Operation::exp: return "exp";
        case Operation::log: return "log";
    }
    return "unknown";
}

AutodiffError::AutodiffError(Case rejection)
    : TypedError(std::move(rejection), [](const auto& e) { return message(e); }) {}

}  // namespace rmsnorm::autodiff
