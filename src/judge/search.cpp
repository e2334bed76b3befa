#include "judge/search.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

#include "judge/estimates.hpp"

namespace rmsnorm::judge {
namespace {

void add_readings(std::vector<Reading>& readings, const Formats& formats,
                  const std::vector<Explanation>& explanations, double cost) {
    double step = 0;
    for (const Structure& structure : right_structures(formats)) {
        readings.push_back({formats, structure, explanations, cost + step});
        step += 0.01;
    }
    for (const Structure& structure : truncated_structures(formats)) {
        std::vector<Explanation> truncated = explanations;
        truncated.push_back({"output-truncated", "", {}, {}, formats.output});
        readings.push_back({formats, structure, truncated, cost + 1 + step});
        step += 0.01;
    }
}

// A normalized value rounded to a format that no tensor has.
void add_narrow_products(std::vector<Reading>& readings, const Formats& formats) {
    for (const NumberFormat format : lower_formats(formats.arithmetic())) {
        const Structure structure{Factoring::value_first, format};
        const bool known = std::any_of(readings.begin(), readings.end(),
                                       [&](const Reading& r) { return r.structure == structure; });
        if (known) continue;
        readings.push_back({formats,
                            structure,
                            {{"computed-low", "from the normalized value on", {}, {}, format}},
                            1.1});
    }
}

bool all_in(NumberFormat format, std::span<const Row> rows) {
    for (const Row& row : rows) {
        for (const double value : row.output) {
            if (!numeric::is_in(format, value)) return false;
        }
    }
    return true;
}

std::vector<Reading> readings_for(const Catalogue& catalogue, const Tensors& tensors,
                                  std::span<const Row> rows) {
    std::vector<Reading> readings = catalogue.readings;
    for (const NumberFormat format : lower_formats(NumberFormat::binary64)) {
        if (numeric::precision(format) >= numeric::precision(tensors.formats.output)) continue;
        if (!all_in(format, rows)) continue;
        Formats narrow = tensors.formats;
        narrow.output = format;
        add_readings(readings, narrow, {{"output-low", "", {}, {}, format}}, 1);
    }
    return readings;
}

// Which replacements change something; the others would only repeat what is there.
std::vector<std::size_t> telling_inputs(const Tensors& tensors, const Catalogue& catalogue,
                                        std::span<const Row> rows) {
    std::vector<std::size_t> telling = {0};
    for (std::size_t i = 1; i < catalogue.inputs.size(); ++i) {
        for (const Row& row : rows) {
            if (catalogue.inputs[i].apply(row, tensors).values == row.input) continue;
            telling.push_back(i);
            break;
        }
    }
    return telling;
}

std::vector<std::size_t> telling_gains(const Tensors& tensors, const Catalogue& catalogue,
                                       std::span<const Row> rows) {
    std::vector<std::size_t> telling;
    std::vector<std::vector<double>> seen;
    for (std::size_t i = 0; i < catalogue.gains.size(); ++i) {
        std::vector<double> gain = catalogue.gains[i].apply(rows[0], tensors);
        if (std::find(seen.begin(), seen.end(), gain) != seen.end()) continue;
        seen.push_back(std::move(gain));
        telling.push_back(i);
    }
    return telling;
}

struct Pair {
    std::size_t input;
    std::size_t gain;
    std::size_t reading;
    double cost;
};

class Searcher {
  public:
    Searcher(const Tensors& tensors, const Catalogue& catalogue, std::span<const Row> rows,
             View view, std::size_t groups, const SearchLimits& limits)
        : tensors_(tensors),
          catalogue_(catalogue),
          rows_(rows),
          view_(view),
          groups_(groups),
          limits_(limits),
          best_(limits.most_cost - limits.margin),
          readings_(readings_for(catalogue, tensors, rows)) {}

    std::vector<Hypothesis> run() {
        for (const Pair& pair : pairs()) {
            if (pair.cost > best_ + limits_.margin) break;
            test(pair);
        }
        keep_tight();
        for (const Hypothesis& h : found_) best_ = std::min(best_, h.cost);
        std::erase_if(found_, [&](const Hypothesis& h) { return h.cost > best_ + limits_.margin; });
        std::stable_sort(found_.begin(), found_.end(),
                         [](const Hypothesis& a, const Hypothesis& b) { return a.cost < b.cost; });
        return std::move(found_);
    }

  private:
    double view_cost() const {
        if (view_ == View::plain) return 0;
        return view_ == View::grouped ? 1.05 : 1;
    }

    std::vector<Pair> pairs() const {
        std::vector<Pair> all;
        const auto inputs = telling_inputs(tensors_, catalogue_, rows_);
        const auto gains = telling_gains(tensors_, catalogue_, rows_);
        for (const std::size_t input : inputs) {
            for (const std::size_t gain : gains) {
                if (catalogue_.inputs[input].holds_gain && gain != 0) continue;
                for (std::size_t reading = 0; reading < readings_.size(); ++reading) {
                    const double cost = catalogue_.inputs[input].cost +
                                        catalogue_.gains[gain].cost + readings_[reading].cost +
                                        view_cost();
                    all.push_back({input, gain, reading, cost});
                }
            }
        }
        std::stable_sort(all.begin(), all.end(),
                         [](const Pair& a, const Pair& b) { return a.cost < b.cost; });
        return all;
    }

