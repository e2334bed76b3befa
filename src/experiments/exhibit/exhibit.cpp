#include "experiments/exhibit/exhibit.hpp"

#include "evidence/replay.hpp"
#include "experiments/exhibit/bundled.hpp"

namespace rmsnorm::experiments {
namespace {

using tensor::Tensor;

// Each a power of two, so that multiplying by it is exact.
Tensor uneven_gain() { return Tensor::vector({0.5, 1, 2, 4, -1, 0.25, 8, 0.125}); }

BothNorms both(const Comparison& comparison) {
    return {comparison.layer_norm, comparison.rms_norm};
}

std::vector<ExhibitCase> cases() {
    ComparisonInputs shifted = ComparisonInputs();
    shifted.offset = 5;
    ComparisonInputs scaled = ComparisonInputs();
    scaled.scale = 10;
    return {{"balanced", "The vector as it is",
             "The eight features cancel to a mean of zero. LayerNorm has nothing to subtract, and "
             "the two norms give the same bits.",
             comparison(ComparisonInputs())},
            {"offset", "5 added to every feature",
             "Every feature is 5 larger. LayerNorm gives back what it gave before; RMSNorm's "
             "output leans to the positive side.",
             comparison(shifted)},
            {"scaled", "Every feature times 10",
             "Every feature is ten times as large. Both outputs stay where they were, up to the "
             "smaller weight of epsilon.",
             comparison(scaled)}};
}

std::vector<Claim> claims(const std::vector<ExhibitCase>& cases) {
    const Comparison& plain = cases[0].comparison;
    const Comparison& shifted = cases[1].comparison;
    const Comparison& scaled = cases[2].comparison;
    ComparisonInputs zero = ComparisonInputs();
    zero.input = Tensor::filled(zero.input.shape(), 0);
    ComparisonInputs gained = ComparisonInputs();
    gained.gain = uneven_gain();
    return {offset_claim(both(plain), both(shifted)),
            scale_claim(both(plain), both(scaled), plain.mean_square, plain.inputs.epsilon,
                        scaled.inputs.scale),
            zero_and_gain_claim(comparison(zero).rms_norm, plain.rms_norm, gained.gain,
                                comparison(gained).rms_norm)};
}

Exhibit computed() {
    Exhibit evidence{.epsilon = ComparisonInputs().epsilon,
                     .cases = cases(),
                     .claims = {},
                     .seeded = seeded_forward(0, ComparisonInputs().epsilon),
                     .graph = graph(ComparisonInputs().epsilon),
                     .steps = steps(),
                     .checks = {}};
    evidence.claims = claims(evidence.cases);
    for (const Claim& claim : evidence.claims) evidence.checks.push_back(claim.check);
    for (const ExhibitCase& one : evidence.cases) {
        for (Check check : one.comparison.checks) {
            check.name.insert(0, one.id + " ");
            evidence.checks.push_back(std::move(check));
        }
    }
    evidence.checks.push_back(
        graph_check(inconsistencies(evidence.graph, evidence.steps, model_py())));
    return evidence;
}

}  // namespace

Exhibit exhibit() { return replayed(computed); }

Record results(const Exhibit& evidence) {
    Record record;
    for (const ExhibitCase& one : evidence.cases) record.add(one.id, results(one.comparison));
    for (const Claim& claim : evidence.claims) {
        record.add(claim.check.name + "_claim", claim.check.measure);
    }
    record.add("seeded_input", TensorFigure{evidence.seeded.input, {}, Precision::binary32});
    record.add("seeded_output", TensorFigure{evidence.seeded.output, {}, Precision::binary32});
    return record;
}

Check graph_check(const std::vector<Inconsistency>& found) {
    std::string statement =
        "the graph's ends, parents, steps and source lines exist, and nothing goes round";
    if (!found.empty()) {
        statement += "; not at " + found.front().at + ": " + found.front().names;
    }
    return at_most("graph", std::move(statement), static_cast<double>(found.size()), 0);
}

}  // namespace rmsnorm::experiments
