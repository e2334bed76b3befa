#include "experiments/normalization/book.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>

#include "experiments/normalization/closed_form.hpp"
#include "experiments/normalization/compare.hpp"
#include "experiments/normalization/constant.hpp"
#include "experiments/normalization/dense_stack.hpp"
#include "experiments/normalization/depth.hpp"
#include "experiments/normalization/drift.hpp"
#include "experiments/normalization/gradients.hpp"
#include "experiments/normalization/latent.hpp"
#include "experiments/normalization/layer_norm.hpp"
#include "experiments/normalization/layer_norm_backward.hpp"
#include "experiments/normalization/rms_norm.hpp"
#include "experiments/normalization/rms_norm_backward.hpp"
#include "experiments/normalization/seeded_weights.hpp"
#include "experiments/normalization/stats.hpp"
#include "numeric/bits.hpp"

using namespace rmsnorm;
namespace book = rmsnorm::experiments::normalization;
using book::Vector;
using evidence::Decision;

namespace {

bool passed(const std::vector<evidence::Check>& checks, const std::string& name) {
    for (const evidence::Check& check : checks) {
        if (check.name == name) return check.passed;
    }
    FAIL("no check is called " << name);
    return false;
}

}  // namespace

TEST_CASE("every check of the fixture holds") {
    const book::Book all = book::book();
    CHECK(evidence::all_passed(all.proof.checks));
    CHECK(all.proof.replay_bitwise);
}

TEST_CASE("both vectors span about three standard deviations, five orders of magnitude apart") {
    const book::Stats stats = book::stats({});
    CHECK(std::fabs(stats.a.span - 3) < 0.1);
    // The ratio of two figures of one shape; each carries a few binary32 roundings of its values.
    CHECK(std::fabs(stats.a.span - stats.b.span) < 20 * book::binary32_unit * stats.a.span);
    CHECK(stats.a.mean > 6e4F * stats.b.mean);
}

TEST_CASE("the checks of the statistics fail for a wrong mean and a wrong variance") {
    book::VectorStatistics statistics = book::stats({}).a;
    CHECK(evidence::all_passed(book::statistics_checks("a", statistics)));
    book::VectorStatistics other = statistics;
    other.mean = std::nextafter(other.mean, 200.0F);
    CHECK_FALSE(passed(book::statistics_checks("a", other), "a-mean"));
    other = statistics;
    other.variance *= 1.2F;  // the division by n - 1
    CHECK_FALSE(passed(book::statistics_checks("a", other), "a-variance"));
}

TEST_CASE("the checks of LayerNorm fail for a vector that was not centered or not divided") {
    book::LayerNorm evidence = book::layer_norm({});
    CHECK(evidence::all_passed(book::normalized_checks(evidence)));
    book::LayerNorm wrong = evidence;
    for (float& value : wrong.normalized) value += 1e-3F;
    CHECK_FALSE(passed(book::normalized_checks(wrong), "normalized-mean"));
    wrong = evidence;
    for (float& value : wrong.normalized) value *= 1.00001F;
    CHECK_FALSE(passed(book::normalized_checks(wrong), "normalized-variance"));
}

TEST_CASE("the check of RMSNorm fails when epsilon stands outside the root") {
    book::RmsNorm evidence = book::rms_norm({{0.003F, 0.004F}, {1, 1}, 1e-5F});
    CHECK(book::normalized_rms_check(evidence).passed);
    const auto square = static_cast<double>(evidence.pass.mean_square);
    for (std::size_t i = 0; i < 2; ++i) {
        evidence.normalized[i] = static_cast<float>(static_cast<double>(evidence.inputs.input[i]) /
                                                    (std::sqrt(square) + 1e-5));
    }
    CHECK_FALSE(book::normalized_rms_check(evidence).passed);
}

