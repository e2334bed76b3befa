#include "nn/normalization.hpp"

#include <doctest/doctest.h>

#include <cmath>
#include <limits>
#include <random>
#include <string>
#include <vector>

#include "numeric/bits.hpp"
#include "support/naive_indexing.hpp"
#include "support/rejection.hpp"

using namespace rmsnorm;
using namespace rmsnorm::nn;
using testing::rejection;

namespace {

using Numbers = std::vector<double>;

constexpr double infinity = std::numeric_limits<double>::infinity();
constexpr double not_a_number = std::numeric_limits<double>::quiet_NaN();
constexpr double unit_roundoff = 0x1p-53;

std::vector<std::string> bits_of(const Numbers& values) {
    std::vector<std::string> result;
    for (const double value : values) result.push_back(numeric::hex(value));
    return result;
}

template <class Case>
testing::Rejection<Case> refused_layer(const Numbers& values, double epsilon) {
    return rejection<NormalizationError, Case>([&] { layer_norm(values, epsilon); });
}

template <class Case>
testing::Rejection<Case> refused_batch(const Numbers& anchor, const Numbers& companion,
                                       double epsilon) {
    return rejection<NormalizationError, Case>([&] { batch_norm(anchor, companion, epsilon); });
}

}  // namespace

TEST_CASE("the chapter's history figures are met bit for bit") {
    // Reference figures of the chapter's own program.
    const std::vector<std::string> batch_anchor_a{"bfeffffd60e9a15a", "bfeffffd60e9a15a"};
    const std::vector<std::string> batch_anchor_b{"0000000000000000", "0000000000000000"};
    const std::vector<std::string> layer{"bfeffff583aa62f6", "3feffff583aa62f6"};
    const Numbers anchor{1, 3};
    CHECK(bits_of(batch_norm(anchor, Numbers{5, 7}, 1e-5)) == batch_anchor_a);
    CHECK(bits_of(batch_norm(anchor, anchor, 1e-5)) == batch_anchor_b);
    CHECK(bits_of(layer_norm(anchor, 1e-5)) == layer);
}

TEST_CASE("statistics that are exact give exact results") {
    // Mean 5 and variance 4.
    CHECK(layer_norm(Numbers{2, 4, 4, 4, 5, 5, 7, 9}, 0) ==
          Numbers{-1.5, -0.5, -0.5, -0.5, 0, 0, 1, 2});
    // Variance 1, and 3 more under the root.
    CHECK(layer_norm(Numbers{0, 2}, 3) == Numbers{-0.5, 0.5});
    CHECK(layer_norm(Numbers{7}, 4) == Numbers{0});
    // Per feature: means 3 and 0, variances 4 and 25.
    CHECK(batch_norm(Numbers{1, 5}, Numbers{5, -5}, 0) == Numbers{-1, 1});
    CHECK(batch_norm(Numbers{1, 8}, Numbers{3, -8}, 3) == Numbers{-0.5, 8 / std::sqrt(67.0)});
}

TEST_CASE("results squared times the variance are the squared deviations") {
    // Sixteen integers below 2^10: their mean is a multiple of 1/16, and the squared deviations,
    // multiples of 1/256 below 2^20, and their sum below 2^24 are exact, as is the division by 16.
    // The root and the division round once each, so a result is d / sqrt(v) (1 + 2u) in first
    // order; its square adds one rounding, the product with v another: 6u, and u for second order.
    std::mt19937 generator(7);
    for (int round = 0; round < 200; ++round) {
        Numbers values(16);
        for (double& value : values) value = static_cast<double>(generator() & 1023U);
        double mean = 0;
        for (const double value : values) mean += value / 16;
        double variance = 0;
        for (const double value : values) variance += (value - mean) * (value - mean) / 16;
        if (variance == 0) continue;
        const Numbers result = layer_norm(values, 0);
        for (std::size_t i = 0; i < values.size(); ++i) {
            const double squared_deviation = (values[i] - mean) * (values[i] - mean);
            CHECK(std::fabs(result[i] * result[i] * variance - squared_deviation) <=
                  7 * unit_roundoff * squared_deviation);
            CHECK((result[i] < 0) == (values[i] < mean));
        }
    }
}

