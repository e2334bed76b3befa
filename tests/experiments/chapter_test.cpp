// The fixture 25-rmsnorm against the bits that the chapter's own program computes.
#include "experiments/rmsnorm/chapter.hpp"

#include <doctest/doctest.h>

#include <cmath>
#include <set>

#include "evidence/replay.hpp"
#include "experiments/chapter_bits.hpp"
#include "experiments/rmsnorm/chapter_values.hpp"
#include "numeric/bits.hpp"

using namespace rmsnorm;
using chapter_bits::Bits;

namespace {

Bits bits_of(const tensor::Tensor& tensor) {
    Bits patterns;
    for (const double value : tensor.values()) patterns.push_back(numeric::bits(value));
    return patterns;
}

Bits bits_of(double value) { return {numeric::bits(value)}; }

void check_scale(const experiments::ScaleComparison& comparison, const Bits& base,
                 const Bits& scaled, const Bits& max_abs_diff) {
    CHECK(bits_of(comparison.base) == base);
    CHECK(bits_of(comparison.scaled) == scaled);
    CHECK(bits_of(comparison.max_abs_diff) == max_abs_diff);
}

}  // namespace

TEST_CASE("the forward pass has every bit of the chapter") {
    const experiments::Forward forward =
        experiments::forward(experiments::chapter_values::layer_case());
    CHECK(bits_of(forward.input) == chapter_bits::input);
    CHECK(bits_of(forward.mean_square) == chapter_bits::mean_square);
    CHECK(bits_of(forward.inverse_rms) == chapter_bits::inverse_rms);
    CHECK(bits_of(forward.normalized) == chapter_bits::normalized);
    CHECK(bits_of(forward.gain) == chapter_bits::gain);
    CHECK(bits_of(forward.output) == chapter_bits::output);
    CHECK(bits_of(forward.normalized_mean_square) == chapter_bits::normalized_mean_square);
    CHECK(forward.mean_square.shape() == tensor::Shape{1});
    CHECK(forward.output.shape() == tensor::Shape{2});
}

TEST_CASE("the reverse pass has every bit of the chapter") {
    const experiments::Backward backward =
        experiments::backward(experiments::chapter_values::layer_case());
    CHECK(bits_of(backward.upstream) == chapter_bits::upstream);
    CHECK(bits_of(backward.input_gradient) == chapter_bits::input_gradient);
    CHECK(bits_of(backward.gain_gradient) == chapter_bits::gain_gradient);
}

TEST_CASE("the scale comparisons have every bit of the chapter") {
    const auto scale = experiments::scale(experiments::chapter_scale_cases());
    REQUIRE(scale.comparisons.size() == 3);
    CHECK(scale.comparisons[0].mode == experiments::ScaleMode::ideal);
    check_scale(scale.comparisons[0], chapter_bits::scale_ideal_base,
                chapter_bits::scale_ideal_scaled, chapter_bits::scale_ideal_max_abs_diff);
    CHECK(scale.comparisons[1].mode == experiments::ScaleMode::production);
    check_scale(scale.comparisons[1], chapter_bits::scale_production_base,
                chapter_bits::scale_production_scaled, chapter_bits::scale_production_max_abs_diff);
    CHECK(scale.comparisons[2].mode == experiments::ScaleMode::near_zero);
    check_scale(scale.comparisons[2], chapter_bits::scale_near_zero_base,
                chapter_bits::scale_near_zero_scaled, chapter_bits::scale_near_zero_max_abs_diff);
}

TEST_CASE("the zero row, the batch and the history have every bit of the chapter") {
    const experiments::Chapter chapter = experiments::chapter();
    REQUIRE(chapter.zero.output);
    CHECK(bits_of(*chapter.zero.output) == chapter_bits::zero_output);
    CHECK(chapter.zero.finite);
    CHECK(bits_of(chapter.batch.output) == chapter_bits::batch_output);
    CHECK(chapter.batch.output.shape() == tensor::Shape{2, 2});
    REQUIRE(chapter.history.batch_norm.size() == 2);
    CHECK(bits_of(chapter.history.batch_norm[0]) == chapter_bits::history_batch_anchor_a);
    CHECK(bits_of(chapter.history.batch_norm[1]) == chapter_bits::history_batch_anchor_b);
    CHECK(bits_of(chapter.history.layer_norm) == chapter_bits::history_layer_norm);
    CHECK(bits_of(chapter.history.rms_norm) == chapter_bits::history_rms_norm);
    CHECK(bits_of(chapter.history.rms_mean) == chapter_bits::history_rms_mean);
}

