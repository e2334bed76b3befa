#include "cli/error.hpp"

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

// `text` with its control characters escaped, and its bytes from `first_escaped` on.
std::string escaped_from(unsigned first_escaped, std::string_view text) {
    std::string result;
    for (const char c : text) {
        const auto byte = static_cast<unsigned char>(c);
        if (byte < 0x20 || byte == 0x7f || byte >= first_escaped) {
            result += escaped(byte);
        } else {
            result += c;
        }
    }
    return result;
}

}  // namespace

std::string printable(std::string_view text) { return escaped_from(0x80, text); }

std::string one_line(std::string_view text) { return escaped_from(0x100, text); }

std::string quoted(std::string_view text) {
    constexpr std::size_t longest = 40;
    const bool cut = text.size() > longest;
    return '"' + printable(text.substr(0, longest)) + (cut ? "...\"" : "\"");
}

std::string quoted(const std::string& text) { return quoted(std::string_view(text)); }

}  // namespace rmsnorm::cli
