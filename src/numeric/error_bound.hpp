// Upper bounds of errors: 32 significant bits, an exponent without limit, and every operation
// rounded up.
#pragma once

#include <cstdint>

#include "numeric/natural.hpp"

namespace rmsnorm::numeric {

/// mantissa * 2^exponent: zero, or a mantissa from 2^31 to 2^32.
struct ErrorBound {
    std::uint64_t mantissa = 0;
    std::int64_t exponent = 0;

    bool is_zero() const { return mantissa == 0; }
};

ErrorBound at_most(std::uint64_t mantissa, std::int64_t exponent);
ErrorBound power_of_two(std::int64_t exponent);

ErrorBound operator+(const ErrorBound& a, const ErrorBound& b);
ErrorBound operator*(const ErrorBound& a, const ErrorBound& b);

/// Divided by a lower bound that is not zero.
ErrorBound operator/(const ErrorBound& a, const ErrorBound& b);

bool operator<(const ErrorBound& a, const ErrorBound& b);

/// The leading bits of `value` 2^exponent: what it is at most, and at least.
ErrorBound upper_bound(const Natural& value, std::int64_t exponent);
ErrorBound lower_bound(const Natural& value, std::int64_t exponent);

/// At most a - b, or zero where that is negative.
ErrorBound lower_difference(const ErrorBound& a, const ErrorBound& b);

/// Rounded up; infinite beyond binary64's range.
double to_binary64(const ErrorBound& bound);

}  // namespace rmsnorm::numeric
