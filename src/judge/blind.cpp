#include "judge/blind.hpp"

#include <algorithm>

#include "judge/parts.hpp"

namespace rmsnorm::judge {
namespace {

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
        : tensors_(tensors), catalogue_(catalogue), right_(right), rows_(rows), sample_(tensors) {
        sample_.rows = rows_.size();
        sample_.held.clear();
        sample_.input = reader_of(&Row::input);
        sample_.output = reader_of(&Row::output);
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
        consider_columns();
        consider_other_rows();
        return std::move(hidden_);
    }

  private:
    static bool is_among(const std::vector<std::string>& ids, const std::string& id) {
        return std::find(ids.begin(), ids.end(), id) != ids.end();
    }

    // The first variant of each id, which is the usual one; of another epsilon every usual value
    // until one is hidden, because any of them may be the program's.
    bool is_considered(const Explanation& explanation) {
        const std::string& id = explanation.id;
        if (!is_among(seen_, id)) {
            seen_.push_back(id);
            return true;
        }
        const bool is_epsilon = id == "epsilon-other" || id == "epsilon-machine";
        return is_epsilon && explanation.detail.empty() && !is_among(hidden_, id);
    }

    void consider(const Explanation& explanation, const Hypothesis& h) {
        if (!is_considered(explanation)) return;
        consider_outputs(explanation.id, [&](std::size_t k) {
            return simulated_output(tensors_, catalogue_, rows_[k], h);
        });
    }

    // `output_of` gives the output of row `k`, or nothing where it has no result.
    template <class Output>
    void consider_outputs(const std::string& id, Output output_of) {
        std::vector<std::vector<double>> outputs;
        for (std::size_t k = 0; k < rows_.size(); ++k) {
            outputs.push_back(output_of(k));
            if (outputs.back().empty()) return;
            if (!accepts(right_, rows_.subspan(k, 1), {outputs.back()})) return;
        }
        if (accepts(right_, rows_, outputs)) hidden_.push_back(id);
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
        const auto parts = view_of(sample_, View::grouped, groups);
        consider_outputs("grouped", [&](std::size_t k) {
            std::vector<double> output;
            for (std::size_t part = 0; part < groups; ++part) {
                std::vector<double> normalized = normalized_row(*parts, k * groups + part);
                if (normalized.empty()) return normalized;
                output.insert(output.end(), normalized.begin(), normalized.end());
            }
            return output;
        });
    }

    // The right output of a row of a view.
    std::vector<double> normalized_row(const Rows& rows, std::size_t index) const {
        Row row;
        rows.read(index, row);
        return simulated_output(tensors_, catalogue_, row, hypothesis_);
    }

    // The mean down each column.
    void consider_columns() {
        const auto rows = view_of(sample_, View::transposed);
        std::vector<std::vector<double>> columns;
        for (std::size_t i = 0; i < tensors_.width; ++i) {
            columns.push_back(normalized_row(*rows, i));
            if (columns.back().empty()) return;
        }
        consider_outputs("batch-axis", [&](std::size_t k) {
            std::vector<double> output;
            for (const std::vector<double>& column : columns) output.push_back(column[k]);
            return output;
        });
    }

    void consider_other_rows() {
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
            const auto source = view_of(sample_, view);
            bool all = true;
            for (std::size_t k = 0; k < rows_.size(); ++k) {
                const Row& row = rows_[k];
                std::vector<double> output = normalized_row(*source, k);
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
    Tensors sample_;  // the sampled rows, as if they were all
    Hypothesis hypothesis_;
    std::vector<std::string> seen_;
    std::vector<std::string> hidden_;
};

}  // namespace

std::vector<std::string> hidden_mistakes(const Tensors& tensors, const Catalogue& catalogue,
                                         const RightTest& right, const Form& form,
                                         std::span<const Row> rows) {
    if (rows.empty()) return {};
    std::vector<std::string> hidden = Simulation(tensors, catalogue, right, form, rows).hidden();
    std::sort(hidden.begin(), hidden.end());
    return hidden;
}

}  // namespace rmsnorm::judge
