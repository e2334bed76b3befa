// The nine predictions: what they expect, for any row, and how answers are graded.
#include "experiments/predict/predictions.hpp"

#include <doctest/doctest.h>

#include <cmath>
#include <cstdio>
#include <numeric>
#include <set>

#include "evidence/replay.hpp"
#include "experiments/predict/grading.hpp"
#include "experiments/rmsnorm/chapter_values.hpp"
#include "nn/rms_norm.hpp"

using namespace rmsnorm;
using experiments::Answer;
using experiments::AnswerError;
using experiments::AskedPrediction;
using experiments::Prediction;
using experiments::PredictionKind;
using tensor::Tensor;
namespace chapter = experiments::chapter_values;

namespace {

using Numbers = std::vector<double>;
using Shapes = std::vector<tensor::Shape>;

evidence::LayerCase case_of(const Tensor& input, const Tensor& gain, double epsilon) {
    return {input, gain, Tensor::filled(input.shape(), 1), epsilon, chapter::gain_name};
}

Prediction predicted(const evidence::LayerCase& layer_case, const std::string& id) {
    for (const AskedPrediction& asked : experiments::predictions(layer_case).asked) {
        if (asked.prediction.id == id) return asked.prediction;
    }
    FAIL("no prediction ", id);
    return {};
}

Prediction of_chapter(const std::string& id) { return predicted(chapter::layer_case(), id); }

const Numbers& numbers(const Prediction& prediction) {
    return std::get<Numbers>(prediction.expected);
}

double mean_square(const Numbers& row) {
    const double sum = std::inner_product(row.begin(), row.end(), row.begin(), 0.0);
    return sum / static_cast<double>(row.size());
}

// The layer by its formula, with the C library's root: not the way the layer takes.
Numbers by_formula(const Numbers& row, const Numbers& gain, double epsilon) {
    Numbers output;
    for (std::size_t i = 0; i < row.size(); ++i) {
        output.push_back(row[i] / std::sqrt(mean_square(row) + epsilon) * gain[i]);
    }
    return output;
}

// The two ways differ by a few roundings, each of at most 2^-53 = 1.1e-16; 1e-13 allows for the
// factor of up to 355 by which exp(-0.5 * log(v)) can enlarge that of the logarithm.
void check_near(const Numbers& found, const Numbers& expected) {
    REQUIRE(found.size() == expected.size());
    for (std::size_t i = 0; i < found.size(); ++i) {
        CHECK(std::fabs(found[i] - expected[i]) <= 1e-13 * std::fabs(expected[i]));
    }
}

template <class Case>
bool refused(const Prediction& prediction, std::string_view answer) {
    try {
        experiments::grade(prediction, answer);
    } catch (const AnswerError& error) {
        return std::holds_alternative<Case>(error.rejection());
    }
    return false;
}

bool right(const Prediction& prediction, std::string_view answer) {
    return experiments::grade(prediction, answer).correct;
}

}  // namespace

TEST_CASE("there are nine predictions of every kind, each with an id of its own") {
    const experiments::Predictions all = experiments::predictions(chapter::layer_case());
    REQUIRE(all.asked.size() == experiments::prediction_count);
    std::set<std::string> ids;
    std::set<PredictionKind> kinds;
    for (std::size_t i = 0; i < all.asked.size(); ++i) {
        const Prediction& prediction = all.asked[i].prediction;
        CHECK(all.asked[i].number == i + 1);
        ids.insert(prediction.id);
        kinds.insert(prediction.kind);
        CHECK_FALSE(prediction.question.empty());
        CHECK_FALSE(prediction.hint.empty());
        CHECK_FALSE(prediction.explanation.empty());
        CHECK(prediction.choices.empty() == (prediction.kind != PredictionKind::choice));
    }
    CHECK(ids.size() == experiments::prediction_count);
    CHECK(kinds.size() == 4);
}

