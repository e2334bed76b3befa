#include "judge/low_precision.hpp"

#include <algorithm>
#include <cmath>
#include <string>
#include <utility>

namespace rmsnorm::judge {
namespace {

using Maybe = std::optional<Scale>;
using Context = const ScaleContext&;

// Which results between the squares and the scale are rounded.
struct Chain {
    bool mean = false;
    bool denominator = false;  // mean + epsilon
    bool reciprocal = false;   // the scale
    bool root = false;         // the root that is divided by
    bool epsilon = false;      // epsilon itself
};

double rounded_if(bool rounds, NumberFormat format, double value) {
    return rounds ? numeric::round_to(format, value) : value;
}

// The scale of a mean square; each step is monotone.
double scale_of(const Chain& chain, NumberFormat format, double mean, double epsilon) {
    const double m = rounded_if(chain.mean, format, mean);
    const double addend = rounded_if(chain.epsilon, format, epsilon);
    const double v = rounded_if(chain.denominator, format, m + addend);
    const double root = rounded_if(chain.root, format, std::sqrt(v));
    return rounded_if(chain.reciprocal, format, 1 / root);
}

// The scales of all means between `mean (1 - below)` and `mean (1 + above)`.
Maybe chained(Context c, const Chain& chain, NumberFormat format, double mean, double below,
              double above) {
    const double extra = 8 * numeric::unit_roundoff(c.arithmetic);
    const double exact = scale_of(chain, format, mean, c.epsilon);
    double least = scale_of(chain, format, mean * (1 + above + extra), c.epsilon * (1 + extra));
    double most = scale_of(chain, format, mean * (1 - below - extra), c.epsilon * (1 - extra));
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

double mean_of_rounded_squares(Context c, NumberFormat format) {
    double total = 0;
    for (const double value : c.input) total += numeric::round_to(format, value * value);
    return total / static_cast<double>(c.input.size());
}

double mean_of_squares_of_rounded(Context c, NumberFormat format) {
    double total = 0;
    for (const double value : c.input) {
        const double rounded = numeric::round_to(format, value);
        total += rounded * rounded;
    }
    return total / static_cast<double>(c.input.size());
}

enum class Join { ascending, tree };

// An order of summation with every addition rounded.
struct Order {
    std::size_t lanes = 1;
    Join join = Join::ascending;
    bool halves = false;  // the sum of the halves, each taken likewise
    std::string name;
};

std::vector<Order> orders() {
    std::vector<Order> all = {{1, Join::ascending, false, "one running sum"}};
    for (std::size_t lanes = 2; lanes <= 256; lanes *= 2) {
        for (const Join join : {Join::ascending, Join::tree}) {
            all.push_back({lanes, join, false, std::to_string(lanes) + " running sums"});
        }
    }
    all.push_back({0, Join::tree, false, "pairs of neighbors"});
    all.push_back({0, Join::ascending, true, "halves"});
    return all;
}

double tree_sum(NumberFormat format, std::vector<double> values) {
    while (values.size() > 1) {
        const std::size_t half = (values.size() + 1) / 2;
        for (std::size_t i = 0; i + half < values.size(); ++i) {
            values[i] = numeric::round_to(format, values[i] + values[i + half]);
        }
        values.resize(half);
    }
    return values.empty() ? 0 : values[0];
}

double neighbor_sum(NumberFormat format, std::vector<double> values) {
    while (values.size() > 1) {
        const std::size_t pairs = values.size() / 2;
        for (std::size_t i = 0; i < pairs; ++i) {
            values[i] = numeric::round_to(format, values[2 * i] + values[2 * i + 1]);
        }
        if (values.size() % 2 == 1) values[pairs] = values.back();
        values.resize((values.size() + 1) / 2);
    }
    return values.empty() ? 0 : values[0];
}

double halves_sum(NumberFormat format, std::span<const double> values) {
    if (values.size() == 1) return values[0];
    const std::size_t half = values.size() / 2;
    return numeric::round_to(
        format, halves_sum(format, values.first(half)) + halves_sum(format, values.subspan(half)));
}

double rounded_mean(std::span<const double> input, NumberFormat format, const Order& order,
                    bool rounds_squares) {
    std::vector<double> squares(input.size());
    for (std::size_t i = 0; i < squares.size(); ++i) {
        squares[i] = rounded_if(rounds_squares, format, input[i] * input[i]);
    }
    double total = 0;
    if (order.halves) {
        for (double& square : squares) square = numeric::round_to(format, square);
        total = halves_sum(format, squares);
    } else if (order.lanes == 0) {
        for (double& square : squares) square = numeric::round_to(format, square);
        total = neighbor_sum(format, squares);
    } else {
        std::vector<double> sums(order.lanes, 0.0);
        for (std::size_t i = 0; i < squares.size(); ++i) {
            double& sum = sums[i % order.lanes];
            sum = numeric::round_to(format, sum + squares[i]);
        }
        if (order.join == Join::tree) {
            total = tree_sum(format, std::move(sums));
        } else {
            for (const double sum : sums) total = numeric::round_to(format, total + sum);
        }
    }
    return total / static_cast<double>(squares.size());
}

struct NamedChain {
    const char* detail;
    double cost;
    Chain chain;
};

const NamedChain reciprocal_chains[] = {
    {"", 1, {.reciprocal = true}},
    {"as the root that is divided by", 1.05, {.root = true}},
    {"after the root that is divided by", 1.15, {.reciprocal = true, .root = true}},
};

const NamedChain mean_chains[] = {
    {"", 1, {.mean = true}},
    {"with epsilon", 1.05, {.denominator = true}},
    {"alone and with epsilon", 1.05, {.mean = true, .denominator = true}},
    {"and the reciprocal of its root", 1.15, {.mean = true, .reciprocal = true}},
    {"alone and with epsilon, and the reciprocal root",
     1.1,
     {.mean = true, .denominator = true, .reciprocal = true}},
    {"alone and with epsilon, and its root",
     1.1,
     {.mean = true, .denominator = true, .root = true}},
    {"alone and with epsilon, its root and the reciprocal",
     1.15,
     {.mean = true, .denominator = true, .reciprocal = true, .root = true}},
};

const NamedChain whole_chains[] = {
    {"", 1.02, {.mean = true, .denominator = true, .reciprocal = true}},
    {"with a root that is divided by", 1.03, {.mean = true, .denominator = true, .root = true}},
    {"with a root and its reciprocal",
     1.06,
     {.mean = true, .denominator = true, .reciprocal = true, .root = true}},
    {"epsilon as well",
     1.05,
     {.mean = true, .denominator = true, .reciprocal = true, .root = false, .epsilon = true}},
    {"epsilon as well, with a root that is divided by",
     1.06,
     {.mean = true, .denominator = true, .root = true, .epsilon = true}},
    {"up to the mean with epsilon", 1.15, {.mean = true, .denominator = true}},
    {"up to the mean", 1.15, {.mean = true}},
};

class Formulas {
  public:
    explicit Formulas(NumberFormat arithmetic) : arithmetic_(arithmetic) {}

    void add_format(NumberFormat format) {
        for (const NamedChain& named : reciprocal_chains) {
            add("reciprocal-low", named, format,
                [](Context c) { return c.statistics.mean_square().high; });
        }
        for (const NamedChain& named : mean_chains) {
            add("mean-square-low", named, format,
                [](Context c) { return c.statistics.mean_square().high; });
        }
        add("squares-low", {"", 1, {}}, format,
            [format](Context c) { return mean_of_rounded_squares(c, format); });
        add("squares-low", {"as squares of the rounded input", 1.1, {}}, format,
            [format](Context c) { return mean_of_squares_of_rounded(c, format); });
        for (const NamedChain& named : whole_chains) {
            add("computed-low", named, format,
                [format](Context c) { return mean_of_rounded_squares(c, format); });
        }
        if (arithmetic_ == NumberFormat::binary64) add_any_order(format);
        for (const Order& order : orders()) add_order(format, order);
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
    void push(Explanation explanation, double cost, std::function<Maybe(Context)> scale) {
        formulas_.push_back({std::move(explanation), cost, std::move(scale), false, true});
    }

    void add(const char* id, const NamedChain& named, NumberFormat format,
             std::function<double(Context)> mean) {
        push({id, named.detail, {}, {}, format}, named.cost,
             [chain = named.chain, format, mean = std::move(mean)](Context c) {
                 return of_any_order(c, chain, format, mean(c));
             });
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

    void add_order(NumberFormat format, const Order& order) {
        const double cost = order.lanes == 1 ? 1.1 : 1.3;
        for (const bool squares : {false, true}) {
            const auto mean = [format, order, squares](Context c) {
                return rounded_mean(c.input, format, order, squares);
            };
            const auto emulated = [mean, format](Context c, const Chain& chain) {
                return chained(c, chain, format, mean(c), 0, 0);
            };
            push({"accumulation-low", order.name, {}, {}, format}, cost + (squares ? 0.02 : 0),
                 [emulated](Context c) { return emulated(c, {}); });
            push({"accumulation-low", order.name + " and a rounded mean", {}, {}, format},
                 cost + 0.05, [emulated](Context c) { return emulated(c, {.mean = true}); });
            for (const Chain& chain :
                 {Chain{true, true, true, false}, Chain{true, true, false, true},
                  Chain{true, true, true, true}, Chain{true, true, true, false, true}}) {
                push({"computed-low", "with " + order.name, {}, {}, format}, cost + 0.04,
                     [emulated, chain](Context c) { return emulated(c, chain); });
            }
        }
    }

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

std::size_t common_orders() { return orders().size(); }

double mean_square_in_order(std::size_t order, NumberFormat format, std::span<const double> input) {
    return rounded_mean(input, format, orders()[order], true);
}

}  // namespace rmsnorm::judge
