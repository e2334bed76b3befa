#include "numeric/decimal.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>
#include <random>
#include <string>
#include <vector>

#include "numeric/bits.hpp"
#include "numeric/decimal_conversion.hpp"
#include "numeric/natural.hpp"

namespace {

using namespace rmsnorm::numeric;

constexpr double infinity = std::numeric_limits<double>::infinity();
constexpr double quiet_nan = std::numeric_limits<double>::quiet_NaN();
constexpr double smallest = std::numeric_limits<double>::denorm_min();
constexpr double largest = std::numeric_limits<double>::max();

// The bits of what is read, as text; "nothing" for nothing.
std::string parsed(std::string_view text) {
    const std::optional<double> value = parse_decimal(text);
    return value ? hex(*value) : "nothing";
}

std::string zeros(std::size_t count) { return std::string(count, '0'); }

}  // namespace

TEST_CASE("fixed decimals round the exact binary value half to even") {
    CHECK(fixed(12.5, 2) == "12.50");
    CHECK(fixed(0.5, 0) == "0");
    CHECK(fixed(1.5, 0) == "2");
    CHECK(fixed(2.5, 0) == "2");
    CHECK(fixed(0.125, 2) == "0.12");
    CHECK(fixed(0.375, 2) == "0.38");
    // Not ties: the binary values are 1.00499999999999989... and 2.67499999999999982...
    CHECK(fixed(1.005, 2) == "1.00");
    CHECK(fixed(2.675, 2) == "2.67");
    CHECK(fixed(0.1, 25) == "0.1000000000000000055511151");
    CHECK(fixed(999.9996, 3) == "1000.000");
}

TEST_CASE("fixed decimals hold the largest and the smallest numbers") {
    const std::string text = fixed(-largest, 3);
    CHECK(text.size() == 1 + 309 + 1 + 3);
    CHECK(text.starts_with("-17976931348623157081452742373170435679807056752584499659891"));
    CHECK(text.ends_with("4124858368.000"));
    const std::string tiny = fixed(smallest, 1074);
    CHECK(tiny.size() == 2 + 1074);
    CHECK(tiny.starts_with("0." + zeros(323) + "4940656458412465441765687928682213723650598"));
    CHECK(tiny.ends_with("7538682506419718265533447265625"));
}

TEST_CASE("fixed decimals keep the sign of a zero and of what rounds to one") {
    CHECK(fixed(0.0, 1) == "0.0");
    CHECK(fixed(-0.0, 1) == "-0.0");
    CHECK(fixed(-0.001, 2) == "-0.00");
}

TEST_CASE("a plus sign is shown where there is no minus sign, when asked for") {
    CHECK(fixed(1.5, 1, Plus::shown) == "+1.5");
    CHECK(fixed(0.0, 1, Plus::shown) == "+0.0");
    CHECK(fixed(-0.0, 1, Plus::shown) == "-0.0");
    CHECK(fixed(-1.5, 1, Plus::shown) == "-1.5");
    CHECK(fixed(infinity, 1, Plus::shown) == "+inf");
    CHECK(fixed(quiet_nan, 1, Plus::shown) == "NaN");
}

TEST_CASE("numbers that are not finite have the same names in both formats") {
    CHECK(fixed(quiet_nan, 3) == "NaN");
    CHECK(fixed(-quiet_nan, 3) == "NaN");
    CHECK(fixed(infinity, 3) == "inf");
    CHECK(fixed(-infinity, 3) == "-inf");
    CHECK(shortest(1234.5, 3) == "1230.0");
    CHECK(shortest(0.1 + 0.2, 2) == "0.3");
    CHECK(shortest(-2.5e-7, 1) == "-2e-7");
    CHECK(shortest(quiet_nan) == "NaN");
    CHECK(shortest(infinity) == "inf");
    CHECK(shortest(-infinity) == "-inf");
}

