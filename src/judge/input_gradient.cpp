#include <algorithm>
#include <cmath>
#include <limits>
#include <optional>
#include <utility>

#include "judge/coincidence.hpp"
#include "judge/gradient_composite.hpp"
#include "judge/gradient_fit.hpp"
#include "judge/gradient_statement.hpp"
#include "judge/input_gradient_terms.hpp"
#include "judge/row_statistics.hpp"

namespace rmsnorm::judge {
namespace {

constexpr std::size_t most_sample_rows = 64;
constexpr std::size_t most_sample_elements = 100'000;

struct GradientHypothesis {
    InputGradientFormula formula;
    GradientRoundings roundings;
    double factor_error = 0;
    double largest_distance = 0;
    std::size_t rows = 0;
    std::optional<NumberFormat> composite = std::nullopt;  // in which every operation rounds
};

class InputGradientJudge {
  public:
    explicit InputGradientJudge(const GradientTensors& tensors)
        : tensors_(tensors),
          reader_(tensors),
          roundings_(tensors.formats, tensors.formats.input_gradient),
          formulas_(input_gradient_formulas(tensors)) {}

    GradientVerdict judge() {
        GradientVerdict verdict;
        std::vector<std::size_t> outside;
        GradientRow row;
        InputGradientErrors errors;
        for (std::size_t index = 0; index < tensors_.rows; ++index) {
            read(index, row);
            if (!evaluate(formulas_[0], reader_, roundings_, row, 0, errors)) {
                ++verdict.skipped;
                continue;
            }
            const bool wrong = errors.largest_part() > 1;
            if (wrong && is_without_scale(row.input, row.found, roundings_.arithmetic)) {
                ++verdict.overflowed;
                continue;
            }
            note_worst(row, errors, verdict.worst);
            if (wrong) {
                outside.push_back(index);
                verdict.not_finite += static_cast<std::size_t>(
                    std::count_if(row.found.begin(), row.found.end(),
                                  [](double value) { return !std::isfinite(value); }));
            }
        }
        verdict.outside = outside.size();
        const bool none = tensors_.rows > 0 && verdict.skipped == tensors_.rows;
        if (none || verdict.overflowed > 0) verdict.state = Answer::undecided;
        if (outside.empty()) return verdict;
        verdict.state = Answer::wrong;
        explain(sample(outside), outside, verdict);
        return verdict;
    }

    std::vector<std::string> blind_spots() const {
        const std::vector<GradientRow> rows = sample({});
        std::vector<std::string> ids;
        for (std::size_t index = 1; index < formulas_.size(); ++index) {
            const std::string& id = formulas_[index].explanation.id;
            if (ids.empty() || ids.back() != id) {
                if (!shows(formulas_[index], rows)) ids.push_back(id);
            }
        }
        return ids;
    }

  private:
    void read(std::size_t index, GradientRow& row) const {
        row.index = index;
        for (auto* values : {&row.input, &row.upstream, &row.found}) {
            values->resize(tensors_.width);
        }
        reader_.input(index, row.input);
        reader_.upstream(index, UpstreamReading::given, row.upstream);
        read_row(tensors_.input_gradient, index, row.found);
    }

    void note_worst(const GradientRow& row, const InputGradientErrors& errors,
                    GradientError& worst) const {
        for (std::size_t column = 0; column < errors.part.size(); ++column) {
            if (!(errors.part[column] > worst.part_of_bound)) continue;
            const double exact = errors.exact[column];
            const double found = row.found[column];
            const double unit = numeric::ulp(
                roundings_.output,
                std::isfinite(found) ? std::max(std::fabs(exact), std::fabs(found)) : exact);
            worst = {errors.part[column],
                     row.index,
                     column,
                     found,
                     exact,
                     std::fabs(found - exact) / unit,
                     errors.bound[column] / unit};
        }
    }