    void test(const Pair& pair) {
        std::vector<RowTest> tests;
        bool usable = false;
        for (const Row& row : rows_) {
            RowTest test = test_row(tensors_, row, catalogue_.inputs[pair.input],
                                    catalogue_.gains[pair.gain], readings_[pair.reading]);
            if (test.measured.empty()) return;
            usable = usable || test.usable;
            tests.push_back(test);
        }
        if (!usable || right_within_errors(pair)) return;
        RowSquares squares(tensors_);
        for (RowTest& test : tests) test.context.all_rows = &squares;
        try_formula(pair, tests, std::nullopt, 0);
        for (std::size_t i = 0; i < catalogue_.formulas.size(); ++i) {
            const ScaleFormula& formula = catalogue_.formulas[i];
            if (formula.needs_other_rows && view_ != View::plain) continue;
            if (formula.of_given_input && pair.input != 0) continue;
            try_formula(pair, tests, i, formula.cost);
        }
        try_estimates(pair, tests);
    }

    // An input that is itself a guess is allowed errors. Where the right input with the same errors
    // fits all rows, they explain the output, and not the guess.
    bool right_within_errors(const Pair& pair) const {
        const InputReplacement& guess = catalogue_.inputs[pair.input];
        if (guess.apply(rows_[0], tensors_).relative_error.empty()) return false;
        const InputReplacement right{{}, 0, [&](const Row& row, const Tensors& tensors) {
                                         ReplacedInput input = guess.apply(row, tensors);
                                         input.values = row.input;
                                         return input;
                                     }};
        const auto fits = [&](std::size_t gain) {
            return std::all_of(rows_.begin(), rows_.end(), [&](const Row& row) {
                const RowTest test =
                    test_row(tensors_, row, right, catalogue_.gains[gain], readings_[pair.reading]);
                const auto scale = test.measured.empty() ? std::nullopt : scale_for(test, right_);
                return scale && test.measured.meets(scale->interval());
            });
        };
        return fits(0) || (pair.gain != 0 && fits(pair.gain));
    }

    Hypothesis base(const Pair& pair, double cost) const {
        Hypothesis h;
        h.cost = cost;
        h.view = view_;
        h.groups = groups_;
        h.input = pair.input;
        h.gain = pair.gain;
        h.reading = readings_[pair.reading];
        add_view(h);
        if (const auto& e = catalogue_.inputs[pair.input].explanation) h.explanations.push_back(*e);
        if (const auto& e = catalogue_.gains[pair.gain].explanation) h.explanations.push_back(*e);
        return h;
    }

    void add_view(Hypothesis& h) const {
        const auto add = [&](const char* id, const char* detail) {
            h.explanations.push_back({id, detail, {}, {}, {}});
        };
        switch (view_) {
            case View::plain: break;
            case View::column_major_output: add("column-major-output", ""); break;
            case View::column_major_input: add("column-major-input", ""); break;
            case View::rows_shifted_down: add("rows-shifted", "by one"); break;
            case View::rows_shifted_up: add("rows-shifted", "by one upwards"); break;
            case View::rows_reversed: add("rows-reversed", ""); break;
            case View::transposed: add("batch-axis", ""); break;
            case View::grouped:
                h.explanations.push_back(
                    {"grouped", "", static_cast<double>(groups_), tensors_.width / groups_, {}});
        }
    }

    void finish(Hypothesis h, const Pair& pair) {
        for (const Explanation& e : readings_[pair.reading].explanations)
            h.explanations.push_back(e);
        if (h.explanations.empty() && !limits_.right_too) return;
        // Three at once fit almost anything that is rounded to few bits.
        if (h.explanations.size() > 2) return;
        const bool repeated = std::any_of(found_.begin(), found_.end(), [&](const Hypothesis& old) {
            return old.explanations == h.explanations;
        });
        if (repeated) return;
        // One that fits to the last digits may still come.
        if (is_tight(h)) best_ = std::min(best_, h.cost);
        found_.push_back(std::move(h));
    }

    // Without a last rounding the measured scale is that of the program to a few units, and the
    // bound for any order is far wider than most orders' errors.
    bool is_tight(const Hypothesis& h) const {
        if (h.reading.formats.rounds_output()) return true;
        double logarithm = 0;
        for (std::size_t n = rows_[0].input.size(); n > 1; n /= 2) ++logarithm;
        return h.largest_roundoffs <= logarithm + 24;
    }

