#include <algorithm>
#include <cmath>
#include <numeric>
#include <utility>

#include "judge/gain_gradient_sums.hpp"
#include "judge/gradient_composite.hpp"
#include "judge/gradient_statement.hpp"
#include "judge/row_statistics.hpp"

namespace rmsnorm::judge {
namespace {

constexpr std::size_t most_sample_columns = 64;

class GainGradientJudge {
  public:
    explicit GainGradientJudge(const GradientTensors& tensors)
        : tensors_(tensors),
          reader_(tensors),
          roundings_(tensors.formats, tensors.formats.gain_gradient),
          formulas_(gain_gradient_formulas(tensors)),
          found_(tensors.gain_gradient_by_row ? 0 : tensors.width) {
        if (!found_.empty()) tensors.gain_gradient(0, 1, found_);
    }

    GradientVerdict judge() {
        GradientVerdict verdict;
        if (tensors_.gain_gradient_by_row) {
            judge_rows(verdict);
            return verdict;
        }
        std::vector<std::size_t> columns(tensors_.width);
        std::iota(columns.begin(), columns.end(), std::size_t{0});
        const auto sums =
            summed(reader_, roundings_, {formulas_.data(), 1}, columns, &verdict.skipped);
        if (verdict.skipped > 0) {
            // A row without a gradient leaves none for the sum.
            verdict.state = Answer::undecided;
            return verdict;
        }
        std::vector<std::size_t> outside;
        std::vector<bool> inside(tensors_.width);
        for (const std::size_t at : columns) {
            const SummedColumn column = judged(formulas_[0], sums[0][at], at, 0);
            inside[at] = column.part <= 1;
            if (!inside[at]) outside.push_back(at);
            if (!inside[at] && !std::isfinite(found_[at])) ++verdict.not_finite;
            note_worst(at, column, verdict.worst);
        }
        verdict.outside = outside.size();
        if (outside.empty()) return verdict;
        verdict.overflowed = overflowing_rows();
        if (verdict.overflowed > 0) {
            verdict.state = Answer::undecided;
            return verdict;
        }
        verdict.state = Answer::wrong;
        explain(outside, sums[0], verdict);
        return verdict;
    }

    std::vector<std::string> blind_spots() {
        const std::vector<std::size_t> columns = sample({});
        const auto sums = summed(reader_, roundings_, formulas_, columns);
        std::vector<std::string> ids;
        for (std::size_t index = 1; index < formulas_.size(); ++index) {
            for (std::size_t place = 0; place < columns.size(); ++place) {
                const double exact =
                    judged(formulas_[index], sums[index][place], columns[place], 0).exact;
                found_[columns[place]] = numeric::round_to(roundings_.output, exact);
            }
            const std::string& id = formulas_[index].explanation.id;
            if (distance(formulas_[0], sums[0], columns) && (ids.empty() || ids.back() != id)) {
                ids.push_back(id);
            }
        }
        return ids;
    }

  private:
    SummedColumn judged(const GainGradientFormula& formula, const ColumnSum& sum,
                        std::size_t column, double factor_error) const {
        return judged_sum(roundings_, formula, sum, found_[column], factor_error);
    }

    // Whose squares a program may add up to an infinity, and their summands to nothing.
    std::size_t overflowing_rows() const {
        std::size_t count = 0;
        std::vector<double> input(tensors_.width);
        for (std::size_t row = 0; row < tensors_.rows; ++row) {
            reader_.input(row, input);
            count += may_overflow(input, roundings_.arithmetic) ? 1U : 0U;
        }
        return count;
    }

    void note_worst(std::size_t at, const SummedColumn& column, GradientError& worst) const {
        if (!(column.part > worst.part_of_bound)) return;
        const double found = found_[at];
        const double unit =
            numeric::ulp(roundings_.output,
                         std::isfinite(found) ? std::max(std::fabs(column.exact), std::fabs(found))
                                              : column.exact);
        worst = {
            column.part,        0, at, found, column.exact, std::fabs(found - column.exact) / unit,
            column.bound / unit};
    }

