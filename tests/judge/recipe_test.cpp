#include "judge/recipe.hpp"

#include <doctest/doctest.h>

#include <cmath>
#include <set>
#include <string>
#include <vector>

#include "numeric/bits.hpp"

using namespace rmsnorm;
using namespace rmsnorm::judge;
using numeric::NumberFormat;

namespace {

std::vector<double> run(const char* id, NumberFormat format, double epsilon,
                        std::vector<double> input, std::vector<double> gain) {
    const Recipe* const recipe = find_recipe(id);
    REQUIRE(recipe != nullptr);
    compute_row(recipe->steps, {format, format, format}, epsilon, recipe->gain_offset, input, gain,
                input);
    return input;
}

}  // namespace

TEST_CASE("every recipe has an id of its own, a source and steps in words") {
    std::set<std::string_view> ids;
    for (const Recipe& recipe : recipes()) {
        CAPTURE(recipe.id);
        CHECK(ids.insert(recipe.id).second);
        CHECK(find_recipe(recipe.id) == &recipe);
        CHECK(recipe.source.find('/') < recipe.source.find(' '));
        CHECK_FALSE(recipe.default_epsilon.empty());
        CHECK_FALSE(sentence(recipe.steps).empty());
    }
    CHECK(recipes().size() >= 36);
    CHECK(find_recipe("nobody") == nullptr);
}

TEST_CASE("steps that differ read differently") {
    for (const Recipe& one : recipes()) {
        for (const Recipe& other : recipes()) {
            if (one.steps == other.steps || one.steps.statistics == Rounding::input ||
                one.steps.root != other.steps.root) {
                continue;
            }
            CAPTURE(one.id);
            CAPTURE(other.id);
            CHECK(sentence(one.steps) != sentence(other.steps));
        }
    }
}

TEST_CASE("without an upcast squares beyond binary16 leave zeros") {
    // 300^2 is beyond 65,504: the mean square is infinite and its reciprocal root zero.
    const std::vector<double> row =
        run("onnx-reference", NumberFormat::binary16, 1e-5, {300, -400, 120, 5}, {1, 1, 1, 1});
    const double expected[] = {0.0, -0.0, 0.0, 0.0};
    for (std::size_t index = 0; index < 4; ++index) {
        CHECK(numeric::same_bits(row[index], expected[index]));
    }
    const std::vector<double> upcast =
        run("onnx", NumberFormat::binary16, 1e-5, {300, -400, 120, 5}, {1, 1, 1, 1});
    CHECK(upcast[0] > 1);
}

TEST_CASE(
    "rows of 3 and 4 have a root mean square of sqrt(12.5) in each recipe, but for its bits") {
    for (const Recipe& recipe : recipes()) {
        CAPTURE(recipe.id);
        for (const NumberFormat format : numeric::number_formats) {
            const double gain = 1.5 - recipe.gain_offset;
            const std::vector<double> row =
                run(recipe.id.data(), format, 1e-30, {3, 4}, {gain, gain});
            // Five roundings of half an ulp each, and the rest of the wide format's.
            const bool is_cast =
                format == NumberFormat::binary64 && recipe.steps.cast != Cast::nothing;
            const double bound =
                6 * numeric::unit_roundoff(is_cast ? NumberFormat::binary32 : format);
            CHECK(std::fabs(row[0] / (1.5 * 3 / std::sqrt(12.5)) - 1) <= bound);
            CHECK(std::fabs(row[1] / (1.5 * 4 / std::sqrt(12.5)) - 1) <= bound);
        }
    }
}

TEST_CASE("a binary64 sum keeps squares that a binary32 sum loses") {
    // 2^24 + 1 is no binary32 number: ascending sums drop every 1.
    std::vector<double> input(65, 1.0);
    input[0] = 4096;
    const std::vector<double> gain(65, 1.0);
    const std::vector<double> fine = run("ggml", NumberFormat::binary32, 0, input, gain);
    const std::vector<double> coarse = run("onnxruntime", NumberFormat::binary32, 0, input, gain);
    CHECK(fine[0] < coarse[0]);
}