TEST_CASE("the chapter's predictions expect what the chapter says") {
    check_near(numbers(of_chapter("mean-square")), {12.5, 1 / std::sqrt(12.5 + 1e-5)});
    check_near(numbers(of_chapter("output")), by_formula({3, 4}, {1.5, 0.5}, 1e-5));
    check_near(numbers(of_chapter("scaled-input")), by_formula({3, 4}, {1, 1}, 0));
    // 1e-4 times the row, whose mean square of 12.5 is then 1.25e-7.
    check_near(numbers(of_chapter("tiny-input")), {1.25e-7 / (1.25e-7 + 1e-5)});
    const Shapes expected_shapes{{2, 3, 2}, {2}};
    CHECK(std::get<Shapes>(of_chapter("shapes").expected) == expected_shapes);
    const std::pair<const char*, const char*> choices[] = {
        {"zero-row", "returns zeros with epsilon 1e-5, rejects with epsilon zero"},
        {"statistics", "it subtracts nothing, and uses that row alone"},
        {"weight-decay", "nothing: only the optimizer's next step differs"},
        {"residual-block", "at the start of the learned path alone"}};
    for (const auto& [id, words] : choices) {
        const Prediction prediction = of_chapter(id);
        CHECK(prediction.choices.at(std::get<std::size_t>(prediction.expected)) == words);
    }
}

TEST_CASE("explanations quote the numbers that decide") {
    const auto quotes = [](const char* id, const char* part) {
        return of_chapter(id).explanation.find(part) != std::string::npos;
    };
    CHECK(quotes("mean-square", "(3^2 + 4^2) / 2 = 12.5"));
    CHECK(quotes("mean-square", "0.282843"));
    CHECK(quotes("output", "[1.272792, 0.565685]"));
    CHECK(quotes("tiny-input", "0.012346"));
    CHECK(quotes("statistics", "0.989949"));  // (3 + 4) / 2 / sqrt(12.5 + 1e-5)
    CHECK(quotes("zero-row", "epsilon is zero"));
    CHECK(quotes("shapes", "[2, 3, 2]"));
    CHECK(quotes("weight-decay", "[0.848528, -2.262741]"));
    CHECK(quotes("residual-block", "[3, 4]"));
}

TEST_CASE("predictions are about the reader's first row, gain and epsilon") {
    const evidence::LayerCase own =
        case_of(Tensor({2, 3}, {1, -2, 2, 7, 8, 9}), Tensor::vector({2, 1, -1}), 0.25);
    check_near(numbers(predicted(own, "mean-square")), {3, 1 / std::sqrt(3.25)});
    check_near(numbers(predicted(own, "output")), by_formula({1, -2, 2}, {2, 1, -1}, 0.25));
    check_near(numbers(predicted(own, "scaled-input")), by_formula({1, -2, 2}, {1, 1, 1}, 0));
    // The first power of ten that takes the mean square of 3 below 0.25 is 0.1.
    check_near(numbers(predicted(own, "tiny-input")), {0.03 / 0.28});
    const Shapes expected_shapes{{2, 3}, {3}};
    CHECK(std::get<Shapes>(predicted(own, "shapes").expected) == expected_shapes);
    CHECK(predicted(own, "mean-square").question.find("first row [1, -2, 2]") != std::string::npos);
    CHECK(predicted(own, "mean-square").explanation.find("(-2)^2") != std::string::npos);
}

TEST_CASE("a row without energy is rejected with epsilon zero, and asks what still has a meaning") {
    for (const double value : {0.0, -0.0, 1e-170}) {
        const auto zeros = case_of(Tensor::vector({value, value}), Tensor::vector({2, 3}), 0);
        const Prediction first = predicted(zeros, "mean-square");
        CHECK(numbers(first) == Numbers{0});
        CHECK(right(first, "0"));
        CHECK_FALSE(right(first, "1e-300"));
        const Prediction output = predicted(zeros, "output");
        REQUIRE(output.kind == PredictionKind::choice);
        CHECK(right(output, "rejects"));
        CHECK_FALSE(right(output, "zeros"));
        const Prediction scaled = predicted(zeros, "scaled-input");
        check_near(numbers(scaled), by_formula({3, 4}, {1, 1}, 0));
        CHECK(scaled.question.find("no energy") != std::string::npos);
    }
}

