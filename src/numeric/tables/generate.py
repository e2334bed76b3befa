#!/usr/bin/env python3
"""Writes the tables of the elementary functions, and checks what their error bounds rely on.

    python3 generate.py              writes the headers beside this file
    python3 generate.py --output DIR writes them into another folder

Everything is computed with integers and fractions, so every machine writes the same bytes. What
each table is for, and the derivation that uses the checks below: docs/elementary-functions.md.
"""

import argparse
import math
from fractions import Fraction
from pathlib import Path

# Real numbers are integers counting units of 2^-PRECISION. Each function below is off by less than
# 2^10 units, so every number in the tables is rounded from one that is known to 390 bits.
PRECISION = 400
ONE = 1 << PRECISION


def real(value):
    """The fraction `value` as a real number."""
    return value.numerator * ONE // value.denominator


def fraction(value):
    return Fraction(value, ONE)


def atanh(argument):
    """Inverse hyperbolic tangent of a fraction of magnitude at most 1/3, by its power series."""
    x = real(argument)
    square = x * x // ONE
    total, power, odd = 0, x, 1
    while abs(power) > 1:
        total += power // odd
        power = power * square // ONE
        odd += 2
    return total


def log(argument):
    """Natural logarithm of a fraction in [1/2, 2]."""
    return 2 * atanh((argument - 1) / (argument + 1))


def exp(x):
    """e to the power of a real number of magnitude at most 1, by its power series."""
    total, term, count = 0, ONE, 0
    while abs(term) > 1:
        total += term
        count += 1
        term = term * x // ONE // count
    return total


def arctangent_of_inverse(whole):
    """Arc tangent of 1/whole, by its power series."""
    total, power, odd = 0, ONE // whole, 1
    while power > 0:
        total += power // odd if odd % 4 == 1 else -(power // odd)
        power //= whole * whole
        odd += 2
    return total


LN2 = log(Fraction(2))
PI = 4 * (4 * arctangent_of_inverse(5) - arctangent_of_inverse(239))  # Machin's formula


def nearest_multiple(value, step):
    """The multiple of the fraction `step` that is nearest to the fraction `value`."""
    return round(value / step) * step


def binary64(value):
    """The binary64 number nearest to a fraction, ties to even: Python divides integers that way."""
    return value.numerator / value.denominator


def exact(value):
    """A fraction that is a binary64 number, as that number."""
    assert Fraction(binary64(value)) == value
    return binary64(value)


def literal(value):
    """A binary64 number as a C++ literal without loss."""
    return value.hex()


# exp -------------------------------------------------------------------------------------------

COARSE, FINE = 128, 64  # 2^(i/128) for i < 128, 2^(j/8192) for j < 64
STEPS = COARSE * FINE


