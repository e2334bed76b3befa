#include "tensor/error.hpp"

#include <string>
#include <utility>

namespace rmsnorm::tensor {
namespace {

std::string message(const ElementCountOverflow& e) {
    return "shape " + to_text(e.shape) + " has more elements than can be addressed";
}

std::string message(const LengthMismatch& e) {
    return "shape " + to_text(e.shape) + " holds " + std::to_string(e.expected) + " values, got " +
           std::to_string(e.actual);
}

std::string message(const BroadcastMismatch& e) {
    return "shapes " + to_text(e.left) + " and " + to_text(e.right) +
           " cannot be broadcast together";
}

std::string message(const AxisOutOfRange& e) {
    return "axis " + std::to_string(e.axis) + " does not exist in a tensor of rank " +
           std::to_string(e.rank);
}

std::string message(const EmptyMeanAxis& e) {
    return "the mean over the empty axis " + std::to_string(e.axis) + " of shape " +
           to_text(e.shape) + " is not defined";
}

}  // namespace

TensorError::TensorError(Case rejection)
    : TypedError(std::move(rejection), [](const auto& e) { return message(e); }) {}

}  // namespace rmsnorm::tensor