TEST_CASE("a row without energy gives zeros with a positive epsilon") {
    const auto zeros = case_of(Tensor::vector({0, 0}), Tensor::vector({2, 3}), 0.25);
    CHECK(numbers(predicted(zeros, "output")) == Numbers{0, 0});
    CHECK(right(predicted(zeros, "output"), "0 0"));
    CHECK_FALSE(right(predicted(zeros, "output"), "0 1e-9"));
    check_near(numbers(predicted(zeros, "mean-square")).size() == 2
                   ? Numbers{numbers(predicted(zeros, "mean-square"))[1]}
                   : Numbers{},
               {2});
}

TEST_CASE("with epsilon zero no part of the normalized mean square is lost") {
    const auto ideal = case_of(chapter::input(), chapter::gain(), 0);
    check_near(numbers(predicted(ideal, "tiny-input")), {1});
    check_near(numbers(predicted(ideal, "mean-square")), {12.5, 1 / std::sqrt(12.5)});
}

TEST_CASE(
    "rows near the ends of binary64 get right predictions, and overflow is the layer's error") {
    // 1e153 squared is 1e306; ten times the row would overflow, so it shrinks.
    const auto large = case_of(Tensor::vector({1e153, 1e153}), Tensor::vector({1, 1}), 1e-5);
    CHECK(right(predicted(large, "scaled-input"), "1 1"));
    CHECK(predicted(large, "scaled-input").question.find("by 0.1") != std::string::npos);
    CHECK(right(predicted(large, "mean-square"), "1e306 1e-153"));
    // Below sqrt(1e-5) already: no factor.
    const auto tiny = case_of(Tensor::vector({1e-3, 1e-3}), Tensor::vector({1, 1}), 1e-5);
    check_near(numbers(predicted(tiny, "tiny-input")), {1e-6 / (1e-6 + 1e-5)});
    // Normalized, it underflows, which no mean was subtracted from.
    const auto drowned = case_of(Tensor::vector({1e-150, 1e-150}), Tensor::vector({1, 1}), 1e308);
    CHECK(right(predicted(drowned, "statistics"), "c"));
    CHECK_THROWS_AS(
        experiments::predictions(case_of(Tensor::vector({1e200}), Tensor::vector({1}), 0)),
        nn::RmsNormError);
    CHECK_THROWS_AS(
        experiments::predictions(case_of(Tensor::vector({3, 4}), Tensor::vector({1}), 0)),
        nn::RmsNormError);
}

