#include "evidence/figure_text.hpp"

#include <algorithm>

namespace rmsnorm::evidence {

std::size_t shown_values(std::size_t size, Extent extent) {
    return extent == Extent::full ? size : std::min(size, most_values);
}

std::string scalar_text(double value, Decimals decimals) {
    return numeric::fixed(value, decimals.count, decimals.plus);
}

std::string vector_text(const tensor::Tensor& tensor, Extent extent, Decimals decimals) {
    const std::size_t shown = shown_values(tensor.size(), extent);
    std::string text = "[";
    for (std::size_t i = 0; i < shown; ++i) {
        if (i > 0) text += ",";
        text += scalar_text(tensor[i], decimals);
    }
    if (shown < tensor.size()) text += ",...(" + std::to_string(tensor.size()) + " values)";
    return text + "]";
}

std::string shape_text(const tensor::Shape& shape) {
    std::string text = "[";
    for (std::size_t axis = 0; axis < shape.size(); ++axis) {
        if (axis > 0) text += ",";
        text += std::to_string(shape[axis]);
    }
    return text + "]";
}

std::string_view truth_text(bool truth) { return truth ? "true" : "false"; }

}  // namespace rmsnorm::evidence
