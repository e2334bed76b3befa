#include "numeric/enclosure.hpp"

#include <doctest/doctest.h>

#include <array>
#include <cmath>
#include <limits>
#include <random>
#include <stdexcept>
#include <vector>

using namespace rmsnorm::numeric;

TEST_CASE("a quotient and its remainder make the dividend, however many digits there are") {
    std::mt19937 generator(7);
    for (int i = 0; i < 2000; ++i) {
        const auto number = [&](std::size_t most) {
            std::vector<std::uint32_t> limbs(1 + generator() % most);
            for (std::uint32_t& limb : limbs) {
                // Runs of ones and zeros make the guessed digits of a quotient go wrong.
                limb = static_cast<std::uint32_t>(generator() % 3 == 0   ? 0xffffffffU
                                                  : generator() % 3 == 0 ? 0
                                                                         : generator());
            }
            limbs.back() |= 1;
            return Natural(limbs);
        };
        const Natural dividend = number(12);
        const Natural divisor = number(6);
        const Natural::Division division = divided(dividend, divisor);
        CHECK(division.remainder < divisor);
        CHECK(division.quotient * divisor + division.remainder == dividend);
        const Natural root = whole_root(dividend);
        CHECK_FALSE(dividend < root * root);
        CHECK(dividend < (root + 1) * (root + 1));
    }
}

TEST_CASE("a number with more digits than it may have is refused") {
    CHECK_THROWS_AS(Natural(1) << 32 * static_cast<std::int64_t>(Natural::capacity),
                    std::length_error);
}

TEST_CASE("what needs no rounding stays one number") {
    CHECK((Enclosure(0.1) + Enclosure(0.2) - Enclosure(0.2) - Enclosure(0.1)).is_zero());
    CHECK((Enclosure(1e300) + Enclosure(1) - Enclosure(1e300) - Enclosure(1)).is_zero() == false);
    CHECK(
        (Enclosure(1e300, 1024) + Enclosure(1, 1024) - Enclosure(1e300) - Enclosure(1)).is_zero());
    CHECK((Enclosure(21) / Enclosure(7) - Enclosure(3)).is_zero());
    CHECK((sqrt(Enclosure(0.0625)) - Enclosure(0.25)).is_zero());
    CHECK((sqrt(Enclosure(5e-324) * Enclosure(5e-324)) - Enclosure(5e-324)).is_zero());
    CHECK_FALSE((sqrt(Enclosure(2)) * sqrt(Enclosure(2)) - Enclosure(2)).is_zero());
    CHECK((Enclosure(0) / sqrt(Enclosure(2))).is_zero());
    CHECK(exp(Enclosure(0)).units_off(1, 30) == 0);
}

TEST_CASE("where no interval can be told there is none") {
    const Enclosure near_zero = sqrt(Enclosure(2)) * sqrt(Enclosure(2)) - Enclosure(2);
    CHECK_FALSE((Enclosure(1) / Enclosure(0)).bounded());
    CHECK_FALSE((Enclosure(1) / near_zero).bounded());
    CHECK_FALSE(sqrt(Enclosure(-1)).bounded());
    CHECK(sqrt(near_zero).bounded());
    CHECK_FALSE(log(Enclosure(0)).bounded());
    CHECK_FALSE(log(near_zero).bounded());
    CHECK_FALSE(exp(Enclosure(1e300)).bounded());
    const Enclosure none = Enclosure(1) / Enclosure(0);
    CHECK_FALSE((none + Enclosure(1)).bounded());
    CHECK_FALSE((Enclosure(1) / none).bounded());
    CHECK_FALSE(max(none, Enclosure(1)).bounded());
    CHECK_FALSE(none.units_off(1, 6).has_value());
    CHECK_FALSE(none.distance(1, 0).has_value());
    CHECK(none.distance_bound(1) == std::numeric_limits<double>::infinity());
    CHECK(none.least_distance(1) == 0);
    CHECK(none.low(5) == "unbounded");
    CHECK_FALSE(none.is_zero());
}

