// Sums over the rows of a gain gradient's columns, as its formulas have them.
#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "judge/gradient_reader.hpp"
#include "numeric/exact_sum.hpp"

namespace rmsnorm::judge {

/// Without rounding: the same for any order of the rows.
struct ColumnSum {
    numeric::ExactSum total;
    double magnitude = 0;  // sum of |c|
    double moved = 0;      // sum of |c| times the error of its row's scale
    double largest = 0;    // largest |c|

    void add(DoubleDouble term, double error);
};

/// A column's gain gradient by a formula, and what was found there.
struct SummedColumn {
    double exact = 0;
    double part = 0;  // of the bound that the error is
    double bound = 0;
};

/// With e the relative error of a row's scale, D the sum of the magnitudes |c| of the N summands, u
/// the unit roundoff of the arithmetic and z that of the narrowest format, the bound is
///
///     sum |c| e + D (N+6) u (1 + N u) + 3 z (1+4z) D + 2 N smallest (1 + |c|) + the last rounding
///
/// `factor_error` is the relative uncertainty of factors that were read off the data.
SummedColumn judged_sum(const GradientRoundings& roundings, const GainGradientFormula& formula,
                        const ColumnSum& sum, double found, double factor_error = 0);

/// Additions in a narrow format, one row after the other and in pairs of pairs.
class NarrowSum {
  public:
    explicit NarrowSum(NumberFormat format) : format_(format) {}

    void add(double term);
    double running() const { return running_; }
    double paired() const;
    /// The largest magnitude of a summand or of a sum on the way.
    double largest() const { return largest_; }

  private:
    double rounded(double value) const { return numeric::round_to(format_, value); }

    NumberFormat format_;
    double running_ = 0;
    double largest_ = 0;
    std::vector<double> pairs_;  // the sum of 2^k rows, or a NaN where there is none
};

/// Adds the summands of one row, whose input and upstream are given; sums[i] is of columns[i].
/// False where the row has none.
bool add_row(const GradientReader& reader, const GradientRoundings& roundings,
             const GainGradientFormula& formula, std::size_t row, std::span<const double> input,
             std::span<const double> upstream, std::span<const std::size_t> columns,
             std::span<ColumnSum> sums);

/// The sums of every formula, [formula][place in columns]. `skipped` counts rows without summands.
std::vector<std::vector<ColumnSum>> summed(const GradientReader& reader,
                                           const GradientRoundings& roundings,
                                           std::span<const GainGradientFormula> formulas,
                                           std::span<const std::size_t> columns,
                                           std::size_t* skipped = nullptr);

}  // namespace rmsnorm::judge
