#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <iterator>
#include <limits>
#include <string>
#include <utility>

#include "evidence/number_text.hpp"
#include "judge/blind.hpp"
#include "judge/coincidence.hpp"
#include "judge/doubts.hpp"
#include "judge/estimates.hpp"
#include "judge/parts.hpp"
#include "judge/pass.hpp"
#include "judge/right_test.hpp"
#include "judge/row_statistics.hpp"
#include "judge/sample.hpp"
#include "judge/unknown.hpp"

namespace rmsnorm::judge {
namespace {

constexpr std::size_t table_rows = 8;

class Judge {
  public:
    // `tensors` hold the rows to keep, at least.
    Judge(const Tensors& tensors, const Pass& pass, bool lists_blind_spots)
        : tensors_(tensors),
          pass_(pass),
          lists_blind_spots_(lists_blind_spots),
          right_(tensors),
          rows_(view_of(tensors, View::plain)) {}

    Verdict run() {
        verdict_.recipe = pass_.recipe;
        if (tensors_.rows == 0 || tensors_.width == 0) {
            verdict_.facts.push_back({"there are no elements here: nothing was compared"});
            return std::move(verdict_);
        }
        verdict_.rows_judged = pass_.judged;
        verdict_.rows_skipped = pass_.skipped_rows;
        verdict_.error = pass_.error;
        verdict_.rows_outside = tensors_.rows + 1;
        for (std::size_t i = 0; i < right_.forms(); ++i) {
            const auto outside = static_cast<std::size_t>(
                std::count(pass_.outside[i].begin(), pass_.outside[i].end(), true));
            if (outside >= verdict_.rows_outside) continue;
            best_ = i;
            verdict_.rows_outside = outside;
        }
        const Form best = right_.form(best_);
        fill_table();
        finish_error(best);
        if (verdict_.rows_outside == 0) {
            conclude_right(best);
        } else {
            conclude_wrong();
        }
        if (!pass_.recipe.empty()) conclude_recipe();
        return std::move(verdict_);
    }

  private:
    void finish_error(const Form& form) {
        if (!pass_.ordinary) return;
        Row row;
        rows_->read(verdict_.error.row, row);
        const std::optional<Scale> scale = right_.scale(row.input);
        if (!scale) return;
        const std::size_t column = verdict_.error.column;
        const double by_gain =
            std::fabs((right_.gain(best_)[column] - right_.gain()[column]) * row.input[column]) *
            scale->exact.high;
        verdict_.error.bound_ulp =
            bound_in_ulp(tensors_.formats, form.structure, *scale, verdict_.error.expected,
                         third_factor(form.structure, row, *scale), by_gain);
    }

    // What the product that is rounded first is multiplied by, where the error is largest.
    double third_factor(const Structure& structure, const Row& row, const Scale& scale) const {
        const std::size_t column = verdict_.error.column;
        switch (structure.factoring) {
            case Factoring::once: return 0;
            case Factoring::value_first: return std::fabs(right_.gain(best_)[column]);
            case Factoring::gain_first: return std::fabs(row.input[column]);
            case Factoring::product_first: return scale.exact.high;
        }
        std::abort();
    }

    void fill_table() {
        Row row;
        for (const std::size_t k :
             some_of(sampled_rows(tensors_.rows, tensors_.width), table_rows)) {
            rows_->read(k, row);
            if (kind_of(tensors_, row) != RowKind::ordinary) continue;
            const std::optional<Scale> scale = right_.scale(row.input);
            if (!scale) continue;
            const DoubleDouble mean = sum_of_squares(row.input, NumberFormat::binary64) /
                                      DoubleDouble(static_cast<double>(tensors_.width));
            MeasuredRow shown{k, mean.high, scale->exact.high, scale->below, scale->above};
            measure(row, mean, shown);
            verdict_.table.push_back(std::move(shown));
        }
    }

    void measure(const Row& row, DoubleDouble mean, MeasuredRow& shown) const {
        const ScaleInterval measured = right_.measured(best_, row);
        if (measured.empty()) {
            shown.unmeasured = "no scale explains all elements of the row";
        } else if (measured.low.high == 0 && std::isinf(measured.high.high)) {
            shown.unmeasured = "no element of the row depends on its scale";
        } else {
            const numeric::Interval epsilon = effective_epsilon(measured, mean);
            shown.low = measured.low.high;
            shown.high = measured.high.high;
            shown.epsilon_low = epsilon.low;
            shown.epsilon_high = epsilon.high;
        }
    }