TEST_CASE("decimals are those of the real number, ties to even, and undecided at an open tie") {
    CHECK(Enclosure(0.5).units_off(0, 0) == 0);
    CHECK(Enclosure(1.5).units_off(2, 0) == 0);
    CHECK(Enclosure(-2.5).units_off(-2, 0) == 0);
    CHECK(Enclosure(-2.5).units_off(2, 0) == 4);
    CHECK(sqrt(Enclosure(2)).units_off(1.4142, 6) == 14);
    // Hundreds, and ties of them.
    CHECK(Enclosure(12345).units_off(12310, -2) == 0);
    CHECK(Enclosure(12345).units_off(12049, -2) == 3);
    CHECK(Enclosure(150).units_off(200, -2) == 0);
    CHECK(Enclosure(250).units_off(200, -2) == 0);
    CHECK(Enclosure(250.5).units_off(200, -2) == 1);
    CHECK(Enclosure(49.5).units_off(-50, -2) == 0);
    CHECK(Enclosure(0x1p1000).units_off(0x1p1000, -300) == 0);
    CHECK(Enclosure(0x1p-1074).units_off(0x1p-1074, 340) == 0);
    // The exact value is below zero, but both are zero in six decimals.
    CHECK(Enclosure(-1e-9).units_off(1e-9, 6) == 0);
    CHECK(Enclosure(0).units_off(0x1p-52, 20) == 22204);
    const Enclosure half = sqrt(Enclosure(2)) * sqrt(Enclosure(2)) / Enclosure(4);
    CHECK(half.units_off(0.5, 1) == 0);
    CHECK_FALSE(half.units_off(0.5, 0).has_value());
    CHECK(Enclosure(0).units_off(1e300, 6) == std::numeric_limits<std::uint64_t>::max());
}

TEST_CASE("a distance has two digits, and counts as zero where it cannot matter") {
    // 1.41421356237309514547... instead of 1.41421356237309504880...: 9.67e-17 of 2.22e-16.
    CHECK(sqrt(Enclosure(2)).distance(1.4142135623730951, -52) == 0.44);
    CHECK(Enclosure(0.1).distance(0.1, -56) == 0.0);
    CHECK(Enclosure(0).distance(0x1p-55, -107) == 4.5e15);
    CHECK((sqrt(Enclosure(2)) * sqrt(Enclosure(2))).distance(2, -51) == 0.0);
    CHECK(Enclosure(3).distance_bound(2.5) == 0.5);
    CHECK(Enclosure(3).least_distance(3) == 0);
    CHECK(Enclosure(3).least_distance(2.5) <= 0.5);
    CHECK(Enclosure(3).least_distance(2.5) >= 0.5 * (1 - 0x1p-49));
    const Enclosure around_three = widened(Enclosure(3), power_of_two(0));
    CHECK(around_three.least_distance(2.5) == 0);
    CHECK(around_three.least_distance(1.5) <= 0.5);
    CHECK(around_three.least_distance(1.5) >= 0.5 * (1 - 0x1p-28));
    CHECK(Enclosure(1).distance_bound(std::nextafter(1.0, 2.0)) == 0x1p-52);
}

TEST_CASE("the ends of an enclosure are rounded outwards") {
    const Enclosure third = Enclosure(1) / Enclosure(3);
    CHECK(third.low(5) == "3.3333e-1");
    CHECK(third.high(5) == "3.3334e-1");
    const Enclosure negative = Enclosure(-2) / Enclosure(3);
    CHECK(negative.low(3) == "-6.67e-1");
    CHECK(negative.high(3) == "-6.66e-1");
    CHECK(Enclosure(99999).high(3) == "1.00e5");
    CHECK(Enclosure(100000).high(3) == "1.00e5");
    CHECK(Enclosure(12.5).low(6) == "1.25000e1");
    CHECK(Enclosure(0).high(6) == "0");
    CHECK(Enclosure(5e-324).low(4) == "4.940e-324");
}

TEST_CASE("the larger of two numbers is enclosed although it is not known which it is") {
    const Enclosure two = sqrt(Enclosure(2)) * sqrt(Enclosure(2));
    const Enclosure larger = max(two, Enclosure(2));
    CHECK(larger.units_off(2, 30) == 0);
    CHECK((max(Enclosure(1), Enclosure(3)) - Enclosure(3)).is_zero());
    CHECK((max(Enclosure(3), Enclosure(1)) - Enclosure(3)).is_zero());
    CHECK((abs(Enclosure(-3)) - Enclosure(3)).is_zero());
}

TEST_CASE("a row of products is the sum of them, also with weights of many magnitudes") {
    const std::array<float, 3> weights{0x1p-149F, 3.0F, -0x1.fffffep127F};
    const std::vector<Enclosure> vector =
        enclosures(std::array<double, 3>{0x1p149, 0.1, -0x1p-120}, 1024);
    Enclosure expected(0);
    for (std::size_t i = 0; i < 3; ++i) {
        expected = expected + Enclosure(static_cast<double>(weights[i])) * vector[i];
    }
    CHECK((product(weights, vector).front() - expected).is_zero());
    const std::vector<float> many(1000, 0x1.fffffep-1F);
    const std::vector<Enclosure> ones(1000, Enclosure(1));
    const Enclosure total = product(many, ones).front();
    CHECK((total - Enclosure(1000 * 0x1.fffffep-1)).is_zero());
    const std::vector<Enclosure> zeros(3, Enclosure(0));
    CHECK(product(weights, zeros).front().is_zero());
}
