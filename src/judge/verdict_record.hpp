// A verdict as a record of evidence: what JSON, schema and pages show of it.
#pragma once

#include <optional>
#include <vector>

#include "evidence/check.hpp"
#include "evidence/record.hpp"
#include "judge/recipe_match.hpp"
#include "judge/verdict.hpp"

namespace rmsnorm::judge {

/// How a verdict is called: right, imprecise, wrong, undecided.
const char* name(Answer answer);

/// The ids of a finding in one sentence, with its figures.
std::string statement(const Finding& finding, const Verdict& verdict);

/// Shape, formats, epsilon and gain offset.
evidence::Record inputs(const Tensors& tensors);

/// The figures, in the order of docs/judge.md. Documents hold finite numbers: an infinite error is
/// the largest finite one.
evidence::Record results(const Verdict& verdict, const std::optional<Probe>& probe,
                         const std::vector<RecipeMatch>& recipes);

/// That the verdict is right, and, if `strict`, that it has no doubts.
std::vector<evidence::Check> checks(const Verdict& verdict, bool strict);

}  // namespace rmsnorm::judge
