#include "judge/recipe_match.hpp"

#include <algorithm>
#include <cmath>

#include "judge/parts.hpp"

namespace rmsnorm::judge {
namespace {

constexpr std::size_t sampled_rows = 16;
constexpr std::size_t sampled_values = 20'000;

std::vector<Row> sample_of(const Tensors& tensors) {
    const std::size_t most = std::clamp<std::size_t>(
        sampled_values / std::max<std::size_t>(tensors.width, 1), 1, sampled_rows);
    return ordinary_sample(tensors, *view_of(tensors, View::plain), most);
}

std::vector<double> output_of(const Tensors& tensors, const Recipe& recipe, const Row& row) {
    std::vector<double> output(row.input.size());
    const TensorFormats formats{tensors.formats.input, tensors.formats.gain,
                                tensors.formats.output};
    compute_row(recipe.steps, formats, tensors.epsilon, tensors.gain_offset, row.input, row.gain,
                output);
    return output;
}

bool same(double a, double b) { return a == b || (std::isnan(a) && std::isnan(b)); }

}  // namespace

std::vector<RecipeMatch> recipe_matches(const Tensors& tensors) {
    std::vector<RecipeMatch> matches;
    const std::vector<Row> rows = sample_of(tensors);
    for (const Recipe& recipe : recipes()) {
        if (recipe.gain_offset != tensors.gain_offset || rows.empty()) continue;
        std::size_t values = 0;
        std::size_t equal = 0;
        for (const Row& row : rows) {
            const std::vector<double> output = output_of(tensors, recipe, row);
            for (std::size_t i = 0; i < output.size(); ++i) {
                equal += same(output[i], row.output[i]) ? 1U : 0U;
            }
            values += output.size();
        }
        matches.push_back({std::string(recipe.id), equal == values,
                           static_cast<double>(equal) / static_cast<double>(values)});
    }
    std::stable_sort(matches.begin(), matches.end(),
                     [](const RecipeMatch& a, const RecipeMatch& b) { return a.share > b.share; });
    return matches;
}

void require_recipe(const Tensors& tensors, const Recipe& recipe, Verdict& verdict) {
    if (verdict.answer == Answer::undecided) return;
    const double most = verdict.answer == Answer::right && recipe.steps.statistics == Rounding::wide
                            ? std::max(2.0, verdict.error.bound_ulp)
                            : 2.0;
    double largest = 0;
    for (const Row& row : sample_of(tensors)) {
        const std::vector<double> output = output_of(tensors, recipe, row);
        for (std::size_t i = 0; i < output.size(); ++i) {
            if (same(output[i], row.output[i])) continue;
            const double size = std::max(std::fabs(output[i]), std::fabs(row.output[i]));
            const double ulp =
                numeric::ulp(tensors.formats.output, std::isfinite(size) ? size : 0.0);
            const double distance = std::fabs(output[i] - row.output[i]) / ulp;
            largest = std::isnan(distance) ? HUGE_VAL : std::max(largest, distance);
        }
    }
    const bool follows = largest <= most;
    verdict.facts.push_back({"the output " + std::string(follows ? "follows" : "does not follow") +
                             " the recipe " + std::string(recipe.id)});
    if (follows) {
        verdict.answer = Answer::right;
        verdict.findings.clear();
    } else if (verdict.answer == Answer::right) {
        verdict.answer = Answer::wrong;
        verdict.findings.push_back(
            {{{"unknown", "another recipe's roundings", {}, {}, {}}}, {}, 0, 0, 3, {}});
    }
}

}  // namespace rmsnorm::judge