    // What else the scale of a shown row would be, by each explanation that changes it alone.
    void add_candidates(const Catalogue& catalogue) {
        Row row;
        for (MeasuredRow& shown : verdict_.table) {
            rows_->read(shown.row, row);
            for (std::size_t i = 0; i < verdict_.findings.size(); ++i) {
                const auto& h = verdict_.findings[i].hypothesis;
                if (!h || h->view != View::plain || h->input != 0 || h->gain != 0) continue;
                const auto scale = hypothesis_scale(tensors_, catalogue, row, *h);
                if (scale) shown.candidates.push_back({i, scale->exact.high});
            }
        }
    }

    void add_common_facts() {
        if (pass_.not_finite_other > 0) {
            verdict_.facts.push_back(
                {evidence::counted(pass_.not_finite_other, "row") +
                 (pass_.not_finite_other == 1 ? " has" : " have") +
                 " a NaN or an infinity in the input, and outputs that no mean square gives: "
                 "with a NaN in it the whole row is NaN, with an infinity alone the row is 0 and "
                 "NaN at the infinity; programs that leave them out of the sum, or replace them, "
                 "write others"});
        }
        if (verdict_.rows_skipped > 0) {
            verdict_.facts.push_back({skipped_rows() +
                                      " a NaN or an infinity: a NaN makes the whole row NaN, an "
                                      "infinity alone makes the other elements 0 and itself NaN; "
                                      "so it is here, and nothing else of the row was judged"});
        }
        if (pass_.overflowed > 0) {
            const std::string arithmetic(numeric::full_name(tensors_.formats.arithmetic()));
            verdict_.facts.push_back(
                {evidence::counted(pass_.overflowed, "row") +
                 (pass_.overflowed == 1 ? " has" : " have") + " squares that add up beyond " +
                 arithmetic + ", and the output that this gives in " + arithmetic +
                 ", 0 or NaN; a program that scales the input first gives RMSNorm: not judged; "
                 "smaller inputs or --recipe would decide"});
        }
        if (pass_.without_result > 0) {
            verdict_.facts.push_back({evidence::counted(pass_.without_result, "zero row") +
                                      (pass_.without_result == 1 ? " has" : " have") +
                                      " no result with epsilon 0: NaN and 0 are both found in "
                                      "practice; an epsilon above 0 would decide"});
        }
        if (pass_.without_bound > 0) {
            verdict_.facts.push_back({evidence::counted(pass_.without_bound, "row") +
                                      (pass_.without_bound == 1 ? " has " : " have ") +
                                      why_without_bound()});
        }
    }

    std::string why_without_bound() const {
        const NumberFormat arithmetic = tensors_.formats.arithmetic();
        const std::string name(numeric::full_name(arithmetic));
        const double roundings = static_cast<double>(tensors_.width) + 8;
        if (roundings * numeric::unit_roundoff(arithmetic) >= 1) {
            return "so many features that a sum in " + name +
                   " has no bound; fewer features would decide";
        }
        return "squares that " + name +
               " does not hold to all their digits, or not at all; inputs nearer to 1, or an "
               "epsilon above them, would decide";
    }

    // "row 5 of the input holds"
    std::string skipped_rows() const {
        if (verdict_.rows_skipped == 1 && tensors_.rows == 1) return "the row of the input holds";
        std::string rows = set_in_words("row", index_set(pass_.skipped, tensors_.rows));
        if (pass_.skipped.size() < verdict_.rows_skipped) {
            rows = verdict_.rows_skipped == tensors_.rows
                       ? "all rows"
                       : std::to_string(verdict_.rows_skipped) + " rows, the first of them " +
                             rows + ",";
        }
        return rows + " of the input" + (verdict_.rows_skipped > 1 ? " hold" : " holds");
    }

    // Of rows that are all right, but for those that nothing decides.
    Answer unless_open() const {
        const bool open = pass_.without_result > 0 || pass_.without_bound > 0 ||
                          pass_.overflowed > 0 || verdict_.rows_judged == 0;
        return open ? Answer::undecided : Answer::right;
    }

    void conclude_right(const Form& form) {
        add_common_facts();
        verdict_.answer = unless_open();
        verdict_.form = form;
        if (!pass_.ordinary) return;
        const std::vector<Row> sample = ordinary_sample(tensors_);
        const Catalogue catalogue(tensors_);
        Doubts found = doubts(tensors_, catalogue, sample);
        verdict_.doubts = std::move(found.ids);
        std::move(found.facts.begin(), found.facts.end(), std::back_inserter(verdict_.facts));
        if (lists_blind_spots_)
            verdict_.blind_to = hidden_mistakes(tensors_, catalogue, right_, form, sample);
    }

