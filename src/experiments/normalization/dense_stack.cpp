#include "experiments/normalization/dense_stack.hpp"

#include <algorithm>
#include <cmath>

#include "experiments/normalization/bounds.hpp"
#include "experiments/normalization/layer_norm.hpp"
#include "experiments/normalization/rms_norm.hpp"
#include "experiments/normalization/seeded_weights.hpp"

namespace rmsnorm::experiments::normalization {
namespace {

// One layer's result, the share of its magnitude that epsilon leaves, and what rounding may do to
// that.
struct LayerResult {
    Vector output;
    double expected;
    double bound;
};

LayerResult normalized(Vector output, const NormBounds& bounds) {
    return {std::move(output), normalized_rms(bounds), rms_error(bounds)};
}

LayerResult dense_layer(const std::string& norm, const Vector& weights, const Vector& input,
                        float epsilon) {
    Vector dense = product(weights, input);
    for (std::size_t i = 0; i < dense.size(); ++i) {
        nn::require_finite("The dense layer", i, static_cast<double>(dense[i]));
    }
    if (norm == "layer-norm") {
        return normalized(plain_layer_norm(dense, epsilon).output,
                          layer_norm_bounds(dense, epsilon));
    }
    if (norm == "rms-norm") {
        return normalized(plain_rms_norm(dense, epsilon).output, rms_norm_bounds(dense, epsilon));
    }
    return {std::move(dense), 0, 0};
}

TensorFigure layer_figures(const std::vector<double>& values) {
    return {tensor::Tensor::vector(values), {6}, Precision::binary64};
}

}  // namespace

std::vector<Input> DenseStackInputs::declared() {
    // A layer has the square of its width in weights.
    constexpr std::size_t widest_layer = 1024;
    return {{"input",
             &input,
             "the input of the first layer; every layer has its width",
             {.shown_default = "1,-1,1,... of the width",
              .most_elements = widest_layer,
              .decimals = {{1}}}},
            {"width",
             &width,
             "the width of every layer, without --input",
             {.least = 1, .most = widest_layer, .recorded = false}},
            seed_input(seed),
            spread_input(spread),
            epsilon_input(epsilon)};
}

void DenseStackInputs::complete(const Given& given) {
    if (!given("width")) return;
    if (given("input")) throw InputRejection({"width", "input"}, "found both", "one of them");
    input = alternating(width);
}

DenseStack dense_stack(const DenseStackInputs& inputs) {
    const Vector& input = inputs.input;
    const float spread = inputs.spread;
    const float epsilon = inputs.epsilon;
    const std::size_t width = input.size();
    nn::require_vector("The dense stack", width, static_cast<double>(epsilon));
    DenseStack evidence{
        .inputs = inputs,
        .first_weights = {},
        .input_magnitude = magnitude(input),
        .expected_growth = static_cast<double>(spread) * std::sqrt(static_cast<double>(width) / 3),
        .checks = {}};
    SeededWeights generator(inputs.seed);
    std::vector<Vector> states(evidence.runs.size(), input);
    for (std::size_t layer = 0; layer < dense_layers; ++layer) {
        const Vector weights = generator.matrix(width, width, spread);
        if (layer == 0) {
            const auto shown =
                static_cast<std::ptrdiff_t>(std::min<std::size_t>(weights.size(), 4));
            evidence.first_weights = Vector(weights.begin(), weights.begin() + shown);
        }
        for (std::size_t i = 0; i < states.size(); ++i) {
            DenseStackRun& run = evidence.runs[i];
            LayerResult result = dense_layer(run.norm, weights, states[i], epsilon);
            states[i] = std::move(result.output);
            run.magnitudes.push_back(magnitude(states[i]));
            nn::require_finite("The dense stack's magnitude", 0, run.magnitudes.back());
            if (run.norm == "none") continue;
            run.expected.push_back(result.expected);
            run.bounds.push_back(result.bound);
        }
    }
    evidence.checks = magnitude_checks(evidence);
    return evidence;
}

Record results(const DenseStack& evidence) {
    Record record =
        Record()
            .add("width", evidence.inputs.input.size())
            .add("layers", dense_layers)
            .add("seed", evidence.inputs.seed)
            .add("first_weights", figures(evidence.first_weights, {6, numeric::Plus::shown}))
            .add("input_magnitude", figure64(evidence.input_magnitude, {6}))
            .add("expected_growth", figure64(evidence.expected_growth, {6}));
    for (const DenseStackRun& run : evidence.runs) {
        std::string key = run.norm;
        std::replace(key.begin(), key.end(), '-', '_');
        record.add(key, layer_figures(run.magnitudes));
    }
    return Record().add("dense_stack", std::move(record));
}

std::vector<Check> magnitude_checks(const DenseStack& evidence) {
    std::vector<Check> checks;
    for (const DenseStackRun& run : evidence.runs) {
        if (run.norm == "none") continue;
        Worst worst;
        for (std::size_t layer = 0; layer < run.magnitudes.size(); ++layer) {
            worst.consider(std::fabs(run.magnitudes[layer] - run.expected[layer]),
                           run.bounds[layer]);
        }
        checks.push_back(
            worst.check(run.norm + "-magnitude",
                        "the magnitude after each layer is sqrt(v / (v + epsilon)) to "
                        "rounding, v the " +
                            std::string(run.norm == "layer-norm" ? "variance" : "mean square") +
                            " before the norm"));
    }
    return checks;
}

}  // namespace rmsnorm::experiments::normalization
