#include "judge/doubts.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

#include "evidence/number_text.hpp"
#include "judge/estimates.hpp"
#include "judge/summation.hpp"
#include "numeric/decimal.hpp"

namespace rmsnorm::judge {
namespace {

// Unit roundoffs, of a scale.
constexpr double to_the_last_digits = 10;

// How many rows must be off by more than how many times the error of the worst order of the sum:
// for a formula, and for a number, which may be any.
constexpr std::size_t formula_rows = 1;
constexpr double formula_errors = 2;
constexpr std::size_t number_rows = 4;
constexpr double number_errors = 4;

struct Known {
    RowTest test;
    Scale right;
    double off = 0;  // from the exact scale, in unit roundoffs
};

struct Number {
    std::string id;
    std::string words;
    double value = 0;
};

class Doubter {
  public:
    Doubter(const Tensors& tensors, const Catalogue& catalogue)
        : tensors_(tensors),
          catalogue_(catalogue),
          arithmetic_(tensors.formats.arithmetic()),
          squares_(tensors) {
        for (std::size_t n = tensors.width; n > 1; n /= 2) ++usual_error_;
    }

    Doubts doubts(std::span<const Row> rows) {
        if (tensors_.formats.rounds_output() || rows.size() < 3) return {};
        if (!measure(rows)) return {};
        Doubts found;
        found.ids = formulas();
        const std::vector<Number> numbers = read_off();
        if ((found.ids.empty() && numbers.empty()) || may_lose_squares()) return {};
        const double error = error_of_orders();
        if (!is_beyond(formula_rows, formula_errors * error)) found.ids.clear();
        if (is_beyond(number_rows, number_errors * error)) add(numbers, error, found);
        return found;
    }

  private:
    // False where the rows leave no doubt.
    bool measure(std::span<const Row> rows) {
        double largest = 0;
        for (const Row& row : rows) {
            RowTest test = test_row(tensors_, row, catalogue_.inputs[0], catalogue_.gains[0],
                                    catalogue_.readings[0]);
            if (test.measured.empty()) return false;
            const std::optional<Scale> scale = right_scale(test.context);
            if (!scale) continue;
            // Right by another way to round, whose scale is not known to the last digits.
            if (!test.measured.meets(scale->interval())) return false;
            const double off = distance_in_roundoffs(test.measured, scale->exact, arithmetic_);
            largest = std::max(largest, off);
            test.context.all_rows = &squares_;
            rows_.push_back({std::move(test), *scale, off});
        }
        return largest > usual_error_;
    }

    std::vector<std::string> formulas() const {
        std::vector<std::string> ids;
        for (const ScaleFormula& formula : catalogue_.formulas) {
            const std::string& id = formula.explanation.id;
            if (is_imprecision(formula.explanation)) continue;
            if (std::find(ids.begin(), ids.end(), id) != ids.end()) continue;
            const bool fits = std::all_of(rows_.begin(), rows_.end(), [&](const Known& row) {
                const std::optional<Scale> scale = formula.scale(row.test.context);
                return scale && distance_in_roundoffs(row.test.measured, scale->exact,
                                                      arithmetic_) <= to_the_last_digits;
            });
            if (fits) ids.push_back(id);
        }
        return ids;
    }

    double scale_in_order(const SummationOrder& order, std::span<const double> input) const {
        return 1 / std::sqrt(rounded_mean(input, arithmetic_, order, true) + tensors_.epsilon);
    }

    // The measured scales with the errors that a program may make after its sum.
    ScaleInterval widened(const ScaleInterval& measured) const {
        const double slack = to_the_last_digits * numeric::unit_roundoff(arithmetic_);
        return {changed_by(measured.low, -slack), changed_by(measured.high, slack)};
    }

    template <class Function>
    numeric::Interval common(Function interval_of) const {
        constexpr double infinity = std::numeric_limits<double>::infinity();
        numeric::Interval all{-infinity, infinity};
        for (const Known& row : rows_) {
            const numeric::Interval one = interval_of(row);
            all = {std::max(all.low, one.low), std::min(all.high, one.high)};
        }
        return all;
    }

