#include <cstddef>
#include <cstdint>
#include <limits>

#include "numeric/bits.hpp"
#include "numeric/elementary.hpp"
#include "numeric/elementary_phases.hpp"
#include "numeric/tables/log_table.hpp"

namespace rmsnorm::numeric {
namespace {

// Bounds the error of the fast phase relative to its result.
constexpr double fast_error = 0x1p-66;

double log_without_phases(double x) {
    if (x == 0) return -std::numeric_limits<double>::infinity();
    if (x < 0) return std::numeric_limits<double>::quiet_NaN();
    return x + x;  // infinity, or a NaN
}

}  // namespace

double log(double x) {
    if (!log_needs_phases(x)) return log_without_phases(x);
    const FastResult fast = log_fast(x);
    return fast.certain ? fast.value : log_accurate(x);
}

bool log_needs_phases(double x) {
    return bits(x) - 1 < 0x7ff0000000000000U - 1;  // neither zero, negative, infinite nor NaN
}

FastResult log_fast(double x) {
    using namespace tables;
    // x = 2^exponent m, where m is in [0.705, 1.41), which keeps results near zero out of a
    // difference with ln 2. A subnormal number is made normal first.
    std::uint64_t pattern = bits(x);
    int exponent = 0;
    if (pattern < 0x0010000000000000U) {
        pattern = bits(x * 0x1p54);
        exponent = -54;
    }
    const std::uint64_t offset = pattern - log_first_significand;
    const auto octaves = static_cast<std::int32_t>(static_cast<std::int64_t>(offset) >> 52);
    exponent += octaves;
    const std::uint64_t significand = pattern - (offset & 0xfff0000000000000U);
    const LogCell& cell = log_cells[offset >> 44 & 255];

    // r = m / (the cell's centre) - 1, |r| < 2^-8, from the leading 21 bits of m and the rest:
    // every operation up to r is exact, and so is the square of r_high.
    const double m = binary64(significand);
    const double m_high = binary64((significand + 0x80000000U) & 0xffffffff00000000U);
    const double r_high = m_high * cell.inverse - 1;
    const double r_low = (m - m_high) * cell.inverse;
    const double r = r_high + r_low;

    // log x = exponent ln 2 - log inverse + r - r^2/2 + r^3 (1/3 - r/4 + ...). The sum of the
    // largest terms is kept without error as leading + lost.
    const double count = exponent;
    const double table = count * log_ln2_high + cell.log_high;
    const double table_low = count * log_ln2_low + cell.log_low;
    const double with_r = table + r;
    const double half_square = 0.5 * (r_high * r_high);
    const double leading = with_r - half_square;
    const double lost = ((table - with_r) + r) + ((with_r - leading) - half_square);

    const double half_square_low = 0.5 * (r_low * (r + r_high));
    const double square = r * r;
    const auto& c = log_series;
    const double series =
        (c[0] + r * c[1]) +
        square * ((c[2] + r * c[3]) + square * ((c[4] + r * c[5]) + square * c[6]));
    const double trailing = (lost + (table_low - half_square_low)) + (r * square) * series;

    // Rounding is monotonic: where both ends of the error interval round to one number, the exact
    // result rounds to it as well.
    const double error = leading * fast_error;
    const double one_end = leading + (trailing - error);
    const double other_end = leading + (trailing + error);
    return {leading + trailing, one_end == other_end};
}

}  // namespace rmsnorm::numeric