TEST_CASE("rows that cannot tell are replaced where a choice depends on them") {
    // Its mean is zero, with or without subtracting it; and it is its own normalized row.
    const auto centered = case_of(Tensor::vector({1, -1}), Tensor::vector({1, 1}), 0);
    CHECK(right(predicted(centered, "statistics"), "c"));
    CHECK(right(predicted(centered, "residual-block"), "d"));
    const auto single = case_of(Tensor::vector({1}), Tensor::vector({1}), 0);
    CHECK(right(predicted(single, "statistics"), "c"));
    CHECK(right(predicted(single, "residual-block"), "d"));
    // The explanation says which row stands in, and why; a row that tells stands for itself.
    const auto says = [](const evidence::LayerCase& of, const char* id, const std::string& words) {
        return predicted(of, id).explanation.find(words) != std::string::npos;
    };
    const std::string cannot = " cannot tell: ";
    CHECK(says(
        centered, "statistics",
        "The row [1, -1]" + cannot + "its mean is 0 before it is normalized. So take [1, 3]."));
    CHECK(says(centered, "residual-block",
               "The row [1, -1]" + cannot + "normalizing leaves it as it is. So take [3, 4]."));
    const auto zeros = case_of(Tensor::vector({0, 0}), Tensor::vector({1, 1}), 0);
    const auto drowned = case_of(Tensor::vector({1e-150, 1e-150}), Tensor::vector({1, 1}), 1e308);
    CHECK(says(zeros, "statistics", cannot + "the layer rejects it"));
    CHECK(says(zeros, "residual-block", cannot + "the layer rejects it"));
    CHECK(says(drowned, "statistics", cannot + "beside epsilon it is normalized to "));
    for (const char* id : {"statistics", "residual-block"}) {
        CHECK_FALSE(says(chapter::layer_case(), id, cannot));
    }
    // The batch's other row is named, also where the layer rejects the input's own.
    const auto batch = case_of(Tensor({2, 2}, {3, 1, 0, 5}), Tensor::vector({1, 1}), 0);
    CHECK(says(batch, "statistics", "In a batch with the row [0, 5], 0 of 4 values"));
    const auto rejected = case_of(Tensor({2, 2}, {3, 1, 0, 0}), Tensor::vector({1, 1}), 0);
    CHECK(says(rejected, "statistics", "In a batch with the row [3, 1], 0 of 4 values"));
}

TEST_CASE("what epsilon does to a scaled row is said where it is more than rounding") {
    const auto says = [](double size, double epsilon, const char* words) {
        const auto own = case_of(Tensor::vector({size, 2 * size}), Tensor::vector({1, 1}), epsilon);
        return predicted(own, "scaled-input").explanation.find(words) != std::string::npos;
    };
    const char* matters = "since epsilon is not multiplied";
    const char* rounding = "which is rounding: beside these squares epsilon is too small to show";
    // Epsilon over twice the mean square, for a value of 1.3, beside a bound of about 1e-14.
    CHECK(says(1, 1e-5, matters));
    CHECK(says(100, 1e-5, matters));
    CHECK(says(1e-100, 1e-5, matters));
    for (const double size : {1e6, 1e9, 1e150}) CHECK(says(size, 1e-5, rounding));
    CHECK(says(1e-100, 1e-300, rounding));
}

TEST_CASE("what part of the denominator epsilon is follows from the figures") {
    // 1.25e-7 beside 1e-5; and with the factor 1 a mean square of 9.9e-6 beside 1e-5.
    CHECK(of_chapter("tiny-input").explanation.ends_with("more than half of the denominator."));
    const double near = std::sqrt(9.9e-6);
    const auto half = case_of(Tensor::vector({near, near}), Tensor::vector({1, 1}), 1e-5);
    CHECK(predicted(half, "tiny-input")
              .explanation.ends_with("Epsilon alone is more than half of the denominator."));
    // Squares that lost digits: 1e-160 squared is 2024 of the smallest numbers.
    const auto lost = case_of(Tensor::vector({1e-160, 1e-160}), Tensor::vector({1, 1}), 0);
    CHECK(predicted(lost, "tiny-input").explanation.find("lose digits") != std::string::npos);
}

TEST_CASE("of a wide row the first values are asked, and its predictions stay quick") {
    const std::size_t width = 100'000;
    const auto wide = case_of(Tensor::filled({width}, 2), Tensor::filled({width}, 0.5), 0);
    const Prediction output = predicted(wide, "output");
    check_near(numbers(output), Numbers(experiments::most_predicted, 0.5));
    CHECK(output.question.find("first 8 of the 100000 values") != std::string::npos);
    const Shapes expected_shapes{{1, 1, width}, {width}};
    CHECK(std::get<Shapes>(predicted(wide, "shapes").expected) == expected_shapes);
}

