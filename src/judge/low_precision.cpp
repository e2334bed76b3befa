#include "judge/low_precision.hpp"

#include <algorithm>
#include <cmath>
#include <iterator>
#include <string>
#include <utility>

#include "judge/summation.hpp"

namespace rmsnorm::judge {
namespace {

using Maybe = std::optional<Scale>;
using Context = const ScaleContext&;

// How the mean square comes from the sum of squares: by a sum, then by a norm. All but `direct`
// round what they name.
enum class Route {
    direct,                 // sum / width
    sum,                    // rounded sum / width
    sum_times_share,        // rounded sum * rounded 1 / width
    sum_by_width,           // rounded sum / rounded width
    norm_squared,           // square of the rounded norm / width
    norm_squared_by_width,  // / rounded width
    rms,                    // square of the rms: rounded norm * width^-1/2
    rms_times_share,        // rounded norm * rounded width^-1/2
    rms_by_root,            // rounded norm / rounded root of the width
};

// Which results between the squares and the scale are rounded.
struct Chain {
    bool mean = false;
    bool denominator = false;  // mean + epsilon
    bool reciprocal = false;   // the scale
    bool root = false;         // the root that is divided by
    bool some_roots = false;   // the root, in some rows
    bool epsilon = false;      // epsilon itself
    Route route = Route::direct;
};

double rounded_if(bool rounds, NumberFormat format, double value) {
    return rounds ? numeric::round_to(format, value) : value;
}

// The mean square before its own rounding.
double mean_by(Route route, NumberFormat format, double mean, double width) {
    const auto rounded = [format](double value) { return numeric::round_to(format, value); };
    const auto norm = [&] { return rounded(std::sqrt(mean * width)); };
    const auto square = [](double rms) { return rms * rms; };
    switch (route) {
        case Route::direct: break;
        case Route::sum: return rounded(mean * width) / width;
        case Route::sum_times_share: return rounded(mean * width) * rounded(1 / width);
        case Route::sum_by_width: return rounded(mean * width) / rounded(width);
        case Route::norm_squared: return rounded(square(norm())) / width;
        case Route::norm_squared_by_width: return rounded(square(norm())) / rounded(width);
        case Route::rms: return square(rounded(norm() / std::sqrt(width)));
        case Route::rms_times_share: return square(rounded(norm() * rounded(1 / std::sqrt(width))));
        case Route::rms_by_root: return square(rounded(norm() / rounded(std::sqrt(width))));
    }
    return mean;
}

// The scale of a mean square; each step is monotone.
double scale_of(const Chain& chain, NumberFormat format, double mean, double width,
                double epsilon) {
    const double m = rounded_if(chain.mean, format, mean_by(chain.route, format, mean, width));
    const double addend = rounded_if(chain.epsilon, format, epsilon);
    const double v = rounded_if(chain.denominator, format, m + addend);
    const double root = rounded_if(chain.root, format, std::sqrt(v));
    return rounded_if(chain.reciprocal, format, 1 / root);
}

// The scales of all means between `mean (1 - below)` and `mean (1 + above)`.
Maybe chained(Context c, const Chain& chain, NumberFormat format, double mean, double below,
              double above) {
    const double extra = 8 * numeric::unit_roundoff(c.arithmetic);
    const auto width = static_cast<double>(c.statistics.width);
    const auto of = [&](double value, double epsilon) {
        return scale_of(chain, format, value, width, epsilon);
    };
    const double exact = of(mean, c.epsilon);
    const double largest_mean = mean * (1 + above + extra);
    const double least_mean = mean * (1 - below - extra);
    double least = of(largest_mean, c.epsilon * (1 + extra));
    double most = of(least_mean, c.epsilon * (1 - extra));
    if (chain.some_roots) {
        Chain rounding = chain;
        rounding.root = true;
        const auto other = [&](double value, double epsilon) {
            return scale_of(rounding, format, value, width, epsilon);
        };
        least = std::min(least, other(largest_mean, c.epsilon * (1 + extra)));
        most = std::max(most, other(least_mean, c.epsilon * (1 - extra)));
    }
    least -= least * extra;
    most += most * extra;
    if (!std::isfinite(most) || std::isnan(exact)) return std::nullopt;
    if (exact == 0) return most == 0 ? Maybe(Scale{0}) : std::nullopt;
    return Scale{exact, std::max(0.0, (exact - least) / exact),
                 std::max(0.0, (most - exact) / exact)};
}

// Bounds of a mean of the row's squares in any order of the arithmetic.
Maybe of_any_order(Context c, const Chain& chain, NumberFormat format, double mean) {
    const double u = numeric::unit_roundoff(c.arithmetic);
    const double bound = (static_cast<double>(c.statistics.width) + 8) * u;
    if (bound > 0.25) return std::nullopt;
    return chained(c, chain, format, mean, bound, 1.2 * bound);
}

// A mean that several formulas take of a row, computed once.
template <class Function>
double shared(Context c, std::size_t key, Function mean) {
    if (c.sums.size() <= key) c.sums.resize(key + 1);
    std::optional<double>& kept = c.sums[key];
    if (!kept) kept = mean();
    return *kept;
}

double mean_of_rounded_squares(Context c, NumberFormat format) {
    return shared(c, static_cast<std::size_t>(format), [&] {
        double total = 0;
        for (const double value : c.input) total += numeric::round_to(format, value * value);
        return total / static_cast<double>(c.input.size());
    });
}

double mean_of_squares_of_rounded(Context c, NumberFormat format) {
    double total = 0;
    for (const double value : c.input) {
        const double rounded = numeric::round_to(format, value);
        total += rounded * rounded;
    }
    return total / static_cast<double>(c.input.size());
}

// What is rounded besides, in words.
struct Words {
    const char* text;
    Chain chain;
};

constexpr Words routes[] = {
    {"", {.route = Route::direct}},
    {"the sum", {.route = Route::sum}},
    {"the sum, the reciprocal width", {.route = Route::sum_times_share}},
    {"the sum, the width", {.route = Route::sum_by_width}},
    {"the norm, its square", {.route = Route::norm_squared}},
    {"the norm, its square, the width", {.route = Route::norm_squared_by_width}},
    {"the norm, its quotient by a root", {.route = Route::rms}},
    {"the norm, a reciprocal root, their product", {.route = Route::rms_times_share}},
    {"the norm, a root, their quotient", {.route = Route::rms_by_root}},
};

constexpr Words middles[] = {
    {"", {}},
    {"", {.mean = true}},
    {"the sum with epsilon", {.denominator = true}},
    {"the sum with epsilon", {.mean = true, .denominator = true}},
    {"epsilon, the sum with it", {.denominator = true, .epsilon = true}},
    {"epsilon, the sum with it", {.mean = true, .denominator = true, .epsilon = true}},
};

constexpr Words tails[] = {
    {"", {}},
    {"the reciprocal root", {.reciprocal = true}},
    {"the root that is divided by", {.root = true}},
    {"the root, its reciprocal", {.reciprocal = true, .root = true}},
    // PyTorch's reciprocal root of 16-bit numbers rounds the root where a vector of them is not
    // full.
    {"the root in some rows, its reciprocal", {.reciprocal = true, .some_roots = true}},
};

// Whether a program may do both. A norm over a root need not be squared.
bool go_together(Route route, const Chain& middle) {
    const bool nothing = !middle.mean && !middle.denominator;
    switch (route) {
        case Route::direct: return !nothing;
        case Route::sum: return middle.mean;
        case Route::sum_times_share:
        case Route::sum_by_width:
        case Route::norm_squared:
        case Route::norm_squared_by_width: return middle.mean && middle.denominator;
        default: return nothing || (middle.mean && middle.denominator);
    }
}

struct NamedChain {
    std::string besides;  // what is rounded besides the mean square
    std::string all;
    double cost = 0;
    Chain chain;
};

NamedChain joined(const Words& route, const Words& middle, const Words& tail) {
    NamedChain named{{}, "the squares", 0, middle.chain};
    named.chain.route = route.chain.route;
    named.chain.reciprocal = tail.chain.reciprocal;
    named.chain.root = tail.chain.root;
    named.chain.some_roots = tail.chain.some_roots;
    const auto add = [&](const char* text) {
        if (*text == '\0') return;
        named.besides.append(named.besides.empty() ? "and " : ", ").append(text);
        named.all.append(", ").append(text);
        named.cost += 0.03;
    };
    add(route.text);
    named.all += ", the mean square";
    add(middle.text);
    add(tail.text);
    if (tail.chain.some_roots) named.cost += 0.02;
    return named;
}

// The roundings on the way from the sum of squares to the scale.
std::vector<NamedChain> chains() {
    std::vector<NamedChain> all;
    for (const Words& route : routes) {
        for (const Words& middle : middles) {
            if (!go_together(route.chain.route, middle.chain)) continue;
            for (const Words& tail : tails) all.push_back(joined(route, middle, tail));
        }
    }
    return all;
}

// Of so many chains the usual ones are mistakes of their own in test vectors.
bool is_rare(const Chain& chain) {
    const bool goes_on = chain.reciprocal || chain.root;
    return chain.route != Route::direct || chain.epsilon || chain.some_roots ||
           (!chain.denominator && chain.root) || (!chain.mean && goes_on);
}

bool takes_a_norm(Route route) { return route >= Route::norm_squared; }

class Formulas {
  public:
    explicit Formulas(NumberFormat arithmetic) : arithmetic_(arithmetic) {}

