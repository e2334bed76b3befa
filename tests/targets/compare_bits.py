#!/usr/bin/env python3
"""Names the first bit in which two machines differ: compare_bits.py ONE OTHER compares two files
that `rmsnorm_digest N --bits` printed ("case 17 output 3ff0000000000000 ..."), and prints the case,
the operand, the value's index and the bit. Exit code 0: equal; 1: different; 2: not such files."""

import itertools
import sys


class NotBits(Exception):
    pass


def operand(line, name, number):
    """(case, operand, patterns) of a line, or None after the end of the file."""
    if line is None:
        return None
    words = line.split()
    try:
        if words[0] != "case":
            raise ValueError
        return int(words[1]), words[2], [int(word, 16) for word in words[3:]]
    except (IndexError, ValueError):
        raise NotBits(f"{name}, line {number}: found {line[:40]!r}; accepted: case N OPERAND BITS ...")


def first_difference(one, other, names=("one", "other")):
    """A sentence, or None; `one` and `other` are iterables of lines."""
    for number, lines in enumerate(itertools.zip_longest(one, other), start=1):
        if lines[0] == lines[1]:
            continue
        left, right = (operand(line, name, number) for line, name in zip(lines, names))
        if left is None or right is None:
            name, last = (names[0], right) if left is None else (names[1], left)
            return f"case {last[0]}, operand {last[1]}: missing in {name}"
        if left[:2] != right[:2]:
            return (f"case {left[0]}, operand {left[1]} in {names[0]} is "
                    f"case {right[0]}, operand {right[1]} in {names[1]}")
        if len(left[2]) != len(right[2]):
            return (f"case {left[0]}, operand {left[1]}: {len(left[2])} values in {names[0]}, "
                    f"{len(right[2])} in {names[1]}")
        for index, (a, b) in enumerate(zip(left[2], right[2])):
            if a != b:
                return (f"case {left[0]}, operand {left[1]}, value {index}, "
                        f"bit {(a ^ b).bit_length() - 1}: {a:016x} in {names[0]}, "
                        f"{b:016x} in {names[1]}")
    return None


def main():
    if len(sys.argv) != 3:
        print("usage: compare_bits.py ONE OTHER", file=sys.stderr)
        return 2
    try:
        with open(sys.argv[1]) as one, open(sys.argv[2]) as other:
            difference = first_difference(one, other, sys.argv[1:])
    except (OSError, NotBits) as error:
        print(error, file=sys.stderr)
        return 2
    print(difference or "no difference")
    return 1 if difference else 0


if __name__ == "__main__":
    sys.exit(main())
