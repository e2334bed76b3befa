#include "experiments/predict/grading.hpp"

#include <algorithm>
#include <charconv>
#include <cmath>

#include "evidence/number_text.hpp"
#include "numeric/decimal.hpp"

namespace rmsnorm::experiments {
namespace {

constexpr std::string_view spaces = " \t\r\n";

std::string_view trimmed(std::string_view text) {
    const std::size_t start = text.find_first_not_of(spaces);
    if (start == std::string_view::npos) return {};
    return text.substr(start, text.find_last_not_of(spaces) - start + 1);
}

std::string lower(std::string_view text) {
    std::string result(text);
    for (char& c : result) {
        if (c >= 'A' && c <= 'Z') c = static_cast<char>(c - 'A' + 'a');
    }
    return result;
}

bool is_digit(char c) { return c >= '0' && c <= '9'; }

// `text` without the brackets around it, if there are any.
std::string_view without_brackets(std::string_view text) {
    const bool square = text.starts_with('[') && text.ends_with(']');
    const bool round = text.starts_with('(') && text.ends_with(')');
    return text.size() >= 2 && (square || round) ? trimmed(text.substr(1, text.size() - 2)) : text;
}

std::string excerpt(std::string_view text) {
    constexpr std::size_t longest = 40;
    return '"' + std::string(text.substr(0, longest)) + (text.size() > longest ? "...\"" : "\"");
}

struct Message {
    std::string operator()(const NoAnswer&) const { return "found no answer; accepted: one"; }

    std::string operator()(const NotANumber& error) const {
        return "found " + excerpt(error.word) + " as number " + std::to_string(error.position) +
               "; accepted: decimal numbers such as 12.5 or 1e-3, commas or spaces between them";
    }

    std::string operator()(const WrongAnswerCount& error) const {
        const bool shapes = error.kind == PredictionKind::shape;
        const auto counted = [&](std::size_t count) {
            return std::to_string(count) + (shapes ? " shape" : " number") +
                   (count == 1 ? "" : "s");
        };
        return "found " + counted(error.actual) + "; accepted: " + counted(error.expected) +
               (shapes ? ", each in brackets, such as [2, 3]"
                       : ", decimals behind a point, such as 12.5");
    }

    std::string operator()(const NotAShape& error) const {
        return "found " + excerpt(error.text) +
               "; accepted: whole numbers in brackets, such as [2, 3]";
    }

    std::string operator()(const NotAChoice& error) const {
        return "found " + excerpt(error.text) + "; accepted: a letter from a to " +
               choice_letter(error.choices - 1) + ", or words that one choice alone has";
    }
};

std::vector<double> parse_numbers(std::string_view text) {
    std::vector<double> numbers;
    std::string_view rest = without_brackets(text);
    if (rest.empty()) throw AnswerError(NoAnswer{});
    bool more = true;
    while (more) {
        const std::size_t end = std::min(rest.find_first_of(", \t\r\n"), rest.size());
        const std::string_view word = rest.substr(0, end);
        const auto number = numeric::parse_decimal(word);
        if (!number) throw AnswerError(NotANumber{std::string(word), numbers.size() + 1});
        numbers.push_back(*number);
        // One comma, with or without spaces around it, or spaces alone.
        rest = trimmed(rest.substr(end));
        more = !rest.empty();
        if (rest.starts_with(',')) rest = trimmed(rest.substr(1));
    }
    return numbers;
}

// One shape after the other, closed by its bracket or by a semicolon.
class ShapeReader {
  public:
    explicit ShapeReader(std::string_view text) : text_(text) {}

    std::vector<tensor::Shape> read() {
        const std::string form = plain_form();
        for (std::size_t at = 0; at < form.size();) {
            if (is_digit(form[at])) {
                at = axis(form, at);
                continue;
            }
            symbol(form[at]);
            ++at;
        }
        if (in_bracket_) refuse();
        close();
        return std::move(shapes_);
    }

  private:
    // Without the brackets around a list of shapes, and with a semicolon for what stands between.
    std::string plain_form() const {
        std::string form = lower(text_);
        if (form.starts_with("[[") && form.ends_with("]]")) form = form.substr(1, form.size() - 2);
        for (std::size_t at; (at = form.find("and")) != std::string::npos;) {
            form.replace(at, 3, ";");
        }
        std::replace(form.begin(), form.end(), '/', ';');
        return form;
    }

    std::size_t axis(const std::string& form, std::size_t at) {
        std::size_t size = 0;
        const auto read = std::from_chars(form.data() + at, form.data() + form.size(), size);
        if (read.ec != std::errc{}) refuse();
        current_.push_back(size);
        open_ = true;
        return static_cast<std::size_t>(read.ptr - form.data());
    }

