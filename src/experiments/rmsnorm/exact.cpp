#include "experiments/rmsnorm/exact.hpp"

#include <algorithm>
#include <cmath>
#include <string>

#include "evidence/rows.hpp"
#include "nn/real_norms.hpp"
#include "nn/rounded_norms.hpp"

namespace rmsnorm::experiments {
namespace {

using evidence::ExactFigures;
using nn::Reals;
using nn::Rounded64;
using numeric::Enclosure;
using Row = std::vector<Rounded64>;
using Bounds = std::vector<double>;

Row exact_row(std::span<const double> values) { return numeric::as_rounded(values); }

template <class Items, class More>
void append(Items& items, const More& more) {
    items.insert(items.end(), more.begin(), more.end());
}

// A figure that rows fill one after the other.
struct Filled {
    Reals exact;
    Bounds bounds;

    void add(const Reals& more, const Row& rounded) {
        append(exact, more);
        append(bounds, numeric::errors(rounded));
    }
    void add(const Enclosure& number, const Rounded64& rounded) {
        exact.push_back(number);
        bounds.push_back(rounded.error());
    }
    void into(ExactFigures& figures, const std::string& path) const {
        figures.add(path, exact, bounds);
    }
};

// The rows of x and of what the layer makes of them.
struct Layer {
    Filled mean_square;
    Filled inverse;
    Filled normalized;
    Filled output;
    Filled energies;     // mean(normalized^2) of each row
    Row all_normalized;  // as computed
};

Layer layer_of(const tensor::Tensor& input, const tensor::Tensor& gain, double epsilon, int bits) {
    Layer layer;
    const Reals gains = numeric::enclosures(gain.values(), bits);
    const Row rounded_gains = exact_row(gain.values());
    const Enclosure exact_epsilon(epsilon, bits);
    for (std::size_t i = 0; i < row_count(input); ++i) {
        const auto values = row(input, i);
        const nn::RealNorm norm =
            nn::real_rms_norm(numeric::enclosures(values, bits), exact_epsilon);
        const auto rounded = nn::rounded_rms_norm(exact_row(values), rounded_gains, epsilon);
        const Reals normalized = norm.normalized();
        layer.mean_square.add(norm.variance, rounded.mean_square);
        layer.inverse.add(norm.inverse, rounded.inverse_rms);
        layer.normalized.add(normalized, rounded.normalized);
        layer.output.add(nn::products(normalized, gains), rounded.output);
        layer.energies.add(norm.variance / (norm.variance + exact_epsilon), rounded.mean_square);
        append(layer.all_normalized, rounded.normalized);
    }
    return layer;
}

tensor::Tensor ones(std::size_t width) { return tensor::Tensor::filled({width}, 1.0); }

// What rounding may do to the mean of the squares.
double mean_square_bound(const Row& values) {
    const Rounded64 sum = numeric::sum(nn::products(values, values));
    return (sum / Rounded64(static_cast<double>(values.size()))).error();
}

Enclosure largest_magnitude(const Reals& values) {
    Enclosure largest(0);
    for (const Enclosure& value : values) largest = max(largest, abs(value));
    return largest;
}

Row times(const Row& values, double factor) {
    Row result;
    for (const Rounded64& value : values) result.push_back(value * Rounded64(factor));
    return result;
}

}  // namespace

ExactFigures exact_figures(const Forward& e, int bits) {
    ExactFigures figures(bits);
    const Layer layer = layer_of(e.input, e.gain, e.epsilon, bits);
    figures.given("primary/input", e.input.values());
    layer.mean_square.into(figures, "primary/mean_square");
    layer.inverse.into(figures, "primary/inverse_rms");
    layer.normalized.into(figures, "primary/normalized");
    figures.given("primary/gain", e.gain.values());
    layer.output.into(figures, "primary/output");
    if (layer.energies.exact.empty()) {
        figures.given("primary/normalized_mean_square", 0);
    } else {
        figures.add("primary/normalized_mean_square", nn::mean(layer.energies.exact),
                    mean_square_bound(layer.all_normalized));
    }
    return figures;
}

ExactFigures exact_figures(const Backward& e, int bits) {
    ExactFigures figures(bits);
    const std::size_t width = e.gain.size();
    const Reals gain = numeric::enclosures(e.gain.values(), bits);
    const Row rounded_gain = exact_row(e.gain.values());
    const Enclosure epsilon(e.epsilon, bits);
    Filled by_input;
    Reals by_gain(width, Enclosure(0, bits));
    Row rounded_by_gain(width, Rounded64(0));
    for (std::size_t i = 0; i < row_count(e.input); ++i) {
        const Reals input = numeric::enclosures(row(e.input, i), bits);
        const Reals upstream = numeric::enclosures(row(e.upstream, i), bits);
        const Row rounded = exact_row(row(e.input, i));
        const Row rounded_upstream = exact_row(row(e.upstream, i));
        by_input.add(nn::real_rms_norm_gradient(input, nn::products(upstream, gain), epsilon),
                     nn::rounded_rms_norm_gradient(
                         rounded, nn::products(rounded_upstream, rounded_gain), e.epsilon));
        const Reals normalized = nn::real_rms_norm(input, epsilon).normalized();
        const auto pass = nn::rounded_rms_norm(rounded, rounded_gain, e.epsilon);
        for (std::size_t j = 0; j < width; ++j) {
            by_gain[j] = by_gain[j] + upstream[j] * normalized[j];
            rounded_by_gain[j] = rounded_by_gain[j] + rounded_upstream[j] * pass.normalized[j];
        }
    }
    figures.given("backward/upstream", e.upstream.values());
    by_input.into(figures, "backward/input_gradient");
    figures.add("backward/gain_gradient", by_gain, numeric::errors(rounded_by_gain));
    return figures;
}

namespace {

// |x / s - f x / t| with s^2 = m + epsilon and t^2 = f^2 m + epsilon: for a factor that is not
// negative |x| epsilon |1 - f^2| / (s t (t + f s)), which is zero when epsilon is.
Enclosure scaled_difference(const Enclosure& x, const Enclosure& mean_square,
                            const Enclosure& epsilon, const Enclosure& factor, bool negative) {
    const Enclosure square = factor * factor;
    const Enclosure s = sqrt(mean_square + epsilon);
    const Enclosure t = sqrt(square * mean_square + epsilon);
    if (negative) return abs(x) * (t - factor * s) / (s * t);
    return abs(x) * (epsilon * abs(Enclosure(1) - square)) / (s * t * (t + factor * s));
}

}  // namespace

ExactFigures exact_figures(const Scale& e, int bits) {
    ExactFigures figures(bits);
    for (std::size_t k = 0; k < e.comparisons.size(); ++k) {
        const ScaleComparison& c = e.comparisons[k];
        const std::string path = "scales/" + std::to_string(k) + "/";
        const Enclosure epsilon(c.epsilon, bits);
        const Enclosure factor(c.factor, bits);
        Filled base;
        Filled scaled;
        Enclosure largest(0, bits);
        double bound = 0;
        for (std::size_t i = 0; i < row_count(c.input); ++i) {
            const Reals input = numeric::enclosures(row(c.input, i), bits);
            const Row rounded = exact_row(row(c.input, i));
            const Row gain = exact_row(ones(input.size()).values());
            const nn::RealNorm norm = nn::real_rms_norm(input, epsilon);
            const nn::RealNorm other = nn::real_rms_norm(nn::multiplied(input, factor), epsilon);
            const auto pass = nn::rounded_rms_norm(rounded, gain, c.epsilon);
            const auto scaled_pass =
                nn::rounded_rms_norm(times(rounded, c.factor), gain, c.epsilon);
            base.add(norm.normalized(), pass.normalized);
            scaled.add(other.normalized(), scaled_pass.normalized);
            largest = max(largest, scaled_difference(largest_magnitude(input), norm.variance,
                                                     epsilon, factor, c.factor < 0));
            bound = std::max(bound,
                             nn::largest_difference_bound(pass.normalized, scaled_pass.normalized));
        }
        figures.given(path + "epsilon", c.epsilon);
        figures.given(path + "factor", c.factor);
        base.into(figures, path + "base");
        scaled.into(figures, path + "scaled");
        figures.add(path + "max_abs_diff", largest, bound);
    }
    return figures;
}

ExactFigures exact_figures(const Sweep& e, int bits) {
    ExactFigures figures(bits);
    const double epsilon = e.inputs.epsilon;
    const Enclosure exact_epsilon(epsilon, bits);
    const Reals input = numeric::enclosures(e.inputs.input.values(), bits);
    const Enclosure energy = nn::real_rms_norm(input, exact_epsilon).variance;
    const Row gain = exact_row(ones(input.size()).values());
    for (std::size_t k = 0; k < e.points.size(); ++k) {
        const double factor = e.points[k].factor;
        const std::string path = "sweep/" + std::to_string(k) + "/";
        const Enclosure exact_factor(factor, bits);
        const Enclosure mean_square = exact_factor * exact_factor * energy;
        const Enclosure closed_form = mean_square / (mean_square + exact_epsilon);
        const Row rounded = times(exact_row(e.inputs.input.values()), factor);
        const auto pass = nn::rounded_rms_norm(rounded, gain, epsilon);
        const auto ideal = nn::rounded_rms_norm(rounded, gain, 0);
        // 1 / sqrt(m) - 1 / sqrt(m + epsilon), which is zero when epsilon is.
        const Enclosure root = sqrt(mean_square);
        const Enclosure stabilized_root = sqrt(mean_square + exact_epsilon);
        const Enclosure difference =
            exact_epsilon / (root * stabilized_root * (root + stabilized_root));
        figures.given(path + "factor", factor);
        figures.add(path + "mean_square", mean_square, pass.mean_square.error());
        figures.add(path + "normalized_mean_square", closed_form,
                    mean_square_bound(pass.normalized));
        figures.add(path + "closed_form", closed_form,
                    (pass.mean_square / (pass.mean_square + Rounded64(epsilon))).error());
        figures.add(path + "max_abs_diff",
                    largest_magnitude(input) * abs(exact_factor) * difference,
                    nn::largest_difference_bound(pass.normalized, ideal.normalized));
    }
    return figures;
}

ExactFigures exact_figures(const Zero& e, int bits) {
    ExactFigures figures(bits);
    figures.given("zero/input", e.input.values());
    if (e.output) {
        const Layer layer = layer_of(e.input, ones(e.input.size()), e.epsilon, bits);
        layer.output.into(figures, "zero/output");
    }
    return figures;
}

ExactFigures exact_figures(const Batch& e, int bits) {
    ExactFigures figures(bits);
    figures.given("batch/input", e.input.values());
    layer_of(e.input, e.gain, e.epsilon, bits).output.into(figures, "batch/output");
    return figures;
}

ExactFigures exact_figures(const History& e, int bits) {
    ExactFigures figures(bits);
    const Enclosure epsilon(e.epsilon, bits);
    const Reals anchor = numeric::enclosures(e.anchor.values(), bits);
    const Row rounded = exact_row(e.anchor.values());
    figures.given("history/anchor", e.anchor.values());
    for (std::size_t k = 0; k < e.companions.size(); ++k) {
        const tensor::Tensor& companion = e.companions[k];
        const std::string index = std::to_string(k);
        Filled batch;
        for (std::size_t i = 0; i < anchor.size(); ++i) {
            // e / sqrt(e^2 + epsilon), where e is half the distance to the companion.
            const Enclosure half = scaled(anchor[i] - Enclosure(companion[i], bits), -1);
            const Rounded64 a = rounded[i];
            const Rounded64 c(companion[i]);
            const Rounded64 two(2);
            const Rounded64 mean = (a + c) / two;
            const Rounded64 variance = ((a - mean) * (a - mean) + (c - mean) * (c - mean)) / two;
            batch.add(half / sqrt(half * half + epsilon),
                      (a - mean) / sqrt(variance + Rounded64(e.epsilon)));
        }
        figures.given("history/companions/" + index, companion.values());
        batch.into(figures, "history/batch_norm/" + index);
    }
    const nn::RealNorm rms = nn::real_rms_norm(anchor, Enclosure(0, bits));
    const auto pass = nn::rounded_rms_norm(rounded, exact_row(ones(anchor.size()).values()), 0);
    figures.add("history/layer_norm", nn::real_layer_norm(anchor, epsilon).normalized(),
                numeric::errors(nn::rounded_divided_norm<double>(rounded, e.epsilon, true)));
    figures.add("history/rms_norm", rms.normalized(), numeric::errors(pass.normalized));
    const Rounded64 width(static_cast<double>(anchor.size()));
    figures.add("history/rms_mean", nn::mean(rms.numerators) * rms.factor,
                (numeric::sum(pass.normalized) / width).error());
    return figures;
}

namespace {

// A central difference estimates the derivative, which is its exact result; the check's tolerance
// is the bound of what truncation and rounding do to it. A scaled error measures the two numbers
// beside it: they are what it is computed from.
void add_coordinates(ExactFigures& figures, const std::string& name,
                     const autodiff::GradientCheck& check, const ExactFigures::Figure& gradient,
                     const std::vector<double>& units) {
    for (std::size_t k = 0; k < check.coordinates.size(); ++k) {
        const autodiff::CoordinateCheck& c = check.coordinates[k];
        const std::string path = name + "/" + std::to_string(k) + "/";
        const double bound = gradient.bounds[c.index];
        const double unit = units.empty()
                                ? std::max({1.0, std::fabs(c.analytic), std::fabs(c.numerical)})
                                : units[c.index];
        figures.add(path + "analytic", gradient.exact[c.index], bound);
        figures.add(path + "numerical", gradient.exact[c.index],
                    (bound + check.tolerance * unit) * (1 + 0x1p-40));
        figures.given(path + "scaled_error", c.scaled_error);
    }
}

// What the errors of a check in units of rows are parts of: |adjoint| / rms for every value of the
// input, and the sum of |normalized * upstream| for every gain.
struct RowUnits {
    Bounds input;
    Bounds gain;
};

RowUnits row_units(const LayerCase& layer) {
    RowUnits units{{}, Bounds(layer.gain.size(), 0.0)};
    const Reals gain = numeric::enclosures(layer.gain.values(), Enclosure::least_bits);
    for (std::size_t i = 0; i < row_count(layer.input); ++i) {
        const Reals input = numeric::enclosures(row(layer.input, i), Enclosure::least_bits);
        const Reals upstream = numeric::enclosures(row(layer.upstream, i), Enclosure::least_bits);
        const Reals adjoint = nn::products(upstream, gain);
        const nn::RealNorm norm = nn::real_rms_norm(input, Enclosure(layer.epsilon));
        const Enclosure unit = sqrt(nn::inner_product(adjoint, adjoint)) * norm.inverse;
        const Reals terms = nn::products(norm.normalized(), upstream);
        for (std::size_t j = 0; j < input.size(); ++j) {
            units.input.push_back(unit.distance_bound(0));
            units.gain[j] += terms[j].distance_bound(0);
        }
    }
    return units;
}

}  // namespace

ExactFigures exact_figures(const GradientChecks& e, int bits) {
    const LayerCase& layer = e.inputs.layer;
    Backward pass{};
    pass.epsilon = layer.epsilon;
    pass.input = layer.input;
    pass.gain = layer.gain;
    pass.upstream = layer.upstream;
    const ExactFigures gradients = exact_figures(pass, bits);
    const RowUnits units = e.inputs.unit == ProbeUnit::row ? row_units(layer) : RowUnits{};
    ExactFigures figures(bits);
    add_coordinates(figures, "input_checks", e.input, *gradients.find("backward/input_gradient"),
                    units.input);
    add_coordinates(figures, "gain_checks", e.gain, *gradients.find("backward/gain_gradient"),
                    units.gain);
    return figures;
}

ExactFigures exact_figures(const Parameters& e, int bits) {
    ExactFigures figures(bits);
    figures.given("config/epsilon", e.epsilon);
    return figures;
}

ExactFigures exact_figures(const Boundaries&, int bits) { return ExactFigures(bits); }
ExactFigures exact_figures(const Replay&, int bits) { return ExactFigures(bits); }

ExactFigures exact_figures(const Chapter& e, int bits) {
    ExactFigures figures(bits);
    figures.add("", exact_figures(e.parameters, bits));
    figures.add("", exact_figures(e.forward, bits));
    figures.add("", exact_figures(e.backward, bits));
    figures.add("", exact_figures(e.scale, bits));
    figures.add("", exact_figures(e.zero, bits));
    figures.add("", exact_figures(e.batch, bits));
    figures.add("", exact_figures(e.history, bits));
    figures.given("proof/step", e.gradient_checks.inputs.step);
    figures.given("proof/tolerance", e.gradient_checks.inputs.tolerance);
    figures.add("proof/", exact_figures(e.gradient_checks, bits));
    return figures;
}

}  // namespace rmsnorm::experiments
