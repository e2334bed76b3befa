#include "autodiff/backward.hpp"

#include <doctest/doctest.h>

#include <cmath>
#include <limits>
#include <random>

#include "autodiff/error.hpp"
#include "autodiff/operations.hpp"
#include "support/naive_indexing.hpp"
#include "support/rejection.hpp"

using namespace rmsnorm;
using namespace rmsnorm::autodiff;
using tensor::ReducedAxis;
using tensor::same_bits;
using tensor::Shape;
using tensor::Tensor;
using testing::broadcast_source;
using testing::rejection;

namespace {

constexpr double infinity = std::numeric_limits<double>::infinity();
constexpr double not_a_number = std::numeric_limits<double>::quiet_NaN();
// Half a unit in the last place of 1: added to 1 alone it is lost, added to its like it is not.
constexpr double half_ulp = 0x1p-53;

Value scalar(double value) { return Value::constant(Tensor::scalar(value)); }

Value scalar_parameter(double value) { return Value::parameter(Tensor::scalar(value)); }

}  // namespace

TEST_CASE("adjoints of a broadcast sum and product agree with an index-by-index reference") {
    std::mt19937 generator(1);
    for (const auto& example : testing::broadcast_cases()) {
        CAPTURE(tensor::to_text(example.left));
        CAPTURE(tensor::to_text(example.right));
        const Tensor a = testing::random_tensor(generator, example.left);
        const Tensor b = testing::random_tensor(generator, example.right);
        const Tensor seed = testing::random_tensor(generator, example.together);
        Tensor add_left = Tensor::filled(example.left, 0.0);
        Tensor add_right = Tensor::filled(example.right, 0.0);
        Tensor multiply_left = add_left;
        Tensor multiply_right = add_right;
        for (std::size_t i = 0; i < seed.size(); ++i) {
            const std::size_t left = broadcast_source(i, example.together, example.left);
            const std::size_t right = broadcast_source(i, example.together, example.right);
            add_left[left] += seed[i];
            add_right[right] += seed[i];
            multiply_left[left] += seed[i] * b[right];
            multiply_right[right] += seed[i] * a[left];
        }

        Value left = Value::parameter(a);
        Value right = Value::parameter(b);
        backward(add(left, right), seed);
        CHECK(same_bits(left.gradient(), add_left));
        CHECK(same_bits(right.gradient(), add_right));
        left.zero_gradient();
        right.zero_gradient();
        backward(multiply(left, right), seed);
        CHECK(same_bits(left.gradient(), multiply_left));
        CHECK(same_bits(right.gradient(), multiply_right));

        // The other way round, and with one side that takes no gradient.
        left.zero_gradient();
        backward(multiply(right.detached(), left), seed);
        CHECK(same_bits(left.gradient(), multiply_left));
        CHECK(same_bits(right.gradient(), multiply_right));
    }
}

TEST_CASE("adjoints of sum, mean, exp and log agree with an index-by-index reference") {
    std::mt19937 generator(2);
    for (const Shape& shape : testing::assorted_shapes()) {
        CAPTURE(tensor::to_text(shape));
        Tensor a = testing::random_tensor(generator, shape);
        for (std::size_t i = 0; i < a.size(); ++i) a[i] = std::fabs(a[i]) + 0.25;
        Value x = Value::parameter(a);

        const Tensor seed = testing::random_tensor(generator, shape);
        Tensor expected = seed;
        const Value exponential = exp(x);
        for (std::size_t i = 0; i < a.size(); ++i) expected[i] = seed[i] * exponential.tensor()[i];
        backward(exponential, seed);
        CHECK(same_bits(x.gradient(), expected));

        for (std::size_t i = 0; i < a.size(); ++i) expected[i] = seed[i] / a[i];
        x.zero_gradient();
        backward(log(x), seed);
        CHECK(same_bits(x.gradient(), expected));

        for (std::size_t axis = 0; axis < shape.size(); ++axis) {
            for (const ReducedAxis reduced : {ReducedAxis::kept, ReducedAxis::dropped}) {
                CAPTURE(axis);
                Shape kept = shape;
                kept[axis] = 1;
                const Tensor upstream =
                    testing::random_tensor(generator, tensor::reduced_shape(shape, axis, reduced));
                const auto width = static_cast<double>(shape[axis]);
                Tensor sum_expected = a;
                Tensor mean_expected = a;
                for (std::size_t i = 0; i < a.size(); ++i) {
                    sum_expected[i] = upstream[broadcast_source(i, shape, kept)];
                    mean_expected[i] = upstream[broadcast_source(i, shape, kept)] / width;
                }
                x.zero_gradient();
                backward(sum(x, axis, reduced), upstream);
                CHECK(same_bits(x.gradient(), sum_expected));
                if (shape[axis] == 0) continue;
                x.zero_gradient();
                backward(mean(x, axis, reduced), upstream);
                CHECK(same_bits(x.gradient(), mean_expected));
            }
        }
    }
}

