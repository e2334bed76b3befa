#include "numeric/exact_sum.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <random>
#include <vector>

#include "numeric/bits.hpp"

using namespace rmsnorm::numeric;

namespace {

ExactSum exact_sum(const std::vector<double>& values) {
    ExactSum total;
    for (const double value : values) total.add(value);
    return total;
}

// Finite numbers of all magnitudes and signs.
std::vector<double> any_numbers(std::size_t count, std::uint64_t seed) {
    std::mt19937_64 random(seed);
    std::vector<double> values;
    while (values.size() < count) {
        const double value = binary64(random());
        if (std::isfinite(value)) values.push_back(value);
    }
    return values;
}

}  // namespace

TEST_CASE("an exact sum loses nothing of terms of unlike magnitude") {
    const ExactSum total = exact_sum({1e300, 1.0, 0x1p-1074, -1e300, -1.0});
    CHECK(total.parts().high == 0x1p-1074);
    CHECK(total.parts().low == 0);
    CHECK(exact_sum({1.0, 0x1p-80}).parts().high == 1.0);
    CHECK(exact_sum({1.0, 0x1p-80}).parts().low == 0x1p-80);
    CHECK(exact_sum({-1.0, 0x1p-80}).parts().low == 0x1p-80);
}

TEST_CASE("terms that cancel leave nothing at all") {
    std::vector<double> values = any_numbers(1000, 1);
    for (std::size_t index = 0; index < 1000; ++index) values.push_back(-values[index]);
    std::shuffle(values.begin(), values.end(), std::mt19937_64(2));
    CHECK(exact_sum(values).digits() == ExactSum().digits());
    CHECK(exact_sum({}).parts().high == 0);
}

TEST_CASE("any order and any grouping have the same digits") {
    std::mt19937_64 random(3);
    for (int round = 0; round < 200; ++round) {
        std::vector<double> values =
            any_numbers(static_cast<std::size_t>(1 + random() % 40), random());
        if (round % 2 == 0) {
            for (double& value : values) value = std::ldexp(std::remainder(value, 7.0), 3);
        }
        const ExactSum whole = exact_sum(values);
        std::shuffle(values.begin(), values.end(), random);
        CHECK(exact_sum(values).digits() == whole.digits());
        const auto middle = values.begin() + static_cast<std::ptrdiff_t>(random() % values.size());
        ExactSum left = exact_sum({values.begin(), middle});
        left.add(exact_sum({middle, values.end()}));
        CHECK(left.digits() == whole.digits());
        ExactSum read;
        read.add(whole.digits());
        CHECK(read.digits() == whole.digits());
    }
}

TEST_CASE("powers of two of either sign have one form, however they came about") {
    for (int exponent = -1074; exponent < 1000; ++exponent) {
        const double power = std::ldexp(1.0, exponent);
        CHECK(exact_sum({-2 * power, power}).digits() == exact_sum({-power}).digits());
        CHECK(exact_sum({-power, -power, power}).digits() == exact_sum({-power}).digits());
        CHECK(exact_sum({2 * power, -power}).digits() == exact_sum({power}).digits());
    }
}

TEST_CASE("whole numbers add up as whole numbers do") {
    std::mt19937_64 random(5);
    std::int64_t expected = 0;
    ExactSum total;
    for (int step = 0; step < 100'000; ++step) {
        const auto term = static_cast<std::int64_t>(random() % (1 << 20)) - (1 << 19);
        expected += term;
        total.add(static_cast<double>(term));
    }
    CHECK(total.parts().high == static_cast<double>(expected));
    CHECK(total.parts().low == 0);
}