    std::vector<std::size_t> sample(const std::vector<std::size_t>& outside) const {
        std::vector<std::size_t> columns = spread_indices(tensors_.width, most_sample_columns / 2);
        for (const std::size_t place : spread_indices(outside.size(), most_sample_columns / 2)) {
            columns.push_back(outside[place]);
        }
        std::sort(columns.begin(), columns.end());
        columns.erase(std::unique(columns.begin(), columns.end()), columns.end());
        return columns;
    }

    // The largest part of the bound over the columns, or nothing when one is beyond it.
    std::optional<double> distance(const GainGradientFormula& formula,
                                   const std::vector<ColumnSum>& sums,
                                   const std::vector<std::size_t>& columns,
                                   double factor_error = 0) const {
        double largest = 0;
        for (std::size_t place = 0; place < columns.size(); ++place) {
            const SummedColumn column = judged(formula, sums[place], columns[place], factor_error);
            if (!(column.part <= 1)) return std::nullopt;
            largest = std::max(largest, column.part);
        }
        return largest;
    }

    void explain(const std::vector<std::size_t>& outside, const std::vector<ColumnSum>& right,
                 GradientVerdict& verdict) const {
        const std::vector<std::size_t> columns = sample(outside);
        const auto sums = summed(reader_, roundings_, formulas_, columns);
        std::vector<GainGradientFormula> accepted;
        for (std::size_t index = 1; index < formulas_.size(); ++index) {
            if (distance(formulas_[index], sums[index], columns)) {
                accepted.push_back(formulas_[index]);
            }
        }
        confirm(accepted, verdict);
        if (verdict.explanations.empty()) explain_low_sum(outside, verdict);
        if (verdict.explanations.empty()) explain_factor(columns, sums[0], verdict);
        const bool weak =
            std::all_of(verdict.explanations.begin(), verdict.explanations.end(),
                        [&](const GradientExplanation& one) {
                            return is_weaker_than_binary32(one.explanation, tensors_.width);
                        });
        const bool found = !verdict.explanations.empty();
        const auto own = composite_format(tensors_.formats, roundings_.output);
        if (own) explain_roundings(*own, right, cost_of_usual_rounding, verdict);
        for (const NumberFormat low :
             {NumberFormat::binary32, NumberFormat::binary16, NumberFormat::bfloat16}) {
            if (numeric::precision(low) >= numeric::precision(roundings_.output)) continue;
            const bool usual = low == NumberFormat::binary32 && weak;
            if (own == low || !(usual || !found)) continue;
            explain_roundings(low, right, usual ? cost_of_usual_rounding : cost_of_rounding(low),
                              verdict);
        }
        if (verdict.explanations.empty()) explain_part(outside, columns, sums, verdict);
        settle(verdict);
    }

    // The right formula, every operation rounded to the format.
    void explain_roundings(NumberFormat low, const std::vector<ColumnSum>& sums, double cost,
                           GradientVerdict& verdict) const {
        const GradientRoundings wider = composite_roundings(tensors_, roundings_, low);
        const auto largest_part = [&](double factor) {
            double largest = 0;
            for (std::size_t at = 0; at < sums.size(); ++at) {
                const double found = factor * found_[at];
                largest = std::max(largest, judged_sum(wider, formulas_[0], sums[at], found).part);
            }
            return largest;
        };
        const double largest = largest_part(1);
        if (!(largest <= 1)) return;
        GradientExplanation explanation;
        explanation.explanation.id = "computed-low";
        explanation.explanation.dtype = low;
        explanation.statement = "the formula is right, and values on the way are rounded to " +
                                std::string(numeric::full_name(low));
        explanation.largest_distance = largest;
        explanation.rows = tensors_.width;
        explanation.cost = cost;
        verdict.explanations.push_back(std::move(explanation));
        // Zeros would be explained as well, and so would what no computation in the format has
        // made.
        const bool foreign = is_foreign_16_bits(tensors_.formats, roundings_.output, low) &&
                             !std::all_of(found_.begin(), found_.end(),
                                          [&](double value) { return numeric::is_in(low, value); });
        if (foreign || largest_part(0) <= 1) verdict.doubts.emplace_back("unknown");
    }

