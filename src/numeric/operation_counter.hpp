// A number that counts the arithmetic done with it.
#pragma once

#include <cmath>
#include <cstdint>

namespace rmsnorm::numeric {

/// Subtractions are counted as additions: they are the same circuit.
struct OperationCounts {
    std::uint64_t multiplications = 0;
    std::uint64_t additions = 0;
    std::uint64_t divisions = 0;
    std::uint64_t square_roots = 0;

    bool operator==(const OperationCounts&) const = default;
};

/// Binary64 with a tally. A result counts where an operand of it counts; a plain constant counts
/// nowhere. The tally must outlive its numbers.
class CountingNumber {
  public:
    explicit CountingNumber(double value, OperationCounts* counts = nullptr)
        : value_(value), counts_(counts) {}

    explicit operator double() const { return value_; }

    friend CountingNumber operator+(CountingNumber a, CountingNumber b) {
        return counted(a.value_ + b.value_, a, b, &OperationCounts::additions);
    }

    friend CountingNumber operator-(CountingNumber a, CountingNumber b) {
        return counted(a.value_ - b.value_, a, b, &OperationCounts::additions);
    }

    friend CountingNumber operator*(CountingNumber a, CountingNumber b) {
        return counted(a.value_ * b.value_, a, b, &OperationCounts::multiplications);
    }

    friend CountingNumber operator/(CountingNumber a, CountingNumber b) {
        return counted(a.value_ / b.value_, a, b, &OperationCounts::divisions);
    }

    friend CountingNumber sqrt(CountingNumber a) {
        return counted(std::sqrt(a.value_), a, a, &OperationCounts::square_roots);
    }

  private:
    static CountingNumber counted(double value, CountingNumber a, CountingNumber b,
                                  std::uint64_t OperationCounts::*tally) {
        OperationCounts* counts = a.counts_ != nullptr ? a.counts_ : b.counts_;
        if (counts != nullptr) ++(counts->*tally);
        return CountingNumber(value, counts);
    }

    double value_;
    OperationCounts* counts_;
};

}  // namespace rmsnorm::numeric