TEST_CASE("LayerNorm and RMSNorm agree to the last bit on centered data and nowhere else") {
    const book::Compare compare = book::compare({});
    CHECK(compare.comparisons[0].layer_norm == compare.comparisons[0].rms_norm);
    CHECK(compare.comparisons[0].largest_difference == 0);
    CHECK(compare.comparisons[1].layer_norm == compare.comparisons[0].layer_norm);
    CHECK(compare.comparisons[1].largest_difference > 2);
    CHECK(compare.comparisons[2].largest_difference > 0.5F);
    for (const float value : compare.comparisons[1].rms_norm) CHECK(value > 0);
}

TEST_CASE("the checks of the comparison fail for one other bit and for two values out of order") {
    book::Comparison comparison = book::compare({}).comparisons[0];
    CHECK(evidence::all_passed(book::comparison_checks(comparison)));
    book::Comparison wrong = comparison;
    wrong.rms_norm[3] = std::nextafter(wrong.rms_norm[3], 9.0F);
    CHECK_FALSE(passed(book::comparison_checks(wrong), "zero-centered-agreement"));
    CHECK(passed(book::comparison_checks(wrong), "zero-centered-order"));
    wrong = comparison;
    std::swap(wrong.layer_norm[0], wrong.layer_norm[1]);
    CHECK_FALSE(passed(book::comparison_checks(wrong), "zero-centered-order"));
}

TEST_CASE("post-norm loses 85.9 % of its sensitivity by depth 32 while pre-norm gains") {
    const std::vector<book::DepthRow> rows = book::depth({}).rows;
    // 1 - 0.04951 / 0.35068 = 0.8588.
    const float left = rows.back().post_norm_sensitivity / rows.front().post_norm_sensitivity;
    CHECK(std::lround(static_cast<double>(1000 * (1 - left))) == 859);
    for (std::size_t i = 1; i < rows.size(); ++i) {
        CHECK(rows[i].post_norm_sensitivity < rows[i - 1].post_norm_sensitivity);
        CHECK(rows[i].pre_norm_sensitivity > rows[i - 1].pre_norm_sensitivity);
        CHECK(rows[i].pre_norm_output_norm > rows[i - 1].pre_norm_output_norm);
    }
}

TEST_CASE("the depths may come in any order and repeat") {
    book::DepthInputs asked;
    asked.depths = {32, 1, 32};
    const book::Depth depth = book::depth(asked);
    CHECK(depth.rows[0].pre_norm_output_norm == depth.rows[2].pre_norm_output_norm);
    CHECK(numeric::hex(depth.rows[0].post_norm_sensitivity) == "3d4ac626");
    CHECK(numeric::hex(depth.rows[1].post_norm_sensitivity) == "3eb38c0c");
}

TEST_CASE("one layer by hand: pre-norm adds half of a normalized value and a tenth") {
    // Mean square 1 and epsilon 0: normalizing changes nothing, 1 + 0.5 + 0.1.
    const float expected = 1.0F + (0.5F + 0.1F);
    const Vector pre = book::stack_output({1, 1}, 1, book::Placement::pre_norm, 0);
    CHECK(pre == Vector{expected, expected});
    const Vector post = book::stack_output({1, 1}, 1, book::Placement::post_norm, 0);
    CHECK(post == Vector{1, 1});
}

TEST_CASE("the check of an output norm fails for a norm that is off by a thousandth") {
    book::DepthInputs asked;
    asked.final_norm = true;
    const book::Depth depth = book::depth(asked);
    CHECK(evidence::all_passed(book::output_norm_checks(depth)));
    for (const float factor : {1.001F, NAN}) {
        book::Depth wrong = depth;
        wrong.rows[3].post_norm_output_norm *= factor;
        CHECK_FALSE(passed(book::output_norm_checks(wrong), "post-norm-output-norm"));
        CHECK(passed(book::output_norm_checks(wrong), "pre-norm-output-norm"));
        wrong = depth;
        wrong.rows[3].pre_norm_output_norm *= factor;
        CHECK_FALSE(passed(book::output_norm_checks(wrong), "pre-norm-output-norm"));
    }
}

