#include "numeric/utf8.hpp"

namespace rmsnorm::numeric {

std::optional<Character> first_character(std::string_view text) {
    const auto byte = [&](std::size_t i) { return static_cast<std::uint8_t>(text[i]); };
    const std::uint8_t lead = byte(0);
    if (lead < 0x80) return Character{lead, 1};
    const std::size_t size = lead >= 0xf0 ? 4 : lead >= 0xe0 ? 3 : 2;
    if (lead < 0xc2 || lead > 0xf4 || text.size() < size) return std::nullopt;
    std::uint32_t code_point = lead & (0x7fU >> size);
    for (std::size_t i = 1; i < size; ++i) {
        if ((byte(i) & 0xc0U) != 0x80U) return std::nullopt;
        code_point = code_point << 6 | (byte(i) & 0x3fU);
    }
    constexpr std::uint32_t least[] = {0, 0, 0x80, 0x800, 0x10000};
    const bool surrogate = code_point >= 0xd800 && code_point <= 0xdfff;
    if (code_point < least[size] || code_point > 0x10ffff || surrogate) return std::nullopt;
    return Character{code_point, size};
}

}  // namespace rmsnorm::numeric
