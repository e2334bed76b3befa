// exhibit-rmsnorm: binary64 inputs, and a seeded forward pass on binary32 ones.
#include "experiments/mpfr/definitions.hpp"

namespace {

const Real epsilon(1e-6);

struct Case {
    std::string id;
    Reals vector;
};

std::vector<Case> cases() {
    std::vector<Case> all{{"balanced", {}}, {"offset", {}}, {"scaled", {}}};
    for (const double value : {1, 2, 3, 4, -1, -2, -3, -4}) {
        all[0].vector.emplace_back(value);
        all[1].vector.emplace_back(value + 5);
        all[2].vector.emplace_back(value * 10);
    }
    return all;
}

void add(TensorFigure& figures, const Case& one) {
    const std::string path = one.id + "/";
    const Norm layer = layer_norm(one.vector, epsilon);
    const Norm rms = rms_norm(one.vector, epsilon);
    Real sizes;
    for (const Real& value : one.vector) sizes = sizes + apply(mpfr_abs, value);
    figures[path + "vector"] = one.vector;
    figures[path + "mean"] = {layer.mean};
    // n 2^-53 times the mean of the magnitudes.
    figures[path + "mean_uncertainty"] = {sizes * Real(0x1p-53)};
    figures[path + "variance"] = {layer.variance};
    figures[path + "mean_square"] = {rms.variance};
    figures[path + "layer_norm"] = layer.normalized;
    figures[path + "rms_norm"] = rms.normalized;
    for (const char* order : {"ascending", "pairwise", "two_lanes"}) {
        figures[path + "layer_norm_mean/" + order] = {mean(layer.normalized)};
        figures[path + "rms_norm_mean/" + order] = {mean(rms.normalized)};
    }
    figures[path + "max_abs_diff"] = {largest(difference(layer.normalized, rms.normalized))};
}

}  // namespace

TensorFigure figures_of_exhibit(std::span<const double> seeded_input) {
    TensorFigure figures;
    for (const Case& one : cases()) add(figures, one);
    const auto change = [&](const std::string& id, const std::string& norm) {
        return largest(difference(figures["balanced/" + norm], figures[id + "/" + norm]));
    };
    figures["offset_claim"] = {change("offset", "layer_norm") / change("offset", "rms_norm")};
    figures["scale_claim"] = {
        apply(mpfr_max, change("scaled", "layer_norm"), change("scaled", "rms_norm"))};
    figures["zero and gain_claim"] = {Real(0)};

    constexpr std::size_t features = 8;
    const Real narrow_epsilon(static_cast<double>(1e-6F));
    figures["seeded_input"] = reals(seeded_input);
    Reals& output = figures["seeded_output"];
    for (const auto norm : {layer_norm, rms_norm}) {
        for (std::size_t start = 0; start < seeded_input.size(); start += features) {
            const Reals token = reals(seeded_input.subspan(start, features));
            for (const Real& value : norm(token, narrow_epsilon).normalized) {
                output.push_back(value);
            }
        }
    }
    return figures;
}
