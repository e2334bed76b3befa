// The page of the fixture exhibit-rmsnorm.
#pragma once

#include <string>

#include "evidence/exhibit/exhibit.hpp"

namespace rmsnorm::report::html {

/// `manifest` is the exhibit's own JSON, which the page offers as a file.
std::string exhibit_page(const evidence::Exhibit& exhibit, const std::string& manifest);

}  // namespace rmsnorm::report::html
