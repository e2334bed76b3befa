#include "numeric/number_format.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <string>
#include <utility>
#include <vector>

#include "numeric/bits.hpp"

using namespace rmsnorm::numeric;

namespace {

constexpr double infinity = std::numeric_limits<double>::infinity();
constexpr NumberFormat sixteen_bits[] = {NumberFormat::binary16, NumberFormat::bfloat16};

// IEEE 754's own reading of a pattern: sign, biased exponent, fraction.
double by_definition(int exponent_bits, int fraction_bits, unsigned pattern) {
    const unsigned fraction = pattern & ((1U << fraction_bits) - 1);
    const int field = static_cast<int>(pattern >> fraction_bits & ((1U << exponent_bits) - 1));
    const int bias = (1 << (exponent_bits - 1)) - 1;
    const double sign = pattern >> (exponent_bits + fraction_bits) != 0 ? -1.0 : 1.0;
    if (field == (1 << exponent_bits) - 1) return fraction == 0 ? sign * infinity : NAN;
    if (field == 0) return sign * std::ldexp(fraction, 1 - bias - fraction_bits);
    return sign * std::ldexp((1U << fraction_bits) + fraction, field - bias - fraction_bits);
}

double by_definition(NumberFormat format, unsigned pattern) {
    return format == NumberFormat::binary16 ? by_definition(5, 10, pattern)
                                            : by_definition(8, 7, pattern);
}

// All numbers that are not negative, and infinity, in ascending order.
std::vector<double> magnitudes(NumberFormat format) {
    std::vector<double> all;
    for (unsigned pattern = 0; pattern < 0x8000; ++pattern) {
        const double value = by_definition(format, pattern);
        if (value == value) all.push_back(value);
    }
    return all;
}

void check_rounds(NumberFormat format, double value, double expected) {
    CAPTURE(dtype_name(format));
    CAPTURE(value);
    CHECK(same_bits(round_to(format, value), expected));
    CHECK(same_bits(round_to(format, -value), -expected));
}

}  // namespace

TEST_CASE(
    "all 65,536 patterns of both 16-bit formats are read by IEEE's definition and written back") {
    for (const NumberFormat format : sixteen_bits) {
        int wrong = 0;
        for (unsigned pattern = 0; pattern < 0x10000; ++pattern) {
            const double expected = by_definition(format, pattern);
            const double value = decode(format, pattern);
            if (expected != expected) {
                const double again = decode(format, encode(format, value));
                wrong += value != value && again != again && is_in(format, value) ? 0 : 1;
            } else {
                wrong += same_bits(value, expected) && encode(format, value) == pattern &&
                                 is_in(format, value)
                             ? 0
                             : 1;
            }
        }
        CHECK(wrong == 0);
    }
}

TEST_CASE(
    "between any two neighbors of a 16-bit format numbers round to the nearer, ties to even") {
    for (const NumberFormat format : sixteen_bits) {
        const std::vector<double> all = magnitudes(format);
        int wrong = 0;
        for (std::size_t index = 0; index + 1 < all.size(); ++index) {
            const double low = all[index];
            const double high = all[index + 1];
            // Infinity stands where the next number of the exponent would.
            const double end = std::isinf(high) ? low + (low - all[index - 1]) : high;
            const double middle = low / 2 + end / 2;
            const double even = index % 2 == 0 ? low : high;
            const auto expect = [&](double value, double nearest) {
                for (const double sign : {1.0, -1.0}) {
                    wrong += same_bits(round_to(format, sign * value), sign * nearest) ? 0 : 1;
                }
            };
            expect(middle, even);
            expect(std::nextafter(middle, 0.0), low);
            expect(std::nextafter(middle, infinity), high);
            expect(std::nextafter(low, infinity), low);
            expect(std::nextafter(end, 0.0), high);
            const double inside = std::nextafter(low, infinity);
            wrong += round_up(format, inside) == high && round_down(format, inside) == low &&
                             round_up(format, -inside) == -low &&
                             round_down(format, -inside) == -high &&
                             round_toward_zero(format, middle) == low &&
                             round_toward_zero(format, -middle) == -low
                         ? 0
                         : 1;
            wrong += next_up(format, low) == high && next_down(format, high) == low &&
                             next_down(format, -low) == -high && next_up(format, -high) == -low
                         ? 0
                         : 1;
            wrong += !is_in(format, middle) && !is_in(format, inside) ? 0 : 1;
            const Interval above = preimage(format, high);
            const Interval below = preimage(format, low);
            wrong += above.low == middle && below.high == middle ? 0 : 1;
        }
        CHECK(wrong == 0);
    }
}

