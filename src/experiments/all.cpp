#include "experiments/all.hpp"

#include <algorithm>

#include "experiments/exhibit/comparison.hpp"
#include "experiments/normalization/compare.hpp"
#include "experiments/normalization/latent.hpp"
#include "experiments/predict/predictions.hpp"
#include "experiments/rmsnorm/backward.hpp"
#include "experiments/rmsnorm/batch.hpp"
#include "experiments/rmsnorm/boundaries.hpp"
#include "experiments/rmsnorm/chapter.hpp"
#include "experiments/rmsnorm/explanation.hpp"
#include "experiments/rmsnorm/forward.hpp"
#include "experiments/rmsnorm/gradient_check.hpp"
#include "experiments/rmsnorm/history.hpp"
#include "experiments/rmsnorm/layer_inputs.hpp"
#include "experiments/rmsnorm/parameters.hpp"
#include "experiments/rmsnorm/recipe.hpp"
#include "experiments/rmsnorm/scale.hpp"
#include "experiments/rmsnorm/stages.hpp"
#include "experiments/rmsnorm/sweep.hpp"
#include "experiments/rmsnorm/zero.hpp"

namespace rmsnorm::experiments {

using evidence::declared;
using evidence::Replayed;

std::span<const Entry> all() {
    constexpr std::string_view rmsnorm = "Experiments of 25-rmsnorm";
    constexpr std::string_view exhibit_group = "LayerNorm against RMSNorm";
    constexpr std::string_view normalization_group = "Experiments of 23-normalization";
    static constexpr Entry table[] = {
        {rmsnorm, "forward", "normalize an input, with every intermediate tensor",
         "forward --input 3,4 --gain 1.5,0.5 --epsilon 1e-5", declared<LayerInputs, forward>,
         "output", Kind::rows},
        {rmsnorm, "backward", "pass an adjoint back to the input and the gain",
         "backward --input 3,4 --upstream 1,-2",
         declared<BackwardInputs, checked_backward, Replayed::by_itself>, "input_gradient"},
        {rmsnorm, "stages", "show the tape node by node, with the adjoint of each",
         "stages --input 3,4 --upstream 1,-2", declared<BackwardInputs, stages>},
        {rmsnorm, "scale", "multiply the input by a factor and compare the normalized vectors",
         "scale --input 3,4 --epsilon 0,1e-5 --factor 0.001,10",
         declared<ScaleInputs, explained_scale>},
        {rmsnorm, "sweep",
         "scale the input over decades, from where epsilon rules to where it does not",
         "sweep --from 1e-6 --to 1e2", declared<SweepInputs, explained_sweep>},
        {rmsnorm, "zero", "normalize an all-zero row", "zero --width 4 --epsilon 0",
         declared<ZeroInputs, zero>},
        {rmsnorm, "batch", "normalize rows together and alone", "batch --input 3,4,0,5 --shape 2,2",
         declared<BatchInputs, checked_batch, Replayed::by_itself>},
        {rmsnorm, "history", "compare BatchNorm, LayerNorm and RMSNorm on one anchor",
         "history --anchor 1,3 --companion 5,7",
         declared<HistoryInputs, checked_history, Replayed::by_itself>},
        {rmsnorm, "boundaries", "make the requests that the layer must reject", "boundaries",
         declared<NoInputs, every_boundary>},
        {rmsnorm, "gradcheck", "compare gradients with central differences",
         "gradcheck --input 3,4 --step 1e-6 --tolerance 2e-6",
         declared<GradientCheckInputs, explained_gradient_checks>},
        {rmsnorm, "parameters", "put the gain in an optimizer group", "parameters",
         declared<ParametersInputs, parameters>},
        {rmsnorm, "replay", "compute the fixture twice and compare every bit", "replay",
         declared<NoInputs, replay, Replayed::by_itself>},
        {rmsnorm,
         "predict",
         "predict before you look: nine questions, and why an answer is wrong",
         "predict --input 3,4 --question 3",
         declared<LayerInputs, predictions>,
         {},
         Kind::dialogue},
        {rmsnorm, "recipe", "normalize by the roundings of a real implementation",
         "forward --recipe llama --dtype bf16 --input 3,4", declared<RecipeInputs, recipe_pass>,
         "output", Kind::variant},
        {rmsnorm, "recipes", "list the roundings of real implementations", "recipes",
         declared<NoInputs, recipe_list>},
        {normalization_group, "latent", "exercise 6: normalize a compressed latent, or not",
         "latent --rank 4", declared<normalization::LatentInputs, normalization::latent>},
        {exhibit_group, "compare", "compare LayerNorm and RMSNorm on any vector",
         "compare --input 1,2,-3 --offset 5", declared<ComparisonInputs, explained_comparison>},
        {exhibit_group,
         "compare-23-normalization",
         "compare LayerNorm and RMSNorm on three vectors, in binary32",
         "compare --fixture 23-normalization",
         declared<normalization::CompareInputs, normalization::compare>,
         {},
         Kind::variant},
    };
    return table;
}

const Entry* named(std::string_view name) {
    const auto found = std::find_if(all().begin(), all().end(),
                                    [&](const Entry& entry) { return entry.name == name; });
    return found == all().end() ? nullptr : &*found;
}

const Entry* refinement(const Entry& entry) {
    return entry.name == "forward" ? named("recipe") : nullptr;
}

}  // namespace rmsnorm::experiments
