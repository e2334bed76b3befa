#include "numeric/bits.hpp"

namespace rmsnorm::numeric {
namespace {

std::string hex_digits(std::uint64_t pattern, unsigned digits) {
    std::string text(digits, '0');
    for (unsigned place = digits; place > 0; --place) {
        text[place - 1] = "0123456789abcdef"[pattern & 0xf];
        pattern >>= 4;
    }
    return text;
}

}  // namespace

std::string hex(double value) { return hex_digits(bits(value), 16); }

std::string hex(float value) { return hex_digits(bits(value), 8); }

}  // namespace rmsnorm::numeric
