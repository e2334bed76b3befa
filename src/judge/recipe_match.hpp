// Which real implementation's roundings an output follows.
#pragma once

#include <optional>
#include <span>
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

/// Whether rows are what one recipe writes, with its sum in any order: some scale that its
/// roundings can give explains every element by the products that it rounds.
class RecipeTest {
  public:
    RecipeTest(const Tensors& tensors, const Recipe& recipe);

    /// Of a row with a scale.
    bool fits(const Row& row) const;

  private:
    ScaleInterval before_rounding(Steps steps, std::span<const double> input) const;
    bool gives(const ScaleInterval& measured, const ScaleInterval& before) const;

    const Tensors& tensors_;
    Steps steps_;
    TensorFormats formats_;
    CastFormats cast_;
    Formats products_;  // in which the elements are measured
    Structure structure_;
    bool of_root_ = false;                      // what is rounded is the root, not its reciprocal
    std::optional<NumberFormat> scale_format_;  // to which that is rounded; nothing: not at all
};

}  // namespace rmsnorm::judge
