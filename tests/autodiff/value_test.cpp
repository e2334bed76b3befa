#include "autodiff/value.hpp"

#include <doctest/doctest.h>

#include <limits>
#include <memory>
#include <vector>

#include "autodiff/backward.hpp"
#include "autodiff/error.hpp"
#include "autodiff/node.hpp"
#include "autodiff/operations.hpp"
#include "support/naive_indexing.hpp"
#include "support/rejection.hpp"

using namespace rmsnorm;
using namespace rmsnorm::autodiff;
using tensor::same_bits;
using tensor::Tensor;
using testing::rejection;

namespace {

constexpr double infinity = std::numeric_limits<double>::infinity();
constexpr double not_a_number = std::numeric_limits<double>::quiet_NaN();

// A recursion this deep needs more than twice a usual stack of 8 MiB, at 64 bytes a level.
constexpr int chain_length = 300000;

}  // namespace

TEST_CASE("a parameter is tracked and starts with a gradient of zeros of its own shape") {
    for (const tensor::Shape& shape : testing::assorted_shapes()) {
        const Value value = Value::parameter(Tensor::filled(shape, -2.0));
        CHECK(value.tracked());
        CHECK(same_bits(value.tensor(), Tensor::filled(shape, -2.0)));
        CHECK(value.shape() == shape);
        CHECK(same_bits(value.gradient(), Tensor::filled(shape, 0.0)));
    }
}

TEST_CASE("constants and detached values are not tracked") {
    const Value constant = Value::constant(Tensor::vector({1, -0.0}));
    CHECK_FALSE(constant.tracked());
    const Value product = multiply(Value::parameter(Tensor::scalar(3)), constant);
    CHECK(product.tracked());
    const Value detached = product.detached();
    CHECK_FALSE(detached.tracked());
    CHECK(same_bits(detached.tensor(), Tensor::vector({3, -0.0})));
    CHECK_FALSE(constant.detached().tracked());
}

TEST_CASE("a detached value keeps nothing of its history alive") {
    std::weak_ptr<Node> origin;
    const Value detached = [&] {
        const Value parameter = Value::parameter(Tensor::scalar(1));
        origin = parameter.node();
        return add(parameter, parameter).detached();
    }();
    CHECK(origin.expired());
    CHECK(detached.tensor()[0] == 2);
}

TEST_CASE("a leaf refuses infinite and undefined values and names the first") {
    const auto parameter = rejection<AutodiffError, NonFiniteLeaf>([] {
        Value::parameter(Tensor({2, 2}, {1, 2, infinity, not_a_number}));
    });
    CHECK(parameter.fields.operation == Operation::parameter);
    CHECK(parameter.fields.index == 2);
    CHECK(parameter.fields.value == infinity);
    CHECK(parameter.message == "parameter leaf is not finite at flat index 2: inf");
    const auto constant =
        rejection<AutodiffError, NonFiniteLeaf>([] { Value::constant(Tensor::scalar(-infinity)); });
    CHECK(constant.fields.operation == Operation::constant);
    CHECK(constant.message == "constant leaf is not finite at flat index 0: -inf");
    const auto undefined = rejection<AutodiffError, NonFiniteLeaf>([] {
        Value::constant(Tensor::vector({0, not_a_number}));
    });
    CHECK(undefined.fields.index == 1);
    CHECK(undefined.fields.value != undefined.fields.value);
    CHECK(undefined.message == "constant leaf is not finite at flat index 1: NaN");
}

TEST_CASE("only parameters keep a gradient") {
    const Value parameter = Value::parameter(Tensor::scalar(1));
    Value constant = Value::constant(Tensor::scalar(1));
    Value detached = parameter.detached();
    Value sum = add(parameter, constant);
    const auto refused = rejection<AutodiffError, NotAParameter>([&] { sum.gradient(); });
    CHECK(refused.fields.operation == Operation::add);
    CHECK(refused.message == "only a parameter keeps a gradient, not a value made by add");
    CHECK(rejection<AutodiffError, NotAParameter>([&] { constant.gradient(); }).message ==
          "only a parameter keeps a gradient, not a value made by constant");
    CHECK(rejection<AutodiffError, NotAParameter>([&] {
              detached.zero_gradient();
          }).fields.operation == Operation::detached);
    rejection<AutodiffError, NotAParameter>([&] { sum.zero_gradient(); });
}

TEST_CASE("copies of a handle mean the same parameter") {
    Value parameter = Value::parameter(Tensor::vector({1, 2}));
    const Value copy = parameter;
    backward(parameter, Tensor::vector({3, 4}));
    CHECK(same_bits(copy.gradient(), Tensor::vector({3, 4})));
    parameter.zero_gradient();
    CHECK(same_bits(copy.gradient(), Tensor::vector({0, 0})));
}

TEST_CASE("every operation has a name of its own") {
    std::vector<std::string_view> names;
    for (const Operation operation :
         {Operation::parameter, Operation::constant, Operation::detached, Operation::add,
          Operation::multiply, Operation::mean, Operation::sum, Operation::exp, Operation::log}) {
        names.push_back(name(operation));
    }
    CHECK(names == std::vector<std::string_view>{"parameter", "constant", "detached", "add",
                                                 "multiply", "mean", "sum", "exp", "log"});
}

TEST_CASE("a chain of three hundred thousand nodes is freed without recursion") {
    std::weak_ptr<Node> first;
    std::weak_ptr<Node> last;
    {
        const Value one = Value::constant(Tensor::scalar(1));
        Value value = Value::parameter(Tensor::scalar(0));
        first = value.node();
        for (int i = 0; i < chain_length; ++i) value = add(value, one);
        last = value.node();
        CHECK(value.tensor()[0] == chain_length);
        CHECK_FALSE(first.expired());
    }
    CHECK(first.expired());
    CHECK(last.expired());
}

TEST_CASE("a chain whose nodes are used twice a step is freed without recursion") {
    std::weak_ptr<Node> first;
    {
        const Value half = Value::constant(Tensor::scalar(0.5));
        Value value = Value::parameter(Tensor::scalar(1));
        first = value.node();
        for (int i = 0; i < chain_length / 2; ++i) value = multiply(add(value, value), half);
        CHECK(value.tensor()[0] == 1);
    }
    CHECK(first.expired());
}

TEST_CASE("a handle in the middle of a long chain keeps what is before it and nothing after") {
    const Value one = Value::constant(Tensor::scalar(1));
    const Value parameter = Value::parameter(Tensor::scalar(0));
    std::weak_ptr<Node> after;
    Value middle = parameter;
    {
        Value value = parameter;
        for (int i = 0; i < chain_length; ++i) {
            value = add(value, one);
            if (i == chain_length / 2) middle = value;
            if (i == chain_length / 2 + 1) after = value.node();
        }
    }
    CHECK(after.expired());
    CHECK(middle.tensor()[0] == chain_length / 2 + 1);
    backward(middle, Tensor::scalar(2.5));
    CHECK(parameter.gradient()[0] == 2.5);
}