TEST_CASE("every use of an operand is an edge: x * x contributes twice") {
    const Value x = Value::parameter(Tensor::vector({3, -0.5}));
    backward(multiply(x, x), Tensor::vector({1, 10}));
    CHECK(same_bits(x.gradient(), Tensor::vector({6, -10})));
    const Value y = scalar_parameter(7);
    backward(add(y, y), Tensor::scalar(0.25));
    CHECK(y.gradient()[0] == 0.5);
}

TEST_CASE("contributions are added in reverse post-order, also where it decides the last bit") {
    // (x a + x b) + x c is passed from the last factor to the first.
    const auto gradient = [](double a, double b, double c) {
        const Value x = scalar_parameter(1);
        const Value left = add(multiply(x, scalar(a)), multiply(x, scalar(b)));
        backward(add(left, multiply(x, scalar(c))), Tensor::scalar(1));
        return x.gradient()[0];
    };
    CHECK(gradient(half_ulp, half_ulp, 1) == 1);
    CHECK(gradient(1, half_ulp, half_ulp) == 1 + 2 * half_ulp);
    CHECK(gradient(half_ulp, 1, half_ulp) == 1);
}

TEST_CASE("the factors of a product are passed from the last to the first") {
    const auto gradient = [](double a, double b) {
        const Value x = scalar_parameter(0);
        const Value product = multiply(add(x, scalar(a)), add(x, scalar(b)));
        backward(add(product, x), Tensor::scalar(1));
        return x.gradient()[0];
    };
    // x receives 1 from the sum, then a through the right factor, then b through the left one.
    CHECK(gradient(half_ulp, half_ulp) == 1);
    CHECK(gradient(-1, half_ulp) == half_ulp);
    CHECK(gradient(half_ulp, -1) == 0);
}

TEST_CASE("copies of a broadcast operand are summed in row-major order before they arrive") {
    const auto gradient = [](const Tensor& seed) {
        const Value x = scalar_parameter(1);
        backward(add(x, Value::constant(Tensor::filled(seed.shape(), 0.0))), seed);
        return x.gradient()[0];
    };
    CHECK(gradient(Tensor({2, 2}, {half_ulp, half_ulp, 1, 0})) == 1 + 2 * half_ulp);
    CHECK(gradient(Tensor({2, 2}, {half_ulp, 1, half_ulp, 0})) == 1);

    // The copies meet each other first, and then the 1 that arrived before them.
    const Value x = scalar_parameter(1);
    const Value spread =
        sum(add(x, Value::constant(Tensor::vector({0, 0}))), 0, ReducedAxis::dropped);
    backward(add(multiply(spread, scalar(half_ulp)), x), Tensor::scalar(1));
    CHECK(x.gradient()[0] == 1 + 2 * half_ulp);
}

