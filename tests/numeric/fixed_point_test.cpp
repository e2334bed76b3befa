#include "numeric/fixed_point.hpp"

#include <doctest/doctest.h>

#include <cmath>
#include <limits>
#include <random>

#include "numeric/bits.hpp"
#include "numeric/tables/ln2.hpp"

namespace {

using namespace rmsnorm;
using numeric::fixed_point;
using numeric::FixedPoint;
using numeric::hex;
using numeric::to_binary64;

constexpr double smallest = std::numeric_limits<double>::denorm_min();

// 2^-256 times `units`.
FixedPoint units(std::uint32_t count) {
    FixedPoint value;
    value.limbs[0] = count;
    return value;
}

}  // namespace

TEST_CASE("a number survives the way to fixed point and back") {
    std::mt19937_64 random(3);
    for (int run = 0; run < 10'000; ++run) {
        // Down to 2^-200 all 53 bits are above the last place.
        const double significand = 1 + static_cast<double>(random() >> 12) * 0x1p-52;
        const double size = std::ldexp(significand, static_cast<int>(random() % 231) - 200);
        const double value = random() % 2 == 0 ? size : -size;
        REQUIRE(hex(to_binary64(fixed_point(value))) == hex(value));
    }
    CHECK(hex(to_binary64(fixed_point(0.0))) == hex(0.0));
    CHECK(to_binary64(fixed_point(0x1.8p-256)) == 0x1p-256);
    CHECK(to_binary64(fixed_point(-0x1.8p-256)) == -0x1p-256);
    CHECK(to_binary64(fixed_point(smallest)) == 0);
}

TEST_CASE("sums and differences carry through all limbs and cross zero") {
    const FixedPoint one = fixed_point(1);
    const FixedPoint below_one = difference(one, units(1));
    CHECK(below_one.limbs[8] == 0);
    CHECK(below_one.limbs[0] == 0xffffffffU);
    CHECK(sum(below_one, units(1)) == one);
    CHECK(is_negative(difference(units(1), one)));
    CHECK(negated(difference(units(1), one)) == below_one);
    CHECK(sum(fixed_point(-2.5), fixed_point(2.5)) == FixedPoint{});
}

TEST_CASE("products of short numbers are exact, with every sign") {
    std::mt19937_64 random(4);
    for (int run = 0; run < 2'000; ++run) {
        // 26 bits each, so that the binary64 product is exact too.
        const double a = static_cast<double>(random() >> 38) * 0x1p-20 - 32;
        const double b = static_cast<double>(random() >> 38) * 0x1p-25 - 1;
        REQUIRE(to_binary64(product(fixed_point(a), fixed_point(b))) == a * b);
    }
}

TEST_CASE("a product is short of the exact one by less than nine units") {
    // (1 - 2^-256)^2 = 1 - 2 2^-256 + 2^-512; the largest partial products are left out.
    const FixedPoint below_one = difference(fixed_point(1), units(1));
    const FixedPoint square = product(below_one, below_one);
    const FixedPoint exact = difference(fixed_point(1), units(2));
    const FixedPoint lost = difference(exact, square);
    CHECK_FALSE(is_negative(lost));
    CHECK_FALSE(is_negative(difference(units(8), lost)));
    CHECK(product(units(1), below_one) == FixedPoint{});
}

TEST_CASE("a quotient is cut off towards zero") {
    const FixedPoint third = quotient(fixed_point(1), 3);
    CHECK(sum(sum(third, third), third) == difference(fixed_point(1), units(1)));
    CHECK(quotient(fixed_point(-1), 3) == negated(third));
    CHECK(quotient(fixed_point(21), 7) == fixed_point(3));
}

TEST_CASE("scaling moves bits across limbs and drops those below the last place") {
    CHECK(scaled(fixed_point(1), -8) == fixed_point(0x1p-8));
    CHECK(scaled(fixed_point(-3), 5) == fixed_point(-96));
    CHECK(scaled(fixed_point(0x1p-200), 200) == fixed_point(1));
    CHECK(scaled(units(3), -1) == units(1));
    CHECK(scaled(fixed_point(1), -257) == FixedPoint{});
}

TEST_CASE("conversion to binary64 rounds once, ties to even") {
    const double even = 1;
    const double odd = 0x1.0000000000001p+0;
    const FixedPoint half = fixed_point(0x1p-53);
    CHECK(to_binary64(sum(fixed_point(even), half)) == even);
    CHECK(to_binary64(sum(sum(fixed_point(even), half), units(1))) == odd);
    CHECK(to_binary64(difference(sum(fixed_point(even), half), units(1))) == even);
    CHECK(to_binary64(sum(fixed_point(odd), half)) == 0x1.0000000000002p+0);
    CHECK(to_binary64(negated(sum(fixed_point(odd), half))) == -0x1.0000000000002p+0);
    CHECK(to_binary64(difference(fixed_point(2), units(1))) == 2);
}

TEST_CASE("conversion to binary64 rounds at the last place of subnormal numbers") {
    CHECK(to_binary64(fixed_point(1.5), -1074) == 2 * smallest);
    CHECK(to_binary64(fixed_point(2.5), -1074) == 2 * smallest);
    CHECK(to_binary64(sum(fixed_point(2.5), units(1)), -1074) == 3 * smallest);
    CHECK(to_binary64(fixed_point(0.5), -1074) == 0);
    CHECK(to_binary64(sum(fixed_point(0.5), units(1)), -1074) == smallest);
    CHECK(to_binary64(fixed_point(0.25), -1074) == 0);
    CHECK(to_binary64(fixed_point(-0.75), -1074) == -smallest);
    // A value that rounding to 53 bits first would carry to a tie, and the tie to even.
    const FixedPoint below_tie = difference(fixed_point(2.5), fixed_point(0x1p-60));
    CHECK(to_binary64(below_tie, -1074) == 2 * smallest);
    const FixedPoint above_tie = sum(fixed_point(2.5), fixed_point(0x1p-60));
    CHECK(to_binary64(above_tie, -1074) == 3 * smallest);
    // Up to the smallest normal number.
    CHECK(to_binary64(difference(fixed_point(1), units(1)), -1022) == 0x1p-1022);
}

TEST_CASE("conversion to binary64 ends at infinity") {
    const double largest = std::numeric_limits<double>::max();
    const FixedPoint below_midpoint =
        difference(difference(fixed_point(2), fixed_point(0x1p-53)), units(1));
    CHECK(to_binary64(below_midpoint, 1023) == largest);
    CHECK(std::isinf(to_binary64(sum(below_midpoint, units(1)), 1023)));
    CHECK(std::isinf(to_binary64(fixed_point(1), 1024)));
    CHECK(to_binary64(fixed_point(-1), 2000) == -std::numeric_limits<double>::infinity());
}

TEST_CASE("the stored ln 2 rounds to the well-known constant") {
    CHECK(to_binary64(FixedPoint{numeric::tables::ln2_limbs}) == 0x1.62e42fefa39efp-1);
}
