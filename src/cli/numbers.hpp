// Single numbers that options take.
#pragma once

#include <cstddef>
#include <string>

namespace rmsnorm::cli {

enum class Range { finite, nonnegative, positive };

/// The nearest binary64; not zero for a number that is not zero. Throws InputError, which names
/// `option`, what was found and the range.
double parse_number(const std::string& option, const std::string& text, Range range);

/// A whole number from `least` to `most` in decimal digits. Throws InputError.
std::size_t parse_count(const std::string& option, const std::string& text, std::size_t least,
                        std::size_t most);

/// "a finite number above 0".
std::string described(Range range);

bool within(double value, Range range);

}  // namespace rmsnorm::cli