    void add_format(NumberFormat format) {
        const auto mean = [](Context c) { return c.statistics.mean_square().high; };
        const auto of_rounded_squares = [format](Context c) {
            return mean_of_rounded_squares(c, format);
        };
        add("reciprocal-low", "", 1, {.reciprocal = true}, format, mean);
        add("reciprocal-low", "as the root that is divided by", 1.05, {.root = true}, format, mean);
        add("reciprocal-low", "after the root that is divided by", 1.15,
            {.reciprocal = true, .root = true}, format, mean);
        add("squares-low", "", 1, {}, format, of_rounded_squares);
        add("squares-low", "as squares of the rounded input", 1.1, {}, format,
            [format](Context c) { return mean_of_squares_of_rounded(c, format); });
        for (const NamedChain& named : chains()) {
            const Chain& chain = named.chain;
            add("mean-square-low", named.besides, named.cost > 0 ? 1.04 + named.cost : 1, chain,
                format, mean, is_rare(chain));
            if (takes_a_norm(chain.route) || !chain.mean) continue;
            const bool whole = chain.denominator && (chain.reciprocal || chain.root);
            add("computed-low", named.all, (whole ? 0.96 : 1.1) + named.cost, chain, format,
                of_rounded_squares, is_rare(chain));
        }
        if (arithmetic_ == NumberFormat::binary64) add_any_order(format);
        for (const SummationOrder& order : usual_orders()) {
            for (const bool squares : {false, true}) add_order(format, order, squares);
        }
    }

