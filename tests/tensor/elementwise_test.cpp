#include "tensor/elementwise.hpp"

#include <doctest/doctest.h>

#include <cmath>
#include <limits>
#include <random>

#include "numeric/elementary.hpp"
#include "support/naive_indexing.hpp"
#include "support/rejection.hpp"
#include "tensor/error.hpp"

using namespace rmsnorm;
using namespace rmsnorm::tensor;
using testing::rejection;

namespace {

// Half a unit in the last place of 1: added to 1 alone it is lost, added to its like it is not.
constexpr double half_ulp = 0x1p-53;

template <class Operation>
Tensor naive_binary(const Tensor& a, const Tensor& b, const Shape& shape, Operation operation) {
    std::vector<double> values;
    for (std::size_t i = 0; i < testing::naive_count(shape); ++i) {
        values.push_back(operation(a[testing::broadcast_source(i, shape, a.shape())],
                                   b[testing::broadcast_source(i, shape, b.shape())]));
    }
    return Tensor(shape, values);
}

void check_all_operations(const Tensor& a, const Tensor& b, const Shape& together) {
    CAPTURE(to_text(a.shape()));
    CAPTURE(to_text(b.shape()));
    CHECK(same_bits(add(a, b),
                    naive_binary(a, b, together, [](double x, double y) { return x + y; })));
    CHECK(same_bits(multiply(a, b),
                    naive_binary(a, b, together, [](double x, double y) { return x * y; })));
    CHECK(same_bits(divide(a, b),
                    naive_binary(a, b, together, [](double x, double y) { return x / y; })));
}

}  // namespace

TEST_CASE("operations on two tensors agree with an index-by-index reference, both ways round") {
    std::mt19937 generator(1);
    for (const auto& example : testing::broadcast_cases()) {
        const Tensor a = testing::random_tensor(generator, example.left);
        const Tensor b = testing::random_tensor(generator, example.right);
        check_all_operations(a, b, example.together);
        check_all_operations(b, a, example.together);
    }
}

TEST_CASE("operations on shapes that do not fit are refused with both shapes") {
    const Tensor a = Tensor::filled({2, 3}, 1.0);
    const Tensor b = Tensor::filled({2}, 1.0);
    const std::string message = "shapes [2, 3] and [2] cannot be broadcast together";
    const auto sum = rejection<TensorError, BroadcastMismatch>([&] { add(a, b); });
    CHECK(sum.fields.left == Shape{2, 3});
    CHECK(sum.fields.right == Shape{2});
    CHECK(sum.message == message);
    CHECK(rejection<TensorError, BroadcastMismatch>([&] { multiply(a, b); }).message == message);
    CHECK(rejection<TensorError, BroadcastMismatch>([&] { divide(a, b); }).message == message);
    rejection<TensorError, BroadcastMismatch>(
        [] { add(Tensor::filled({0}, 1.0), Tensor::filled({2}, 1.0)); });
}

TEST_CASE("exponential and logarithm are the project's own, value by value, at every shape") {
    std::mt19937 generator(2);
    for (const Shape& shape : testing::assorted_shapes()) {
        CAPTURE(to_text(shape));
        const Tensor a = testing::random_tensor(generator, shape);
        const Tensor exponentials = tensor::exp(a);
        CHECK(exponentials.shape() == shape);
        for (std::size_t i = 0; i < a.size(); ++i) CHECK(exponentials[i] == numeric::exp(a[i]));
        const Tensor logarithms = tensor::log(exponentials);
        CHECK(logarithms.shape() == shape);
        for (std::size_t i = 0; i < a.size(); ++i) {
            CHECK(logarithms[i] == numeric::log(exponentials[i]));
        }
    }
}

TEST_CASE("tensors hold what an operation gives, finite or not") {
    CHECK(std::isinf(tensor::log(Tensor::scalar(0.0))[0]));
    CHECK(std::isnan(tensor::log(Tensor::scalar(-1.0))[0]));
    CHECK(std::isinf(tensor::exp(Tensor::scalar(1000.0))[0]));
    CHECK(std::isinf(divide(Tensor::scalar(1.0), Tensor::scalar(0.0))[0]));
}

