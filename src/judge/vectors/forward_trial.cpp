// Every mistake of the output's catalogue, made on a test case.
#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>
#include <set>
#include <utility>

#include "judge/estimates.hpp"
#include "judge/vectors/computation.hpp"
#include "judge/vectors/outcomes.hpp"
#include "numeric/decimal.hpp"

namespace rmsnorm::judge::vectors {
namespace {

constexpr double infinity = std::numeric_limits<double>::infinity();

class ForwardTrial {
  public:
    ForwardTrial(const TestCase& test, NumberFormat format, const Found* found) : test_(test) {
        if (found != nullptr) found_ = &found->at("output");
        tensors_.rows = test.rows;
        tensors_.width = test.width;
        tensors_.formats = {format, format, format};
        tensors_.epsilon = test.epsilon;
        tensors_.gain_offset = test.gain_offset;
        tensors_.gain = test.gain;
        tensors_.input = tensors_.output = reader_of(test.input);
    }

    Trial run() {
        if (test_.refuse) return {};
        if (!accept()) return {};
        if (test_.elements() == 0) return std::move(trial_);
        for (std::size_t k = 0; k < test_.rows; ++k) {
            const auto input = row(test_.input, k);
            contexts_.push_back(context_of(k, input, input, right_.gains[0]));
        }
        // The loosest alone: it allows what the others do.
        if (!tensors_.formats.rounds_output()) right_.structures.erase(right_.structures.begin());
        const Catalogue catalogue(tensors_);
        try_formulas(catalogue);
        try_inputs(catalogue);
        try_gains(catalogue);
        try_readings(catalogue);
        try_low_formats();
        try_places();
        try_statistics_elsewhere();
        try_changes();
        return std::move(trial_);
    }

  private:
    std::span<const double> row(const std::vector<double>& values, std::size_t index) const {
        return std::span(values).subspan(index * test_.width, test_.width);
    }

    Row row_of(const std::vector<double>& input, std::size_t index) const {
        const auto elements = row(input, index);
        return {index, {elements.begin(), elements.end()}, test_.gain, {}};
    }

    static ScaleInterval scale_of(std::span<const double> input, double epsilon,
                                  NumberFormat arithmetic) {
        ScaleContext context;
        context.epsilon = epsilon;
        context.arithmetic = arithmetic;
        context.statistics.width = input.size();
        context.statistics.squares = sum_of_squares(input, arithmetic);
        const std::optional<Scale> scale = right_scale(context);
        return scale ? scale->interval() : unknown_scale;
    }

    // RMSNorm of an input, in formats that may be others.
    Computation computation(std::vector<double> input, const Formats& formats) const {
        Computation made{formats, right_structures(formats), {}, std::move(input), {}};
        Tensors cast = tensors_;
        cast.formats = formats;
        for (double& gain : cast.gain) gain = numeric::round_to(formats.gain, gain);
        const Row any{0, std::vector<double>(test_.width), cast.gain, {}};
        for (const GainReplacement& gain : right_gains(cast)) {
            made.gains.push_back(gain.apply(any, cast));
        }
        for (std::size_t k = 0; k < test_.rows; ++k) {
            made.scales.insert(made.scales.end(), test_.width,
                               scale_of(row(made.input, k), test_.epsilon, formats.arithmetic()));
        }
        return made;
    }

    // False where a row has no scale.
    bool accept() {
        right_ = computation(test_.input, tensors_.formats);
        Accepted accepted{"output", {}, {}, {}};
        for (std::size_t e = 0; e < test_.elements(); ++e) {
            if (right_.scales[e].empty()) return false;
            numeric::Interval all{infinity, -infinity};
            for (const Structure& structure : right_.structures) {
                for (const std::vector<double>& gain : right_.gains) {
                    const numeric::Interval one = right_.range(structure, gain, e);
                    all = {std::min(all.low, one.low), std::max(all.high, one.high)};
                }
            }
            accepted.add(exact(e), all);
        }
        trial_.accepted.push_back(std::move(accepted));
        return true;
    }

