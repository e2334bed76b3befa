#include "experiments/exhibit/exact.hpp"

#include <algorithm>
#include <cmath>
#include <string>

#include "nn/real_norms.hpp"
#include "nn/rounded_norms.hpp"

namespace rmsnorm::experiments {
namespace {

using evidence::ExactFigures;
using nn::Reals;
using nn::Rounded32;
using nn::Rounded64;
using numeric::Enclosure;
using Row = std::vector<Rounded64>;

// scale * input + offset, in real numbers and as it rounds.
struct Vector {
    Reals exact;
    Row rounded;
};

Vector vector_of(const ComparisonInputs& inputs, int bits) {
    Vector vector;
    for (const double value : inputs.input.values()) {
        vector.exact.push_back(Enclosure(inputs.scale, bits) * Enclosure(value, bits) +
                               Enclosure(inputs.offset, bits));
        vector.rounded.push_back(Rounded64(inputs.scale) * Rounded64(value) +
                                 Rounded64(inputs.offset));
    }
    return vector;
}

// A mean whose sum may run in any order.
Rounded64 mean(const Row& values) {
    return numeric::sum_in_any_order(values) / Rounded64(static_cast<double>(values.size()));
}

// A norm's results before and after the gain. `numerators` have the gain; the mean of the results
// is zero where theirs is.
struct Normed {
    nn::RealNorm norm;
    Reals numerators;
    Row plain;
    Row gained;
};

Normed normed(const Vector& vector, const ComparisonInputs& inputs, bool centered, int bits) {
    const Enclosure epsilon(inputs.epsilon, bits);
    nn::RealNorm norm = centered ? nn::real_layer_norm(vector.exact, epsilon)
                                 : nn::real_rms_norm(vector.exact, epsilon);
    Reals numerators =
        nn::products(norm.numerators, numeric::enclosures(inputs.gain.values(), bits));
    Row plain = nn::rounded_divided_norm<double>(vector.rounded, inputs.epsilon, centered);
    Row gained = nn::products(plain, numeric::as_rounded(inputs.gain.values()));
    return {std::move(norm), std::move(numerators), std::move(plain), std::move(gained)};
}

void add_means(ExactFigures& figures, const std::string& path, const Normed& of) {
    const Enclosure exact = nn::mean(of.numerators) * of.norm.factor;
    for (const char* order : {"/ascending", "/pairwise", "/two_lanes"}) {
        figures.add(path + order, exact, mean(of.gained).error());
    }
}

}  // namespace

ExactFigures exact_figures(const Comparison& e, int bits) {
    ExactFigures figures(bits);
    const Vector vector = vector_of(e.inputs, bits);
    const Normed layer = normed(vector, e.inputs, true, bits);
    const Normed rms = normed(vector, e.inputs, false, bits);
    const Rounded64 center = mean(vector.rounded);
    Reals sizes;
    Row rounded_sizes;
    Row deviations;
    for (std::size_t i = 0; i < vector.exact.size(); ++i) {
        sizes.push_back(abs(vector.exact[i]));
        rounded_sizes.push_back(abs(vector.rounded[i]));
        deviations.push_back(vector.rounded[i] - center);
    }
    const double units = static_cast<double>(sizes.size()) * 0x1p-53;
    figures.add("vector", vector.exact, numeric::errors(vector.rounded));
    figures.add("mean", layer.norm.mean, center.error());
    figures.add("mean_uncertainty", nn::mean(sizes) * Enclosure(units, bits),
                (mean(rounded_sizes) * Rounded64(units)).error());
    figures.add("variance", layer.norm.variance,
                mean(nn::products(deviations, deviations)).error());
    figures.add("mean_square", rms.norm.variance,
                mean(nn::products(vector.rounded, vector.rounded)).error());
    figures.add("layer_norm", nn::multiplied(layer.numerators, layer.norm.factor),
                numeric::errors(layer.gained));
    figures.add("rms_norm", nn::multiplied(rms.numerators, rms.norm.factor),
                numeric::errors(rms.gained));
    add_means(figures, "layer_norm_mean", layer);
    add_means(figures, "rms_norm_mean", rms);
    // Without a mean the two norms are one.
    figures.add("max_abs_diff",
                layer.norm.mean.is_zero()
                    ? layer.norm.mean
                    : nn::largest_difference(layer.norm.normalized(), rms.norm.normalized()),
                nn::largest_difference_bound(layer.plain, rms.plain));
    return figures;
}

namespace {

// The same numerators over the same root are the same vector, digit for digit.
Enclosure change(const Normed& a, const Normed& b) {
    bool same = (a.norm.variance - b.norm.variance).is_zero();
    for (std::size_t i = 0; i < a.numerators.size(); ++i) {
        same = same && (a.numerators[i] - b.numerators[i]).is_zero();
    }
    if (same) return Enclosure(0);
    return nn::largest_difference(nn::multiplied(a.numerators, a.norm.factor),
                                  nn::multiplied(b.numerators, b.norm.factor));
}

void add_claims(ExactFigures& figures, const Exhibit& e) {
    const int bits = figures.bits();
    const auto of = [&](std::size_t index, bool centered) {
        const ComparisonInputs& inputs = e.cases[index].comparison.inputs;
        return normed(vector_of(inputs, bits), inputs, centered, bits);
    };
    const Normed layer = of(0, true);
    const Normed rms = of(0, false);
    const Normed shifted_layer = of(1, true);
    const Normed shifted_rms = of(1, false);
    const Normed scaled_layer = of(2, true);
    const Normed scaled_rms = of(2, false);
    const Enclosure rms_change = change(rms, shifted_rms);
    const double layer_bound = nn::largest_difference_bound(layer.gained, shifted_layer.gained);
    const double rms_bound = nn::largest_difference_bound(rms.gained, shifted_rms.gained);
    const Rounded64 ratio =
        Rounded64(0, layer_bound) / Rounded64(rms_change.distance_bound(0), rms_bound);
    figures.add("offset_claim", change(layer, shifted_layer) / rms_change, ratio.error());
    figures.add("scale_claim", max(change(layer, scaled_layer), change(rms, scaled_rms)),
                std::max(nn::largest_difference_bound(layer.gained, scaled_layer.gained),
                         nn::largest_difference_bound(rms.gained, scaled_rms.gained)));
    // A count of results that do not hold: none does not.
    figures.add("zero and gain_claim", Enclosure(0, bits), 0);
}

// Both norms of each token, in binary32 throughout.
void add_seeded(ExactFigures& figures, const SeededForward& seeded, double epsilon) {
    const auto epsilon32 = static_cast<float>(epsilon);
    const std::size_t features = seeded.input.shape().back();
    Reals exact;
    std::vector<double> bounds;
    for (const bool centered : {true, false}) {
        for (std::size_t start = 0; start < seeded.input.size(); start += features) {
            const auto row = seeded.input.values().subspan(start, features);
            const Reals token = numeric::enclosures(row, figures.bits());
            const std::vector<Rounded32> rounded(row.begin(), row.end());
            const Enclosure real_epsilon(static_cast<double>(epsilon32), figures.bits());
            for (const Enclosure& value : (centered ? nn::real_layer_norm(token, real_epsilon)
                                                    : nn::real_rms_norm(token, real_epsilon))
                                              .normalized()) {
                exact.push_back(value);
            }
            for (const Rounded32& value :
                 nn::rounded_divided_norm<float>(rounded, epsilon32, centered)) {
                bounds.push_back(value.error());
            }
        }
    }
    figures.given("seeded_input", seeded.input.values());
    figures.add("seeded_output", std::move(exact), std::move(bounds));
}

}  // namespace

ExactFigures exact_figures(const Exhibit& e, int bits) {
    ExactFigures figures(bits);
    for (const ExhibitCase& one : e.cases) {
        figures.add(one.id + "/", exact_figures(one.comparison, bits));
    }
    add_claims(figures, e);
    add_seeded(figures, e.seeded, e.epsilon);
    return figures;
}

}  // namespace rmsnorm::experiments