    // Rows for the search: half of them evenly spread, half among those that are wrong.
    std::vector<GradientRow> sample(const std::vector<std::size_t>& outside) const {
        const std::size_t most = std::clamp<std::size_t>(
            most_sample_elements / std::max<std::size_t>(tensors_.width, 1), 4, most_sample_rows);
        std::vector<std::size_t> indices = spread_indices(tensors_.rows, most / 2);
        for (const std::size_t place : spread_indices(outside.size(), most / 2)) {
            indices.push_back(outside[place]);
        }
        std::sort(indices.begin(), indices.end());
        indices.erase(std::unique(indices.begin(), indices.end()), indices.end());
        std::vector<GradientRow> rows(indices.size());
        for (std::size_t place = 0; place < rows.size(); ++place) read(indices[place], rows[place]);
        return rows;
    }

    std::optional<double> distance(const GradientHypothesis& hypothesis,
                                   const GradientRow& row) const {
        if (hypothesis.composite) {
            return composite_distance(reader_, hypothesis.roundings, *hypothesis.composite, row);
        }
        InputGradientErrors errors;
        if (!evaluate(hypothesis.formula, reader_, hypothesis.roundings, row,
                      hypothesis.factor_error, errors)) {
            return std::nullopt;
        }
        return errors.largest_part();
    }

    // Takes the row into the hypothesis, or tells that it does not fit.
    bool fits(GradientHypothesis& hypothesis, const GradientRow& row) const {
        const std::optional<double> part = distance(hypothesis, row);
        if (!part) return true;
        if (!(*part <= 1)) return false;
        hypothesis.largest_distance = std::max(hypothesis.largest_distance, *part);
        ++hypothesis.rows;
        return true;
    }

    bool fits_all(GradientHypothesis& hypothesis, const std::vector<GradientRow>& rows) const {
        return std::all_of(rows.begin(), rows.end(),
                           [&](const GradientRow& row) { return fits(hypothesis, row); }) &&
               hypothesis.rows > 0;
    }

    void explain(const std::vector<GradientRow>& rows, const std::vector<std::size_t>& outside,
                 GradientVerdict& verdict) const {
        std::vector<GradientHypothesis> accepted;
        const auto consider = [&](GradientHypothesis hypothesis) {
            if (fits_all(hypothesis, rows)) accepted.push_back(std::move(hypothesis));
        };
        for (std::size_t index = 1; index < formulas_.size(); ++index) {
            consider({formulas_[index], roundings_});
        }
        const bool named = !accepted.empty();
        // Roundings to a format below all of the tensors' would explain a factor near 1 too.
        if (!named) {
            for (GradientHypothesis& hypothesis : factors(rows)) consider(std::move(hypothesis));
        }
        const bool weak = std::all_of(accepted.begin(), accepted.end(), [&](const auto& one) {
            return is_weaker_than_binary32(one.formula.explanation, numbers());
        });
        const bool found = !accepted.empty();
        const auto own = composite_format(tensors_.formats, roundings_.output);
        if (own) consider(computed_in(*own, rows, cost_of_usual_rounding));
        for (const NumberFormat low :
             {NumberFormat::binary32, NumberFormat::binary16, NumberFormat::bfloat16}) {
            if (numeric::precision(low) >= numeric::precision(roundings_.output)) continue;
            const bool usual = low == NumberFormat::binary32 && weak;
            if (own == low || !(usual || named || !found)) continue;
            consider(
                computed_in(low, rows, usual ? cost_of_usual_rounding : cost_of_rounding(low)));
        }
        confirm(accepted);
        for (const GradientHypothesis& hypothesis : accepted) {
            verdict.explanations.push_back(
                {hypothesis.formula.explanation, hypothesis.formula.statement,
                 hypothesis.largest_distance, hypothesis.rows, hypothesis.formula.cost, "", ""});
        }
        if (accepted.empty()) explain_part(rows, outside, verdict);
        settle(verdict);
        if (verdict.explanations.empty()) describe(rows, verdict);
        if (verdict.state == Answer::imprecise && leaves_room(accepted, rows)) {
            verdict.doubts.emplace_back("unknown");
        }
    }

    // Beside the two factors that a row shares.
    std::size_t numbers() const {
        return tensors_.rows * (std::max<std::size_t>(tensors_.width, 2) - 2);
    }

