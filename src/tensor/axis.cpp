#include "tensor/axis.hpp"

#include <utility>

#include "tensor/error.hpp"

namespace rmsnorm::tensor {
namespace {

// The product of the sizes of the axes [from, to).
std::size_t span_size(const Shape& shape, std::size_t from, std::size_t to) {
    std::size_t product = 1;
    for (std::size_t axis = from; axis < to; ++axis) product *= shape[axis];
    return product;
}

}  // namespace

Tensor sum(const Tensor& a, std::size_t axis, ReducedAxis reduced) {
    Shape shape = reduced_shape(a.shape(), axis, reduced);
    const std::size_t outer = span_size(a.shape(), 0, axis);
    const std::size_t width = a.shape()[axis];
    const std::size_t inner = span_size(a.shape(), axis + 1, a.rank());
    std::vector<double> sums(element_count(shape), 0.0);
    // An empty tensor reduces to zeros, or to nothing where another axis is empty too.
    if (a.size() != 0) {
        for (std::size_t o = 0; o < outer; ++o) {
            for (std::size_t i = 0; i < width; ++i) {
                const std::size_t row = (o * width + i) * inner;
                for (std::size_t n = 0; n < inner; ++n) sums[o * inner + n] += a[row + n];
            }
        }
    }
    return Tensor(std::move(shape), std::move(sums));
}

Tensor mean(const Tensor& a, std::size_t axis, ReducedAxis reduced) {
    if (axis < a.rank() && a.shape()[axis] == 0) throw TensorError(EmptyMeanAxis{a.shape(), axis});
    Tensor means = sum(a, axis, reduced);
    const std::size_t width = a.shape()[axis];
    for (std::size_t i = 0; i < means.size(); ++i) means[i] /= static_cast<double>(width);
    return means;
}

Shape reduced_shape(const Shape& shape, std::size_t axis, ReducedAxis reduced) {
    if (axis >= shape.size()) throw TensorError(AxisOutOfRange{axis, shape.size()});
    Shape result = shape;
    if (reduced == ReducedAxis::kept) {
        result[axis] = 1;
    } else {
        result.erase(result.begin() + static_cast<std::ptrdiff_t>(axis));
    }
    return result;
}

}  // namespace rmsnorm::tensor
