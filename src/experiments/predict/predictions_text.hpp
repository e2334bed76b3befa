// Predictions as they are asked, and as a sheet with what became of them.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

#include "evidence/figure_text.hpp"
#include "experiments/predict/predictions.hpp"

namespace rmsnorm::experiments {

/// Number, question and choices.
std::string question_text(const AskedPrediction& asked);

/// "7 right, 1 wrong, 1 not answered".
std::string score_text(const Score& score);

/// `text` in lines of at most 80 columns, each after `indent` spaces and ended.
std::string paragraph(std::string_view text, std::size_t indent);

/// Every prediction with its answer, as far as it was answered or is revealed, and the score.
std::string text(const Predictions& evidence, Extent extent);

}  // namespace rmsnorm::experiments
