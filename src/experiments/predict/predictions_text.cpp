#include "experiments/predict/predictions_text.hpp"

#include <algorithm>

namespace rmsnorm::experiments {
namespace {

constexpr std::size_t indent = 2;

std::string answers_text(const AskedPrediction& asked) {
    const Prediction& prediction = asked.prediction;
    std::string lines;
    if (asked.verdict) {
        lines += paragraph("Answered: " + asked.verdict->found +
                               (asked.verdict->correct ? " (right)" : " (wrong)"),
                           indent);
    }
    if (asked.verdict || asked.revealed) {
        lines += paragraph("Computed: " + answer_text(prediction, prediction.expected), indent);
        lines +=
            paragraph(asked.verdict ? asked.verdict->explanation : prediction.explanation, indent);
    }
    return lines;
}

}  // namespace

std::string question_text(const AskedPrediction& asked) {
    const Prediction& prediction = asked.prediction;
    std::string text = "Prediction " + std::to_string(asked.number) + " of " +
                       std::to_string(prediction_count) + ": " + prediction.id + "\n";
    text += paragraph(prediction.question, indent);
    for (std::size_t i = 0; i < prediction.choices.size(); ++i) {
        text += paragraph(choice_letter(i) + ") " + prediction.choices[i], 2 * indent);
    }
    return text;
}

std::string score_text(const Score& score) {
    return std::to_string(score.right) + " right, " + std::to_string(score.wrong) + " wrong, " +
           std::to_string(score.unanswered) + " not answered";
}

std::string paragraph(std::string_view text, std::size_t margin) {
    constexpr std::size_t width = 80;
    std::string lines;
    std::size_t column = 0;
    while (!text.empty()) {
        const std::size_t end = std::min(text.find(' '), text.size());
        if (column > margin && column + 1 + end > width) {
            lines += "\n";
            column = 0;
        }
        lines.append(column == 0 ? margin : 1, ' ').append(text.substr(0, end));
        column += (column == 0 ? margin : 1) + end;
        text.remove_prefix(std::min(end + 1, text.size()));
    }
    return lines + "\n";
}

std::string text(const Predictions& evidence, Extent) {
    std::string sheet;
    for (const AskedPrediction& asked : evidence.asked) {
        sheet += question_text(asked) + answers_text(asked) + "\n";
    }
    return sheet + "Predictions: " + score_text(score_of(evidence.asked)) + "\n";
}

}  // namespace rmsnorm::experiments
