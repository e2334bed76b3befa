#include <algorithm>
#include <cmath>
#include <limits>
#include <optional>
#include <utility>

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

    // Takes the row into the hypothesis, or tells that it does not fit.
    bool fits(GradientHypothesis& hypothesis, const GradientRow& row) const {
        InputGradientErrors errors;
        if (!evaluate(hypothesis.formula, reader_, hypothesis.roundings, row,
                      hypothesis.factor_error, errors)) {
            return true;
        }
        const double part = errors.largest_part();
        if (!(part <= 1)) return false;
        hypothesis.largest_distance = std::max(hypothesis.largest_distance, part);
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
        // Roundings to a narrow format would explain a factor near 1 too.
        if (!named) {
            for (GradientHypothesis& hypothesis : factors(rows)) consider(std::move(hypothesis));
        }
        if (named || accepted.empty()) {
            for (GradientHypothesis& one : low_precision(rows)) consider(std::move(one));
        }
        confirm(accepted);
        for (const GradientHypothesis& hypothesis : accepted) {
            verdict.explanations.push_back(
                {hypothesis.formula.explanation, hypothesis.formula.statement,
                 hypothesis.largest_distance, hypothesis.rows, hypothesis.formula.cost, "", ""});
        }
        if (accepted.empty()) explain_part(rows, outside, verdict);
        verdict.explanations = likeliest(std::move(verdict.explanations));
        if (verdict.explanations.empty()) describe(rows, verdict);
        const auto imprecise = [](const GradientExplanation& one) {
            return one.explanation.id == "output-low" || one.explanation.id == "computed-low";
        };
        if (!verdict.explanations.empty() && imprecise(verdict.explanations.front())) {
            verdict.state = Answer::imprecise;
        }
    }

    // The right formula with a narrower format where the formats need none.
    std::vector<GradientHypothesis> low_precision(const std::vector<GradientRow>& rows) const {
        std::vector<GradientHypothesis> hypotheses;
        for (const NumberFormat low :
             {NumberFormat::binary32, NumberFormat::binary16, NumberFormat::bfloat16}) {
            if (numeric::precision(low) >= numeric::precision(roundings_.output)) continue;
            const bool narrow = std::all_of(rows.begin(), rows.end(), [&](const GradientRow& row) {
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
            formula.cost = low == NumberFormat::bfloat16 ? 1.35 : 1.3;
            GradientFormats formats = tensors_.formats;
            formats.upstream = low;
            GradientRoundings roundings(formats, narrow ? low : roundings_.output);
            if (low == NumberFormat::binary32) {
                roundings.inner_unit = numeric::unit_roundoff(low);
                roundings.unit = numeric::unit_roundoff(low);
            }
            hypotheses.push_back({std::move(formula), roundings});
        }
        return hypotheses;
    }

    // Least squares of the rows by the two terms: one factor for both, or one each.
    struct Fit {
        double both = 0;
        double first = 0;
        double second = 0;
    };
    std::optional<Fit> fitted(const std::vector<GradientRow>& rows) const {
        double first_first = 0, first_second = 0, second_second = 0;
        double first_found = 0, second_found = 0;
        InputGradientErrors errors;
        for (const GradientRow& row : rows) {
            if (!evaluate(formulas_[0], reader_, roundings_, row, 0, errors)) continue;
            if (!all_finite(row.found)) return std::nullopt;
            for (std::size_t column = 0; column < row.found.size(); ++column) {
                const double first = errors.first[column];
                const double second = errors.second[column];
                first_first += first * first;
                first_second += first * second;
                second_second += second * second;
                first_found += first * row.found[column];
                second_found += second * row.found[column];
            }
        }
        const double square = first_first - 2 * first_second + second_second;
        const double determinant = first_first * second_second - first_second * first_second;
        if (!(square > 0) || !std::isfinite(square)) return std::nullopt;
        Fit fit;
        fit.both = (first_found - second_found) / square;
        fit.first = fit.second = fit.both;
        if (determinant > 1e-6 * first_first * second_second) {
            fit.first = (first_found * second_second - second_found * first_second) / determinant;
            fit.second = (first_found * first_second - second_found * first_first) / determinant;
        }
        return fit;
    }

    std::vector<GradientHypothesis> factors(const std::vector<GradientRow>& rows) const {
        const std::optional<Fit> fit = fitted(rows);
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
        const std::optional<Fit> fit = fitted(rows);
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
