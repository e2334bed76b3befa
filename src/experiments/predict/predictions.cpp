#include "experiments/predict/predictions.hpp"

#include <utility>

#include "evidence/number_text.hpp"
#include "experiments/predict/questions.hpp"

namespace rmsnorm::experiments {
namespace {

std::string sentence(std::string text) {
    if (!text.empty() && text[0] >= 'a' && text[0] <= 'z') {
        text[0] = static_cast<char>(text[0] - 'a' + 'A');
    }
    return text;
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
        .add("expected_values", tensor::Tensor::vector(numbers ? *numbers : std::vector<double>{0}),
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
    std::vector<Prediction> all = row_questions(subject, layer_case);
    for (Prediction& prediction : layer_questions(subject, layer_case)) {
        all.push_back(std::move(prediction));
    }
    for (Prediction& prediction : all) {
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
