#include "numeric/elementary.hpp"

#include <doctest/doctest.h>

#include <cmath>
#include <limits>
#include <random>

#include "numeric/bits.hpp"
#include "numeric/elementary_phases.hpp"
#include "numeric/hard_cases.hpp"
#include "numeric/tables/exp_table.hpp"

namespace {

using namespace rmsnorm;
using numeric::bits;
using numeric::hex;
using numeric::same_bits;

constexpr double infinity = std::numeric_limits<double>::infinity();
constexpr double quiet_nan = std::numeric_limits<double>::quiet_NaN();
constexpr double smallest = std::numeric_limits<double>::denorm_min();
constexpr double smallest_normal = std::numeric_limits<double>::min();
constexpr double largest = std::numeric_limits<double>::max();

double argument_of(const numeric::HardCase& hard) { return numeric::binary64(hard.argument); }

double value_of(const numeric::HardCase& hard) {
    return hard.function == numeric::Elementary::exp ? numeric::exp(argument_of(hard))
                                                     : numeric::log(argument_of(hard));
}

double accurate_value_of(const numeric::HardCase& hard) {
    return hard.function == numeric::Elementary::exp ? numeric::exp_accurate(argument_of(hard))
                                                     : numeric::log_accurate(argument_of(hard));
}

numeric::FastResult fast_value_of(const numeric::HardCase& hard) {
    return hard.function == numeric::Elementary::exp ? numeric::exp_fast(argument_of(hard))
                                                     : numeric::log_fast(argument_of(hard));
}

double random_in_unit_interval(std::mt19937_64& random) {
    return static_cast<double>(random() >> 11) * 0x1p-53;
}

double random_exp_argument(std::mt19937_64& random) {
    return -745 + 1454 * random_in_unit_interval(random);
}

double random_log_argument(std::mt19937_64& random) {
    return numeric::binary64(random() % 0x7ff0000000000000U);
}

}  // namespace

TEST_CASE("the hard cases are rounded to the nearest number") {
    for (const numeric::HardCase& hard : numeric::hard_cases()) {
        CAPTURE(hex(argument_of(hard)));
        CHECK(hex(value_of(hard)) == hex(numeric::binary64(hard.result)));
    }
}

TEST_CASE("the classic hardest cases of both functions are among the hard cases") {
    bool exp_found = false;
    bool log_found = false;
    for (const numeric::HardCase& hard : numeric::hard_cases()) {
        const double argument = argument_of(hard);
        const bool is_exp = hard.function == numeric::Elementary::exp;
        exp_found = exp_found || (is_exp && argument == 0x1.9e9cbbfd6080bp-31);
        log_found = log_found || (!is_exp && argument == 0x1.62a88613629b6p+678);
    }
    CHECK(exp_found);
    CHECK(log_found);
}

TEST_CASE("the accurate phase alone rounds the hard cases to the nearest number") {
    for (const numeric::HardCase& hard : numeric::hard_cases()) {
        CAPTURE(hex(argument_of(hard)));
        CHECK(hex(accurate_value_of(hard)) == hex(numeric::binary64(hard.result)));
    }
}

TEST_CASE("the fast phase leaves every result next to a midpoint to the accurate phase") {
    for (const numeric::HardCase& hard : numeric::hard_cases()) {
        CAPTURE(hex(argument_of(hard)));
        CHECK(fast_value_of(hard).certain == (hard.nearby == numeric::Nearby::number));
    }
}

TEST_CASE("without its rounding test the fast phase rounds hard cases of both functions wrongly") {
    int wrong_exp = 0;
    int wrong_log = 0;
    for (const numeric::HardCase& hard : numeric::hard_cases()) {
        const bool wrong = bits(fast_value_of(hard).value) != hard.result;
        (hard.function == numeric::Elementary::exp ? wrong_exp : wrong_log) += wrong ? 1 : 0;
    }
    CHECK(wrong_exp > 0);
    CHECK(wrong_log > 0);
}

