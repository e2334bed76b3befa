// What is said of an output that no mistake explains.
#include <algorithm>
#include <cmath>
#include <limits>
#include <string>

#include "evidence/number_text.hpp"
#include "judge/parts.hpp"
#include "judge/quoted.hpp"
#include "judge/sample.hpp"
#include "judge/unknown.hpp"

namespace rmsnorm::judge {
namespace {

constexpr double infinity = std::numeric_limits<double>::infinity();

// A row beside what RMSNorm makes of it.
struct Compared {
    Row row;
    std::vector<double> exact;
    double arithmetic = 0;  // what a right output may be off by, besides roundings to its format
    double relative = 0;    // the same with one of them

    bool may_be(double value, double output, NumberFormat format) const {
        const double larger = std::max(std::fabs(value), std::fabs(output));
        if (!std::isfinite(larger)) return false;
        return std::fabs(output - value) <=
               std::fabs(value) * relative + 1.6 * numeric::ulp(format, larger);
    }
};

// Some rows of all and some of those that are wrong.
std::vector<std::size_t> compared_rows(const Tensors& tensors,
                                       const std::vector<std::size_t>& outside) {
    const std::size_t most = sample_size(tensors.width);
    const auto rows = view_of(tensors, View::plain);
    std::vector<std::size_t> indices =
        some_of(sampled_rows(tensors.rows, tensors.width), most - most / 2);
    const std::vector<std::size_t> wrong = some_of(readable(*rows, outside), most / 2);
    indices.insert(indices.end(), wrong.begin(), wrong.end());
    std::sort(indices.begin(), indices.end());
    indices.erase(std::unique(indices.begin(), indices.end()), indices.end());
    return indices;
}

class Facts {
  public:
    Facts(const Tensors& tensors, const RightTest& right, const std::vector<std::size_t>& outside)
        : tensors_(tensors), format_(tensors.formats.output) {
        const auto rows = view_of(tensors, View::plain);
        for (Row& row : ordinary_rows(tensors, *rows, compared_rows(tensors, outside))) {
            const std::optional<Scale> scale = right.scale(row.input);
            if (!scale) continue;
            Compared compared;
            compared.arithmetic = std::max(scale->below, scale->above) +
                                  12 * numeric::unit_roundoff(tensors.formats.arithmetic());
            compared.relative = compared.arithmetic;
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

    void add_factors(const RowFactors& factors, std::vector<Fact>& facts) const {
        const QuotedInterval range = quoted_outwards(factors.range);
        const std::string each = tensors_.rows == 1 ? "every element" : "every row";
        facts.push_back(
            {each + " is RMSNorm's times " +
             (factors.common ? quoted_beside(*factors.common)
                             : "a factor of its own, from " + range.low + " to " + range.high +
                                   ": another sum, or another root") +
             (factors.rows == tensors_.rows
                  ? ""
                  : ", of " + evidence::counted(factors.rows, "row") + " that were compared")});
    }

    // `of_rows`: each row has a factor for all columns, so that no column has one of its own.
    void add_ratios(bool of_rows, std::vector<Fact>& facts) const {
        numeric::Interval all{infinity, -infinity};
        bool constant_rows = true;
        std::vector<numeric::Interval> columns(tensors_.width, {infinity, -infinity});
        for (const Compared& c : rows_) {
            numeric::Interval of_row{infinity, -infinity};
            for (std::size_t i = 0; i < tensors_.width; ++i) {
                const double ratio = c.row.output[i] / c.exact[i] + 0.0;  // no -0
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
        const QuotedInterval between = quoted_outwards(all);
        facts.push_back({"output over exact result is between " + between.low + " and " +
                         between.high + ", where both are finite" + looked_at()});
        if (of_rows) return;
        if (is_constant(all)) {
            facts.push_back({"that ratio is the same everywhere to 2 percent"});
        } else if (constant_rows) {
            facts.push_back({"within a row that ratio is the same to 2 percent"});
        } else if (rows_.size() > 1 && std::all_of(columns.begin(), columns.end(), is_constant)) {
            const auto first =
                std::find_if(columns.begin(), columns.end(),
                             [](const numeric::Interval& c) { return c.low <= c.high; });
            facts.push_back(
                {"each column has a ratio of its own, the same in all rows to 2 percent: "
                 "another gain; column " +
                 std::to_string(first - columns.begin()) + " has " + quoted_beside(first->low)});
        }
    }

    // The input once more, as of a residual connection: within the roundings of result and sum, and
    // five times more than these could make by chance.
    bool is_with_residual() const {
        double squares = 0;
        double along = 0;
        for (const Compared& c : rows_) {
            for (std::size_t i = 0; i < c.exact.size(); ++i) {
                const double y = c.row.output[i];
                const double x = c.row.input[i];
                const double larger = std::max(std::fabs(c.exact[i] + x), std::fabs(y));
                if (!std::isfinite(larger)) return false;
                const double ulp = numeric::ulp(format_, larger);
                const double rounded = std::fabs(c.exact[i]) * c.relative +
                                       numeric::ulp(format_, c.exact[i]) / 2 + ulp / 2;
                if (!(std::fabs(y - c.exact[i] - x) <= rounded)) return false;
                squares += x / ulp * (x / ulp);
                along += (y - c.exact[i]) / ulp * (x / ulp);
            }
        }
        // A rounding is off by half a unit at most: 1/2 over the root of the squares is what chance
        // may add to the share of the input.
        return squares >= 6.25 && along >= 0.75 * squares && along <= 1.25 * squares;
    }

    void add_residual(std::vector<Fact>& facts) const {
        facts.push_back({"the output is the exact result plus the input" + looked_at() +
                         ": a residual was added"});
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
        facts.push_back({"no output is beyond " + quoted_beside(largest) + " in magnitude, where " +
                         std::to_string(beyond) +
                         " exact results are, and all others are near theirs" + looked_at() +
                         ": clipped"});
    }

    void add_not_finite(std::vector<Fact>& facts) const {
        std::size_t nans = 0;
        std::size_t infinities = 0;
        std::size_t all = 0;
        for (const Compared& c : rows_) {
            for (const double y : c.row.output) {
                ++all;
                nans += std::isnan(y) ? 1U : 0U;
                infinities += std::isinf(y) ? 1U : 0U;
            }
        }
        const auto add = [&](std::size_t count, const char* what) {
            if (count == 0) return;
            const std::string which = count == all ? "every output is "
                                                   : std::to_string(count) + " of " +
                                                         evidence::counted(all, "output") +
                                                         (count == 1 ? " is " : " are ");
            facts.push_back({which + what + looked_at()});
        };
        add(nans, "NaN");
        add(infinities, "infinite");
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
        if (tensors_.width > 1 &&
            add_move("row", rows_.size(), tensors_.rows, fits_row, row_number, facts)) {
            return;
        }
        const auto fits_column = [&](std::size_t to, std::size_t from) {
            return std::all_of(rows_.begin(), rows_.end(), [&](const Compared& c) {
                return c.may_be(c.exact[from], c.row.output[to], format_);
            });
        };
        const auto column_number = [](std::size_t i) { return i; };
        if (rows_.size() > 1) {
            add_move("column", tensors_.width, tensors_.width, fits_column, column_number, facts);
        }
    }

  private:
    // Where only some of the rows were compared.
    std::string looked_at() const {
        if (rows_.size() == tensors_.rows) return "";
        return ", in the " + evidence::counted(rows_.size(), "row") + " that " +
               (rows_.size() == 1 ? "was" : "were") + " compared";
    }

    static void include(numeric::Interval& interval, double value) {
        interval = {std::min(interval.low, value), std::max(interval.high, value)};
    }

    static bool is_constant(const numeric::Interval& ratios) {
        return ratios.low > ratios.high ||
               ratios.high - ratios.low <= 0.02 * std::fabs(ratios.high);
    }

    // `all`: of how many rows or columns `count` were compared.
    template <class Fits, class Number>
    static bool add_move(const std::string& thing, std::size_t count, std::size_t all, Fits fits,
                         Number number, std::vector<Fact>& facts) {
        std::size_t to = 0;
        while (to < count && fits(to, to)) ++to;
        std::size_t from = 0;
        while (from < count && to < count && !fits(to, from)) ++from;
        if (from >= count || to >= count) return false;
        std::string fact = thing + " " + std::to_string(number(to)) + " holds what belongs into " +
                           thing + " " + std::to_string(number(from));
        const std::string order = count == all ? order_of(count, fits) : "";
        if (!order.empty()) fact += ": the " + thing + "s stand in the order " + order;
        facts.push_back({std::move(fact)});
        return true;
    }

    // Which ones stand where, when each stands somewhere: "1,0,2"; else nothing.
    template <class Fits>
    static std::string order_of(std::size_t count, Fits fits) {
        constexpr std::size_t most_compared = 4096;
        constexpr std::size_t most_shown = 16;
        if (count > most_compared) return "";
        std::vector<bool> taken(count);
        std::string order;
        for (std::size_t to = 0; to < count; ++to) {
            std::size_t from = !taken[to] && fits(to, to) ? to : 0;
            while (from < count && (taken[from] || !fits(to, from))) ++from;
            if (from == count) return "";
            taken[from] = true;
            if (to < most_shown) order += (to == 0 ? "" : ",") + std::to_string(from);
        }
        return order + (count > most_shown ? ",..." : "");
    }

    const Tensors& tensors_;
    NumberFormat format_;
    std::vector<Compared> rows_;
};

}  // namespace

bool is_with_residual(const Tensors& tensors, const RightTest& right,
                      const std::vector<std::size_t>& outside) {
    return Facts(tensors, right, outside).is_with_residual();
}

void add_facts(const Tensors& tensors, const RightTest& right, std::size_t form,
               const std::vector<std::size_t>& outside, std::vector<Fact>& facts) {
    facts.push_back({std::to_string(outside.size()) + " of " +
                     evidence::counted(tensors.rows, "row") +
                     (outside.size() == 1 ? " is" : " are") +
                     " outside the bound: " + index_set(outside, tensors.rows)});
    const Facts all(tensors, right, outside);
    if (all.is_with_residual()) {
        all.add_residual(facts);
        return;
    }
    all.add_not_finite(facts);
    all.add_limit(facts);
    if (auto fact = scattered_elements(tensors, right, form, outside)) {
        facts.push_back(std::move(*fact));
    }
    const auto factors = factors_of_rows(tensors, right);
    if (factors) all.add_factors(*factors, facts);
    all.add_origin(facts);
    all.add_ratios(factors.has_value(), facts);
}

void add_facts_of_part(const Tensors& tensors, const RightTest& right,
                       const std::vector<std::size_t>& outside, std::vector<Fact>& facts) {
    const Facts all(tensors, right, outside);
    all.add_limit(facts);
    all.add_origin(facts);
}

}  // namespace rmsnorm::judge
