#include "numeric/natural.hpp"

#include <algorithm>
#include <bit>
#include <cmath>
#include <stdexcept>

namespace rmsnorm::numeric {
namespace {

constexpr int limb_bits = 32;

std::size_t limb_at(std::int64_t place) { return static_cast<std::size_t>(place / limb_bits); }

}  // namespace

Natural::Natural(std::uint64_t value) {
    resize(2);
    limbs_[0] = static_cast<std::uint32_t>(value);
    limbs_[1] = static_cast<std::uint32_t>(value >> limb_bits);
    trim();
}

Natural::Natural(std::span<const std::uint32_t> limbs) {
    resize(limbs.size());
    std::copy(limbs.begin(), limbs.end(), limbs_);
    trim();
}

Natural& Natural::operator=(const Natural& other) {
    if (this == &other) return *this;
    size_ = other.size_;
    std::copy_n(other.limbs_, size_, limbs_);
    return *this;
}

std::int64_t Natural::width() const {
    if (size_ == 0) return 0;
    return static_cast<std::int64_t>(size_ - 1) * limb_bits + std::bit_width(limbs_[size_ - 1]);
}

bool Natural::any_bit_below(std::int64_t place) const {
    if (place <= 0) return false;
    const std::size_t whole = limb_at(place);
    for (std::size_t i = 0; i < std::min(whole, size_); ++i) {
        if (limbs_[i] != 0) return true;
    }
    return whole < size_ && (limbs_[whole] & ((std::uint32_t{1} << (place % limb_bits)) - 1)) != 0;
}

std::uint64_t Natural::leading(std::int64_t places) const {
    const std::size_t whole = limb_at(places);
    const int offset = static_cast<int>(places % limb_bits);
    const auto limb = [&](std::size_t i) -> std::uint64_t { return i < size_ ? limbs_[i] : 0; };
    const std::uint64_t low = limb(whole) | limb(whole + 1) << limb_bits;
    return offset == 0 ? low : low >> offset | limb(whole + 2) << (64 - offset);
}

Natural operator+(const Natural& a, const Natural& b) {
    const Natural& longer = a.size_ >= b.size_ ? a : b;
    const Natural& shorter = a.size_ >= b.size_ ? b : a;
    Natural total;
    total.resize(longer.size_ + 1);
    std::uint64_t carry = 0;
    for (std::size_t i = 0; i < longer.size_; ++i) {
        carry += std::uint64_t{longer.limbs_[i]} + (i < shorter.size_ ? shorter.limbs_[i] : 0);
        total.limbs_[i] = static_cast<std::uint32_t>(carry);
        carry >>= limb_bits;
    }
    total.limbs_[longer.size_] = static_cast<std::uint32_t>(carry);
    total.trim();
    return total;
}

Natural operator-(const Natural& a, const Natural& b) {
    Natural difference;
    difference.resize(a.size_);
    std::uint64_t borrow = 0;
    for (std::size_t i = 0; i < a.size_; ++i) {
        const std::uint64_t digits =
            std::uint64_t{a.limbs_[i]} - (i < b.size_ ? b.limbs_[i] : 0) - borrow;
        difference.limbs_[i] = static_cast<std::uint32_t>(digits);
        borrow = digits >> 63;
    }
    difference.trim();
    return difference;
}

Natural operator*(const Natural& a, const Natural& b) {
    Natural product;
    product.resize(a.size_ + b.size_);
    std::fill_n(product.limbs_, b.size_, 0U);
    for (std::size_t i = 0; i < a.size_; ++i) {
        std::uint64_t carry = 0;
        for (std::size_t j = 0; j < b.size_; ++j) {
            carry += std::uint64_t{a.limbs_[i]} * b.limbs_[j] + product.limbs_[i + j];
            product.limbs_[i + j] = static_cast<std::uint32_t>(carry);
            carry >>= limb_bits;
        }
        product.limbs_[i + b.size_] = static_cast<std::uint32_t>(carry);
    }
    product.trim();
    return product;
}

Natural operator<<(const Natural& a, std::int64_t places) {
    if (a.is_zero()) return a;
    const std::size_t whole = limb_at(places);
    const int offset = static_cast<int>(places % limb_bits);
    Natural moved;
    moved.resize(a.size_ + whole + 1);
    std::fill_n(moved.limbs_, whole, 0U);
    std::uint64_t carry = 0;
    for (std::size_t i = 0; i < a.size_; ++i) {
        carry |= std::uint64_t{a.limbs_[i]} << offset;
        moved.limbs_[i + whole] = static_cast<std::uint32_t>(carry);
        carry >>= limb_bits;
    }
    moved.limbs_[a.size_ + whole] = static_cast<std::uint32_t>(carry);
    moved.trim();
    return moved;
}

Natural operator>>(const Natural& a, std::int64_t places) {
    const std::size_t whole = limb_at(places);
    const int offset = static_cast<int>(places % limb_bits);
    Natural moved;
    if (whole >= a.size_) return moved;
    moved.resize(a.size_ - whole);
    for (std::size_t i = whole; i < a.size_; ++i) {
        const std::uint64_t pair =
            a.limbs_[i] | (i + 1 < a.size_ ? std::uint64_t{a.limbs_[i + 1]} << limb_bits : 0);
        moved.limbs_[i - whole] = static_cast<std::uint32_t>(pair >> offset);
    }
    moved.trim();
    return moved;
}

// D. E. Knuth, The Art of Computer Programming, volume 2, 4.3.1, algorithm D.
Natural::Division divided(const Natural& a, const Natural& b) {
    if (a < b) return {{}, a};
    const int offset = std::countl_zero(b.limbs_[b.size_ - 1]);
    const Natural divisor = b << offset;
    Natural rest = a << offset;
    const std::size_t size = divisor.size_;
    const std::size_t steps = a.size_ - size + 1;
    const std::size_t filled = rest.size_;
    rest.resize(a.size_ + 1);
    std::fill(rest.limbs_ + filled, rest.limbs_ + rest.size_, 0U);
    Natural quotient;
    quotient.resize(steps);
    const std::uint64_t first = divisor.limbs_[size - 1];
    const std::uint64_t second = size > 1 ? divisor.limbs_[size - 2] : 0;
    for (std::size_t j = steps; j-- > 0;) {
        const std::uint64_t top =
            std::uint64_t{rest.limbs_[j + size]} << limb_bits | rest.limbs_[j + size - 1];
        std::uint64_t digit = top / first;
        std::uint64_t left = top % first;
        const std::uint64_t next = size > 1 ? rest.limbs_[j + size - 2] : 0;
        while (digit >> limb_bits != 0 || digit * second > (left << limb_bits | next)) {
            --digit;
            left += first;
            if (left >> limb_bits != 0) break;
        }
        std::uint64_t carry = 0;
        std::uint64_t borrow = 0;
        for (std::size_t i = 0; i < size; ++i) {
            carry += digit * divisor.limbs_[i];
            const std::uint64_t digits =
                std::uint64_t{rest.limbs_[j + i]} - (carry & 0xffffffffU) - borrow;
            rest.limbs_[j + i] = static_cast<std::uint32_t>(digits);
            borrow = digits >> 63;
            carry >>= limb_bits;
        }
        const std::uint64_t digits = std::uint64_t{rest.limbs_[j + size]} - carry - borrow;
        rest.limbs_[j + size] = static_cast<std::uint32_t>(digits);
        if (digits >> 63 != 0) {  // the digit was one too large
            --digit;
            carry = 0;
            for (std::size_t i = 0; i < size; ++i) {
                carry += std::uint64_t{rest.limbs_[j + i]} + divisor.limbs_[i];
                rest.limbs_[j + i] = static_cast<std::uint32_t>(carry);
                carry >>= limb_bits;
            }
            rest.limbs_[j + size] += static_cast<std::uint32_t>(carry);
        }
        quotient.limbs_[j] = static_cast<std::uint32_t>(digit);
    }
    quotient.trim();
    rest.trim();
    return {quotient, rest >> offset};
}

int Natural::compare(const Natural& a, const Natural& b) {
    if (a.size_ != b.size_) return a.size_ < b.size_ ? -1 : 1;
    for (std::size_t i = a.size_; i-- > 0;) {
        if (a.limbs_[i] != b.limbs_[i]) return a.limbs_[i] < b.limbs_[i] ? -1 : 1;
    }
    return 0;
}

void Natural::resize(std::size_t size) {
    if (size > capacity) throw std::length_error("a whole number has more digits than it may");
    size_ = size;
}

void Natural::trim() {
    while (size_ > 0 && limbs_[size_ - 1] == 0) --size_;
}

Natural rounded_quotient(const Natural& a, const Natural& b) {
    const auto [kept, rest] = divided(a, b);
    const Natural twice = rest << 1;
    return b < twice || (b == twice && kept.is_odd()) ? kept + 1 : kept;
}

Natural whole_root(const Natural& square) {
    const std::int64_t cut = std::max<std::int64_t>(0, (square.width() - 51) / 2 * 2);
    const auto top = static_cast<double>(square.leading(cut) + 1);
    Natural root = Natural(static_cast<std::uint64_t>(std::sqrt(top)) + 1) << cut / 2;
    // Newton's iteration falls from a start above the root, and stops at its whole part.
    while (!root.is_zero()) {
        const Natural next = (root + divided(square, root).quotient) >> 1;
        if (!(next < root)) break;
        root = next;
    }
    return root;
}

Natural power_of_ten(int exponent) {
    Natural power = 1;
    for (; exponent >= 9; exponent -= 9) power = power * 1000000000;
    for (; exponent > 0; --exponent) power = power * 10;
    return power;
}

std::string decimal_text(Natural value) {
    std::string text;
    while (!value.is_zero()) {
        const Natural::Division by_ten = divided(value, 10);
        text.push_back(static_cast<char>('0' + by_ten.remainder.leading(0)));
        value = by_ten.quotient;
    }
    std::reverse(text.begin(), text.end());
    return text.empty() ? "0" : text;
}

Natural rounded_units(const Natural& whole, std::int64_t exponent, int decimals) {
    if (decimals < 0) {
        return rounded_quotient(whole << std::max<std::int64_t>(0, exponent),
                                power_of_ten(-decimals) << std::max<std::int64_t>(0, -exponent));
    }
    const Natural units = whole * power_of_ten(decimals);
    if (exponent >= 0) return units << exponent;
    const Natural kept = units >> -exponent;
    const bool half = (units >> (-exponent - 1)).is_odd();
    const bool more = kept.is_odd() || units.any_bit_below(-exponent - 1);
    return half && more ? kept + 1 : kept;
}

}  // namespace rmsnorm::numeric
