#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <limits>
#include <string>
#include <utility>

#include "judge/blind.hpp"
#include "judge/estimates.hpp"
#include "judge/parts.hpp"
#include "judge/right_test.hpp"
#include "judge/unknown.hpp"
#include "judge/verdict.hpp"

namespace rmsnorm::judge {
namespace {

constexpr std::size_t sampled_rows = 64;
constexpr std::size_t sampled_values = 100'000;
constexpr std::size_t table_rows = 8;

// How many rows of a width a search looks at before it verifies what it found on all of them.
std::size_t sample_size(std::size_t width) {
    return std::clamp<std::size_t>(sampled_values / std::max<std::size_t>(width, 1), 3,
                                   sampled_rows);
}

class Judge {
  public:
    Judge(const Tensors& tensors, bool lists_blind_spots)
        : tensors_(tensors),
          lists_blind_spots_(lists_blind_spots),
          right_(tensors),
          rows_(view_of(tensors, View::plain)) {
        for (std::size_t i = 0; i < right_.forms(); ++i) {
            forms_.push_back(right_.form(i));
            forms_.back().outside.assign(tensors.rows, false);
        }
    }

    Verdict run() {
        if (tensors_.width == 0) return std::move(verdict_);
        read_all_rows();
        const auto best = std::min_element(
            forms_.begin(), forms_.end(),
            [](const Form& a, const Form& b) { return a.rows_outside < b.rows_outside; });
        best_ = static_cast<std::size_t>(best - forms_.begin());
        verdict_.rows_outside = best->rows_outside;
        fill_table();
        finish_error(*best);
        if (verdict_.rows_outside == 0) {
            conclude_right(*best);
        } else {
            conclude_wrong(*best);
        }
        return std::move(verdict_);
    }

  private:
    void read_all_rows() {
        Row row;
        std::vector<bool> fits;
        for (std::size_t k = 0; k < tensors_.rows; ++k) {
            rows_->read(k, row);
            const RowKind kind = kind_of(row.input, tensors_.epsilon);
            if (kind == RowKind::ordinary) {
                read_ordinary(row, fits);
            } else {
                read_special(row, kind);
            }
        }
    }

    void read_ordinary(const Row& row, std::vector<bool>& fits) {
        const std::optional<Scale> scale = right_.scale(row.input);
        if (!scale) {
            ++rows_without_bound_;
            return;
        }
        ++verdict_.rows_judged;
        ordinary_rows_ = true;
        right_.fits(row, *scale, fits);
        for (std::size_t i = 0; i < fits.size(); ++i) {
            if (!fits[i]) note_outside(forms_[i], row.index);
        }
        note_error(tensors_, row, right_.gain(), *scale, verdict_.error);
    }

    void read_special(const Row& row, RowKind kind) {
        if (kind == RowKind::not_finite) {
            ++verdict_.rows_skipped;
            if (verdict_.skipped.size() < 16) verdict_.skipped.push_back(row.index);
            return;
        }
        const bool zeros =
            std::all_of(row.output.begin(), row.output.end(), [](double y) { return y == 0; });
        const bool nans = std::all_of(row.output.begin(), row.output.end(),
                                      [](double y) { return std::isnan(y); });
        if (kind == RowKind::undefined && (zeros || nans)) {
            ++rows_without_result_;
            return;
        }
        ++verdict_.rows_judged;
        if (zeros) return;
        for (Form& form : forms_) note_outside(form, row.index);
        ++(nans ? zero_rows_nan_ : zero_rows_other_);
        const double found = row.output[0];
        verdict_.error = {std::numeric_limits<double>::infinity(), 0, row.index, 0, found, 0};
    }

    static void note_outside(Form& form, std::size_t row) {
        ++form.rows_outside;
        form.outside[row] = true;
    }

    void finish_error(const Form& form) {
        if (!ordinary_rows_) return;
        Row row;
        rows_->read(verdict_.error.row, row);
        const std::optional<Scale> scale = right_.scale(row.input);
        if (!scale) return;
        verdict_.error.bound_ulp =
            bound_in_ulp(tensors_.formats, form.structure, *scale, verdict_.error.expected,
                         third_factor(form.structure, row, *scale));
    }

    // What the product that is rounded first is multiplied by, where the error is largest.
    double third_factor(const Structure& structure, const Row& row, const Scale& scale) const {
        const std::size_t column = verdict_.error.column;
        switch (structure.factoring) {
            case Factoring::once: return 0;
            case Factoring::value_first: return std::fabs(right_.gain()[column]);
            case Factoring::gain_first: return std::fabs(row.input[column]);
            case Factoring::product_first: return scale.exact.high;
        }
        std::abort();
    }

    void fill_table() {
        Row row;
        for (const std::size_t k : spread_indices(tensors_.rows, table_rows)) {
            rows_->read(k, row);
            if (kind_of(row.input, tensors_.epsilon) != RowKind::ordinary) continue;
            const std::optional<Scale> scale = right_.scale(row.input);
            if (!scale) continue;
            ScaleInterval measured = right_.measured(best_, row);
            if (measured.empty()) measured = most_accepted_scale(tensors_, right_, best_, row);
            const DoubleDouble mean = sum_of_squares(row.input, NumberFormat::binary64) /
                                      DoubleDouble(static_cast<double>(tensors_.width));
            const numeric::Interval epsilon = effective_epsilon(measured, mean);
            verdict_.table.push_back({k, mean.high, scale->exact.high, scale->below, scale->above,
                                      measured.low.high, measured.high.high, epsilon.low,
                                      epsilon.high});
        }
    }

