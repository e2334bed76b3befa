#include "judge/quoted.hpp"

#include <doctest/doctest.h>

#include <cmath>
#include <random>

#include "numeric/decimal.hpp"

namespace rmsnorm::judge {
namespace {

double read(const std::string& text) { return numeric::parse_decimal(text).value(); }

TEST_CASE("whole numbers are quoted without a point") {
    CHECK(quoted(4170123, 3) == "4170000");
    CHECK(quoted(1, 4) == "1");
    CHECK(quoted(0, 4) == "0");
    CHECK(quoted(-2.5, 4) == "-2.5");
    CHECK(quoted_beside(1.0001, 1) == "1.0001");
    CHECK(quoted_beside(0.25) == "0.25");
}

TEST_CASE("a quoted interval holds the one that it stands for") {
    const QuotedInterval around_one = quoted_outwards({0.99999994, 1.0000000001});
    // Seven digits tell the ends apart.
    CHECK(around_one.low == "0.9999999");
    CHECK(around_one.high == "1.000001");
    CHECK(quoted_outwards({-1.00004, -0.99996}, 4).low == "-1.001");
    CHECK(quoted_outwards({-1.00004, -0.99996}, 4).high == "-0.9999");
    CHECK(quoted_outwards({0, 0}).high == "0");
    // What has few digits stays as it is.
    CHECK(quoted_outwards({0.5, 1.25}).low == "0.5");
    CHECK(quoted_outwards({0.5, 1.25}).high == "1.25");
}

TEST_CASE("ends are rounded outwards by less than one unit of their last digit, at any magnitude") {
    std::mt19937_64 random(7);
    std::uniform_real_distribution<double> exponent(-290, 290);
    std::uniform_real_distribution<double> significand(-10, 10);
    for (int i = 0; i < 20'000; ++i) {
        const double low = significand(random) * std::pow(10, exponent(random));
        const double high = low + std::fabs(low) * std::pow(10, -exponent(random) / 40);
        if (!std::isfinite(high)) continue;
        const int digits = 1 + i % 17;
        const QuotedInterval text = quoted_outwards({low, high}, digits);
        CAPTURE(low);
        CAPTURE(high);
        CAPTURE(digits);
        CHECK(read(text.low) <= low);
        CHECK(read(text.high) >= high);
        const double unit = std::pow(10, 1 - digits) * (1 + 1e-9);
        CHECK(low - read(text.low) <= std::fabs(low) * unit + 1e-323);
        CHECK(read(text.high) - high <= std::fabs(high) * unit + 1e-323);
    }
}

}  // namespace
}  // namespace rmsnorm::judge
