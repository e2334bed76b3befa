// The files of src/pages/templates/, which the program carries with it.
#pragma once

#include <span>
#include <string_view>

namespace rmsnorm::pages {

struct EmbeddedFile {
    std::string_view name;  // "parts/vector.html"
    std::string_view bytes;
};

std::span<const EmbeddedFile> embedded_templates();

}  // namespace rmsnorm::pages
