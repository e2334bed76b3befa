#include "cli/error.hpp"

#include <cstdint>

namespace rmsnorm::cli {
namespace {

std::string escaped(unsigned char byte) {
    constexpr std::string_view digits = "0123456789abcdef";
    switch (byte) {
        case '\n': return "\\n";
        case '\r': return "\\r";
        case '\t': return "\\t";
        default: return {'\\', 'x', digits[byte >> 4], digits[byte & 0xf]};
    }
}

struct Character {
    std::uint32_t code_point;
    std::size_t bytes;
};

// The character that well-formed UTF-8 begins with; zero bytes for what is not well formed.
Character first_character(std::string_view text) {
    const auto byte = [&](std::size_t i) { return static_cast<std::uint8_t>(text[i]); };
    const std::uint8_t lead = byte(0);
    if (lead < 0x80) return {lead, 1};
    const std::size_t size = lead >= 0xf0 ? 4 : lead >= 0xe0 ? 3 : 2;
    if (lead < 0xc2 || lead > 0xf4 || text.size() < size) return {0, 0};
    std::uint32_t code_point = lead & (0x7fU >> size);
    for (std::size_t i = 1; i < size; ++i) {
        if ((byte(i) & 0xc0U) != 0x80U) return {0, 0};
        code_point = code_point << 6 | (byte(i) & 0x3fU);
    }
    constexpr std::uint32_t least[] = {0, 0, 0x80, 0x800, 0x10000};
    const bool surrogate = code_point >= 0xd800 && code_point <= 0xdfff;
    if (code_point < least[size] || code_point > 0x10ffff || surrogate) return {0, 0};
    return {code_point, size};
}

// Whether a reader sees the character and a terminal does nothing else with it: no control
// character, no space but the ordinary one, nothing invisible or that turns the text's direction.
bool shows(std::uint32_t c) {
    if (c < 0x20 || (c >= 0x7f && c <= 0xa0) || c == 0xad || c == 0x61c || c == 0x1680)
        return false;
    if ((c >= 0x2000 && c <= 0x200f) || (c >= 0x2028 && c <= 0x202f)) return false;
    if ((c >= 0x205f && c <= 0x206f) || c == 0x3000 || c == 0xfeff) return false;
    return c < 0xe0000;
}

}  // namespace

std::string printable(std::string_view text) {
    std::string result;
    while (!text.empty()) {
        const Character character = first_character(text);
        const std::size_t size = character.bytes == 0 ? 1 : character.bytes;
        if (character.bytes > 0 && shows(character.code_point)) {
            result += text.substr(0, size);
        } else {
            for (const char c : text.substr(0, size)) {
                result += escaped(static_cast<unsigned char>(c));
            }
        }
        text.remove_prefix(size);
    }
    return result;
}

std::string quoted(std::string_view text) {
    constexpr std::size_t longest = 40;
    std::size_t kept = 0;
    while (kept < text.size()) {
        const Character character = first_character(text.substr(kept));
        const std::size_t size = character.bytes == 0 ? 1 : character.bytes;
        if (kept + size > longest) break;
        kept += size;
    }
    return '"' + printable(text.substr(0, kept)) + (kept < text.size() ? "...\"" : "\"");
}

std::string quoted(const std::string& text) { return quoted(std::string_view(text)); }

}  // namespace rmsnorm::cli
