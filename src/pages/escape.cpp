#include "pages/escape.hpp"

#include <cstdint>

namespace rmsnorm::pages {

std::string escaped(std::string_view text) {
    std::string result;
    result.reserve(text.size());
    for (const char c : text) {
        const auto byte = static_cast<unsigned char>(c);
        switch (c) {
            case '&': result += "&amp;"; break;
            case '<': result += "&lt;"; break;
            case '>': result += "&gt;"; break;
            case '"': result += "&quot;"; break;
            case '\'': result += "&#39;"; break;
            default:
                if ((byte < 0x20 && c != '\t' && c != '\n') || byte == 0x7f) {
                    result += "\xef\xbf\xbd";
                } else {
                    result += c;
                }
        }
    }
    return result;
}

std::string script_json(std::string_view json) {
    std::string result;
    result.reserve(json.size());
    while (true) {
        const std::size_t end = json.find('<');
        result += json.substr(0, end);
        if (end == std::string_view::npos) return result;
        // JSON has this character in strings only.
        result += "\\u003c";
        json.remove_prefix(end + 1);
    }
}

std::string base64(std::string_view bytes) {
    constexpr std::string_view digits =
        "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    std::string text((bytes.size() + 2) / 3 * 4, '=');
    auto digit = text.begin();
    for (std::size_t i = 0; i < bytes.size(); i += 3) {
        std::uint32_t group = 0;
        for (std::size_t j = 0; j < 3; ++j) {
            const unsigned char byte =
                i + j < bytes.size() ? static_cast<unsigned char>(bytes[i + j]) : 0;
            group = group << 8 | byte;
        }
        for (std::size_t j = 0; j < 4; ++j, ++digit) {
            if (i + j <= bytes.size()) *digit = digits[group >> (18 - 6 * j) & 63];
        }
    }
    return text;
}

}  // namespace rmsnorm::pages
