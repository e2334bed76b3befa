#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

#include "evidence/number_text.hpp"
#include "evidence/rows.hpp"
#include "experiments/predict/questions.hpp"
#include "experiments/rmsnorm/chapter_values.hpp"
#include "experiments/rmsnorm/scale.hpp"
#include "experiments/rmsnorm/zero.hpp"
#include "numeric/decimal.hpp"
#include "tensor/elementwise.hpp"

namespace rmsnorm::experiments {
namespace {

using tensor::Tensor;

Tensor times(const Tensor& tensor, double factor) {
    return tensor::multiply(tensor, Tensor::scalar(factor));
}

std::string epsilon_text(double epsilon) { return "epsilon " + given_text(epsilon); }

// "(3^2 + 4^2) / 2", or for long rows how many squares.
std::string mean_square_formula(const Tensor& row) {
    const std::string width = std::to_string(row.size());
    if (row.size() > most_predicted) return "the sum of " + width + " squares / " + width;
    std::string squares;
    for (const double value : row.values()) {
        const std::string text = given_text(value);
        const bool negative = std::signbit(value);
        squares.append(squares.empty() ? "" : " + ")
            .append(negative ? "(" + text + ")^2" : text + "^2");
    }
    return (row.size() == 1 ? squares : "(" + squares + ")") + " / " + width;
}

// "What is x?", or of what of a long vector.
std::string vector_question(const std::string& what, std::size_t width) {
    if (width <= most_predicted) return "What is " + what + "?";
    return "What are the first " + std::to_string(most_predicted) + " of the " +
           std::to_string(width) + " values of " + what + "?";
}

std::vector<double> asked_values(const Tensor& values) {
    const auto first = values.values().first(std::min(values.size(), most_predicted));
    return {first.begin(), first.end()};
}

std::string rejection_message(const Tensor& row, double epsilon) {
    try {
        forward(unit_gain_case(row, epsilon));
    } catch (const nn::RmsNormError& error) {
        return error.what();
    }
    return "";
}

// Why a mean square is not what the formula gives on paper, or nothing.
std::string underflow_note(const Tensor& row, double mean_square) {
    const auto values = row.values();
    const bool lost = mean_square < std::numeric_limits<double>::min() &&
                      std::any_of(values.begin(), values.end(), [](double v) { return v != 0; });
    if (!lost) return "";
    return mean_square == 0 ? " in binary64, where squares this small underflow to 0"
                            : " in binary64, where squares below 2.2e-308 lose digits";
}

Prediction predict_mean_square(const Subject& subject) {
    const std::string mean_square_is = mean_square_formula(subject.row) + " = " +
                                       figure_text(subject.mean_square) +
                                       underflow_note(subject.row, subject.mean_square);
    Prediction prediction{.id = "mean-square",
                          .question = "Take " + subject.row_text + ". What is its mean square?",
                          .kind = PredictionKind::number,
                          .parts = {"mean square"},
                          .expected = std::vector<double>{subject.mean_square},
                          .hint = "Add the squares of the values and divide by how many there are.",
                          .explanation = "The mean square is " + mean_square_is + "."};
    if (!subject.pass) return prediction;
    const double inverse_rms = subject.pass->inverse_rms[0];
    prediction.question = "Take " + subject.row_text + " and " + epsilon_text(subject.epsilon) +
                          ". What is the row's mean square, and what is the reciprocal RMS by "
                          "which the layer multiplies the row? (Two numbers.)";
    prediction.parts.push_back("reciprocal RMS");
    prediction.expected = std::vector<double>{subject.mean_square, inverse_rms};
    prediction.hint += " The reciprocal RMS is 1 / sqrt(mean square + epsilon).";
    prediction.explanation += " The reciprocal RMS is 1 / sqrt(" +
                              figure_text(subject.mean_square) + " + " +
                              given_text(subject.epsilon) + ") = " + figure_text(inverse_rms) + ".";
    return prediction;
}

// The row that the layer rejects has no output to predict.
Prediction predict_rejection(const Subject& subject) {
    return {
        .id = "output",
        .question = "The layer meets " + subject.row_text + " with " +
                    epsilon_text(subject.epsilon) + ". What does it return?",
        .kind = PredictionKind::choice,
        .choices = {"a row of zeros", "a row of NaN", "the gain", "no row: it rejects the input"},
        .expected = std::size_t{accepts(subject.row, subject.epsilon) ? 0U : 3U},
        .hint = "Look at the denominator, sqrt(mean square + epsilon).",
        .explanation = "The mean square is " + figure_text(subject.mean_square) +
                       " and epsilon adds " + given_text(subject.epsilon) +
                       ", so that the layer would divide by zero. It says: " +
                       rejection_message(subject.row, subject.epsilon)};
}

Prediction predict_output(const Subject& subject, const LayerCase& layer_case) {
    if (!subject.pass) return predict_rejection(subject);
    const Forward pass = forward({subject.row, layer_case.gain, ones(subject.row.shape()),
                                  subject.epsilon, layer_case.gain_name});
    return {.id = "output",
            .question = "The layer's gain is " + text_of(layer_case.gain) + ". " +
                        vector_question("its output for " + subject.row_text + " with " +
                                            epsilon_text(subject.epsilon),
                                        subject.row.size()),
            .kind = PredictionKind::vector,
            .expected = asked_values(pass.output),
            .hint = "Multiply every value by the reciprocal RMS, then by its own gain.",
            .explanation = text_of(subject.row) + " times the reciprocal RMS " +
                           figure_text(pass.inverse_rms[0]) + " is " + figures_of(pass.normalized) +
                           "; value by value times the gain " + text_of(layer_case.gain) +
                           " it is " + figures_of(pass.output) + "."};
}

// What epsilon adds to the difference, where that is more than rounding may do.
std::string with_epsilon(const ScaleComparison& ideal, double epsilon) {
    const ScaleComparison real = scale({{ideal.input, epsilon, ideal.factor}}).comparisons[0];
    const std::string found =
        " With " + epsilon_text(epsilon) + " it is " + figure_text(real.max_abs_diff);
    // Half of what docs/checks.md allows the square of a normalized value, for each of two.
    double largest = 0;
    double logarithms = 0;
    for (const Tensor& normalized : {real.base, real.scaled}) {
        for (const double value : normalized.values()) {
            largest = std::max(largest, std::fabs(value));
        }
    }
    for (const Tensor& row : {ideal.input, times(ideal.input, ideal.factor)}) {
        logarithms += scaled_row(row.values(), epsilon).log_magnitude();
    }
    const double width = static_cast<double>(ideal.input.size());
    const double rounding = (width + logarithms + 24) * unit_roundoff * largest;
    if (real.max_abs_diff > rounding) return found + ", since epsilon is not multiplied.";
    return found + ", which is rounding: beside these squares epsilon is too small to show.";
}

Prediction predict_scaled_input(const Subject& subject) {
    const Tensor& row = subject.vivid_row;
    // Near the largest numbers the row can only shrink.
    const Tensor grown = times(row, chapter_values::factor);
    const bool grows = accepts(grown, 0) && accepts(grown, subject.epsilon);
    const double factor = grows ? chapter_values::factor : 1 / chapter_values::factor;
    const ScaleComparison ideal = scale({{row, 0, factor}}).comparisons[0];
    std::string explanation =
        "Without epsilon the factor stands in the row and in its RMS, and "
        "cancels: " +
        figures_of(ideal.base) + " before it, " + figures_of(ideal.scaled) +
        " after it; their largest difference is " + figure_text(ideal.max_abs_diff) + ".";
    if (subject.epsilon > 0) explanation += with_epsilon(ideal, subject.epsilon);
    return {.id = "scaled-input",
            .question = "Take " + subject.vivid_text + ", multiply it by " + given_text(factor) +
                        ", and let epsilon be zero. " +
                        vector_question("the normalized row, before any gain", row.size()),
            .kind = PredictionKind::vector,
            .expected = asked_values(ideal.scaled),
            .hint = "What does the factor do to the row, and what to its RMS?",
            .explanation = std::move(explanation)};
}

// The first power of ten, from 1 downwards, that leaves the row's mean square below epsilon. With
// epsilon zero, which nothing is below, four decades as in the chapter, if the layer takes that.
double shrinking_factor(const Tensor& row, double mean_square, double epsilon) {
    if (epsilon == 0) return accepts(times(row, 1e-4), 0) ? 1e-4 : 1;
    double factor = 1;
    for (int decade = 1; mean_square * factor * factor >= epsilon; ++decade) {
        factor = numeric::parse_decimal("1e-" + std::to_string(decade)).value_or(0);
    }
    return factor;
}

Prediction predict_tiny_input(const Subject& subject) {
    const Tensor& row = subject.vivid_row;
    const Forward whole = forward(unit_gain_case(row, subject.epsilon));
    const double factor = shrinking_factor(row, whole.mean_square[0], subject.epsilon);
    const Forward tiny = forward(unit_gain_case(times(row, factor), subject.epsilon));
    const double tiny_square = tiny.mean_square[0];
    const std::string mean_square = figure_text(tiny_square);
    const std::string epsilon = given_text(subject.epsilon);
    std::string explanation = mean_square + " / (" + mean_square + " + " + epsilon +
                              ") = " + figure_text(tiny.normalized_mean_square) +
                              underflow_note(tiny.input, tiny_square) + ". ";
    const std::string part = tiny_square < subject.epsilon ? "more than half" : "half";
    if (subject.epsilon == 0) {
        explanation += "Epsilon is zero and takes nothing away, however small the row.";
    } else if (factor == 1) {
        explanation += "Epsilon alone is " + part + " of the denominator.";
    } else {
        explanation += "The row before the factor keeps " +
                       figure_text(whole.normalized_mean_square) +
                       ": the factor shrinks the mean square and leaves epsilon, which is then " +
                       part + " of the denominator.";
    }
    return {.id = "tiny-input",
            .question = "Take " + subject.vivid_text +
                        (factor == 1 ? "" : ", multiplied by " + given_text(factor)) +
                        ": its mean square is " + mean_square + ". With " +
                        epsilon_text(subject.epsilon) +
                        ", what is the mean square of the normalized row, before any gain?",
            .kind = PredictionKind::number,
            .parts = {"normalized mean square"},
            .expected = std::vector<double>{tiny.normalized_mean_square},
            .hint = "It is mean square / (mean square + epsilon).",
            .explanation = std::move(explanation)};
}

Prediction predict_zero_row(const Subject& subject) {
    const double positive = subject.epsilon > 0 ? subject.epsilon : chapter_values::epsilon;
    const std::string with_positive = epsilon_text(positive);
    const Zero stabilized = zero({subject.row.size(), positive});
    const Zero bare = zero({subject.row.size(), 0});
    const auto outcome = [](const Zero& evidence) {
        return evidence.output ? "returns " + figures_of(*evidence.output)
                               : "says: " + evidence.rejection->message;
    };
    return {.id = "zero-row",
            .question = "A row of " + std::to_string(subject.row.size()) +
                        (subject.row.size() == 1 ? " zero" : " zeros") + " meets the layer with " +
                        with_positive + ", then with epsilon zero. What does the layer do?",
            .kind = PredictionKind::choice,
            .choices = {"returns zeros both times",
                        "returns zeros with " + with_positive + ", rejects with epsilon zero",
                        "rejects with " + with_positive + ", returns zeros with epsilon zero",
                        "rejects both times"},
            .expected = std::size_t{(stabilized.output ? 0U : 2U) + (bare.output ? 0U : 1U)},
            .hint = "The row's mean square is zero: what is left below the fraction line?",
            .explanation = "With " + with_positive +
                           " the layer multiplies the zeros by 1 / sqrt(" + given_text(positive) +
                           ") and " + outcome(stabilized) +
                           ". With epsilon zero it would divide zero by zero and " + outcome(bare)};
}

}  // namespace

std::vector<Prediction> row_questions(const Subject& subject, const LayerCase& layer_case) {
    return {predict_mean_square(subject), predict_output(subject, layer_case),
            predict_scaled_input(subject), predict_tiny_input(subject), predict_zero_row(subject)};
}

}  // namespace rmsnorm::experiments
