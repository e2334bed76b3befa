// Every mistake of the gradients' catalogues, made on a test case.
#include <algorithm>
#include <cmath>
#include <functional>
#include <limits>
#include <numeric>
#include <utility>

#include "judge/gain_gradient_sums.hpp"
#include "judge/input_gradient_terms.hpp"
#include "judge/low_precision.hpp"
#include "judge/vectors/computation.hpp"
#include "judge/vectors/outcomes.hpp"

namespace rmsnorm::judge::vectors {
namespace {

constexpr std::size_t in_input_gradient = 0;
constexpr std::size_t in_gain_gradient = 1;

// Exact values with what a program may be off by.
struct Estimates {
    std::vector<double> exact;
    std::vector<double> bound;

    numeric::Interval range(std::size_t element) const {
        return {exact[element] - bound[element], exact[element] + bound[element]};
    }
};

// The exact values with their bounds where a program gave `found`: the last rounding's part of a
// bound is that of the larger magnitude.
using EstimatesAt = std::function<Estimates(const std::vector<double>& found)>;

Accepted accepted_of(const char* tensor, const Estimates& estimates, NumberFormat format,
                     const EstimatesAt& estimates_at) {
    std::vector<double> low;
    std::vector<double> high;
    std::vector<double> below;
    std::vector<double> above;
    for (std::size_t i = 0; i < estimates.exact.size(); ++i) {
        const numeric::Interval range = estimates.range(i);
        low.push_back(numeric::round_up(format, range.low));
        high.push_back(numeric::round_down(format, range.high));
        below.push_back(numeric::next_down(format, low.back()));
        above.push_back(numeric::next_up(format, high.back()));
    }
    const Estimates at_below = estimates_at(below);
    const Estimates at_above = estimates_at(above);
    Accepted accepted{tensor, {}, {}, {}};
    for (std::size_t i = 0; i < low.size(); ++i) {
        if (at_below.range(i).low <= below[i]) {
            low[i] = numeric::round_up(format, at_below.range(i).low);
        }
        if (at_above.range(i).high >= above[i]) {
            high[i] = numeric::round_down(format, at_above.range(i).high);
        }
        accepted.add(estimates.exact[i], {low[i], high[i]});
    }
    return accepted;
}

class BackwardTrial {
  public:
    BackwardTrial(const TestCase& test, NumberFormat format, const Found* found)
        : test_(test),
          found_(found),
          format_(format),
          formats_{format, format, format, format, format},
          roundings_(formats_, format),
          input_gradient_(test.elements()) {
        tensors_.rows = test.rows;
        tensors_.width = test.width;
        tensors_.formats = formats_;
        tensors_.epsilon = test.epsilon;
        tensors_.gain_offset = test.gain_offset;
        tensors_.gain = test.gain;
        tensors_.input = reader_of(test.input);
        tensors_.upstream = reader_of(test.upstream);
        tensors_.input_gradient = reader_of(input_gradient_);
        columns_.resize(test.width);
        std::iota(columns_.begin(), columns_.end(), std::size_t{0});
    }

    Trial run() {
        if (test_.refuse || !accept_input_gradient() || !accept_gain_gradient()) return {};
        if (test_.elements() == 0) return std::move(trial_);
        try_input_formulas();
        try_gain_formulas();
        try_low_reciprocals();
        try_low_sums();
        try_narrow_results();
        try_parts();
        return std::move(trial_);
    }

  private:
    // The input gradient by a formula; nothing where a row has none.
    std::optional<Estimates> estimates(const InputGradientFormula& formula,
                                       const std::vector<double>& found) const {
        Estimates all;
        for (std::size_t k = 0; k < test_.rows; ++k) {
            GradientRow row{k, row_of(test_.input, k), row_of(test_.upstream, k), row_of(found, k)};
            InputGradientErrors errors;
            if (!evaluate(formula, reader_, roundings_, row, 0, errors)) return std::nullopt;
            all.exact.insert(all.exact.end(), errors.exact.begin(), errors.exact.end());
            all.bound.insert(all.bound.end(), errors.bound.begin(), errors.bound.end());
        }
        return all;
    }

    Estimates estimates(const GainGradientFormula& formula, const std::vector<ColumnSum>& sums,
                        const std::vector<double>& found) const {
        Estimates all;
        for (const std::size_t column : columns_) {
            const SummedColumn one = judged_sum(roundings_, formula, sums[column], found[column]);
            all.exact.push_back(one.exact);
            all.bound.push_back(one.bound);
        }
        return all;
    }

    std::vector<double> row_of(const std::vector<double>& values, std::size_t index) const {
        const auto row = std::span(values).subspan(index * test_.width, test_.width);
        return {row.begin(), row.end()};
    }

