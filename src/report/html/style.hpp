// How the pages look: one style sheet, within each page.
#pragma once

#include <string_view>

namespace rmsnorm::report::html {

std::string_view style();

}  // namespace rmsnorm::report::html
