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

std::size_t differing_bits(std::span<const double> a, std::span<const double> b) {
    std::size_t count = 0;
    for (std::size_t i = 0; i < a.size(); ++i) count += same_bits(a[i], b[i]) ? 0 : 1;
    return count;
}

std::string hex(double value) { return hex_digits(bits(value), 16); }

std::string hex(float value) { return hex_digits(bits(value), 8); }

}  // namespace rmsnorm::numeric