TEST_CASE("a number is right up to half a unit of its third digit, and no farther") {
    const Prediction prediction = of_chapter("mean-square");
    // 0.005 of 12.5 is 0.0625, which binary64 holds exactly.
    CHECK(right(prediction, "12.5625 0.283"));
    CHECK(right(prediction, "12.4375 0.283"));
    CHECK_FALSE(right(prediction, "12.562501 0.283"));
    CHECK_FALSE(right(prediction, "12.437499 0.283"));
    CHECK_FALSE(right(prediction, "-12.5 0.283"));
    CHECK_FALSE(right(prediction, "12.5 -0.283"));
    CHECK_FALSE(right(prediction, "12.5 0"));
    CHECK_FALSE(right(prediction, "1.7976931348623157e308 0.283"));
}

TEST_CASE("every rounding to three significant digits is right") {
    // The smallest mantissas move the most: 1.005 to 1.00 by 0.4975 %.
    for (const double value : {1.0049, 1.005, 1.0051, 9.994, 1.2345e-7, 9.9949e20}) {
        Prediction prediction = of_chapter("mean-square");
        prediction.parts = {"value"};
        prediction.expected = Numbers{value};
        char rounded[32];
        std::snprintf(rounded, sizeof rounded, "%.2e", value);
        CHECK(right(prediction, rounded));
    }
}

TEST_CASE("each prediction has a wrong answer that is graded wrong, with what is right") {
    const std::pair<const char*, std::vector<const char*>> wrong[] = {
        {"mean-square", {"25 0.282843", "12.5 3.535534"}},  // the sum; the RMS
        {"output", {"0.848528 1.13137", "4.5 2", "0.565685 1.272792"}},
        {"scaled-input", {"8.48528 11.31371", "30 40", "0.848528 -1.131371"}},
        {"tiny-input", {"1", "0", "0.0125", "0.999999"}},
        {"zero-row", {"a", "c", "d"}},
        {"statistics", {"a", "b", "d"}},
        {"shapes", {"[2,3,2] [2,3,2]", "[2,3] [2]", "[2] [2,3,2]", "[] []", "[2,3,2] [1]"}},
        {"weight-decay", {"b", "c", "d"}},
        {"residual-block", {"a", "b", "c"}}};
    for (const auto& entry : wrong) {
        const Prediction prediction = of_chapter(entry.first);
        CAPTURE(prediction.id);
        for (const char* answer : entry.second) {
            CAPTURE(answer);
            const experiments::Verdict verdict = experiments::grade(prediction, answer);
            CHECK_FALSE(verdict.correct);
            CHECK(verdict.explanation.size() > prediction.explanation.size());
            CHECK(verdict.explanation.ends_with(prediction.explanation));
            CHECK_FALSE(experiments::answer_check(prediction, verdict).passed);
        }
        const std::string own = experiments::answer_text(prediction, prediction.expected);
        const experiments::Verdict verdict = experiments::grade(
            prediction, prediction.kind == PredictionKind::choice ? own.substr(0, 1) : own);
        CHECK(verdict.correct);
        CHECK(verdict.explanation == prediction.explanation);
        CHECK(experiments::answer_check(prediction, verdict).passed);
    }
}

TEST_CASE("a wrong answer is explained by what is wrong in it") {
    const auto explanation = [](const char* id, const char* answer) {
        return experiments::grade(of_chapter(id), answer).explanation;
    };
    CHECK(explanation("mean-square", "12.5 7")
              .starts_with("The reciprocal RMS is 0.282843, not 7. The mean square is"));
    CHECK(explanation("output", "1.27 9").starts_with("Value 2 is 0.565685, not 9. [3, 4] times"));
    CHECK(explanation("shapes", "[2,3,2] [3]")
              .starts_with("The gain gradient's shape is [2], not [3]. "));
    CHECK(explanation("zero-row", "a").starts_with("The answer is b) returns zeros with"));
}

