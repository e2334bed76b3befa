#include "judge/gradient_mistakes.hpp"

#include <utility>

namespace rmsnorm::judge {
namespace {

constexpr double usual_epsilons[] = {1e-3,  1e-4,    1e-5,    1e-6,   1e-7,   1e-8,
                                     1e-12, 0x1p-23, 0x1p-10, 0x1p-7, 0x1p-52};

Explanation named(std::string id, std::optional<double> value = std::nullopt) {
    Explanation explanation;
    explanation.id = std::move(id);
    explanation.value = value;
    return explanation;
}

// Where a shifted or repeated row of the upstream may come from.
template <class Formula>
void add_upstreams(std::vector<Formula>& formulas, const Formula& right, std::size_t rows) {
    const auto add = [&](const char* id, const char* statement, UpstreamReading reading,
                         double cost) {
        Formula formula = right;
        formula.explanation = named(id);
        formula.statement = statement;
        formula.upstream = reading;
        formula.cost = cost;
        formulas.push_back(std::move(formula));
    };
    add("upstream-ones", "the upstream gradient is taken as ones", UpstreamReading::ones, 1);
    add("upstream-scalar", "the upstream gradient's first element stands for all of them",
        UpstreamReading::first_element, 1.05);
    if (rows < 2) return;
    add("upstream-first-row", "the upstream gradient's first row stands for all rows",
        UpstreamReading::first_row, 1);
    add("upstream-column-major", "the upstream gradient is read with transposed strides",
        UpstreamReading::column_major, 1);
    add("upstream-shifted", "each row takes the upstream gradient of the row before it",
        UpstreamReading::previous_row, 1.1);
    add("upstream-shifted", "each row takes the upstream gradient of the row after it",
        UpstreamReading::next_row, 1.1);
}

template <class Formula>
void add_scales(std::vector<Formula>& formulas, const Formula& right,
                const GradientTensors& tensors) {
    const auto add = [&](const Explanation& explanation, const char* statement,
                         ScaleReading reading, double cost) {
        Formula formula = right;
        formula.explanation = explanation;
        formula.statement = statement;
        formula.scale = reading;
        formula.cost = cost;
        formulas.push_back(std::move(formula));
    };
    add(named("variance-for-scale"),
        "the mean square plus epsilon is used where its reciprocal root belongs",
        ScaleReading::denominator, 1);
    add(named("root-for-scale"), "the root mean square is used where its reciprocal belongs",
        ScaleReading::root, 1);
    if (tensors.epsilon > 0) {
        add(named("epsilon-missing", 0.0), "epsilon is missing", ScaleReading::other_epsilon, 1);
    }
    for (const double epsilon : usual_epsilons) {
        if (epsilon == tensors.epsilon) continue;
        add(named("epsilon-other", epsilon), "epsilon has another value",
            ScaleReading::other_epsilon, 1.1);
    }
    if (tensors.rows < 2) return;
    add(named("row-scale-shifted"), "each row takes the scale of the row before it",
        ScaleReading::previous_row, 1.05);
    add(named("row-scale-shifted"), "each row takes the scale of the row after it",
        ScaleReading::next_row, 1.05);
}

}  // namespace

std::vector<InputGradientFormula> input_gradient_formulas(const GradientTensors& tensors) {
    std::vector<InputGradientFormula> formulas(1);
    const InputGradientFormula right = formulas[0];
    const auto width = static_cast<double>(tensors.width);
    const auto add = [&](Explanation explanation, const char* statement, double cost, auto change) {
        InputGradientFormula formula = right;
        formula.explanation = std::move(explanation);
        formula.statement = statement;
        formula.cost = cost;
        change(formula);
        formulas.push_back(std::move(formula));
    };
    using Formula = InputGradientFormula;
    add(named("scale-detached"),
        "the reciprocal root mean square is taken for a constant: the second term is missing", 1,
        [](Formula& f) { f.second = 0; });
    add(named("gain-missing-inside"), "the gain is missing inside the inner sum", 1,
        [](Formula& f) { f.inner = GainReading::none; });
    add(named("gain-missing-outside"), "the gain is missing in the first term", 1,
        [](Formula& f) { f.outer = GainReading::none; });
    add(named("gain-missing"), "the gain is missing in both terms", 1,
        [](Formula& f) { f.outer = f.inner = GainReading::none; });
    add(named("gain-twice"), "the second term is multiplied by the gain once more", 1,
        [](Formula& f) { f.second_gain = GainReading::effective; });
    add(named("gain-squared"), "the gain is squared", 1.05,
        [](Formula& f) { f.outer = f.inner = GainReading::squared; });
    if (tensors.width > 1) {
        add(named("sum-for-mean"), "the inner sum is not divided by the width", 1,
            [&](Formula& f) { f.second = width; });
        add(named("divided-twice"), "the inner sum is divided by the width twice", 1.05,
            [&](Formula& f) { f.second = 1 / width; });
    }
    for (const int power : {0, 1, 2, 4, 5}) {
        add(named("scale-power", power),
            "the second term has another power of the reciprocal root mean square than the third",
            power == 2 ? 1.0 : 1.1, [&](Formula& f) { f.power = power; });
    }
    add(named("second-term-sign"), "the second term is added instead of subtracted", 1,
        [](Formula& f) { f.second = -1; });
    add(named("second-term-factor", 0.5), "the second term is halved", 1.05,
        [](Formula& f) { f.second = 0.5; });
    add(named("second-term-factor", 2.0), "the second term is doubled", 1.05,
        [](Formula& f) { f.second = 2; });
    add(named("sign"), "the sign is wrong", 1, [](Formula& f) { f.first = f.second = -1; });
    add(named("constant-factor", 2.0), "it is doubled", 1.1,
        [](Formula& f) { f.first = f.second = 2; });
    if (tensors.epsilon > 0) {
        add(named("epsilon-missing-inside"), "epsilon is missing in the second term", 1,
            [](Formula& f) { f.second_without_epsilon = true; });
    }
    add(named("layer-norm"), "it is LayerNorm's gradient", 1,
        [](Formula& f) { f.layer_norm = true; });
    add(named("mean-subtracted"), "the mean over the row is subtracted", 1,
        [](Formula& f) { f.mean_subtracted = true; });
    add(named("upstream-passed"), "the upstream gradient is passed on as it is", 1, [](Formula& f) {
        f.scale = ScaleReading::one;
        f.outer = GainReading::none;
        f.second = 0;
    });
    add(named("upstream-added"), "the upstream gradient is added, as of a residual", 1,
        [](Formula& f) { f.upstream_added = true; });
    add(named("not-normalized"), "it is the upstream gradient times the gain", 1, [](Formula& f) {
        f.scale = ScaleReading::one;
        f.second = 0;
    });
    add(named("zeros"), "it is zero", 1, [](Formula& f) { f.first = f.second = 0; });
    if (tensors.gain_offset != 0) {
        add(named("gain-offset-missing"), "the gain's offset is missing", 1,
            [](Formula& f) { f.outer = f.inner = GainReading::stored; });
    } else {
        add(named("gain-plus-one"), "1 is added to the gain", 1,
            [](Formula& f) { f.outer = f.inner = GainReading::plus_one; });
    }
    if (tensors.rows > 1) {
        add(named("inner-all-rows"), "the inner sum runs over all rows", 1,
            [](Formula& f) { f.inner_sum = InnerSum::all_rows; });
        add(named("inner-over-rows"), "the inner mean is taken over the rows, for each column",
            1.05, [](Formula& f) { f.inner_sum = InnerSum::column; });
    }
    add_upstreams(formulas, right, tensors.rows);
    add_scales(formulas, right, tensors);
    return formulas;
}

std::vector<GainGradientFormula> gain_gradient_formulas(const GradientTensors& tensors) {
    const std::size_t rows = tensors.rows;
    std::vector<GainGradientFormula> formulas(1);
    formulas[0].end_row = rows;
    const GainGradientFormula right = formulas[0];
    const auto add = [&](Explanation explanation, std::string statement, double cost, auto change) {
        GainGradientFormula formula = right;
        formula.explanation = std::move(explanation);
        formula.statement = std::move(statement);
        formula.cost = cost;
        change(formula);
        formulas.push_back(std::move(formula));
    };
    using Formula = GainGradientFormula;
    add(named("input-for-normalized"), "the input is used where the normalized value belongs", 1,
        [](Formula& f) { f.summand = Summand::input; });
    add(named("output-for-normalized"), "the output is used where the normalized value belongs", 1,
        [](Formula& f) { f.summand = Summand::output; });
    add(named("divided-by-gain"), "it is divided by the gain", 1,
        [](Formula& f) { f.summand = Summand::over_gain; });
    add(named("input-missing"), "the upstream gradient alone is summed", 1,
        [](Formula& f) { f.summand = Summand::upstream; });
    add(named("scale-squared"), "the reciprocal root mean square is squared", 1,
        [](Formula& f) { f.summand = Summand::scale_squared; });
    add(named("layer-norm"), "it is LayerNorm's gradient", 1,
        [](Formula& f) { f.summand = Summand::layer_norm; });
    add(named("sign"), "the sign is wrong", 1, [](Formula& f) { f.factor = -1; });
    add(named("magnitudes"), "magnitudes are summed", 1.05,
        [](Formula& f) { f.magnitudes = true; });
    add(named("zeros"), "it is zero", 1, [](Formula& f) { f.factor = 0; });
    add(named("constant-factor", 2.0), "it is doubled", 1.1, [](Formula& f) { f.factor = 2; });
    if (tensors.width > 1) {
        add(named("divided-by-width"), "it is divided by the width", 1.05,
            [&](Formula& f) { f.factor = 1 / static_cast<double>(tensors.width); });
    }
    if (tensors.input_gradient) {
        add(named("upstream-overwritten"),
            "the upstream gradient is overwritten by the input gradient before it is used", 1,
            [](Formula& f) { f.upstream = UpstreamReading::overwritten; });
    }
    if (rows > 1) {
        add(named("rows-averaged"), "the rows are averaged, not summed", 1,
            [&](Formula& f) { f.factor = 1 / static_cast<double>(rows); });
        add(named("first-row-only"), "the first row alone is in it", 1,
            [](Formula& f) { f.end_row = 1; });
        add(named("last-row-only"), "the last row alone is in it", 1,
            [&](Formula& f) { f.first_row = rows - 1; });
        add(named("last-row-missing"), "the last row is missing", 1,
            [&](Formula& f) { f.end_row = rows - 1; });
        add(named("first-row-missing"), "the first row is missing", 1.05,
            [&](Formula& f) { f.first_row = 1; });
    }
    for (std::size_t block = 2; block < rows && block <= 1024; block *= 2) {
        const std::string size = std::to_string(block);
        if (rows % block != 0 && rows - rows % block != rows - 1) {
            add(named("tail-rows-missing", static_cast<double>(block)),
                "the rows after the last multiple of " + size + " are missing", 1.05,
                [&](Formula& f) { f.end_row = rows - rows % block; });
        }
        add(named("block-of-rows-only", static_cast<double>(block)),
            "the first " + size + " rows alone are in it", 1.1,
            [&](Formula& f) { f.end_row = block; });
        if ((rows - 1) / block * block != rows - 1) {
            add(named("block-of-rows-only", static_cast<double>(block)),
                "the last block of " + size + " rows alone is in it", 1.1,
                [&](Formula& f) { f.first_row = (rows - 1) / block * block; });
        }
    }
    add_upstreams(formulas, right, rows);
    add_scales(formulas, right, tensors);
    return formulas;
}

}  // namespace rmsnorm::judge
