// The power series of sin(2 pi t) / t and cos(2 pi t), in powers of t squared.
// Written by generate.py, which says how each number is chosen.
#pragma once

#include <array>
#include <cstdint>

// clang-format off
namespace rmsnorm::numeric::tables {

inline constexpr std::array<double, 10> turn_sine_series = {
    0x1.921fb54442d18p+2,
    -0x1.4abbce625be53p+5,
    0x1.466bc6775aae2p+6,
    -0x1.32d2cce62bd86p+6,
    0x1.50783487ee782p+5,
    -0x1.e3074fde8871fp+3,
    0x1.e8f434d018d63p+1,
    -0x1.6fadb9f155744p-1,
    0x1.aaec32af93359p-4,
    -0x1.8a404211f9547p-7,
};

inline constexpr std::array<double, 10> turn_cosine_series = {
    0x1.0000000000000p+0,
    -0x1.3bd3cc9be45dep+4,
    0x1.03c1f081b5ac4p+6,
    -0x1.55d3c7e3cbffap+6,
    0x1.e1f506891babbp+5,
    -0x1.a6d1f2a204a8cp+4,
    0x1.f9d38a3763cc3p+2,
    -0x1.b6e24f44b128fp+0,
    0x1.20c62c2f2d7f5p-2,
    -0x1.2a0c591af8314p-5,
};

}  // namespace rmsnorm::numeric::tables