    double exact(std::size_t element) const {
        const auto input = row(test_.input, element / test_.width);
        const DoubleDouble mean = sum_of_squares(input, NumberFormat::binary64) /
                                  DoubleDouble(static_cast<double>(test_.width));
        const DoubleDouble scale =
            DoubleDouble(1) / square_root(mean + DoubleDouble(test_.epsilon));
        const DoubleDouble factor =
            product(test_.input[element], right_.gains[0][element % test_.width]);
        return (factor * scale).high;
    }

    void claim(const Mistake& mistake, const Computation& wrong) {
        const Accepted& accepted = trial_.accepted[0];
        Implementation made{true, false, false};
        for (const Structure& structure : wrong.structures) {
            for (const std::vector<double>& gain : wrong.gains) {
                if (!made.fails && found_ == nullptr) break;
                bool missed = false;
                bool gives = found_ != nullptr;
                for (std::size_t e = 0; e < test_.elements() && (!missed || gives); ++e) {
                    const numeric::Interval range = wrong.range(structure, gain, e);
                    missed = missed || misses(accepted, e, range);
                    made.may_fail = made.may_fail || exceeds(accepted, e, range);
                    gives = gives && holds(range, (*found_)[e]);
                }
                made.fails = made.fails && missed;
                made.gives = made.gives || gives;
            }
        }
        note(trial_.outcomes, mistake, made);
    }

    void claim(const std::string& id, const std::string& form, const Computation& wrong) {
        claim({id, form}, wrong);
    }

    ScaleContext context_of(std::size_t index, std::span<const double> input,
                            std::span<const double> statistics_of, std::span<const double> gain) {
        ScaleContext context;
        context.row = index;
        context.rows = test_.rows;
        context.epsilon = test_.epsilon;
        context.arithmetic = tensors_.formats.arithmetic();
        context.statistics = row_statistics(statistics_of, gain, context.arithmetic);
        context.input = input;
        context.all_rows = &squares_;
        return context;
    }

    template <class ScaleOf>
    Computation with_scales(ScaleOf scale_of_context) {
        Computation wrong = right_;
        wrong.scales.clear();
        for (std::size_t k = 0; k < test_.rows; ++k) {
            const std::optional<Scale> scale = scale_of_context(contexts_[k]);
            wrong.scales.insert(wrong.scales.end(), test_.width,
                                scale ? scale->interval() : unknown_scale);
        }
        return wrong;
    }

    void try_formulas(const Catalogue& catalogue) {
        // Many orders of summation give one scale.
        std::set<std::pair<Mistake, std::vector<double>>> seen;
        for (const ScaleFormula& formula : catalogue.formulas) {
            if (formula.rare) continue;
            const Mistake mistake = mistake_of(formula.explanation);
            Computation wrong = with_scales(formula.scale);
            mark_zero_rows(mistake, wrong);
            std::vector<double> ends;
            for (std::size_t k = 0; k < test_.rows; ++k) {
                const ScaleInterval& scale = wrong.scales[k * test_.width];
                ends.push_back(scale.low.high);
                ends.push_back(scale.high.high);
            }
            if (!seen.emplace(mistake, std::move(ends)).second) continue;
            claim(mistake, wrong);
        }
        for (const std::size_t block : {2U, 4U, 8U, 16U, 32U}) {
            const std::size_t prefix = (test_.width - 1) / block * block;
            if (prefix == 0) continue;
            const std::vector<Explanation> read = {{"partial-mean", "", {}, prefix, {}}};
            for (const Estimate estimate : {Estimate::prefix, Estimate::prefix_over_width}) {
                claim("partial-mean",
                      estimate == Estimate::prefix ? "" : "and the divisor is the width",
                      with_scales([&](const ScaleContext& context) {
                          return estimated_scale(estimate, read, context);
                      }));
            }
        }
        for (const double factor : {2.0, 0.5, 0.875}) {
            const Explanation read{"constant-factor", "", factor, {}, {}};
            claim(mistake_of(read), with_scales([&](const ScaleContext& context) {
                      return estimated_scale(Estimate::factor, {read}, context);
                  }));
        }
    }

