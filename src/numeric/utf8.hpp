// The characters of UTF-8 text.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string_view>

namespace rmsnorm::numeric {

struct Character {
    std::uint32_t code_point;
    std::size_t bytes;
};

/// The character at the start of `text`, which is not empty; nothing for an ill-formed sequence
/// (Unicode, table 3-7).
std::optional<Character> first_character(std::string_view text);

}  // namespace rmsnorm::numeric
