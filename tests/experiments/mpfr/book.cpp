// 23-normalization: the inputs are the exact binary32 values.
#include <functional>
#include <random>

#include "experiments/mpfr/definitions.hpp"

namespace {

using Floats = std::vector<float>;

Real narrow(float value) { return Real(static_cast<double>(value)); }
Reals values(const Floats& all) { return reals(std::span<const float>(all)); }

const Real epsilon = narrow(1e-5F);
const Floats hundreds{100, 102, 98, 101, 99, 103};
const Floats five{1, 3, 2, 5, 4};
const Floats upstream_of_five{0.1F, -0.2F, 0.3F, -0.1F, 0.2F};
const Floats gamma_of_five{1, 0.5F, 2, 1.5F, 0.25F};

Reals added(const Reals& a, const Reals& b) { return difference(a, multiplied(b, Real(-1))); }
Real length(const Reals& values) { return root(dot(values, values)); }

void add_statistics(TensorFigure& figures, const std::string& path, const Floats& numbers,
                    const Real& least, const Real& most) {
    const Norm norm = layer_norm(values(numbers), Real(1));
    const Real deviation = root(norm.variance);
    figures[path + "mean"] = {norm.mean};
    figures[path + "variance"] = {norm.variance};
    figures[path + "standard_deviation"] = {deviation};
    figures[path + "range"] = {most - least};
    figures[path + "span"] = {(most - least) / deviation};
}

void add_forward(TensorFigure& figures) {
    const Reals input = values(hundreds);
    const Norm layer = layer_norm(input, epsilon);
    const Norm rms = rms_norm(input, epsilon);
    const Norm output = layer_norm(layer.normalized, epsilon);
    figures["layer_norm/input"] = figures["rms_norm/input"] = input;
    figures["layer_norm/output"] = layer.normalized;
    figures["layer_norm/output_mean"] = {output.mean};
    figures["layer_norm/output_variance"] = {output.variance};
    figures["layer_norm/mean"] = {layer.mean};
    figures["layer_norm/variance"] = {layer.variance};
    figures["layer_norm/inverse_standard_deviation"] = {layer.inverse};
    figures["rms_norm/output"] = rms.normalized;
    figures["rms_norm/output_rms"] = {magnitude(rms.normalized)};
    figures["rms_norm/mean_square"] = {rms.variance};
    figures["rms_norm/inverse_rms"] = {rms.inverse};
}

void add_comparison(TensorFigure& figures, const std::string& name, const Floats& numbers) {
    const std::string path = "compare/" + name + "/";
    const Norm layer = layer_norm(values(numbers), epsilon);
    const Norm rms = rms_norm(values(numbers), epsilon);
    figures[path + "input"] = values(numbers);
    figures[path + "layer_norm"] = layer.normalized;
    figures[path + "rms_norm"] = rms.normalized;
    figures[path + "mean"] = {layer.mean};
    figures[path + "largest_difference"] = {largest(difference(layer.normalized, rms.normalized))};
}

Reals sublayer(const Reals& input) {
    Reals result;
    for (const Real& value : input) result.push_back(narrow(0.5F) * value + narrow(0.1F));
    return result;
}

Reals post_norm(const Reals& h) {
    return rms_norm(added(h, sublayer(h)), narrow(1e-6F)).normalized;
}
Reals pre_norm(const Reals& h) { return added(h, sublayer(rms_norm(h, narrow(1e-6F)).normalized)); }

void add_depths(TensorFigure& figures, const std::string& name,
                const std::function<Reals(const Reals&)>& layer) {
    const Real probe = narrow(1e-3F);
    Reals base = values({1, 2, 3, 4});
    Reals moved = base;
    moved[0] = moved[0] + probe;
    std::size_t row = 0;
    for (std::size_t depth = 1; depth <= 32; ++depth) {
        base = layer(base);
        moved = layer(moved);
        if ((depth & (depth - 1)) != 0) continue;
        const std::string path = "depth/" + std::to_string(row++) + "/" + name;
        figures[path + "_output_norm"] = {length(base)};
        figures[path + "_sensitivity"] = {length(difference(moved, base)) / probe};
    }
}

void add_layer_norm_backward(TensorFigure& figures) {
    const Reals input = values(five);
    const Reals upstream = values(upstream_of_five);
    const Norm norm = layer_norm(input, epsilon);
    const Reals gradient = layer_norm_gradient(input, upstream, epsilon);
    const std::string path = "layer_norm_backward/";
    figures[path + "input"] = figures["closed_form/input"] = input;
    figures[path + "upstream"] = figures["closed_form/upstream"] = upstream;
    figures[path + "normalized"] = figures["closed_form/normalized"] = norm.normalized;
    figures[path + "inverse_standard_deviation"] =
        figures["closed_form/inverse_standard_deviation"] = {norm.inverse};
    figures[path + "input_gradient"] = figures[path + "numerical_gradient"] =
        figures["closed_form/factored_gradient"] = figures["closed_form/tape_gradient"] = gradient;
    figures["closed_form/upstream_mean"] = {mean(upstream)};
    figures["closed_form/product_mean"] = {mean(product(norm.normalized, upstream))};
}

void add_rms_norm_backward(TensorFigure& figures) {
    const Reals input = values(five);
    const Reals upstream = values(upstream_of_five);
    const Reals gamma = values(gamma_of_five);
    const Norm norm = rms_norm(input, epsilon);
    const std::string path = "rms_norm_backward/";
    figures[path + "input"] = input;
    figures[path + "gamma"] = gamma;
    figures[path + "upstream"] = upstream;
    figures[path + "normalized"] = norm.normalized;
    figures[path + "inverse_rms"] = {norm.inverse};
    const Reals by_input = rms_norm_gradient(input, product(upstream, gamma), epsilon);
    const Reals by_gamma = product(upstream, norm.normalized);
    for (const char* way : {"closed_form", "numerical", "tape", "closed_form_binary64"}) {
        figures[path + "input_gradient/" + way] = by_input;
        figures[path + "gamma_gradient/" + way] = by_gamma;
    }
}

void add_constant(TensorFigure& figures) {
    const Reals fives(4, Real(5));
    figures["constant/input"] = fives;
    const std::string path = "constant/outcomes/";
    const Real epsilons[] = {epsilon, epsilon, Real(0), Real(0)};
    for (std::size_t k = 0; k < 4; ++k) {
        figures[path + std::to_string(k) + "/epsilon"] = {epsilons[k]};
    }
    figures[path + "0/output"] = layer_norm(fives, epsilon).normalized;
    figures[path + "1/output"] = rms_norm(fives, epsilon).normalized;
    figures[path + "3/output"] = rms_norm(fives, Real(0)).normalized;
}

// The weights that a seed stands for: the upper 24 bits of MT19937's outputs, from -spread to
// spread.
class Weights {
  public:
    Reals matrix(std::size_t entries) {
        Reals all;
        for (std::size_t i = 0; i < entries; ++i) {
            const auto upper = static_cast<double>(generator_() >> 8);
            all.emplace_back((upper - 0x1p23) * 0x1p-23 * 0.5);
        }
        return all;
    }

