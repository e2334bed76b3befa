// Whole numbers of many digits, for enclosures and decimal text.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>

namespace rmsnorm::numeric {

/// A whole number, not negative, in limbs of 32 bits: 64-bit products are all that a target needs.
/// Its callers keep their numbers below 2^6144; beyond that a std::length_error is thrown.
class Natural {
  public:
    static constexpr std::size_t capacity = 192;

    Natural() = default;
    Natural(std::uint64_t value);
    explicit Natural(std::span<const std::uint32_t> limbs);  // least significant first
    Natural(const Natural& other) { *this = other; }
    Natural& operator=(const Natural& other);

    std::span<const std::uint32_t> limbs() const { return {limbs_, size_}; }
    bool is_zero() const { return size_ == 0; }
    bool is_odd() const { return size_ != 0 && (limbs_[0] & 1) != 0; }
    std::int64_t width() const;  // one more than the place of the leading bit; 0 for zero

    /// Whether a bit below `place` is set.
    bool any_bit_below(std::int64_t place) const;

    /// The leading bits as a number below 2^64 after the last `places` are cut off.
    std::uint64_t leading(std::int64_t places) const;

    friend bool operator==(const Natural& a, const Natural& b) { return compare(a, b) == 0; }
    friend bool operator<(const Natural& a, const Natural& b) { return compare(a, b) < 0; }

    friend Natural operator+(const Natural& a, const Natural& b);
    friend Natural operator-(const Natural& a, const Natural& b);  // a is at least b
    friend Natural operator*(const Natural& a, const Natural& b);
    friend Natural operator<<(const Natural& a, std::int64_t places);
    friend Natural operator>>(const Natural& a, std::int64_t places);

    struct Division;
    /// By a number that is not zero.
    friend Division divided(const Natural& a, const Natural& b);

  private:
    static int compare(const Natural& a, const Natural& b);
    void resize(std::size_t size);  // new limbs hold anything
    void trim();                    // drops leading zeros

    std::size_t size_ = 0;
    std::uint32_t limbs_[capacity];
};

struct Natural::Division {
    Natural quotient;
    Natural remainder;
};

/// `a` / `b` rounded half to even; `b` is not zero.
Natural rounded_quotient(const Natural& a, const Natural& b);

/// The whole part of the square root.
Natural whole_root(const Natural& square);

Natural power_of_ten(int exponent);

std::string decimal_text(Natural value);

/// `whole` * 2^`exponent` * 10^`decimals`, rounded half to even.
Natural rounded_units(const Natural& whole, std::int64_t exponent, int decimals);

}  // namespace rmsnorm::numeric
