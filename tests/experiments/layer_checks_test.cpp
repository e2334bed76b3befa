#include "evidence/layer_checks.hpp"

#include <doctest/doctest.h>

#include <cmath>
#include <limits>
#include <random>

#include "experiments/rmsnorm/backward.hpp"
#include "experiments/rmsnorm/chapter_values.hpp"
#include "experiments/rmsnorm/forward.hpp"
#include "numeric/bits.hpp"

namespace {

using namespace rmsnorm;
using evidence::LayerCase;
using tensor::Tensor;

// Numbers with random mantissas, signs and an exponent in the given range.
Tensor numbers(std::mt19937_64& generator, tensor::Shape shape, int least, int most) {
    Tensor values = Tensor::filled(std::move(shape), 0.0);
    for (std::size_t i = 0; i < values.size(); ++i) {
        const std::uint64_t draw = generator();
        const auto span = static_cast<std::uint64_t>(most - least + 1);
        const auto exponent = static_cast<std::uint64_t>(least + 1023) + (draw >> 53) % span;
        values[i] = numeric::binary64((draw & 0x800fffffffffffffU) | exponent << 52);
    }
    return values;
}

void check_all_hold(const LayerCase& layer_case) {
    const auto forward = experiments::forward(layer_case);
    const auto backward = experiments::backward(layer_case);
    for (const evidence::Check& check :
         {evidence::closed_form_check(layer_case.input, layer_case.epsilon, forward.normalized),
          evidence::row_independence_check(layer_case, forward.output),
          evidence::input_gradient_check(layer_case, backward.input_gradient),
          evidence::gain_gradient_check(layer_case, backward.gain_gradient)}) {
        CAPTURE(check.name);
        CAPTURE(check.measure);
        CAPTURE(check.bound);
        CHECK(check.passed);
    }
}

LayerCase two_rows() {
    return {Tensor({2, 3}, {3, 4, -1, 0.5, 2, 7}), Tensor::vector({1.5, 0.5, -2}),
            Tensor({2, 3}, {1, -2, 0.25, 3, 1, -1}), 1e-5, "gain"};
}

}  // namespace

TEST_CASE("the checks hold for the layer's results at every width, magnitude and epsilon") {
    std::mt19937_64 generator(7);
    for (const std::size_t width : {1U, 2U, 5U, 64U, 300U}) {
        for (const double epsilon : {0.0, 1e-300, 1e-5, 1.0, 1e10}) {
            for (const int magnitude : {-400, -60, -10, 0, 10, 60, 400}) {
                CAPTURE(width);
                CAPTURE(epsilon);
                CAPTURE(magnitude);
                check_all_hold({numbers(generator, {3, width}, magnitude - 8, magnitude + 8),
                                numbers(generator, {width}, -4, 4),
                                numbers(generator, {3, width}, -4, 4), epsilon, "gain"});
            }
        }
    }
}

TEST_CASE("the checks hold where squares are lost, and for adjoints of any magnitude") {
    std::mt19937_64 generator(8);
    for (const int magnitude : {-535, -530, -520, -510}) {
        CAPTURE(magnitude);
        check_all_hold({numbers(generator, {4, 6}, magnitude, magnitude + 4),
                        numbers(generator, {6}, -4, 4), numbers(generator, {4, 6}, -200, -180), 0.0,
                        "gain"});
    }
    for (const int adjoint : {-1000, -500, 500, 900}) {
        CAPTURE(adjoint);
        check_all_hold({numbers(generator, {4, 6}, -3, 3), numbers(generator, {6}, -40, 4),
                        numbers(generator, {4, 6}, adjoint, adjoint + 40), 1e-5, "gain"});
    }
    check_all_hold(
        {Tensor::vector({1, 2}), Tensor::vector({0, 0}), Tensor::vector({1, 1}), 0.0, "gain"});
    check_all_hold(
        {Tensor::vector({0, 0}), Tensor::vector({1, 2}), Tensor::vector({1, 1}), 1e-5, "gain"});
    check_all_hold(
        {Tensor::vector({1, 2}), Tensor::vector({1, 2}), Tensor::vector({0, 0}), 1e-5, "gain"});
    check_all_hold({Tensor::vector({1, 2}), Tensor::vector({1e-300, 1}),
                    Tensor::vector({1, 1e-300}), 1e-5, "gain"});
}

