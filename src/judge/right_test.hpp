// Whether a row is one that a right implementation may have written.
#pragma once

#include <optional>
#include <vector>

#include "judge/verdict.hpp"

namespace rmsnorm::judge {

/// All ways to round that real implementations have, for these formats.
class RightTest {
  public:
    explicit RightTest(const Tensors& tensors);

    std::size_t forms() const { return forms_.size(); }
    Form form(std::size_t index) const;

    /// The effective gain that form 0 multiplies by.
    const std::vector<double>& gain() const { return gains_[0]; }
    const std::vector<double>& gain(std::size_t form) const { return gains_[forms_[form].gain]; }

    /// The bound of a row's scale; nothing when the row has no result or no bound.
    std::optional<Scale> scale(std::span<const double> input) const;

    ScaleInterval measured(std::size_t form, const Row& row) const;
    /// By those columns alone.
    ScaleInterval measured(std::size_t form, const Row& row,
                           std::span<const std::size_t> columns) const;
    ScaleInterval element(std::size_t form, const Row& row, std::size_t column) const;

    /// Whether each form fits.
    void fits(const Row& row, const Scale& scale, std::vector<bool>& result) const;

  private:
    struct Tested {
        Structure structure;
        std::size_t gain;
    };
    const Tensors& tensors_;
    std::vector<std::vector<double>> gains_;
    std::vector<Tested> forms_;
};

/// What a row is before its scale is looked at.
enum class RowKind {
    ordinary,
    zero,        // all zero: the output is zero
    undefined,   // all zero with epsilon 0: no result
    not_finite,  // NaN or infinity in the input
    overflowed,  // the squares may add up beyond the arithmetic, and the output is that of a scale
                 // of 0: all zero, or NaN
};
RowKind kind_of(const Tensors& tensors, const Row& row);

/// The elements that no right program gives a row of this kind, which is not ordinary.
std::vector<bool> wrong_without_scale(RowKind kind, const Row& row);

/// The largest distance in a row between output and exact result, in ulp of the output's format.
/// `error` is updated when this row's is larger.
void note_error(const Tensors& tensors, const Row& row, std::span<const double> gain,
                const Scale& scale, OutputError& error);

/// In ulp at the place of the error: what the form allows there (docs/judge.md). `third_factor` is
/// the magnitude of the factor that is not in the product which is rounded first, `by_gain` what
/// the roundings of the gain do to the result.
double bound_in_ulp(const Formats& formats, const Structure& structure, const Scale& scale,
                    double expected, double third_factor, double by_gain);

}  // namespace rmsnorm::judge
