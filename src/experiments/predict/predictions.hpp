// Nine predictions about a layer and a row, to be made before the evidence is read, and the answers
// that the evidence gives.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "evidence/check.hpp"
#include "evidence/layer_case.hpp"
#include "evidence/record.hpp"

namespace rmsnorm::experiments {

enum class PredictionKind { number, vector, shape, choice };

std::string_view name(PredictionKind kind);

/// The values of numbers or of a vector, shapes, or the index of a choice.
using Answer = std::variant<std::vector<double>, std::vector<tensor::Shape>, std::size_t>;

struct Prediction {
    std::string id;
    std::string question;
    PredictionKind kind;
    std::vector<std::string> parts = {};    // what each number or shape is; empty for other kinds
    std::vector<std::string> choices = {};  // empty for other kinds
    Answer expected;                        // computed
    std::string hint;
    std::string explanation;  // with the numbers that decide
};

/// A number is right when it is at most this part of the expected one away from it, which every
/// rounding to three significant digits is: such a rounding moves v, of magnitude at least 10^e, by
/// at most 0.5 * 10^(e-2), which is at most 0.005 |v|. An expected zero allows nothing else.
inline constexpr double prediction_tolerance = 0.005;

/// The most values of a vector that are asked for.
inline constexpr std::size_t most_predicted = 8;

inline constexpr std::size_t prediction_count = 9;

/// What became of an answer.
struct Verdict {
    bool correct;
    std::string found;        // the answer as it was understood
    std::string explanation;  // of a wrong one: where it differs, and the prediction's
};

struct AskedPrediction {
    std::size_t number;  // from 1
    Prediction prediction;
    std::optional<Verdict> verdict;  // nothing while unanswered
    bool revealed;
};

struct Predictions {
    LayerCase layer_case;
    std::vector<AskedPrediction> asked;
    std::vector<Check> checks;
};

/// All nine, revealed and unanswered, about the first row of the input, which must have one. Where
/// a prediction has no meaning for that row (the layer rejects it, or it has no energy to scale) it
/// asks what has, and says so. Throws nn::RmsNormError for a row that overflows on the way.
Predictions predictions(const LayerCase& layer_case);

struct Score {
    std::size_t right = 0;
    std::size_t wrong = 0;
    std::size_t unanswered = 0;
};

Score score_of(const std::vector<AskedPrediction>& predictions);

/// Measures 0 for a right answer, else 1.
Check answer_check(const Prediction& prediction, const Verdict& verdict);

/// "12.5, 0.282843", "[3, 4]", "[2, 3, 2] and [2]", or the choice in words.
std::string answer_text(const Prediction& prediction, const Answer& answer);

/// The letter of a choice: "a", "b", …
std::string choice_letter(std::size_t index);

/// Answers and explanations only of what is revealed or answered.
Record results(const Predictions& evidence);

}  // namespace rmsnorm::experiments
