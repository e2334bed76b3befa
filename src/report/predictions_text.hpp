// Predictions as they are asked, and as a sheet with what became of them.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

#include "evidence/predictions.hpp"
#include "report/figures.hpp"

namespace rmsnorm::report {

/// Number, question and choices.
std::string question_text(const evidence::AskedPrediction& asked);

/// "7 right, 1 wrong, 1 not answered".
std::string score_text(const evidence::Score& score);

/// `text` in lines of at most 80 columns, each after `indent` spaces and ended.
std::string paragraph(std::string_view text, std::size_t indent);

/// Every prediction with its answer, as far as it was answered or is revealed, and the score.
std::string text(const evidence::Predictions& evidence, Extent extent);

}  // namespace rmsnorm::report
