// A verdict as a record of evidence: what JSON, schema and pages show of it.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "evidence/check.hpp"
#include "evidence/record.hpp"
#include "judge/gradient_record.hpp"
#include "judge/part.hpp"
#include "judge/recipe_match.hpp"
#include "judge/verdict.hpp"

namespace rmsnorm::judge {

/// Of the output and the gradients together: the worst of wrong, imprecise, undecided and right.
Answer overall(const Verdict& verdict, const JudgedGradients& gradients);

/// The ids of a finding in one sentence, with its figures.
std::string statement(const Finding& finding, const Verdict& verdict);

/// Shape, formats, epsilon and gain offset; the recipe's id if one was asked for.
evidence::Record inputs(const Tensors& tensors, const std::string& recipe = "");

/// The figures, in the order of docs/judge.md; `part` when they are of some of the rows. Documents
/// hold finite numbers: an infinite error is the largest finite one.
evidence::Record results(const Verdict& verdict, const std::optional<Probe>& probe,
                         const std::vector<RecipeMatch>& recipes, const JudgedGradients& gradients,
                         const std::optional<Part>& part);

/// That output and gradients are right, and, if `strict`, that the output has no doubts.
std::vector<evidence::Check> checks(const Verdict& verdict, const JudgedGradients& gradients,
                                    bool strict);

}  // namespace rmsnorm::judge
