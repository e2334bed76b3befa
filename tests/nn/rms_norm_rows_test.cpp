#include "nn/rms_norm_rows.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <limits>
#include <random>
#include <string>

#include "autodiff/value.hpp"
#include "numeric/bits.hpp"

namespace {

using namespace rmsnorm;

struct Outcome {
    std::vector<double> output;  // empty when there is an error
    std::string error;           // its case and message
};

std::string described(const nn::RmsNormError& error) {
    return std::string(nn::case_name(error)) + ": " + error.what();
}

Outcome on_the_tape(const std::vector<double>& input, const std::vector<double>& gain,
                    double epsilon) {
    try {
        const nn::RmsNorm norm(nn::NamedParameter("gain", tensor::Tensor::vector(gain)), epsilon);
        const tensor::Tensor rows({input.size() / gain.size(), gain.size()}, input);
        const auto output = norm.forward(autodiff::Value::constant(rows)).tensor();
        return {{output.values().begin(), output.values().end()}, ""};
    } catch (const nn::RmsNormError& error) {
        return {{}, described(error)};
    }
}

Outcome in_blocks(const std::vector<double>& input, const std::vector<double>& gain, double epsilon,
                  std::size_t rows_a_block) {
    try {
        nn::RmsNormRows rows(gain, epsilon);
        std::vector<double> output(input.size());
        const std::size_t most = rows_a_block * gain.size();
        for (std::size_t at = 0; at < input.size(); at += most) {
            const std::size_t count = std::min(most, input.size() - at);
            rows.normalize(std::span(input).subspan(at, count),
                           std::span(output).subspan(at, count));
        }
        rows.finish();
        CHECK_FALSE(rows.failed());
        return {output, ""};
    } catch (const nn::RmsNormError& error) {
        return {{}, described(error)};
    }
}

void check_same(const std::vector<double>& input, const std::vector<double>& gain, double epsilon) {
    const Outcome expected = on_the_tape(input, gain, epsilon);
    for (const std::size_t rows_a_block : {1U, 3U, 8U, 1000U}) {
        CAPTURE(rows_a_block);
        const Outcome found = in_blocks(input, gain, epsilon, rows_a_block);
        CHECK(found.error == expected.error);
        REQUIRE(found.output.size() == expected.output.size());
        CHECK(std::equal(found.output.begin(), found.output.end(), expected.output.begin(),
                         [](double a, double b) { return numeric::same_bits(a, b); }));
    }
}

// Numbers of every magnitude: random bit patterns with the exponent in the given range.
std::vector<double> numbers(std::mt19937_64& generator, std::size_t count, int least, int most) {
    std::vector<double> values(count);
    for (double& value : values) {
        const std::uint64_t draw = generator();
        const auto span = static_cast<std::uint64_t>(most - least + 1);
        const auto exponent = static_cast<std::uint64_t>(least + 1023) + (draw >> 53) % span;
        value = numeric::binary64((draw & 0x800fffffffffffffU) | exponent << 52);
    }
    return values;
}

}  // namespace

TEST_CASE("rows in blocks have the bits of the tape, whatever the width, count and magnitude") {
    std::mt19937_64 generator(25);
    for (const std::size_t width : {1U, 2U, 3U, 63U, 64U, 65U, 200U}) {
        for (const std::size_t rows : {1U, 7U, 8U, 9U, 20U}) {
            for (const double epsilon : {0.0, 1e-5, 1e-300, 3.0}) {
                CAPTURE(width);
                CAPTURE(rows);
                CAPTURE(epsilon);
                check_same(numbers(generator, width * rows, -20, 20),
                           numbers(generator, width, -3, 3), epsilon);
                check_same(numbers(generator, width * rows, -500, 500),
                           numbers(generator, width, -3, 3), epsilon);
            }
        }
    }
}

TEST_CASE("rows in blocks fail where the tape fails, at the same stage, row and flat index") {
    std::mt19937_64 generator(26);
    std::size_t failures = 0;
    for (int round = 0; round < 2000; ++round) {
        CAPTURE(round);
        // Magnitudes around the overflow of squares, and around their underflow.
        const bool large = round % 2 == 0;
        const auto input =
            large ? numbers(generator, 24, 507, 512) : numbers(generator, 24, -540, -536);
        const auto gain = numbers(generator, 3, 1015, 1023);
        const double epsilon = round % 3 == 0 ? 0.0 : round % 3 == 1 ? 1e308 : 1e-5;
        if (!on_the_tape(input, gain, epsilon).error.empty()) ++failures;
        check_same(input, gain, epsilon);
    }
    CHECK(failures > 500);
    CHECK(failures < 2000);
}

TEST_CASE("an earlier step of a later row is reported before a later step of an earlier row") {
    // Row 0 overflows under its gain, row 1 in the sum, row 2 in a square.
    const std::vector<double> gain{1e308, 1e308};
    const std::vector<double> input{1, 0.5, 1.3e154, 1.3e154, 1, 1e200};
    check_same(input, gain, 1e-5);
    CHECK(in_blocks(input, gain, 1e-5, 1).error ==
          "TapeFailure: RMSNorm square: multiply result is not finite at flat index 5: inf");
    check_same({1, 0.5, 1.3e154, 1.3e154}, gain, 1e-5);
    check_same({2, 0.5, 1, 1, 0, 0}, gain, 0);
}

TEST_CASE("every step at which a row can fail names its stage as the tape does") {
    const auto error = [](std::vector<double> input, std::vector<double> gain, double epsilon) {
        check_same(input, gain, epsilon);
        return in_blocks(input, gain, epsilon, 1).error;
    };
    CHECK(error({1, 1, 1e200, 1}, {1, 1}, 0).find("square: ") != std::string::npos);
    CHECK(error({1, 1, 1.3e154, 1.3e154}, {1, 1}, 0).find("mean square: ") != std::string::npos);
    CHECK(error({1, 1, 0, 0}, {1, 1}, 0).rfind("ZeroEnergyRow: ", 0) == 0);
    CHECK(error({1, 1, 1e-200, 1e-200}, {1, 1}, 0).rfind("ZeroEnergyRow: ", 0) == 0);
    CHECK(error({1, 1.3e154}, {1, 1}, 1.7e308).find("stabilize: ") != std::string::npos);
    CHECK(error({1, 1, 1, 0}, {1.7e308, 1}, 0).find("apply gain: ") != std::string::npos);
}

TEST_CASE("a gain or an epsilon that the layer refuses is refused for rows too") {
    CHECK_THROWS_AS(nn::RmsNormRows({}, 1e-5), nn::RmsNormError);
    CHECK_THROWS_AS(nn::RmsNormRows({1}, -1), nn::RmsNormError);
    CHECK_THROWS_AS(nn::RmsNormRows({std::numeric_limits<double>::infinity()}, 1),
                    autodiff::AutodiffError);
}
