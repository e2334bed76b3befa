// Two texts compared line by line.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>

namespace rmsnorm::report {

/// Where two texts first differ: the byte's line and column, both from 1.
struct Place {
    std::size_t line;
    std::size_t column;
};

std::optional<Place> first_difference(std::string_view golden, std::string_view computed);

/// A unified diff with three lines of context; empty when the texts are the same. It is minimal
/// unless the texts are so long and so different that seeking the least change would be felt: then
/// everything between their common first and last lines is replaced.
std::string unified_diff(const std::string& golden_name, std::string_view golden,
                         const std::string& computed_name, std::string_view computed);

}  // namespace rmsnorm::report
