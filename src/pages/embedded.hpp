// The files of the pages, which the program carries with it.
#pragma once

#include <span>
#include <string_view>

namespace rmsnorm::pages {

struct EmbeddedFile {
    std::string_view name;  // "parts/vector.html"
    std::string_view bytes;
};

std::span<const EmbeddedFile> embedded_templates();  // src/pages/templates/
std::span<const EmbeddedFile> embedded_explorer();   // src/pages/explore/, without C++

}  // namespace rmsnorm::pages
