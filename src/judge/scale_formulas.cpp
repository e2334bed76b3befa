#include "judge/scale_formulas.hpp"

#include <algorithm>
#include <cmath>
#include <string>
#include <utility>

#include "judge/low_precision.hpp"
#include "numeric/decimal.hpp"
#include "numeric/elementary.hpp"

namespace rmsnorm::judge {
namespace {

using Maybe = std::optional<Scale>;
using Context = const ScaleContext&;

DoubleDouble count(std::size_t n) { return static_cast<double>(n); }

Maybe usable(Scale scale) {
    if (!std::isfinite(scale.exact.high) || !(scale.exact.high > 0)) return std::nullopt;
    if (!std::isfinite(scale.above) || !(scale.below < 1)) return std::nullopt;
    return scale;
}

// (mean + addend)^(-1/2)
Maybe root(Context c, DoubleDouble mean, DoubleDouble addend, double amplification = 1) {
    const DoubleDouble denominator = mean + addend;
    if (!(denominator.high > 0)) return std::nullopt;
    return usable(
        reciprocal_root(c.arithmetic, c.statistics.width, mean, denominator, amplification));
}

// A function of sums whose relative error is at most `power` times twice that of a root of a mean.
Maybe with_bound(Context c, DoubleDouble exact, DoubleDouble mean, double power = 1) {
    if (!(mean.high > 0)) return std::nullopt;
    const ScaleBound bound = scale_bound(c.arithmetic, c.statistics.width, 1, mean.high);
    return usable({exact, bound.below * power, bound.above * power});
}

DoubleDouble reciprocal(DoubleDouble value) { return DoubleDouble(1) / value; }

DoubleDouble mean_square(Context c) { return c.statistics.mean_square(); }

// What rounding errors of a mean do to a variance.
double variance_amplification(Context c) {
    const double variance = c.statistics.variance().high;
    return variance > 0 ? 2 * mean_square(c).high / variance : HUGE_VAL;
}

using Function = Maybe (*)(Context);

Maybe root_of_variance(Context c, DoubleDouble variance) {
    if (variance.high > 0) return root(c, variance, c.epsilon, variance_amplification(c));
    // Of equal numbers two passes leave the square of the mean's error.
    const double error =
        (static_cast<double>(c.statistics.width) + 8) * numeric::unit_roundoff(c.arithmetic);
    Maybe scale = root(c, 0, c.epsilon);
    if (scale) scale->below += error * error * mean_square(c).high / c.epsilon;
    return scale ? usable(*scale) : scale;
}

// 1/(root + epsilon), and the root of the square at least epsilon.
Maybe with_epsilon_outside(Context c, DoubleDouble square, DoubleDouble epsilon) {
    return with_bound(c, reciprocal(square_root(square) + epsilon), square);
}

Maybe with_least_root(Context c, DoubleDouble square, DoubleDouble least) {
    const DoubleDouble root = square_root(square);
    return root < least ? with_bound(c, reciprocal(least), least * least)
                        : with_bound(c, reciprocal(root), square);
}

// Epsilon of a norm, which is the root of the width times the root mean square.
DoubleDouble epsilon_of_norm(Context c) {
    return DoubleDouble(c.epsilon) / square_root(count(c.statistics.width));
}

struct Named {
    const char* id;
    const char* detail;
    double cost;
    Function function;
};

const Named formulas_of_the_row[] = {
    {"epsilon-outside", "", 1,
     [](Context c) { return with_epsilon_outside(c, mean_square(c), c.epsilon); }},
    {"epsilon-outside", "to the norm, before the division by the root of the width", 1.1,
     [](Context c) { return with_epsilon_outside(c, mean_square(c), epsilon_of_norm(c)); }},
    {"epsilon-outside", "to the reciprocal of the root", 1.1,
     [](Context c) {
         const DoubleDouble m = mean_square(c);
         return with_bound(c, reciprocal(square_root(m)) + DoubleDouble(c.epsilon), m);
     }},
    {"epsilon-missing", "", 1, [](Context c) { return root(c, mean_square(c), 0); }},
    {"epsilon-maximum", "as the least root mean square", 1.1,
     [](Context c) { return with_least_root(c, mean_square(c), c.epsilon); }},
    {"epsilon-maximum", "as the least norm", 1.1,
     [](Context c) { return with_least_root(c, mean_square(c), epsilon_of_norm(c)); }},
    {"epsilon-maximum", "as the least mean square", 1.05,
     [](Context c) {
         const DoubleDouble m = mean_square(c);
         return m < DoubleDouble(c.epsilon) ? root(c, 0, c.epsilon) : root(c, m, 0);
     }},
    {"epsilon-in-sum", "", 1,
     [](Context c) {
         return root(c, mean_square(c), DoubleDouble(c.epsilon) / count(c.statistics.width));
     }},
    {"epsilon-scaled", "", 1.1,
     [](Context c) {
         return root(c, mean_square(c),
                     DoubleDouble(c.epsilon) * product(c.statistics.largest, c.statistics.largest));
     }},
    {"sum-for-mean", "", 1, [](Context c) { return root(c, c.statistics.squares, c.epsilon); }},
    {"sum-for-mean", "and epsilon is added to the norm", 1.1,
     [](Context c) { return with_epsilon_outside(c, c.statistics.squares, c.epsilon); }},
    {"sum-for-mean", "and epsilon is the least norm", 1.1,
     [](Context c) { return with_least_root(c, c.statistics.squares, c.epsilon); }},
    {"divisor-n-minus-1", "", 1,
     [](Context c) -> Maybe {
         if (c.statistics.width < 2) return std::nullopt;
         return root(c, c.statistics.squares / count(c.statistics.width - 1), c.epsilon);
     }},
    {"variance", "", 1, [](Context c) { return root_of_variance(c, c.statistics.variance()); }},
    {"variance", "divided by n - 1", 1.1,
     [](Context c) -> Maybe {
         if (c.statistics.width < 2) return std::nullopt;
         return root_of_variance(c, c.statistics.centered_squares / count(c.statistics.width - 1));
     }},
    {"variance", "with epsilon outside the root", 1.15,
     [](Context c) -> Maybe {
         const double amplification = variance_amplification(c);
         if (!std::isfinite(amplification)) return std::nullopt;
         const DoubleDouble deviation = square_root(c.statistics.variance());
         return with_bound(c, reciprocal(deviation + DoubleDouble(c.epsilon)), mean_square(c),
                           amplification);
     }},
    {"variance", "divided by n - 1, with epsilon outside the root", 1.15,
     [](Context c) -> Maybe {
         const double amplification = variance_amplification(c);
         if (!std::isfinite(amplification) || c.statistics.width < 2) return std::nullopt;
         const DoubleDouble deviation =
             square_root(c.statistics.centered_squares / count(c.statistics.width - 1));
         return with_bound(c, reciprocal(deviation + DoubleDouble(c.epsilon)), mean_square(c),
                           amplification);
     }},
    {"mean-squared", "", 1,
     [](Context c) {
         const double mean = std::fabs(c.statistics.mean().high);
         const double magnitude = (c.statistics.magnitudes / count(c.statistics.width)).high;
         return root(c, c.statistics.mean() * c.statistics.mean(), c.epsilon,
                     mean > 0 ? 2 * magnitude / mean : HUGE_VAL);
     }},
    {"mean-absolute", "", 1,
     [](Context c) {
         const DoubleDouble a = c.statistics.magnitudes / count(c.statistics.width);
         return with_bound(c, reciprocal(a + DoubleDouble(c.epsilon)), a, 2);
     }},
    {"mean-absolute", "and epsilon is missing", 1.1,
     [](Context c) {
         const DoubleDouble a = c.statistics.magnitudes / count(c.statistics.width);
         return with_bound(c, reciprocal(a), a, 2);
     }},
    {"mean-absolute", "and not divided by the width", 1.1,
     [](Context c) {
         const DoubleDouble a = c.statistics.magnitudes;
         return with_bound(c, reciprocal(a + DoubleDouble(c.epsilon)), a, 2);
     }},
    {"mean-absolute", "and squared", 1.2,
     [](Context c) {
         const DoubleDouble a = c.statistics.magnitudes / count(c.statistics.width);
         return root(c, a * a, c.epsilon, 2);
     }},
    {"maximum-absolute", "", 1,
     [](Context c) {
         const DoubleDouble a = c.statistics.largest;
         return with_bound(c, reciprocal(a + DoubleDouble(c.epsilon)), a);
     }},
    {"maximum-absolute", "and epsilon is missing", 1.1,
     [](Context c) {
         const DoubleDouble a = c.statistics.largest;
         return with_bound(c, reciprocal(a), a);
     }},
    {"maximum-absolute", "and squared", 1.2,
     [](Context c) {
         return root(c, product(c.statistics.largest, c.statistics.largest), c.epsilon);
     }},
    {"root-twice", "", 1,
     [](Context c) {
         const DoubleDouble v = mean_square(c) + DoubleDouble(c.epsilon);
         return with_bound(c, reciprocal(square_root(square_root(v))), v);
     }},
    {"root-twice", "with epsilon between the roots", 1.1,
     [](Context c) {
         const DoubleDouble m = mean_square(c);
         return with_bound(c, reciprocal(square_root(square_root(m) + DoubleDouble(c.epsilon))), m);
     }},
    {"root-missing", "", 1,
     [](Context c) {
         const DoubleDouble v = mean_square(c) + DoubleDouble(c.epsilon);
         return with_bound(c, reciprocal(v), v, 2.5);
     }},
    {"root-inverted", "", 1,
     [](Context c) {
         const DoubleDouble v = mean_square(c) + DoubleDouble(c.epsilon);
         return with_bound(c, square_root(v), v, 1.5);
     }},
    {"root-inverted", "and the root is missing", 1.1,
     [](Context c) {
         const DoubleDouble v = mean_square(c) + DoubleDouble(c.epsilon);
         return with_bound(c, v, v, 2.5);
     }},
    {"not-normalized", "", 1, [](Context) -> Maybe { return Scale{1}; }},
    {"times-root-n", "", 1,
     [](Context c) {
         const DoubleDouble v = mean_square(c) + DoubleDouble(c.epsilon);
         return with_bound(c, square_root(count(c.statistics.width)) * reciprocal(square_root(v)),
                           v, 1.5);
     }},
    {"normalized-twice", "", 1.05,
     [](Context c) {
         const DoubleDouble m = mean_square(c);
         const DoubleDouble e = c.epsilon;
         const DoubleDouble second = m / (m + e) + e;
         return with_bound(c, reciprocal(square_root((m + e) * second)), m + e, 4);
     }},
    {"gain-in-mean", "", 1,
     [](Context c) {
         return root(c, c.statistics.gained_squares / count(c.statistics.width), c.epsilon);
     }},
    {"gain-before", "", 1.01,
     [](Context c) {
         return root(c, c.statistics.gained_squares / count(c.statistics.width), c.epsilon);
     }},
};

Maybe other_row(Context c, std::size_t row) {
    if (c.rows < 2 || row == c.row) return right_scale(c);
    return root(c, c.all_rows->of(row) / count(c.statistics.width), c.epsilon);
}

const Named formulas_of_other_rows[] = {
    {"row-scale-shifted", "by one row", 1,
     [](Context c) { return other_row(c, (c.row + c.rows - 1) % c.rows); }},
    {"row-scale-shifted", "by one row upwards", 1.05,
     [](Context c) { return other_row(c, (c.row + 1) % c.rows); }},
    {"row-scale-shifted", "by one row, and the first row keeps its own", 1.1,
     [](Context c) { return other_row(c, c.row == 0 ? 0 : c.row - 1); }},
    {"row-scale-shifted", "by one row upwards, and the last row keeps its own", 1.1,
     [](Context c) { return other_row(c, c.row + 1 == c.rows ? c.row : c.row + 1); }},
    {"row-scale-shifted", "in reverse order", 1.1,
     [](Context c) { return other_row(c, c.rows - 1 - c.row); }},
    {"row-scale-first", "", 1, [](Context c) { return other_row(c, 0); }},
    {"row-scale-first", "of the last row", 1.05,
     [](Context c) { return other_row(c, c.rows - 1); }},
    {"sum-not-reset", "", 1,
     [](Context c) {
         return root(c, c.all_rows->up_to(c.row) / count(c.statistics.width), c.epsilon,
                     static_cast<double>(c.row + 1));
     }},
    {"all-rows-mean", "", 1,
     [](Context c) {
         return root(c, c.all_rows->up_to(c.rows - 1) / count(c.statistics.width) / count(c.rows),
                     c.epsilon, static_cast<double>(c.rows));
     }},
    {"all-rows-mean", "and the sum is divided by the width alone", 1.1,
     [](Context c) {
         return root(c, c.all_rows->up_to(c.rows - 1) / count(c.statistics.width), c.epsilon,
                     static_cast<double>(c.rows));
     }},
};

ScaleFormula with_epsilon(Explanation explanation, double cost, double epsilon) {
    return {std::move(explanation), cost,
            [epsilon](Context c) { return root(c, mean_square(c), epsilon); }};
}

void add_epsilons(std::vector<ScaleFormula>& formulas, const Tensors& tensors) {
    const double own = tensors.epsilon;
    std::vector<double> known = {own, 0};
    const auto fresh = [&](double epsilon) {
        const bool repeated = std::any_of(known.begin(), known.end(), [&](double other) {
            return std::fabs(other - epsilon) <= 1e-9 * other;
        });
        if (repeated) return false;
        known.push_back(epsilon);
        return true;
    };
    for (const double epsilon : {1e-6, 1e-5, 1e-8, 1e-12, 1e-3, 1e-4, 1e-7, 1e-9, 1e-10, 1e-15}) {
        if (!fresh(epsilon)) continue;
        const double cost = epsilon == 1e-6 || epsilon == 1e-5 || epsilon == 1e-8 ? 1.02 : 1.06;
        formulas.push_back(with_epsilon({"epsilon-other", "", epsilon, {}, {}}, cost, epsilon));
    }
    for (const auto format : {NumberFormat::binary32, NumberFormat::bfloat16,
                              NumberFormat::binary16, NumberFormat::binary64}) {
        const double machine = 2 * numeric::unit_roundoff(format);
        if (!fresh(machine)) continue;
        formulas.push_back(with_epsilon({"epsilon-machine", "", machine, {}, format},
                                        format == NumberFormat::binary32 ? 1.04 : 1.1, machine));
    }
    const double n = static_cast<double>(tensors.width);
    // Products of decimals, without the last digits that binary64 leaves beside them.
    const auto decimal = [](double product) { return numeric::rounded(product, 15); };
    const std::pair<double, const char*> derived[] = {
        {2 * own, "twice the given one"},
        {decimal(own * n), "the given one times the width"},
        {decimal(own * own), "the square of the given one"}};
    for (const auto& [epsilon, detail] : derived) {
        if (!fresh(epsilon)) continue;
        formulas.push_back(with_epsilon({"epsilon-other", detail, epsilon, {}, {}}, 1.1, epsilon));
    }
    for (const NumberFormat format : lower_formats(tensors.formats.arithmetic())) {
        const double rounded = numeric::round_to(format, own);
        if (!fresh(rounded)) continue;
        formulas.push_back(with_epsilon(
            {"epsilon-other", "the given one rounded", rounded, {}, format}, 1.15, rounded));
    }
}

void add_divisors(std::vector<ScaleFormula>& formulas, const Tensors& tensors) {
    std::vector<std::size_t> divisors;
    for (std::size_t multiple = 8; multiple <= 1024; multiple *= 2) {
        divisors.push_back((tensors.width + multiple - 1) / multiple * multiple);
    }
    std::size_t power = 1;
    while (power < tensors.width) power *= 2;
    divisors.push_back(power);
    divisors.push_back(tensors.rows);
    divisors.push_back(tensors.width + 1);
    std::sort(divisors.begin(), divisors.end());
    divisors.erase(std::unique(divisors.begin(), divisors.end()), divisors.end());
    for (const std::size_t divisor : divisors) {
        // Nothing to find, or an id of its own.
        if (divisor < 2 || divisor == tensors.width || divisor + 1 == tensors.width) continue;
        formulas.push_back({{"divisor-other", "", {}, divisor, {}}, 1.12, [divisor](Context c) {
                                return root(c, c.statistics.squares / count(divisor), c.epsilon);
                            }});
    }
}

// The bit trick of a float's reciprocal root, and Newton's step on it.
double quick_reciprocal_root(double value, int steps) {
    const auto pattern =
        numeric::encode(NumberFormat::binary32, numeric::round_to(NumberFormat::binary32, value));
    double estimate = numeric::decode(NumberFormat::binary32, 0x5f3759dfU - (pattern >> 1));
    for (int i = 0; i < steps; ++i) estimate *= 1.5 - 0.5 * value * estimate * estimate;
    return estimate;
}

void add_quick_roots(std::vector<ScaleFormula>& formulas) {
    for (const int steps : {1, 2, 0}) {
        const std::string detail = steps == 0 ? "without a Newton step"
                                              : "with " + std::to_string(steps) +
                                                    (steps == 1 ? " Newton step" : " Newton steps");
        formulas.push_back(
            {{"fast-inverse-root", detail, {}, {}, {}}, 1.1, [steps](Context c) -> Maybe {
                 const double v = (mean_square(c) + DoubleDouble(c.epsilon)).high;
                 if (!(v > 0x1p-120) || !(v < 0x1p120)) return std::nullopt;
                 const double share = mean_square(c).high / v;
                 const ScaleBound bound =
                     scale_bound(c.arithmetic, c.statistics.width, share, v, 4);
                 const double extra = 8 * numeric::unit_roundoff(NumberFormat::binary32);
                 return Scale{quick_reciprocal_root(v, steps), bound.below + extra,
                              bound.above + extra};
             }});
    }
}

}  // namespace

DoubleDouble RowSquares::up_to(std::size_t row) {
    while (up_to_.size() <= row) {
        const DoubleDouble own = of(up_to_.size());
        up_to_.push_back(up_to_.empty() ? own : up_to_.back() + own);
    }
    return up_to_[row];
}

DoubleDouble RowSquares::of(std::size_t row) {
    if (tensors_.row_squares) return tensors_.row_squares(row);
    input_.resize(tensors_.width);
    tensors_.input(row * tensors_.width, 1, input_);
    return sum_of_squares(input_, NumberFormat::binary64);
}

std::optional<Scale> right_scale(const ScaleContext& context) {
    return root(context, mean_square(context), context.epsilon);
}

std::vector<ScaleFormula> scale_formulas(const Tensors& tensors) {
    std::vector<ScaleFormula> formulas;
    for (const Named& named : formulas_of_the_row) {
        formulas.push_back({{named.id, named.detail, {}, {}, {}}, named.cost, named.function});
    }
    add_epsilons(formulas, tensors);
    add_divisors(formulas, tensors);
    add_quick_roots(formulas);
    if (tensors.rows > 1) {
        for (const Named& named : formulas_of_other_rows) {
            formulas.push_back(
                {{named.id, named.detail, {}, {}, {}}, named.cost, named.function, true, true});
        }
    }
    return formulas;
}

}  // namespace rmsnorm::judge
