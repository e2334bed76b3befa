// Rows of a gradient's tensors as its formulas read them: other rows, other strides, other scales.
#pragma once

#include <optional>
#include <span>
#include <vector>

#include "judge/gradient_mistakes.hpp"
#include "judge/gradient_row.hpp"

namespace rmsnorm::judge {

/// The tensors outlive it.
class GradientReader {
  public:
    explicit GradientReader(const GradientTensors& tensors) : tensors_(tensors) {}

    const GradientTensors& tensors() const { return tensors_; }

    void input(std::size_t row, std::span<double> elements) const;
    void upstream(std::size_t row, UpstreamReading reading, std::span<double> elements) const;

    /// The number by which a formula multiplies the row, with the error of a right program that
    /// takes it for the reciprocal root; nothing where there is none. `input` is the row's own.
    struct Multiplier {
        DoubleDouble value;
        double error = 0;
    };
    std::optional<Multiplier> multiplier(std::size_t row, ScaleReading reading, double epsilon,
                                         std::span<const double> input) const;

    double gain(std::size_t column, GainReading reading) const;

    /// The inner sums of all rows together, and of each column, with the sums of magnitudes; rows
    /// that are not finite are left out.
    struct InnerSums {
        double total = 0;
        double total_magnitude = 0;
        std::vector<double> columns;
        std::vector<double> column_magnitudes;
    };
    const InnerSums& inner_sums() const;

  private:
    const GradientTensors& tensors_;
    mutable std::optional<InnerSums> inner_sums_;
};

}  // namespace rmsnorm::judge
