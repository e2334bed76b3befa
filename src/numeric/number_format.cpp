#include "numeric/number_format.hpp"

#include <array>
#include <cmath>
#include <limits>

#include "numeric/bits.hpp"

namespace rmsnorm::numeric {
namespace {

struct Layout {
    int exponent_bits;
    int fraction_bits;
    std::string_view safetensors, dtype, full, framework;

    constexpr int bias() const { return (1 << (exponent_bits - 1)) - 1; }
    constexpr std::uint64_t sign() const {
        return std::uint64_t{1} << (exponent_bits + fraction_bits);
    }
    constexpr std::uint64_t infinity() const {
        return ((std::uint64_t{1} << exponent_bits) - 1) << fraction_bits;
    }
};

constexpr std::array<Layout, 4> layouts = {{
    {11, 52, "F64", "f64", "binary64", "float64"},
    {8, 23, "F32", "f32", "binary32", "float32"},
    {5, 10, "F16", "f16", "binary16", "float16"},
    {8, 7, "BF16", "bf16", "bfloat16", "bfloat16"},
}};
constexpr Layout wide = layouts[0];

constexpr const Layout& layout(NumberFormat format) {
    return layouts[static_cast<std::size_t>(format)];
}

// The number of the format at or below a finite magnitude, and what was cut off.
struct Truncated {
    std::uint64_t pattern = 0;
    int rest_to_half = -1;  // the rest is less than, equal to or more than half of a step
    bool exact = true;
};

// `magnitude` is the pattern of a finite double without its sign. Patterns of magnitudes run as the
// magnitudes do, so that the next number is the next pattern, infinity after the largest.
Truncated truncate(const Layout& to, std::uint64_t magnitude) {
    const int field = static_cast<int>(magnitude >> wide.fraction_bits);
    const std::uint64_t hidden = std::uint64_t{1} << wide.fraction_bits;
    const std::uint64_t fraction = magnitude & (hidden - 1);
    const std::uint64_t significand = field == 0 ? fraction : hidden | fraction;
    const int exponent = (field == 0 ? 1 : field) - wide.bias() + to.bias();
    if (exponent >= (1 << to.exponent_bits) - 1) return {to.infinity() - 1, 1, false};
    int cut = wide.fraction_bits - to.fraction_bits;
    if (exponent < 1) cut += 1 - exponent;
    // Beyond this the step is more than twice the number.
    if (cut > wide.fraction_bits + 2) return {0, -1, significand == 0};
    std::uint64_t pattern = significand >> cut;
    if (exponent >= 1 && field != 0) {
        pattern += static_cast<std::uint64_t>(exponent - 1) << to.fraction_bits;
    }
    if (cut == 0) return {pattern, -1, true};
    const std::uint64_t half = std::uint64_t{1} << (cut - 1);
    const std::uint64_t rest = significand & (2 * half - 1);
    return {pattern, rest < half ? -1 : rest > half, rest == 0};
}

enum class Direction { nearest, to_zero, away };

std::uint64_t rounded_pattern(const Layout& to, double value, Direction direction) {
    const std::uint64_t all = bits(value);
    const std::uint64_t sign = (all & wide.sign()) == 0 ? 0 : to.sign();
    const std::uint64_t magnitude = all & ~wide.sign();
    if (magnitude >= wide.infinity()) {
        if (magnitude == wide.infinity()) return sign | to.infinity();
        const std::uint64_t payload = (magnitude & (wide.infinity() ^ (wide.sign() - 1))) >>
                                      (wide.fraction_bits - to.fraction_bits);
        const std::uint64_t quiet = std::uint64_t{1} << (to.fraction_bits - 1);
        return sign | to.infinity() | quiet | payload;
    }
    const Truncated below = truncate(to, magnitude);
    bool up = direction == Direction::away && !below.exact;
    if (direction == Direction::nearest) {
        up = below.rest_to_half > 0 || (below.rest_to_half == 0 && (below.pattern & 1) != 0);
    }
    return sign | (below.pattern + (up ? 1 : 0));
}

double number(const Layout& from, std::uint64_t pattern) {
    const bool negative = (pattern & from.sign()) != 0;
    const std::uint64_t magnitude = pattern & (from.sign() - 1);
    const std::uint64_t sign = negative ? wide.sign() : 0;
    const int widening = wide.fraction_bits - from.fraction_bits;
    if (magnitude >= from.infinity()) {
        const std::uint64_t payload = (magnitude - from.infinity()) << widening;
        const std::uint64_t quiet = std::uint64_t{1} << (wide.fraction_bits - 1);
        return binary64(sign | wide.infinity() | (payload == 0 ? 0 : quiet | payload));
    }
    if (widening == 0) return binary64(pattern);
    const int field = static_cast<int>(magnitude >> from.fraction_bits);
    if (field == 0) {
        const double absolute =
            std::ldexp(static_cast<double>(magnitude), 1 - from.bias() - from.fraction_bits);
        return negative ? -absolute : absolute;
    }
    const auto rebias = static_cast<std::uint64_t>(wide.bias() - from.bias());
    return binary64(sign | ((magnitude << widening) + (rebias << wide.fraction_bits)));
}

double rounded(NumberFormat format, double value, Direction direction) {
    const Layout& to = layout(format);
    return number(to, rounded_pattern(to, value, direction));
}

double two_to(int exponent) { return std::ldexp(1.0, exponent); }

double midpoint(double a, double b) { return a / 2 + b / 2; }

}  // namespace

int precision(NumberFormat format) { return layout(format).fraction_bits + 1; }

double unit_roundoff(NumberFormat format) { return two_to(-precision(format)); }

double smallest_subnormal(NumberFormat format) { return decode(format, 1); }

double smallest_normal(NumberFormat format) { return two_to(1 - layout(format).bias()); }

double largest_finite(NumberFormat format) { return decode(format, layout(format).infinity() - 1); }

double overflow_threshold(NumberFormat format) {
    const double largest = largest_finite(format);
    return largest + ulp(format, largest) / 2;
}

std::size_t byte_size(NumberFormat format) {
    const Layout& of = layout(format);
    return static_cast<std::size_t>(1 + of.exponent_bits + of.fraction_bits) / 8;
}

double round_to(NumberFormat format, double value) {
    return rounded(format, value, Direction::nearest);
}

double round_toward_zero(NumberFormat format, double value) {
    return rounded(format, value, Direction::to_zero);
}

double round_up(NumberFormat format, double value) {
    return rounded(format, value, value > 0 ? Direction::away : Direction::to_zero);
}

double round_down(NumberFormat format, double value) {
    return rounded(format, value, value < 0 ? Direction::away : Direction::to_zero);
}

bool is_in(NumberFormat format, double value) {
    return value != value || round_to(format, value) == value;
}

double next_up(NumberFormat format, double value) {
    if (value == 0) return smallest_subnormal(format);
    if (value == std::numeric_limits<double>::infinity() || value != value) return value;
    const std::uint64_t pattern = encode(format, value);
    return decode(format, value > 0 ? pattern + 1 : pattern - 1);
}

double next_down(NumberFormat format, double value) { return -next_up(format, -value); }

double ulp(NumberFormat format, double value) {
    const double magnitude = std::fabs(value);
    const int least = 1 - layout(format).bias();
    const int exponent = magnitude < two_to(least) ? least : std::ilogb(magnitude);
    return two_to(exponent - layout(format).fraction_bits);
}

std::uint64_t encode(NumberFormat format, double value) {
    return rounded_pattern(layout(format), value, Direction::nearest);
}

double decode(NumberFormat format, std::uint64_t pattern) {
    return number(layout(format), pattern);
}

std::string hex(NumberFormat format, double value) {
    const std::uint64_t pattern = encode(format, value);
    std::string text;
    for (int shift = static_cast<int>(byte_size(format)) * 8 - 4; shift >= 0; shift -= 4) {
        text += "0123456789abcdef"[pattern >> shift & 0xf];
    }
    return text;
}

Interval preimage(NumberFormat format, double value) {
    if (value != value) return {value, value};
    if (value < 0) {
        const Interval mirrored = preimage(format, -value);
        return {-mirrored.high, -mirrored.low};
    }
    const bool midpoints_are_doubles = format != NumberFormat::binary64;
    if (std::isinf(value)) {
        return {midpoints_are_doubles ? overflow_threshold(format) : largest_finite(format), value};
    }
    const double above = next_up(format, value);
    const double below = next_down(format, value);
    if (!midpoints_are_doubles) return {below, above};
    return {midpoint(below, value),
            std::isinf(above) ? overflow_threshold(format) : midpoint(value, above)};
}

std::string_view safetensors_name(NumberFormat format) { return layout(format).safetensors; }

std::string_view dtype_name(NumberFormat format) { return layout(format).dtype; }

std::string_view full_name(NumberFormat format) { return layout(format).full; }

std::optional<NumberFormat> format_named(std::string_view name) {
    for (const NumberFormat format : number_formats) {
        const Layout& of = layout(format);
        if (name == of.safetensors || name == of.dtype || name == of.full || name == of.framework) {
            return format;
        }
    }
    return std::nullopt;
}

}  // namespace rmsnorm::numeric
