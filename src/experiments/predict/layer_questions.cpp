#include <algorithm>
#include <cmath>
#include <utility>

#include "evidence/number_text.hpp"
#include "experiments/predict/questions.hpp"
#include "experiments/rmsnorm/backward.hpp"
#include "experiments/rmsnorm/batch.hpp"
#include "experiments/rmsnorm/chapter_values.hpp"
#include "experiments/rmsnorm/parameters.hpp"
#include "tensor/elementwise.hpp"

namespace rmsnorm::experiments {
namespace {

using tensor::Tensor;

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

// What stands beside the row in a batch: the input's next row where the layer takes it, else ones.
Tensor companion(const Tensor& input, const Tensor& row, double epsilon) {
    const std::size_t width = row.size();
    const Tensor next = input.size() > width ? row_of(input, 1) : ones({width});
    return accepts(next, epsilon) ? next : row;
}

Tensor two_rows(const Tensor& first, const Tensor& second) {
    std::vector<double> values(first.values().begin(), first.values().end());
    values.insert(values.end(), second.values().begin(), second.values().end());
    return Tensor({2, first.size()}, std::move(values));
}

// Says which row a question is decided by in the place of the reader's, and why.
std::string replaced(const Subject& subject, const std::string& reason, const Tensor& row) {
    return subject.row_text + " cannot tell: " + reason + ". So take " + text_of(row) + ". ";
}

const char* const is_rejected = "the layer rejects it";

Prediction predict_statistics(const Subject& subject, const LayerCase& layer_case) {
    // Below this binary64 has few digits left.
    constexpr double smallest_telling = 1e-300;
    std::string reason;
    if (!subject.pass) {
        reason = is_rejected;
    } else if (centered(subject.row, 1e-3)) {
        reason = "its mean is " + figure_text(mean_of(subject.row)) + " before it is normalized";
    } else if (largest_magnitude(subject.pass->normalized) <= smallest_telling) {
        reason = "beside epsilon it is normalized to " + figures_of(subject.pass->normalized);
    }
    const bool telling = reason.empty();
    const Tensor row = telling ? subject.row : chapter_values::anchor();
    const Tensor normalized = telling ? subject.pass->normalized
                                      : forward(unit_gain_case(row, subject.epsilon)).normalized;
    const bool subtracts = centered(normalized, 1e-9);
    const Tensor other = companion(telling ? layer_case.input : row, row, subject.epsilon);
    const LayerCase batch_case = unit_gain_case(two_rows(row, other), subject.epsilon);
    const Check independence = row_independence(batch_case, forward(batch_case).output);
    const bool mixes = !independence.passed;
    return {.id = "statistics",
            .question = "Which statistics does RMSNorm use to normalize one row of a batch?",
            .kind = PredictionKind::choice,
            .choices = {"it subtracts the row's mean, and uses that row alone",
                        "it subtracts nothing, and mixes in the batch's other rows",
                        "it subtracts nothing, and uses that row alone",
                        "it subtracts a mean over the rows of the batch"},
            .expected = std::size_t{subtracts ? (mixes ? 3U : 0U) : (mixes ? 1U : 2U)},
            .hint = "The formula is x / sqrt(mean(x^2) + epsilon), for each row.",
            .explanation = (telling ? "" : replaced(subject, reason, row)) + "Normalized, " +
                           text_of(row) + " has the mean " + figure_text(mean_of(normalized)) +
                           ", which would be 0 had the row's mean been subtracted. In a batch "
                           "with the row " +
                           text_of(other) + ", " + given_text(independence.measure) + " of " +
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
    const LayerCase shaped = unit_gain_case(ones(shape), chapter_values::epsilon);
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
        .expected = std::vector<tensor::Shape>{output, gain_gradient},
        .hint = "Every row is normalized by itself; all of them share one gain.",
        .explanation = "Normalizing changes values, not their number: the output has the shape " +
                       tensor::to_text(output) + ". One gain of width " + std::to_string(width) +
                       " serves every row, and its gradient, " + tensor::to_text(gain_gradient) +
                       ", sums what each row sends back."};
}

Prediction predict_weight_decay() {
    const LayerCase layer_case = chapter_values::layer_case();
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
            .choices = {"nothing: only the optimizer's next step differs", "its output",
                        "its gradients", "its output and its gradients"},
            .expected = std::size_t{(same_output ? 0U : 1U) + (same_gradients ? 0U : 2U)},
            .hint = "Look for the weight decay in x / sqrt(mean(x^2) + epsilon) * gain.",
            .explanation =
                "In either group the chapter's layer gives for " + text_of(layer_case.input) +
                " the output " + figures_of(forward_with.output) + " and the gain gradient " +
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
    std::string reason;
    if (!subject.pass) {
        reason = is_rejected;
    } else if (tensor::same_bits(subject.pass->normalized, subject.row)) {
        reason = "normalizing leaves it as it is";
    }
    const bool telling = reason.empty();
    const Tensor stream = telling ? subject.row : chapter_values::input();
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
            .choices = std::move(choices),
            .expected = expected,
            .hint = "Let the learned path return zeros: what must the block return?",
            .explanation = (telling ? "" : replaced(subject, reason, stream)) +
                           "With a learned path that returns zeros and the stream " +
                           text_of(stream) + " the block must return " + text_of(stream) +
                           ", while the learned path receives " + figures_of(normalized_stream) +
                           ". A norm on the stream or behind the sum would return " +
                           figures_of(normalized_stream) + " instead."};
}

}  // namespace

std::vector<Prediction> layer_questions(const Subject& subject, const LayerCase& layer_case) {
    return {predict_statistics(subject, layer_case), predict_shapes(subject, layer_case),
            predict_weight_decay(), predict_residual_block(subject)};
}

}  // namespace rmsnorm::experiments
