#include "experiments/normalization/cost.hpp"

#include <cmath>

#include "nn/vector_norm.hpp"

namespace rmsnorm::experiments::normalization {
namespace {

using numeric::CountingNumber;
using numeric::OperationCounts;
using Numbers = std::vector<CountingNumber>;

Numbers filled(std::size_t width, double value, OperationCounts* counts) {
    return Numbers(width, CountingNumber(value, counts));
}

// 1, -1, 1, …: the count depends on the width alone, and this has a spread.
Numbers alternating_numbers(std::size_t width, OperationCounts* counts) {
    Numbers numbers;
    numbers.reserve(width);
    for (std::size_t i = 0; i < width; ++i) numbers.emplace_back(i % 2 == 0 ? 1 : -1, counts);
    return numbers;
}

NormCost layer_norm_cost(std::size_t width) {
    NormCost cost{{}, 2 * std::uint64_t{width}};
    const Numbers input = alternating_numbers(width, &cost.counts);
    const Numbers gamma = filled(width, 1, &cost.counts);
    const Numbers beta = filled(width, 0, &cost.counts);
    nn::layer_norm<CountingNumber, CountingNumber>(input, gamma, beta,
                                                   CountingNumber(1e-5, &cost.counts));
    return cost;
}

NormCost rms_norm_cost(std::size_t width) {
    NormCost cost{{}, width};
    const Numbers input = alternating_numbers(width, &cost.counts);
    const Numbers gamma = filled(width, 1, &cost.counts);
    nn::rms_norm<CountingNumber, CountingNumber>(input, gamma, CountingNumber(1e-5, &cost.counts));
    return cost;
}

Record record(const NormCost& cost) {
    return Record()
        .add("multiplications", cost.counts.multiplications)
        .add("additions", cost.counts.additions)
        .add("divisions", cost.counts.divisions)
        .add("square_roots", cost.counts.square_roots)
        .add("total", total(cost.counts))
        .add("parameters", cost.parameters);
}

double distance(const OperationCounts& a, const OperationCounts& b) {
    const auto apart = [](std::uint64_t x, std::uint64_t y) {
        return static_cast<double>(x > y ? x - y : y - x);
    };
    return apart(a.multiplications, b.multiplications) + apart(a.additions, b.additions) +
           apart(a.divisions, b.divisions) + apart(a.square_roots, b.square_roots);
}

}  // namespace

std::vector<Input> CostInputs::declared() {
    return {{"width", &width, "of the normalized vector", {.least = 1, .most = 1U << 20}}};
}

Cost cost(const CostInputs& inputs) {
    Cost evidence{inputs, layer_norm_cost(inputs.width), rms_norm_cost(inputs.width), 0, {}};
    evidence.ratio = static_cast<double>(total(evidence.layer_norm.counts)) /
                     static_cast<double>(total(evidence.rms_norm.counts));
    evidence.checks = cost_checks(evidence);
    return evidence;
}

std::uint64_t total(const OperationCounts& counts) {
    return counts.multiplications + counts.additions + counts.divisions + counts.square_roots;
}

Record results(const Cost& evidence) {
    return Record().add("cost", Record()
                                    .add("width", evidence.inputs.width)
                                    .add("layer_norm", record(evidence.layer_norm))
                                    .add("rms_norm", record(evidence.rms_norm))
                                    .add("ratio", Scalar{evidence.ratio}));
}

std::string text(const Cost& evidence, Extent extent) {
    const Record results_of_run = results(evidence);
    const Record& record = record_field(results_of_run, "cost");
    return record_line("cost", record, extent) +
           record_line("cost_layer_norm", record_field(record, "layer_norm"), extent) +
           record_line("cost_rms_norm", record_field(record, "rms_norm"), extent);
}

std::vector<Check> cost_checks(const Cost& evidence) {
    const std::uint64_t n = evidence.inputs.width;
    // LayerNorm: a sum; a difference, a square and a sum; epsilon; a difference, two products and a
    // sum for each output. Two means and a reciprocal. RMSNorm: a square and a sum; epsilon; two
    // products. One mean and a reciprocal.
    const OperationCounts layer{3 * n, 5 * n + 1, 3, 1};
    const OperationCounts rms{3 * n, n + 1, 2, 1};
    return {at_most("layer-norm-counts", "3n products, 5n + 1 sums, 3 quotients and a root",
                    distance(evidence.layer_norm.counts, layer), 0),
            at_most("rms-norm-counts", "3n products, n + 1 sums, 2 quotients and a root",
                    distance(evidence.rms_norm.counts, rms), 0)};
}

}  // namespace rmsnorm::experiments::normalization
