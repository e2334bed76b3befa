// Predictions asked one after the other: questions on standard output, answers on standard input.
#pragma once

#include <vector>

#include "experiments/predict/predictions.hpp"

namespace rmsnorm::cli {

/// Asks until every prediction is answered or skipped, or until the input ends, and sets the
/// verdicts. An answer of the wrong kind is asked for again; `?` gives a hint, an empty line skips,
/// `q` stops. Ends with the score. Needs no terminal: lines from elsewhere are shown as they are
/// read. Throws IoError, and InputError for a line of more than 64 KiB.
void hold_dialogue(std::vector<experiments::AskedPrediction>& predictions);

}  // namespace rmsnorm::cli
