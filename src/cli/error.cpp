#include "cli/error.hpp"

namespace rmsnorm::cli {

std::string printable(std::string_view text) {
    constexpr std::string_view digits = "0123456789abcdef";
    std::string result;
    for (const char c : text) {
        const auto byte = static_cast<unsigned char>(c);
        if (c == '\n') {
            result += "\\n";
        } else if (c == '\r') {
            result += "\\r";
        } else if (c == '\t') {
            result += "\\t";
        } else if (byte < 0x20 || byte > 0x7e) {
            result += {'\\', 'x', digits[byte >> 4], digits[byte & 0xf]};
        } else {
            result += c;
        }
    }
    return result;
}

std::string quoted(std::string_view text) {
    constexpr std::size_t longest = 40;
    const bool cut = text.size() > longest;
    return '"' + printable(text.substr(0, longest)) + (cut ? "...\"" : "\"");
}

std::string quoted(const std::string& text) { return quoted(std::string_view(text)); }

}  // namespace rmsnorm::cli