TEST_CASE("the chapter names each of its checks once, and all hold") {
    const experiments::Chapter chapter = experiments::chapter();
    std::set<std::string> names;
    for (const evidence::Check& check : chapter.checks) {
        INFO(check.name);
        CHECK(check.passed);
        CHECK(names.insert(check.name).second);
    }
    for (const char* name : {"parameters/one-group", "forward/closed-form",
                             "forward/row-independence", "scale/closed-form", "zero/zero-row",
                             "batch/row-independence", "batch/empty-batch", "boundaries/rank-zero",
                             "boundaries/width-mismatch", "boundaries/zero-energy-epsilon-zero",
                             "gradcheck/input-gradient", "gradcheck/gain-gradient", "replay"}) {
        INFO(name);
        CHECK(names.count(name) == 1);
    }
    CHECK(chapter.replay_bitwise);
}

TEST_CASE("one flipped bit in any tensor of the chapter makes the replay a mismatch") {
    const evidence::Record first = results(experiments::chapter());
    const auto flipped = [](double value) { return numeric::binary64(numeric::bits(value) ^ 1U); };
    experiments::Chapter other = experiments::chapter();
    SUBCASE("the output of the forward pass") {
        other.forward.output[1] = flipped(other.forward.output[1]);
        CHECK(evidence::first_difference(first, results(other)) == "primary/output/1");
    }
    SUBCASE("the input gradient") {
        other.backward.input_gradient[0] = flipped(other.backward.input_gradient[0]);
        CHECK(evidence::first_difference(first, results(other)) == "backward/input_gradient/0");
    }
    SUBCASE("the second scale comparison") {
        other.scale.comparisons[1].scaled[0] = flipped(other.scale.comparisons[1].scaled[0]);
        CHECK(evidence::first_difference(first, results(other)) == "scales/1/scaled/0");
    }
    SUBCASE("the sign of a zero") {
        (*other.zero.output)[0] = -0.0;
        CHECK(evidence::first_difference(first, results(other)) == "zero/output/0");
    }
    SUBCASE("a batch row") {
        other.batch.output[3] = flipped(other.batch.output[3]);
        CHECK(evidence::first_difference(first, results(other)) == "batch/output/3");
    }
    SUBCASE("the first companion's BatchNorm") {
        other.history.batch_norm[0][1] = flipped(other.history.batch_norm[0][1]);
        CHECK(evidence::first_difference(first, results(other)) == "history/batch_norm/0/1");
    }
    SUBCASE("a numerical gradient") {
        auto& coordinate = other.gradient_checks.gain.coordinates[1];
        coordinate.numerical = flipped(coordinate.numerical);
        CHECK(evidence::first_difference(first, results(other)) == "proof/gain_checks/1/numerical");
    }
    const evidence::Check check = evidence::replay_check(first, results(other));
    CHECK_FALSE(check.passed);
    CHECK(check.measure == 1);
    CHECK(check.statement.find("it differs at") != std::string::npos);
}

TEST_CASE("the replay experiment has one check and says bitwise") {
    const experiments::Replay replay = experiments::replay();
    CHECK(replay.bitwise);
    REQUIRE(replay.checks.size() == 1);
    CHECK(replay.checks[0].name == "replay");
    CHECK(replay.checks[0].passed);
}

TEST_CASE("a computation that changes between its runs fails its replay") {
    int runs = 0;
    const auto unsteady = evidence::replayed([&] {
        evidence::LayerCase layer_case = experiments::chapter_values::layer_case();
        if (++runs == 2) layer_case.input[0] = std::nextafter(layer_case.input[0], 4.0);
        return experiments::forward(layer_case);
    });
    CHECK(runs == 2);
    REQUIRE_FALSE(unsteady.checks.empty());
    CHECK_FALSE(unsteady.checks.back().passed);
    CHECK(unsteady.checks.back().statement ==
          "a second run gives the same bits; it differs at primary/input/0");
}