    void conclude_wrong() {
        const Catalogue catalogue(tensors_);
        std::vector<std::size_t> outside;
        for (std::size_t k = 0; k < tensors_.rows; ++k) {
            if (pass_.outside[best_][k]) outside.push_back(k);
        }
        explain(catalogue, outside);
        add_common_facts();
        if (verdict_.findings.empty()) {
            verdict_.findings.push_back({{{"unknown", "", {}, {}, {}}}, {}, 0, 0, 3, {}});
            add_facts(tensors_, right_, best_, outside, verdict_.facts);
        } else if (verdict_.findings[0].explanations.back().id == "unexplained") {
            add_facts_of_part(tensors_, right_, outside, verdict_.facts);
        }
        verdict_.answer =
            explained_by_roundings(catalogue, outside) ? Answer::imprecise : Answer::wrong;
        add_candidates(catalogue);
        // Rows that overflowed are gone, however right the formula was.
        if (verdict_.error.found == 0 && std::fabs(verdict_.error.expected) >
                                             numeric::smallest_normal(tensors_.formats.output)) {
            verdict_.answer = Answer::wrong;
        }
        if (!follows_recipe()) doubt_names(catalogue);
    }

    // Whether roundings explain the output as well as anything else does; what does so stands first
    // then. A right program with more roundings than usual may have written a part that shows
    // no other mistake, and few values of few bits that a mistake explains.
    bool explained_by_roundings(const Catalogue& catalogue,
                                const std::vector<std::size_t>& outside) {
        std::vector<Finding>& findings = verdict_.findings;
        const auto others = std::stable_partition(findings.begin(), findings.end(), [](auto& f) {
            return !f.place &&
                   std::all_of(f.explanations.begin(), f.explanations.end(), is_imprecision);
        });
        if (others != findings.begin()) return true;
        const Explanation& inside = findings[0].explanations.back();
        const bool part =
            findings[0].place && (is_imprecision(inside) || inside.id == "unexplained");
        const bool few = pass_.judged * (tensors_.width - 1) < few_values;
        if (!tensors_.formats.rounds_output() || !(part || few)) return false;
        std::vector<Finding> roundings = find_roundings(tensors_, catalogue, right_, outside);
        findings.insert(findings.begin(), roundings.begin(), roundings.end());
        return !roundings.empty();
    }

    // Few values of few bits have a rounding for almost any scale near the right one, and several
    // formulas for one that is off by little.
    void doubt_names(const Catalogue& catalogue) {
        const bool imprecise = verdict_.answer == Answer::imprecise;
        if (imprecise) {
            for (const Finding& finding : verdict_.findings) {
                for (const Explanation& e : finding.explanations) {
                    if (!is_imprecision(e)) verdict_.doubts.push_back(e.id);
                }
            }
        }
        if (verdict_.findings.front().explanations[0] == roundings_beyond_all_known(tensors_)) {
            verdict_.doubts.push_back("unknown");
            verdict_.facts.push_back(
                {"roundings of so many units leave room for a gain or an input that is off by as "
                 "much"});
        }
        if (is_as_imprecise(verdict_.findings.front().explanations[0])) {
            verdict_.doubts.push_back("unknown");
            verdict_.facts.push_back(
                {"no computation in binary32 gives these values; what else is as imprecise "
                 "explains them "
                 "as well, such as decimal digits that were cut off"});
        }
        const std::size_t count =
            coincidences(tensors_, catalogue, ordinary_sample(tensors_), verdict_.findings.front());
        if (count > (imprecise ? 0 : moved_scales / 2)) {
            verdict_.doubts.push_back("unknown");
            verdict_.facts.push_back(
                {"so few values tell little: of " + std::to_string(moved_scales) +
                 " outputs whose scales are off by as much for another reason, such as values "
                 "added to the sum, " +
                 std::to_string(count) + " would have a name as well; more rows decide"});
        }
        std::sort(verdict_.doubts.begin(), verdict_.doubts.end());
        verdict_.doubts.erase(std::unique(verdict_.doubts.begin(), verdict_.doubts.end()),
                              verdict_.doubts.end());
    }

    bool follows_recipe() const {
        const auto& outside = pass_.outside_recipe;
        return !pass_.recipe.empty() &&
               std::find(outside.begin(), outside.end(), true) == outside.end();
    }

