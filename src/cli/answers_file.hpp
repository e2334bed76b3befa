// A JSON file of answers to predictions: {"mean-square": [12.5, 0.282843], "zero-row": "b"}.
#pragma once

#include <string>
#include <vector>

#include "experiments/predict/predictions.hpp"

namespace rmsnorm::cli {

/// Grades each answer of the file (`-` is standard input) and leaves the others unanswered. The
/// object's keys are ids of predictions; an answer is a number, an array of numbers or of shapes,
/// or a string as a dialogue takes it. Throws IoError, and InputError that names the file, the id
/// or the line and column, what was found and what is accepted.
void grade_answers(const std::string& path, std::vector<experiments::AskedPrediction>& predictions);

}  // namespace rmsnorm::cli
