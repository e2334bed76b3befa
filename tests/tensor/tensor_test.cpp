#include "tensor/tensor.hpp"

#include <doctest/doctest.h>

#include <limits>

#include "support/rejection.hpp"
#include "tensor/error.hpp"

using namespace rmsnorm;
using namespace rmsnorm::tensor;
using testing::rejection;

namespace {

constexpr double infinity = std::numeric_limits<double>::infinity();
constexpr double not_a_number = std::numeric_limits<double>::quiet_NaN();

}  // namespace

TEST_CASE("a tensor without a shape is a scalar zero") {
    const Tensor tensor;
    CHECK(tensor.rank() == 0);
    CHECK(tensor.size() == 1);
    CHECK(same_bits(tensor, Tensor({}, {0.0})));
}

TEST_CASE("a tensor keeps its values in row-major order") {
    Tensor tensor({2, 3}, {0, 1, 2, 10, 11, 12});
    CHECK(tensor.shape() == Shape{2, 3});
    CHECK(tensor.rank() == 2);
    CHECK(tensor.size() == 6);
    CHECK(tensor[3] == 10);
    tensor[3] = 7;
    CHECK(tensor.values()[3] == 7);
}

TEST_CASE("ready-made tensors have the shape that they are named for") {
    CHECK(same_bits(Tensor::filled({2, 2}, -0.0), Tensor({2, 2}, {-0.0, -0.0, -0.0, -0.0})));
    CHECK(same_bits(Tensor::filled({2, 0}, 1.0), Tensor({2, 0}, {})));
    CHECK(same_bits(Tensor::scalar(2.5), Tensor({}, {2.5})));
    CHECK(same_bits(Tensor::vector({1, 2}), Tensor({2}, {1, 2})));
    CHECK(same_bits(Tensor::vector({}), Tensor({0}, {})));
}

TEST_CASE("values that do not fill the shape are refused") {
    const auto refused = rejection<TensorError, LengthMismatch>([] {
        Tensor({2, 3}, {1, 2, 3, 4, 5});
    });
    CHECK(refused.fields.shape == Shape{2, 3});
    CHECK(refused.fields.expected == 6);
    CHECK(refused.fields.actual == 5);
    CHECK(refused.message == "shape [2, 3] holds 6 values, got 5");
    rejection<TensorError, LengthMismatch>([] { Tensor({2}, {1, 2, 3}); });
    CHECK(rejection<TensorError, LengthMismatch>([] { Tensor({}, {}); }).message ==
          "shape [] holds 1 values, got 0");
    CHECK(rejection<TensorError, LengthMismatch>([] { Tensor({3, 0}, {1}); }).fields.expected == 0);
}

TEST_CASE("a shape past all memory is refused before its values are counted or stored") {
    constexpr std::size_t largest = std::numeric_limits<std::size_t>::max();
    rejection<TensorError, ElementCountOverflow>([] { Tensor({largest, 2}, {1, 2}); });
    rejection<TensorError, ElementCountOverflow>([] { Tensor::filled({largest}, 1.0); });
}

TEST_CASE("equal bits means equal shapes and equal patterns") {
    CHECK(same_bits(Tensor::vector({not_a_number, infinity}),
                    Tensor::vector({not_a_number, infinity})));
    CHECK_FALSE(same_bits(Tensor::vector({0.0}), Tensor::vector({-0.0})));
    CHECK_FALSE(same_bits(Tensor::vector({1.0}), Tensor::vector({1.0 + 0x1p-52})));
    CHECK_FALSE(same_bits(Tensor({2, 1}, {1, 2}), Tensor({1, 2}, {1, 2})));
    CHECK_FALSE(same_bits(Tensor({2, 0}, {}), Tensor({0, 2}, {})));
    CHECK_FALSE(same_bits(Tensor::scalar(1), Tensor::vector({1})));
    CHECK_FALSE(same_bits(Tensor::vector({1, 2}), Tensor::vector({1})));
}

TEST_CASE("the first infinite or undefined value is found by its flat index") {
    CHECK_FALSE(first_non_finite(Tensor::vector({})).has_value());
    CHECK_FALSE(
        first_non_finite(Tensor::vector({std::numeric_limits<double>::max(), 0x0.1p-1022, -0.0}))
            .has_value());
    CHECK(first_non_finite(Tensor({2, 2}, {1, 2, not_a_number, infinity})) == 2);
    CHECK(first_non_finite(Tensor::vector({1, -infinity, not_a_number})) == 1);
    CHECK(first_non_finite(Tensor::scalar(infinity)) == 0);
}
