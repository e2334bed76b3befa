// Explanations of a gradient in words.
#pragma once

#include <algorithm>
#include <string>
#include <vector>

#include "judge/gradient.hpp"

namespace rmsnorm::judge {

/// Leaves the explanations that cost little more than the cheapest, which is the first. Those of
/// one id are one, with the number or the wording that fits best; its statement lists the others:
/// "epsilon is 1e-08, or 1e-12". If the first is a rounding, the gradient is imprecise, and all
/// mistakes that explain it as well are doubts.
void settle(GradientVerdict& verdict);

/// "the last row, columns from 8 on: zeros": patterns of `pattern_of`, and what stands there.
/// Without rows for a gradient that has none.
std::string statement_of_part(const std::string& rows, const std::string& columns,
                              const std::string& content);

/// What stands in a part in words: the statement of the formula with the id, if it is one's.
template <class Formula>
std::string content_in_words(const std::string& id, const std::vector<Formula>& formulas) {
    const auto found = std::find_if(formulas.begin(), formulas.end(), [&](const Formula& formula) {
        return formula.explanation.id == id;
    });
    if (found != formulas.end() && id != "zeros") return found->statement;
    return id == "copied" ? "the upstream gradient unchanged" : description(id);
}

}  // namespace rmsnorm::judge
