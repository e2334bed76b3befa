#include <algorithm>
#include <cmath>

#include "numeric/elementary.hpp"
#include "numeric/enclosure.hpp"

namespace rmsnorm::numeric {
namespace {

// Carried beside the working precision.
constexpr int guard_bits = 32;

// ln 2 = 2 artanh(1/3) = 2/3 (1 + 1/(3 9) + 1/(5 9^2) + ...); the terms left out are together less
// than the last power.
Enclosure ln2(int bits) {
    Enclosure power = Enclosure(2, bits) / Enclosure(3, bits);
    Enclosure total(0, bits);
    for (int n = 1; n < bits; n += 2) {
        total = total + power / Enclosure(n);
        power = power / Enclosure(9);
    }
    return widened(total, magnitude(power));
}

}  // namespace

// e^x = 2^count (e^r)^(2^halvings) with r = (x - count ln 2) / 2^halvings, |r| < 2^-8; the terms of
// the series left out are together less than the last one.
Enclosure exp(const Enclosure& x) {
    constexpr int halvings = 12;
    const int bits = x.bits_ + guard_bits;
    if (!x.bounded_ || !(magnitude(x) < power_of_two(20))) return Enclosure::unbounded(x.bits_);
    const double near = (x.negative_ ? -1 : 1) * to_binary64(lower_bound(x.middle_, x.exponent_));
    const double count = std::floor(near * 0x1.71547652b82fep+0 + 0.5);
    const Enclosure r = scaled(x.at(bits) - Enclosure(count) * ln2(bits), -halvings);
    if (!(magnitude(r) < power_of_two(-8))) return Enclosure::unbounded(x.bits_);
    Enclosure term(1, bits);
    Enclosure total = term;
    for (int n = 1; n * 8 < bits + 8; ++n) {
        term = term * r / Enclosure(n);
        total = total + term;
    }
    total = widened(total, magnitude(term));
    for (int i = 0; i < halvings; ++i) total = total * total;
    total = scaled(total, static_cast<std::int64_t>(count));
    return Enclosure::rounded(total.negative_, total.middle_, total.exponent_, total.radius_,
                              x.bits_);
}

// log(2^e m) = e ln 2 + y + log(1 + z), where y is near log m and z = m e^-y - 1, |z| < 2^-8; the
// terms of the series left out are together less than the last power.
Enclosure log(const Enclosure& x) {
    if (!x.is_positive()) return Enclosure::unbounded(x.bits_);
    const int bits = x.bits_ + guard_bits;
    const std::int64_t exponent = x.middle_.width() + x.exponent_;
    const Enclosure m = scaled(x.at(bits), -exponent);
    const Enclosure y(log(to_binary64(lower_bound(m.middle_, m.exponent_))), bits);
    const Enclosure z = m * exp(Enclosure(0, bits) - y) - Enclosure(1);
    if (!(magnitude(z) < power_of_two(-8))) return Enclosure::unbounded(x.bits_);
    Enclosure power = z;
    Enclosure series(0, bits);
    for (int n = 1; n * 8 < bits + 8; ++n) {
        const Enclosure term = power / Enclosure(n);
        series = n % 2 == 1 ? series + term : series - term;
        power = power * z;
    }
    const Enclosure total = Enclosure(static_cast<double>(exponent)) * ln2(bits) + y +
                            widened(series, magnitude(power));
    return Enclosure::rounded(total.negative_, total.middle_, total.exponent_, total.radius_,
                              x.bits_);
}

}  // namespace rmsnorm::numeric
