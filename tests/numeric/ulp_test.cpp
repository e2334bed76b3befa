#include "numeric/ulp.hpp"

#include <doctest/doctest.h>

#include <cmath>
#include <limits>

using rmsnorm::numeric::ulp_distance;

namespace {

constexpr double smallest = std::numeric_limits<double>::denorm_min();
constexpr double largest = std::numeric_limits<double>::max();
constexpr double infinity = std::numeric_limits<double>::infinity();

}  // namespace

TEST_CASE("the distance counts steps along the numbers, whichever comes first") {
    const double next = std::nextafter(1.0, 2.0);
    CHECK(ulp_distance(1.0, 1.0) == 0);
    CHECK(ulp_distance(1.0, next) == 1);
    CHECK(ulp_distance(next, 1.0) == 1);
    CHECK(ulp_distance(-1.0, -next) == 1);
    CHECK(ulp_distance(-next, -1.0) == 1);
    CHECK(ulp_distance(1.0F, std::nextafter(1.0F, 0.0F)) == 1);
    CHECK(ulp_distance(-1.0F, std::nextafter(-1.0F, 0.0F)) == 1);
}

TEST_CASE("a binade is as many steps long as the fraction has values") {
    CHECK(ulp_distance(1.0, 2.0) == std::uint64_t{1} << 52);
    CHECK(ulp_distance(0.25, 0.5) == std::uint64_t{1} << 52);
    CHECK(ulp_distance(-4.0F, -2.0F) == std::uint32_t{1} << 23);
}

TEST_CASE("the way across zero counts both sides, and both zeros are one number") {
    CHECK(ulp_distance(0.0, -0.0) == 0);
    CHECK(ulp_distance(-0.0, smallest) == 1);
    CHECK(ulp_distance(-smallest, smallest) == 2);
    CHECK(ulp_distance(0.0F, -0.0F) == 0);
    CHECK(ulp_distance(-std::numeric_limits<float>::denorm_min(),
                       std::numeric_limits<float>::denorm_min()) == 2);
}

TEST_CASE("infinity follows the largest number, and the longest way does not overflow") {
    CHECK(ulp_distance(largest, infinity) == 1);
    CHECK(ulp_distance(-infinity, infinity) == 2 * 0x7ff0000000000000U);
    CHECK(ulp_distance(infinity, -infinity) == 2 * 0x7ff0000000000000U);
    constexpr float infinity32 = std::numeric_limits<float>::infinity();
    CHECK(ulp_distance(-infinity32, infinity32) == 2 * 0x7f800000U);
    CHECK(ulp_distance(infinity32, -infinity32) == 2 * 0x7f800000U);
}