    // Whether roundings explain whatever stands there: so few numbers, or most of them so small; or
    // they are those of 16 bits, which have made no number that stands there.
    bool leaves_room(const std::vector<GradientHypothesis>& accepted,
                     const std::vector<GradientRow>& rows) const {
        if (numbers() < few_values) return true;
        return std::any_of(accepted.begin(), accepted.end(), [&](const GradientHypothesis& one) {
            const Explanation& explanation = one.formula.explanation;
            if (explanation.id == "computed-low" &&
                is_foreign_16_bits(tensors_.formats, roundings_.output, *explanation.dtype)) {
                return true;
            }
            std::size_t swallowed = 0;
            for (const GradientRow& row : rows) {
                if (!one.composite) break;
                swallowed += composite_swallowed(reader_, one.roundings, *one.composite, row);
            }
            return 2 * swallowed >= rows.size() * tensors_.width;
        });
    }

    // The right formula, computed in a format that the tensors' own formats do not need.
    GradientHypothesis computed_in(NumberFormat low, const std::vector<GradientRow>& rows,
                                   double cost) const {
        const bool narrow =
            numeric::precision(low) < numeric::precision(roundings_.output) &&
            std::all_of(rows.begin(), rows.end(), [&](const GradientRow& row) {
                return std::all_of(row.found.begin(), row.found.end(),
                                   [&](double value) { return numeric::is_in(low, value); });
            });
        InputGradientFormula formula = formulas_[0];
        formula.explanation.dtype = low;
        formula.explanation.id = narrow ? "output-low" : "computed-low";
        formula.statement =
            (narrow ? "the formula is right, and every value is rounded to "
                    : "the formula is right, and values on the way are rounded to ") +
            std::string(numeric::full_name(low));
        formula.cost = cost;
        return {std::move(formula),
                GradientRoundings(tensors_.formats, narrow ? low : roundings_.output),
                0,
                0,
                0,
                low};
    }

    std::vector<GradientHypothesis> factors(const std::vector<GradientRow>& rows) const {
        const std::optional<GradientFit> fit = fitted(formulas_[0], reader_, roundings_, rows);
        if (!fit) return {};
        const double error =
            4 * std::max(numeric::unit_roundoff(roundings_.output), roundings_.inner_unit);
        InputGradientFormula both = formulas_[0];
        both.first = both.second = near_whole(fit->both, error);
        both.explanation.id = "constant-factor";
        both.explanation.value = both.first;
        both.statement = "it is the right gradient times a constant";
        both.cost = 1.2;
        InputGradientFormula second = formulas_[0];
        second.second = near_whole(fit->second, error);
        second.explanation.id = "second-term-factor";
        second.explanation.value = second.second;
        second.statement = "the second term is multiplied by a constant";
        second.cost = 1.5;
        std::vector<GradientHypothesis> hypotheses = {
            {both, roundings_, error * std::fabs(both.first)},
            {second, roundings_, error * std::fabs(second.second)}};
        // Of a factor so near to 1 the uncertainty alone would be the explanation.
        std::erase_if(hypotheses, [&](const GradientHypothesis& one) {
            return 4 * std::fabs(*one.formula.explanation.value - 1) <= error;
        });
        return hypotheses;
    }

    // Leaves the hypotheses that fit every row of the tensors.
    void confirm(std::vector<GradientHypothesis>& accepted) const {
        for (GradientHypothesis& hypothesis : accepted) hypothesis.rows = 0;
        GradientRow row;
        for (std::size_t index = 0; index < tensors_.rows && !accepted.empty(); ++index) {
            read(index, row);
            std::erase_if(accepted,
                          [&](GradientHypothesis& hypothesis) { return !fits(hypothesis, row); });
        }
    }

