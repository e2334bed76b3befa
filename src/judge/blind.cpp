#include "judge/blind.hpp"

#include <algorithm>
#include <cmath>

#include "judge/parts.hpp"

namespace rmsnorm::judge {
namespace {

constexpr double to_the_last_digits = 10;

bool accepts(const RightTest& right, std::span<const Row> rows,
             const std::vector<std::vector<double>>& outputs) {
    std::vector<bool> alive(right.forms(), true);
    std::vector<bool> fits;
    for (std::size_t k = 0; k < rows.size(); ++k) {
        Row row = rows[k];
        row.output = outputs[k];
        const std::optional<Scale> scale = right.scale(row.input);
        if (!scale) continue;
        right.fits(row, *scale, fits);
        bool any = false;
        for (std::size_t i = 0; i < alive.size(); ++i) {
            alive[i] = alive[i] && fits[i];
            any = any || alive[i];
        }
        if (!any) return false;
    }
    return true;
}

class Simulation {
  public:
    Simulation(const Tensors& tensors, const Catalogue& catalogue, const RightTest& right,
               const Form& form, std::span<const Row> rows)
        : tensors_(tensors), catalogue_(catalogue), right_(right), rows_(rows) {
        hypothesis_.reading = catalogue.readings[0];
        hypothesis_.reading.structure = form.structure;
        hypothesis_.gain = form.rounds_gain ? 1 : 0;
    }

    std::vector<std::string> hidden() {
        for (std::size_t i = 0; i < catalogue_.formulas.size(); ++i) {
            const Explanation& explanation = catalogue_.formulas[i].explanation;
            // A program has its low precision from its tensors, where they have one.
            if (tensors_.formats.rounds_output() && is_imprecision(explanation) &&
                explanation.dtype && explanation.dtype != tensors_.formats.output) {
                continue;
            }
            Hypothesis h = hypothesis_;
            h.formula = i;
            consider(explanation, h);
        }
        for (std::size_t i = 1; i < catalogue_.inputs.size(); ++i) {
            Hypothesis h = hypothesis_;
            h.input = i;
            consider(*catalogue_.inputs[i].explanation, h);
        }
        for (std::size_t i = 1; i < catalogue_.gains.size(); ++i) {
            if (!catalogue_.gains[i].explanation) continue;
            Hypothesis h = hypothesis_;
            h.gain = i;
            consider(*catalogue_.gains[i].explanation, h);
        }
        for (const Reading& reading : catalogue_.readings) {
            if (reading.explanations.empty() || reading.explanations[0].id != "output-truncated") {
                continue;
            }
            Hypothesis h = hypothesis_;
            h.reading = reading;
            consider(reading.explanations[0], h);
        }
        Hypothesis doubled = hypothesis_;
        doubled.estimate = Estimate::factor;
        doubled.explanations = {{"constant-factor", "", 2.0, {}, {}}};
        consider(doubled.explanations[0], doubled);
        consider_parts_of_rows();
        consider_other_rows();
        return std::move(hidden_);
    }

  private:
    // The first variant of each id, which is the usual one.
    bool is_new(const std::string& id) {
        if (std::find(seen_.begin(), seen_.end(), id) != seen_.end()) return false;
        seen_.push_back(id);
        return true;
    }

    void consider(const Explanation& explanation, const Hypothesis& h) {
        if (!is_new(explanation.id)) return;
        for (const Row& row : rows_) {
            std::vector<double> output = simulated_output(tensors_, catalogue_, row, h);
            if (output.empty()) return;  // it has no result here
            if (!accepts(right_, std::span(&row, 1), {std::move(output)})) return;
        }
        std::vector<std::vector<double>> outputs;
        for (const Row& row : rows_) {
            outputs.push_back(simulated_output(tensors_, catalogue_, row, h));
        }
        if (accepts(right_, rows_, outputs)) hidden_.push_back(explanation.id);
    }

    // Half of the features, and the fewest groups that the width has.
    void consider_parts_of_rows() {
        const std::size_t width = tensors_.width;
        Hypothesis half = hypothesis_;
        half.estimate = Estimate::prefix;
        half.explanations = {{"partial-mean", "", {}, width / 2, {}}};
        if (width > 1) consider(half.explanations[0], half);
        std::size_t groups = 2;
        while (groups < width && width % groups != 0) ++groups;
        if (groups > std::min<std::size_t>(width, 64)) return;
        std::vector<std::vector<double>> outputs;
        for (const Row& row : rows_) {
            std::vector<double> output;
            for (std::size_t first = 0; first < width; first += width / groups) {
                const auto part = [&](const std::vector<double>& values) {
                    const auto from = values.begin() + static_cast<std::ptrdiff_t>(first);
                    return std::vector(from, from + static_cast<std::ptrdiff_t>(width / groups));
                };
                const std::vector<double> normalized =
                    output_of({row.index, part(row.input), part(row.gain), {}});
                if (normalized.empty()) return;
                output.insert(output.end(), normalized.begin(), normalized.end());
            }
            if (!accepts(right_, std::span(&row, 1), {output})) return;
            outputs.push_back(std::move(output));
        }
        if (accepts(right_, rows_, outputs)) hidden_.push_back("grouped");
    }

    std::vector<double> output_of(const Row& row) const {
        return simulated_output(tensors_, catalogue_, row, hypothesis_);
    }