    void confirm(const std::vector<GainGradientFormula>& accepted, GradientVerdict& verdict) const {
        std::vector<std::size_t> columns(tensors_.width);
        std::iota(columns.begin(), columns.end(), std::size_t{0});
        const auto sums = summed(reader_, roundings_, accepted, columns);
        for (std::size_t index = 0; index < accepted.size(); ++index) {
            const GainGradientFormula& formula = accepted[index];
            if (const auto largest = distance(formula, sums[index], columns)) {
                verdict.explanations.push_back({formula.explanation, formula.statement, *largest,
                                                tensors_.width, formula.cost, "", ""});
            }
        }
    }

    // Emulates additions in a narrow format. Three of four columns that the right formula does not
    // give must have the very bits, and what differs elsewhere may only be a summand that was
    // rounded the other way, with what follows from it: 8 ulp of the largest sum on the way.
    void explain_low_sum(const std::vector<std::size_t>& outside, GradientVerdict& verdict) const {
        for (const NumberFormat low : {NumberFormat::binary16, NumberFormat::bfloat16}) {
            if (numeric::precision(low) >= numeric::precision(roundings_.arithmetic)) continue;
            const std::vector<std::size_t> sampled = sample(outside);
            std::vector<std::size_t> all(tensors_.width);
            std::iota(all.begin(), all.end(), std::size_t{0});
            if (equal_to_low_sums(low, sampled, outside) == 0) continue;
            const std::size_t equal = equal_to_low_sums(low, all, outside);
            if (equal == 0) continue;
            GradientExplanation explanation;
            explanation.explanation.id = "accumulation-low";
            explanation.explanation.dtype = low;
            explanation.statement =
                "the rows are added up in " + std::string(numeric::full_name(low));
            explanation.rows = equal;
            explanation.cost = 1.3;
            verdict.explanations.push_back(std::move(explanation));
        }
    }

    // How many of the columns have the bits of a sum in the format; 0 where that does not explain
    // them.
    std::size_t equal_to_low_sums(NumberFormat low, const std::vector<std::size_t>& columns,
                                  const std::vector<std::size_t>& outside) const {
        std::vector<NarrowSum> narrow(columns.size(), NarrowSum(low));
        std::vector<double> input(tensors_.width);
        std::vector<double> upstream(tensors_.width);
        for (std::size_t row = 0; row < tensors_.rows; ++row) {
            reader_.input(row, input);
            reader_.upstream(row, UpstreamReading::given, upstream);
            const auto scale =
                reader_.multiplier(row, ScaleReading::right, tensors_.epsilon, input);
            if (!scale) return 0;
            for (std::size_t place = 0; place < columns.size(); ++place) {
                const std::size_t column = columns[place];
                narrow[place].add(upstream[column] * input[column] * scale->value.high);
            }
        }
        std::size_t most = 0;
        for (const bool in_pairs : {false, true}) {
            std::size_t equal = 0;
            std::size_t equal_outside = 0;
            std::size_t wrong = 0;
            bool near = true;
            for (std::size_t place = 0; place < columns.size(); ++place) {
                const NarrowSum& sum = narrow[place];
                const double expected = in_pairs ? sum.paired() : sum.running();
                const double found = found_[columns[place]];
                const bool is_outside =
                    std::binary_search(outside.begin(), outside.end(), columns[place]);
                const bool same = found == expected || (std::isnan(found) && std::isnan(expected));
                wrong += is_outside ? 1U : 0U;
                equal += same ? 1U : 0U;
                equal_outside += same && is_outside ? 1U : 0U;
                near = near && (same || std::fabs(found - expected) <=
                                            16 * numeric::unit_roundoff(low) * sum.largest());
            }
            if (near && 4 * equal_outside >= 3 * wrong) most = std::max(most, equal);
        }
        return most;
    }

