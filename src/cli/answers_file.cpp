#include "cli/answers_file.hpp"

#include <algorithm>
#include <nlohmann/json.hpp>
#include <set>
#include <utility>

#include "cli/error.hpp"
#include "cli/file.hpp"
#include "cli/values/content.hpp"
#include "evidence/answers.hpp"

namespace rmsnorm::cli {
namespace {

using Json = nlohmann::ordered_json;

constexpr std::size_t most_bytes = 1 << 20;
constexpr const char* accepted_file =
    "a JSON object of ids and answers, such as {\"mean-square\": [12.5, 0.282843], \"zero-row\": "
    "\"b\"}";
constexpr const char* accepted_answer = "a number, an array of numbers or of shapes, or a string";

std::string place(const std::string& bytes, std::size_t offset) {
    const std::size_t before = std::min(offset, bytes.size());
    const auto end = bytes.begin() + static_cast<std::ptrdiff_t>(before);
    const std::size_t line_start = before == 0 ? 0 : bytes.rfind('\n', before - 1) + 1;
    return "line " + std::to_string(std::count(bytes.begin(), end, '\n') + 1) + ", column " +
           std::to_string(before - line_start + 1);
}

Json parsed(const std::string& origin, const std::string& bytes) {
    refuse_other_encodings(origin, bytes);
    // The parser takes a NUL for the end of its input.
    if (const std::size_t nul = bytes.find('\0'); nul != std::string::npos) {
        throw InputError(origin + ": " + place(bytes, nul) +
                         ": found \"\\x00\"; accepted: " + accepted_file);
    }
    std::set<std::string> ids;
    std::string last;  // the id whose answer is being read
    const auto watch = [&](int depth, Json::parse_event_t event, Json& value) {
        constexpr int deepest = 4;  // the object, an answer, a shape, its axes
        if (depth > deepest) {
            throw InputError(origin +
                             ": found arrays or objects nested more than 3 deep; "
                             "accepted: " +
                             accepted_file);
        }
        if (event == Json::parse_event_t::key && depth == 1) {
            last = value.get<std::string>();
            if (!ids.insert(last).second) {
                throw InputError(origin + ": " + quoted(std::as_const(last)) +
                                 ": found twice; accepted: each id once");
            }
        }
        return true;
    };
    try {
        return Json::parse(bytes, watch);
    } catch (const Json::parse_error& error) {
        const std::size_t offset = error.byte == 0 ? 0 : error.byte - 1;
        throw InputError(origin + ": " + place(bytes, offset) + ": found " +
                         (offset < bytes.size() ? quoted(bytes.substr(offset, 1))
                                                : std::string("the end of the text")) +
                         "; accepted: " + accepted_file);
    } catch (const Json::out_of_range&) {
        throw InputError(origin +
                         (ids.empty() ? std::string() : ": " + quoted(std::as_const(last))) +
                         ": found a number beyond binary64; accepted: a magnitude of at "
                         "most 1.7976931348623157e308");
    }
}

// An answer as the dialogue would read it.
std::string text_of(const std::string& origin, const Json& answer) {
    if (answer.is_string()) return answer.get<std::string>();
    if (answer.is_number() || answer.is_array()) return answer.dump();
    throw InputError(origin + ": found " + answer.type_name() + "; accepted: " + accepted_answer);
}

}  // namespace

void grade_answers(const std::string& path, std::vector<evidence::AskedPrediction>& predictions) {
    const std::string file = path == "-" ? "standard input" : printable(path);
    const std::string origin = "--answers " + file;
    const Json answers = parsed(origin, read_file(path, most_bytes));
    if (!answers.is_object()) {
        throw InputError(origin + ": found " + answers.type_name() +
                         "; accepted: " + accepted_file);
    }
    std::vector<std::string> ids;
    for (const auto& asked : predictions) ids.push_back(asked.prediction.id);
    for (const auto& [id, answer] : answers.items()) {
        const auto found = std::find(ids.begin(), ids.end(), id);
        if (found == ids.end()) {
            throw InputError(origin + ": found " + quoted(id) + "; accepted: the ids " +
                             listed(ids));
        }
        auto& asked = predictions[static_cast<std::size_t>(found - ids.begin())];
        const std::string place_of_answer = origin + ": " + quoted(id);
        try {
            asked.verdict = evidence::grade(asked.prediction, text_of(place_of_answer, answer));
        } catch (const evidence::AnswerError& error) {
            throw InputError(place_of_answer + ": " + printable(error.what()));
        }
    }
}

}  // namespace rmsnorm::cli
