// The four number formats of tensors: their limits, rounding to them, and their bit patterns.
// Every number of every format is carried as a double, without loss.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace rmsnorm::numeric {

enum class NumberFormat { binary64, binary32, binary16, bfloat16 };

inline constexpr NumberFormat number_formats[] = {NumberFormat::binary64, NumberFormat::binary32,
                                                  NumberFormat::binary16, NumberFormat::bfloat16};

/// Bits of a significand, the hidden one included: 53, 24, 11, 8.
int precision(NumberFormat format);

/// Half of the distance from 1 to the next number: 2^-precision.
double unit_roundoff(NumberFormat format);

double smallest_subnormal(NumberFormat format);
double smallest_normal(NumberFormat format);
double largest_finite(NumberFormat format);

/// The least positive real that rounds to infinity; for binary64 it is no double, and infinity
/// stands for it.
double overflow_threshold(NumberFormat format);

/// Bytes of one number: 8, 4, 2, 2.
std::size_t byte_size(NumberFormat format);

/// The nearest number of the format, of two equally near ones the even one; beyond the overflow
/// threshold infinity. One rounding, whatever the format. A NaN stays one.
double round_to(NumberFormat format, double value);

/// The number of the format next to `value` in that direction, or `value` itself if it is one.
/// Towards zero never gives infinity for a finite value; up and down give it beyond the largest.
double round_toward_zero(NumberFormat format, double value);
double round_up(NumberFormat format, double value);
double round_down(NumberFormat format, double value);

bool is_in(NumberFormat format, double value);

/// The neighbor of a number of the format, which `value` must be; infinity is the number after the
/// largest finite one, and both zeros are one number.
double next_up(NumberFormat format, double value);
double next_down(NumberFormat format, double value);

/// The distance between the two numbers of the format around `value`'s magnitude: of its binade, or
/// of the subnormal numbers below it. `value` is finite.
double ulp(NumberFormat format, double value);

/// The pattern of a number of the format, in the low `8 * byte_size` bits, and the number of a
/// pattern. Signalling NaNs become quiet ones.
std::uint64_t encode(NumberFormat format, double value);
double decode(NumberFormat format, std::uint64_t pattern);

/// The pattern in big-endian lower-case hexadecimal, two digits a byte.
std::string hex(NumberFormat format, double value);

struct Interval {
    double low = 0;
    double high = 0;
};

/// The closed interval of the reals that may round to `value`, a number of the format, whichever
/// way ties go: the midpoints to both neighbors. Around zero half of the smallest subnormal on both
/// sides; infinity from the overflow threshold on. Midpoints of binary64 are no doubles: there the
/// neighbors themselves. A NaN gives NaNs.
Interval preimage(NumberFormat format, double value);

/// What safetensors calls the format: F64, F32, F16, BF16.
std::string_view safetensors_name(NumberFormat format);

/// What options and frameworks call it: f64, f32, f16, bf16.
std::string_view dtype_name(NumberFormat format);

/// What sentences call it: binary64, binary32, binary16, bfloat16.
std::string_view full_name(NumberFormat format);

/// The format of any of these names and of the frameworks' float64, float32, float16.
std::optional<NumberFormat> format_named(std::string_view name);

}  // namespace rmsnorm::numeric
