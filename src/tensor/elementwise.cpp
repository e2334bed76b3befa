#include "tensor/elementwise.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

#include "numeric/elementary.hpp"
#include "tensor/error.hpp"

namespace rmsnorm::tensor {
namespace {

// Walks a shape in row-major order beside an operand that is broadcast to it, and says which
// element of the operand stands at each position.
class BroadcastWalk {
  public:
    BroadcastWalk(const Shape& operand, const Shape& shape)
        : shape_(shape), strides_(shape.size(), 0), position_(shape.size(), 0) {
        std::size_t stride = 1;
        const std::size_t missing = shape.size() - operand.size();
        for (std::size_t axis = operand.size(); axis-- > 0;) {
            if (operand[axis] != 1) strides_[missing + axis] = stride;
            stride *= operand[axis];
        }
    }

    std::size_t offset() const { return offset_; }

    void advance() {
        for (std::size_t axis = shape_.size(); axis-- > 0;) {
            offset_ += strides_[axis];
            if (++position_[axis] < shape_[axis]) return;
            offset_ -= strides_[axis] * shape_[axis];
            position_[axis] = 0;
        }
    }

  private:
    const Shape& shape_;
    std::vector<std::size_t> strides_;
    std::vector<std::size_t> position_;
    std::size_t offset_ = 0;
};

template <class Operation>
Tensor unary(const Tensor& a, Operation operation) {
    std::vector<double> values;
    values.reserve(a.size());
    for (const double value : a.values()) values.push_back(operation(value));
    return Tensor(a.shape(), std::move(values));
}

// The common cases first: equal shapes, and a single value beside a tensor.
template <class Operation>
Tensor binary(const Tensor& a, const Tensor& b, Operation operation) {
    if (a.shape() == b.shape()) {
        std::vector<double> values(a.size());
        for (std::size_t i = 0; i < values.size(); ++i) values[i] = operation(a[i], b[i]);
        return Tensor(a.shape(), std::move(values));
    }
    if (b.size() == 1 && b.rank() <= a.rank()) {
        return unary(a, [&, value = b[0]](double x) { return operation(x, value); });
    }
    Shape shape = broadcast(a.shape(), b.shape());
    std::vector<double> values(element_count(shape));
    BroadcastWalk left(a.shape(), shape);
    BroadcastWalk right(b.shape(), shape);
    for (double& value : values) {
        value = operation(a[left.offset()], b[right.offset()]);
        left.advance();
        right.advance();
    }
    return Tensor(std::move(shape), std::move(values));
}

void require_broadcast(const Shape& from, const Shape& to) {
    if (broadcast(from, to) != to) throw TensorError(BroadcastMismatch{from, to});
}

}  // namespace

Tensor add(const Tensor& a, const Tensor& b) {
    return binary(a, b, [](double x, double y) { return x + y; });
}

Tensor multiply(const Tensor& a, const Tensor& b) {
    return binary(a, b, [](double x, double y) { return x * y; });
}

Tensor divide(const Tensor& a, const Tensor& b) {
    return binary(a, b, [](double x, double y) { return x / y; });
}

Tensor exp(const Tensor& a) {
    return unary(a, [](double x) { return numeric::exp(x); });
}

Tensor log(const Tensor& a) {
    return unary(a, [](double x) { return numeric::log(x); });
}

double largest_difference(const Tensor& a, const Tensor& b) {
    double largest = 0;
    for (std::size_t i = 0; i < a.size(); ++i) {
        const double difference = std::abs(a[i] - b[i]);
        if (std::isnan(difference)) return difference;
        largest = std::max(largest, difference);
    }
    return largest;
}

Tensor broadcast_to(const Tensor& a, const Shape& shape) {
    require_broadcast(a.shape(), shape);
    std::vector<double> values(element_count(shape));
    BroadcastWalk walk(a.shape(), shape);
    for (double& value : values) {
        value = a[walk.offset()];
        walk.advance();
    }
    return Tensor(shape, std::move(values));
}

Tensor sum_to(const Tensor& a, const Shape& shape) {
    require_broadcast(shape, a.shape());
    Tensor sums = Tensor::filled(shape, 0.0);
    if (sums.size() == 1) {
        for (const double value : a.values()) sums[0] += value;
        return sums;
    }
    BroadcastWalk walk(shape, a.shape());
    for (const double value : a.values()) {
        sums[walk.offset()] += value;
        walk.advance();
    }
    return sums;
}

}  // namespace rmsnorm::tensor
