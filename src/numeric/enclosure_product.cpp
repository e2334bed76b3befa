#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <limits>

#include "numeric/bits.hpp"
#include "numeric/enclosure.hpp"

namespace rmsnorm::numeric {
namespace {

using Limbs = std::vector<std::uint32_t>;

// The number of trailing zeros that a finite number, not zero, may lose: it is an odd number times
// 2^place.
int last_place(float value) {
    const std::uint32_t pattern = bits(value);
    const auto field = static_cast<int>(pattern >> 23 & 0xff);
    const std::uint32_t fraction = pattern & 0x7fffffU;
    return std::countr_zero(field == 0 ? fraction : fraction | 1U << 23) + std::max(field, 1) - 150;
}

int last_place(std::span<const float> values) {
    int last = std::numeric_limits<int>::max();
    for (const float value : values) {
        if (value != 0) last = std::min(last, last_place(value));
    }
    return last;
}

// As many as the largest precision takes, and places beside it.
constexpr std::size_t most_limbs = 40;

// Sums of limbs times weights below 2^24: 64 bits hold 256 of them without a carry.
class LimbSums {
  public:
    explicit LimbSums(std::size_t limbs) : limbs_(limbs) {}

    void add(const std::uint32_t* limbs, std::uint64_t weight) {
        if (++terms_ == 256) carry();
        for (std::size_t i = 0; i < limbs_; ++i) sums_[i] += limbs[i] * weight;
    }

    Natural total() {
        carry();
        return total_;
    }

  private:
    void carry() {
        std::array<std::uint32_t, most_limbs + 2> limbs;
        std::uint64_t carry = 0;
        for (std::size_t i = 0; i < limbs_; ++i) {
            const std::uint64_t low = (sums_[i] & 0xffffffffU) + (carry & 0xffffffffU);
            limbs[i] = static_cast<std::uint32_t>(low);
            carry = (sums_[i] >> 32) + (carry >> 32) + (low >> 32);
            sums_[i] = 0;
        }
        limbs[limbs_] = static_cast<std::uint32_t>(carry);
        limbs[limbs_ + 1] = static_cast<std::uint32_t>(carry >> 32);
        total_ = total_ + Natural(std::span(limbs.data(), limbs_ + 2));
        terms_ = 0;
    }

    std::size_t limbs_;
    std::array<std::uint64_t, most_limbs> sums_{};
    Natural total_;
    int terms_ = 0;
};

}  // namespace

// All entries get one exponent, and the products of a row are added as whole numbers.
std::vector<Enclosure> product(std::span<const float> matrix, std::span<const Enclosure> vector) {
    int bits = Enclosure::least_bits;
    bool bounded = true;
    std::int64_t top = std::numeric_limits<std::int64_t>::min();
    std::int64_t exponent = std::numeric_limits<std::int64_t>::max();
    for (const Enclosure& entry : vector) {
        bits = std::max(bits, entry.bits_);
        bounded = bounded && entry.bounded_;
        if (entry.middle_.is_zero()) continue;
        top = std::max(top, entry.middle_.width() + entry.exponent_);
        exponent = std::min(exponent, entry.exponent_);
    }
    const bool all_zero = top == std::numeric_limits<std::int64_t>::min();
    exponent = all_zero ? 0 : std::max(exponent, top - bits);
    const std::size_t count = all_zero ? 0 : static_cast<std::size_t>((top - exponent + 31) / 32);
    Limbs entries(count * vector.size());
    ErrorBound radius;
    for (std::size_t j = 0; j < vector.size(); ++j) {
        const Enclosure& entry = vector[j];
        ErrorBound own = entry.radius_;
        if (!entry.middle_.is_zero()) {
            const std::int64_t left = entry.exponent_ - exponent;
            if (left < 0 && entry.middle_.any_bit_below(-left)) own = own + power_of_two(exponent);
            const Natural aligned = left < 0 ? entry.middle_ >> -left : entry.middle_ << left;
            std::copy(aligned.limbs().begin(), aligned.limbs().end(), entries.data() + j * count);
        }
        if (radius < own) radius = own;
    }
    std::vector<Enclosure> results;
    for (std::size_t start = 0; start < matrix.size(); start += vector.size()) {
        const auto row = matrix.subspan(start, vector.size());
        const int last = last_place(row);
        const double unit = std::ldexp(1.0, -last);
        LimbSums positive(count);
        LimbSums negative(count);
        Enclosure rest(0, bits);  // of weights with more bits
        double weights = 0;
        for (std::size_t j = 0; j < row.size(); ++j) {
            if (row[j] == 0) continue;
            const double size = std::fabs(static_cast<double>(row[j]));
            weights += size;
            const double whole = size * unit;
            if (whole < 0x1p24) {
                const bool minus = (row[j] < 0) != vector[j].negative_;
                (minus ? negative : positive)
                    .add(entries.data() + j * count, static_cast<std::uint32_t>(whole));
            } else {
                rest = rest + Enclosure(static_cast<double>(row[j]), bits) * vector[j];
            }
        }
        // A sum of n magnitudes in binary64 is off by less than one part in 2^53 a term.
        const double at_most = weights * (1 + 0x1p-20);
        const Enclosure bound(at_most, bits);
        const Natural plus = positive.total();
        const Natural minus = negative.total();
        const bool below = plus < minus;
        const Enclosure sum = Enclosure::rounded(below, below ? minus - plus : plus - minus,
                                                 exponent + last, magnitude(bound) * radius, bits);
        results.push_back(bounded ? sum + rest : Enclosure::unbounded(bits));
    }
    return results;
}

}  // namespace rmsnorm::numeric
