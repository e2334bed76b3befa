// The page of the fixture exhibit-rmsnorm.
#pragma once

#include <string>
#include <string_view>

#include "evidence/exhibit/exhibit.hpp"

namespace rmsnorm::report::html {

inline constexpr std::string_view exhibit_heading = "LayerNorm against RMSNorm";

/// `manifest` is the exhibit's own JSON, which the page offers as a file.
std::string exhibit_page(const evidence::Exhibit& exhibit, const std::string& manifest);

}  // namespace rmsnorm::report::html