    bool accept_input_gradient() {
        const InputGradientFormula right = input_gradient_formulas(tensors_)[0];
        auto estimated = estimates(right, std::vector<double>(test_.elements()));
        if (!estimated) return false;
        right_input_ = std::move(*estimated);
        trial_.accepted.push_back(accepted_of(
            "input_gradient", right_input_, format_,
            [&](const std::vector<double>& numbers) { return *estimates(right, numbers); }));
        for (std::size_t e = 0; e < test_.elements(); ++e) {
            input_gradient_[e] = numeric::round_to(format_, right_input_.exact[e]);
        }
        if (const auto* const given = found(in_input_gradient)) input_gradient_ = *given;
        return true;
    }

    bool accept_gain_gradient() {
        const GainGradientFormula right = gain_gradient_formulas(tensors_)[0];
        std::size_t skipped = 0;
        const auto sums = summed(reader_, roundings_, {&right, 1}, columns_, &skipped);
        if (skipped > 0) return false;
        right_gain_ = estimates(right, sums[0], std::vector<double>(test_.width));
        trial_.accepted.push_back(accepted_of("gain_gradient", right_gain_, format_,
                                              [&](const std::vector<double>& numbers) {
                                                  return estimates(right, sums[0], numbers);
                                              }));
        return true;
    }

    // Where a row has no result by a formula, as that of zeros without epsilon.
    static numeric::Interval nothing_known(std::size_t) { return anything; }

    // What was found of a tensor, or nothing.
    const std::vector<double>* found(std::size_t tensor) const {
        if (found_ == nullptr) return nullptr;
        const auto one = found_->find(trial_.accepted[tensor].tensor);
        return one == found_->end() ? nullptr : &one->second;
    }

    // `range_at_found` is the range where the last rounding is that of what was found.
    template <class RangeOf, class RangeAtFound>
    void claim(const Explanation& explanation, std::size_t tensor, RangeOf range_of,
               RangeAtFound range_at_found) {
        const Accepted& accepted = trial_.accepted[tensor];
        Implementation made;
        for (std::size_t e = 0; e < accepted.exact.size() && !made.fails; ++e) {
            const numeric::Interval range = range_of(e);
            made.fails = misses(accepted, e, range);
            made.may_fail = made.may_fail || exceeds(accepted, e, range);
        }
        const std::vector<double>* const values = found(tensor);
        made.gives = values != nullptr;
        for (std::size_t e = 0; made.gives && e < values->size(); ++e) {
            made.gives = holds(range_at_found(e), (*values)[e]);
        }
        Mistake mistake = mistake_of(explanation);
        mistake.tensor = accepted.tensor;
        note(trial_.outcomes, mistake, made);
    }

    template <class RangeOf>
    void claim(const Explanation& explanation, std::size_t tensor, RangeOf range_of) {
        claim(explanation, tensor, range_of, range_of);
    }

    void try_input_formulas() {
        const auto formulas = input_gradient_formulas(tensors_);
        for (std::size_t i = 1; i < formulas.size(); ++i) {
            const auto wrong = estimates(formulas[i], input_gradient_);
            if (!wrong) {
                claim(formulas[i].explanation, in_input_gradient, nothing_known);
                continue;
            }
            const std::vector<double>* const values = found(in_input_gradient);
            const auto at_found = values == nullptr ? wrong : estimates(formulas[i], *values);
            claim(
                formulas[i].explanation, in_input_gradient,
                [&](std::size_t e) { return wrong->range(e); },
                [&](std::size_t e) { return at_found->range(e); });
        }
    }

    void try_gain_formulas() {
        const auto formulas = gain_gradient_formulas(tensors_);
        for (std::size_t i = 1; i < formulas.size(); ++i) {
            std::size_t skipped = 0;
            const auto sums = summed(reader_, roundings_, {&formulas[i], 1}, columns_, &skipped);
            Explanation explanation = formulas[i].explanation;
            // One form for all sizes of blocks.
            if (explanation.id == "tail-rows-missing" || explanation.id == "block-of-rows-only") {
                explanation.value.reset();
            }
            if (skipped > 0) {
                claim(explanation, in_gain_gradient, nothing_known);
                continue;
            }
            const Estimates wrong = estimates(formulas[i], sums[0], right_gain_.exact);
            const std::vector<double>* const values = found(in_gain_gradient);
            const Estimates at_found =
                values == nullptr ? wrong : estimates(formulas[i], sums[0], *values);
            claim(
                explanation, in_gain_gradient, [&](std::size_t e) { return wrong.range(e); },
                [&](std::size_t e) { return at_found.range(e); });
        }
    }

