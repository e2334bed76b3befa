#include "judge/row_scale.hpp"

#include <doctest/doctest.h>

#include <cmath>

#include "judge/structure.hpp"

using namespace rmsnorm;
using judge::DoubleDouble;
using judge::Factoring;
using judge::Formats;
using judge::ScaleInterval;
using judge::Structure;
using numeric::NumberFormat;

TEST_CASE("a quotient of double-doubles is right far below the last bit of a double") {
    // 1/3 = 0x1.5555555555555p-2 + 0x1.5555555555555p-56 + ..., by its binary expansion.
    const DoubleDouble third = DoubleDouble(1) / DoubleDouble(3);
    CHECK(third.high == 0x1.5555555555555p-2);
    CHECK(std::fabs(third.low - 0x1.5555555555555p-56) <= 0x1p-105);
    const DoubleDouble root = judge::square_root(2);
    const DoubleDouble rest = root * root - DoubleDouble(2);
    CHECK(std::fabs(rest.high) <= 0x1p-100);
}

TEST_CASE("a scale's bound grows with half the width in units of the arithmetic") {
    // docs/judge.md: to first order (w n / 2 + 8 + |ln v|) u, here with w = 1 and v = 1.
    const double u = 0x1p-24;
    for (const std::size_t width : {1U, 64U, 4096U}) {
        const auto bound = judge::scale_bound(NumberFormat::binary32, width, 1, 1);
        const double first_order = (static_cast<double>(width) / 2 + 8) * u;
        CHECK(bound.below >= first_order * 0.999);
        CHECK(bound.above >= first_order * 0.999);
        CHECK(bound.above <= first_order * 1.01);
    }
}

TEST_CASE("no bound holds where every addition may lose all it has") {
    const auto bound = judge::scale_bound(NumberFormat::binary32, std::size_t{1} << 24, 1, 1);
    CHECK(std::isinf(bound.above));
}

TEST_CASE("an epsilon that rules takes the width out of the bound") {
    const auto bound = judge::scale_bound(NumberFormat::binary32, 16384, 0, 1);
    CHECK(bound.above <= 10 * 0x1p-24);
}

namespace {

ScaleInterval one_element(const Structure& structure, NumberFormat format, double x, double g,
                          double y) {
    return judge::measured_scale(structure, Formats{format, format, format},
                                 {{&x, 1}, {&g, 1}, {&y, 1}});
}

}  // namespace

TEST_CASE("an element of bfloat16 leaves half an ulp of its output to either side") {
    // 1.5 has neighbors 1.4921875 and 1.5078125; x g = 2.
    const auto scale = one_element({}, NumberFormat::bfloat16, 1, 2, 1.5);
    CHECK(scale.low.high == doctest::Approx(1.49609375 / 2).epsilon(1e-6));
    CHECK(scale.high.high == doctest::Approx(1.50390625 / 2).epsilon(1e-6));
    CHECK(scale.low.high < 1.49609375 / 2);
    CHECK(scale.high.high > 1.50390625 / 2);
}

TEST_CASE("below a power of two the gap is half as wide") {
    const auto scale = one_element({}, NumberFormat::bfloat16, 1, 1, 1);
    CHECK(scale.low.high == doctest::Approx(1 - 0x1p-9).epsilon(1e-6));
    CHECK(scale.high.high == doctest::Approx(1 + 0x1p-8).epsilon(1e-6));
}

TEST_CASE("a normalized value that is rounded first leaves its own interval") {
    // y = RN(z 3) with y = 3 leaves z in [2.9921875/3, 3.0078125/3]; the one bfloat16 number in it
    // is 1; then r may be half a gap further on either side, and the gap below 1 is half as wide.
    const Structure first{Factoring::value_first, NumberFormat::bfloat16};
    const auto scale = one_element(first, NumberFormat::bfloat16, 1, 3, 3);
    CHECK(scale.low.high == doctest::Approx(1 - 0x1p-9).epsilon(1e-6));
    CHECK(scale.high.high == doctest::Approx(1 + 0x1p-8).epsilon(1e-6));
}

TEST_CASE("an output with the wrong sign or a NaN leaves nothing") {
    for (const NumberFormat format : numeric::number_formats) {
        CHECK(one_element({}, format, 1, 1, -1).empty());
        CHECK(one_element({}, format, -1, 1, 1).empty());
        CHECK(one_element({}, format, 1, 1, std::nan("")).empty());
        CHECK_FALSE(one_element({}, format, -1, -2, 1).empty());
    }
}

TEST_CASE("a zero says nothing of the scale, unless the output is not zero") {
    for (const NumberFormat format : numeric::number_formats) {
        CHECK(std::isinf(one_element({}, format, 0, 1, 0).high.high));
        CHECK(std::isinf(one_element({}, format, 1, 0, -0.0).high.high));
        CHECK(one_element({}, format, 0, 1, 0.5).empty());
    }
}

TEST_CASE("an infinite output leaves the scales beyond the overflow threshold") {
    // 65504 + 16 = 65520 is the first real that rounds to infinity in binary16.
    const auto scale =
        one_element({}, NumberFormat::binary16, 1, 1, std::numeric_limits<double>::infinity());
    CHECK(scale.low.high == doctest::Approx(65520).epsilon(1e-6));
    CHECK(std::isinf(scale.high.high));
}

TEST_CASE("a subnormal product of gain and input widens by what its rounding moves") {
    // x g = 2^-24 * 1.25 rounds to 2^-24 in binary16, so that r = y / 2^-24.
    const Structure first{Factoring::product_first, NumberFormat::binary16};
    const auto scale = one_element(first, NumberFormat::binary16, 0x1p-12, 1.25 * 0x1p-12, 0x1p-14);
    CHECK(scale.low.high < 1024);
    CHECK(scale.high.high > 1024);
    CHECK(one_element({}, NumberFormat::binary16, 0x1p-12, 1.25 * 0x1p-12, 0x1p-14).high.high <
          1024);
}

TEST_CASE("an output of binary64 measures the scale to a few units") {
    const double x = 3;
    const double g = 0.7;
    const double r = 0x1.23456789abcdep-3;
    const auto scale = one_element({}, NumberFormat::binary64, x, g, x * r * g);
    CHECK(scale.low < DoubleDouble(r));
    CHECK(scale.high > DoubleDouble(r));
    CHECK(((scale.high - scale.low) / DoubleDouble(r)).high < 10 * 0x1p-53);
}

TEST_CASE("no scale fits elements that ask for different ones") {
    const double x[] = {1, 1};
    const double g[] = {1, 1};
    const double y[] = {1, 1.25};
    const Formats formats{NumberFormat::bfloat16, NumberFormat::bfloat16, NumberFormat::bfloat16};
    CHECK(judge::measured_scale({}, formats, {x, g, y}).empty());
}
