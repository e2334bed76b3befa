// Values and shapes written in a command-line argument: `3,4`.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "cli/values/values.hpp"

namespace rmsnorm::cli {

/// Decimal numbers separated by commas, each the nearest binary64; spaces around one are allowed.
/// The shape is [n]. Throws `ValuesError` that names the element and its column.
Values parse_list(std::string_view origin, std::string_view text, const Limits& limits = {});

/// Whole numbers from 1 separated by commas (`2,8` or `[2, 8]`), whose product fits in
/// `std::size_t`. Throws `ValuesError`.
std::vector<std::size_t> parse_shape(std::string_view origin, std::string_view text);

/// The list with spaces in the place of brackets around it, so that its columns stay what they are.
std::string without_brackets(std::string_view list);

}  // namespace rmsnorm::cli
