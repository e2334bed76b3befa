// What is said of an output that no mistake explains.
#include <algorithm>
#include <cmath>
#include <limits>
#include <string>

#include "evidence/number_text.hpp"
#include "judge/sample.hpp"
#include "judge/unknown.hpp"
#include "numeric/decimal.hpp"

namespace rmsnorm::judge {
namespace {

constexpr double infinity = std::numeric_limits<double>::infinity();

std::string text(double value) { return numeric::shortest(value, 4); }

// A row beside what RMSNorm makes of it.
struct Compared {
    Row row;
    std::vector<double> exact;
    double relative = 0;  // what a right output may be off by, besides units in the last place

    bool may_be(double value, double output, NumberFormat format) const {
        const double larger = std::max(std::fabs(value), std::fabs(output));
        if (!std::isfinite(larger)) return false;
        return std::fabs(output - value) <=
               std::fabs(value) * relative + 1.6 * numeric::ulp(format, larger);
    }
};

class Facts {
  public:
    Facts(const Tensors& tensors, const RightTest& right)
        : tensors_(tensors), format_(tensors.formats.output) {
        for (Row& row : ordinary_sample(tensors)) {
            const std::optional<Scale> scale = right.scale(row.input);
            if (!scale) continue;
            Compared compared;
            compared.relative = std::max(scale->below, scale->above) +
                                12 * numeric::unit_roundoff(tensors.formats.arithmetic());
            if (tensors.formats.rounds_output()) {
                compared.relative += numeric::unit_roundoff(format_);
            }
            for (std::size_t i = 0; i < tensors.width; ++i) {
                compared.exact.push_back(right.gain()[i] * row.input[i] * scale->exact.high);
            }
            compared.row = std::move(row);
            rows_.push_back(std::move(compared));
        }
    }

    // `of_rows`: also whether they are the same within a row.
    void add_ratios(bool of_rows, std::vector<Fact>& facts) const {
        numeric::Interval all{infinity, -infinity};
        bool constant_rows = of_rows;
        std::vector<numeric::Interval> columns(tensors_.width, {infinity, -infinity});
        for (const Compared& c : rows_) {
            numeric::Interval of_row{infinity, -infinity};
            for (std::size_t i = 0; i < tensors_.width; ++i) {
                const double ratio = c.row.output[i] / c.exact[i];
                if (c.exact[i] == 0 || !std::isfinite(ratio)) continue;
                include(of_row, ratio);
                include(columns[i], ratio);
            }
            if (of_row.low > of_row.high) continue;
            include(all, of_row.low);
            include(all, of_row.high);
            constant_rows = constant_rows && is_constant(of_row);
        }
        if (all.low > all.high) return;
        facts.push_back(
            {"output over exact result is between " + text(all.low) + " and " + text(all.high)});
        if (constant_rows) facts.push_back({"within a row that ratio is the same to 2 percent"});
        const bool constant_columns =
            rows_.size() > 1 && std::all_of(columns.begin(), columns.end(), is_constant);
        if (constant_columns) {
            facts.push_back(
                {"each column has a ratio of its own, the same in all rows to 2 percent: "
                 "another gain; column 0 has " +
                 text(columns[0].low)});
        }
    }

    // The input once more, as of a residual connection.
    void add_residual(std::vector<Fact>& facts) const {
        std::size_t elements = 0;
        std::size_t off = 0;
        for (const Compared& c : rows_) {
            for (std::size_t i = 0; i < c.exact.size(); ++i) {
                if (!c.may_be(c.exact[i] + c.row.input[i], c.row.output[i], format_)) return;
                ++elements;
                if (!c.may_be(c.exact[i], c.row.output[i], format_)) ++off;
            }
        }
        if (2 * off <= elements) return;
        facts.push_back({"the output is the exact result plus the input: a residual was added"});
    }