    // 0 / 0 in a zero row.
    void mark_zero_rows(const Mistake& mistake, Computation& wrong) const {
        if (mistake.id != "epsilon-missing" && mistake.id != "epsilon-scaled") return;
        for (std::size_t e = 0; e < test_.elements(); ++e) {
            const auto input = row(test_.input, e / test_.width);
            if (std::all_of(input.begin(), input.end(), [](double x) { return x == 0; })) {
                wrong.scales[e] = no_number;
            }
        }
    }

    void try_inputs(const Catalogue& catalogue) {
        for (std::size_t i = 1; i < catalogue.inputs.size(); ++i) {
            const InputReplacement& replacement = catalogue.inputs[i];
            Computation wrong = right_;
            wrong.input.clear();
            wrong.scales.clear();
            if (replacement.holds_gain) wrong.gains = {std::vector<double>(test_.width, 1.0)};
            for (std::size_t k = 0; k < test_.rows; ++k) {
                const Row given = row_of(test_.input, k);
                const ReplacedInput replaced = replacement.apply(given, tensors_);
                const auto& measured = replacement.keeps_statistics ? given.input : replaced.values;
                std::optional<Scale> scale =
                    right_scale(context_of(k, given.input, measured, wrong.gains[0]));
                ScaleInterval interval = unknown_scale;
                if (scale && replaced.usable && replaced.scale_error < 0.5) {
                    scale->below += replaced.scale_error;
                    scale->above += replaced.scale_error;
                    interval = scale->interval();
                }
                wrong.scales.insert(wrong.scales.end(), test_.width, interval);
                wrong.input.insert(wrong.input.end(), replaced.values.begin(),
                                   replaced.values.end());
                std::vector<double> errors = replaced.relative_error;
                errors.resize(test_.width);
                wrong.errors.insert(wrong.errors.end(), errors.begin(), errors.end());
            }
            claim(mistake_of(*replacement.explanation), wrong);
        }
    }

    void try_gains(const Catalogue& catalogue) {
        for (const GainReplacement& replacement : catalogue.gains) {
            if (!replacement.explanation) continue;
            Computation wrong = right_;
            wrong.gains = {replacement.apply(row_of(test_.input, 0), tensors_)};
            claim(mistake_of(*replacement.explanation), wrong);
        }
    }

    void try_readings(const Catalogue& catalogue) {
        for (const Reading& reading : catalogue.readings) {
            if (reading.explanations.empty()) continue;
            Computation wrong = right_;
            wrong.structures = {reading.structure};
            claim(mistake_of(reading.explanations[0]), wrong);
        }
    }

    void try_low_formats() {
        const NumberFormat output = tensors_.formats.output;
        for (const NumberFormat low : lower_formats(NumberFormat::binary64)) {
            if (numeric::precision(low) >= numeric::precision(output)) continue;
            const std::string words(numeric::full_name(low));
            Computation rounded = right_;
            rounded.change = [=](std::size_t, numeric::Interval range) {
                return numeric::Interval{
                    numeric::round_to(low, numeric::next_down(output, range.low)),
                    numeric::round_to(low, numeric::next_up(output, range.high))};
            };
            claim("output-low", words, rounded);
            std::vector<double> input = test_.input;
            for (double& value : input) value = numeric::round_to(low, value);
            if (std::any_of(input.begin(), input.end(), [](double x) { return std::isinf(x); })) {
                continue;
            }
            claim("computed-low", "input and gain as well, " + words,
                  computation(std::move(input), {low, low, low}));
        }
    }

