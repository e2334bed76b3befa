#include "numeric/exact_sum.hpp"

#include <algorithm>
#include <cmath>

#include "numeric/bits.hpp"

namespace rmsnorm::numeric {
namespace {

constexpr std::uint64_t digit_mask = 0xffffffff;
constexpr std::int64_t base = std::int64_t{1} << 32;
// A term adds less than 2^33 to a digit of at most 2^32: so many stay below 2^63.
constexpr std::uint32_t most_terms = std::uint32_t{1} << 29;

}  // namespace

void ExactSum::add(double value) {
    const std::uint64_t pattern = bits(value);
    const std::uint64_t fraction = pattern & ((std::uint64_t{1} << 52) - 1);
    const std::uint64_t field = pattern >> 52 & 0x7ff;
    const std::uint64_t significand = field == 0 ? fraction : fraction | std::uint64_t{1} << 52;
    if (significand == 0) return;
    const std::uint64_t shift = field == 0 ? 0 : field - 1;
    const std::uint64_t offset = shift % 32;
    const std::uint64_t low = (significand & digit_mask) << offset;
    const std::uint64_t high = (significand >> 32) << offset;
    const std::int64_t sign = pattern >> 63 == 0 ? 1 : -1;
    if (++terms_ == most_terms) carry();
    std::int64_t* const digit = reach(static_cast<std::size_t>(shift / 32), 3);
    digit[0] += sign * static_cast<std::int64_t>(low & digit_mask);
    digit[1] += sign * static_cast<std::int64_t>((low >> 32) + (high & digit_mask));
    digit[2] += sign * static_cast<std::int64_t>(high >> 32);
}

void ExactSum::add(const ExactSum& other) { add(other.digits()); }

void ExactSum::add(const Digits& digits) {
    if (digits.digits.empty()) return;
    carry();
    std::int64_t* digit = reach(digits.first, digits.digits.size());
    for (const std::int64_t added : digits.digits) *digit++ += added;
    carry();
}

ExactSum::Digits ExactSum::digits() const {
    ExactSum copy = *this;
    copy.carry();
    return {copy.digits_.empty() ? 0 : copy.first_, copy.digits_};
}

ExactSum::Parts ExactSum::parts() const {
    const Digits canonical = digits();
    // Five digits have more than 106 bits even if the first has but one.
    const std::size_t count = canonical.digits.size();
    Parts total;
    for (std::size_t back = 0; back < std::min<std::size_t>(count, 5); ++back) {
        const std::size_t index = count - 1 - back;
        const int exponent = static_cast<int>(32 * (canonical.first + index)) - 1074;
        const double term = std::ldexp(static_cast<double>(canonical.digits[index]), exponent);
        const double sum = total.high + term;
        const double rest = (total.high - sum) + term + total.low;
        total.high = sum + rest;
        total.low = (sum - total.high) + rest;
    }
    return total;
}

// The digits from `first` on, `count` of them, which exist afterwards.
std::int64_t* ExactSum::reach(std::size_t first, std::size_t count) {
    if (digits_.empty()) first_ = first;
    if (first < first_) {
        digits_.insert(digits_.begin(), first_ - first, 0);
        first_ = first;
    }
    digits_.resize(std::max(digits_.size(), first - first_ + count));
    return digits_.data() + (first - first_);
}

// Brings the digits into the form of `Digits`.
void ExactSum::carry() {
    terms_ = 0;
    for (std::size_t index = 0; index < digits_.size(); ++index) {
        std::int64_t& digit = digits_[index];
        const bool last = index + 1 == digits_.size();
        if (last && digit >= -base && digit < base) break;
        // Rounds toward minus infinity.
        const std::int64_t quotient = digit / base - (digit % base < 0 ? 1 : 0);
        digit -= quotient * base;
        if (last) {
            digits_.push_back(quotient);
            break;
        }
        digits_[index + 1] += quotient;
    }
    const auto nonzero =
        std::find_if(digits_.begin(), digits_.end(), [](std::int64_t digit) { return digit != 0; });
    first_ += static_cast<std::size_t>(nonzero - digits_.begin());
    digits_.erase(digits_.begin(), nonzero);
    // As few digits as there can be, so that a sum has one form.
    while (digits_.size() > 1 && (digits_.back() == 0 || digits_.back() == -1)) {
        const std::int64_t top = digits_.back();
        digits_.pop_back();
        digits_.back() += top * base;
    }
    if (digits_.size() == 1 && digits_[0] == -base) {
        digits_[0] = -1;
        ++first_;
    }
}

}  // namespace rmsnorm::numeric