TEST_CASE(
    "the accurate phase, forced for every argument, agrees wherever the fast one is certain") {
    std::mt19937_64 random(20'010'611);
    long agreed = 0;
    for (int run = 0; run < 5'000; ++run) {
        const double x = random_exp_argument(random);
        const numeric::FastResult exp_fast = numeric::exp_fast(x);
        const double y = random_log_argument(random);
        const numeric::FastResult log_fast = numeric::log_fast(y);
        const bool exp_agrees = numeric::exp_accurate(x) == exp_fast.value;
        const bool log_agrees = numeric::log_accurate(y) == log_fast.value;
        if (exp_fast.certain && !exp_agrees) FAIL_CHECK("exp of " << hex(x));
        if (log_fast.certain && !log_agrees) FAIL_CHECK("log of " << hex(y));
        agreed += (exp_agrees ? 1 : 0) + (log_agrees ? 1 : 0);
    }
    CHECK(agreed > 9'990);
}

TEST_CASE("fewer than one random argument in a thousand needs the accurate phase") {
    std::mt19937_64 random(7);
    constexpr int runs = 200'000;
    int exp_uncertain = 0;
    int log_uncertain = 0;
    for (int run = 0; run < runs; ++run) {
        exp_uncertain += numeric::exp_fast(random_exp_argument(random)).certain ? 0 : 1;
        log_uncertain += numeric::log_fast(random_log_argument(random)).certain ? 0 : 1;
    }
    CHECK(exp_uncertain > 0);
    CHECK(exp_uncertain < runs / 1'000);
    CHECK(log_uncertain > 0);
    CHECK(log_uncertain < runs / 1'000);
}

TEST_CASE("exp of special values") {
    CHECK(same_bits(numeric::exp(0.0), 1.0));
    CHECK(same_bits(numeric::exp(-0.0), 1.0));
    CHECK(same_bits(numeric::exp(infinity), infinity));
    CHECK(same_bits(numeric::exp(-infinity), 0.0));
    CHECK(std::isnan(numeric::exp(quiet_nan)));
    CHECK(std::isnan(numeric::exp(-quiet_nan)));
    CHECK(same_bits(numeric::exp(largest), infinity));
    CHECK(same_bits(numeric::exp(-largest), 0.0));
}

TEST_CASE("log of special values") {
    CHECK(same_bits(numeric::log(0.0), -infinity));
    CHECK(same_bits(numeric::log(-0.0), -infinity));
    CHECK(same_bits(numeric::log(1.0), 0.0));
    CHECK(same_bits(numeric::log_accurate(1.0), 0.0));
    CHECK(same_bits(numeric::log(infinity), infinity));
    CHECK(std::isnan(numeric::log(-smallest)));
    CHECK(std::isnan(numeric::log(-1.0)));
    CHECK(std::isnan(numeric::log(-infinity)));
    CHECK(std::isnan(numeric::log(quiet_nan)));
    CHECK(std::isnan(numeric::log(-quiet_nan)));
}

TEST_CASE("exp turns to infinity and to zero at the right argument") {
    // Results from MPFR. The last finite one is 2^1024 less 214 units, the last positive one is
    // above half of the smallest number.
    constexpr double last_finite = 0x1.62e42fefa39efp+9;
    CHECK(bits(numeric::exp(std::nextafter(last_finite, 0.0))) == 0x7feffffffffffb2aU);
    CHECK(bits(numeric::exp(last_finite)) == 0x7fefffffffffff2aU);
    CHECK(same_bits(numeric::exp(std::nextafter(last_finite, infinity)), infinity));
    constexpr double last_positive = -0x1.74910d52d3051p+9;
    CHECK(same_bits(numeric::exp(std::nextafter(last_positive, 0.0)), smallest));
    CHECK(same_bits(numeric::exp(last_positive), smallest));
    CHECK(same_bits(numeric::exp(std::nextafter(last_positive, -infinity)), 0.0));
}

TEST_CASE("exp is rounded once where its result is subnormal") {
    struct Case {
        double argument;
        std::uint64_t result;  // from MPFR
    };
    constexpr Case cases[] = {
        {-0x1.6232bdd7abcd0p+9, 0x001000000000047cU}, {-0x1.6232bdd7abcd1p+9, 0x001000000000027cU},
        {-0x1.6232bdd7abcd2p+9, 0x001000000000007cU}, {-0x1.6232bdd7abcd3p+9, 0x000ffffffffffe7cU},
        {-0x1.6232bdd7abcd4p+9, 0x000ffffffffffc7cU},
    };
    for (const Case& subnormal : cases) {
        CHECK(bits(numeric::exp(subnormal.argument)) == subnormal.result);
        CHECK(bits(numeric::exp_accurate(subnormal.argument)) == subnormal.result);
    }
    // e^x crosses n + 1/2 times the smallest number between neighbors of log(n + 1/2) - 1074 ln 2:
    // the result changes there and nowhere nearby. The logarithm is off by half a unit at most.
    for (int n = 1; n < 200; ++n) {
        const double near = numeric::log(n + 0.5) + numeric::log(smallest);
        const double below = near - 0x1p-42;
        const double above = near + 0x1p-42;
        CHECK(bits(numeric::exp(below)) == static_cast<std::uint64_t>(n));
        CHECK(bits(numeric::exp(above)) == static_cast<std::uint64_t>(n) + 1);
    }
}

TEST_CASE("exp of a tiny argument is the right neighbor of one") {
    constexpr double above_one = 1 + std::numeric_limits<double>::epsilon();
    constexpr double below_one = 1 - std::numeric_limits<double>::epsilon() / 2;
    for (const double tiny : {smallest, smallest_normal, 0x1p-60, 0x1.fffffffffffffp-55, 0x1p-54}) {
        CHECK(numeric::exp(tiny) == 1);
        CHECK(numeric::exp(-tiny) == 1);
    }
    // e^x > 1 + x, so a midpoint itself is not a tie.
    CHECK(numeric::exp(0x1.fffffffffffffp-54) == 1);
    CHECK(numeric::exp(0x1p-53) == above_one);
    CHECK(numeric::exp(-0x1p-54) == 1);
    CHECK(numeric::exp(-0x1.0000000000001p-54) == below_one);
}

TEST_CASE("log next to one is the distance from one less half its square") {
    // log(1 + 2^-52) = 2^-52 - 2^-105 + ..., and 2^-52 - 2^-105 is a binary64 number.
    CHECK(numeric::log(0x1.0000000000001p+0) == 0x1p-52 - 0x1p-105);
    // log(1 - 2^-53) = -(2^-53 + 2^-107 + ...), and half a unit would be 2^-106.
    CHECK(numeric::log(0x1.fffffffffffffp-1) == -0x1p-53);
}

TEST_CASE("log of subnormal numbers, their neighbors and the largest number") {
    // From MPFR.
    CHECK(bits(numeric::log(smallest)) == 0xc0874385446d71c3U);
    CHECK(bits(numeric::log(2 * smallest)) == 0xc0873df9b3adb335U);
    CHECK(bits(numeric::log(smallest_normal)) == 0xc086232bdd7abcd2U);
    CHECK(bits(numeric::log(std::nextafter(smallest_normal, 0.0))) == 0xc086232bdd7abcd2U);
    CHECK(bits(numeric::log(largest)) == 0x40862e42fefa39efU);
}

TEST_CASE("no argument is too large, small or odd for the phases it is given to") {
    CHECK(numeric::exp_needs_phases(1));
    CHECK(numeric::exp_needs_phases(-0x1p-54));
    CHECK(numeric::exp_needs_phases(numeric::tables::exp_largest_argument));
    CHECK(numeric::exp_needs_phases(numeric::tables::exp_smallest_argument));
    for (const double x :
         {0.0, 0x1.fffffffffffffp-55, 710.0, -746.0, infinity, -infinity, quiet_nan}) {
        CHECK_FALSE(numeric::exp_needs_phases(x));
    }
    CHECK(numeric::log_needs_phases(smallest));
    CHECK(numeric::log_needs_phases(largest));
    for (const double x : {0.0, -0.0, -1.0, infinity, -infinity, quiet_nan, -quiet_nan}) {
        CHECK_FALSE(numeric::log_needs_phases(x));
    }
}
