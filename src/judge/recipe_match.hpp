// Which real implementation's roundings an output follows.
#pragma once

#include <string>
#include <vector>

#include "judge/recipe.hpp"
#include "judge/verdict.hpp"

namespace rmsnorm::judge {

/// How many of a sample of values a recipe gives to the bit, with an ascending sum where its
/// source fixes none.
struct RecipeMatch {
    std::string id;
    bool bitwise = false;  // all of them
    double share = 0;
};

/// The recipes with the tensors' gain offset, the closest first.
std::vector<RecipeMatch> recipe_matches(const Tensors& tensors);

/// The verdict by one recipe alone: right when every sampled value is within two units in the last
/// place of the recipe's own, or within the bound of another order of its sum; else the verdict
/// stays, and what was right is wrong.
void require_recipe(const Tensors& tensors, const Recipe& recipe, Verdict& verdict);

}  // namespace rmsnorm::judge
