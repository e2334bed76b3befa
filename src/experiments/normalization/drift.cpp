#include "experiments/normalization/drift.hpp"

#include <cmath>

#include "numeric/elementary.hpp"

namespace rmsnorm::experiments::normalization {

DriftCase book_drift_case() { return {1.1, 24}; }

Drift drift(const DriftCase& drift_case) {
    Drift evidence{drift_case, 1, {}};
    for (std::size_t i = 0; i < drift_case.layers; ++i) evidence.growth *= drift_case.factor;
    evidence.checks = growth_checks(evidence);
    return evidence;
}

Record inputs(const Drift& evidence) {
    return Record()
        .add("factor", Scalar{evidence.inputs.factor, {1}})
        .add("layers", evidence.inputs.layers);
}

Record results(const Drift& evidence) {
    return Record().add("growth", Scalar{evidence.growth, {2}});
}

std::vector<Check> growth_checks(const Drift& evidence) {
    const auto layers = static_cast<double>(evidence.inputs.layers);
    const double exponent = layers * numeric::log(evidence.inputs.factor);
    const double power = numeric::exp(exponent);
    // In units of 2^-53 of the power: each product rounds by at most one. The logarithm and its
    // product with the layers are off by one each, which the exponential turns into as many of the
    // power for each unit of the exponent; itself it is off by one, and so is the quotient below.
    const double bound = layers + 2 * std::fabs(exponent) + 2;
    return {at_most("growth", "the product of the factors is their power, in units of 2^-53 of it",
                    std::fabs(evidence.growth - power) / power * 0x1p53, bound)};
}

}  // namespace rmsnorm::experiments::normalization
