#include "experiments/rmsnorm/stages.hpp"

#include <doctest/doctest.h>

#include <cmath>

#include "autodiff/backward.hpp"
#include "autodiff/operations.hpp"
#include "experiments/rmsnorm/chapter_values.hpp"

using namespace rmsnorm;
using experiments::Stage;
using experiments::Stages;
using tensor::Tensor;

namespace {

const Stage& named(const Stages& evidence, const std::string& name) {
    for (const Stage& stage : evidence.stages) {
        if (stage.name == name) return stage;
    }
    FAIL("no stage " << name);
    return evidence.stages.front();
}

experiments::LayerCase two_rows() {
    experiments::LayerCase rows = experiments::chapter_values::layer_case();
    rows.input = Tensor({2, 2}, {3, 4, -0.25, 5});
    rows.upstream = Tensor({2, 2}, {1, -2, 0.5, 3});
    return rows;
}

}  // namespace

TEST_CASE("the chapter's adjoints are those of the derivation by hand") {
    const Stages evidence = experiments::stages(experiments::chapter_values::layer_case());
    REQUIRE(evidence.stages.size() == 10);
    CHECK(evidence.checks.at(0).passed);
    // p * g, exactly: 1 * 1.5 and -2 * 0.5.
    CHECK(tensor::same_bits(named(evidence, "normalized").adjoint, Tensor::vector({1.5, -1})));
    // sum(p * g * x) = 4.5 - 4, exactly.
    CHECK(named(evidence, "inverse_rms").adjoint[0] == 0.5);
    CHECK(tensor::same_bits(named(evidence, "square").value, Tensor::vector({9, 16})));
    CHECK(named(evidence, "mean_square").value[0] == 12.5);
    // Each square receives the same half of what the mean received.
    const Tensor& squares = named(evidence, "square").adjoint;
    CHECK(squares[0] == named(evidence, "mean_square").adjoint[0] / 2);
    CHECK(squares[1] == squares[0]);
    CHECK(tensor::same_bits(named(evidence, "output").adjoint, Tensor::vector({1, -2})));
}

TEST_CASE("an adjoint is the gradient of the stage when the tape begins there") {
    const experiments::LayerCase rows = two_rows();
    const Stages evidence = experiments::stages(rows);
    const auto input = autodiff::Value::constant(rows.input);
    const auto gain = autodiff::Value::constant(rows.gain);
    const auto epsilon = autodiff::Value::constant(Tensor::scalar(rows.epsilon));
    const auto half = autodiff::Value::constant(Tensor::scalar(-0.5));
    const auto from_inverse = [&](const autodiff::Value& r) {
        return multiply(multiply(input, r), gain);
    };
    const auto from_mean = [&](const autodiff::Value& mean) {
        return from_inverse(autodiff::exp(multiply(autodiff::log(add(mean, epsilon)), half)));
    };
    const auto gradient_at = [&](const std::string& stage, auto rest) {
        const auto leaf = autodiff::Value::parameter(named(evidence, stage).value);
        autodiff::backward(rest(leaf), rows.upstream);
        return leaf.gradient();
    };
    CHECK(tensor::same_bits(gradient_at("inverse_rms", from_inverse),
                            named(evidence, "inverse_rms").adjoint));
    CHECK(tensor::same_bits(gradient_at("mean_square", from_mean),
                            named(evidence, "mean_square").adjoint));
    CHECK(tensor::same_bits(gradient_at("square",
                                        [&](const autodiff::Value& square) {
                                            return from_mean(
                                                mean(square, 1, tensor::ReducedAxis::kept));
                                        }),
                            named(evidence, "square").adjoint));
}

TEST_CASE("the check of the adjoints finds one wrong bit") {
    const experiments::LayerCase rows = two_rows();
    const Stages evidence = experiments::stages(rows);
    Tensor input = named(evidence, "input").adjoint;
    const Tensor gain = named(evidence, "gain").adjoint;
    CHECK(experiments::adjoint_check(evidence, input, gain).passed);
    input[3] = std::nextafter(input[3], 1e300);
    CHECK_FALSE(experiments::adjoint_check(evidence, input, gain).passed);
    CHECK_FALSE(experiments::adjoint_check(evidence, gain, gain).passed);
}

TEST_CASE("a trace leaves gradients and graph as they were") {
    const auto x = autodiff::Value::parameter(Tensor::vector({3, 4}));
    const auto y = multiply(x, x);
    const auto nodes = autodiff::traced(y, Tensor::vector({1, 1}));
    REQUIRE(nodes.size() == 2);
    CHECK(tensor::same_bits(nodes[0].adjoint, Tensor::vector({6, 8})));
    CHECK(tensor::same_bits(x.gradient(), Tensor::vector({0, 0})));
    autodiff::backward(y, Tensor::vector({1, 1}));
    CHECK(tensor::same_bits(x.gradient(), Tensor::vector({6, 8})));
    CHECK_THROWS_AS(autodiff::traced(y, Tensor::vector({1})), autodiff::AutodiffError);
}
