// RMSNorm by the roundings of a real implementation, to the bit, and the list of them.
#pragma once

#include <string>
#include <vector>

#include "evidence/check.hpp"
#include "evidence/default_text.hpp"
#include "evidence/record.hpp"
#include "experiments/rmsnorm/boundaries.hpp"
#include "experiments/rmsnorm/layer_inputs.hpp"
#include "judge/recipe.hpp"

namespace rmsnorm::experiments {

/// The layer's inputs, a recipe by its id, and the format of all tensors. Input and gain are
/// rounded to the format before anything is computed. The gain is the stored one: some recipes
/// add 1.
struct RecipeInputs : LayerInputs {
    std::string recipe = "llama";
    std::string dtype = "bf16";

    std::vector<Input> declared();

    /// Throws InputRejection for a recipe or format that there is none of.
    void complete(const Given& given);
};

struct RecipePass {
    RecipeInputs inputs;
    tensor::Tensor input;        // [..., d], numbers of the format
    tensor::Tensor gain;         // [d]
    tensor::Tensor mean_square;  // [..., 1]
    tensor::Tensor multiplier;   // [..., 1]: the reciprocal root, or one over what is divided by
    bool divides = false;        // the input is divided by the root
    tensor::Tensor root;         // [..., 1]: what it is divided by
    tensor::Tensor output;       // [..., d]
    std::vector<std::string> output_bits;
    std::vector<Check> checks;
};

RecipePass recipe_pass(const RecipeInputs& inputs);
Record results(const RecipePass& evidence);

struct RecipeList {
    std::vector<Check> checks;
};

RecipeList recipe_list(const NoInputs& inputs = {});
Record results(const RecipeList& evidence);
std::string text(const RecipeList& evidence, Extent extent);

}  // namespace rmsnorm::experiments
