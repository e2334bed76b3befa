#include "experiments/all.hpp"

#include <algorithm>

#include "experiments/exhibit/comparison.hpp"
#include "experiments/exhibit/exact.hpp"
#include "experiments/exhibit/explanation.hpp"
#include "experiments/normalization/closed_form.hpp"
#include "experiments/normalization/compare.hpp"
#include "experiments/normalization/constant.hpp"
#include "experiments/normalization/cost.hpp"
#include "experiments/normalization/dense_stack.hpp"
#include "experiments/normalization/depth.hpp"
#include "experiments/normalization/exact.hpp"
#include "experiments/normalization/explanation.hpp"
#include "experiments/normalization/latent.hpp"
#include "experiments/normalization/layer_norm.hpp"
#include "experiments/normalization/layer_norm_backward.hpp"
#include "experiments/normalization/rms_norm.hpp"
#include "experiments/normalization/rms_norm_backward.hpp"
#include "experiments/normalization/stats.hpp"
#include "experiments/predict/predictions.hpp"
#include "experiments/rmsnorm/backward.hpp"
#include "experiments/rmsnorm/batch.hpp"
#include "experiments/rmsnorm/boundaries.hpp"
#include "experiments/rmsnorm/chapter.hpp"
#include "experiments/rmsnorm/exact.hpp"
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
         "scale the input over decades: where epsilon dominates, and where it does not",
         "sweep --from 1e-6 --to 1e2", declared<SweepInputs, explained_sweep>},
        {rmsnorm, "zero", "normalize an all-zero row", "zero --width 4 --epsilon 0",
         declared<ZeroInputs, zero>, "output"},
        {rmsnorm, "batch", "normalize rows together and alone", "batch --input 3,4,0,5 --shape 2,2",
         declared<BatchInputs, checked_batch, Replayed::by_itself>, "output"},
        {rmsnorm, "history", "compare BatchNorm, LayerNorm and RMSNorm on one anchor",
         "history --anchor 1,3 --companion 5,7",
         declared<HistoryInputs, checked_history, Replayed::by_itself>, "rms_norm"},
        {rmsnorm, "boundaries", "make requests that the layer must reject", "boundaries",
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
        {rmsnorm, "recipe", "normalize as a real implementation rounds",
         "forward --recipe llama --dtype bf16 --input 3,4", declared<RecipeInputs, recipe_pass>,
         "output", Kind::variant},
        {rmsnorm, "recipes", "list how real implementations round", "recipes",
         declared<NoInputs, recipe_list>},
        {normalization_group, "stats", "measure two vectors of one shape and very different scales",
         "stats", declared<normalization::StatsInputs, normalization::stats>},
        {normalization_group, "layer-norm", "normalize with LayerNorm in binary32",
         "layer-norm --input 1,2,4",
         declared<normalization::LayerNormInputs, normalization::layer_norm>, "output"},
        {normalization_group, "rms-norm", "normalize with RMSNorm in binary32",
         "rms-norm --input 1,2,4", declared<normalization::RmsNormInputs, normalization::rms_norm>,
         "output"},
        {normalization_group, "depth",
         "stack pre-norm and post-norm layers and measure their sensitivity",
         "depth --depths 1,10,100", declared<normalization::DepthInputs, normalization::depth>},
        {normalization_group, "layer-norm-backward",
         "LayerNorm's input gradient and central differences", "layer-norm-backward --format json",
         declared<normalization::LayerNormBackwardInputs, normalization::layer_norm_backward>,
         "input_gradient"},
        {normalization_group, "constant", "exercise 1: normalize a vector of equal values",
         "constant --value 5 --width 4",
         declared<normalization::ConstantInputs, normalization::constant>},
        {normalization_group, "rms-norm-backward",
         "exercise 2: RMSNorm's gradients by formula, probe and tape", "rms-norm-backward",
         declared<normalization::RmsNormBackwardInputs, normalization::rms_norm_backward>,
         "input_gradient.closed_form"},
        {normalization_group, "dense-stack", "exercise 3: magnitudes through ten dense layers",
         "dense-stack --spread 0.125",
         declared<normalization::DenseStackInputs, normalization::dense_stack>, "rms_norm"},
        {normalization_group, "cost", "exercise 4: count the arithmetic of both norms",
         "cost --width 4096", declared<normalization::CostInputs, normalization::cost>},
        {normalization_group, "closed-form",
         "exercise 5: the factored LayerNorm backward pass and the tape", "closed-form",
         declared<normalization::ClosedFormInputs, normalization::closed_form>,
         "factored_gradient"},
        {normalization_group, "latent", "exercise 6: normalize a compressed latent, or not",
         "latent --rank 4", declared<normalization::LatentInputs, normalization::latent>},
        {exhibit_group, "compare", "compare LayerNorm and RMSNorm on any vector",
         "compare --input 1,2,-3 --offset 5", declared<ComparisonInputs, explained_comparison>,
         "rms_norm"},
        {exhibit_group, "compare-23-normalization",
         "compare LayerNorm and RMSNorm on three vectors, in binary32",
         "compare --fixture 23-normalization",
         declared<normalization::CompareInputs, normalization::compare>, "mixed.rms_norm",
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