    void add_overflow() {
        push({"squares-low", "and overflow it", {}, {}, arithmetic_}, 1, [](Context c) -> Maybe {
            const double most = numeric::largest_finite(c.arithmetic);
            if (!(c.statistics.squares.high > most)) return right_scale(c);
            return Scale{0};
        });
    }

    std::vector<ScaleFormula> take() { return std::move(formulas_); }

  private:
    void push(Explanation explanation, double cost, std::function<Maybe(Context)> scale,
              bool rare = false) {
        formulas_.push_back({std::move(explanation), cost, std::move(scale), false, true, rare});
    }

    void add(const char* id, std::string detail, double cost, const Chain& chain,
             NumberFormat format, std::function<double(Context)> mean, bool rare = false) {
        push(
            {id, std::move(detail), {}, {}, format}, cost,
            [chain, format, mean = std::move(mean)](Context c) {
                return of_any_order(c, chain, format, mean(c));
            },
            rare);
    }

    // Whatever order a lower format's sum had.
    void add_any_order(NumberFormat format) {
        push({"accumulation-low", "in an unknown order", {}, {}, format}, 1.3,
             [format](Context c) -> Maybe {
                 const double bound =
                     (static_cast<double>(c.statistics.width) + 8) * numeric::unit_roundoff(format);
                 if (bound > 0.01) return std::nullopt;
                 return chained(c, {}, format, c.statistics.mean_square().high, bound, 1.2 * bound);
             });
    }

    void add_order(NumberFormat format, const SummationOrder& order, bool squares) {
        const double cost = (order.lanes == 1 ? 1.1 : 1.3) + (squares ? 0.02 : 0);
        const std::size_t key = next_key_++;
        const auto add = [&](const char* id, const std::string& detail, double more, Chain chain) {
            push(
                {id, detail, {}, {}, format}, cost + more,
                [=](Context c) {
                    const double mean = shared(
                        c, key, [&] { return rounded_mean(c.input, format, order, squares); });
                    return chained(c, chain, format, mean, 0, 0);
                },
                order.rest_first || chain.route != Route::direct);
        };
        add("accumulation-low", order.name, 0, {});
        add("accumulation-low", order.name + " and a rounded mean", 0.05, {.mean = true});
        const auto add_whole = [&](Chain chain) {
            chain.mean = chain.denominator = true;
            add("computed-low", "with " + order.name, 0.04, chain);
        };
        for (const Words& tail : tails) {
            if ((!tail.chain.reciprocal && !tail.chain.root) || tail.chain.some_roots) continue;
            add_whole(tail.chain);
            Chain by_width = tail.chain;
            by_width.route = Route::sum_by_width;
            add_whole(by_width);
        }
        add_whole({.reciprocal = true, .epsilon = true});
    }

    std::size_t next_key_ = std::size(numeric::number_formats);
    NumberFormat arithmetic_;
    std::vector<ScaleFormula> formulas_;
};

}  // namespace

std::vector<NumberFormat> lower_formats(NumberFormat arithmetic) {
    std::vector<NumberFormat> formats = {NumberFormat::bfloat16, NumberFormat::binary16};
    if (arithmetic == NumberFormat::binary64) formats.push_back(NumberFormat::binary32);
    return formats;
}

std::vector<ScaleFormula> low_precision_formulas(NumberFormat arithmetic) {
    Formulas formulas(arithmetic);
    for (const NumberFormat format : lower_formats(arithmetic)) formulas.add_format(format);
    formulas.add_overflow();
    return formulas.take();
}

}  // namespace rmsnorm::judge