TEST_CASE("the shortest text has .0 on whole numbers and an exponent only far from one") {
    CHECK(shortest(0.0) == "0.0");
    CHECK(shortest(-0.0) == "-0.0");
    CHECK(shortest(3) == "3.0");
    CHECK(shortest(-100) == "-100.0");
    CHECK(shortest(0.1) == "0.1");
    CHECK(shortest(12.75) == "12.75");
    CHECK(shortest(1234567.875) == "1234567.875");
    CHECK(shortest(1e-4) == "0.0001");
    CHECK(shortest(-0.00012345) == "-0.00012345");
    CHECK(shortest(9.999e-5) == "9.999e-5");
    CHECK(shortest(-1e-5) == "-1e-5");
    CHECK(shortest(9.5e-6) == "9.5e-6");
    CHECK(shortest(1e-7) == "1e-7");
    CHECK(shortest(1e15) == "1000000000000000.0");
    CHECK(shortest(9999999999999998) == "9999999999999998.0");
    CHECK(shortest(1e16) == "1e16");
    CHECK(shortest(2.5e16) == "2.5e16");
    CHECK(shortest(-2.5e-300) == "-2.5e-300");
    CHECK(shortest(smallest) == "5e-324");
    CHECK(shortest(largest) == "1.7976931348623157e308");
    CHECK(shortest(0.1 + 0.2) == "0.30000000000000004");
}

TEST_CASE("the shortest text reads back to the same bits") {
    std::mt19937_64 random(5);
    for (int run = 0; run < 20'000; ++run) {
        const double value = binary64(random() % 0x7ff0000000000000U);
        REQUIRE(parsed(shortest(value)) == hex(value));
        REQUIRE(parsed(shortest(-value)) == hex(-value));
    }
}

TEST_CASE("a decimal number is a sign, digits with a point, an exponent") {
    CHECK(parse_decimal("12.5") == 12.5);
    CHECK(parse_decimal("+5") == 5);
    CHECK(parse_decimal("-5") == -5);
    CHECK(parse_decimal(".5") == 0.5);
    CHECK(parse_decimal("5.") == 5);
    CHECK(parse_decimal("5.e1") == 50);
    CHECK(parse_decimal("0012") == 12);
    CHECK(parse_decimal("1e3") == 1000);
    CHECK(parse_decimal("1E+3") == 1000);
    CHECK(parse_decimal("1e-3") == 0.001);
    CHECK(parse_decimal("1e0000000000000000000000003") == 1000);
    CHECK(parsed("0") == hex(0.0));
    CHECK(parsed("-0") == hex(-0.0));
    CHECK(parsed("-0.0e5") == hex(-0.0));
}

TEST_CASE("anything else is not a decimal number") {
    for (const std::string_view text :
         {"",    "+",     "-",      ".",     "-.",   "e5",    ".e5",     "1e",   "1e+",
          "1e-", "1e5.0", "1.2.3",  "--1",   "+-1",  "-+1",   "1-",      " 1",   "1 ",
          "1\n", "0x10",  "0x1p3",  "1_000", "1,5",  "1'000", "inf",     "-inf", "infinity",
          "nan", "NaN",   "NaN(1)", "1f",    "1.0L", "1d5",   "\xd9\xa1"}) {
        CAPTURE(text);
        CHECK(parsed(text) == "nothing");
    }
    CHECK(parsed(std::string_view("1\0", 2)) == "nothing");
    CHECK(parsed(std::string_view("\0", 1)) == "nothing");
}

