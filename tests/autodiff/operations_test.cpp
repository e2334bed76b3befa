#include "autodiff/operations.hpp"

#include <doctest/doctest.h>

#include <limits>
#include <random>

#include "autodiff/error.hpp"
#include "autodiff/node.hpp"
#include "support/naive_indexing.hpp"
#include "support/rejection.hpp"
#include "tensor/elementwise.hpp"

using namespace rmsnorm;
using namespace rmsnorm::autodiff;
using tensor::ReducedAxis;
using tensor::same_bits;
using tensor::Tensor;
using testing::rejection;

namespace {

constexpr double infinity = std::numeric_limits<double>::infinity();

Value constant(std::vector<double> values) {
    return Value::constant(Tensor::vector(std::move(values)));
}

}  // namespace

TEST_CASE("forward values are the tensor floor's, bit for bit, at every shape") {
    std::mt19937 generator(1);
    for (const auto& example : testing::broadcast_cases()) {
        const Tensor a = testing::random_tensor(generator, example.left);
        const Tensor b = testing::random_tensor(generator, example.right);
        const Value left = Value::parameter(a);
        const Value right = Value::constant(b);
        CHECK(same_bits(add(left, right).tensor(), tensor::add(a, b)));
        CHECK(same_bits(add(right, left).tensor(), tensor::add(b, a)));
        CHECK(same_bits(multiply(left, right).tensor(), tensor::multiply(a, b)));
        CHECK(same_bits(multiply(right, left).tensor(), tensor::multiply(b, a)));
    }
    for (const tensor::Shape& shape : testing::assorted_shapes()) {
        const Tensor a = testing::random_tensor(generator, shape);
        const Value value = Value::parameter(a);
        CHECK(same_bits(exp(value).tensor(), tensor::exp(a)));
        CHECK(same_bits(log(exp(value)).tensor(), tensor::log(tensor::exp(a))));
        for (std::size_t axis = 0; axis < shape.size(); ++axis) {
            for (const ReducedAxis reduced : {ReducedAxis::kept, ReducedAxis::dropped}) {
                CHECK(same_bits(sum(value, axis, reduced).tensor(), tensor::sum(a, axis, reduced)));
                if (shape[axis] == 0) continue;
                CHECK(
                    same_bits(mean(value, axis, reduced).tensor(), tensor::mean(a, axis, reduced)));
            }
        }
    }
}

TEST_CASE("a result is tracked as soon as one operand is, and otherwise keeps no operands") {
    const Value parameter = Value::parameter(Tensor::scalar(1));
    const Value untracked = constant({1, 2});
    CHECK(add(parameter, untracked).tracked());
    CHECK(add(untracked, parameter).tracked());
    CHECK(multiply(untracked, parameter).tracked());
    CHECK(exp(parameter).tracked());
    CHECK(log(parameter).tracked());
    CHECK(sum(add(parameter, untracked), 0, ReducedAxis::kept).tracked());
    CHECK(mean(add(parameter, untracked), 0, ReducedAxis::kept).tracked());
    const Value result = multiply(untracked, add(untracked, untracked));
    CHECK_FALSE(result.tracked());
    CHECK(result.node()->operands.empty());
    CHECK_FALSE(exp(untracked).tracked());
}

TEST_CASE("a result that is not finite is refused under the operation's name") {
    const double large = std::numeric_limits<double>::max();
    const auto refused = rejection<AutodiffError, NonFiniteForward>([&] {
        add(constant({1, large}), constant({1, large}));
    });
    CHECK(refused.fields.operation == Operation::add);
    CHECK(refused.fields.index == 1);
    CHECK(refused.fields.value == infinity);
    CHECK(refused.message == "add result is not finite at flat index 1: inf");
    CHECK(rejection<AutodiffError, NonFiniteForward>([] {
              multiply(constant({1, 2, -1e200}), constant({1e200}));
          }).message == "multiply result is not finite at flat index 2: -inf");
    const Value columns = Value::constant(Tensor({2, 2}, {1, large, 1, large}));
    CHECK(rejection<AutodiffError, NonFiniteForward>([&] {
              sum(columns, 0, ReducedAxis::kept);
          }).message == "sum result is not finite at flat index 1: inf");
    // The mean itself would be in range: it is the sum on the way that is not.
    CHECK(rejection<AutodiffError, NonFiniteForward>([&] {
              mean(columns, 0, ReducedAxis::dropped);
          }).message == "mean result is not finite at flat index 1: inf");
    CHECK(rejection<AutodiffError, NonFiniteForward>([] {
              exp(constant({709, 710}));
          }).message == "exp result is not finite at flat index 1: inf");
    const auto zero = rejection<AutodiffError, NonFiniteForward>([] { log(constant({1, 2, 0})); });
    CHECK(zero.fields.operation == Operation::log);
    CHECK(zero.message == "log result is not finite at flat index 2: -inf");
    CHECK(rejection<AutodiffError, NonFiniteForward>([] { log(constant({-1})); }).message ==
          "log result is not finite at flat index 0: NaN");
    rejection<AutodiffError, NonFiniteForward>([] { log(constant({-0.0})); });
}

TEST_CASE("operands that do not fit are refused under the operation's name") {
    const Value two = constant({1, 2});
    const Value three = constant({1, 2, 3});
    const auto refused = rejection<AutodiffError, InvalidOperands>([&] { add(two, three); });
    CHECK(refused.fields.operation == Operation::add);
    CHECK(std::get<tensor::BroadcastMismatch>(refused.fields.source.rejection()).right ==
          tensor::Shape{3});
    CHECK(refused.message == "add: shapes [2] and [3] cannot be broadcast together");
    CHECK(rejection<AutodiffError, InvalidOperands>([&] { multiply(three, two); }).message ==
          "multiply: shapes [3] and [2] cannot be broadcast together");
    CHECK(rejection<AutodiffError, InvalidOperands>([&] {
              sum(two, 1, ReducedAxis::kept);
          }).message == "sum: axis 1 does not exist in a tensor of rank 1");
    CHECK(rejection<AutodiffError, InvalidOperands>([] {
              mean(Value::constant(Tensor::scalar(1)), 0, ReducedAxis::kept);
          }).message == "mean: axis 0 does not exist in a tensor of rank 0");
    const auto empty = rejection<AutodiffError, InvalidOperands>([] {
        mean(Value::parameter(Tensor({2, 0}, {})), 1, ReducedAxis::kept);
    });
    CHECK(empty.fields.operation == Operation::mean);
    CHECK(std::get<tensor::EmptyMeanAxis>(empty.fields.source.rejection()).axis == 1);
    CHECK(empty.message == "mean: the mean over the empty axis 1 of shape [2, 0] is not defined");
}
