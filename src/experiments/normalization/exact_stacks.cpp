#include <algorithm>
#include <cmath>
#include <map>

#include "experiments/normalization/exact.hpp"
#include "experiments/normalization/exact_parts.hpp"
#include "experiments/normalization/seeded_weights.hpp"

namespace rmsnorm::experiments::normalization {

using namespace exact_parts;

namespace {

// A program's vector deep in a stack. Bounds value by value would double from layer to layer; what
// a layer does to the Euclidean norm of an error is known better (docs/certify.md).
struct RoundedVector {
    Vector values;
    double error_norm = 0;
};

Vector computed(const Row32& row) {
    Vector values;
    for (const Rounded32& value : row) values.push_back(value.format_value());
    return values;
}

// A step's own rounding beside what came in and was carried on.
RoundedVector after(const Row32& result, double carried) {
    return {computed(result), (nn::error_norm(numeric::errors(result)) + carried) * (1 + 0x1p-30)};
}

// The root of the mean of the squares, in binary64.
double magnitude_bound(const RoundedVector& vector) {
    const auto width = static_cast<double>(vector.values.size());
    Rounded64 sum(0);
    for (const float value : vector.values) {
        const Rounded64 wide(static_cast<double>(value));
        sum = sum + wide * wide;
    }
    return (vector.error_norm / std::sqrt(width) + sqrt(sum / Rounded64(width)).error()) *
           (1 + 0x1p-30);
}

// The largest factor by which a square matrix stretches: the root of the largest eigenvalue of
// A' A, at most m + s sqrt(n - 1) for eigenvalues of mean m and standard deviation s
// (H. Wolkowicz and G. P. H. Styan, Bounds for Eigenvalues Using Traces, Linear Algebra and its
// Applications 29, 1980).
//
// Wide matrices take the Frobenius norm, which costs less and is larger.
double stretch(const Vector& matrix, std::size_t width) {
    constexpr std::size_t widest_traced = 256;
    if (width > widest_traced) return nn::error_norm(widened(matrix));
    double trace = 0;
    double squares = 0;
    for (std::size_t i = 0; i < width; ++i) {
        for (std::size_t j = 0; j <= i; ++j) {
            double entry = 0;
            for (std::size_t k = 0; k < width; ++k) {
                entry += static_cast<double>(matrix[i * width + k]) *
                         static_cast<double>(matrix[j * width + k]);
            }
            squares += (i == j ? 1 : 2) * entry * entry;
            if (i == j) trace += entry;
        }
    }
    const auto n = static_cast<double>(width);
    const double mean = trace / n;
    const double variance = std::max(0.0, squares / n - mean * mean) + squares * 0x1p-30;
    return std::sqrt(mean + std::sqrt(variance * (n - 1))) * (1 + 0x1p-20);
}

// matrix * vector: products in binary32, a row's sum in binary64, rounded once.
Row32 rounded_product(const Vector& matrix, const Row32& vector) {
    Row32 result;
    for (std::size_t start = 0; start < matrix.size(); start += vector.size()) {
        Rounded64 sum(0);
        for (std::size_t j = 0; j < vector.size(); ++j) {
            sum = sum + Rounded64(number(matrix[start + j]) * vector[j]);
        }
        result.push_back(Rounded32(sum));
    }
    return result;
}

std::vector<double> centered(const Vector& values) {
    double sum = 0;
    for (const float value : values) sum += static_cast<double>(value);
    std::vector<double> result;
    for (const float value : values) {
        result.push_back(static_cast<double>(value) - sum / static_cast<double>(values.size()));
    }
    return result;
}

struct DenseRun {
    std::string norm;
    Reals exact;
    RoundedVector rounded;
    Reals magnitudes;
    std::vector<double> bounds;
};

void dense_layer(DenseRun& run, const Vector& weights, double stretched, float epsilon, int bits) {
    run.exact = product(weights, run.exact);
    run.rounded = after(rounded_product(weights, exact_row(run.rounded.values)),
                        stretched * run.rounded.error_norm);
    if (run.norm != "none") {
        const bool layer = run.norm == "layer-norm";
        const Row32 row = exact_row(run.rounded.values);
        const auto wide = static_cast<double>(epsilon);
        const double carried =
            nn::moved_rms_norm(layer ? centered(run.rounded.values) : widened(run.rounded.values),
                               wide, run.rounded.error_norm);
        run.rounded = after(
            layer ? plain_layer_norm(row, epsilon).output : plain_rms_norm(row, epsilon).output,
            carried);
        const Enclosure exact_epsilon = real(epsilon, bits);
        run.exact = (layer ? nn::real_layer_norm(run.exact, exact_epsilon)
                           : nn::real_rms_norm(run.exact, exact_epsilon))
                        .normalized();
    }
    run.magnitudes.push_back(nn::real_magnitude(run.exact));
    run.bounds.push_back(magnitude_bound(run.rounded));
}

}  // namespace

ExactFigures exact_figures(const DenseStack& e, int bits) {
    ExactFigures figures(bits);
    const Vector& input = e.inputs.input;
    const float spread = e.inputs.spread;
    const float epsilon = e.inputs.epsilon;
    const auto width = static_cast<double>(input.size());
    const Reals exact = reals(input, bits);
    const Rounded64 third = Rounded64(width) / Rounded64(3);
    const Rounded64 wide_spread(static_cast<double>(spread));
    figures.given("dense_stack/first_weights", widened(e.first_weights));
    figures.add("dense_stack/input_magnitude", nn::real_magnitude(exact),
                magnitude_bound({input, 0}));
    figures.add("dense_stack/expected_growth",
                real(spread, bits) * sqrt(Enclosure(width, bits) / Enclosure(3, bits)),
                (wide_spread * sqrt(third)).error());
    std::vector<DenseRun> runs;
    for (const DenseStackRun& run : e.runs) runs.push_back({run.norm, exact, {input, 0}, {}, {}});
    SeededWeights generator(e.inputs.seed);
    for (std::size_t layer = 0; layer < dense_layers; ++layer) {
        const Vector weights = generator.matrix(input.size(), input.size(), spread);
        const double stretched = stretch(weights, input.size());
        for (DenseRun& run : runs) dense_layer(run, weights, stretched, epsilon, bits);
    }
    for (DenseRun& run : runs) {
        std::replace(run.norm.begin(), run.norm.end(), '-', '_');
        figures.add("dense_stack/" + run.norm, run.magnitudes, run.bounds);
    }
    return figures;
}

ExactFigures exact_figures(const Latent& e, int bits) {
    ExactFigures figures(bits);
    const auto& c = e.inputs;
    SeededWeights generator(c.seed);
    const Vector down = generator.matrix(c.rank, c.input.size(), c.spread);
    const Vector up = generator.matrix(c.input.size(), c.rank, c.spread);
    // Everything but the norm follows the factor.
    const Reals latent = product(down, reals(c.input, bits));
    const Enclosure latent_magnitude = nn::real_magnitude(latent);
    const Enclosure output_magnitude = nn::real_magnitude(product(up, latent));
    const auto bound = [](const Row32& row) {
        Rounded64 sum(0);
        for (const Rounded32& value : row) sum = sum + Rounded64(value) * Rounded64(value);
        return sqrt(sum / Rounded64(static_cast<double>(row.size())));
    };
    Reals normalized;
    Row64 plain_bounds;
    Row64 normalized_bounds;
    for (std::size_t k = 0; k < e.rows.size(); ++k) {
        const LatentRow& row = e.rows[k];
        const std::string path = "latent/rows/" + std::to_string(k) + "/";
        const Enclosure factor = real(row.factor, bits);
        const Enclosure inverse =
            nn::real_rms_norm(nn::multiplied(latent, factor), real(c.epsilon, bits)).inverse;
        normalized.push_back(output_magnitude * factor * inverse);
        Row32 scaled_input = exact_row(c.input);
        for (Rounded32& value : scaled_input) value = value * number(row.factor);
        const Row32 rounded = rounded_product(down, scaled_input);
        const auto pass = plain_rms_norm(rounded, c.epsilon);
        plain_bounds.push_back(bound(rounded_product(up, rounded)));
        normalized_bounds.push_back(bound(rounded_product(up, pass.output)));
        figures.given(path + "factor", static_cast<double>(row.factor));
        figures.add(path + "latent", latent_magnitude * factor, bound(rounded).error());
        figures.add(path + "plain_output", output_magnitude * factor, plain_bounds.back().error());
        figures.add(path + "normalized_output", normalized.back(),
                    normalized_bounds.back().error());
        figures.add(path + "inverse_rms", inverse, pass.inverse_rms.error());
    }
    const Enclosure growth = real(e.rows.back().factor, bits) / real(e.rows.front().factor, bits);
    if (e.plain_growth == 0) {
        figures.given("latent/plain_growth", 0);
        figures.given("latent/normalized_growth", 0);
        return figures;
    }
    figures.add("latent/plain_growth", growth,
                (plain_bounds.back() / plain_bounds.front()).error());
    figures.add("latent/normalized_growth", normalized.back() / normalized.front(),
                (normalized_bounds.back() / normalized_bounds.front()).error());
    return figures;
}

namespace {

constexpr float probe = 1e-3F;

Reals exact_sublayer(const Reals& values, int bits) {
    Reals result;
    for (const Enclosure& value : values) {
        result.push_back(value * real(0.5F, bits) + real(0.1F, bits));
    }
    return result;
}

Reals exact_layer(const Reals& h, Placement stack, const Enclosure& epsilon, int bits) {
    if (stack == Placement::post_norm) {
        return nn::real_rms_norm(nn::sums(h, exact_sublayer(h, bits)), epsilon).normalized();
    }
    return nn::sums(h, exact_sublayer(nn::real_rms_norm(h, epsilon).normalized(), bits));
}

Row32 sublayer(const Row32& row) {
    Row32 result;
    for (const Rounded32& value : row) result.push_back(number(0.5F) * value + number(0.1F));
    return result;
}

RoundedVector normalized(const RoundedVector& h, float epsilon) {
    return after(nn::rounded_divided_norm<float>(exact_row(h.values), epsilon, false),
                 nn::moved_rms_norm(widened(h.values), static_cast<double>(epsilon), h.error_norm));
}

RoundedVector rounded_layer(const RoundedVector& h, Placement stack, float epsilon) {
    const Row32 row = exact_row(h.values);
    if (stack == Placement::post_norm) {
        return normalized(after(nn::sums(row, sublayer(row)), 1.5 * h.error_norm), epsilon);
    }
    const RoundedVector norm = normalized(h, epsilon);
    return after(nn::sums(row, sublayer(exact_row(norm.values))),
                 h.error_norm + 0.5 * norm.error_norm);
}

Rounded32 rounded_norm(const Row32& values) {
    Rounded32 squares(0);
    for (const Rounded32& value : values) squares = squares + value * value;
    return sqrt(squares);
}

// One stack from the input and from the input whose first value is moved by the probe.
struct TwoStacks {
    Reals exact;
    Reals exact_moved;
    RoundedVector rounded;
    RoundedVector moved;
};

TwoStacks start(const Vector& input, int bits) {
    TwoStacks stacks{reals(input, bits), reals(input, bits), {input, 0}, {input, 0}};
    stacks.exact_moved[0] = stacks.exact_moved[0] + real(probe, bits);
    const Rounded32 first = number(input[0]) + number(probe);
    stacks.moved.values[0] = first.format_value();
    stacks.moved.error_norm = first.error();
    return stacks;
}

TwoStacks with_final_norm(const TwoStacks& stacks, float epsilon, const Enclosure& exact_epsilon) {
    return {nn::real_rms_norm(stacks.exact, exact_epsilon).normalized(),
            nn::real_rms_norm(stacks.exact_moved, exact_epsilon).normalized(),
            normalized(stacks.rounded, epsilon), normalized(stacks.moved, epsilon)};
}

void add_row(ExactFigures& figures, const std::string& path, const TwoStacks& stacks) {
    const Enclosure exact_probe = real(probe, figures.bits());
    const Row32 row = exact_row(stacks.rounded.values);
    const Row32 moved = exact_row(stacks.moved.values);
    Reals slopes;
    Row32 rounded_slopes;
    for (std::size_t i = 0; i < row.size(); ++i) {
        slopes.push_back((stacks.exact_moved[i] - stacks.exact[i]) / exact_probe);
        rounded_slopes.push_back((moved[i] - row[i]) / number(probe));
    }
    const double carried =
        (stacks.rounded.error_norm + stacks.moved.error_norm) / static_cast<double>(probe);
    figures.add(path + "output_norm", sqrt(nn::inner_product(stacks.exact, stacks.exact)),
                (stacks.rounded.error_norm + rounded_norm(row).error()) * (1 + 0x1p-30));
    figures.add(path + "sensitivity", sqrt(nn::inner_product(slopes, slopes)),
                (carried + rounded_norm(rounded_slopes).error()) * (1 + 0x1p-30));
}

}  // namespace

ExactFigures exact_figures(const Depth& e, int bits) {
    ExactFigures figures(bits);
    const Vector& input = e.inputs.input;
    const auto& depths = e.inputs.depths;
    const float epsilon = e.inputs.epsilon;
    const Enclosure exact_epsilon = real(epsilon, bits);
    for (const Placement stack : {Placement::post_norm, Placement::pre_norm}) {
        TwoStacks stacks = start(input, bits);
        std::map<std::size_t, TwoStacks> at{{0, stacks}};
        const std::size_t deepest =
            depths.empty() ? 0 : *std::max_element(depths.begin(), depths.end());
        for (std::size_t depth = 1; depth <= deepest; ++depth) {
            stacks = {exact_layer(stacks.exact, stack, exact_epsilon, bits),
                      exact_layer(stacks.exact_moved, stack, exact_epsilon, bits),
                      rounded_layer(stacks.rounded, stack, epsilon),
                      rounded_layer(stacks.moved, stack, epsilon)};
            if (std::find(depths.begin(), depths.end(), depth) != depths.end()) {
                at.emplace(depth, stacks);
            }
        }
        if (stack == Placement::pre_norm && e.inputs.final_norm) {
            for (auto& [depth, end] : at) end = with_final_norm(end, epsilon, exact_epsilon);
        }
        for (std::size_t k = 0; k < depths.size(); ++k) {
            add_row(figures,
                    "depth/" + std::to_string(k) +
                        (stack == Placement::post_norm ? "/post_norm_" : "/pre_norm_"),
                    at.at(depths[k]));
        }
    }
    return figures;
}

}  // namespace rmsnorm::experiments::normalization
