#include "judge/recipe_match.hpp"

#include <algorithm>
#include <cmath>

#include "judge/sample.hpp"
#include "numeric/elementary.hpp"

namespace rmsnorm::judge {
namespace {

constexpr std::size_t most_sampled_rows = 16;
constexpr std::size_t sampled_values = 20'000;

std::vector<Row> sample_of(const Tensors& tensors) {
    const std::size_t most = std::clamp<std::size_t>(
        sampled_values / std::max<std::size_t>(tensors.width, 1), 1, most_sampled_rows);
    return ordinary_sample(tensors, most);
}

std::vector<double> output_of(const Tensors& tensors, const Steps& steps, const Row& row) {
    std::vector<double> output(row.input.size());
    const TensorFormats formats{tensors.formats.input, tensors.formats.gain,
                                tensors.formats.output};
    compute_row(steps, formats, tensors.epsilon, tensors.gain_offset, row.input, row.gain, output);
    return output;
}

bool same(double a, double b) { return a == b || (std::isnan(a) && std::isnan(b)); }

// The values of the rows that the steps give to the bit.
std::size_t equal_values(const Tensors& tensors, const Steps& steps, const std::vector<Row>& rows) {
    std::size_t equal = 0;
    for (const Row& row : rows) {
        const std::vector<double> output = output_of(tensors, steps, row);
        for (std::size_t i = 0; i < output.size(); ++i) {
            equal += same(output[i], row.output[i]) ? 1U : 0U;
        }
    }
    return equal;
}

}  // namespace

std::vector<RecipeMatch> recipe_matches(const Tensors& tensors) {
    std::vector<RecipeMatch> matches;
    const std::vector<Row> rows = sample_of(tensors);
    const std::size_t values = rows.size() * tensors.width;
    for (const Recipe& recipe : recipes()) {
        if (recipe.gain_offset != tensors.gain_offset || rows.empty()) continue;
        std::size_t equal = 0;
        for (const Steps& steps : variants(recipe.steps)) {
            equal = std::max(equal, equal_values(tensors, steps, rows));
        }
        matches.push_back({std::string(recipe.id), equal == values,
                           static_cast<double>(equal) / static_cast<double>(values)});
    }
    std::stable_sort(matches.begin(), matches.end(),
                     [](const RecipeMatch& a, const RecipeMatch& b) { return a.share > b.share; });
    return matches;
}

RecipeTest::RecipeTest(const Tensors& tensors, const Recipe& recipe)
    : tensors_(tensors),
      steps_(recipe.steps),
      formats_{tensors.formats.input, tensors.formats.gain, tensors.formats.output},
      cast_(cast_formats(recipe.steps, formats_)),
      products_{cast_.last_product, cast_.products.gain, tensors.formats.output} {
    // What a cast left in binary32 stays there, whatever stores it.
    if (products_.arithmetic() != tensors.formats.arithmetic() && !products_.rounds_output()) {
        products_.output = products_.arithmetic();
    }
    const int bits = numeric::precision(products_.arithmetic());
    if (numeric::precision(cast_.first_product) < bits) {
        structure_.inner = cast_.first_product;
        structure_.factoring =
            steps_.products == Products::normalized_first   ? Factoring::value_first
            : steps_.products == Products::gain_scale_first ? Factoring::gain_first
                                                            : Factoring::product_first;
    }
    // Division and root of fast arithmetic, as in right_structures.
    if (!products_.rounds_output()) structure_.roundings = 8;
    const bool outside = steps_.epsilon_place == EpsilonPlace::outside;
    of_root_ = outside || steps_.root != Root::reciprocal;
    const NumberFormat scale =
        rounding_format(outside ? Rounding::input : steps_.scale, cast_.statistics);
    if (numeric::precision(scale) < bits) scale_format_ = scale;
}

// The root, or its reciprocal, that a sum in any order gives before it is rounded to the scale's
// format: the squares pass as many roundings as docs/judge.md counts, and every later step is
// monotone.
ScaleInterval RecipeTest::before_rounding(Steps steps, std::span<const double> input) const {
    const NumberFormat arithmetic = rounding_format(Rounding::wide, cast_.statistics);
    const double u = numeric::unit_roundoff(arithmetic);
    const NumberFormat squared = rounding_format(steps_.statistics, cast_.statistics);
    DoubleDouble total;
    for (const double stored : input) {
        const double x = numeric::round_to(cast_.statistics.input, stored);
        total = total + (numeric::precision(squared) < numeric::precision(arithmetic)
                             ? DoubleDouble(numeric::round_to(squared, x * x))
                             : product(x, x));
    }
    const double n = static_cast<double>(input.size());
    const double slack = (n + 16) * u / std::max(1 - (n + 16) * u, 0.5);
    const double underflow = n * numeric::smallest_normal(arithmetic);
    steps.scale = Rounding::wide;
    const auto of = [&](double sum) {
        const RecipeRow row =
            figures_of_sum(steps, formats_, tensors_.epsilon, input.size(), std::max(sum, 0.0));
        return of_root_ ? row.root : row.scale;
    };
    const double ends[] = {of(total.high * (1 - slack) - underflow),
                           of(total.high * (1 + slack) + underflow)};
    const double low = std::min(ends[0], ends[1]);
    const double high = std::max(ends[0], ends[1]);
    const bool outside = steps_.epsilon_place == EpsilonPlace::outside;
    const double root = outside ? 0 : (6 + 2 * std::fabs(numeric::log(std::max(low, 1e-300)))) * u;
    return {low * (1 - root), high * (1 + root)};
}

bool RecipeTest::fits(const Row& row) const {
    std::vector<double> input = row.input;
    for (double& value : input) value = numeric::round_to(cast_.products.input, value);
    std::vector<double> gain = row.gain;
    for (double& value : gain) {
        value = effective_gain(steps_, cast_, tensors_.gain_offset, value);
    }
    const auto is_written = [&](double value) {
        return products_.output == tensors_.formats.output || std::isinf(value) ||
               numeric::is_in(products_.output, value);
    };
    if (!std::all_of(row.output.begin(), row.output.end(), is_written)) return false;
    const ScaleInterval measured = measured_scale(structure_, products_, {input, gain, row.output});
    if (measured.empty()) return false;
    const std::vector<Steps> ways = variants(steps_);
    return std::any_of(ways.begin(), ways.end(), [&](const Steps& steps) {
        return gives(measured, before_rounding(steps, row.input));
    });
}

// Whether a rounding of the root, or of its reciprocal, gives a scale that was measured.
bool RecipeTest::gives(const ScaleInterval& measured, const ScaleInterval& before) const {
    if (!scale_format_) {
        if (!of_root_) return measured.meets(before);
        return measured.meets({DoubleDouble(1) / before.high, DoubleDouble(1) / before.low});
    }
    // Only scales near the measured ones may give one of them.
    ScaleInterval near = measured;
    if (of_root_) near = {DoubleDouble(1) / measured.high, DoubleDouble(1) / measured.low};
    const double margin = 4 * numeric::unit_roundoff(*scale_format_);
    const auto rounded = [&](DoubleDouble value) {
        return numeric::round_to(*scale_format_, value.high);
    };
    const auto next_down = [&](double value) { return numeric::next_down(*scale_format_, value); };
    const auto next_up = [&](double value) { return numeric::next_up(*scale_format_, value); };
    const double first =
        std::max(rounded(before.low), next_down(rounded(changed_by(near.low, -margin))));
    const double last =
        std::min(rounded(before.high), next_up(rounded(changed_by(near.high, margin))));
    const double u = numeric::unit_roundoff(products_.arithmetic());
    for (double scale = first; scale <= last; scale = next_up(scale)) {
        double factor = of_root_ ? 1 / scale : scale;
        if (steps_.root == Root::root_reciprocal) {
            factor = numeric::round_to(*scale_format_, factor);
        }
        if (measured.meets({factor * (1 - 2 * u), factor * (1 + 2 * u)})) return true;
        if (std::isinf(scale)) break;
    }
    return false;
}

}  // namespace rmsnorm::judge