TEST_CASE("the closed form fails on a normalized row that is off in the thirteenth digit") {
    const LayerCase layer_case = two_rows();
    Tensor normalized = experiments::forward(layer_case).normalized;
    CHECK(evidence::closed_form_check(layer_case.input, layer_case.epsilon, normalized).passed);
    normalized[5] *= 1 + 1e-13;
    CHECK_FALSE(
        evidence::closed_form_check(layer_case.input, layer_case.epsilon, normalized).passed);
    normalized[5] = std::numeric_limits<double>::quiet_NaN();
    const auto check =
        evidence::closed_form_check(layer_case.input, layer_case.epsilon, normalized);
    CHECK_FALSE(check.passed);
    CHECK(std::isfinite(check.measure));
}

TEST_CASE("the closed form fails on the usual mistakes") {
    const LayerCase layer_case = two_rows();
    const auto fails = [&](double epsilon, bool centered, bool unbiased, bool outside) {
        Tensor normalized = layer_case.input;
        for (std::size_t row = 0; row < 2; ++row) {
            double mean = 0;
            double squares = 0;
            for (std::size_t i = 0; i < 3; ++i) mean += layer_case.input[3 * row + i] / 3;
            if (!centered) mean = 0;
            for (std::size_t i = 0; i < 3; ++i) {
                squares += std::pow(layer_case.input[3 * row + i] - mean, 2);
            }
            const double mean_square = squares / (unbiased ? 2 : 3);
            const double divisor =
                outside ? std::sqrt(mean_square) + epsilon : std::sqrt(mean_square + epsilon);
            for (std::size_t i = 0; i < 3; ++i) {
                normalized[3 * row + i] = (layer_case.input[3 * row + i] - mean) / divisor;
            }
        }
        return !evidence::closed_form_check(layer_case.input, layer_case.epsilon, normalized)
                    .passed;
    };
    CHECK_FALSE(fails(1e-5, false, false, false));
    CHECK(fails(0, false, false, false));     // epsilon forgotten
    CHECK(fails(1e-6, false, false, false));  // another epsilon
    CHECK(fails(1e-5, true, false, false));   // the mean subtracted
    CHECK(fails(1e-5, false, true, false));   // divided by d - 1
    CHECK(fails(1e-5, false, false, true));   // epsilon outside the root
}

TEST_CASE("row independence fails when one bit of one row differs") {
    const LayerCase layer_case = two_rows();
    Tensor output = experiments::forward(layer_case).output;
    CHECK(evidence::row_independence_check(layer_case, output).passed);
    output[4] = std::nextafter(output[4], 10.0);
    const auto check = evidence::row_independence_check(layer_case, output);
    CHECK_FALSE(check.passed);
    CHECK(check.measure == 1);
}

TEST_CASE("the gradient checks fail on gradients of another rule") {
    const LayerCase layer_case = two_rows();
    const auto pass = experiments::backward(layer_case);
    CHECK(evidence::input_gradient_check(layer_case, pass.input_gradient).passed);
    CHECK(evidence::gain_gradient_check(layer_case, pass.gain_gradient).passed);
    for (std::size_t i = 0; i < 6; ++i) {
        CAPTURE(i);
        Tensor gradient = pass.input_gradient;
        gradient[i] += 1e-7;
        CHECK_FALSE(evidence::input_gradient_check(layer_case, gradient).passed);
    }
    for (std::size_t i = 0; i < 3; ++i) {
        CAPTURE(i);
        Tensor gradient = pass.gain_gradient;
        gradient[i] += 1e-13;
        CHECK_FALSE(evidence::gain_gradient_check(layer_case, gradient).passed);
    }
    // The RMS taken for a constant: the second term of the gradient forgotten.
    Tensor constant_rms = pass.input_gradient;
    const auto forward = experiments::forward(layer_case);
    for (std::size_t i = 0; i < 6; ++i) {
        constant_rms[i] =
            layer_case.upstream[i] * layer_case.gain[i % 3] * forward.inverse_rms[i / 3];
    }
    CHECK_FALSE(evidence::input_gradient_check(layer_case, constant_rms).passed);
}

TEST_CASE("the worst measure is the one that is the largest part of its bound") {
    evidence::Worst worst;
    CHECK(worst.check("a", "").passed);
    worst.consider(1, 100);
    worst.consider(0.5, 1);
    CHECK(worst.check("a", "").measure == 0.5);
    CHECK(worst.check("a", "").passed);
    worst.consider(std::numeric_limits<double>::quiet_NaN(), 1);
    worst.consider(2, 1);
    CHECK_FALSE(worst.check("a", "").passed);
    CHECK(std::isfinite(worst.check("a", "").measure));
    evidence::Worst exact;
    exact.consider(0, 0);
    CHECK(exact.check("a", "").passed);
    exact.consider(1e-300, 0);
    CHECK_FALSE(exact.check("a", "").passed);
}
