// Sine and cosine of an angle given in turns.
#pragma once

#include <cstdint>

namespace rmsnorm::numeric {

struct SineCosine {
    double sine;
    double cosine;
};

/// How many steps make a full turn.
inline constexpr std::uint32_t steps_in_turn = std::uint32_t{1} << 24;

/// Sine and cosine of 2 pi `step` / 2^24, for every `step` below `steps_in_turn`: the angles that a
/// binary32 random number in [0, 1) stands for in a Box-Muller transform. Each is off by less than
/// 2^-51; at quarter turns both are exact, and a zero is +0. Additions and multiplications in a
/// fixed order, so the bits are the same on every machine.
SineCosine sincos_2pi(std::uint32_t step);

}  // namespace rmsnorm::numeric
