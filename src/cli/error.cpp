#include "cli/error.hpp"

namespace rmsnorm::cli {

std::string quoted(const std::string& text) {
    constexpr std::size_t most = 40;
    std::string result = "\"";
    for (const char c : text.substr(0, most)) {
        const auto byte = static_cast<unsigned char>(c);
        if (byte < 0x20 || byte >= 0x7f) {
            result += "\\x";
            result += "0123456789abcdef"[byte >> 4];
            result += "0123456789abcdef"[byte & 0xf];
        } else {
            result += c;
        }
    }
    return result + (text.size() > most ? "...\"" : "\"");
}

}  // namespace rmsnorm::cli
