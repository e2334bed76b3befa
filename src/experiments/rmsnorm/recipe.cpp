#include "experiments/rmsnorm/recipe.hpp"

#include <cmath>
#include <span>
#include <utility>

#include "evidence/number_text.hpp"
#include "evidence/words.hpp"
#include "numeric/decimal.hpp"

namespace rmsnorm::experiments {
namespace {

using judge::Recipe;
using numeric::NumberFormat;
using tensor::Tensor;

Tensor rounded(const Tensor& values, NumberFormat format) {
    Tensor result = values;
    for (std::size_t index = 0; index < result.size(); ++index) {
        result[index] = numeric::round_to(format, result[index]);
    }
    return result;
}

// Refuses a value that the format would make an infinity of.
void require_in(NumberFormat format, const std::string& key, const Tensor& values) {
    const auto beyond = tensor::first_non_finite(rounded(values, format));
    if (!beyond) return;
    throw InputRejection(
        {key},
        "element " + std::to_string(*beyond + 1) + ": found " + numeric::shortest(values[*beyond]),
        evidence::magnitudes_in(format) + ", or a wider --dtype");
}

std::string words(const judge::Steps& steps, double offset) {
    return judge::sentence(steps) + (offset == 0 ? "" : "; 1 is added to the gain");
}

bool is_finite(const Tensor& values) { return !tensor::first_non_finite(values); }

}  // namespace

std::vector<Input> RecipeInputs::declared() {
    std::vector<Input> inputs = LayerInputs::declared();
    inputs.push_back({"recipe",
                      &recipe,
                      "round as an implementation does; recipes lists them",
                      {.shown_default = "the layer's own arithmetic", .value_name = "NAME"}});
    inputs.push_back({"dtype",
                      &dtype,
                      "with --recipe: the format of all tensors, f64, f32, f16 or bf16",
                      {.value_name = "FORMAT"}});
    return inputs;
}

void RecipeInputs::complete(const Given& given) {
    LayerInputs::complete(given);
    if (judge::find_recipe(recipe) == nullptr) {
        throw InputRejection({"recipe"}, "found \"" + recipe + "\"",
                             evidence::listed(judge::recipe_ids()));
    }
    const auto format = numeric::format_named(dtype);
    if (!format) {
        throw InputRejection({"dtype"}, "found \"" + dtype + "\"", "f64, f32, f16 or bf16");
    }
    require_in(*format, "input", input);
    require_in(*format, "gain", gain);
}

RecipePass recipe_pass(const RecipeInputs& inputs) {
    const Recipe& recipe = *judge::find_recipe(inputs.recipe);
    const NumberFormat format = *numeric::format_named(inputs.dtype);
    RecipePass pass;
    pass.inputs = inputs;
    pass.input = rounded(inputs.input, format);
    pass.gain = rounded(inputs.gain, format);
    const std::size_t width = pass.gain.size();
    const std::size_t rows = pass.input.size() / width;
    tensor::Shape statistics = pass.input.shape();
    statistics.back() = 1;
    pass.mean_square = Tensor::filled(statistics, 0);
    pass.multiplier = pass.root = pass.mean_square;
    std::vector<double> output(pass.input.size());
    for (std::size_t row = 0; row < rows; ++row) {
        const judge::RecipeRow figures =
            judge::compute_row(recipe.steps, {format, format, format}, inputs.epsilon,
                               recipe.gain_offset, pass.input.values().subspan(row * width, width),
                               pass.gain.values(), std::span(output).subspan(row * width, width));
        pass.mean_square[row] = figures.mean_square;
        pass.root[row] = figures.root;
        pass.multiplier[row] = figures.scale;
    }
    pass.divides = recipe.steps.root == judge::Root::division ||
                   recipe.steps.epsilon_place == judge::EpsilonPlace::outside;
    for (const double value : output) pass.output_bits.push_back(numeric::hex(format, value));
    pass.output = Tensor(pass.input.shape(), std::move(output));
    return pass;
}

Record results(const RecipePass& evidence) {
    const Recipe* const recipe = judge::find_recipe(evidence.inputs.recipe);
    Record primary;
    primary.add("steps", words(recipe->steps, recipe->gain_offset))
        .add("source", std::string(recipe->source))
        .add("input", evidence.input)
        .add("gain", evidence.gain);
    // Where squares overflow, as they do there, a document has the bits of the output alone.
    const auto presence = [](bool shown) { return shown ? Presence::present : Presence::absent; };
    primary.add("mean_square", evidence.mean_square, presence(is_finite(evidence.mean_square)));
    primary.add("root", evidence.root, presence(evidence.divides && is_finite(evidence.root)));
    primary.add("inverse_rms", evidence.multiplier,
                presence(!evidence.divides && is_finite(evidence.multiplier)));
    primary.add("output", evidence.output, presence(is_finite(evidence.output)));
    primary.add("output_bits", array_of(evidence.output_bits,
                                        [](const std::string& bits) { return Datum(bits); }));
    return Record().add("primary", std::move(primary));
}

RecipeList recipe_list(const NoInputs&) { return {}; }

Record results(const RecipeList&) {
    Array list;
    for (const Recipe& recipe : judge::recipes()) {
        list.items.emplace_back(
            Record()
                .add("id", std::string(recipe.id))
                .add("implementation", std::string(recipe.implementation))
                .add("source", std::string(recipe.source))
                .add("steps", judge::sentence(recipe.steps))
                .add("epsilon_place", recipe.steps.epsilon_place == judge::EpsilonPlace::inside
                                          ? "inside"
                                          : "outside")
                .add("default_epsilon", std::string(recipe.default_epsilon))
                .add("gain_offset", recipe.gain_offset)
                .add("sum_order", recipe.fixed_order ? "ascending" : "open"));
    }
    return Record().add("recipes", std::move(list));
}

std::string text(const RecipeList&, Extent) {
    std::string lines;
    for (const Recipe& recipe : judge::recipes()) {
        const std::string name(recipe.id);
        lines += name + std::string(name.size() < 28 ? 28 - name.size() : 1, ' ');
        lines.append(recipe.implementation).append("\n    ");
        lines += words(recipe.steps, recipe.gain_offset);
        if (recipe.steps.epsilon_place == judge::EpsilonPlace::outside) {
            lines += "; epsilon outside of the root";
        }
        lines.append("\n    ").append(recipe.source).append("\n");
    }
    return lines;
}

}  // namespace rmsnorm::experiments
