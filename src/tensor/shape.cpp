#include "tensor/shape.hpp"

#include <algorithm>
#include <limits>

#include "tensor/error.hpp"

namespace rmsnorm::tensor {

std::size_t element_count(const Shape& shape) {
    constexpr std::size_t most = std::numeric_limits<std::ptrdiff_t>::max() / sizeof(double);
    std::size_t count = 1;
    bool fits = true;
    for (const std::size_t axis : shape) {
        if (axis == 0) return 0;  // however large the others
        fits = fits && axis <= most / count;
        if (fits) count *= axis;
    }
    if (!fits) throw TensorError(ElementCountOverflow{shape});
    return count;
}

Shape broadcast(const Shape& left, const Shape& right) {
    Shape result(std::max(left.size(), right.size()));
    for (std::size_t back = 1; back <= result.size(); ++back) {
        const std::size_t a = back <= left.size() ? left[left.size() - back] : 1;
        const std::size_t b = back <= right.size() ? right[right.size() - back] : 1;
        if (a != b && a != 1 && b != 1) throw TensorError(BroadcastMismatch{left, right});
        result[result.size() - back] = a == 1 ? b : a;
    }
    return result;
}

std::string to_text(const Shape& shape) {
    std::string text = "[";
    for (const std::size_t axis : shape) {
        if (text.size() > 1) text += ", ";
        text += std::to_string(axis);
    }
    return text + "]";
}

}  // namespace rmsnorm::tensor