    void symbol(char c) {
        switch (c) {
            case '[':
            case '(':
                if (in_bracket_) refuse();
                close();
                in_bracket_ = open_ = true;
                return;
            case ']':
            case ')':
                if (!in_bracket_) refuse();
                in_bracket_ = false;
                close();
                return;
            case ';':
                if (in_bracket_) refuse();
                close();
                return;
            case ' ':
            case '\t':
            case ',':
            case 'x': return;  // "2x3" too
            default: refuse();
        }
    }

    void close() {
        if (open_) shapes_.push_back(std::move(current_));
        current_.clear();
        open_ = false;
    }

    [[noreturn]] void refuse() const { throw AnswerError(NotAShape{std::string(text_)}); }

    std::string_view text_;
    std::vector<tensor::Shape> shapes_;
    tensor::Shape current_;
    bool open_ = false;  // `current_` has begun
    bool in_bracket_ = false;
};

std::size_t parse_choice(const std::vector<std::string>& choices, std::string_view text) {
    std::string word = lower(without_brackets(text));
    if (word.empty()) throw AnswerError(NoAnswer{});
    const bool marked = word.size() == 2 && (word[1] == ')' || word[1] == '.');
    const std::string letter = marked ? word.substr(0, 1) : word;
    std::vector<std::size_t> holding;
    for (std::size_t i = 0; i < choices.size(); ++i) {
        const std::string choice = lower(choices[i]);
        if (letter == choice_letter(i) || word == choice) return i;
        if (choice.find(word) != std::string::npos) holding.push_back(i);
    }
    constexpr std::size_t shortest = 3;  // shorter ones are rather mistyped letters
    if (holding.size() != 1 || word.size() < shortest) {
        throw AnswerError(NotAChoice{std::string(text), choices.size()});
    }
    return holding.front();
}

bool near(double found, double expected) {
    return std::fabs(found - expected) <= prediction_tolerance * std::fabs(expected);
}

std::string difference(const std::string& what, const std::string& found,
                       const std::string& expected) {
    return what + " is " + expected + ", not " + found + ". ";
}

std::string part_name(const Prediction& prediction, std::size_t index) {
    if (index < prediction.parts.size()) return "The " + prediction.parts[index];
    return "Value " + std::to_string(index + 1);
}

// Where the answer differs, in sentences; empty when it is right.
struct Differences {
    const Prediction& prediction;
    const Answer& found;

    std::string operator()(const std::vector<double>& expected) const {
        const auto& numbers = std::get<std::vector<double>>(found);
        std::string text;
        for (std::size_t i = 0; i < expected.size(); ++i) {
            if (near(numbers[i], expected[i])) continue;
            text += difference(part_name(prediction, i), given_text(numbers[i]),
                               figure_text(expected[i]));
        }
        return text;
    }

    std::string operator()(const std::vector<tensor::Shape>& expected) const {
        const auto& shapes = std::get<std::vector<tensor::Shape>>(found);
        std::string text;
        for (std::size_t i = 0; i < expected.size(); ++i) {
            if (shapes[i] == expected[i]) continue;
            text += difference(part_name(prediction, i) + "'s shape", tensor::to_text(shapes[i]),
                               tensor::to_text(expected[i]));
        }
        return text;
    }

    std::string operator()(std::size_t expected) const {
        if (std::get<std::size_t>(found) == expected) return "";
        return "The answer is " + choice_letter(expected) + ") " + prediction.choices[expected] +
               ". ";
    }
};

void require_count(const Prediction& prediction, std::size_t expected, std::size_t actual) {
    if (expected != actual) {
        throw AnswerError(WrongAnswerCount{prediction.kind, expected, actual});
    }
}

}  // namespace

AnswerError::AnswerError(Case rejection)
    : std::runtime_error(std::visit(Message(), rejection)), rejection_(std::move(rejection)) {}

Answer parse_answer(const Prediction& prediction, std::string_view text) {
    const std::string_view answer = trimmed(text);
    if (answer.empty()) throw AnswerError(NoAnswer{});
    if (prediction.kind == PredictionKind::choice) return parse_choice(prediction.choices, answer);
    if (prediction.kind == PredictionKind::shape) {
        auto shapes = ShapeReader(answer).read();
        require_count(prediction, prediction.parts.size(), shapes.size());
        return shapes;
    }
    auto numbers = parse_numbers(answer);
    require_count(prediction, std::get<std::vector<double>>(prediction.expected).size(),
                  numbers.size());
    return numbers;
}

Verdict grade(const Prediction& prediction, std::string_view text) {
    const Answer found = parse_answer(prediction, text);
    const std::string differences = std::visit(Differences{prediction, found}, prediction.expected);
    return {differences.empty(), answer_text(prediction, found),
            differences + prediction.explanation};
}

}  // namespace rmsnorm::experiments
