// What layers without a norm do to a magnitude, each multiplying it by the same factor.
#pragma once

#include <cstddef>

#include "evidence/check.hpp"
#include "evidence/record.hpp"

namespace rmsnorm::experiments::normalization {

struct DriftCase {
    double factor;
    std::size_t layers;
};

struct Drift {
    DriftCase inputs;
    double growth;  // 1 times the factor, layer by layer
    std::vector<Check> checks;
};

DriftCase book_drift_case();  // 1.1 over 24 layers

/// The factor is positive.
Drift drift(const DriftCase& drift_case);

Record inputs(const Drift& evidence);
Record results(const Drift& evidence);

/// The product against the power by logarithm and exponential.
std::vector<Check> growth_checks(const Drift& evidence);

}  // namespace rmsnorm::experiments::normalization
