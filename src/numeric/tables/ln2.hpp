// ln 2 for the accurate phases.
// Written by generate.py, which says how each number is chosen.
#pragma once

#include <array>
#include <cstdint>

// clang-format off
namespace rmsnorm::numeric::tables {

/// ln 2 with 256 binary places, cut off, least significant 32 bits first.
inline constexpr std::array<std::uint32_t, 9> ln2_limbs = {
    0x8baafa2b, 0x8a0d175b, 0x7298b62d, 0x40f34326, 0x03f2f6af,
    0xc9e3b398, 0xd1cf79ab, 0xb17217f7, 0x00000000};

}  // namespace rmsnorm::numeric::tables
