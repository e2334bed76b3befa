#include <doctest/doctest.h>

#include <cmath>

#include "experiments/exhibit/claims.hpp"
#include "experiments/exhibit/exhibit.hpp"

using namespace rmsnorm::evidence;
using namespace rmsnorm::experiments;
using namespace rmsnorm::experiments;
using namespace rmsnorm::experiments;
using rmsnorm::tensor::Tensor;

namespace {

BothNorms both(const Comparison& of) { return {of.layer_norm, of.rms_norm}; }

Tensor moved(Tensor tensor, double by) {
    for (std::size_t i = 0; i < tensor.size(); ++i) tensor[i] += by;
    return tensor;
}

struct Cases {
    Exhibit recorded = exhibit();
    BothNorms plain = both(recorded.cases[0].comparison);
    BothNorms shifted = both(recorded.cases[1].comparison);
    BothNorms scaled = both(recorded.cases[2].comparison);
};

}  // namespace

TEST_CASE("the exhibit makes three claims, and every check of it holds") {
    const Exhibit recorded = exhibit();
    REQUIRE(recorded.claims.size() == 3);
    for (const Claim& claim : recorded.claims) CHECK(claim.check.passed);
    CHECK(all_passed(recorded.checks));
    // Three claims, three comparisons, the graph, the replay.
    CHECK(recorded.checks.size() == 8);
}

TEST_CASE_FIXTURE(Cases, "the offset claim fails when LayerNorm shows the offset") {
    CHECK(offset_claim(plain, shifted).check.passed);
    shifted.layer_norm[3] = std::nextafter(shifted.layer_norm[3], 2);
    CHECK_FALSE(offset_claim(plain, shifted).check.passed);
}

TEST_CASE_FIXTURE(Cases, "the offset claim fails when RMSNorm hides the offset") {
    const Claim claim = offset_claim(plain, {shifted.layer_norm, plain.rms_norm});
    CHECK(claim.check.measure == 1);
    CHECK_FALSE(claim.check.passed);
}

TEST_CASE_FIXTURE(Cases, "the scale claim's bound is tight and fails beyond epsilon's effect") {
    const double mean_square = 7.5;
    const Claim claim = scale_claim(plain, scaled, mean_square, 1e-6, 10);
    CHECK(claim.check.passed);
    // 1 + t / 2 exceeds sqrt(1 + t) by less than t^2 / 8, with t near 1.3e-7.
    CHECK(claim.check.measure > 0.999 * claim.check.bound);
    const BothNorms layer_moved{moved(scaled.layer_norm, 1e-9), scaled.rms_norm};
    CHECK_FALSE(scale_claim(plain, layer_moved, mean_square, 1e-6, 10).check.passed);
    const BothNorms rms_moved{scaled.layer_norm, moved(scaled.rms_norm, 1e-9)};
    CHECK_FALSE(scale_claim(plain, rms_moved, mean_square, 1e-6, 10).check.passed);
    // Without an epsilon there is no such effect.
    CHECK_FALSE(scale_claim(plain, scaled, mean_square, 0, 10).check.passed);
}

TEST_CASE("the zero claim fails for a zero input that comes out otherwise") {
    const Tensor gain = Tensor::vector({2, 3});
    const Tensor plain = Tensor::vector({0.5, -1});
    const Tensor gained = Tensor::vector({1, -3});
    CHECK(zero_and_gain_claim(Tensor::filled({2}, 0), plain, gain, gained).check.passed);
    CHECK_FALSE(zero_and_gain_claim(Tensor::vector({0, 1e-300}), plain, gain, gained).check.passed);
    const Claim nan = zero_and_gain_claim(Tensor::filled({2}, std::nan("")), plain, gain, gained);
    CHECK(nan.check.measure == 2);
    CHECK_FALSE(nan.check.passed);
}

TEST_CASE("the gain claim fails for a gain that is added, dropped or off by a bit") {
    const Tensor zero = Tensor::filled({2}, 0);
    const Tensor gain = Tensor::vector({2, 3});
    const Tensor plain = Tensor::vector({0.5, -1});
    CHECK_FALSE(zero_and_gain_claim(zero, plain, gain, Tensor::vector({2.5, 2})).check.passed);
    CHECK_FALSE(zero_and_gain_claim(zero, plain, gain, plain).check.passed);
    CHECK_FALSE(
        zero_and_gain_claim(zero, plain, gain, Tensor::vector({1, -3 + 0x1p-51})).check.passed);
}
