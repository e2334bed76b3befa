#include "cli/answers_file.hpp"

#include <algorithm>

#include "cli/error.hpp"
#include "cli/input/tensor_input.hpp"
#include "experiments/predict/grading.hpp"
#include "numeric/decimal.hpp"

namespace rmsnorm::cli {
namespace {

constexpr const char* accepted_file =
    "a JSON object of ids and answers, such as {\"mean-square\": [12.5, 0.282843], \"zero-row\": "
    "\"b\"}";
constexpr const char* accepted_answer = "a number, an array of numbers or of shapes, or a string";

// An answer as the dialogue would read it.
std::string answer_text(const JsonNode& answer) {
    switch (answer.kind()) {
        case JsonKind::text: return std::string(answer.text());
        case JsonKind::number:
            return answer.whole() ? std::to_string(*answer.whole())
                                  : numeric::shortest(answer.number());
        case JsonKind::array: {
            std::string text;
            for (auto item = answer.first(); item; item = item->next()) {
                text.append(text.empty() ? "[" : ",").append(answer_text(*item));
            }
            return text.empty() ? "[]" : text + "]";
        }
        default: throw answer.refusal(accepted_answer);
    }
}

}  // namespace

void grade_answers(const std::string& path,
                   std::vector<experiments::AskedPrediction>& predictions) {
    const JsonNode answers = read_json("--answers", path, accepted_file, 1,
                                       {.max_elements = 1 << 12, .adjustable = false});
    if (!answers.is(JsonKind::object)) throw answers.refusal(accepted_file);
    std::vector<std::string> ids;
    for (const auto& asked : predictions) ids.push_back(asked.prediction.id);
    for (const auto& [id, answer] : answers.members()) {
        const auto found = std::find(ids.begin(), ids.end(), id);
        if (found == ids.end()) {
            throw answer.refusal("the unknown id " + quoted(id), "the ids " + listed(ids));
        }
        auto& asked = predictions[static_cast<std::size_t>(found - ids.begin())];
        try {
            asked.verdict = experiments::grade(asked.prediction, answer_text(answer));
        } catch (const experiments::AnswerError& error) {
            throw InputError("--answers " + printable(path) + ": " + answer.where() + ": " +
                             printable(error.what()));
        }
    }
}

}  // namespace rmsnorm::cli
