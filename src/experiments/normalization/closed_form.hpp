// Exercise 5: LayerNorm's factored backward pass against the gradient of a tape, in binary64.
//
// The tape holds mean, deviation, variance, log, exp and product; it knows nothing of the closed
// form. docs/normalization.md derives one from the other.
#pragma once

#include <cstdint>

#include "evidence/check.hpp"
#include "experiments/normalization/vectors.hpp"

namespace rmsnorm::experiments::normalization {

struct ClosedFormCase {
    Vector input;
    Vector upstream;
    float epsilon;
};

struct ClosedForm {
    ClosedFormCase inputs;
    std::vector<double> normalized;
    double inverse_standard_deviation;
    double upstream_mean;  // the first of the two sums, divided by the width
    double product_mean;   // mean(normalized * upstream), the other one
    std::vector<double> factored;
    std::vector<double> tape;
    std::uint64_t largest_ulp;
    double largest_error;  // in units of 2^-53 of the terms that cancel into a component
    double error_bound;    // in the same units
    std::vector<Check> checks;
};

ClosedFormCase book_closed_form_case();

/// Throws nn::NormalizationError or autodiff::AutodiffError.
ClosedForm closed_form(const ClosedFormCase& closed_form_case);

/// The same for a factored gradient that is already known.
ClosedForm closed_form(const ClosedFormCase& closed_form_case, const std::vector<double>& factored);

Record inputs(const ClosedForm& evidence);
Record results(const ClosedForm& evidence);

/// The object `closed_form` of a report.
Record closed_form_record(const ClosedForm& evidence);

}  // namespace rmsnorm::experiments::normalization