TEST_CASE("adjoints start at plus zero, so that minus zero never arrives") {
    const Value x = scalar_parameter(2);
    backward(x, Tensor::scalar(-0.0));
    CHECK(same_bits(x.gradient(), Tensor::scalar(0.0)));
    const Value y = Value::parameter(Tensor::vector({2, 3}));
    backward(multiply(y, scalar(-1)), Tensor::vector({0.0, -0.0}));
    CHECK(same_bits(y.gradient(), Tensor::vector({0.0, 0.0})));
}

TEST_CASE("a parameter can be the output itself, as often as wished") {
    const Value x = Value::parameter(Tensor({2, 1}, {1, 2}));
    backward(x, Tensor({2, 1}, {3, 4}));
    backward(x, Tensor({2, 1}, {3, 4}));
    CHECK(same_bits(x.gradient(), Tensor({2, 1}, {6, 8})));
}

TEST_CASE("gradients accumulate over passes until they are zeroed") {
    Value x = scalar_parameter(3);
    const Value square = multiply(x, x);
    backward(square, Tensor::scalar(1), Graph::retained);
    backward(square, Tensor::scalar(0.5), Graph::retained);
    CHECK(x.gradient()[0] == 9);
    x.zero_gradient();
    backward(square, Tensor::scalar(-1), Graph::released);
    CHECK(x.gradient()[0] == -6);
}

TEST_CASE("no gradient flows through constants and detached values") {
    const Value x = scalar_parameter(3);
    const Value y = multiply(multiply(x, x).detached(), x);
    backward(y, Tensor::scalar(1));
    CHECK(x.gradient()[0] == 9);
}

TEST_CASE("a released graph cannot be passed again, and says which operation was reached") {
    const Value x = scalar_parameter(3);
    const Value square = multiply(x, x);
    backward(square, Tensor::scalar(1));
    CHECK(square.tensor()[0] == 9);
    const auto refused =
        rejection<AutodiffError, ReleasedGraph>([&] { backward(square, Tensor::scalar(1)); });
    CHECK(refused.fields.operation == Operation::multiply);
    CHECK(refused.message ==
          "the graph behind the multiply result was released by an earlier reverse pass");
    CHECK(x.gradient()[0] == 6);
}

TEST_CASE("a graph that shares a released operation is refused and left as it was") {
    const Value x = scalar_parameter(3);
    const Value y = scalar_parameter(5);
    const Value shared = exp(x);
    backward(add(shared, y), Tensor::scalar(1));
    const Tensor x_before = x.gradient();
    const Tensor y_before = y.gradient();
    const Value own = multiply(y, y);
    const Value late = add(own, shared);
    CHECK(rejection<AutodiffError, ReleasedGraph>([&] {
              backward(late, Tensor::scalar(1));
          }).fields.operation == Operation::exp);
    CHECK(same_bits(x.gradient(), x_before));
    CHECK(same_bits(y.gradient(), y_before));
    // Its own part was not released by the refusal.
    backward(own, Tensor::scalar(1));
    CHECK(y.gradient()[0] == y_before[0] + 10);
}

TEST_CASE("a pass releases the operations and not the parameters") {
    const Value x = scalar_parameter(3);
    backward(multiply(x, x), Tensor::scalar(1));
    backward(add(x, x), Tensor::scalar(1));
    CHECK(x.gradient()[0] == 8);
}

TEST_CASE("an output without parameters, a seed of another shape and a bad seed are refused") {
    const Value x = Value::parameter(Tensor::vector({1, 2}));
    CHECK(rejection<AutodiffError, UntrackedOutput>([&] {
              backward(exp(x.detached()), Tensor::vector({1, 1}));
          }).message == "the reverse pass needs an output that depends on a parameter");
    const Value output = exp(x);
    const auto shape = rejection<AutodiffError, SeedShapeMismatch>([&] {
        backward(output, Tensor({1, 2}, {1, 1}));
    });
    CHECK(shape.fields.expected == Shape{2});
    CHECK(shape.fields.actual == Shape{1, 2});
    CHECK(shape.message == "reverse pass seed must have the output's shape [2], got [1, 2]");
    rejection<AutodiffError, SeedShapeMismatch>([&] { backward(output, Tensor::scalar(1)); });
    const auto seed = rejection<AutodiffError, NonFiniteSeed>([&] {
        backward(output, Tensor::vector({1, not_a_number}));
    });
    CHECK(seed.fields.index == 1);
    CHECK(seed.fields.value != seed.fields.value);
    CHECK(seed.message == "reverse pass seed is not finite at flat index 1: NaN");
    CHECK(rejection<AutodiffError, NonFiniteSeed>([&] {
              backward(output, Tensor::vector({-infinity, not_a_number}));
          }).message == "reverse pass seed is not finite at flat index 0: -inf");
    CHECK(same_bits(x.gradient(), Tensor::vector({0, 0})));
    // None of the refusals released anything.
    backward(output, Tensor::vector({1, 1}));
    CHECK(same_bits(x.gradient(), output.tensor()));
}