  private:
    std::mt19937 generator_{5489};
};

Reals times(const Reals& matrix, const Reals& vector) {
    Reals result;
    for (std::size_t start = 0; start < matrix.size(); start += vector.size()) {
        Real total;
        for (std::size_t j = 0; j < vector.size(); ++j) {
            total = total + matrix[start + j] * vector[j];
        }
        result.push_back(total);
    }
    return result;
}

Reals alternating() {
    Reals all;
    for (std::size_t i = 0; i < 64; ++i) all.emplace_back(i % 2 == 0 ? 1 : -1);
    return all;
}

void add_dense_stack(TensorFigure& figures) {
    const std::string path = "dense_stack/";
    Reals none = alternating();
    Reals layer = none;
    Reals rms = none;
    figures[path + "input_magnitude"] = {magnitude(none)};
    figures[path + "expected_growth"] = {Real(0.5) * root(Real(64) / Real(3))};
    Weights weights;
    for (std::size_t depth = 0; depth < 10; ++depth) {
        const Reals matrix = weights.matrix(64 * 64);
        if (depth == 0) figures[path + "first_weights"] = {matrix.begin(), matrix.begin() + 4};
        none = times(matrix, none);
        layer = layer_norm(times(matrix, layer), epsilon).normalized;
        rms = rms_norm(times(matrix, rms), epsilon).normalized;
        figures[path + "none"].push_back(magnitude(none));
        figures[path + "layer_norm"].push_back(magnitude(layer));
        figures[path + "rms_norm"].push_back(magnitude(rms));
    }
}

void add_latent(TensorFigure& figures) {
    Weights weights;
    const Reals down = weights.matrix(8 * 64);
    const Reals up = weights.matrix(64 * 8);
    const float factors[] = {1e-3F, 1e-2F, 1e-1F, 1, 10, 100, 1000};
    Real first[2];
    Real last[2];
    for (std::size_t k = 0; k < std::size(factors); ++k) {
        const std::string path = "latent/rows/" + std::to_string(k) + "/";
        const Reals latent = times(down, multiplied(alternating(), narrow(factors[k])));
        const Norm norm = rms_norm(latent, epsilon);
        const Real plain = magnitude(times(up, latent));
        const Real normalized = magnitude(times(up, norm.normalized));
        figures[path + "factor"] = {narrow(factors[k])};
        figures[path + "latent"] = {magnitude(latent)};
        figures[path + "plain_output"] = {plain};
        figures[path + "normalized_output"] = {normalized};
        figures[path + "inverse_rms"] = {norm.inverse};
        if (k == 0) first[0] = plain;
        if (k == 0) first[1] = normalized;
        last[0] = plain;
        last[1] = normalized;
    }
    figures["latent/plain_growth"] = {last[0] / first[0]};
    figures["latent/normalized_growth"] = {last[1] / first[1]};
}

}  // namespace

TensorFigure figures_of_book() {
    TensorFigure figures;
    add_statistics(figures, "stats/a/", hundreds, Real(98), Real(103));
    add_statistics(figures, "stats/b/", {0.001F, 0.003F, -0.001F, 0.002F, 0, 0.004F},
                   narrow(-0.001F), narrow(0.004F));
    add_forward(figures);
    add_comparison(figures, "zero-centered", {-2, -1, 0, 1, 2});
    add_comparison(figures, "positive-offset", {8, 9, 10, 11, 12});
    add_comparison(figures, "mixed", {3, -1, 0.5F, 2, -0.5F});
    add_depths(figures, "post_norm", post_norm);
    add_depths(figures, "pre_norm", pre_norm);
    add_layer_norm_backward(figures);
    add_constant(figures);
    add_rms_norm_backward(figures);
    add_dense_stack(figures);
    add_latent(figures);
    // Additions, multiplications, divisions and roots at width 512.
    figures["cost/ratio"] = {Real(4101) / Real(2052)};
    return figures;
}