    void keep_tight() {
        if (limits_.margin > named_margin) return;
        const auto tight = [&](const Hypothesis& h) { return is_tight(h); };
        const auto cheapest = std::min_element(
            found_.begin(), found_.end(), [&](const Hypothesis& a, const Hypothesis& b) {
                return tight(a) != tight(b) ? tight(a) : a.cost < b.cost;
            });
        if (cheapest == found_.end() || !tight(*cheapest)) return;
        const double cost = cheapest->cost;
        // The right formula stays beside what is a doubt then.
        std::erase_if(found_,
                      [&](const Hypothesis& h) { return !is_tight(h) && !h.explanations.empty(); });
        for (Hypothesis& h : found_) {
            if (!is_tight(h)) h.cost = cost;
        }
    }

    void try_formula(const Pair& pair, const std::vector<RowTest>& tests,
                     std::optional<std::size_t> formula, double cost) {
        const double total = pair.cost + cost;
        if (total > best_ + limits_.margin) return;
        Hypothesis h = base(pair, total);
        h.formula = formula;
        const auto& scale_of = formula ? catalogue_.formulas[*formula].scale : right_;
        std::size_t told = 0;
        for (const RowTest& test : tests) {
            if (!test.usable) continue;
            const std::optional<Scale> scale = scale_for(test, scale_of);
            if (!scale) continue;
            if (!test.measured.meets(scale->interval())) return;
            ++told;
            note_distance(h, test, *scale);
        }
        if (told == 0) return;
        if (formula) h.explanations.push_back(catalogue_.formulas[*formula].explanation);
        finish(std::move(h), pair);
    }

    static void note_distance(Hypothesis& h, const RowTest& test, const Scale& scale) {
        h.largest_distance = std::max(h.largest_distance, distance_in_bounds(test.measured, scale));
        h.largest_roundoffs =
            std::max(h.largest_roundoffs,
                     distance_in_roundoffs(test.measured, scale.exact, test.context.arithmetic));
    }

    void try_estimates(const Pair& pair, const std::vector<RowTest>& tests) {
        // An input that is itself a guess leaves too much free for another one.
        if (pair.input != 0 && catalogue_.inputs[pair.input].explanation->id != "mean-subtracted") {
            return;
        }
        for (const Estimate estimate :
             {Estimate::epsilon, Estimate::divisor, Estimate::prefix, Estimate::prefix_over_width,
              Estimate::suffix, Estimate::suffix_over_width, Estimate::tail_twice,
              Estimate::factor}) {
            const double cost = pair.cost + estimate_cost(estimate, tests.size());
            if (cost > best_ + limits_.margin) continue;
            const std::optional<ReadOff> read = read_off(estimate, tests);
            if (!read) continue;
            finish_estimate(pair, cost, estimate, *read);
            if (estimate != Estimate::factor) continue;
            // Rows of nearly one size tell a factor no better than an epsilon.
            const std::optional<ReadOff> epsilon = loose_epsilon(tests);
            if (epsilon) finish_estimate(pair, cost, Estimate::epsilon, *epsilon);
        }
    }

    void finish_estimate(const Pair& pair, double cost, Estimate estimate, const ReadOff& read) {
        Hypothesis h = base(pair, cost);
        h.estimate = estimate;
        h.estimate_slack = read.slack;
        h.explanations.push_back(read.explanation);
        finish(std::move(h), pair);
    }

    const Tensors& tensors_;
    const Catalogue& catalogue_;
    std::span<const Row> rows_;
    View view_;
    std::size_t groups_;
    SearchLimits limits_;
    double best_;
    std::vector<Reading> readings_;
    std::vector<Hypothesis> found_;
    std::function<std::optional<Scale>(const ScaleContext&)> right_ = right_scale;
};

}  // namespace

Catalogue::Catalogue(const Tensors& tensors)
    : inputs(input_replacements(tensors)),
      gains(gain_replacements(tensors)),
      formulas(scale_formulas(tensors)) {
    if (!tensors.held.empty() && !tensors.row_squares) {
        std::erase_if(formulas, [](const ScaleFormula& f) { return f.needs_other_rows; });
    }
    add_readings(readings, tensors.formats, {}, 0);
    add_narrow_products(readings, tensors.formats);
    using numeric::NumberFormat;
    for (ScaleFormula& formula : low_precision_formulas(tensors.formats.arithmetic())) {
        // No program computes statistics of bfloat16 tensors in binary16, which would overflow.
        const bool foreign = formula.explanation.dtype == NumberFormat::binary16 &&
                             tensors.formats.input == NumberFormat::bfloat16 &&
                             tensors.formats.output == NumberFormat::bfloat16;
        if (foreign) continue;
        formulas.push_back(std::move(formula));
    }
}

std::vector<Hypothesis> search(const Tensors& tensors, const Catalogue& catalogue,
                               std::span<const Row> rows, View view, std::size_t groups,
                               const SearchLimits& limits) {
    if (rows.empty()) return {};
    return Searcher(tensors, catalogue, rows, view, groups, limits).run();
}

}  // namespace rmsnorm::judge