    // The mean down each column, of the sampled rows as if they were all.
    void consider_columns() {
        std::vector<std::vector<double>> outputs(rows_.size(), std::vector<double>(tensors_.width));
        for (std::size_t i = 0; i < tensors_.width; ++i) {
            Row column{i, {}, std::vector<double>(rows_.size(), rows_[0].gain[i]), {}};
            for (const Row& row : rows_) column.input.push_back(row.input[i]);
            const std::vector<double> normalized = output_of(column);
            if (normalized.empty()) return;
            for (std::size_t k = 0; k < rows_.size(); ++k) outputs[k][i] = normalized[k];
        }
        if (accepts(right_, rows_, outputs)) hidden_.push_back("batch-axis");
    }

    // Among the sampled rows, as if they were all.
    void consider_other_rows() {
        consider_columns();
        Tensors sample = tensors_;
        sample.rows = rows_.size();
        sample.held.clear();
        sample.input = reader_of(&Row::input);
        sample.output = reader_of(&Row::output);
        const struct {
            View view;
            const char* id;
        } views[] = {{View::rows_shifted_down, "rows-shifted"},
                     {View::rows_reversed, "rows-reversed"},
                     {View::column_major_input, "column-major-input"}};
        for (const auto& [view, id] : views) {
            if (rows_.size() < 2) {
                hidden_.push_back(id);
                continue;
            }
            const auto source = view_of(sample, view);
            bool all = true;
            for (std::size_t k = 0; k < rows_.size(); ++k) {
                const Row& row = rows_[k];
                Row other;
                source->read(k, other);
                std::vector<double> output =
                    simulated_output(tensors_, catalogue_, other, hypothesis_);
                all = all &&
                      (output.empty() || accepts(right_, std::span(&row, 1), {std::move(output)}));
                if (!all) break;
            }
            if (all) hidden_.push_back(id);
        }
        if (rows_.size() < 2) {
            for (const char* id : {"row-scale-shifted", "row-scale-first", "sum-not-reset",
                                   "all-rows-mean", "column-major-output"}) {
                hidden_.push_back(id);
            }
        }
    }

    ElementReader reader_of(std::vector<double> Row::*tensor) const {
        return [this, tensor](std::size_t first, std::size_t stride, std::span<double> elements) {
            for (std::size_t i = 0; i < elements.size(); ++i) {
                const std::size_t at = first + i * stride;
                elements[i] = (rows_[at / tensors_.width].*tensor)[at % tensors_.width];
            }
        };
    }

    const Tensors& tensors_;
    const Catalogue& catalogue_;
    const RightTest& right_;
    std::span<const Row> rows_;
    Hypothesis hypothesis_;
    std::vector<std::string> seen_;
    std::vector<std::string> hidden_;
};

// Whether one of the usual orders of summation gives the measured scale of every row.
bool some_order_fits(const Tensors& tensors, const std::vector<RowTest>& tests) {
    const NumberFormat arithmetic = tensors.formats.arithmetic();
    for (std::size_t order = 0; order < common_orders(); ++order) {
        const bool all = std::all_of(tests.begin(), tests.end(), [&](const RowTest& test) {
            const double mean = mean_square_in_order(order, arithmetic, test.context.input);
            const double v = mean + tensors.epsilon;
            return distance_in_roundoffs(test.measured, 1 / std::sqrt(v), arithmetic) <=
                   to_the_last_digits;
        });
        if (all) return true;
    }
    return false;
}

}  // namespace

std::vector<std::string> hidden_mistakes(const Tensors& tensors, const Catalogue& catalogue,
                                         const RightTest& right, const Form& form,
                                         std::span<const Row> rows) {
    if (rows.empty()) return {};
    std::vector<std::string> hidden = Simulation(tensors, catalogue, right, form, rows).hidden();
    std::sort(hidden.begin(), hidden.end());
    return hidden;
}

std::vector<std::string> doubts(const Tensors& tensors, const Catalogue& catalogue,
                                std::span<const Row> rows) {
    if (tensors.formats.rounds_output() || rows.size() < 3) return {};
    const NumberFormat arithmetic = tensors.formats.arithmetic();
    std::vector<RowTest> tests;
    double largest = 0;
    for (const Row& row : rows) {
        tests.push_back(
            test_row(tensors, row, catalogue.inputs[0], catalogue.gains[0], catalogue.readings[0]));
        if (tests.back().measured.empty()) return {};
        const std::optional<Scale> scale = right_scale(tests.back().context);
        if (!scale) continue;
        // Right by another way to round, whose scale is not known to the last digits.
        if (!tests.back().measured.meets(scale->interval())) return {};
        largest = std::max(largest,
                           distance_in_roundoffs(tests.back().measured, scale->exact, arithmetic));
    }
    double logarithm = 0;
    for (std::size_t n = tensors.width; n > 1; n /= 2) ++logarithm;
    if (largest <= logarithm + 24) return {};
    std::vector<std::string> ids;
    RowSquares squares(tensors);
    for (RowTest& test : tests) test.context.all_rows = &squares;
    for (const ScaleFormula& formula : catalogue.formulas) {
        const std::string& id = formula.explanation.id;
        if (is_imprecision(formula.explanation)) continue;
        if (std::find(ids.begin(), ids.end(), id) != ids.end()) continue;
        const bool fits = std::all_of(tests.begin(), tests.end(), [&](const RowTest& test) {
            const std::optional<Scale> scale = formula.scale(test.context);
            return scale && distance_in_roundoffs(test.measured, scale->exact, arithmetic) <=
                                to_the_last_digits;
        });
        if (fits) ids.push_back(id);
    }
    if (!ids.empty() && some_order_fits(tensors, tests)) ids.clear();
    return ids;
}

}  // namespace rmsnorm::judge