    void conclude_recipe() {
        const auto outside = static_cast<std::size_t>(
            std::count(pass_.outside_recipe.begin(), pass_.outside_recipe.end(), true));
        const FormulaVerdict formula{verdict_.answer, verdict_.rows_outside};
        verdict_.by_formula = formula;
        verdict_.rows_outside = outside;
        if (outside == 0) {
            verdict_.answer = unless_open();
            verdict_.findings.clear();
            for (MeasuredRow& row : verdict_.table) row.candidates.clear();
        } else if (formula.answer == Answer::right || formula.answer == Answer::undecided ||
                   (formula.answer == Answer::imprecise && 2 * outside < verdict_.rows_judged)) {
            // No imprecision either, where the recipe writes the other rows.
            verdict_.answer = Answer::wrong;
            verdict_.form.reset();
            verdict_.doubts.clear();
            verdict_.blind_to.clear();
            verdict_.findings = {
                {{{"unknown", "another recipe's roundings", {}, {}, {}}}, {}, 0, 0, 3, {}}};
        }
        if (verdict_.rows_judged == 0) return;
        const bool differs = formula.answer != verdict_.answer;
        verdict_.facts.insert(
            verdict_.facts.begin(),
            {(differs ? name(formula.answer) + std::string(" by the formula; ") : "") +
             "the recipe " + verdict_.recipe + rows_by_recipe(outside)});
    }

    std::string rows_by_recipe(std::size_t outside) const {
        if (outside > 0) {
            return " does not write " + std::to_string(outside) + " of " +
                   evidence::counted(verdict_.rows_judged, "row");
        }
        return verdict_.rows_judged == tensors_.rows ? " writes every row"
                                                     : " writes every row that was judged";
    }

    // However many roundings: where they explain all rows, those that are wrong are no part.
    static bool is_of_known_roundings(const Finding& finding) {
        return std::all_of(finding.explanations.begin(), finding.explanations.end(),
                           [](const Explanation& explanation) {
                               return is_imprecision(explanation) && !is_as_imprecise(explanation);
                           });
    }

    void explain(const Catalogue& catalogue, const std::vector<std::size_t>& outside) {
        const std::size_t numbers = pass_.zero_rows_other + pass_.not_finite_other;
        if (pass_.zero_rows_nan + numbers == outside.size()) {
            if (numbers > 0) {
                verdict_.findings = find_part(tensors_, catalogue, right_, best_, outside);
            } else {
                verdict_.findings.push_back(
                    {{{"epsilon-missing", "", {}, {}, {}}}, {}, verdict_.rows_judged, 0, 1, {}});
            }
            return;
        }
        verdict_.findings = find_everywhere(tensors_, catalogue, outside);
        if (verdict_.findings.empty() ||
            (verdict_.findings[0].cost > 1.5 && !is_of_known_roundings(verdict_.findings[0]))) {
            const auto parts = find_part(tensors_, catalogue, right_, best_, outside);
            if (!parts.empty() &&
                (verdict_.findings.empty() || parts[0].cost < verdict_.findings[0].cost)) {
                verdict_.findings = parts;
            }
        }
        if (verdict_.findings.empty() && !is_with_residual(tensors_, right_, outside)) {
            verdict_.findings = find_roundings(tensors_, catalogue, right_, outside);
        }
        if (verdict_.findings.empty()) verdict_.findings = find_bias(tensors_, catalogue);
    }

    const Tensors& tensors_;
    const Pass& pass_;
    bool lists_blind_spots_;
    RightTest right_;
    std::unique_ptr<Rows> rows_;
    std::size_t best_ = 0;
    Verdict verdict_;
};

}  // namespace

Verdict judge(const Tensors& tensors, bool lists_blind_spots, const Recipe* recipe) {
    return conclude(tensors, pass_over(tensors, recipe), lists_blind_spots);
}

Verdict conclude(Tensors tensors, const Pass& pass, bool lists_blind_spots) {
    tensors.held = rows_to_keep(pass, tensors.width);
    if (std::find(tensors.held.begin(), tensors.held.end(), false) == tensors.held.end()) {
        tensors.held.clear();
    }
    if (!tensors.row_squares) {
        tensors.row_squares = [input = tensors.input, width = tensors.width](std::size_t row) {
            std::vector<double> elements(width);
            input(row * width, 1, elements);
            return sum_of_squares(elements, NumberFormat::binary64);
        };
    }
    return Judge(tensors, pass, lists_blind_spots).run();
}

}  // namespace rmsnorm::judge