    // The reciprocal root rounded, as a forward pass may have kept it.
    void try_low_reciprocals() {
        for (const NumberFormat low : lower_formats(roundings_.arithmetic)) {
            std::vector<double> of_input;
            std::vector<double> of_gain(test_.width);
            for (std::size_t k = 0; k < test_.rows; ++k) {
                const auto input = row_of(test_.input, k);
                const auto upstream = row_of(test_.upstream, k);
                const auto scale = gradient_scale(tensors_, input, test_.epsilon);
                const double r = numeric::round_to(low, scale->reciprocal.high);
                double sum = 0;
                for (const std::size_t i : columns_) {
                    sum += upstream[i] * reader_.gain(i, GainReading::effective) * input[i];
                    of_gain[i] += upstream[i] * input[i] * r;
                }
                const double mean = sum / static_cast<double>(test_.width);
                for (const std::size_t i : columns_) {
                    of_input.push_back(r * reader_.gain(i, GainReading::effective) * upstream[i] -
                                       input[i] * r * r * r * mean);
                }
            }
            claim_around({"reciprocal-low", "", {}, {}, low}, in_input_gradient, of_input,
                         right_input_);
            claim_around({"reciprocal-low", "", {}, {}, low}, in_gain_gradient, of_gain,
                         right_gain_);
        }
    }

    // Values from which a program is off by as much as one is from right ones.
    void claim_around(const Explanation& explanation, std::size_t tensor,
                      const std::vector<double>& values, const Estimates& right) {
        claim(explanation, tensor, [&](std::size_t e) {
            return numeric::Interval{values[e] - right.bound[e], values[e] + right.bound[e]};
        });
    }

    // The rows added up in a narrow format.
    void try_low_sums() {
        for (const NumberFormat low : lower_formats(roundings_.arithmetic)) {
            if (low == NumberFormat::binary16 && format_ == NumberFormat::bfloat16) continue;
            std::vector<NarrowSum> sums(test_.width, NarrowSum(low));
            for (std::size_t k = 0; k < test_.rows; ++k) {
                const auto input = row_of(test_.input, k);
                const auto upstream = row_of(test_.upstream, k);
                const double r = gradient_scale(tensors_, input, test_.epsilon)->reciprocal.high;
                for (const std::size_t i : columns_) {
                    const double normalized = numeric::round_to(low, input[i] * r);
                    sums[i].add(numeric::round_to(low, upstream[i] * normalized));
                }
            }
            const auto exactly = [](double value) { return numeric::Interval{value, value}; };
            claim({"accumulation-low", "row by row", {}, {}, low}, in_gain_gradient,
                  [&](std::size_t e) { return exactly(sums[e].running()); });
            claim({"accumulation-low", "in pairs", {}, {}, low}, in_gain_gradient,
                  [&](std::size_t e) { return exactly(sums[e].paired()); });
        }
    }

    void try_narrow_results() {
        for (const NumberFormat low : lower_formats(NumberFormat::binary64)) {
            if (numeric::precision(low) >= numeric::precision(format_)) continue;
            const auto rounded = [&](const Accepted& accepted) {
                return [&accepted, low](std::size_t e) {
                    return numeric::Interval{numeric::round_to(low, accepted.low[e]),
                                             numeric::round_to(low, accepted.high[e])};
                };
            };
            for (const std::size_t tensor : {in_input_gradient, in_gain_gradient}) {
                claim({"output-low", "", {}, {}, low}, tensor, rounded(trial_.accepted[tensor]));
            }
        }
    }

    // Columns, or the last row, that are zero.
    void try_parts() {
        const auto part = [&](const std::string& form, std::size_t tensor, auto belongs) {
            const Accepted& accepted = trial_.accepted[tensor];
            claim({"part", form + " are zeros", {}, {}, {}}, tensor, [&](std::size_t e) {
                return belongs(e) ? numeric::Interval{0, 0}
                                  : numeric::Interval{accepted.low[e], accepted.high[e]};
            });
        };
        for (const std::size_t block : {2U, 4U, 8U, 16U, 32U}) {
            const std::size_t whole = test_.width / block * block;
            if (whole == 0 || whole == test_.width) continue;
            for (const std::size_t tensor : {in_input_gradient, in_gain_gradient}) {
                part("columns after the last multiple of " + std::to_string(block), tensor,
                     [&](std::size_t e) { return e % test_.width >= whole; });
            }
        }
        if (test_.rows < 2) return;
        part("the last row", in_input_gradient,
             [&](std::size_t e) { return e / test_.width + 1 == test_.rows; });
    }

    const TestCase& test_;
    const Found* found_;
    NumberFormat format_;
    GradientFormats formats_;
    GradientRoundings roundings_;
    // Found or right: the gain gradient's mistakes may read it.
    std::vector<double> input_gradient_;
    GradientTensors tensors_;
    GradientReader reader_{tensors_};
    std::vector<std::size_t> columns_;
    Estimates right_input_;
    Estimates right_gain_;
    Trial trial_;
};

}  // namespace

Trial backward_trial(const TestCase& test, NumberFormat format, const Found* found) {
    return BackwardTrial(test, format, found).run();
}

}  // namespace rmsnorm::judge::vectors