TEST_CASE("a final norm ends the growth of a pre-norm stack, and its one layer is the stack's") {
    book::DepthInputs asked;
    const book::Depth plain = book::depth(asked);
    asked.final_norm = true;
    const book::Depth ended = book::depth(asked);
    for (std::size_t i = 0; i < plain.rows.size(); ++i) {
        CHECK(ended.rows[i].post_norm_sensitivity == plain.rows[i].post_norm_sensitivity);
        // Four values with a mean square of 1: the root of 4.
        CHECK(std::fabs(ended.rows[i].pre_norm_output_norm - 2) < 1e-5F);
        // Dividing by the norm, which grew, leaves less of a move.
        CHECK(ended.rows[i].pre_norm_sensitivity < plain.rows[i].pre_norm_sensitivity);
    }
}

TEST_CASE("a component that is wrong does not match, and only that one") {
    const book::LayerNormBackwardInputs used{.choice = book::book_choice};
    const book::LayerNormBackward right = book::layer_norm_backward(used);
    for (std::size_t i = 0; i < right.input_gradient.size(); ++i) {
        Vector wrong = right.input_gradient;
        wrong[i] += 0.002F;
        const book::LayerNormBackward judged = book::judged(used, wrong);
        for (std::size_t j = 0; j < wrong.size(); ++j)
            CHECK((judged.matches[j] == Decision::holds) == (i != j));
        CHECK_FALSE(passed(judged.checks, "central-differences"));
        CHECK_FALSE(passed(judged.checks, "shift-invariance"));
    }
}

TEST_CASE("a gradient without one of its two corrections does not match") {
    const book::LayerNormBackwardInputs used{.choice = book::book_choice};
    const book::LayerNormBackward right = book::layer_norm_backward(used);
    const float inverse = right.inverse_standard_deviation;
    Vector without_mean;
    Vector without_product;
    const float mean = nn::mean<double, float>(used.upstream);
    const float product = nn::mean_product<double, float>(right.normalized, used.upstream);
    for (std::size_t i = 0; i < used.upstream.size(); ++i) {
        without_mean.push_back(inverse * (used.upstream[i] - right.normalized[i] * product));
        without_product.push_back(inverse * (used.upstream[i] - mean));
    }
    CHECK_FALSE(evidence::all_passed(book::judged(used, without_mean).checks));
    CHECK_FALSE(evidence::all_passed(book::judged(used, without_product).checks));
}

TEST_CASE("equal values give LayerNorm zeros, RMSNorm ones, and a rejection without epsilon") {
    const book::Constant constant = book::constant({});
    REQUIRE(constant.outcomes.size() == 4);
    CHECK(constant.outcomes[0].output == Vector{0, 0, 0, 0});
    CHECK(constant.outcomes[2].rejected);
    CHECK(constant.outcomes[2].message ==
          "LayerNorm epsilon is zero but the row has zero variance");
    CHECK(constant.outcomes[3].output == Vector{1, 1, 1, 1});
    book::Constant wrong = constant;
    wrong.outcomes[0].output[1] = 1e-30F;
    CHECK_FALSE(passed(book::constant_checks(wrong), "layer-norm-with-epsilon"));
    wrong = constant;
    wrong.outcomes[2].rejected = false;
    CHECK_FALSE(passed(book::constant_checks(wrong), "layer-norm-without-epsilon"));
    wrong = constant;
    wrong.outcomes[1].output[0] = 1.00001F;
    CHECK_FALSE(passed(book::constant_checks(wrong), "rms-norm-with-epsilon"));
}