    // One number for all rows that no usual formula need have.
    std::vector<Number> read_off() const {
        std::vector<Number> numbers;
        const numeric::Interval excess = common([&](const Known& row) {
            const ScaleInterval measured = widened(row.test.measured);
            const auto less_one = [&](DoubleDouble scale) {
                return ((scale - row.right.exact) / row.right.exact).high;
            };
            return numeric::Interval{less_one(measured.low), less_one(measured.high)};
        });
        if (excess.low <= excess.high && std::isfinite(excess.high)) {
            numbers.push_back({"constant-factor", "a factor of ",
                               shortest_inside(1 + excess.low, 1 + excess.high)});
        }
        const numeric::Interval epsilons = common([&](const Known& row) {
            return effective_epsilon(widened(row.test.measured),
                                     row.test.context.statistics.mean_square());
        });
        if (epsilons.low <= epsilons.high && epsilons.high > 0 && std::isfinite(epsilons.high)) {
            numbers.push_back({"epsilon-other", "an epsilon of ",
                               shortest_inside(std::max(epsilons.low, 0.0), epsilons.high)});
        }
        return numbers;
    }

    void add(const std::vector<Number>& numbers, double error, Doubts& found) const {
        for (const Number& number : numbers) {
            if (std::find(found.ids.begin(), found.ids.end(), number.id) != found.ids.end()) {
                continue;
            }
            found.ids.push_back(number.id);
            found.facts.push_back(
                {number.words + evidence::given_text(number.value) +
                 " explains the scales of all " + std::to_string(rows_.size()) +
                 " rows that were looked at to " + evidence::given_text(to_the_last_digits) +
                 " unit roundoffs of the arithmetic; RMSNorm's own scale is up to " +
                 numeric::shortest(largest_off(), 3) +
                 " off, and no usual order of its sum more than " + numeric::shortest(error, 3)});
        }
    }

    // Squares that a program may flush to zero: all rows may lose the same of them.
    bool may_lose_squares() const {
        return std::any_of(rows_.begin(), rows_.end(), [&](const Known& row) {
            const double v = row.test.context.statistics.mean_square().high + tensors_.epsilon;
            return numeric::smallest_normal(arithmetic_) > numeric::unit_roundoff(arithmetic_) * v;
        });
    }

    // The largest error of a scale that an order of the sum makes on these rows, in unit
    // roundoffs. One running sum is the worst of the usual ones, above all where it begins with
    // the largest squares, beside which the others lose their digits.
    double error_of_orders() const {
        const std::vector<SummationOrder> orders = usual_orders();
        double largest = 0;
        const auto note = [&](const Known& row, const SummationOrder& order,
                              std::span<const double> input) {
            const DoubleDouble scale = scale_in_order(order, input);
            largest = std::max(largest,
                               distance_in_roundoffs({scale, scale}, row.right.exact, arithmetic_));
        };
        for (const Known& row : rows_) {
            std::vector<double> input(row.test.context.input.begin(), row.test.context.input.end());
            for (const SummationOrder& order : orders) note(row, order, input);
            std::reverse(input.begin(), input.end());
            note(row, orders[0], input);
            for (double& value : input) value = std::fabs(value);
            std::sort(input.begin(), input.end());
            note(row, orders[0], input);
            std::reverse(input.begin(), input.end());
            note(row, orders[0], input);
        }
        return largest;
    }

    // Whether `count` rows are off by more than `error` and than usual. Rows that are multiples of
    // one another, in any order of their elements, count as one: their roundings may be the same.
    bool is_beyond(std::size_t count, double error) const {
        const double least = std::max(usual_error_, error);
        std::vector<double> kinds;
        for (const Known& row : rows_) {
            if (!(row.off > least)) continue;
            const RowStatistics& statistics = row.test.context.statistics;
            kinds.push_back(statistics.squares.high / (statistics.largest * statistics.largest));
        }
        std::sort(kinds.begin(), kinds.end());
        const auto end = std::unique(kinds.begin(), kinds.end(), [](double one, double other) {
            return other - one <= 0x1p-16 * one;
        });
        return static_cast<std::size_t>(end - kinds.begin()) >= count;
    }

    double largest_off() const {
        return std::max_element(rows_.begin(), rows_.end(),
                                [](const Known& a, const Known& b) { return a.off < b.off; })
            ->off;
    }

    const Tensors& tensors_;
    const Catalogue& catalogue_;
    NumberFormat arithmetic_;
    RowSquares squares_;
    std::vector<Known> rows_;
    double usual_error_ = 24;  // of a tree or of many running sums
};

}  // namespace

Doubts doubts(const Tensors& tensors, const Catalogue& catalogue, std::span<const Row> rows) {
    return Doubter(tensors, catalogue).doubts(rows);
}

}  // namespace rmsnorm::judge