    void explain_factor(const std::vector<std::size_t>& columns, const std::vector<ColumnSum>& sums,
                        GradientVerdict& verdict) const {
        double square = 0;
        double product = 0;
        for (std::size_t place = 0; place < columns.size(); ++place) {
            const double exact = sums[place].total.parts().high;
            square += exact * exact;
            product += exact * found_[columns[place]];
        }
        if (!(square > 0) || !std::isfinite(product) || columns.size() < 2) return;
        GainGradientFormula formula = formulas_[0];
        formula.factor = product / square;
        const double error =
            4 * std::max(numeric::unit_roundoff(roundings_.output), roundings_.inner_unit);
        formula.factor = near_whole(formula.factor, error);
        // Of a factor so near to 1 the uncertainty alone would be the explanation.
        if (4 * std::fabs(formula.factor - 1) <= error) return;
        const auto largest = distance(formula, sums, columns, error);
        if (!largest) return;
        formula.explanation.id = "constant-factor";
        formula.explanation.value = formula.factor;
        verdict.explanations.push_back({formula.explanation,
                                        "it is the right gradient times a constant", *largest,
                                        tensors_.width, 1.2, "", ""});
    }

    // Some columns alone are wrong: which, and what stands there.
    void explain_part(const std::vector<std::size_t>& outside,
                      const std::vector<std::size_t>& columns,
                      const std::vector<std::vector<ColumnSum>>& sums,
                      GradientVerdict& verdict) const {
        const auto pattern = pattern_of(outside, tensors_.width);
        if (!pattern || *pattern == "all") return;
        GradientExplanation part;
        part.explanation.id = "part";
        part.explanation.detail = "unexplained";
        std::vector<std::size_t> places;
        for (std::size_t place = 0; place < columns.size(); ++place) {
            if (std::binary_search(outside.begin(), outside.end(), columns[place])) {
                places.push_back(place);
            }
        }
        for (std::size_t index = formulas_.size(); index-- > 1;) {
            const bool fits = std::all_of(places.begin(), places.end(), [&](std::size_t place) {
                return judged(formulas_[index], sums[index][place], columns[place], 0).part <= 1;
            });
            if (fits && (places.size() >= 3 || formulas_[index].explanation.id == "zeros")) {
                part.explanation.detail = formulas_[index].explanation.id;
            }
        }
        part.statement =
            statement_of_part("", *pattern, content_in_words(part.explanation.detail, formulas_));
        part.rows = outside.size();
        part.cost = 1.3;
        part.part_rows = "all";
        part.part_columns = *pattern;
        verdict.explanations.push_back(std::move(part));
    }

    // A gradient of [rows, width]: the summands themselves, or something else.
    void judge_rows(GradientVerdict& verdict) {
        verdict.state = Answer::wrong;
        verdict.outside = tensors_.width;
        std::vector<double> input(tensors_.width);
        std::vector<double> upstream(tensors_.width);
        std::vector<std::size_t> columns(tensors_.width);
        std::iota(columns.begin(), columns.end(), std::size_t{0});
        GainGradientFormula one_row = formulas_[0];
        one_row.end_row = 1;
        found_.resize(tensors_.width);
        double largest = 0;
        for (std::size_t row = 0; row < tensors_.rows; ++row) {
            reader_.input(row, input);
            reader_.upstream(row, UpstreamReading::given, upstream);
            read_row(tensors_.gain_gradient, row, found_);
            std::vector<ColumnSum> sums(tensors_.width);
            if (!add_row(reader_, roundings_, one_row, row, input, upstream, columns, sums))
                continue;
            const auto distance_here = distance(one_row, sums, columns);
            if (!distance_here) return;
            largest = std::max(largest, *distance_here);
        }
        GradientExplanation explanation;
        explanation.explanation.id = "rows-not-summed";
        explanation.statement = "the rows are not summed";
        explanation.largest_distance = largest;
        explanation.rows = tensors_.width;
        explanation.cost = 1;
        verdict.explanations.push_back(std::move(explanation));
    }

    const GradientTensors& tensors_;
    GradientReader reader_;
    GradientRoundings roundings_;
    std::vector<GainGradientFormula> formulas_;
    std::vector<double> found_;
};

}  // namespace

GradientVerdict judge_gain_gradient(const GradientTensors& tensors) {
    return GainGradientJudge(tensors).judge();
}

std::vector<std::string> gain_gradient_blind_spots(const GradientTensors& tensors) {
    if (tensors.gain_gradient_by_row) return {};
    return GainGradientJudge(tensors).blind_spots();
}

}  // namespace rmsnorm::judge
