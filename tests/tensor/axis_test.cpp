#include "tensor/axis.hpp"

#include <doctest/doctest.h>

#include <limits>
#include <random>

#include "support/naive_indexing.hpp"
#include "support/rejection.hpp"
#include "tensor/error.hpp"

using namespace rmsnorm;
using namespace rmsnorm::tensor;
using testing::rejection;

namespace {

Shape naive_reduced(const Shape& shape, std::size_t axis, ReducedAxis reduced) {
    Shape result;
    for (std::size_t i = 0; i < shape.size(); ++i) {
        if (i != axis) result.push_back(shape[i]);
        if (i == axis && reduced == ReducedAxis::kept) result.push_back(1);
    }
    return result;
}

// Walks every result and gathers its elements one by one.
Tensor naive_sum(const Tensor& a, std::size_t axis) {
    const Shape kept = naive_reduced(a.shape(), axis, ReducedAxis::kept);
    std::vector<double> sums;
    for (std::size_t i = 0; i < testing::naive_count(kept); ++i) {
        std::vector<std::size_t> at = testing::coordinates(i, kept);
        double total = 0.0;
        for (at[axis] = 0; at[axis] < a.shape()[axis]; ++at[axis]) {
            total += a[testing::flat(at, a.shape())];
        }
        sums.push_back(total);
    }
    return Tensor(kept, sums);
}

std::vector<double> listed(const Tensor& a) { return {a.values().begin(), a.values().end()}; }

}  // namespace

TEST_CASE("sums and means over every axis agree with an index-by-index reference") {
    std::mt19937 generator(1);
    for (const Shape& shape : testing::assorted_shapes()) {
        const Tensor a = testing::random_tensor(generator, shape);
        for (std::size_t axis = 0; axis < shape.size(); ++axis) {
            const Tensor sums = naive_sum(a, axis);
            for (const ReducedAxis reduced : {ReducedAxis::kept, ReducedAxis::dropped}) {
                CAPTURE(to_text(shape));
                CAPTURE(axis);
                const Shape expected = naive_reduced(shape, axis, reduced);
                CHECK(reduced_shape(shape, axis, reduced) == expected);
                CHECK(same_bits(sum(a, axis, reduced), Tensor(expected, listed(sums))));
                if (shape[axis] == 0) continue;
                std::vector<double> means = listed(sums);
                for (double& value : means) value /= static_cast<double>(shape[axis]);
                CHECK(same_bits(mean(a, axis, reduced), Tensor(expected, means)));
            }
        }
    }
}

TEST_CASE("sums run in ascending order, also where the order decides the last bit") {
    CHECK(sum(Tensor::vector({1, 0x1p-53, 0x1p-53}), 0, ReducedAxis::dropped)[0] == 1);
    CHECK(sum(Tensor::vector({0x1p-53, 0x1p-53, 1}), 0, ReducedAxis::dropped)[0] == 1 + 0x1p-52);
    const Tensor columns({3, 2}, {1, 0x1p-53, 0x1p-53, 0x1p-53, 0x1p-53, 1});
    CHECK(same_bits(sum(columns, 0, ReducedAxis::dropped), Tensor::vector({1, 1 + 0x1p-52})));
}

TEST_CASE("a mean divides once, after the sum") {
    // Nineteen divisions of 1 by 19 round nineteen times; one division of 19 is exact. A sum times
    // the rounded 1/49 misses 1 as well.
    CHECK(mean(Tensor::filled({19}, 1.0), 0, ReducedAxis::kept)[0] == 1);
    CHECK(mean(Tensor::filled({49}, 1.0), 0, ReducedAxis::kept)[0] == 1);
    double divided_first = 0;
    for (int i = 0; i < 19; ++i) divided_first += 1.0 / 19;
    CHECK(divided_first != 1);
    CHECK(49 * (1.0 / 49) != 1);
}

TEST_CASE("sums start at plus zero") {
    CHECK(
        same_bits(sum(Tensor::vector({-0.0, -0.0}), 0, ReducedAxis::kept), Tensor::vector({0.0})));
    CHECK(same_bits(mean(Tensor::vector({-0.0}), 0, ReducedAxis::dropped), Tensor::scalar(0.0)));
    CHECK(same_bits(sum(Tensor({0, 2}, {}), 0, ReducedAxis::dropped), Tensor::vector({0.0, 0.0})));
    CHECK(same_bits(sum(Tensor({0, 2}, {}), 1, ReducedAxis::kept), Tensor({0, 1}, {})));
}

TEST_CASE("an axis that does not exist is refused, also one past a scalar's none") {
    const auto refused = rejection<TensorError, AxisOutOfRange>([] {
        sum(Tensor::filled({2, 3}, 1.0), 2, ReducedAxis::kept);
    });
    CHECK(refused.fields.axis == 2);
    CHECK(refused.fields.rank == 2);
    CHECK(refused.message == "axis 2 does not exist in a tensor of rank 2");
    rejection<TensorError, AxisOutOfRange>([] { sum(Tensor(), 0, ReducedAxis::dropped); });
    rejection<TensorError, AxisOutOfRange>([] { mean(Tensor(), 0, ReducedAxis::dropped); });
    rejection<TensorError, AxisOutOfRange>(
        [] { mean(Tensor({0}, {}), std::numeric_limits<std::size_t>::max(), ReducedAxis::kept); });
    rejection<TensorError, AxisOutOfRange>([] { reduced_shape({}, 0, ReducedAxis::kept); });
}

TEST_CASE("the mean over an empty axis is refused, whatever the other axes are") {
    const auto refused = rejection<TensorError, EmptyMeanAxis>([] {
        mean(Tensor({2, 0}, {}), 1, ReducedAxis::kept);
    });
    CHECK(refused.fields.shape == Shape{2, 0});
    CHECK(refused.fields.axis == 1);
    CHECK(refused.message == "the mean over the empty axis 1 of shape [2, 0] is not defined");
    rejection<TensorError, EmptyMeanAxis>([] {
        mean(Tensor({0, 0}, {}), 0, ReducedAxis::dropped);
    });
    // The means would not fit into memory, but there are none to begin with.
    constexpr std::size_t largest = std::numeric_limits<std::size_t>::max();
    rejection<TensorError, EmptyMeanAxis>([] {
        mean(Tensor({0, largest}, {}), 0, ReducedAxis::dropped);
    });
    rejection<TensorError, ElementCountOverflow>([] {
        sum(Tensor({0, largest}, {}), 0, ReducedAxis::dropped);
    });
    CHECK(mean(Tensor({0, 3}, {}), 1, ReducedAxis::dropped).shape() == Shape{0});
}
