#include "judge/estimates.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <string>

#include "numeric/decimal.hpp"

namespace rmsnorm::judge {
namespace {

constexpr double infinity = std::numeric_limits<double>::infinity();

struct Span {
    double low = -infinity;
    double high = infinity;

    void intersect(double least, double most) {
        low = std::max(low, least);
        high = std::min(high, most);
    }
    bool empty() const { return !(low <= high); }
};

// Twice the relative bound of a right scale, for its inverse square.
double square_slack(const RowTest& test) {
    const ScaleContext& c = test.context;
    const double mean = c.statistics.mean_square().high;
    const ScaleBound bound =
        scale_bound(c.arithmetic, c.statistics.width, mean > 0 ? mean / (mean + c.epsilon) : 0,
                    mean > 0 ? mean + c.epsilon : 1);
    return 2.1 * std::max(bound.below, bound.above) + 2 * test.scale_error;
}

// 1 / scale^2, widened by what a right program's rounding moves it.
struct InverseSquare {
    DoubleDouble low;
    DoubleDouble high;
};

InverseSquare inverse_square(const RowTest& test, double slack) {
    const auto of = [](DoubleDouble r) { return DoubleDouble(1) / (r * r); };
    const DoubleDouble high = test.measured.low > DoubleDouble(0)
                                  ? changed_by(of(test.measured.low), slack)
                                  : DoubleDouble(infinity);
    const DoubleDouble low = std::isfinite(test.measured.high.high)
                                 ? changed_by(of(test.measured.high), -slack)
                                 : DoubleDouble(0);
    return {low, high};
}

Span epsilons(std::span<const RowTest> tests) {
    Span all;
    for (const RowTest& test : tests) {
        if (!test.usable) continue;
        const InverseSquare v = inverse_square(test, square_slack(test));
        const DoubleDouble m = test.context.statistics.mean_square();
        all.intersect((v.low - m).high, std::isfinite(v.high.high) ? (v.high - m).high : infinity);
    }
    return all;
}

ReadOff another_epsilon(const Span& all) {
    return {{"epsilon-other", "", shortest_inside(std::max(all.low, 0.0), all.high), {}, {}},
            0.5 * (all.high - all.low) / all.high};
}

std::optional<ReadOff> epsilon(std::span<const RowTest> tests) {
    const Span all = epsilons(tests);
    if (all.empty() || all.high <= 0 || !std::isfinite(all.high)) return std::nullopt;
    // A value that the rows hardly tell is no finding.
    if (all.low < 0.5 * all.high) return std::nullopt;
    return another_epsilon(all);
}

// What most programs keep: errors of a tree or of many running sums.
double usual_slack(const RowTest& test) {
    double logarithm = 0;
    for (std::size_t n = test.context.statistics.width; n > 1; n /= 2) ++logarithm;
    return std::min(square_slack(test),
                    2.1 * (logarithm + 24) * numeric::unit_roundoff(test.context.arithmetic) +
                        2 * test.scale_error);
}

using Slack = double (*)(const RowTest&);

std::optional<ReadOff> divisor(std::span<const RowTest> tests, Slack slack) {
    Span all;
    for (const RowTest& test : tests) {
        if (!test.usable) continue;
        const InverseSquare v = inverse_square(test, slack(test));
        const DoubleDouble e = test.context.epsilon;
        const DoubleDouble s = test.context.statistics.squares;
        if (!(v.high > e)) return std::nullopt;
        all.intersect((s / (v.high - e)).high, v.low > e ? (s / (v.low - e)).high : infinity);
    }
    const double n = static_cast<double>(tests[0].context.statistics.width);
    if (all.empty() || all.high > 16 * n + 4096) return std::nullopt;
    const double first = std::ceil(all.low);
    if (first > all.high || first < 1 || first + 1 <= all.high) return std::nullopt;
    if (first == n || first + 1 == n) return std::nullopt;
    return ReadOff{{"divisor-other", "", {}, static_cast<std::size_t>(first), {}}};
}

// What a partial mean square adds up, and what it divides by.
struct PartialMean {
    bool of_first;    // the first k features, or those from k on
    bool over_width;  // divided by all features, or by those of the part
    bool adds_all;    // the part is added to the sum of all

