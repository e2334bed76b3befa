// Figures as text: what the reports print, and `display` in JSON.
#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <vector>

#include "evidence/record.hpp"

namespace rmsnorm::evidence {

/// How much of a long tensor is shown, its first values or all; and how figures are quoted: as the
/// fixtures do, or so that a reader's own can be read.
struct Extent {
    static const Extent abridged;
    static const Extent full;

    bool whole = false;
    bool readable = false;
    int digits = 0;  // significant ones of the largest value; 0 for six decimals or enough

    friend bool operator==(const Extent& a, const Extent& b) { return a.whole == b.whole; }
};
inline constexpr Extent Extent::abridged{};
inline constexpr Extent Extent::full{.whole = true};

/// A tensor with more values than this is abridged to as many.
inline constexpr std::size_t most_values = 64;

/// How many values of a tensor of `size` are shown.
std::size_t shown_values(std::size_t size, Extent extent);

std::string scalar_text(double value, Decimals decimals = {});

/// What shows each of the values, or three digits of the smallest, in one column: `usual` where
/// that does, more decimals, or where those would be long significant digits.
Decimals readable(std::span<const double> values, Decimals usual, int digits = 0);
Decimals quoted(double value, Decimals usual, Extent extent);

/// The same for every figure of a record.
Record readable(Record record, int digits = 0);

/// "[3.000000,4.000000]"; an abridged one ends in ",...(100 values)]".
std::string vector_text(const tensor::Tensor& tensor, Extent extent = Extent::full,
                        Decimals decimals = {});

/// "[2,2]".
std::string shape_text(const tensor::Shape& shape);

/// "true" or "false"; of a verdict also "undecided".
std::string_view truth_text(bool truth);
std::string_view truth_text(Decision decision);

}  // namespace rmsnorm::evidence
