// Numbers as a person writes them, in options and in files.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "evidence/input.hpp"

namespace rmsnorm::cli {

using evidence::described;
using evidence::Range;
using evidence::within;

/// The nearest binary64; not zero for a number that is not zero. Throws InputError, which names
/// `option`, what was found and the range.
double parse_number(const std::string& option, const std::string& text, Range range);

/// A whole number from `least` to `most` in decimal digits. Throws InputError.
std::size_t parse_count(const std::string& option, const std::string& text, std::uint64_t least,
                        std::uint64_t most);

/// The number that decimal digits alone are; nothing for any other text, or too many digits.
std::optional<std::size_t> whole_number(std::string_view text);

/// The nearest binary64 of one number among others. Nothing for what is no finite decimal number,
/// for one that is not zero and would become it, and for zeros in front of a number (000 or 00.5),
/// which a thousands separator leaves behind where a comma ends a number.
std::optional<double> decimal_number(std::string_view token);

/// Throws the InputError that says why `decimal_number` takes no such token.
[[noreturn]] void refuse_number(std::string origin, std::string place, std::string_view token);

/// Whether a number has such zeros in front.
bool has_spare_zeros(std::string_view token);

}  // namespace rmsnorm::cli
