#include <cstdio>
#include <cstdlib>

#include "numeric/decimal_conversion.hpp"

namespace rmsnorm::numeric::by_c_library {
namespace {

std::string printed(const char* format, int precision, double value) {
    std::string text(400 + static_cast<std::size_t>(precision), '\0');
    const int length = std::snprintf(text.data(), text.size(), format, precision, value);
    text.resize(static_cast<std::size_t>(length));
    return text;
}

// The next decimal away from zero with as many digits; `text` itself when that takes another digit.
std::string incremented(std::string text) {
    std::size_t place = text.find('e');
    std::string unchanged = text;
    while (place-- > 0) {
        if (text[place] == '.') continue;
        if (text[place] == '-') break;
        if (text[place] != '9') {
            ++text[place];
            return text;
        }
        text[place] = '0';
    }
    return unchanged;
}

}  // namespace

std::string fixed(double value, int decimals) { return printed("%.*f", decimals, value); }

std::string scientific(double value) {
    for (int decimals = 0; decimals < 17; ++decimals) {
        std::string closest = printed("%.*e", decimals, value);
        if (std::strtod(closest.c_str(), nullptr) == value) return closest;
        // Numbers are half as dense above a power of two as below it, so that a decimal above may
        // read back when a closer one below does not.
        std::string above = incremented(closest);
        if (std::strtod(above.c_str(), nullptr) == value) return above;
    }
    return printed("%.*e", 16, value);  // 17 digits always read back, so this is not reached
}

std::string scientific(double value, int decimals) { return printed("%.*e", decimals, value); }

double nearest(std::string_view text) { return std::strtod(std::string(text).c_str(), nullptr); }

}  // namespace rmsnorm::numeric::by_c_library
