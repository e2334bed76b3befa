#include "nn/vector_norm.hpp"

#include <doctest/doctest.h>

#include <cmath>
#include <random>

#include "numeric/bits.hpp"
#include "numeric/operation_counter.hpp"

namespace nn = rmsnorm::nn;
using rmsnorm::numeric::CountingNumber;
using rmsnorm::numeric::OperationCounts;
using Wide = std::vector<double>;
using Narrow = std::vector<float>;

namespace {

Wide drawn(std::mt19937& generator, std::size_t width) {
    Wide values;
    for (std::size_t i = 0; i < width; ++i) {
        values.push_back((static_cast<double>(generator()) - 0x1p31) * 0x1p-30);
    }
    return values;
}

template <class Case>
bool refuses(const auto& run) {
    try {
        run();
    } catch (const nn::NormalizationError& error) {
        return std::holds_alternative<Case>(error.rejection());
    }
    return false;
}

// The loss whose gradients the backward passes compute, in long double and without any of the code
// under test.
long double layer_norm_loss(const std::vector<long double>& x, const Wide& upstream) {
    const auto n = static_cast<long double>(x.size());
    long double mean = 0;
    for (const long double v : x) mean += v / n;
    long double variance = 0;
    for (const long double v : x) variance += (v - mean) * (v - mean) / n;
    long double loss = 0;
    for (std::size_t i = 0; i < x.size(); ++i) {
        loss += static_cast<long double>(upstream[i]) * (x[i] - mean) / std::sqrt(variance + 0.25L);
    }
    return loss;
}

long double rms_norm_loss(const std::vector<long double>& x, const std::vector<long double>& gamma,
                          const Wide& upstream) {
    const auto n = static_cast<long double>(x.size());
    long double square = 0;
    for (const long double v : x) square += v * v / n;
    long double loss = 0;
    for (std::size_t i = 0; i < x.size(); ++i) {
        loss += static_cast<long double>(upstream[i]) * gamma[i] * x[i] / std::sqrt(square + 0.25L);
    }
    return loss;
}

// A central difference of step 2^-10 is off by a sixth of the step's square times the third
// derivative. With values up to 2 in magnitude and a root of at least 1/2, the third derivative of
// a sum over at most 8 outputs is far below 1000, which leaves 2e-4.
constexpr double difference_bound = 2e-4;
constexpr long double step = 0x1p-10L;

std::vector<long double> longer(const Wide& values) { return {values.begin(), values.end()}; }

double slope(std::vector<long double> at, std::size_t i, const auto& loss) {
    at[i] += step;
    const long double up = loss(at);
    at[i] -= 2 * step;
    return static_cast<double>((up - loss(at)) / (2 * step));
}

}  // namespace

TEST_CASE("at width 4 the layers count what one counts by hand") {
    // LayerNorm. Mean: 4 sums, 1 quotient. Variance: 4 differences, 4 squares, 4 sums, 1 quotient.
    // Reciprocal: epsilon's sum, a root, a quotient. Each of the 4 outputs: a difference, two
    // products, a sum. Products 4 + 8 = 12; sums and differences 4 + 8 + 1 + 8 = 21; quotients 3.
    OperationCounts layer;
    const std::vector<CountingNumber> values{CountingNumber(1, &layer), CountingNumber(2, &layer),
                                             CountingNumber(4, &layer), CountingNumber(8, &layer)};
    const std::vector<CountingNumber> ones(4, CountingNumber(1, &layer));
    const std::vector<CountingNumber> zeros(4, CountingNumber(0, &layer));
    nn::layer_norm<CountingNumber, CountingNumber>(values, ones, zeros, CountingNumber(1, &layer));
    CHECK(layer == OperationCounts{12, 21, 3, 1});

    // RMSNorm. 4 squares, 4 sums, 1 quotient; epsilon's sum, a root, a quotient; two products an
    // output.
    OperationCounts rms;
    const std::vector<CountingNumber> others(4, CountingNumber(3, &rms));
    const std::vector<CountingNumber> gains(4, CountingNumber(1, &rms));
    nn::rms_norm<CountingNumber, CountingNumber>(others, gains, CountingNumber(1, &rms));
    CHECK(rms == OperationCounts{12, 5, 2, 1});
}

TEST_CASE("a binary32 product is rounded before it enters the binary64 sum") {
    // (1 + 2^-12)^2 = 1 + 2^-11 + 2^-24, a tie that binary32 rounds to even: 1 + 2^-11. Its double
    // minus nothing else decides the mean of one square.
    const Narrow one{1 + 0x1p-12F};
    CHECK(nn::mean_square<double, float>(one) == 1 + 0x1p-11F);
    // Three of 2^-24 are lost one by one in a binary32 sum that starts with 1, and kept in
    // binary64.
    const Narrow small{1, 0x1p-24F, 0x1p-24F, 0x1p-24F};
    CHECK(nn::mean<double, float>(small) == 0.25F + 0x1p-24F);
    CHECK(nn::mean<float, float>(small) == 0.25F);
}

