// Enclosures of real numbers: an interval that is proven to hold the real result of an expression,
// as narrow as the working precision allows.
//
// Every operation rounds its result to the working precision and widens the interval by what the
// operands' intervals and the rounding can do to it. What needs no rounding stays one number.
// docs/certify.md has the bounds and their sources.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "numeric/error_bound.hpp"
#include "numeric/natural.hpp"

namespace rmsnorm::numeric {

class Enclosure {
  public:
    static constexpr int least_bits = 128;

    /// The finite `value`, exactly. An operation works with the larger precision of its operands,
    /// at most 1024 bits.
    Enclosure(double value, int bits = least_bits);

    /// Whether there is an interval at all. There is none after a division by an enclosure of zero,
    /// a root of a negative number, the logarithm of an enclosure that is not positive, or the
    /// exponential of one beyond 2^20.
    bool bounded() const { return bounded_; }

    bool is_zero() const { return bounded_ && middle_.is_zero() && radius_.is_zero(); }
    bool is_positive() const;  // every number in the interval

    /// The same interval, for operations of another precision.
    Enclosure at(int bits) const;

    friend Enclosure operator+(const Enclosure& a, const Enclosure& b);
    friend Enclosure operator-(const Enclosure& a, const Enclosure& b);
    friend Enclosure operator*(const Enclosure& a, const Enclosure& b);
    friend Enclosure operator/(const Enclosure& a, const Enclosure& b);

    /// Times 2^`places`.
    friend Enclosure scaled(Enclosure a, std::int64_t places);
    friend Enclosure abs(const Enclosure& a);
    friend Enclosure max(const Enclosure& a, const Enclosure& b);
    /// Of a number that is known not to be negative; its enclosure may begin below zero.
    friend Enclosure sqrt(const Enclosure& a);

    /// `matrix * vector`, the matrix row by row.
    friend std::vector<Enclosure> product(std::span<const float> matrix,
                                          std::span<const Enclosure> vector);

    /// The real number's distance from the finite `value` is at most this.
    double distance_bound(double value) const;

    /// And at least this.
    double least_distance(double value) const;

    /// The real number's distance from `value` in units of 2^`place`, to two significant digits;
    /// below 2^-40 it counts as zero. Nothing when the enclosure is too wide to tell.
    std::optional<double> distance(double value, int place) const;

    /// How far the fixed decimals of `value` are from those of the real number, both rounded half
    /// to even after `decimals` decimals, in units of the last one; -2 rounds to hundreds. Nothing
    /// when the enclosure holds numbers that round differently.
    std::optional<std::uint64_t> units_off(double value, int decimals) const;

    /// The lower and the upper end in decimal scientific notation, rounded outwards to `digits`
    /// significant digits; "unbounded" where there is no interval.
    std::string low(int digits) const;
    std::string high(int digits) const;

    /// The numbers within `by` of those in `a`.
    friend Enclosure widened(Enclosure a, const ErrorBound& by);
    friend ErrorBound magnitude(const Enclosure& a);  // of every number in it, at most

    friend Enclosure exp(const Enclosure& a);
    friend Enclosure log(const Enclosure& a);

  private:
    // One end of the interval: (-1)^negative whole 2^exponent.
    struct End {
        bool negative;
        Natural whole;
        std::int64_t exponent;
    };

    Enclosure() = default;
    static Enclosure rounded(bool negative, Natural middle, std::int64_t exponent,
                             ErrorBound radius, int bits);
    static Enclosure unbounded(int bits);
    static Enclosure sum(const Enclosure& a, const Enclosure& b, bool subtract);
    End end(bool high) const;

    // The real number is within the radius of (-1)^negative middle 2^exponent.
    bool negative_ = false;
    bool bounded_ = true;
    int bits_ = least_bits;
    std::int64_t exponent_ = 0;
    Natural middle_;
    ErrorBound radius_;
};

Enclosure exp(const Enclosure& a);
Enclosure log(const Enclosure& a);

Enclosure sum(std::span<const Enclosure> values);

/// The exact numbers, for operations of this precision.
std::vector<Enclosure> enclosures(std::span<const double> values, int bits);
std::vector<Enclosure> enclosures(std::span<const float> values, int bits);

}  // namespace rmsnorm::numeric
