#include "nn/real_norms.hpp"

#include <doctest/doctest.h>

#include <array>
#include <random>

#include "autodiff/backward.hpp"
#include "nn/normalization.hpp"
#include "nn/rms_norm.hpp"
#include "nn/rounded_norms.hpp"
#include "nn/vector_norm.hpp"

using namespace rmsnorm;
using namespace rmsnorm::nn;

namespace {

Reals reals(const std::vector<double>& values) { return numeric::enclosures(values, 256); }

std::vector<double> random_row(std::mt19937& generator) {
    std::vector<double> row;
    for (int i = 0; i < 5; ++i) {
        row.push_back((static_cast<double>(generator()) - 0x1p31) * 0x1p-30);
    }
    return row;
}

std::vector<Rounded64> rounded(const std::vector<double>& values) {
    return numeric::as_rounded(std::span<const double>(values));
}

}  // namespace

TEST_CASE("the definitions give the results that follow from their formulas") {
    // [3, 4] with mean square 12.5 and epsilon 3.5: everything over 4.
    const RealNorm rms = real_rms_norm(reals({3, 4}), Enclosure(3.5));
    CHECK((rms.variance - Enclosure(12.5)).is_zero());
    CHECK((rms.inverse - Enclosure(0.25)).is_zero());
    CHECK((rms.normalized()[0] - Enclosure(0.75)).is_zero());
    // [1, 3, 5]: mean 3, variance 8/3; with epsilon 4/3 the root is 2.
    const RealNorm layer = real_layer_norm(reals({1, 3, 5}), Enclosure(4) / Enclosure(3));
    CHECK(layer.normalized()[0].units_off(-1, 30) == 0);
    CHECK(layer.normalized()[1].is_zero());
    CHECK(layer.variance.units_off(8.0 / 3, 15) == 0);
}

TEST_CASE("a gradient that is zero is exactly zero") {
    // An adjoint along the input moves nothing when epsilon is zero; one that is constant moves
    // nothing of LayerNorm.
    for (const Enclosure& value : real_rms_norm_gradient(reals({1, 2, 4}), reals({3, 6, 12}), 0)) {
        CHECK(value.is_zero());
    }
    for (const Enclosure& value :
         real_layer_norm_gradient(reals({1, 2, 4}), reals({0.1, 0.1, 0.1}), 1e-5)) {
        CHECK(value.is_zero());
    }
    CHECK_FALSE(real_rms_norm_gradient(reals({1, 2, 4}), reals({3, 6, 12}), 1e-5)[0].is_zero());
}

TEST_CASE("numbers that carry their rounding have the programs' bits and hold the real results") {
    std::mt19937 generator(3);
    for (int i = 0; i < 300; ++i) {
        const std::vector<double> row = random_row(generator);
        const std::vector<double> gain = random_row(generator);
        const std::vector<double> upstream = random_row(generator);
        const double epsilon = i % 3 == 0 ? 0 : 1e-5;
        const auto input = autodiff::Value::parameter(tensor::Tensor::vector(row));
        RmsNorm norm(NamedParameter("gain", tensor::Tensor::vector(gain)), epsilon);
        const auto pass = norm.forward_with_intermediates(input);
        autodiff::backward(pass.output, tensor::Tensor::vector(upstream));

        const RealNorm real = real_rms_norm(reals(row), epsilon);
        const Reals output = products(real.normalized(), reals(gain));
        const auto bounded = rounded_rms_norm(rounded(row), rounded(gain), epsilon);
        const Reals adjoint = products(reals(gain), reals(upstream));
        const Reals gradient = real_rms_norm_gradient(reals(row), adjoint, epsilon);
        std::vector<Rounded64> rounded_adjoint;
        for (std::size_t j = 0; j < row.size(); ++j) {
            rounded_adjoint.push_back(Rounded64(upstream[j]) * Rounded64(gain[j]));
        }
        const auto bounded_gradient =
            rounded_rms_norm_gradient(rounded(row), rounded_adjoint, epsilon);
        const auto layer = nn::layer_norm(row, epsilon);
        const Reals real_layer = real_layer_norm(reals(row), epsilon).normalized();
        const auto bounded_layer = rounded_divided_norm<double>(rounded(row), epsilon, true);
        for (std::size_t j = 0; j < row.size(); ++j) {
            CHECK(bounded.output[j].value() == pass.output.tensor()[j]);
            CHECK(output[j].distance_bound(pass.output.tensor()[j]) <= bounded.output[j].error());
            CHECK(bounded_gradient[j].value() == input.gradient()[j]);
            CHECK(gradient[j].distance_bound(input.gradient()[j]) <= bounded_gradient[j].error());
            CHECK(bounded_layer[j].value() == layer[j]);
            CHECK(real_layer[j].distance_bound(layer[j]) <= bounded_layer[j].error());
            // Far from vacuous: a result that is wrong in the twelfth digit is found.
            CHECK(output[j].distance_bound(pass.output.tensor()[j] * (1 + 1e-12)) >
                  bounded.output[j].error());
        }
    }
}

TEST_CASE("an error of a vector is carried through RMSNorm by the derivative's norm") {
    // Along the vector nothing moves but for epsilon, across it 1/rms: the bound holds both.
    const std::vector<double> values{3, 4};
    const double bound = moved_rms_norm(values, 0, 0.01);
    const auto moved = nn::rms_norm(std::array{3 - 0.008, 4 + 0.006}, 0.0);
    const auto base = nn::rms_norm(values, 0.0);
    const double distance = std::hypot(moved[0] - base[0], moved[1] - base[1]);
    CHECK(distance <= bound);
    CHECK(bound < 1.01 * distance);
    CHECK(moved_rms_norm(values, 0, 6) == std::numeric_limits<double>::infinity());
    CHECK(error_norm(std::array{3e-9, 4e-9}) >= 5e-9);
}
