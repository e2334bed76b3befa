// The explorer: one file whose script computes with the program's own code (docs/explorer.md).
#pragma once

#include <string>
#include <string_view>

#include "report/document.hpp"

namespace rmsnorm::pages {

inline constexpr std::string_view explorer_heading = "Explore RMSNorm";

/// `chapter` is the document of the fixture 25-rmsnorm: what the page shows without scripts, and
/// what its core has to recompute bit for bit before it answers anything.
std::string explorer_page(const report::Document& chapter);

}  // namespace rmsnorm::pages
