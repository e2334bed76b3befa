// Sums of doubles without any rounding: the same whatever the order and the grouping of the terms.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

namespace rmsnorm::numeric {

/// The exact sum of finite doubles, as digits of 32 bits each. Sums of parts add up to the sum of
/// the whole, bit for bit.
class ExactSum {
  public:
    /// Adds a term, which is finite.
    void add(double value);
    void add(const ExactSum& other);

    /// The sum to within 2^-100 of itself, as a double and what is left.
    struct Parts {
        double high = 0;
        double low = 0;
    };
    Parts parts() const;

    /// The sum of `digits[i] * 2^(32 * (first + i) - 1074)`: the last digit is from -2^32 to
    /// 2^32 - 1, each other from 0, and neither end is zero. Equal sums have equal digits.
    struct Digits {
        std::size_t first = 0;
        std::vector<std::int64_t> digits;
        bool operator==(const Digits&) const = default;
    };
    Digits digits() const;
    void add(const Digits& digits);

  private:
    std::int64_t* reach(std::size_t first, std::size_t count);
    void carry();

    std::size_t first_ = 0;
    std::vector<std::int64_t> digits_;
    std::uint32_t terms_ = 0;  // since the last carry
};

}  // namespace rmsnorm::numeric
