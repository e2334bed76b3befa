#include "numeric/bits.hpp"

#include <doctest/doctest.h>

#include <cmath>
#include <limits>

using namespace rmsnorm::numeric;

TEST_CASE("the patterns of binary64 numbers are IEEE's") {
    CHECK(bits(1.0) == 0x3ff0000000000000U);
    CHECK(bits(-0.0) == 0x8000000000000000U);
    CHECK(bits(12.5) == 0x4029000000000000U);
    CHECK(bits(std::numeric_limits<double>::denorm_min()) == 1);
    CHECK(bits(std::numeric_limits<double>::infinity()) == 0x7ff0000000000000U);
    CHECK(binary64(0x7fefffffffffffffU) == std::numeric_limits<double>::max());
    CHECK(std::isnan(binary64(0x7ff8000000000000U)));
}

TEST_CASE("the patterns of binary32 numbers are IEEE's") {
    CHECK(bits(1.0F) == 0x3f800000U);
    CHECK(bits(-0.0F) == 0x80000000U);
    CHECK(bits(0.1F) == 0x3dcccccdU);
    CHECK(binary32(0x7f7fffffU) == std::numeric_limits<float>::max());
    CHECK(binary32(0x00000001U) == std::numeric_limits<float>::denorm_min());
}

TEST_CASE("hexadecimal text is big-endian, lower case and padded, on every machine") {
    CHECK(hex(12.5) == "4029000000000000");
    CHECK(hex(-0.0) == "8000000000000000");
    CHECK(hex(std::numeric_limits<double>::denorm_min()) == "0000000000000001");
    CHECK(hex(binary64(0x0123456789abcdefU)) == "0123456789abcdef");
    CHECK(hex(0.1F) == "3dcccccd");
    CHECK(hex(0.0F) == "00000000");
}

TEST_CASE("same bits tells zeros apart and equates a NaN with itself only") {
    const double nan = binary64(0x7ff8000000000000U);
    CHECK(same_bits(1.5, 1.5));
    CHECK_FALSE(same_bits(0.0, -0.0));
    CHECK(same_bits(nan, nan));
    CHECK_FALSE(same_bits(nan, binary64(0x7ff8000000000001U)));
    CHECK_FALSE(same_bits(1.0, std::nextafter(1.0, 2.0)));
    CHECK_FALSE(same_bits(0.0F, -0.0F));
    CHECK(same_bits(0.1F, 0.1F));
}
