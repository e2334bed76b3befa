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

std::optional<Scale> prefix_scale(const ScaleContext& c, std::size_t features, bool over_width) {
    DoubleDouble squares;
    for (std::size_t i = 0; i < features; ++i) squares = squares + product(c.input[i], c.input[i]);
    const double n = static_cast<double>(over_width ? c.input.size() : features);
    const DoubleDouble mean = squares / DoubleDouble(n);
    if (!((mean + DoubleDouble(c.epsilon)).high > 0)) return std::nullopt;
    return reciprocal_root(c.arithmetic, c.statistics.width, mean, mean + DoubleDouble(c.epsilon));
}

std::optional<ReadOff> prefix(std::span<const RowTest> tests, bool over_width, Slack wanted) {
    const std::size_t n = tests[0].context.statistics.width;
    std::vector<bool> possible(n, true);
    std::size_t left = n;
    for (const RowTest& test : tests) {
        const ScaleContext& c = test.context;
        if (c.input.size() != n) return std::nullopt;
        const double slack = 0.5 * wanted(test);
        DoubleDouble squares;
        for (std::size_t k = 1; k < n; ++k) {
            squares = squares + product(c.input[k - 1], c.input[k - 1]);
            if (!possible[k]) continue;
            const DoubleDouble mean =
                squares / DoubleDouble(static_cast<double>(over_width ? n : k));
            const DoubleDouble r = DoubleDouble(1) / square_root(mean + DoubleDouble(c.epsilon));
            const ScaleInterval around{changed_by(r, -slack), changed_by(r, slack)};
            possible[k] = test.measured.meets(around);
        }
        left = static_cast<std::size_t>(std::count(possible.begin() + 1, possible.end(), true));
        if (left == 0) return std::nullopt;
    }
    if (n < 2 || left > std::max<std::size_t>(4, n / 64)) return std::nullopt;
    // The tail that is lost is mostly the one behind a multiple of a power of two.
    std::size_t best = 0;
    for (std::size_t k = 1; k < n; ++k) {
        if (possible[k] && (best == 0 || (k & (~k + 1)) > (best & (~best + 1)))) best = k;
    }
    return ReadOff{
        {"partial-mean", over_width ? "and the divisor is the width" : "", {}, best, {}}};
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
    if (all.high > 1.2 * all.low) return std::nullopt;
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
        default: return 1.45 + alone;
    }
}

std::optional<ReadOff> read_off(Estimate estimate, std::span<const RowTest> tests) {
    if (estimate == Estimate::epsilon) return epsilon(tests);
    if (estimate == Estimate::factor) return factor(tests);
    for (const Slack slack : {usual_slack, square_slack}) {
        const auto read = estimate == Estimate::divisor
                              ? divisor(tests, slack)
                              : prefix(tests, estimate == Estimate::prefix_over_width, slack);
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
        case Estimate::prefix: return prefix_scale(context, *read.divisor, false);
        case Estimate::prefix_over_width: return prefix_scale(context, *read.divisor, true);
        default: break;
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