TEST_CASE("without its guard LayerNorm of equal values is zero times infinity, a NaN") {
    book::ConstantInputs asked;
    asked.unguarded = true;
    const book::Constant constant = book::constant(asked);
    CHECK(evidence::all_passed(constant.checks));
    REQUIRE(constant.outcomes[2].unguarded.size() == 4);
    for (const float value : constant.outcomes[2].unguarded) CHECK(std::isnan(value));
    // RMSNorm refused nothing.
    CHECK(constant.outcomes[3].unguarded.empty());
    book::Constant wrong = constant;
    wrong.outcomes[2].unguarded[1] = 0;
    CHECK_FALSE(passed(book::constant_checks(wrong), "layer-norm-unguarded"));
}

TEST_CASE("with epsilon zero there is one outcome of each norm and one check of it") {
    const book::Constant constant = book::constant({5, 4, 0});
    REQUIRE(constant.outcomes.size() == 2);
    CHECK(constant.outcomes[0].rejected);
    CHECK(constant.outcomes[1].output == Vector{1, 1, 1, 1});
    REQUIRE(constant.checks.size() == 2);
    CHECK(constant.checks[0].name == "layer-norm-without-epsilon");
    CHECK(constant.checks[1].name == "rms-norm-without-epsilon");
    CHECK(evidence::all_passed(constant.checks));
}

TEST_CASE("the mean of equal values is the value at every width, so the deviation is exactly 0") {
    for (const float value : {0.1F, 1.0F / 3, 5.0F, 1e-20F}) {
        for (std::size_t width = 1; width <= 100; ++width) {
            const book::Constant constant = book::constant({value, width, 1e-5F});
            CHECK(evidence::all_passed(constant.checks));
        }
    }
}

TEST_CASE("a wrong RMSNorm gradient fails the central differences and the tape") {
    const book::RmsNormBackwardInputs used{.choice = book::book_choice};
    const book::RmsNormBackward right = book::rms_norm_backward(used);
    CHECK(evidence::all_passed(right.checks));
    for (std::size_t i = 0; i < used.input.size(); ++i) {
        nn::RmsNormGradients<float> wrong{right.input_gradient.closed_form,
                                          right.gamma_gradient.closed_form};
        wrong.input[i] += 0.002F;
        book::RmsNormBackward judged = book::judged(used, wrong);
        for (std::size_t j = 0; j < used.input.size(); ++j) {
            CHECK((judged.input_gradient.matches[j] == Decision::holds) == (i != j));
            CHECK(judged.gamma_gradient.matches[j] == Decision::holds);
        }
        CHECK_FALSE(passed(judged.checks, "input-gradient-central-differences"));
        CHECK_FALSE(passed(judged.checks, "input-gradient-binary32"));
        wrong = {right.input_gradient.closed_form, right.gamma_gradient.closed_form};
        wrong.gamma[i] += 0.002F;
        judged = book::judged(used, wrong);
        CHECK(judged.gamma_gradient.matches[i] != Decision::holds);
        CHECK_FALSE(passed(judged.checks, "gamma-gradient-central-differences"));
        CHECK_FALSE(passed(judged.checks, "gamma-gradient-binary32"));
    }
}

TEST_CASE("the largest error takes zero terms and NaN for failures") {
    const std::vector<double> one{1};
    CHECK(book::largest_error(one, one, std::vector<double>{0}, 1) == 0);
    CHECK(std::isinf(book::largest_error(one, std::vector<double>{2}, std::vector<double>{0}, 1)));
    CHECK(
        std::isnan(book::largest_error(one, std::vector<double>{NAN}, std::vector<double>{1}, 1)));
    CHECK(book::largest_error(one, std::vector<double>{2}, std::vector<double>{4}, 0.5) == 0.5);
}

