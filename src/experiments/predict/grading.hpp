// Answers to predictions: read from text, and graded.
#pragma once

#include <cstddef>
#include <stdexcept>
#include <string>
#include <string_view>
#include <variant>

#include "experiments/predict/predictions.hpp"

namespace rmsnorm::experiments {

struct NoAnswer {};

struct NotANumber {
    std::string word;
    std::size_t position;  // from 1
};

/// Numbers or shapes, too many or too few.
struct WrongAnswerCount {
    PredictionKind kind;
    std::size_t expected;
    std::size_t actual;
};

struct NotAShape {
    std::string text;
};

struct NotAChoice {
    std::string text;
    std::size_t choices;
};

/// An answer that is not of its prediction's kind: neither right nor wrong. What it quotes may hold
/// any byte.
class AnswerError : public std::runtime_error {
  public:
    using Case = std::variant<NoAnswer, NotANumber, WrongAnswerCount, NotAShape, NotAChoice>;

    explicit AnswerError(Case rejection);

    const Case& rejection() const { return rejection_; }

  private:
    Case rejection_;
};

/// Numbers stand between spaces or commas, with brackets around them or without: "12.5", "[3,4]",
/// "3, 4", "3 4". So do the axes of a shape; several shapes have brackets, or a semicolon, a slash
/// or "and" between them. A choice is named by its letter (b, "b)", "(b)"), its words, or a part of
/// them that no other choice has. Throws AnswerError.
Answer parse_answer(const Prediction& prediction, std::string_view text);

/// Whether an answer is right; depends on its arguments alone. Throws AnswerError.
Verdict grade(const Prediction& prediction, std::string_view text);

}  // namespace rmsnorm::experiments
