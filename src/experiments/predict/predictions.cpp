#include "experiments/predict/predictions.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

#include "autodiff/error.hpp"
#include "evidence/number_text.hpp"
#include "experiments/rmsnorm/backward.hpp"
#include "experiments/rmsnorm/batch.hpp"
#include "experiments/rmsnorm/chapter_values.hpp"
#include "experiments/rmsnorm/forward.hpp"
#include "experiments/rmsnorm/parameters.hpp"
#include "experiments/rmsnorm/scale.hpp"
#include "experiments/rmsnorm/zero.hpp"
#include "numeric/decimal.hpp"
#include "tensor/elementwise.hpp"

namespace rmsnorm::experiments {
namespace {

using tensor::Tensor;
namespace chapter = chapter_values;

Tensor ones(tensor::Shape shape) { return Tensor::filled(std::move(shape), 1.0); }

Tensor times(const Tensor& tensor, double factor) {
    return tensor::multiply(tensor, Tensor::scalar(factor));
}

LayerCase unit_gain_case(const Tensor& input, double epsilon) {
    return {input, ones({input.shape().back()}), ones(input.shape()), epsilon, chapter::gain_name};
}

// Whether a layer with a unit gain gives a result.
bool accepts(const Tensor& input, double epsilon) {
    try {
        forward(unit_gain_case(input, epsilon));
        return true;
    } catch (const nn::RmsNormError&) {
        return false;
    } catch (const autodiff::AutodiffError&) {
        return false;
    }
}

Tensor row_of(const Tensor& input, std::size_t row) {
    const std::size_t width = input.shape().back();
    const auto values = input.values().subspan(row * width, width);
    return Tensor::vector({values.begin(), values.end()});
}

// What most predictions are about.
struct Subject {
    Tensor row;  // [d]
    std::string row_text;
    double mean_square;
    double epsilon;
    // The row alone, with a unit gain; nothing where the layer would divide zero by zero.
    std::optional<Forward> pass;
    Tensor vivid_row;  // the row, or the chapter's where the row's mean square is zero
    std::string vivid_text;
};

std::string text_of(const Tensor& values) { return given_list(values.values(), most_predicted); }

std::string figures_of(const Tensor& values) {
    return figure_list(values.values(), most_predicted);
}

Subject subject_of(const LayerCase& layer_case) {
    Subject subject;
    subject.row = row_of(layer_case.input, 0);
    const bool alone = subject.row.size() == layer_case.input.size();
    subject.row_text = (alone ? "the row " : "the input's first row ") + text_of(subject.row);
    // Any positive epsilon leaves the mean square as it is and keeps a row of zeros acceptable.
    subject.mean_square = forward(unit_gain_case(subject.row, chapter::epsilon)).mean_square[0];
    subject.epsilon = layer_case.epsilon;
    const bool rejected = subject.mean_square == 0 && subject.epsilon == 0;
    if (!rejected) subject.pass = forward(unit_gain_case(subject.row, subject.epsilon));
    const bool vivid = subject.mean_square > 0;
    subject.vivid_row = vivid ? subject.row : chapter::input();
    subject.vivid_text = vivid ? subject.row_text
                               : "the row " + text_of(subject.vivid_row) + " (" + subject.row_text +
                                     " has no energy to scale)";
    return subject;
}

std::string sentence(std::string text) {
    if (!text.empty() && text[0] >= 'a' && text[0] <= 'z') {
        text[0] = static_cast<char>(text[0] - 'a' + 'A');
    }
    return text;
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
                          .choices = {},
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
        .parts = {},
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
            .parts = {},
            .choices = {},
            .expected = asked_values(pass.output),
            .hint = "Multiply every value by the reciprocal RMS, then by its own gain.",
            .explanation = text_of(subject.row) + " times the reciprocal RMS " +
                           figure_text(pass.inverse_rms[0]) + " is " + figures_of(pass.normalized) +
                           "; value by value times the gain " + text_of(layer_case.gain) +
                           " it is " + figures_of(pass.output) + "."};
}

Prediction predict_scaled_input(const Subject& subject) {
    const Tensor& row = subject.vivid_row;
    // Near the largest numbers the row can only shrink.
    const Tensor grown = times(row, chapter::factor);
    const bool grows = accepts(grown, 0) && accepts(grown, subject.epsilon);
    const double factor = grows ? chapter::factor : 1 / chapter::factor;
    const ScaleComparison ideal = scale({{row, 0, factor}}).comparisons[0];
    std::string explanation =
        "Without epsilon the factor stands in the row and in its RMS, and "
        "cancels: " +
        figures_of(ideal.base) + " before it, " + figures_of(ideal.scaled) +
        " after it; their largest difference is " + figure_text(ideal.max_abs_diff) + ".";
    if (subject.epsilon > 0) {
        const ScaleComparison real = scale({{row, subject.epsilon, factor}}).comparisons[0];
        explanation += " With " + epsilon_text(subject.epsilon) + " it is " +
                       figure_text(real.max_abs_diff) + ", since epsilon is not multiplied.";
    }
    return {.id = "scaled-input",
            .question = "Take " + subject.vivid_text + ", multiply it by " + given_text(factor) +
                        ", and let epsilon be zero. " +
                        vector_question("the normalized row, before any gain", row.size()),
            .kind = PredictionKind::vector,
            .parts = {},
            .choices = {},
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
    const std::string mean_square = figure_text(tiny.mean_square[0]);
    const std::string epsilon = given_text(subject.epsilon);
    std::string explanation = mean_square + " / (" + mean_square + " + " + epsilon +
                              ") = " + figure_text(tiny.normalized_mean_square) + ". ";
    if (subject.epsilon == 0) {
        explanation += "Epsilon is zero and takes nothing away, however small the row.";
    } else if (factor == 1) {
        explanation += "Epsilon is larger than the row's mean square and rules the denominator.";
    } else {
        explanation += "The row before the factor keeps " +
                       figure_text(whole.normalized_mean_square) +
                       ": the factor shrinks the mean square and leaves epsilon, which then rules "
                       "the denominator.";
    }
    return {.id = "tiny-input",
            .question = "Take " + subject.vivid_text +
                        (factor == 1 ? "" : ", multiplied by " + given_text(factor)) +
                        ": its mean square is " + mean_square + ". With " +
                        epsilon_text(subject.epsilon) +
                        ", what is the mean square of the normalized row, before any gain?",
            .kind = PredictionKind::number,
            .parts = {"normalized mean square"},
            .choices = {},
            .expected = std::vector<double>{tiny.normalized_mean_square},
            .hint = "It is mean square / (mean square + epsilon).",
            .explanation = std::move(explanation)};
}

Prediction predict_zero_row(const Subject& subject) {
    const double positive = subject.epsilon > 0 ? subject.epsilon : chapter::epsilon;
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
            .parts = {},
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

double mean_of(const Tensor& values) {
    double sum = 0;
    for (const double value : values.values()) sum += value / static_cast<double>(values.size());
    return sum;
}

double largest_magnitude(const Tensor& values) {
    double largest = 0;
    for (const double value : values.values()) largest = std::max(largest, std::fabs(value));
    return largest;
}

// Whether the values center on zero. The mean of a row from which its mean was subtracted is
// rounding alone: for the 2^22 values that experiments take, below 2^22 * 2^-53 = 5e-10 of the
// largest.
bool centered(const Tensor& values, double part) {
    return std::fabs(mean_of(values)) <= part * largest_magnitude(values);
}

// Two rows: those of the input where the layer takes both, else the row and ones.
Tensor two_rows(const Tensor& input, const Tensor& row, double epsilon) {
    std::vector<double> values(row.values().begin(), row.values().end());
    const std::size_t width = row.size();
    const Tensor next = input.size() > width ? row_of(input, 1) : ones({width});
    const Tensor& second = accepts(next, epsilon) ? next : row;
    values.insert(values.end(), second.values().begin(), second.values().end());
    return Tensor({2, width}, std::move(values));
}

Prediction predict_statistics(const Subject& subject, const LayerCase& layer_case) {
    // A row that centers on zero anyway would not tell, nor one that the layer rejects or that
    // epsilon shrinks to where binary64 has no digits left.
    constexpr double smallest_telling = 1e-300;
    const bool telling = subject.pass && !centered(subject.row, 1e-3) &&
                         largest_magnitude(subject.pass->normalized) > smallest_telling;
    const Tensor row = telling ? subject.row : chapter::anchor();
    const Tensor normalized = telling ? subject.pass->normalized
                                      : forward(unit_gain_case(row, subject.epsilon)).normalized;
    const bool subtracts = centered(normalized, 1e-9);
    const LayerCase batch_case = unit_gain_case(
        two_rows(telling ? layer_case.input : row, row, subject.epsilon), subject.epsilon);
    const Check independence = row_independence(batch_case, forward(batch_case).output);
    const bool mixes = !independence.passed;
    return {.id = "statistics",
            .question = "Which statistics does RMSNorm use to normalize one row of a batch?",
            .kind = PredictionKind::choice,
            .parts = {},
            .choices = {"it subtracts the row's mean, and uses that row alone",
                        "it subtracts nothing, and mixes in the batch's other rows",
                        "it subtracts nothing, and uses that row alone",
                        "it subtracts a mean over the rows of the batch"},
            .expected = std::size_t{subtracts ? (mixes ? 3U : 0U) : (mixes ? 1U : 2U)},
            .hint = "The formula is x / sqrt(mean(x^2) + epsilon), for each row.",
            .explanation = "Normalized, " + text_of(row) + " has the mean " +
                           figure_text(mean_of(normalized)) +
                           ", which would be 0 had the row's mean been subtracted. In a batch of "
                           "two rows " +
                           given_text(independence.measure) + " of " +
                           std::to_string(batch_case.input.size()) +
                           " values differ in a bit from the rows normalized alone."};
}

Prediction predict_shapes(const Subject& subject, const LayerCase& layer_case) {
    constexpr std::size_t widest = 4096;  // six times it is quickly computed
    const std::size_t width = subject.row.size();
    const bool own = layer_case.input.rank() > 1;
    const tensor::Shape stacked =
        width > widest ? tensor::Shape{1, 1, width} : tensor::Shape{2, 3, width};
    const tensor::Shape shape = own ? layer_case.input.shape() : stacked;
    // Shapes do not depend on the values.
    const LayerCase shaped = unit_gain_case(ones(shape), chapter::epsilon);
    const tensor::Shape output = forward(shaped).output.shape();
    const tensor::Shape gain_gradient = backward(shaped).gain_gradient.shape();
    return {
        .id = "shapes",
        .question = (own ? "The input has the shape "
                         : "Rows are stacked into an input of "
                           "shape [batch, time, width] = ") +
                    tensor::to_text(shape) +
                    ". Which shape has the output, and which has the gain's gradient? (Two "
                    "shapes.)",
        .kind = PredictionKind::shape,
        .parts = {"output", "gain gradient"},
        .choices = {},
        .expected = std::vector<tensor::Shape>{output, gain_gradient},
        .hint = "Every row is normalized by itself; all of them share one gain.",
        .explanation = "Normalizing changes values, not their number: the output has the shape " +
                       tensor::to_text(output) + ". One gain of width " + std::to_string(width) +
                       " serves every row, and its gradient, " + tensor::to_text(gain_gradient) +
                       ", sums what each row sends back."};
}

Prediction predict_weight_decay() {
    const LayerCase layer_case = chapter::layer_case();
    // The same pass beside each grouping of the one gain.
    const auto pass_in = [&](const std::vector<std::string>& decay,
                             const std::vector<std::string>& no_decay) {
        parameters({layer_case.gain_name, decay, no_decay});
        return std::pair(forward(layer_case), backward(layer_case));
    };
    const auto [forward_without, backward_without] = pass_in({}, {layer_case.gain_name});
    const auto [forward_with, backward_with] = pass_in({layer_case.gain_name}, {});
    const bool same_output = tensor::same_bits(forward_without.output, forward_with.output);
    const bool same_gradients =
        tensor::same_bits(backward_without.input_gradient, backward_with.input_gradient) &&
        tensor::same_bits(backward_without.gain_gradient, backward_with.gain_gradient);
    return {.id = "weight-decay",
            .question =
                "The gain moves from the optimizer's no-decay group to its decay group. "
                "What does the layer then compute differently, for the same input and "
                "gain?",
            .kind = PredictionKind::choice,
            .parts = {},
            .choices = {"nothing: only the optimizer's next step differs", "its output",
                        "its gradients", "its output and its gradients"},
            .expected = std::size_t{(same_output ? 0U : 1U) + (same_gradients ? 0U : 2U)},
            .hint = "Look for the weight decay in x / sqrt(mean(x^2) + epsilon) * gain.",
            .explanation =
                "In either group " + text_of(layer_case.input) + " gives the output " +
                figures_of(forward_with.output) + " and the gain gradient " +
                figures_of(backward_with.gain_gradient) +
                ", bit for bit. The groups are a policy of the optimizer; the formula has no term "
                "for them."};
}

// A block adds a stream and what a learned path makes of it; a norm may stand on the stream, before
// the learned path, on both, or behind their sum.
struct Placement {
    std::string name;
    bool on_stream;
    bool on_learned_path;
    bool after_sum;
};

Prediction predict_residual_block(const Subject& subject) {
    const auto normalized = [&](const Tensor& row) {
        return forward(unit_gain_case(row, subject.epsilon)).normalized;
    };
    // A row that is its own normalized row, or has none, would not tell the placements apart.
    const bool telling = subject.pass && !tensor::same_bits(subject.pass->normalized, subject.row);
    const Tensor stream = telling ? subject.row : chapter::input();
    const Tensor normalized_stream = normalized(stream);
    const std::vector<Placement> placements{
        {"on the stream and on the learned path, before they are added", true, true, false},
        {"behind the sum of the stream and the learned path", false, false, true},
        {"on the stream alone, which skips the learned path", true, false, false},
        {"at the start of the learned path alone", false, true, false}};
    std::vector<std::string> choices;
    std::size_t expected = placements.size();
    for (const Placement& placement : placements) {
        // With a learned path that has learned nothing yet, and adds zeros, the sum is the stream.
        Tensor result = placement.on_stream ? normalized_stream : stream;
        if (placement.after_sum) result = normalized(result);
        const Tensor learned_input = placement.on_learned_path ? normalized_stream : stream;
        if (tensor::same_bits(result, stream) &&
            tensor::same_bits(learned_input, normalized_stream)) {
            expected = choices.size();
        }
        choices.push_back(placement.name);
    }
    return {.id = "residual-block",
            .question =
                "A pre-normalized residual block hands its stream on unchanged, whatever "
                "its scale, and adds what a learned path makes of the normalized stream. "
                "Where does the norm stand?",
            .kind = PredictionKind::choice,
            .parts = {},
            .choices = std::move(choices),
            .expected = expected,
            .hint = "Let the learned path return zeros: what must the block return?",
            .explanation = "With a learned path that returns zeros and the stream " +
                           text_of(stream) + " the block must return " + text_of(stream) +
                           ", while the learned path receives " + figures_of(normalized_stream) +
                           ". A norm on the stream or behind the sum would return " +
                           figures_of(normalized_stream) + " instead."};
}

Array texts(const std::vector<std::string>& items) {
    return array_of(items, [](const std::string& item) { return item; });
}

Array shapes_array(const std::vector<tensor::Shape>& shapes) {
    return array_of(shapes, [](const tensor::Shape& shape) {
        return array_of(shape, [](std::size_t axis) { return axis; });
    });
}

Presence presence(bool present) { return present ? Presence::present : Presence::absent; }

std::string status(const AskedPrediction& asked) {
    if (!asked.verdict) return "unanswered";
    return asked.verdict->correct ? "right" : "wrong";
}

Record record(const AskedPrediction& asked) {
    const Prediction& prediction = asked.prediction;
    const bool shown = asked.revealed || asked.verdict;
    const auto* numbers = std::get_if<std::vector<double>>(&prediction.expected);
    const auto* shapes = std::get_if<std::vector<tensor::Shape>>(&prediction.expected);
    // Absent fields hold an example for the schema.
    const bool has_parts = !prediction.parts.empty();
    const bool has_choices = !prediction.choices.empty();
    Record record;
    record.add("number", asked.number)
        .add("id", prediction.id)
        .add("kind", std::string(name(prediction.kind)))
        .add("question", prediction.question)
        .add("parts", texts(has_parts ? prediction.parts : std::vector<std::string>{"output"}),
             presence(has_parts))
        .add("choices",
             texts(has_choices ? prediction.choices : std::vector<std::string>{"nothing"}),
             presence(has_choices))
        .add("tolerance", prediction_tolerance, presence(numbers != nullptr))
        .add("status", status(asked))
        .add("answer", asked.verdict ? asked.verdict->found : "",
             presence(asked.verdict.has_value()))
        .add("expected", answer_text(prediction, prediction.expected), presence(shown))
        .add("expected_values", Tensor::vector(numbers ? *numbers : std::vector<double>{0}),
             presence(shown && numbers))
        .add("expected_shapes", shapes_array(shapes ? *shapes : std::vector<tensor::Shape>{{1}}),
             presence(shown && shapes))
        .add("explanation", asked.verdict ? asked.verdict->explanation : prediction.explanation,
             presence(shown));
    return record;
}

}  // namespace

std::string_view name(PredictionKind kind) {
    switch (kind) {
        case PredictionKind::number: return "number";
        case PredictionKind::vector: return "vector";
        case PredictionKind::shape: return "shape";
        case PredictionKind::choice: return "choice";
    }
    return "unknown";
}

Predictions predictions(const LayerCase& layer_case) {
    const Subject subject = subject_of(layer_case);
    Predictions evidence{layer_case, {}, {}};
    for (Prediction& prediction : std::vector<Prediction>{
             predict_mean_square(subject), predict_output(subject, layer_case),
             predict_scaled_input(subject), predict_tiny_input(subject), predict_zero_row(subject),
             predict_statistics(subject, layer_case), predict_shapes(subject, layer_case),
             predict_weight_decay(), predict_residual_block(subject)}) {
        prediction.question = sentence(std::move(prediction.question));
        prediction.explanation = sentence(std::move(prediction.explanation));
        evidence.asked.push_back(
            {evidence.asked.size() + 1, std::move(prediction), std::nullopt, true});
    }
    return evidence;
}

Score score_of(const std::vector<AskedPrediction>& predictions) {
    Score score;
    for (const AskedPrediction& asked : predictions) {
        if (!asked.verdict) {
            ++score.unanswered;
        } else if (asked.verdict->correct) {
            ++score.right;
        } else {
            ++score.wrong;
        }
    }
    return score;
}

Check answer_check(const Prediction& prediction, const Verdict& verdict) {
    return at_most("answer-" + prediction.id, "the answer is right", verdict.correct ? 0 : 1, 0);
}

std::string answer_text(const Prediction& prediction, const Answer& answer) {
    if (const auto* choice = std::get_if<std::size_t>(&answer)) {
        return choice_letter(*choice) + ") " + prediction.choices[*choice];
    }
    std::string text;
    if (const auto* shapes = std::get_if<std::vector<tensor::Shape>>(&answer)) {
        for (const tensor::Shape& shape : *shapes) {
            text.append(text.empty() ? "" : " and ").append(tensor::to_text(shape));
        }
        return text;
    }
    const auto& numbers = std::get<std::vector<double>>(answer);
    text = figure_list(numbers, numbers.size());
    return prediction.kind == PredictionKind::vector ? text : text.substr(1, text.size() - 2);
}

std::string choice_letter(std::size_t index) {
    return std::string(1, static_cast<char>('a' + index % 26));
}

Record results(const Predictions& evidence) {
    Array records;
    for (const AskedPrediction& asked : evidence.asked) records.items.emplace_back(record(asked));
    if (evidence.asked.empty()) {
        AskedPrediction example{};
        example.prediction.expected = std::vector<double>{};
        records.example = std::make_shared<const Datum>(record(example));
    }
    const Score score = score_of(evidence.asked);
    return Record()
        .add("predictions", std::move(records))
        .add("right", score.right)
        .add("wrong", score.wrong)
        .add("unanswered", score.unanswered);
}

}  // namespace rmsnorm::experiments
