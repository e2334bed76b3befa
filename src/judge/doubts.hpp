// Formulas that fit a right output better than RMSNorm's own does, and that the bound cannot tell.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "judge/search.hpp"
#include "judge/verdict.hpp"

namespace rmsnorm::judge {

struct Doubts {
    std::vector<std::string> ids;
    std::vector<Fact> facts;  // numbers that were read off
};

/// Formulas that meet the measured scales of all rows to ten units, and an epsilon or a factor that
/// does, while RMSNorm's own scale is further off than any order of its sum makes it on these rows
/// (docs/judge.md). Always empty when a last rounding makes the output: then the measured scales
/// are too wide to tell.
Doubts doubts(const Tensors& tensors, const Catalogue& catalogue, std::span<const Row> rows);

}  // namespace rmsnorm::judge