TEST_CASE("the first weights are the first outputs of MT19937 with its default seed") {
    // Matsumoto and Nishimura's generator with seed 5489 starts 3499211612, 581869302, 3890346734;
    // their upper 24 bits, minus 2^23, over 2^23, times the spread.
    const Vector weights = book::dense_stack({}).first_weights;
    REQUIRE(weights.size() == 4);
    CHECK(weights[0] == (static_cast<float>(3499211612U / 256) - 0x1p23F) / 0x1p23F / 2);
    CHECK(weights[1] == (static_cast<float>(581869302U / 256) - 0x1p23F) / 0x1p23F / 2);
    CHECK(weights[2] == (static_cast<float>(3890346734U / 256) - 0x1p23F) / 0x1p23F / 2);
}

TEST_CASE("a dense layer multiplies rows by the input") {
    CHECK(book::product({1, 2, 3, 4, 5, 6}, {1, 10}) == Vector{21, 43, 65});
}

TEST_CASE("ten dense layers drift without normalization and hold with either norm") {
    const book::DenseStack stack = book::dense_stack({});
    CHECK(stack.runs[0].magnitudes.back() > 1000);
    for (std::size_t run = 1; run < 3; ++run) {
        for (const double magnitude : stack.runs[run].magnitudes) {
            CHECK(std::fabs(magnitude - 1) < 1e-5);
        }
    }
    book::DenseStack wrong = stack;
    wrong.runs[1].magnitudes[4] += 1e-6;
    CHECK_FALSE(passed(book::magnitude_checks(wrong), "layer-norm-magnitude"));
    CHECK(passed(book::magnitude_checks(wrong), "rms-norm-magnitude"));
}

TEST_CASE("the factored gradient is the tape's, and a component off by a billionth is noticed") {
    const book::ClosedFormInputs used;
    const book::ClosedForm right = book::closed_form(used);
    CHECK(evidence::all_passed(right.checks));
    for (std::size_t i = 0; i < right.factored.size(); ++i) {
        std::vector<double> wrong = right.factored;
        wrong[i] += 1e-9;
        const book::ClosedForm judged = book::judged(used, wrong);
        CHECK_FALSE(evidence::all_passed(judged.checks));
        CHECK(judged.largest_ulp > 1000000);
    }
}

TEST_CASE("the output of a normalized latent holds over six decades, a plain one follows them") {
    const book::Latent latent = book::latent({});
    REQUIRE(latent.rows.size() == 7);
    CHECK(std::fabs(latent.plain_growth - 1e6) < 1);
    CHECK(latent.normalized_growth < 2);
    CHECK(std::fabs(latent.rows[6].normalized_output / latent.rows[3].normalized_output - 1) <
          1e-5);
    book::Latent wrong = latent;
    wrong.rows[2].plain_output *= 1.0001;
    CHECK_FALSE(passed(book::latent_checks(wrong), "plain-follows"));
    wrong = latent;
    wrong.rows[2].normalized_output *= 1.0001;
    CHECK_FALSE(passed(book::latent_checks(wrong), "normalized-output"));
}

TEST_CASE("what layers without a norm do to a magnitude is the power of their factor") {
    const book::Drift drift = book::drift(book::book_drift_case());
    // 11^24 is 9849732675807611094711841. 1.1 is off by one unit of 2^-53 of it at most, in each of
    // 24 factors, and each product rounds by one.
    CHECK(std::fabs(drift.growth - 9.849732675807611) < 48 * 0x1p-53 * 9.85);
    CHECK(evidence::all_passed(drift.checks));
    book::Drift wrong = drift;
    wrong.growth *= 1 + 1e-13;
    CHECK_FALSE(passed(book::growth_checks(wrong), "growth"));
    CHECK(book::drift({2, 0}).growth == 1);
    CHECK(book::drift({2, 10}).growth == 1024);
}

TEST_CASE("a NaN among errors is the worst and stays the worst") {
    CHECK(evidence::worse(1, 2) == 2);
    CHECK(evidence::worse(2, 1) == 2);
    CHECK(std::isnan(evidence::worse(NAN, 1)));
    CHECK(std::isnan(evidence::worse(1, NAN)));
}
