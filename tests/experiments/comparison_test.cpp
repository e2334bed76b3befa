#include "experiments/exhibit/comparison.hpp"

#include <doctest/doctest.h>

#include <cmath>
#include <limits>
#include <random>
#include <vector>

#include "experiments/exhibit/exhibit.hpp"
#include "nn/normalization.hpp"
#include "numeric/bits.hpp"
#include "support/rejection.hpp"

using namespace rmsnorm;
using namespace rmsnorm::evidence;
using namespace rmsnorm::experiments;
using namespace rmsnorm::experiments;
using namespace rmsnorm::experiments;
using tensor::Tensor;
using testing::rejection;

namespace {

ComparisonInputs of(std::vector<double> values, double epsilon = 1e-6) {
    const std::size_t width = values.size();
    return {Tensor::vector(std::move(values)), 0, 1, epsilon, Tensor::filled({width}, 1)};
}

}  // namespace

TEST_CASE("the recorded vectors and means are met bit for bit") {
    // The exhibit's recorded values, which PyTorch computed in float64.
    const double plain[] = {0.3651483473268884, 0.7302966946537768, 1.0954450419806652,
                            1.4605933893075536};
    const double scaled[] = {0.3651483714266785, 0.730296742853357, 1.0954451142800354,
                             1.460593485706714};
    const double shifted[] = {1.052469606976595,   1.2278812081393609, 1.4032928093021266,
                              1.5787044104648926,  0.7016464046510633, 0.5262348034882975,
                              0.35082320232553166, 0.17541160116276583};
    const Exhibit recorded = exhibit();
    REQUIRE(recorded.cases.size() == 3);
    const Comparison& balanced_case = recorded.cases[0].comparison;
    const Comparison& offset_case = recorded.cases[1].comparison;
    const Comparison& scaled_case = recorded.cases[2].comparison;
    for (std::size_t i = 0; i < 8; ++i) {
        CAPTURE(i);
        const double sign = i < 4 ? 1 : -1;
        CHECK(numeric::same_bits(balanced_case.layer_norm[i], sign * plain[i % 4]));
        CHECK(numeric::same_bits(balanced_case.rms_norm[i], sign * plain[i % 4]));
        CHECK(numeric::same_bits(offset_case.layer_norm[i], sign * plain[i % 4]));
        CHECK(numeric::same_bits(offset_case.rms_norm[i], shifted[i]));
        CHECK(numeric::same_bits(scaled_case.layer_norm[i], sign * scaled[i % 4]));
        CHECK(numeric::same_bits(scaled_case.rms_norm[i], sign * scaled[i % 4]));
    }
    CHECK(numeric::same_bits(balanced_case.layer_norm_mean.two_lanes, 0.0));
    CHECK(numeric::same_bits(balanced_case.rms_norm_mean.two_lanes, 0.0));
    CHECK(numeric::same_bits(offset_case.layer_norm_mean.two_lanes, 0.0));
    CHECK(numeric::same_bits(offset_case.rms_norm_mean.two_lanes, 0.8770580058138291));
    CHECK(numeric::same_bits(scaled_case.layer_norm_mean.two_lanes, -2.7755575615628914e-17));
    CHECK(numeric::same_bits(scaled_case.rms_norm_mean.two_lanes, -2.7755575615628914e-17));
}

TEST_CASE("no other order of summation gives the recorded means") {
    const Exhibit recorded = exhibit();
    const MeanByOrder scaled = recorded.cases[2].comparison.rms_norm_mean;
    CHECK(scaled.ascending == 0x1p-55);
    CHECK(scaled.pairwise == 0);
    CHECK(scaled.two_lanes == -0x1p-55);
    const MeanByOrder offset = recorded.cases[1].comparison.rms_norm_mean;
    CHECK(offset.ascending == offset.two_lanes + 0x1p-53);
    CHECK(offset.pairwise == offset.two_lanes + 0x1p-52);
}

TEST_CASE("a zero mean makes the norms agree in every bit, and the statement says so") {
    const Comparison evidence = comparison(of({3, -1, -2}));
    CHECK(evidence.agreement == Agreement::same_bits);
    CHECK(evidence.max_abs_diff == 0);
    CHECK(statement(evidence).find("mean is 0") != std::string::npos);
}

TEST_CASE("a mean that is rounding alone is told from one that is there") {
    const Comparison rounding = comparison(of({0.1, 0.2, -0.3}));
    CHECK(rounding.mean != 0);
    CHECK(rounding.agreement == Agreement::within_rounding);
    CHECK(statement(rounding).find("but for rounding") != std::string::npos);
    const Comparison real = comparison(of({0.1, 0.2, -0.3 + 1e-12}));
    CHECK(real.agreement == Agreement::none);
    CHECK(statement(real).find("differ") != std::string::npos);
}

