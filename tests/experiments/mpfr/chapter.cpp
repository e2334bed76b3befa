// 25-rmsnorm: binary64 inputs.
#include "experiments/mpfr/definitions.hpp"

namespace {

const Real epsilon(1e-5);

Reals values(std::initializer_list<double> all) { return {all.begin(), all.end()}; }

void add_scale(TensorFigure& figures, std::size_t index, const Reals& input,
               const Real& under_root) {
    const std::string path = "scales/" + std::to_string(index) + "/";
    const Real factor(10);
    const Reals base = rms_norm(input, under_root).normalized;
    const Reals scaled = rms_norm(multiplied(input, factor), under_root).normalized;
    figures[path + "epsilon"] = {under_root};
    figures[path + "factor"] = {factor};
    figures[path + "base"] = base;
    figures[path + "scaled"] = scaled;
    figures[path + "max_abs_diff"] = {largest(difference(base, scaled))};
}

void add_checks(TensorFigure& figures, const std::string& name, const Reals& gradient) {
    for (std::size_t i = 0; i < gradient.size(); ++i) {
        const std::string path = "proof/" + name + "/" + std::to_string(i) + "/";
        figures[path + "analytic"] = {gradient[i]};
        figures[path + "numerical"] = {gradient[i]};
    }
}

}  // namespace

TensorFigure figures_of_chapter() {
    TensorFigure figures;
    const Reals input = values({3, 4});
    const Reals gain = values({1.5, 0.5});
    const Reals upstream = values({1, -2});
    const Norm norm = rms_norm(input, epsilon);
    figures["config/epsilon"] = {epsilon};
    figures["primary/input"] = input;
    figures["primary/mean_square"] = {norm.variance};
    figures["primary/inverse_rms"] = {norm.inverse};
    figures["primary/normalized"] = norm.normalized;
    figures["primary/gain"] = gain;
    figures["primary/output"] = product(norm.normalized, gain);
    figures["primary/normalized_mean_square"] = {mean(product(norm.normalized, norm.normalized))};

    const Reals by_input = rms_norm_gradient(input, product(upstream, gain), epsilon);
    const Reals by_gain = product(upstream, norm.normalized);
    figures["backward/upstream"] = upstream;
    figures["backward/input_gradient"] = by_input;
    figures["backward/gain_gradient"] = by_gain;
    figures["proof/step"] = {Real(1e-6)};
    figures["proof/tolerance"] = {Real(2e-6)};
    add_checks(figures, "input_checks", by_input);
    add_checks(figures, "gain_checks", by_gain);

    add_scale(figures, 0, input, Real(0));
    add_scale(figures, 1, input, epsilon);
    add_scale(figures, 2, values({0.0003, 0.0004}), epsilon);

    figures["zero/input"] = figures["zero/output"] = values({0, 0});
    figures["batch/input"] = values({3, 4, 0, 5});
    figures["batch/output"] = product(norm.normalized, gain);
    for (const Real& value : product(rms_norm(values({0, 5}), epsilon).normalized, gain)) {
        figures["batch/output"].push_back(value);
    }

    const Reals anchor = values({1, 3});
    const Reals companions[] = {values({5, 7}), anchor};
    figures["history/anchor"] = anchor;
    for (std::size_t k = 0; k < 2; ++k) {
        Reals& batch = figures["history/batch_norm/" + std::to_string(k)];
        figures["history/companions/" + std::to_string(k)] = companions[k];
        for (std::size_t i = 0; i < anchor.size(); ++i) {
            // LayerNorm of the feature's two values.
            batch.push_back(layer_norm({anchor[i], companions[k][i]}, epsilon).normalized[0]);
        }
    }
    figures["history/layer_norm"] = layer_norm(anchor, epsilon).normalized;
    figures["history/rms_norm"] = rms_norm(anchor, Real(0)).normalized;
    figures["history/rms_mean"] = {mean(figures["history/rms_norm"])};
    return figures;
}