    // Some rows or columns alone are wrong: which, and what stands there.
    void explain_part(const std::vector<GradientRow>& rows, const std::vector<std::size_t>& outside,
                      GradientVerdict& verdict) const {
        std::vector<std::size_t> counts(tensors_.width);
        GradientRow row;
        InputGradientErrors errors;
        for (const std::size_t index : outside) {
            read(index, row);
            if (!evaluate(formulas_[0], reader_, roundings_, row, 0, errors)) continue;
            for (std::size_t column = 0; column < tensors_.width; ++column) {
                if (!(errors.part[column] <= 1)) ++counts[column];
            }
        }
        std::vector<std::size_t> columns;
        std::size_t elements = 0;
        for (std::size_t column = 0; column < tensors_.width; ++column) {
            if (counts[column] > 0) columns.push_back(column);
            elements += counts[column];
        }
        std::vector<const GradientRow*> wrong_rows;
        for (const GradientRow& one : rows) {
            if (std::binary_search(outside.begin(), outside.end(), one.index)) {
                wrong_rows.push_back(&one);
            }
        }
        const auto row_pattern = pattern_of(outside, tensors_.rows);
        const auto column_pattern = pattern_of(columns, tensors_.width);
        if (!row_pattern || !column_pattern) return;
        if (*row_pattern == "all" && *column_pattern == "all") return;
        GradientExplanation part;
        part.explanation.id = "part";
        part.explanation.detail = content_of_part(wrong_rows, columns);
        // A wrong value is right by chance now and then; more of them are no rows and columns.
        const std::size_t all = outside.size() * columns.size();
        if (part.explanation.detail == "unexplained" && 10 * elements < 9 * all) return;
        part.statement = statement_of_part(*row_pattern, *column_pattern,
                                           content_in_words(part.explanation.detail, formulas_));
        if (elements < all) {
            part.statement += " (" + std::to_string(elements) + " of these " + std::to_string(all) +
                              " elements are outside their bound)";
        }
        part.rows = outside.size();
        part.cost = 1.3;
        part.part_rows = *row_pattern;
        part.part_columns = *column_pattern;
        verdict.explanations.push_back(std::move(part));
    }

    std::string content_of_part(const std::vector<const GradientRow*>& rows,
                                const std::vector<std::size_t>& columns) const {
        const auto everywhere = [&](auto holds) {
            for (const GradientRow* row : rows) {
                for (const std::size_t column : columns) {
                    if (!holds(*row, column)) return false;
                }
            }
            return true;
        };
        if (everywhere([](const GradientRow& row, std::size_t at) { return row.found[at] == 0; })) {
            return "zeros";
        }
        if (everywhere([&](const GradientRow& row, std::size_t at) {
                return row.found[at] == numeric::round_to(roundings_.output, row.upstream[at]);
            })) {
            return "copied";
        }
        InputGradientErrors errors;
        for (std::size_t index = 1; index < formulas_.size(); ++index) {
            bool fits = rows.size() * columns.size() >= 3;
            for (const GradientRow* row : rows) {
                if (!fits) break;
                if (!evaluate(formulas_[index], reader_, roundings_, *row, 0, errors)) continue;
                fits = std::all_of(columns.begin(), columns.end(),
                                   [&](std::size_t column) { return errors.part[column] <= 1; });
            }
            if (fits) return formulas_[index].explanation.id;
        }
        return "unexplained";
    }

    void describe(const std::vector<GradientRow>& rows, GradientVerdict& verdict) const {
        const std::optional<GradientFit> fit = fitted(formulas_[0], reader_, roundings_, rows);
        if (!fit) return;
        verdict.fit_first = fit->first;
        verdict.fit_second = fit->second;
    }

    // Whether the right formula refuses what the other one gives, rounded once, on some row.
    bool shows(const InputGradientFormula& formula, const std::vector<GradientRow>& rows) const {
        InputGradientErrors errors;
        return std::any_of(rows.begin(), rows.end(), [&](const GradientRow& given) {
            if (!evaluate(formula, reader_, roundings_, given, 0, errors)) return false;
            GradientRow simulated = given;
            for (std::size_t column = 0; column < tensors_.width; ++column) {
                simulated.found[column] =
                    numeric::round_to(roundings_.output, errors.exact[column]);
            }
            return evaluate(formulas_[0], reader_, roundings_, simulated, 0, errors) &&
                   errors.largest_part() > 1;
        });
    }

    const GradientTensors& tensors_;
    GradientReader reader_;
    GradientRoundings roundings_;
    std::vector<InputGradientFormula> formulas_;
};

}  // namespace

GradientVerdict judge_input_gradient(const GradientTensors& tensors) {
    return InputGradientJudge(tensors).judge();
}

std::vector<std::string> input_gradient_blind_spots(const GradientTensors& tensors) {
    return InputGradientJudge(tensors).blind_spots();
}

}  // namespace rmsnorm::judge
