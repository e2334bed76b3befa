#include "numeric/summation.hpp"

#include <doctest/doctest.h>

#include <vector>

#include "numeric/bits.hpp"

using namespace rmsnorm::numeric;

namespace {

using Numbers = std::vector<double>;

}  // namespace

// From 2^53 on the numbers are 2 apart: beside 1e16 a 1 is a tie, and goes to the even 1e16.

TEST_CASE("two lanes keep what an ascending sum loses") {
    // Lanes {1e16, -1e16} and {1}; halves {1e16} and {1, -1e16}.
    const Numbers values{1e16, 1, -1e16};
    CHECK(sum_ascending(values) == 0);
    CHECK(sum_pairwise(values) == 0);
    CHECK(sum_two_lanes(values) == 1);
}

TEST_CASE("two lanes lose what an ascending sum keeps") {
    // Lanes {1e16, 1} and {-1e16, 1}; halves {1e16, -1e16} and {1, 1}.
    const Numbers values{1e16, -1e16, 1, 1};
    CHECK(sum_ascending(values) == 2);
    CHECK(sum_pairwise(values) == 2);
    CHECK(sum_two_lanes(values) == 0);
}

TEST_CASE("halves keep what both others lose, and the longer half stands to the right") {
    // Halves {1e16} and {1, 1}; lanes {1e16, 1} and {1}.
    const Numbers values{1e16, 1, 1};
    CHECK(sum_ascending(values) == 1e16);
    CHECK(sum_pairwise(values) == 1e16 + 2);
    CHECK(sum_two_lanes(values) == 1e16);
}

TEST_CASE("nothing sums to +0 and one number to itself in every order") {
    for (const auto sum : {sum_ascending, sum_pairwise, sum_two_lanes}) {
        CHECK(same_bits(sum({}), 0.0));
        CHECK(sum(Numbers{-7.5}) == -7.5);
        CHECK(sum(Numbers{1, 2, 3, 4, -1, -2, -3, -4}) == 0);
    }
}