TEST_CASE("the preimage of zero, of the largest number and of infinity ends where rounding turns") {
    CHECK(preimage(NumberFormat::binary16, 0.0).low == -std::ldexp(1.0, -25));
    CHECK(preimage(NumberFormat::binary16, -0.0).high == std::ldexp(1.0, -25));
    CHECK(preimage(NumberFormat::binary16, 65504.0).high == 65520.0);
    CHECK(preimage(NumberFormat::binary16, infinity).low == 65520.0);
    CHECK(preimage(NumberFormat::binary16, -infinity).high == -65520.0);
    CHECK(preimage(NumberFormat::binary16, -infinity).low == -infinity);
    // Below a power of two the numbers are twice as close.
    CHECK(preimage(NumberFormat::bfloat16, 1.0).low == 1.0 - std::ldexp(1.0, -9));
    CHECK(preimage(NumberFormat::bfloat16, 1.0).high == 1.0 + std::ldexp(1.0, -8));
    CHECK(preimage(NumberFormat::bfloat16, -1.0).low == -1.0 - std::ldexp(1.0, -8));
    CHECK(preimage(NumberFormat::binary32, 1.0).low == 1.0 - std::ldexp(1.0, -25));
    CHECK(preimage(NumberFormat::binary64, 1.0).high == 1.0 + std::ldexp(1.0, -52));
    CHECK(preimage(NumberFormat::binary64, infinity).low == std::numeric_limits<double>::max());
    CHECK(std::isnan(preimage(NumberFormat::bfloat16, NAN).low));
}

TEST_CASE("the limits of the formats are IEEE's") {
    CHECK(precision(NumberFormat::binary64) == 53);
    CHECK(precision(NumberFormat::binary32) == 24);
    CHECK(precision(NumberFormat::binary16) == 11);
    CHECK(precision(NumberFormat::bfloat16) == 8);
    CHECK(unit_roundoff(NumberFormat::bfloat16) == 0.00390625);
    CHECK(smallest_subnormal(NumberFormat::binary64) == std::numeric_limits<double>::denorm_min());
    CHECK(smallest_subnormal(NumberFormat::binary32) == std::numeric_limits<float>::denorm_min());
    CHECK(smallest_subnormal(NumberFormat::binary16) == std::ldexp(1.0, -24));
    CHECK(smallest_subnormal(NumberFormat::bfloat16) == std::ldexp(1.0, -133));
    CHECK(smallest_normal(NumberFormat::binary64) == std::numeric_limits<double>::min());
    CHECK(smallest_normal(NumberFormat::binary32) == std::numeric_limits<float>::min());
    CHECK(smallest_normal(NumberFormat::binary16) == std::ldexp(1.0, -14));
    CHECK(smallest_normal(NumberFormat::bfloat16) == std::ldexp(1.0, -126));
    CHECK(largest_finite(NumberFormat::binary64) == std::numeric_limits<double>::max());
    CHECK(largest_finite(NumberFormat::binary32) == std::numeric_limits<float>::max());
    CHECK(largest_finite(NumberFormat::binary16) == 65504.0);
    CHECK(largest_finite(NumberFormat::bfloat16) == std::ldexp(255.0, 120));
    CHECK(overflow_threshold(NumberFormat::binary64) == infinity);
    CHECK(overflow_threshold(NumberFormat::binary32) == std::ldexp(33554431.0, 103));
    CHECK(byte_size(NumberFormat::binary64) == 8);
    CHECK(byte_size(NumberFormat::binary32) == 4);
    CHECK(byte_size(NumberFormat::binary16) == 2);
    CHECK(byte_size(NumberFormat::bfloat16) == 2);
}

TEST_CASE("hard cases of binary32 round once") {
    const NumberFormat f32 = NumberFormat::binary32;
    const double step = std::ldexp(1.0, -23);
    check_rounds(f32, 1 + step / 2, 1.0);
    check_rounds(f32, 1 + 3 * step / 2, 1 + 2 * step);
    check_rounds(f32, std::nextafter(1 + step / 2, 2.0), 1 + step);
    check_rounds(f32, std::nextafter(1 + 3 * step / 2, 0.0), 1 + step);
    check_rounds(f32, std::numeric_limits<float>::max(), std::numeric_limits<float>::max());
    const double threshold = overflow_threshold(f32);
    check_rounds(f32, threshold, infinity);
    check_rounds(f32, std::nextafter(threshold, 0.0), std::numeric_limits<float>::max());
    check_rounds(f32, std::numeric_limits<double>::max(), infinity);
    CHECK(round_toward_zero(f32, 1e300) == std::numeric_limits<float>::max());
    CHECK(round_down(f32, 1e300) == std::numeric_limits<float>::max());
    CHECK(round_up(f32, 1e300) == infinity);
    CHECK(round_down(f32, -1e300) == -infinity);
    check_rounds(f32, std::ldexp(1.0, -150), 0.0);
    check_rounds(f32, std::nextafter(std::ldexp(1.0, -150), 1.0), std::ldexp(1.0, -149));
    check_rounds(f32, std::ldexp(3.0, -150), std::ldexp(1.0, -148));
    check_rounds(f32, std::ldexp(1.0, -1074), 0.0);
    CHECK(round_up(f32, std::ldexp(1.0, -1074)) == std::ldexp(1.0, -149));
    // The largest subnormal number and the smallest normal one.
    check_rounds(f32, std::ldexp(16777215.0, -150), std::ldexp(1.0, -126));
    check_rounds(f32, std::ldexp(16777213.0, -150), std::ldexp(8388606.0, -149));
}

