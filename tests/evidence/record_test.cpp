// Records compared datum by datum, and the decimals at which differences are quoted.
#include "evidence/record.hpp"

#include <doctest/doctest.h>

#include <cmath>
#include <limits>

#include "evidence/check.hpp"
#include "numeric/bits.hpp"

using namespace rmsnorm;
using evidence::Array;
using evidence::first_difference;
using evidence::Presence;
using evidence::Record;

namespace {

evidence::Datum list(std::vector<evidence::Datum> items) {
    Array array;
    array.items = std::move(items);
    return array;
}

// A record with one field of every kind.
Record every_kind() {
    return Record()
        .add("truth", true)
        .add("count", 7U)
        .add("word", "last")
        .add("scalar", 1.5)
        .add("tensor", tensor::Tensor({2, 1}, {1, 2}))
        .add("record", Record().add("inner", 3U))
        .add("array", list({1U, "two", 3.0}));
}

// The same with one field replaced.
Record with(const std::string& key, evidence::Datum datum) {
    Record record = every_kind();
    for (evidence::Field& field : record.fields) {
        if (field.key == key) field.datum = datum;
    }
    return record;
}

// How many digits of a decimal remain without its leading zeros.
std::size_t significant_digits(const std::string& decimal) {
    std::string digits;
    for (const char c : decimal) {
        if (c >= '0' && c <= '9' && (c != '0' || !digits.empty())) digits += c;
    }
    return digits.size();
}

}  // namespace

TEST_CASE("a record has no difference from itself") {
    CHECK_FALSE(first_difference(every_kind(), every_kind()));
    CHECK_FALSE(first_difference(Record(), Record()));
}

TEST_CASE("a difference in any kind of datum is found with its path") {
    const Record original = every_kind();
    CHECK(first_difference(original, with("truth", false)) == "truth");
    CHECK(first_difference(original, with("count", 8U)) == "count");
    CHECK(first_difference(original, with("word", "Last")) == "word");
    CHECK(first_difference(original, with("scalar", std::nextafter(1.5, 2.0))) == "scalar");
    CHECK(first_difference(original, with("tensor", tensor::Tensor({2, 1}, {1, -2}))) ==
          "tensor/1");
    CHECK(first_difference(original, with("tensor", tensor::Tensor({1, 2}, {1, 2}))) == "tensor");
    CHECK(first_difference(original, with("record", Record().add("inner", 4U))) == "record/inner");
    CHECK(first_difference(original, with("record", Record().add("Inner", 3U))) == "record/inner");
    CHECK(first_difference(original, with("array", list({1U, "two", 3.5}))) == "array/2");
    CHECK(first_difference(original, with("array", list({1U, "too", 3.0}))) == "array/1");
}

TEST_CASE("a missing or an added datum is a difference in either direction") {
    const Record original = every_kind();
    const Record shorter = with("array", list({1U, "two"}));
    CHECK(first_difference(original, shorter) == "array/2");
    CHECK(first_difference(shorter, original) == "array/2");
    const Record longer = every_kind().add("more", 1U);
    CHECK(first_difference(original, longer) == "more");
    CHECK(first_difference(longer, original) == "more");
    const Record emptied = with("record", Record());
    CHECK(first_difference(original, emptied) == "record/inner");
    CHECK(first_difference(emptied, original) == "record/inner");
}

TEST_CASE("another kind of datum with the same meaning is a difference") {
    CHECK(first_difference(every_kind(), with("count", 7.0)) == "count");
    CHECK(first_difference(every_kind(), with("truth", "true")) == "truth");
    CHECK(first_difference(every_kind(), with("scalar", tensor::Tensor::scalar(1.5))) == "scalar");
}

TEST_CASE("bits decide: the signs of zeros differ, a NaN equals itself") {
    const double nan = std::numeric_limits<double>::quiet_NaN();
    CHECK(first_difference(with("scalar", 0.0), with("scalar", -0.0)) == "scalar");
    CHECK_FALSE(first_difference(with("scalar", nan), with("scalar", nan)));
    const double other_nan = numeric::binary64(numeric::bits(nan) ^ 1U);
    CHECK(first_difference(with("scalar", nan), with("scalar", other_nan)) == "scalar");
}

TEST_CASE("the precision of a figure is part of it") {
    using evidence::Precision;
    const auto scalar = [](Precision precision) {
        return Record().add("x", evidence::Scalar{1.5, {}, precision});
    };
    CHECK(first_difference(scalar(Precision::binary64), scalar(Precision::binary32)) == "x");
    const auto figures = [](Precision precision) {
        return Record().add("x",
                            evidence::TensorFigure{tensor::Tensor::vector({1}), {}, precision});
    };
    CHECK(first_difference(figures(Precision::binary64), figures(Precision::binary32)) == "x");
}

TEST_CASE("the sample of an absent field is not compared, its presence is") {
    const auto record = [](unsigned sample, Presence presence) {
        return Record().add("x", sample, presence).add("y", 1U);
    };
    CHECK_FALSE(first_difference(record(1, Presence::absent), record(2, Presence::absent)));
    CHECK(first_difference(record(1, Presence::present), record(2, Presence::present)) == "x");
    CHECK(first_difference(record(1, Presence::present), record(1, Presence::absent)) == "x");
}

TEST_CASE("a difference is quoted with the fewest decimals that show three digits of it") {
    CHECK(evidence::difference_decimals(0).count == 6);
    CHECK(evidence::difference_decimals(0.717566).count == 6);
    CHECK(evidence::difference_decimals(-0.717566).count == 6);
    CHECK(evidence::difference_decimals(4.48e-7).count == 9);
    CHECK(evidence::difference_decimals(0x1p-52).count == 18);
    CHECK(evidence::difference_decimals(1e300).count == 6);
    // Each power of ten: at the edge the fewer decimals are enough, below it they are not.
    for (int exponent = 4; exponent <= 22; exponent += 3) {
        const double edge = *numeric::parse_decimal("1e-" + std::to_string(exponent));
        INFO(exponent);
        CHECK(evidence::difference_decimals(edge).count == exponent + 2);
        CHECK(evidence::difference_decimals(edge * 0.99).count == exponent + 5);
    }
}

TEST_CASE("three digits of a difference are seen down to the smallest numbers") {
    for (int exponent = 0; exponent >= -1074; --exponent) {
        const double value = std::ldexp(1.0, exponent);
        const int count = evidence::difference_decimals(value).count;
        INFO(exponent);
        CHECK(count % 3 == 0);
        CHECK(significant_digits(numeric::fixed(value, count)) >= 3);
        // Chained divisions may be one step generous far below 1e-22; nothing more.
        if (count > 9) CHECK(significant_digits(numeric::fixed(value, count - 6)) < 3);
    }
}

TEST_CASE("a check passes at its bound and fails above it and on a NaN") {
    CHECK(evidence::at_most("n", "s", 1, 1).passed);
    CHECK_FALSE(evidence::at_most("n", "s", std::nextafter(1.0, 2.0), 1).passed);
    const double nan = std::numeric_limits<double>::quiet_NaN();
    CHECK_FALSE(evidence::at_most("n", "s", nan, 1).passed);
    CHECK_FALSE(evidence::at_most("n", "s", 1, nan).passed);
    const evidence::Check good = evidence::at_most("n", "s", 0, 1);
    const evidence::Check bad = evidence::at_most("n", "s", 2, 1);
    CHECK(evidence::all_passed({}));
    CHECK(evidence::all_passed({good, good}));
    CHECK_FALSE(evidence::all_passed({good, bad}));
    CHECK_FALSE(evidence::all_passed({bad, good}));
}
