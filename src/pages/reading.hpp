// Figures as people read them: 3 for 3.000000, a power of ten for 0.000010, a true minus sign.
#pragma once

#include <cstddef>
#include <string>

#include "evidence/record.hpp"

namespace rmsnorm::pages {

/// `sign` and `digits`; with an exponent they are multiplied by that power of ten, and digits that
/// are empty stand for one.
struct Reading {
    std::string sign;  // a true minus, a plus where the evidence has one, or none
    std::string digits;
    std::string exponent;  // with a true minus; empty without a power

    std::string html() const;
};

/// How many decimals show `value` exactly, at most those of its `digits`; all of them when the
/// digits are rounded. None for what has no digits behind a point, or is read as a power of ten.
std::size_t decimals_needed(double value, const std::string& digits, evidence::Precision precision);

/// The value whose evidence shows `digits`, with `decimals` of its decimals. Zero is "0"; what the
/// digits hardly show, or is very large, is a power of ten with three significant digits, fewer
/// where those are exact.
Reading reading(double value, const std::string& digits, evidence::Precision precision,
                std::size_t decimals);

}  // namespace rmsnorm::pages
