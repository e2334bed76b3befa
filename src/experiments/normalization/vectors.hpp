// The binary32 vectors of the fixture 23-normalization, and how documents quote them.
#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "evidence/input.hpp"
#include "evidence/record.hpp"

namespace rmsnorm::experiments::normalization {

using Vector = std::vector<float>;

/// Half the distance from 1 to the next binary32 number: the most by which one rounded operation is
/// off, relative to its result.
inline constexpr double binary32_unit = 0x1p-24;
inline constexpr double binary64_unit = 0x1p-53;

namespace values {

inline constexpr float epsilon = 1e-5F;
inline constexpr float probe_step = 1e-4F;
inline constexpr float match_tolerance = 1e-3F;

Vector hundreds();       // [100, 102, 98, 101, 99, 103]
Vector thousandths();    // the same shape, five orders of magnitude below
Vector five();           // [1, 3, 2, 5, 4]
Vector five_upstream();  // [0.1, -0.2, 0.3, -0.1, 0.2]
Vector five_gamma();     // [1, 0.5, 2, 1.5, 0.25]

/// As the help shows them.
inline constexpr const char* five_upstream_default =
    "0.1,-0.2,0.3,-0.1,0.2, and ones beside another input";
inline constexpr const char* five_gamma_default = "1,0.5,2,1.5,0.25, and ones beside another input";

}  // namespace values

/// The widest vector of the fixture: central differences take work that grows with its square.
inline constexpr std::size_t widest = 4096;

/// A vector of at most `widest` values.
Input vector_input(std::string_view key, Vector& values, std::string help, Decimals decimals,
                   std::string shown_default = {});

/// The input `epsilon`, which nearly every experiment of the fixture has.
Input epsilon_input(float& epsilon);

/// Gives `values` the width of `input`: ones or another `neutral` value beside an input that was
/// given. Throws InputRejection for values that were given and are not as many.
void complete_width(const Given& given, std::string_view key, Vector& values, const Vector& input,
                    float neutral);

Vector ones(std::size_t width);
Vector zeros(std::size_t width);

/// 1, -1, 1, …: centered when the width is even, with an RMS of exactly 1.
Vector alternating(std::size_t width);

/// The first `width` values of `pattern` repeated without end.
Vector repeated(const Vector& pattern, std::size_t width);

std::vector<double> widened(const Vector& values);

/// The binary64 root of the binary64 mean of binary32 squares.
double root_mean_square(const Vector& values);

/// The RMS with nothing rounded to binary32 on the way.
double magnitude(const Vector& values);

Array array(const std::vector<Decision>& decisions);
Presence present_if(bool present);

}  // namespace rmsnorm::experiments::normalization