def exp_table():
    step = fraction(LN2) / STEPS
    # 29 bits, so that its product with a count of steps (24 bits) is exact.
    step_high = nearest_multiple(step, Fraction(1, 2**42))
    assert step_high * 2**42 < 2**29
    step_middle = binary64(step - step_high)
    assert abs(Fraction(step_middle)) <= Fraction(1, 2**47)
    largest, smallest = exp_thresholds()
    assert max(largest, -smallest) / math.log(2) * STEPS < 2**24

    def powers(count, per_octave, bits):
        # A leading part of 1 + `bits` bits, so that a product of two of them is exact.
        for index in range(count):
            power = fraction(exp(LN2 * index // per_octave))
            high = nearest_multiple(power, Fraction(1, 2**bits))
            yield exact(high), binary64(power - high)

    return [
        "// 2^(i/128) and 2^(j/8192) in two parts each, and what the reduction of exp needs.",
        """
/// Steps of the reduced argument to a doubling of the result.
inline constexpr int exp_steps = %d;
inline constexpr double exp_steps_per_unit = %s;  // exp_steps / ln 2

/// ln 2 / exp_steps is the sum of these two within 2^-100; the first has 29 bits.
inline constexpr double exp_step_high = %s;
inline constexpr double exp_step_middle = %s;

/// The largest argument whose exponential rounds to a finite number, and the smallest whose
/// exponential does not round to zero.
inline constexpr double exp_largest_argument = %s;
inline constexpr double exp_smallest_argument = %s;

/// 1/2, 1/6, 1/24: e^r = 1 + r + r^2 (1/2 + r/6 + r^2/24 + ...).
inline constexpr std::array<double, 3> exp_series = {%s};

struct TwoParts {
    double high;
    double low;
};
""" % (STEPS, literal(binary64(1 / step)), literal(exact(step_high)), literal(step_middle),
       literal(largest), literal(smallest),
       ", ".join(literal(binary64(Fraction(1, math.factorial(n)))) for n in (2, 3, 4))),
        array("/// 2^(i/128): the high part is a multiple of 2^-25.",
              "TwoParts", "exp_coarse", powers(COARSE, COARSE, 25)),
        array("/// 2^(j/8192): the high part is a multiple of 2^-26.",
              "TwoParts", "exp_fine", powers(FINE, STEPS, 26)),
    ]


def exp_thresholds():
    """The last arguments before exp overflows, and before it underflows to zero."""
    # Results from 2^1024 - 2^970 on round to infinity, results up to 2^-1075 to zero.
    overflow = 1024 * fraction(LN2) + fraction(log(1 - Fraction(1, 2**54)))
    underflow = -1075 * fraction(LN2)
    largest = binary64(overflow)
    if Fraction(largest) >= overflow:
        largest = math.nextafter(largest, 0)
    smallest = binary64(underflow)
    if Fraction(smallest) <= underflow:
        smallest = math.nextafter(smallest, 0)
    return largest, smallest


# log -------------------------------------------------------------------------------------------

# The significand m is taken from [FIRST, 2 FIRST), about [0.705, 1.41). Cells are told apart by the
# first 8 bits of the fraction field, so they are 2^-9 wide below one and 2^-8 wide above.
CELLS = 256
FIRST = Fraction(0x169, 0x200)
# The first part of ln 2 and of a table's logarithm are whole multiples of this.
GRID = Fraction(1, 2**42)


def log_cell(index):
    """Where cell `index` starts and ends, and the spacing of the binary64 numbers in it."""
    below_one = (1 - FIRST) * 512
    if index < below_one:
        start = FIRST + Fraction(index, 512)
        return start, start + Fraction(1, 512), Fraction(1, 2**53)
    start = 1 + (index - below_one) / 256
    return start, start + Fraction(1, 256), Fraction(1, 2**52)


def log_table():
    ln2_high = nearest_multiple(fraction(LN2), GRID)
    ln2_low = binary64(fraction(LN2) - ln2_high)
    # exponent * ln2_high + high has 52 bits at most: |exponent| <= 1075, |high| < 1/2.
    assert 1075 * ln2_high + Fraction(1, 2) < 2**52 * GRID

    def entries():
        for index in range(CELLS):
            start, end, spacing = log_cell(index)
            # Few bits, so that inverse * m - 1 is a binary64 number; one next to one, so that
            # no logarithm of a table is added where the result is small.
            step = Fraction(1, 2**9) if start >= 1 else Fraction(1, 2**8)
            inverse = nearest_multiple(2 / (start + end), step)
            if start == 1 or end == 1:
                inverse = Fraction(1)
            value = -fraction(log(inverse)) if inverse != 1 else Fraction(0)
            high = nearest_multiple(value, GRID)
            check_cell(start, end - spacing, spacing, inverse, high)
            yield exact(inverse), exact(high), binary64(value - high)

    return [
        "// Reciprocals of significands and minus their logarithms, and ln 2, for log.",
        """
/// The bit pattern of the smallest significand; cells are numbered from there.
inline constexpr std::uint64_t log_first_significand = 0x%016x;

/// ln 2 is the sum of these two within 2^-96; the first is a multiple of 2^-42.
inline constexpr double log_ln2_high = %s;
inline constexpr double log_ln2_low = %s;

struct LogCell {
    double inverse;   // about the reciprocal of the significands in the cell, 10 bits at most
    double log_high;  // -log(inverse) is the sum of these two within 2^-96;
    double log_low;   // the first is a multiple of 2^-42
};
""" % (0x3fe6900000000000, literal(exact(ln2_high)), literal(ln2_low)),
        array("", "LogCell", "log_cells", entries()),
        array("/// 1/3, -1/4, 1/5 ...: log(1 + r) = r - r^2/2 + r^3 (1/3 - r/4 + ...).",
              "double", "log_series",
              ((binary64(Fraction(1 if n % 2 else -1, n)),) for n in range(3, 10))),
    ]


def check_cell(first, last, spacing, inverse, log_high):
    """What the proof of log's fast phase takes from its table."""
    largest = max(abs(inverse * first - 1), abs(inverse * last - 1))
    # r = inverse * m - 1 is a multiple of 2^-61 below 2^-8: it has 53 bits at most.
    assert largest < Fraction(1, 2**8)
    assert (inverse * spacing * 2**61).denominator == 1
    # m is split at 2^32 units: the products of both halves with the inverse are exact, and
    # the half of r that comes from the leading one is a multiple of 2^-29.
    assert (inverse * spacing * 2**32 * 2**29).denominator == 1
    assert inverse * spacing * 2**31 <= Fraction(1, 2**21)
    # Fast2Sum adds r to a sum that is zero or not smaller than r.
    assert log_high == 0 or abs(log_high) >= largest
    # Where the sum is not zero the result is not small.
    assert log_high == 0 or min(abs(1 - first), abs(1 - last)) >= Fraction(1, 2**9)


# Sine and cosine of turns ----------------------------------------------------------------------

def turn_table():
    def series(first):
        # (2 pi)^n / n! with alternating signs, for n = first, first + 2, ...
        for place in range(10):
            n = first + 2 * place
            value = (2 * fraction(PI))**n / math.factorial(n)
            yield (binary64(-value if place % 2 else value),)

    return [
        "// The power series of sin(2 pi t) / t and cos(2 pi t), in powers of t squared.",
        "",
        array("", "double", "turn_sine_series", series(1)),
        array("", "double", "turn_cosine_series", series(0)),
    ]


# The accurate phase ----------------------------------------------------------------------------

def ln2_table():
    limbs = [(LN2 >> (PRECISION - 256 + 32 * limb)) & 0xffffffff for limb in range(8)] + [0]
    lines = ["    " + ", ".join("0x%08x" % limb for limb in limbs[at:at + 5])
             for at in range(0, len(limbs), 5)]
    return [
        "// ln 2 for the accurate phases.",
        "",
        "/// ln 2 with 256 binary places, cut off, least significant 32 bits first.\n"
        "inline constexpr std::array<std::uint32_t, 9> ln2_limbs = {\n%s};\n" % ",\n".join(lines),
    ]


# Writing ---------------------------------------------------------------------------------------

def array(comment, kind, name, rows):
    rows = [[literal(number) for number in row] for row in rows]
    lines = "\n".join("    {" + ", ".join(row) + "}," if len(row) > 1 else "    " + row[0] + ","
                      for row in rows)
    braces = ("{{", "}}") if len(rows[0]) > 1 else ("{", "}")
    return (comment + "\n" if comment else "") + "inline constexpr std::array<%s, %d> %s = %s\n%s\n%s;\n" % (
        kind, len(rows), name, braces[0], lines, braces[1])


def header(parts):
    title, *rest = parts
    body = "\n".join(part.strip("\n") + "\n" for part in rest if part)
    return """%s
// Written by generate.py, which says how each number is chosen.
#pragma once

#include <array>
#include <cstdint>

// clang-format off
namespace rmsnorm::numeric::tables {

%s
}  // namespace rmsnorm::numeric::tables
""" % (title, body)


TABLES = {
    "exp_table.hpp": exp_table,
    "log_table.hpp": log_table,
    "turn_table.hpp": turn_table,
    "ln2.hpp": ln2_table,
}


def main():
    parser = argparse.ArgumentParser(description="Writes the tables of the elementary functions.")
    parser.add_argument("--output", type=Path, default=Path(__file__).resolve().parent)
    output = parser.parse_args().output
    for name, table in TABLES.items():
        (output / name).write_text(header(table()), encoding="ascii", newline="\n")


if __name__ == "__main__":
    main()
