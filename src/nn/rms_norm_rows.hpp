// RMSNorm over the rows of a long stream, block after block, in plain loops without a tape.
#pragma once

#include <cstddef>
#include <optional>
#include <span>
#include <vector>

#include "nn/rms_norm.hpp"

namespace rmsnorm::nn {

/// Gives the bits and the errors that RmsNorm gives for all rows at once: the same operations in
/// the same order (equation and steps as there), one row of width d at a time.
class RmsNormRows {
  public:
    /// The gain has shape [d]. Throws what RmsNorm throws for it: RmsNormError (InvalidEpsilon,
    /// EmptyFeatureWidth) or autodiff::AutodiffError (NonFiniteLeaf).
    RmsNormRows(std::vector<double> gain, double epsilon);

    /// Normalizes the next rows: `input` and `output` hold as many values, a multiple of d, all of
    /// `input` finite. After a row that the layer rejects the output is of no use; further rows
    /// are still examined, since RmsNorm reports the first step that fails in any row.
    void normalize(std::span<const double> input, std::span<double> output);

    /// Whether a row was rejected.
    bool failed() const { return failure_.has_value(); }

    /// Throws the RmsNormError (ZeroEnergyRow, TapeFailure) of the layer if a row was rejected.
    void finish() const;

    std::size_t feature_width() const { return gain_.size(); }

  private:
    // Where the forward pass can stop, in its order.
    enum class Step { square, mean_square, zero_energy, stabilize, normalize, apply_gain };

    struct Failure {
        Step step;
        std::size_t index;  // of the row, or flat
        double value;
    };

    double inverse_rms(std::span<const double> row, double sum_of_squares);
    void scale(std::span<const double> row, double inverse_rms, std::span<double> output);
    void reject(Step step, std::size_t index, double value);

    std::vector<double> gain_;
    double epsilon_;
    std::size_t row_ = 0;  // the number of rows so far
    std::optional<Failure> failure_;
};

}  // namespace rmsnorm::nn
