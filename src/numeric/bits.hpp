// Bit patterns of binary64 and binary32 numbers.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>

namespace rmsnorm::numeric {

// What std::bit_cast is made of, which Emscripten's standard library lacks.
constexpr std::uint64_t bits(double value) { return __builtin_bit_cast(std::uint64_t, value); }
constexpr std::uint32_t bits(float value) { return __builtin_bit_cast(std::uint32_t, value); }

constexpr double binary64(std::uint64_t pattern) { return __builtin_bit_cast(double, pattern); }
constexpr float binary32(std::uint32_t pattern) { return __builtin_bit_cast(float, pattern); }

/// Equal as stored: tells +0 from -0, and a NaN equals itself.
constexpr bool same_bits(double a, double b) { return bits(a) == bits(b); }
constexpr bool same_bits(float a, float b) { return bits(a) == bits(b); }

/// How many values of two arrays of one length differ as stored.
std::size_t differing_bits(std::span<const double> a, std::span<const double> b);

/// Big-endian lower-case hexadecimal, 16 digits for binary64 and 8 for binary32.
std::string hex(double value);
std::string hex(float value);

}  // namespace rmsnorm::numeric