TEST_CASE("the first of several faults is reported: untracked, shape, seed, released graph") {
    const Value untracked = Value::constant(Tensor::scalar(1));
    rejection<AutodiffError, UntrackedOutput>([&] {
        backward(untracked, Tensor::vector({not_a_number, not_a_number}));
    });
    const Value x = scalar_parameter(1);
    const Value released = exp(x);
    backward(released, Tensor::scalar(1));
    rejection<AutodiffError, SeedShapeMismatch>([&] {
        backward(released, Tensor::vector({not_a_number, not_a_number}));
    });
    rejection<AutodiffError, NonFiniteSeed>(
        [&] { backward(released, Tensor::scalar(not_a_number)); });
    rejection<AutodiffError, ReleasedGraph>([&] { backward(released, Tensor::scalar(1)); });
}

TEST_CASE("an adjoint that overflows names the operation, the operand and the place") {
    const Value x = Value::parameter(Tensor::vector({1, 1e-300}));
    const Value logarithm = log(x);
    const auto refused = rejection<AutodiffError, NonFiniteAdjoint>([&] {
        backward(logarithm, Tensor::vector({1, 1e10}));
    });
    CHECK(refused.fields.operation == Operation::log);
    CHECK(refused.fields.operand == 0);
    CHECK(refused.fields.index == 1);
    CHECK(refused.fields.value == infinity);
    CHECK(refused.message ==
          "log passes an adjoint to operand 0 that is not finite at flat index 1: inf");
    CHECK(same_bits(x.gradient(), Tensor::vector({0, 0})));

    // Each of the two contributions is finite; their sum is not.
    const Value y = scalar_parameter(1);
    const Value twice = add(y, y);
    const auto second =
        rejection<AutodiffError, NonFiniteAdjoint>([&] { backward(twice, Tensor::scalar(1e308)); });
    CHECK(second.fields.operation == Operation::add);
    CHECK(second.fields.operand == 1);

    // So are the copies of a broadcast operand.
    const Value z = scalar_parameter(0);
    const Value spread = multiply(Value::constant(Tensor::vector({1, 1})), z);
    const auto copies = rejection<AutodiffError, NonFiniteAdjoint>([&] {
        backward(spread, Tensor::vector({-1e308, -1e308}));
    });
    CHECK(copies.fields.operation == Operation::multiply);
    CHECK(copies.fields.operand == 1);
    CHECK(copies.fields.value == -infinity);
}

TEST_CASE("a pass that fails at its last parameter changes no gradient and releases nothing") {
    Value first = Value::parameter(Tensor::vector({1, 2}));
    Value last = Value::parameter(Tensor::vector({1, 1e-300}));
    // The right operand of the sum is passed first: `last` is the last to receive its adjoint.
    const Value output = add(log(last), multiply(first, first));
    backward(output, Tensor::vector({-0.75, 1e-3}), Graph::retained);
    const Tensor first_before = first.gradient();
    const Tensor last_before = last.gradient();
    CHECK(rejection<AutodiffError, NonFiniteAdjoint>([&] {
              backward(output, Tensor::vector({1, 1e10}), Graph::released);
          }).fields.operation == Operation::log);
    CHECK(same_bits(first.gradient(), first_before));
    CHECK(same_bits(last.gradient(), last_before));

    first.zero_gradient();
    last.zero_gradient();
    backward(output, Tensor::vector({-0.75, 1e-3}), Graph::released);
    CHECK(same_bits(first.gradient(), first_before));
    CHECK(same_bits(last.gradient(), last_before));
}