    DoubleDouble mean(std::span<const DoubleDouble> sums, std::size_t k) const {
        const std::size_t n = sums.size() - 1;
        const std::size_t part = of_first ? k : n - k;
        const DoubleDouble sum = adds_all ? sums[0] + sums[k] : sums[k];
        return sum / DoubleDouble(static_cast<double>(over_width ? n : part));
    }
};

PartialMean partial_mean_of(Estimate estimate) {
    switch (estimate) {
        case Estimate::prefix: return {true, false, false};
        case Estimate::prefix_over_width: return {true, true, false};
        case Estimate::suffix: return {false, false, false};
        case Estimate::suffix_over_width: return {false, true, false};
        default: return {false, true, true};
    }
}

// The sums of the squares of the first k features, or of those from k on.
std::vector<DoubleDouble> partial_sums(std::span<const double> input, bool of_first) {
    const std::size_t n = input.size();
    std::vector<DoubleDouble> sums(n + 1);
    for (std::size_t i = 0; i < n; ++i) {
        const std::size_t at = of_first ? i : n - 1 - i;
        const DoubleDouble square = product(input[at], input[at]);
        (of_first ? sums[i + 1] : sums[at]) = (of_first ? sums[i] : sums[at + 1]) + square;
    }
    return sums;
}

Explanation explained(const PartialMean& partial, std::size_t k) {
    Explanation e{"partial-mean", "", {}, {}, {}};
    (partial.of_first ? e.divisor : e.from) = k;
    if (partial.adds_all) {
        e.value = 2;
    } else if (partial.over_width) {
        e.detail = "and the divisor is the width";
    }
    return e;
}

std::optional<ReadOff> part(std::span<const RowTest> tests, const PartialMean& partial,
                            Slack wanted) {
    const std::size_t n = tests[0].context.statistics.width;
    // All features may be added twice, but no part of them is all.
    const std::size_t first = partial.adds_all ? 0 : 1;
    std::vector<bool> possible(n, true);
    if (first > 0) possible[0] = false;
    std::size_t left = n;
    for (const RowTest& test : tests) {
        const ScaleContext& c = test.context;
        if (c.input.size() != n) return std::nullopt;
        const double slack = 0.5 * wanted(test);
        const std::vector<DoubleDouble> sums = partial_sums(c.input, partial.of_first);
        for (std::size_t k = first; k < n; ++k) {
            if (!possible[k]) continue;
            const DoubleDouble r =
                DoubleDouble(1) / square_root(partial.mean(sums, k) + DoubleDouble(c.epsilon));
            const ScaleInterval around{changed_by(r, -slack), changed_by(r, slack)};
            possible[k] = test.measured.meets(around);
        }
        left = static_cast<std::size_t>(std::count(possible.begin(), possible.end(), true));
        if (left == 0) return std::nullopt;
    }
    if (n < 2 || left > std::max<std::size_t>(4, n / 64)) return std::nullopt;
    // Mostly the first feature is skipped, or the tail behind a multiple of a power of two lost.
    const bool skips = !partial.of_first && !partial.adds_all;
    std::optional<std::size_t> best;
    for (std::size_t k = first; k < n; ++k) {
        if (!possible[k] || (skips && best)) continue;
        // 0 is a multiple of every power of two.
        if (!best || (*best != 0 && (k & (~k + 1)) > (*best & (~*best + 1)))) best = k;
    }
    return ReadOff{explained(partial, *best)};
}

std::optional<ReadOff> factor(std::span<const RowTest> tests) {
    Span all;
    for (const RowTest& test : tests) {
        const std::optional<Scale> scale = scale_for(test, right_scale);
        if (!test.usable || !scale) continue;
        const ScaleInterval right = scale->interval();
        all.intersect((test.measured.low / right.high).high, (test.measured.high / right.low).high);
    }
    if (all.empty() || !(all.low > 0) || !std::isfinite(all.high)) return std::nullopt;
    // A factor of 1 is none.
    if (all.high > 1.2 * all.low || (all.low <= 1 && 1 <= all.high)) return std::nullopt;
    return ReadOff{{"constant-factor", "", shortest_inside(all.low, all.high), {}, {}},
                   (all.high - all.low) / all.high};
}

const Explanation& last(const std::vector<Explanation>& explanations) {
    return *std::find_if(explanations.rbegin(), explanations.rend(), [](const Explanation& e) {
        return e.id == "epsilon-other" || e.id == "divisor-other" || e.id == "partial-mean" ||
               e.id == "constant-factor";
    });
}

}  // namespace

double estimate_cost(Estimate estimate, std::size_t rows) {
    const double alone = rows < 2 ? 0.35 : 0;
    switch (estimate) {
        case Estimate::epsilon: return 1.35 + alone;
        case Estimate::divisor: return 1.4 + alone;
        case Estimate::prefix: return 1.35 + alone;
        case Estimate::prefix_over_width: return 1.37 + alone;
        case Estimate::suffix: return 1.41 + alone;
        case Estimate::suffix_over_width: return 1.42 + alone;
        case Estimate::tail_twice: return 1.44 + alone;
        default: return 1.45 + alone;
    }
}

std::optional<ReadOff> read_off(Estimate estimate, std::span<const RowTest> tests) {
    if (estimate == Estimate::epsilon) return epsilon(tests);
    if (estimate == Estimate::factor) return factor(tests);
    for (const Slack slack : {usual_slack, square_slack}) {
        auto read = estimate == Estimate::divisor ? divisor(tests, slack)
                                                  : part(tests, partial_mean_of(estimate), slack);
        if (read) return read;
    }
    return std::nullopt;
}

std::optional<ReadOff> loose_epsilon(std::span<const RowTest> tests) {
    const Span all = epsilons(tests);
    const double given = tests[0].context.epsilon;
    if (all.empty() || !(all.high > 0) || !std::isfinite(all.high)) return std::nullopt;
    if (all.low <= given && given <= all.high) return std::nullopt;
    return another_epsilon(all);
}

std::optional<Scale> estimated_scale(Estimate estimate,
                                     const std::vector<Explanation>& explanations,
                                     const ScaleContext& context) {
    const Explanation& read = last(explanations);
    const DoubleDouble squares = context.statistics.squares;
    const DoubleDouble n = static_cast<double>(context.statistics.width);
    const auto root = [&](DoubleDouble mean, double epsilon) {
        return reciprocal_root(context.arithmetic, context.statistics.width, mean,
                               mean + DoubleDouble(epsilon));
    };
    switch (estimate) {
        case Estimate::epsilon: return root(squares / n, *read.value);
        case Estimate::divisor:
            return root(squares / DoubleDouble(static_cast<double>(*read.divisor)),
                        context.epsilon);
        case Estimate::factor: break;
        default: {
            const std::size_t features = read.from ? *read.from : *read.divisor;
            if (features >= context.input.size()) return std::nullopt;
            const PartialMean partial = partial_mean_of(estimate);
            const DoubleDouble mean =
                partial.mean(partial_sums(context.input, partial.of_first), features);
            if (!((mean + DoubleDouble(context.epsilon)).high > 0)) return std::nullopt;
            return root(mean, context.epsilon);
        }
    }
    std::optional<Scale> scale = right_scale(context);
    if (scale) scale->exact = scale->exact * DoubleDouble(*read.value);
    return scale;
}

numeric::Interval effective_epsilon(const ScaleInterval& measured, DoubleDouble mean_square) {
    const auto of = [&](DoubleDouble r) {
        if (!(r.high > 0)) return infinity;
        if (!std::isfinite(r.high)) return -mean_square.high;
        return (DoubleDouble(1) / (r * r) - mean_square).high;
    };
    return {of(measured.high), of(measured.low)};
}

double shortest_inside(double low, double high) {
    const double middle = low + (high - low) / 2;
    for (int digits = 1; digits < 17; ++digits) {
        const double value = numeric::rounded(middle, digits);
        if (low <= value && value <= high) return value;
    }
    return middle;
}

}  // namespace rmsnorm::judge