TEST_CASE("exact cases come out exactly") {
    // Mean 4, deviations -3, -1, 1, 3, variance 5, and 5 + 4 = 9: the reciprocal root is 1/3.
    const Wide values{1, 3, 5, 7};
    const auto pass =
        nn::layer_norm<double, double>(values, Wide{3, 3, 3, 3}, Wide{0, 0, 0, 1}, 4.0);
    CHECK(pass.mean == 4);
    CHECK(pass.variance == 5);
    CHECK(pass.inverse_standard_deviation == 1.0 / 3);
    CHECK(pass.output == Wide{-3, -1, 1, 4});
    // Mean square 21, and 21 + 4 = 25.
    const auto rms = nn::rms_norm<double, double>(values, Wide{5, 5, 5, 5}, 4.0);
    CHECK(rms.mean_square == 21);
    CHECK(rms.inverse_rms == 0.2);
    CHECK(rms.output == Wide{1, 3, 5, 7});
}

TEST_CASE("LayerNorm's closed-form gradient is the slope of an independent long double loss") {
    std::mt19937 generator(23);
    for (std::size_t width = 1; width <= 8; ++width) {
        const Wide x = drawn(generator, width);
        const Wide upstream = drawn(generator, width);
        const auto pass = nn::layer_norm<double, double>(x, Wide(width, 1), Wide(width, 0), 0.25);
        const Wide gradient = nn::layer_norm_backward<double, double>(
            upstream, pass.output, pass.inverse_standard_deviation);
        for (std::size_t i = 0; i < width; ++i) {
            const double expected =
                slope(longer(x), i, [&](const auto& at) { return layer_norm_loss(at, upstream); });
            CHECK(std::fabs(gradient[i] - expected) < difference_bound);
        }
    }
}

TEST_CASE("RMSNorm's closed-form gradients are the slopes of an independent long double loss") {
    std::mt19937 generator(24);
    for (std::size_t width = 1; width <= 8; ++width) {
        const Wide x = drawn(generator, width);
        const Wide gamma = drawn(generator, width);
        const Wide upstream = drawn(generator, width);
        const auto pass = nn::rms_norm<double, double>(x, Wide(width, 1), 0.25);
        const auto gradients =
            nn::rms_norm_backward<double, double>(upstream, pass.output, gamma, pass.inverse_rms);
        for (std::size_t i = 0; i < width; ++i) {
            const double by_input = slope(longer(x), i, [&](const auto& at) {
                return rms_norm_loss(at, longer(gamma), upstream);
            });
            const double by_gamma = slope(longer(gamma), i, [&](const auto& at) {
                return rms_norm_loss(longer(x), at, upstream);
            });
            CHECK(std::fabs(gradients.input[i] - by_input) < difference_bound);
            CHECK(std::fabs(gradients.gamma[i] - by_gamma) < difference_bound);
        }
    }
}

TEST_CASE("what cannot be normalized is refused by its case") {
    const Narrow one{1};
    const Narrow two{1, 2};
    const Narrow none;
    const Narrow zeros{0, 0};
    const Narrow huge{3e38F, -3e38F};
    const auto layer = [](const Narrow& x, const Narrow& gamma, const Narrow& beta, float epsilon) {
        return [=] { nn::layer_norm<double, float>(x, gamma, beta, epsilon); };
    };
    const auto rms = [](const Narrow& x, const Narrow& gamma, float epsilon) {
        return [=] { nn::rms_norm<double, float>(x, gamma, epsilon); };
    };
    CHECK(refuses<nn::InvalidNormalizationEpsilon>(layer(two, two, two, -1)));
    CHECK(refuses<nn::InvalidNormalizationEpsilon>(rms(two, two, NAN)));
    CHECK(refuses<nn::EmptyVector>(layer(none, none, none, 1)));
    CHECK(refuses<nn::EmptyVector>(rms(none, none, 1)));
    CHECK(refuses<nn::VectorWidthMismatch>(layer(two, one, two, 1)));
    CHECK(refuses<nn::VectorWidthMismatch>(layer(two, two, one, 1)));
    CHECK(refuses<nn::VectorWidthMismatch>(rms(two, one, 1)));
    CHECK(refuses<nn::ZeroVariance>(layer(one, one, one, 0)));
    CHECK(refuses<nn::ZeroMeanSquare>(rms(zeros, zeros, 0)));
    CHECK(refuses<nn::NonFiniteVariance>(layer(huge, two, two, 1)));
    CHECK(refuses<nn::NonFiniteMeanSquare>(rms(huge, two, 1)));
    CHECK(refuses<nn::NonFiniteResult>(rms(Narrow{1, 2}, huge, 0)));
    CHECK_FALSE(refuses<nn::ZeroVariance>(layer(one, one, one, 1)));
}