    void add_limit(std::vector<Fact>& facts) const {
        double largest = 0;
        for (const Compared& c : rows_) {
            for (const double y : c.row.output) largest = std::max(largest, std::fabs(y));
        }
        std::size_t beyond = 0;
        for (const Compared& c : rows_) {
            for (std::size_t i = 0; i < c.exact.size(); ++i) {
                const double y = c.row.output[i];
                if (c.may_be(c.exact[i], y, format_)) continue;
                if (std::fabs(y) != largest || std::fabs(c.exact[i]) < largest) return;
                ++beyond;
            }
        }
        if (beyond < 3 || !std::isfinite(largest)) return;
        facts.push_back({"no output is beyond " + text(largest) + " in magnitude, where " +
                         std::to_string(beyond) +
                         " exact results are, and all others are right: "
                         "clipped"});
    }

    // Where the first row, or else the first column, that is wrong belongs.
    void add_origin(std::vector<Fact>& facts) const {
        const auto fits_row = [&](std::size_t to, std::size_t from) {
            for (std::size_t i = 0; i < tensors_.width; ++i) {
                if (!rows_[to].may_be(rows_[from].exact[i], rows_[to].row.output[i], format_)) {
                    return false;
                }
            }
            return true;
        };
        const auto row_number = [&](std::size_t k) { return rows_[k].row.index; };
        if (tensors_.width > 1 && add_move("row", rows_.size(), fits_row, row_number, facts)) {
            return;
        }
        const auto fits_column = [&](std::size_t to, std::size_t from) {
            return std::all_of(rows_.begin(), rows_.end(), [&](const Compared& c) {
                return c.may_be(c.exact[from], c.row.output[to], format_);
            });
        };
        const auto column_number = [](std::size_t i) { return i; };
        if (rows_.size() > 1) {
            add_move("column", tensors_.width, fits_column, column_number, facts);
        }
    }

  private:
    static void include(numeric::Interval& interval, double value) {
        interval = {std::min(interval.low, value), std::max(interval.high, value)};
    }

    static bool is_constant(const numeric::Interval& ratios) {
        return ratios.low > ratios.high ||
               ratios.high - ratios.low <= 0.02 * std::fabs(ratios.high);
    }

    template <class Fits, class Number>
    static bool add_move(const std::string& thing, std::size_t count, Fits fits, Number number,
                         std::vector<Fact>& facts) {
        std::size_t to = 0;
        while (to < count && fits(to, to)) ++to;
        std::size_t from = 0;
        while (from < count && to < count && !fits(to, from)) ++from;
        if (from >= count || to >= count) return false;
        facts.push_back({thing + " " + std::to_string(number(to)) + " holds what belongs into " +
                         thing + " " + std::to_string(number(from))});
        return true;
    }

    const Tensors& tensors_;
    NumberFormat format_;
    std::vector<Compared> rows_;
};

}  // namespace

void add_facts(const Tensors& tensors, const RightTest& right,
               const std::vector<std::size_t>& outside, std::vector<Fact>& facts) {
    facts.push_back({std::to_string(outside.size()) + " of " +
                     evidence::counted(tensors.rows, "row") +
                     (outside.size() == 1 ? " is" : " are") +
                     " outside the bound: " + index_set(outside, tensors.rows)});
    const Facts all(tensors, right);
    const auto factors = factors_of_rows(tensors, right);
    all.add_ratios(!factors, facts);
    if (factors) {
        facts.push_back({tensors.rows == 1
                             ? "every element is RMSNorm's times " + text(factors->low)
                             : "every row is RMSNorm's times a factor of its own, from " +
                                   text(factors->low) + " to " + text(factors->high) +
                                   ": another sum, or another root"});
    }
    all.add_residual(facts);
    all.add_limit(facts);
    all.add_origin(facts);
}

void add_origin(const Tensors& tensors, const RightTest& right, std::vector<Fact>& facts) {
    Facts(tensors, right).add_origin(facts);
}

}  // namespace rmsnorm::judge
