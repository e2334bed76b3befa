// Where the roundings of an element stand between its input, gain and row scale, and which row
// scales a given output element leaves possible.
#pragma once

#include <optional>
#include <span>
#include <vector>

#include "judge/row_scale.hpp"
#include "numeric/number_format.hpp"

namespace rmsnorm::judge {

using numeric::NumberFormat;

/// The formats of the tensors, and the one in which means and roots are computed.
struct Formats {
    NumberFormat input = NumberFormat::binary32;
    NumberFormat gain = NumberFormat::binary32;
    NumberFormat output = NumberFormat::binary32;

    /// binary64 for binary64 inputs, binary32 for all others.
    NumberFormat arithmetic() const;
    /// Whether the output has fewer bits than the arithmetic, so that a last rounding makes it.
    bool rounds_output() const;
    /// Whether a number of the arithmetic may be rounded to binary32 before it is rounded to the
    /// format, as PyTorch and C convert binary64 to 16 bits.
    bool may_pass_binary32(NumberFormat to) const;
};

/// Which product is rounded to a narrow format before the last one.
enum class Factoring {
    once,           // none: gain, input and scale are multiplied in the arithmetic
    value_first,    // the normalized value, input times scale
    gain_first,     // gain times scale
    product_first,  // gain times input
};

struct Structure {
    Factoring factoring = Factoring::once;
    NumberFormat inner = NumberFormat::binary32;  // of the product that is rounded first
    bool truncated = false;                       // the last rounding goes towards zero
    double roundings = 4;  // of the arithmetic after the scale, besides those to narrow formats
    bool loose = false;    // two more roundings to the output's format, wherever they stand

    bool operator==(const Structure&) const = default;
};

/// The structures of real implementations, the tightest first.
std::vector<Structure> right_structures(const Formats& formats);

/// The same with an output that is truncated; none when no last rounding makes it.
std::vector<Structure> truncated_structures(const Formats& formats);

/// More roundings than any known implementation has.
Structure loose_structure(const Formats& formats);

/// The elements of one row, or of some of its columns, that share a scale. All spans are equally
/// long; `input_error` may be empty, else it bounds the relative error of each input.
struct Elements {
    std::span<const double> input;
    std::span<const double> gain;  // effective: with its offset
    std::span<const double> output;
    std::span<const double> input_error = {};
};

/// The scales that every element leaves possible: all of [0, inf) when the elements say nothing.
/// Input and gain are finite.
ScaleInterval measured_scale(const Structure& structure, const Formats& formats,
                             const Elements& elements);

/// The numbers of the output's format that a program of the structure may give for an element: its
/// input, effective gain and row scale, known to the relative `error` besides. No product of input
/// and gain overflows the output's format.
numeric::Interval output_range(const Structure& structure, const Formats& formats, double input,
                               double gain, const ScaleInterval& scale, double error = 0);

/// The scales that element `index` alone leaves possible.
ScaleInterval element_scale(const Structure& structure, const Formats& formats,
                            const Elements& elements, std::size_t index);

}  // namespace rmsnorm::judge