TEST_CASE("broadcast_to repeats values as the reference does") {
    std::mt19937 generator(3);
    for (const auto& example : testing::broadcast_cases()) {
        const Tensor a = testing::random_tensor(generator, example.left);
        CAPTURE(to_text(a.shape()));
        const Tensor repeated = broadcast_to(a, example.together);
        REQUIRE(repeated.shape() == example.together);
        for (std::size_t i = 0; i < repeated.size(); ++i) {
            CHECK(repeated[i] == a[testing::broadcast_source(i, example.together, a.shape())]);
        }
    }
}

TEST_CASE("broadcast_to refuses a shape that the tensor does not fill") {
    const auto refused = rejection<TensorError, BroadcastMismatch>(
        [] { broadcast_to(Tensor::filled({2}, 1.0), {1}); });
    CHECK(refused.fields.left == Shape{2});
    CHECK(refused.fields.right == Shape{1});
    rejection<TensorError, BroadcastMismatch>([] {
        broadcast_to(Tensor::filled({2, 3}, 1.0), {3});
    });
    rejection<TensorError, BroadcastMismatch>([] { broadcast_to(Tensor::filled({1}, 1.0), {}); });
    rejection<TensorError, BroadcastMismatch>([] { broadcast_to(Tensor::filled({3}, 1.0), {2}); });
    rejection<TensorError, BroadcastMismatch>([] { broadcast_to(Tensor::filled({0}, 1.0), {1}); });
}

TEST_CASE("sum_to adds the copies as the reference does") {
    std::mt19937 generator(4);
    for (const auto& example : testing::broadcast_cases()) {
        for (const Shape& operand : {example.left, example.right}) {
            CAPTURE(to_text(operand));
            CAPTURE(to_text(example.together));
            const Tensor a = testing::random_tensor(generator, example.together);
            std::vector<double> sums(testing::naive_count(operand), 0.0);
            for (std::size_t i = 0; i < a.size(); ++i) {
                sums[testing::broadcast_source(i, example.together, operand)] += a[i];
            }
            CHECK(same_bits(sum_to(a, operand), Tensor(operand, sums)));
        }
    }
}

TEST_CASE("sum_to adds in row-major order, also where the order decides the last bit") {
    // Row-major the two halves meet first and survive; column-major each would be lost against 1.
    const Tensor a({2, 2}, {half_ulp, half_ulp, 1, 0});
    CHECK(sum_to(a, {})[0] == 1 + 2 * half_ulp);
    const Tensor transposed({2, 2}, {half_ulp, 1, half_ulp, 0});
    CHECK(sum_to(transposed, {})[0] == 1);
    CHECK(sum_to(Tensor::vector({1, half_ulp, half_ulp}), {1})[0] == 1);
    CHECK(sum_to(Tensor::vector({half_ulp, half_ulp, 1}), {1})[0] == 1 + 2 * half_ulp);
}

TEST_CASE("sums start at plus zero: minus zero alone becomes plus zero, and nothing sums to it") {
    CHECK(same_bits(sum_to(Tensor::vector({-0.0, -0.0}), {}), Tensor::scalar(0.0)));
    CHECK(same_bits(sum_to(Tensor::vector({-0.0}), {1}), Tensor::vector({0.0})));
    CHECK(same_bits(sum_to(Tensor({2, 0}, {}), {2, 1}), Tensor({2, 1}, {0.0, 0.0})));
    CHECK(same_bits(sum_to(Tensor::vector({}), {}), Tensor::scalar(0.0)));
}

TEST_CASE("sum_to refuses a shape that does not broadcast to the tensor's") {
    const auto refused = rejection<TensorError, BroadcastMismatch>([] {
        sum_to(Tensor::filled({3}, 1.0), {2, 3});
    });
    CHECK(refused.fields.left == Shape{2, 3});
    CHECK(refused.fields.right == Shape{3});
    rejection<TensorError, BroadcastMismatch>([] { sum_to(Tensor::filled({3}, 1.0), {2}); });
    rejection<TensorError, BroadcastMismatch>([] { sum_to(Tensor::filled({1}, 1.0), {0}); });
}
