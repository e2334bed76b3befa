#include "cli/error.hpp"

#include <cstdint>
#include <utility>

#include "numeric/utf8.hpp"

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

// Whether a reader sees the character and a terminal does nothing else with it: no control
// character, no space but the ordinary one, nothing invisible or that turns the text's direction.
bool shows(std::uint32_t c) {
    if (c < 0x20 || (c >= 0x7f && c <= 0xa0) || c == 0xad || c == 0x61c || c == 0x1680)
        return false;
    if ((c >= 0x2000 && c <= 0x200f) || (c >= 0x2028 && c <= 0x202f)) return false;
    if ((c >= 0x205f && c <= 0x206f) || c == 0x3000 || c == 0xfeff) return false;
    return c < 0xe0000;
}

std::string message(const Refusal& refusal) {
    std::string text = printable(refusal.origin) + ": ";
    if (!refusal.place.empty()) text += refusal.place + ": ";
    return text + "found " + refusal.found + "; accepted: " + refusal.accepted;
}

}  // namespace

InputError::InputError(const Refusal& refusal) : std::runtime_error(message(refusal)) {}

void refuse(std::string_view origin, std::string place, std::string found, std::string accepted) {
    throw InputError(
        {std::string(origin), std::move(place), std::move(found), std::move(accepted)});
}

std::string printable(std::string_view text) {
    std::string result;
    while (!text.empty()) {
        const auto character = numeric::first_character(text);
        const std::size_t size = character ? character->bytes : 1;
        if (character && shows(character->code_point)) {
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
        const auto character = numeric::first_character(text.substr(kept));
        const std::size_t size = character ? character->bytes : 1;
        if (kept + size > longest) break;
        kept += size;
    }
    return '"' + printable(text.substr(0, kept)) + (kept < text.size() ? "...\"" : "\"");
}

std::string quoted(const std::string& text) { return quoted(std::string_view(text)); }

}  // namespace rmsnorm::cli
