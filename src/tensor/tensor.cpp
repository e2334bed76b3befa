#include "tensor/tensor.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

#include "numeric/bits.hpp"
#include "tensor/error.hpp"

namespace rmsnorm::tensor {

Tensor::Tensor(Shape shape, std::vector<double> values)
    : shape_(std::move(shape)), values_(std::move(values)) {
    const std::size_t expected = element_count(shape_);
    if (values_.size() != expected) {
        throw TensorError(LengthMismatch{shape_, expected, values_.size()});
    }
}

Tensor Tensor::filled(Shape shape, double value) {
    Tensor tensor;
    tensor.values_.assign(element_count(shape), value);
    tensor.shape_ = std::move(shape);
    return tensor;
}

Tensor Tensor::vector(std::vector<double> values) {
    Shape shape{values.size()};
    return Tensor(std::move(shape), std::move(values));
}

bool same_bits(const Tensor& a, const Tensor& b) {
    return a.shape() == b.shape() &&
           std::equal(a.values().begin(), a.values().end(), b.values().begin(),
                      [](double x, double y) { return numeric::same_bits(x, y); });
}

std::optional<std::size_t> first_non_finite(const Tensor& tensor) {
    const auto values = tensor.values();
    const auto found = std::find_if(values.begin(), values.end(),
                                    [](double value) { return !std::isfinite(value); });
    if (found == values.end()) return std::nullopt;
    return static_cast<std::size_t>(found - values.begin());
}

}  // namespace rmsnorm::tensor