TEST_CASE("scale comes before offset, and the gain after everything") {
    ComparisonInputs inputs = of({1, 2}, 0);
    inputs.scale = 10;
    inputs.offset = 5;
    inputs.gain = Tensor::vector({4, -2});
    const Comparison evidence = comparison(inputs);
    CHECK(tensor::same_bits(evidence.vector, Tensor::vector({15, 25})));
    // Mean 20, deviations -5 and 5, variance 25.
    CHECK(tensor::same_bits(evidence.layer_norm, Tensor::vector({-4, -2})));
    CHECK(evidence.mean == 20);
    CHECK(evidence.variance == 25);
    CHECK(evidence.mean_square == 425);
    // The verdict is about the norms, not the gain: one of zero hides nothing.
    inputs.gain = Tensor::vector({0, 0});
    CHECK(comparison(inputs).agreement == Agreement::none);
}

TEST_CASE("one feature and equal features are explained when epsilon is positive") {
    CHECK(notes(comparison(of({5}))).front().find("own mean") != std::string::npos);
    CHECK(notes(comparison(of({2, 2, 2}))).front().find("equal") != std::string::npos);
    CHECK(notes(comparison(of({0, 0}))).front().find("zeros too") != std::string::npos);
    CHECK(comparison(of({0, 0})).agreement == Agreement::same_bits);
    CHECK(notes(comparison(of({1, 2}))).empty());
    CHECK(notes(comparison(of({1, 2}, 100))).front().find("epsilon") == 0);
    // Three times 0.1 over 3 is not 0.1: LayerNorm sees the rounding of the mean.
    const Comparison tenths = comparison(of({0.1, 0.1, 0.1}));
    CHECK(tenths.variance != 0);
    CHECK(notes(tenths).front().find("mean is rounded") != std::string::npos);
}

TEST_CASE("epsilon zero with nothing to divide by is refused by the norm that lacks it") {
    rejection<nn::NormalizationError, nn::ZeroVariance>([] { comparison(of({2, 2}, 0)); });
    rejection<nn::NormalizationError, nn::ZeroVariance>([] { comparison(of({5}, 0)); });
    rejection<nn::NormalizationError, nn::ZeroVariance>([] { comparison(of({0, 0}, 0)); });
    // Equal features have no variance, though the rounding of their mean leaves one.
    for (const std::size_t width : {3U, 6U, 10U, 49U}) {
        const std::vector<double> tenths(width, 0.1);
        rejection<nn::NormalizationError, nn::ZeroVariance>([&] { comparison(of(tenths, 0)); });
        CHECK_NOTHROW(comparison(of(tenths)));
    }
    CHECK_NOTHROW(comparison(of({0.1, 0.1, 0.2}, 0)));
}

TEST_CASE("numbers that leave the range are refused, with the feature's index") {
    ComparisonInputs inputs = of({1, 1e300});
    inputs.scale = 1e10;
    CHECK(rejection<CompareError, NonFiniteTransformed>([&] {
              comparison(inputs);
          }).fields.feature == 1);
    inputs = of({1, -1});
    inputs.epsilon = 0;
    inputs.gain = Tensor::vector({1, std::numeric_limits<double>::infinity()});
    const auto output = rejection<CompareError, NonFiniteOutput>([&] { comparison(inputs); });
    CHECK(output.fields.feature == 1);
    CHECK(output.fields.norm == "LayerNorm");
    inputs.gain = Tensor::filled({3}, 1);
    const auto gain = rejection<CompareError, GainWidthMismatch>([&] { comparison(inputs); });
    CHECK(gain.fields.input == 2);
    CHECK(gain.fields.gain == 3);
}

TEST_CASE("LayerNorm is RMSNorm of the centered vector for every width and size of numbers") {
    std::mt19937_64 random(25);
    std::uniform_real_distribution<double> unit(-1, 1);
    for (std::size_t width = 1; width <= 4096; width = width * 2 + width / 3) {
        std::vector<double> values(width);
        for (double& value : values) value = unit(random) * std::exp2(40 * unit(random));
        const Comparison evidence = comparison(of(values));
        REQUIRE(evidence.checks.size() == 1);
        CHECK(evidence.checks[0].passed);
    }
}

TEST_CASE("the centering check fails on one bit and on a NaN") {
    const Tensor one = Tensor::vector({1, 1});
    CHECK(centering_check(one, one).passed);
    CHECK_FALSE(centering_check(one, Tensor::vector({1, 1 + 0x1p-52})).passed);
    CHECK_FALSE(centering_check(one, Tensor::vector({std::nan(""), 1})).passed);
}
