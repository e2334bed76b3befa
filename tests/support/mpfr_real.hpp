// Real numbers by MPFR at 500 bits, rounded to nearest in every operation.
#pragma once

#include <mpfr.h>

#include <string>

class Real {
  public:
    Real(double value = 0) {
        mpfr_init2(value_, 500);
        mpfr_set_d(value_, value, MPFR_RNDN);
    }
    Real(const std::string& text, mpfr_rnd_t rounding) : Real() {
        mpfr_set_str(value_, text.c_str(), 10, rounding);
    }
    Real(const Real& other) : Real() { mpfr_set(value_, other.value_, MPFR_RNDN); }
    Real& operator=(const Real& other) {
        mpfr_set(value_, other.value_, MPFR_RNDN);
        return *this;
    }
    ~Real() { mpfr_clear(value_); }

    mpfr_ptr get() { return value_; }
    mpfr_srcptr get() const { return value_; }

  private:
    mpfr_t value_;
};

using Binary = int (*)(mpfr_ptr, mpfr_srcptr, mpfr_srcptr, mpfr_rnd_t);
using Unary = int (*)(mpfr_ptr, mpfr_srcptr, mpfr_rnd_t);

inline Real apply(Binary function, const Real& a, const Real& b) {
    Real result;
    function(result.get(), a.get(), b.get(), MPFR_RNDN);
    return result;
}

inline Real apply(Unary function, const Real& a) {
    Real result;
    function(result.get(), a.get(), MPFR_RNDN);
    return result;
}

inline Real operator+(const Real& a, const Real& b) { return apply(mpfr_add, a, b); }
inline Real operator-(const Real& a, const Real& b) { return apply(mpfr_sub, a, b); }
inline Real operator*(const Real& a, const Real& b) { return apply(mpfr_mul, a, b); }
inline Real operator/(const Real& a, const Real& b) { return apply(mpfr_div, a, b); }

/// Whether the interval from `low` to `high`, decimal numbers, holds `reference`, which is off by
/// at most `slack`, and is no wider than `width`.
inline bool holds(const std::string& low, const std::string& high, const Real& reference,
                  const Real& slack, const Real& width) {
    const Real least(low, MPFR_RNDD);
    const Real most(high, MPFR_RNDU);
    return mpfr_lessequal_p(least.get(), (reference + slack).get()) != 0 &&
           mpfr_lessequal_p((reference - slack).get(), most.get()) != 0 &&
           mpfr_lessequal_p((most - least).get(), width.get()) != 0;
}
