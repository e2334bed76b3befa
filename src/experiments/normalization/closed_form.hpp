// Exercise 5: LayerNorm's factored backward pass against the gradient of a tape, in binary64.
//
// The tape holds mean, deviation, variance, log, exp and product; it knows nothing of the closed
// form. docs/normalization.md derives one from the other.
#pragma once

#include <cstdint>

#include "evidence/check.hpp"
#include "evidence/input.hpp"
#include "experiments/normalization/vectors.hpp"

namespace rmsnorm::experiments::normalization {

struct ClosedFormInputs {
    Vector input = values::five();
    Vector upstream = values::five_upstream();
    float epsilon = values::epsilon;

    std::vector<Input> declared();
    void complete(const Given& given);
};

struct ClosedForm {
    ClosedFormInputs inputs;
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

/// Throws nn::NormalizationError or autodiff::AutodiffError.
ClosedForm closed_form(const ClosedFormInputs& inputs);

/// The same for a factored gradient that is already known.
ClosedForm judged(const ClosedFormInputs& inputs, const std::vector<double>& factored);

Record results(const ClosedForm& evidence);

}  // namespace rmsnorm::experiments::normalization