TEST_CASE("answers are understood in every form that people write") {
    const Prediction output = of_chapter("output");
    for (const char* answer : {"1.27,0.566", "[1.27,0.566]", "1.27, 0.566", "1.27 0.566",
                               "(1.27 , .566)", "  [ 1.27\t0.566 ]\r", "+1.27 5.66e-1"}) {
        CAPTURE(answer);
        CHECK(right(output, answer));
    }
    const Prediction shapes = of_chapter("shapes");
    for (const char* answer : {"[2,3,2] [2]", "[2, 3, 2], [2]", "[2 3 2] and [2]", "2,3,2; 2",
                               "(2,3,2) / (2,)", "[[2,3,2],[2]]", "2x3x2 and 2", "[2,3,2][2]"}) {
        CAPTURE(answer);
        CHECK(right(shapes, answer));
    }
    const Prediction choice = of_chapter("zero-row");
    for (const char* answer :
         {"b", "B", "b)", "b.", " b ", "(b)", "[ B ]", "(b.)", "rejects with epsilon zero",
          "RETURNS ZEROS WITH EPSILON 1E-5, rejects with epsilon zero"}) {
        CAPTURE(answer);
        CHECK(right(choice, answer));
    }
}

TEST_CASE("an answer of another kind is refused, neither right nor wrong") {
    const Prediction output = of_chapter("output");
    for (const char* answer : {"", "  ", "\t", "[]", "( )"}) {
        CAPTURE(answer);
        CHECK(refused<experiments::NoAnswer>(output, answer));
    }
    for (const char* answer : {"a", "1.27,", ",1.27", "1.27,,0.5", "[1.27,0.5", "1.27;0.5", "nan 1",
                               "inf 1", "1e999 1", "0x1 1", "[[1.27,0.5]]", "1.27 0.5 b"}) {
        CAPTURE(answer);
        CHECK(refused<experiments::NotANumber>(output, answer));
    }
    for (const char* answer : {"1", "1,2,3", "1,27 0,566"}) {
        CAPTURE(answer);
        CHECK(refused<experiments::WrongAnswerCount>(output, answer));
    }
    const Prediction shapes = of_chapter("shapes");
    for (const char* answer : {"two", "[2,3,-2] [2]", "[2.5] [2]", "[2,3,2] [2", "2] [2]",
                               "[[2] 3]", "[2;3] [2]", "[99999999999999999999] [2]"}) {
        CAPTURE(answer);
        CHECK(refused<experiments::NotAShape>(shapes, answer));
    }
    for (const char* answer : {"[2,3,2]", "2,3,2,2", "[2] [3] [2]"}) {
        CAPTURE(answer);
        CHECK(refused<experiments::WrongAnswerCount>(shapes, answer));
    }
    const Prediction choice = of_chapter("zero-row");
    for (const char* answer :
         {"(e)", "((b))", "(b", "e", "1", "zeros", "re", "?", "b c", "neither"}) {
        CAPTURE(answer);
        CHECK(refused<experiments::NotAChoice>(choice, answer));
    }
    CHECK_THROWS_WITH_AS(experiments::grade(output, "1.27 abc"),
                         "found \"abc\" as number 2; accepted: decimal numbers such as 12.5 or "
                         "1e-3, commas or spaces between them",
                         AnswerError);
}

TEST_CASE("the score counts right, wrong and unanswered, and replays compare what is expected") {
    experiments::Predictions all =
        evidence::replayed([] { return experiments::predictions(chapter::layer_case()); });
    REQUIRE(all.checks.size() == 1);
    CHECK(all.checks[0].passed);
    all.asked[0].verdict = experiments::grade(all.asked[0].prediction, "12.5 0.283");
    all.asked[1].verdict = experiments::grade(all.asked[1].prediction, "1 1");
    const experiments::Score score = experiments::score_of(all.asked);
    CHECK(score.right == 1);
    CHECK(score.wrong == 1);
    CHECK(score.unanswered == 7);
    experiments::Predictions other = experiments::predictions(chapter::layer_case());
    other.asked[3].prediction.expected = Numbers{0.5};
    CHECK_FALSE(evidence::replay_check(results(experiments::predictions(chapter::layer_case())),
                                       results(other))
                    .passed);
}
