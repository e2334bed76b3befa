// The page of the fixture 25-rmsnorm.
#pragma once

#include <string>
#include <string_view>

#include "report/document.hpp"

namespace rmsnorm::report::html {

inline constexpr std::string_view chapter_heading = "RMSNorm: one vector, there and back";

/// `sweep` is the document of the experiment of that name with the chapter's values.
std::string chapter_page(const Document& chapter, const Document& sweep);

}  // namespace rmsnorm::report::html