TEST_CASE("a number too large for binary64 is refused, from the midpoint above the largest on") {
    // The midpoint of the largest number and 2^1024 is 1.797693134862315807937...e308.
    CHECK(parse_decimal("1.7976931348623158e308") == largest);
    CHECK(parse_decimal("1.7976931348623158079372e308") == largest);
    CHECK(parsed("1.7976931348623158079373e308") == "nothing");
    CHECK(parsed("-1.7976931348623159e308") == "nothing");
    CHECK(parsed("1e309") == "nothing");
    CHECK(parsed("-1e999") == "nothing");
    CHECK(parsed("1e2147483648") == "nothing");
    CHECK(parsed("1e99999999999999999999") == "nothing");
    CHECK(parsed("1e+" + std::string(1'000, '9')) == "nothing");
    CHECK(parsed("1" + zeros(309)) == "nothing");
    CHECK(parsed("0." + zeros(99) + "1e409") == "nothing");
    CHECK(parsed("1" + zeros(100) + ".0e209") == "nothing");
}

TEST_CASE("a number too small for binary64 is a zero with its sign") {
    // Half of the smallest number is 2.4703282292062327208...e-324; the tie goes to even.
    CHECK(parsed("2.4703282292062328e-324") == hex(smallest));
    CHECK(parsed("2.4703282292062327e-324") == hex(0.0));
    CHECK(parsed("1e-400") == hex(0.0));
    CHECK(parsed("-1e-400") == hex(-0.0));
    CHECK(parsed("1e-2147483649") == hex(0.0));
    CHECK(parsed("1e-99999999999999999999") == hex(0.0));
    CHECK(parsed("1e-" + std::string(1'000, '9')) == hex(0.0));
    CHECK(parsed("0." + zeros(400) + "1") == hex(0.0));
    CHECK(parsed("1" + zeros(100) + "e-500") == hex(0.0));
    CHECK(parsed("0e99999999999999999999") == hex(0.0));
    CHECK(parsed("-0.000e999") == hex(-0.0));
}

TEST_CASE("an exponent and many zeros cancel") {
    CHECK(parse_decimal("0." + zeros(400) + "1e401") == 1);
    CHECK(parse_decimal("0." + zeros(399) + "1e400") == 1);
    CHECK(parse_decimal("0." + zeros(400) + "1e400") == 0.1);
    CHECK(parse_decimal("1" + zeros(400) + "e-400") == 1);
    CHECK(parse_decimal(zeros(400) + "1") == 1);
    CHECK(parse_decimal("0." + zeros(5'000) + "1e5001") == 1);
}

TEST_CASE("no digit is too far behind the point to decide a tie") {
    // 1 + 2^-53 is the midpoint of 1 and the next number.
    const std::string midpoint = "1.00000000000000011102230246251565404236316680908203125";
    CHECK(parse_decimal(midpoint) == 1);
    CHECK(parse_decimal(midpoint + zeros(1'000)) == 1);
    CHECK(parse_decimal(midpoint + zeros(1'000) + "1") == 0x1.0000000000001p+0);
    CHECK(parse_decimal("9007199254740993") == 9007199254740992);
    CHECK(parse_decimal("9007199254740993.0000000000000000000000000001") == 9007199254740994);
    CHECK(parse_decimal("9007199254740995") == 9007199254740996);
    CHECK(parse_decimal(std::string(800, '9') + "e-800") == 1);
}

TEST_CASE("rounding to significant digits is of the exact binary value, half to even") {
    CHECK(rounded(1234.5, 3) == 1230);
    CHECK(rounded(-1234.5, 3) == -1230);
    CHECK(rounded(12345, 4) == 12340);  // a tie
    CHECK(rounded(12355, 4) == 12360);
    CHECK(rounded(9.995, 3) == 9.99);  // 9.995 is a little less in binary
    CHECK(rounded(9.999, 3) == 10);
    CHECK(rounded(1e-300 / 3, 6) == 3.33333e-301);
    CHECK(rounded(0x1p-1074, 6) == 0x1p-1074);
    CHECK(rounded(0.1, 17) == 0.1);
    CHECK(rounded(largest, 2) == infinity);  // 1.8e308
    CHECK(hex(rounded(-0.0, 6)) == hex(-0.0));
    CHECK(rounded(-infinity, 6) == -infinity);
    CHECK(std::isnan(rounded(std::nan(""), 6)));
}

#if defined(__cpp_lib_to_chars)

// Both implementations run here, so that the one for other standard libraries is tested too.
TEST_CASE("both conversions print the same text and read the same number") {
    // The last two lie in the middle of two decimals that read back.
    std::vector<double> values = {0.0,       1.0, 0.1,  largest,       smallest,
                                  0x1p-1022, 9.5, 1e23, 0x1p50 + 0.25, 0x1p50 + 0.75};
    for (int exponent = -1074; exponent < 1024; ++exponent) {
        const double power = std::ldexp(1.0, exponent);
        values.insert(values.end(),
                      {power, std::nextafter(power, 0.0), std::nextafter(power, infinity)});
    }
    for (int exponent = -323; exponent < 309; ++exponent) {
        values.push_back(by_charconv::nearest("1e" + std::to_string(exponent)));
    }
    std::mt19937_64 random(6);
    for (int run = 0; run < 5'000; ++run) {
        values.push_back(binary64(random() % 0x7ff0000000000000U));
    }
    for (const double value : values) {
        for (const double number : {value, -value}) {
            if (std::isinf(number)) continue;
            CAPTURE(hex(number));
            REQUIRE(by_integers::scientific(number) == by_charconv::scientific(number));
            REQUIRE(by_integers::scientific(number, 5) == by_charconv::scientific(number, 5));
            REQUIRE(by_integers::fixed(number, 6) == by_charconv::fixed(number, 6));
            REQUIRE(by_integers::fixed(number, 0) == by_charconv::fixed(number, 0));
            REQUIRE(by_integers::nearest(by_charconv::scientific(std::fabs(number))) ==
                    std::fabs(number));
        }
    }
    for (const std::string& text :
         {std::string("12.5"), std::string(".5"), std::string("5."), std::string("5.e1"),
          std::string("1e-400"), std::string("1e400"), std::string("1e99999999999999999999"),
          std::string("1e-99999999999999999999"), std::string("0e99999999999999999999"),
          "0." + zeros(400) + "1e400", "1" + zeros(400) + "e-400", "0." + zeros(400) + "1",
          std::string("1.7976931348623158079372e308"), std::string("1.7976931348623158079373e308"),
          std::string("2.4703282292062327e-324"), std::string("2.4703282292062328e-324"),
          std::string(800, '9') + "e-800", std::string("9007199254740993")}) {
        CAPTURE(text);
        CHECK(hex(by_integers::nearest(text)) == hex(by_charconv::nearest(text)));
    }
    for (int run = 0; run < 20'000; ++run) {
        const std::string text = std::to_string(random() >> random() % 64) + "e" +
                                 std::to_string(static_cast<int>(random() % 700) - 350);
        CAPTURE(text);
        REQUIRE(hex(by_integers::nearest(text)) == hex(by_charconv::nearest(text)));
    }
}

TEST_CASE("both conversions print more decimals than a number has") {
    for (const double value : {smallest, -largest, 0.1, 0.0}) {
        CHECK(by_integers::fixed(value, 1100) == by_charconv::fixed(value, 1100));
        CHECK(by_integers::scientific(value, 900) == by_charconv::scientific(value, 900));
    }
}

TEST_CASE("both conversions read midpoints to even, and all beside them to the nearer number") {
    std::mt19937_64 random(7);
    for (int run = 0; run < 300; ++run) {
        const double value = binary64(random() % 0x7fe0000000000000U);
        const double next = std::nextafter(value, infinity);
        // The midpoint is whole * 2^exponent, or whole * 5^-exponent * 10^exponent.
        int exponent = 0;
        std::frexp(value, &exponent);
        exponent = std::max(exponent - 53, -1074) - 1;
        const auto half = static_cast<std::uint64_t>(std::ldexp(value, -exponent - 1));
        Natural whole = Natural(2 * half + 1) << std::max(exponent, 0);
        for (int i = exponent; i < 0; ++i) whole = whole * 5;
        const auto written = [&](const Natural& tenths) {
            return decimal_text(tenths) + "e" + std::to_string(std::min(exponent, 0) - 1);
        };
        CAPTURE(hex(value));
        for (const auto nearest : {by_integers::nearest, by_charconv::nearest}) {
            REQUIRE(nearest(written(whole * 10)) == (half % 2 == 0 ? value : next));
            REQUIRE(nearest(written(whole * 10 + 1)) == next);
            REQUIRE(nearest(written(whole * 10 - 1)) == value);
        }
    }
}

#endif