    // Rows and columns that are mixed up.
    void try_places() {
        const std::size_t rows = test_.rows;
        const std::size_t width = test_.width;
        const auto place = [&](const char* id, const char* form, auto source) {
            Computation wrong = right_;
            for (std::size_t e = 0; e < test_.elements(); ++e) wrong.sources.push_back(source(e));
            claim(id, form, wrong);
        };
        place("rows-shifted", "by one",
              [&](std::size_t e) { return (e + (rows - 1) * width) % (rows * width); });
        place("rows-shifted", "by one upwards",
              [&](std::size_t e) { return (e + width) % (rows * width); });
        place("rows-reversed", "",
              [&](std::size_t e) { return (rows - 1 - e / width) * width + e % width; });
        place("column-major-output", "",
              [&](std::size_t e) { return e % rows * width + e / rows; });
        std::vector<double> input;
        for (std::size_t e = 0; e < test_.elements(); ++e) {
            input.push_back(test_.input[e % width * rows + e / width]);
        }
        Computation wrong = computation(std::move(input), tensors_.formats);
        wrong.structures = right_.structures;
        claim("column-major-input", "", wrong);
    }

    // The mean square of a column, or of a part of a row.
    void try_statistics_elsewhere() {
        const NumberFormat arithmetic = tensors_.formats.arithmetic();
        Computation columns = right_;
        for (std::size_t i = 0; i < test_.width; ++i) {
            std::vector<double> column(test_.rows);
            tensors_.input(i, test_.width, column);
            const ScaleInterval scale = scale_of(column, test_.epsilon, arithmetic);
            for (std::size_t k = 0; k < test_.rows; ++k)
                columns.scales[k * test_.width + i] = scale;
        }
        claim("batch-axis", "", columns);
        for (const std::size_t groups : {2U, 3U, 4U, 8U}) {
            if (test_.width % groups != 0 || test_.width == groups) continue;
            const std::size_t part = test_.width / groups;
            Computation grouped = right_;
            for (std::size_t first = 0; first < test_.elements(); first += part) {
                const ScaleInterval scale = scale_of(std::span(test_.input).subspan(first, part),
                                                     test_.epsilon, arithmetic);
                std::fill_n(grouped.scales.begin() + static_cast<std::ptrdiff_t>(first), part,
                            scale);
            }
            claim("grouped", "", grouped);
        }
    }

    void try_changes() {
        const NumberFormat output = tensors_.formats.output;
        for (const double bias : {1.0, 0.125}) {
            Computation wrong = right_;
            wrong.change = [=](std::size_t, numeric::Interval range) {
                return numeric::Interval{numeric::round_to(output, range.low + bias),
                                         numeric::round_to(output, range.high + bias)};
            };
            claim("bias-added", numeric::shortest(bias), wrong);
        }
        const auto part = [&](const std::string& form, auto belongs) {
            for (const bool zeros : {true, false}) {
                Computation wrong = right_;
                wrong.change = [&, zeros](std::size_t e, numeric::Interval range) {
                    if (!belongs(e)) return range;
                    const double value = zeros ? 0 : test_.input[e];
                    return numeric::Interval{value, value};
                };
                claim("part", form + (zeros ? " are zeros" : " are the input unchanged"), wrong);
            }
        };
        for (const std::size_t block : {2U, 4U, 8U, 16U, 32U}) {
            const std::size_t whole = test_.width / block * block;
            if (whole == 0 || whole == test_.width) continue;
            part("columns after the last multiple of " + std::to_string(block),
                 [&](std::size_t e) { return e % test_.width >= whole; });
        }
        if (test_.rows < 2) return;
        part("all rows but the first", [&](std::size_t e) { return e >= test_.width; });
        part("the last row", [&](std::size_t e) { return e / test_.width + 1 == test_.rows; });
    }

    const TestCase& test_;
    const std::vector<double>* found_ = nullptr;
    Tensors tensors_;
    RowSquares squares_{tensors_};
    Computation right_;
    std::vector<ScaleContext> contexts_;  // of the rows as they are
    Trial trial_;
};

}  // namespace

Trial forward_trial(const TestCase& test, NumberFormat format, const Found* found) {
    return ForwardTrial(test, format, found).run();
}

}  // namespace rmsnorm::judge::vectors