TEST_CASE("a number that two roundings would take to the wrong side goes to the right one") {
    // Just above a tie of the 16-bit format, and so little above that binary32 would lose it.
    const double above = std::ldexp(1.0, -50);
    check_rounds(NumberFormat::bfloat16, 1 + std::ldexp(1.0, -8) + above, 1 + std::ldexp(1.0, -7));
    check_rounds(NumberFormat::binary16, 1 + std::ldexp(1.0, -11) + above,
                 1 + std::ldexp(1.0, -10));
    check_rounds(NumberFormat::bfloat16, 1 + std::ldexp(3.0, -8) - above, 1 + std::ldexp(1.0, -7));
}

TEST_CASE("binary64 numbers are themselves in every direction, with neighbors to both sides") {
    const NumberFormat f64 = NumberFormat::binary64;
    const double denormal = std::numeric_limits<double>::denorm_min();
    const double smallest = std::numeric_limits<double>::min();
    for (const double value : {0.0, -0.0, denormal, 7 * denormal, smallest - denormal, smallest,
                               0.1, -1.0, std::numeric_limits<double>::max(), infinity}) {
        CAPTURE(value);
        CHECK(same_bits(round_to(f64, value), value));
        CHECK(same_bits(round_up(f64, value), value));
        CHECK(same_bits(round_down(f64, value), value));
        CHECK(same_bits(round_toward_zero(f64, value), value));
        CHECK(encode(f64, value) == bits(value));
        CHECK(same_bits(decode(f64, bits(value)), value));
        CHECK(next_up(f64, value) == std::nextafter(value, infinity));
        CHECK(next_down(f64, value) == (value == infinity ? std::numeric_limits<double>::max()
                                                          : std::nextafter(value, -infinity)));
    }
}

TEST_CASE("binary32 patterns are the compiler's own") {
    std::uint32_t pattern = 1;
    int wrong = 0;
    for (int step = 0; step < 100'000; ++step) {
        pattern = pattern * 1664525U + 1013904223U;
        const float value = binary32(pattern);
        if (value != value) continue;
        wrong += same_bits(decode(NumberFormat::binary32, pattern), static_cast<double>(value)) &&
                         encode(NumberFormat::binary32, value) == pattern
                     ? 0
                     : 1;
        const double fine = static_cast<double>(value) * (1 + std::ldexp(pattern % 4096, -35));
        wrong += same_bits(round_to(NumberFormat::binary32, fine),
                           static_cast<double>(static_cast<float>(fine)))
                     ? 0
                     : 1;
    }
    CHECK(wrong == 0);
}

TEST_CASE("a unit in the last place is that of the binade, and of the subnormal numbers below") {
    CHECK(ulp(NumberFormat::bfloat16, 1.0) == std::ldexp(1.0, -7));
    CHECK(ulp(NumberFormat::bfloat16, -1.99) == std::ldexp(1.0, -7));
    CHECK(ulp(NumberFormat::bfloat16, 2.0) == std::ldexp(1.0, -6));
    CHECK(ulp(NumberFormat::binary16, 0.0) == std::ldexp(1.0, -24));
    CHECK(ulp(NumberFormat::binary16, std::ldexp(1.0, -14)) == std::ldexp(1.0, -24));
    CHECK(ulp(NumberFormat::binary64, 1.0) == std::ldexp(1.0, -52));
}

TEST_CASE("names of formats lead back to them, and others to none") {
    for (const NumberFormat format : number_formats) {
        CHECK(format_named(safetensors_name(format)) == format);
        CHECK(format_named(dtype_name(format)) == format);
        CHECK(format_named(full_name(format)) == format);
    }
    CHECK(format_named("float16") == NumberFormat::binary16);
    CHECK_FALSE(format_named("f8"));
    CHECK_FALSE(format_named(""));
    CHECK(hex(NumberFormat::bfloat16, 1.0) == "3f80");
    CHECK(hex(NumberFormat::binary16, -2.0) == "c000");
    CHECK(hex(NumberFormat::binary32, 0.1) == "3dcccccd");
    CHECK(hex(NumberFormat::binary64, 12.5) == "4029000000000000");
}