TEST_CASE("a stored gradient that would overflow is refused, whichever parameter it belongs to") {
    for (const bool on_the_left : {true, false}) {
        CAPTURE(on_the_left);
        const Value calm = Value::parameter(Tensor::vector({1, 2}));
        const Value full = Value::parameter(Tensor::vector({1, 2}));
        backward(full, Tensor::vector({1, 1e308}));
        const Value output = on_the_left ? add(full, calm) : add(calm, full);
        const auto refused = rejection<AutodiffError, NonFiniteGradient>([&] {
            backward(output, Tensor::vector({1, 1e308}), Graph::released);
        });
        CHECK(refused.fields.index == 1);
        CHECK(refused.fields.value == infinity);
        CHECK(refused.message ==
              "accumulated parameter gradient is not finite at flat index 1: inf");
        CHECK(same_bits(calm.gradient(), Tensor::vector({0, 0})));
        CHECK(same_bits(full.gradient(), Tensor::vector({1, 1e308})));
        backward(output, Tensor::vector({1, -1e308}), Graph::released);
        CHECK(same_bits(calm.gradient(), Tensor::vector({1, -1e308})));
        CHECK(same_bits(full.gradient(), Tensor::vector({2, 0})));
    }
}

TEST_CASE("a pass over nothing reaches the parameters that were broadcast to nothing") {
    const Value x = Value::parameter(Tensor::vector({1, 2}));
    const Value empty = Value::parameter(Tensor({0, 1}, {}));
    const Value output = mean(multiply(exp(empty), log(x)), 1, ReducedAxis::dropped);
    CHECK(output.shape() == Shape{0});
    backward(output, Tensor({0}, {}));
    CHECK(same_bits(x.gradient(), Tensor::vector({0, 0})));
    CHECK(same_bits(empty.gradient(), Tensor({0, 1}, {})));

    // A sum over nothing is a finite zero of full shape.
    const Value total = sum(add(empty, x), 0, ReducedAxis::dropped);
    CHECK(same_bits(total.tensor(), Tensor::vector({0, 0})));
    backward(total, Tensor::vector({5, 6}));
    CHECK(same_bits(x.gradient(), Tensor::vector({0, 0})));
}

TEST_CASE("a chain of a hundred thousand nodes is reversed without recursion") {
    const Value one = scalar(1);
    const Value x = scalar_parameter(0);
    Value value = x;
    for (int i = 0; i < 100000; ++i) value = add(value, one);
    backward(value, Tensor::scalar(0.5), Graph::retained);
    backward(value, Tensor::scalar(0.25), Graph::released);
    CHECK(x.gradient()[0] == 0.75);
    rejection<AutodiffError, ReleasedGraph>([&] { backward(value, Tensor::scalar(1)); });
}

TEST_CASE("a thousand diamonds in a row, with 2^1000 paths, cost a thousand visits") {
    const Value x = scalar_parameter(0x1p-1000);
    Value value = x;
    for (int i = 0; i < 1000; ++i) value = add(value, value);
    CHECK(value.tensor()[0] == 1);
    backward(value, Tensor::scalar(1));
    CHECK(x.gradient()[0] == 0x1p1000);
}

TEST_CASE("a node that is reached early and late is passed after all that use it") {
    // Were the square passed before the cube, the cube's contribution to it would miss.
    const Value x = scalar_parameter(2);
    const Value square = multiply(x, x);
    const Value cube = multiply(x, square);
    backward(add(add(square, cube), multiply(square, cube)), Tensor::scalar(1));
    // d/dx (x^2 + x^3 + x^5) at 2.
    CHECK(x.gradient()[0] == 4 + 12 + 80);
}
