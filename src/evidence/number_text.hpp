// Numbers as sentences quote them.
#pragma once

#include <cstddef>
#include <initializer_list>
#include <span>
#include <string>

#include "numeric/number_format.hpp"

namespace rmsnorm::evidence {

/// A number that was given: the shortest decimal that reads back to it, "3" and "0.0001".
std::string given_text(double value);
std::string given_text(float value);  // to binary32

/// A number that was computed: six decimals or as many as show three significant digits, without
/// zeros behind them; seven digits and an exponent where that would be long. "0.282843", "12.5",
/// "0.000000125", "1.5e-30".
std::string figure_text(double value);

/// How many significant digits, at least `least`, tell those of the numbers apart that differ.
int digits_apart(std::initializer_list<double> values, int least);

/// What a format holds: "magnitudes up to 65504.0 in binary16".
std::string magnitudes_in(numeric::NumberFormat format);

/// "1 row", "2 rows".
std::string counted(std::size_t count, const std::string& thing);

/// "[3, 4]"; of more than `most` values the first, and how many there are: "[3, 4, ... of 9
/// values]".
std::string given_list(std::span<const double> values, std::size_t most);
std::string figure_list(std::span<const double> values, std::size_t most);

}  // namespace rmsnorm::evidence