    void add_common_facts() {
        if (verdict_.rows_skipped > 0) {
            verdict_.facts.push_back({"row" + std::string(verdict_.rows_skipped > 1 ? "s " : " ") +
                                      index_set(verdict_.skipped, tensors_.rows) +
                                      " of the input hold a NaN or an infinity: a NaN makes the "
                                      "whole row NaN, an infinity alone makes the other elements "
                                      "0 and itself NaN; not judged"});
        }
        if (rows_without_result_ > 0) {
            verdict_.facts.push_back({std::to_string(rows_without_result_) +
                                      " zero rows have no result with epsilon 0: NaN and 0 are "
                                      "both found in practice; an epsilon above 0 would decide"});
        }
        if (rows_without_bound_ > 0) {
            verdict_.facts.push_back(
                {std::to_string(rows_without_bound_) +
                 " rows have squares below or sums beyond what " +
                 std::string(numeric::full_name(tensors_.formats.arithmetic())) +
                 " holds, or too many features for a bound; larger inputs would decide"});
        }
    }

    void conclude_right(const Form& form) {
        add_common_facts();
        verdict_.answer = Answer::right;
        if (rows_without_result_ > 0 || rows_without_bound_ > 0 ||
            (verdict_.rows_judged == 0 && tensors_.rows > 0)) {
            verdict_.answer = Answer::undecided;
        }
        verdict_.form = form;
        verdict_.form->outside.clear();
        if (!ordinary_rows_) return;
        const std::vector<Row> sample =
            ordinary_sample(tensors_, *rows_, sample_size(tensors_.width));
        const Catalogue catalogue(tensors_);
        verdict_.doubts = doubts(tensors_, catalogue, sample);
        if (lists_blind_spots_)
            verdict_.blind_to = hidden_mistakes(tensors_, catalogue, right_, sample);
    }

    void conclude_wrong(const Form& form) {
        const Catalogue catalogue(tensors_);
        std::vector<std::size_t> outside;
        for (std::size_t k = 0; k < tensors_.rows; ++k) {
            if (form.outside[k]) outside.push_back(k);
        }
        explain(catalogue, outside);
        add_common_facts();
        if (verdict_.findings.empty()) {
            verdict_.findings.push_back({{{"unknown", "", {}, {}, {}}}, {}, 0, 0, 3, {}});
            add_facts(tensors_, right_, outside, verdict_.facts);
        }
        verdict_.answer = Answer::imprecise;
        for (const Explanation& e : verdict_.findings.front().explanations) {
            if (!is_imprecision(e)) verdict_.answer = Answer::wrong;
        }
        if (verdict_.findings.front().place) verdict_.answer = Answer::wrong;
        // Rows that overflowed are gone, however right the formula was.
        if (verdict_.error.found == 0 && std::fabs(verdict_.error.expected) >
                                             numeric::smallest_normal(tensors_.formats.output)) {
            verdict_.answer = Answer::wrong;
        }
    }

    void explain(const Catalogue& catalogue, const std::vector<std::size_t>& outside) {
        if (zero_rows_nan_ + zero_rows_other_ == outside.size()) {
            if (zero_rows_other_ > 0) {
                verdict_.findings = find_part(tensors_, catalogue, right_, best_, outside);
            } else {
                verdict_.findings.push_back(
                    {{{"epsilon-missing", "", {}, {}, {}}}, {}, verdict_.rows_judged, 0, 1, {}});
            }
            return;
        }
        verdict_.findings = find_everywhere(tensors_, catalogue, outside);
        if (verdict_.findings.empty() || verdict_.findings[0].cost > 1.5) {
            const auto parts = find_part(tensors_, catalogue, right_, best_, outside);
            if (!parts.empty() &&
                (verdict_.findings.empty() || parts[0].cost < verdict_.findings[0].cost)) {
                verdict_.findings = parts;
            }
        }
        if (verdict_.findings.empty()) verdict_.findings = find_bias(tensors_, catalogue);
        if (verdict_.findings.empty()) verdict_.findings = find_roundings(tensors_, catalogue);
    }

    const Tensors& tensors_;
    bool lists_blind_spots_;
    RightTest right_;
    std::unique_ptr<Rows> rows_;
    std::vector<Form> forms_;
    std::size_t best_ = 0;
    bool ordinary_rows_ = false;
    std::size_t rows_without_bound_ = 0;
    std::size_t rows_without_result_ = 0;
    std::size_t zero_rows_nan_ = 0;
    std::size_t zero_rows_other_ = 0;
    Verdict verdict_;
};

}  // namespace

Verdict judge(const Tensors& tensors, bool lists_blind_spots) {
    return Judge(tensors, lists_blind_spots).run();
}

}  // namespace rmsnorm::judge
