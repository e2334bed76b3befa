// Small inputs on which mistakes differ: rows of several kinds and sizes.
#pragma once

#include <vector>

#include "judge/verdict.hpp"

namespace rmsnorm::judge {

/// Inputs to try in turn, the smallest first; all are numbers of the tensors' formats.
///
/// The first ones hold numbers of few bits, with root mean squares about that of epsilon. The later
/// ones mix rows that use every bit of a format, rows whose squares add up without an error in any
/// format, and rows with one large element, because low precision shows on some of these alone.
std::vector<Probe> probe_inputs(const Tensors& tensors);

}  // namespace rmsnorm::judge
