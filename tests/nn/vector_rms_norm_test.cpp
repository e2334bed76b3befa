#include <doctest/doctest.h>

#include <cmath>
#include <limits>
#include <string>
#include <vector>

#include "nn/normalization.hpp"
#include "support/rejection.hpp"

using namespace rmsnorm::nn;
using rmsnorm::testing::rejection;

namespace {

using Numbers = std::vector<double>;
using Numbers32 = std::vector<float>;

constexpr double infinity = std::numeric_limits<double>::infinity();

}  // namespace

TEST_CASE("RMSNorm of a vector with an exact root mean square is exact") {
    CHECK(rms_norm(Numbers{1, 7}, 0) == Numbers{0.2, 1.4});       // mean square 25
    CHECK(rms_norm(Numbers{2, 2, 2, 2}, 12) == Numbers(4, 0.5));  // 4 + 12 under the root
    CHECK(rms_norm(Numbers{-3}, 0) == Numbers{-1});
    CHECK(rms_norm(Numbers{0, 0}, 1e-6) == Numbers{0, 0});
}

TEST_CASE("RMSNorm of a vector keeps an offset that LayerNorm removes") {
    CHECK(layer_norm(Numbers{4, 4}, 1) == Numbers{0, 0});
    CHECK(rms_norm(Numbers{4, 4}, 0) == Numbers{1, 1});
}

TEST_CASE("the binary32 norms round every operation to binary32") {
    // 1 + 2^-13 squares to 1 + 2^-12 + 2^-26, which binary32 cuts to 1 + 2^-12.
    const float x = 1 + 0x1p-13F;
    const float root = std::sqrt(1 + 0x1p-12F);
    CHECK(rms_norm(Numbers32{x}, 0.0F) == Numbers32{x / root});
    // 2^24 + 1 is no binary32 number: the ascending sum loses both ones, and the mean with them.
    const Numbers32 values{0x1p24F, 1, 1, 0};
    const float mean = 0x1p22F;
    const float variance = ((0x1p24F - mean) * (0x1p24F - mean) + (1 - mean) * (1 - mean) +
                            (1 - mean) * (1 - mean) + mean * mean) /
                           4;
    CHECK(layer_norm(values, 0.0F)[0] == (0x1p24F - mean) / std::sqrt(variance));
}

TEST_CASE("RMSNorm of a vector refuses what it cannot divide by") {
    rejection<NormalizationError, EmptyVector>([] { rms_norm(Numbers{}, 1); });
    rejection<NormalizationError, ZeroMeanSquare>([] { rms_norm(Numbers{0, -0.0}, 0); });
    const auto epsilon = rejection<NormalizationError, InvalidNormalizationEpsilon>(
        [] { rms_norm(Numbers{1}, -1); });
    CHECK(epsilon.fields.value == -1);
    CHECK(epsilon.message.find("RMSNorm") == 0);
    // The smallest squares vanish, the largest overflow.
    rejection<NormalizationError, ZeroMeanSquare>([] { rms_norm(Numbers{1e-200}, 0); });
    const auto large =
        rejection<NormalizationError, NonFiniteMeanSquare>([] { rms_norm(Numbers{1e200}, 1); });
    CHECK(large.fields.value == infinity);
    const auto large32 = rejection<NormalizationError, NonFiniteMeanSquare>(
        [] { rms_norm(Numbers32{1e20F}, 1.0F); });
    CHECK(large32.fields.value == infinity);
}
