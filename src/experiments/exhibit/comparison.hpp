// Experiment: one vector, scaled and shifted, under LayerNorm and RMSNorm.
#pragma once

#include <stdexcept>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "evidence/check.hpp"
#include "evidence/default_text.hpp"
#include "evidence/input.hpp"
#include "evidence/record.hpp"
#include "tensor/tensor.hpp"

namespace rmsnorm::experiments {

/// The exhibit's vector. Without a gain of the reader's: ones.
struct ComparisonInputs {
    tensor::Tensor input = tensor::Tensor::vector({1, 2, 3, 4, -1, -2, -3, -4});  // [n]
    double offset = 0;
    double scale = 1;
    double epsilon = 1e-6;
    tensor::Tensor gain = tensor::Tensor::filled(input.shape(), 1);  // [n]

    std::vector<Input> declared();
    void complete(const Given& given);
};

/// One mean, its sum taken in each order of numeric/summation.hpp and divided once.
struct MeanByOrder {
    double ascending;
    double pairwise;
    double two_lanes;
};

/// How the two normalized vectors compare, before any gain.
enum class Agreement {
    same_bits,
    within_rounding,  // the mean that tells them apart is within the rounding of its own sum
    none,
};

struct Comparison {
    ComparisonInputs inputs;
    tensor::Tensor vector;      // [n]: scale * input + offset, rounded twice
    double mean;                // of `vector`, as LayerNorm subtracts it
    double mean_uncertainty;    // how far rounding may have moved `mean`: n 2^-53 mean(|v|)
    double variance;            // mean of (v - mean)^2
    double mean_square;         // mean of v^2
    tensor::Tensor layer_norm;  // [n]: (v - mean) / sqrt(variance + epsilon) * gain
    tensor::Tensor rms_norm;    // [n]: v / sqrt(mean_square + epsilon) * gain
    MeanByOrder layer_norm_mean;
    MeanByOrder rms_norm_mean;
    double max_abs_diff;  // between the normalized vectors, before the gain
    Agreement agreement;
    std::vector<Check> checks;
};

/// Throws CompareError or nn::NormalizationError.
Comparison comparison(const ComparisonInputs& inputs);

/// The same for a reader. Throws InputRejection in the place of CompareError.
Comparison explained_comparison(const ComparisonInputs& inputs);

Record results(const Comparison& evidence);
std::string text(const Comparison& evidence, Extent extent);

/// "same bits", "within rounding", "none".
std::string_view name(Agreement agreement);

/// Whether the norms agree, and which mean decides it, as one sentence.
std::string statement(const Comparison& evidence);

/// What is out of the ordinary about the vector, a sentence each: width 1, equal features.
std::vector<std::string> notes(const Comparison& evidence);

/// LayerNorm is RMSNorm of the centered vector. Measures the largest difference of the two, in
/// which no bit may differ.
Check centering_check(const tensor::Tensor& layer_norm, const tensor::Tensor& rms_norm_of_centered);

struct GainWidthMismatch {
    std::size_t input;
    std::size_t gain;
};

/// `scale * input + offset` leaves binary64's range.
struct NonFiniteTransformed {
    std::size_t feature;
    double value;
};

/// A normalized feature times its gain leaves binary64's range.
struct NonFiniteOutput {
    std::string norm;
    std::size_t feature;
    double value;
};

class CompareError : public std::runtime_error {
  public:
    using Case = std::variant<GainWidthMismatch, NonFiniteTransformed, NonFiniteOutput>;

    explicit CompareError(Case rejection);

    const Case& rejection() const { return rejection_; }

  private:
    Case rejection_;
};

}  // namespace rmsnorm::experiments
