// Evidence as JSON (docs/json.md).
#pragma once

#include <string>

#include "report/document.hpp"
#include "report/figures.hpp"

namespace rmsnorm::report {

inline constexpr int json_schema_version = 1;

/// UTF-8, two-space indent, keys in their documented order, one final newline. A tensor of more
/// than `most_values` values holds its first ones and says "truncated": true; with Extent::full
/// every tensor says "truncated": false. With a certification each figure of the results tells what
/// it is worth ("error_ulp", "certified"), and "certification" is the summary.
std::string json(const Document& document, Extent extent = Extent::abridged);

}  // namespace rmsnorm::report