TEST_CASE("batch norm of an anchor is minus that of its companion, and plus or minus one") {
    // With epsilon zero, integers below 2^20 give exact means, deviations and variances, and the
    // root of an exact square is exact.
    std::mt19937 generator(8);
    for (int round = 0; round < 200; ++round) {
        const auto a = static_cast<double>(generator() & 0xfffffU);
        const auto c = static_cast<double>(generator() & 0xfffffU);
        if (a == c) continue;
        CHECK(batch_norm(Numbers{a}, Numbers{c}, 0) == Numbers{a > c ? 1.0 : -1.0});
        CHECK(batch_norm(Numbers{c}, Numbers{a}, 0) == Numbers{a > c ? -1.0 : 1.0});
    }
}

TEST_CASE("epsilon must be finite and nonnegative") {
    for (const double epsilon : {-1e-300, infinity, -infinity, not_a_number}) {
        refused_layer<InvalidNormalizationEpsilon>({1, 2}, epsilon);
        refused_batch<InvalidNormalizationEpsilon>({1}, {2}, epsilon);
    }
    CHECK(refused_layer<InvalidNormalizationEpsilon>({1, 2}, -0.5).fields.value == -0.5);
    CHECK(refused_layer<InvalidNormalizationEpsilon>({1, 2}, -0.5).message ==
          "LayerNorm epsilon must be finite and nonnegative, got -0.5");
    CHECK(refused_batch<InvalidNormalizationEpsilon>({1}, {2}, not_a_number).message ==
          "BatchNorm epsilon must be finite and nonnegative, got NaN");
    CHECK(layer_norm(Numbers{1, 3}, -0.0) == Numbers{-1, 1});
}

TEST_CASE("a vector needs a feature, and a companion as many as the anchor") {
    CHECK(refused_layer<EmptyVector>({}, 1).message == "LayerNorm needs at least one feature");
    CHECK(refused_batch<EmptyVector>({}, {}, 1).message == "BatchNorm needs at least one feature");
    const auto refused = refused_batch<CompanionWidthMismatch>({1, 2}, {1, 2, 3}, 1);
    CHECK(refused.fields.anchor == 2);
    CHECK(refused.fields.companion == 3);
    CHECK(refused.message == "BatchNorm companion must have the anchor's width 2, got 3");
    refused_batch<CompanionWidthMismatch>({1}, {}, 1);
    // The first of several faults is reported.
    refused_batch<InvalidNormalizationEpsilon>({}, {1}, -1);
    refused_batch<EmptyVector>({}, {1}, 1);
}

TEST_CASE("without epsilon a vanishing variance is refused, also when its squares underflow") {
    CHECK(refused_layer<ZeroVariance>({2, 2, 2}, 0).message ==
          "LayerNorm epsilon is zero but the row has zero variance");
    refused_layer<ZeroVariance>({1e-200, -1e-200}, 0);
    refused_layer<ZeroVariance>({5}, -0.0);
    const auto batch = refused_batch<ZeroVariance>({1, 2, 3}, {2, 2, 4}, 0);
    CHECK(batch.fields.feature == 1);
    CHECK(batch.message == "BatchNorm epsilon is zero but feature 1 has zero variance");
    CHECK(layer_norm(Numbers{2, 2}, std::numeric_limits<double>::denorm_min()) == Numbers{0, 0});
}

TEST_CASE("a variance that is not finite is refused instead of giving a plausible zero") {
    CHECK(refused_layer<NonFiniteVariance>({1e200, -1e200}, 1).message ==
          "LayerNorm variance of the row is not finite: inf");
    refused_layer<NonFiniteVariance>({1, not_a_number}, 1);
    refused_layer<NonFiniteVariance>({1, infinity}, 1);
    refused_layer<NonFiniteVariance>({1.7e308, 1.7e308}, 1);
    const double largest = std::numeric_limits<double>::max();
    refused_layer<NonFiniteVariance>({1e154, -1e154}, largest);
    const auto batch = refused_batch<NonFiniteVariance>({1, 1e200}, {2, 0}, 0);
    CHECK(batch.fields.feature == 1);
    CHECK(batch.fields.value == infinity);
    CHECK(batch.message == "BatchNorm variance of feature 1 is not finite: inf");
    refused_batch<NonFiniteVariance>({largest}, {largest}, 1);
    refused_batch<NonFiniteVariance>({0}, {not_a_number}, 1);
}
