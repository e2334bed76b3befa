"""RMSNorm by other programs: right in many orders and roundings, and wrong in every named way.

All of it is numpy and written for these tests alone. A format is a pair of a name and a function
that rounds binary64 or binary32 numbers to it; tensors hold numbers of their format as binary64.
"""

import struct
import subprocess

import numpy as np

f16, f32, f64 = np.float16, np.float32, np.float64
ORDER = ["f64", "f32", "f16", "bf16"]  # of numeric::number_formats


def to_bf16(numbers):
    narrow = np.asarray(numbers, dtype=f32)
    bits = np.atleast_1d(narrow).view(np.uint32).astype(np.uint64)
    rounded = (bits + np.uint64(0x7FFF) + (bits >> np.uint64(16) & np.uint64(1))) & np.uint64(0xFFFF0000)
    result = rounded.astype(np.uint32).view(f32)
    result = np.where(np.isnan(np.atleast_1d(narrow)), np.atleast_1d(narrow), result)
    return result.reshape(narrow.shape).astype(f64)


def chop(name, numbers):
    """Towards zero."""
    if name == "bf16":
        bits = np.asarray(numbers, dtype=f32)
        # A binary32 rounding away from zero first would not be a truncation.
        bits = np.where(np.abs(bits.astype(f64)) > np.abs(numbers), np.nextafter(bits, f32(0)), bits)
        return (bits.astype(f32).view(np.uint32) & np.uint32(0xFFFF0000)).view(f32).astype(f64)
    kind = {"f16": f16, "f32": f32}[name]
    near = np.asarray(numbers, dtype=kind)
    over = np.abs(near.astype(f64)) > np.abs(numbers)
    return np.where(over, np.nextafter(near, kind(0)), near).astype(f64)


def rounded(name, numbers):
    if name == "bf16":
        return to_bf16(numbers)
    with np.errstate(over="ignore"):
        return np.asarray(numbers).astype({"f16": f16, "f32": f32, "f64": f64}[name]).astype(f64)


def wide(name):
    return f64 if name == "f64" else f32


class Case:
    """Tensors of a format, with an epsilon."""

    def __init__(self, name, x, gain, epsilon, offset=0.0):
        self.name = name
        self.x = rounded(name, x)
        self.gain = rounded(name, gain)
        self.epsilon = epsilon
        self.offset = offset

    def round(self, numbers):
        return rounded(self.name, numbers)


def encoded(case, output, formats=None, asked=0):
    formats = formats or (case.name,) * 3
    rows, width = case.x.shape
    head = struct.pack("=6Q2d", rows, width, *(ORDER.index(f) for f in formats), asked,
                       case.epsilon, case.offset)
    return head + np.concatenate([case.gain.ravel(), case.x.ravel(), np.asarray(output, f64).ravel()]).tobytes()


class Verdict:
    def __init__(self, line):
        words = line.split()
        self.line = line
        self.answer = words[0]
        self.max_ulp = float(words[1])
        self.bound_ulp = float(words[2])
        self.findings = [w for w in words[3:] if "=" not in w]
        self.doubts = [w[6:] for w in words if w.startswith("doubt=")]
        self.blind = [w[6:] for w in words if w.startswith("blind=")]
        self.probe = [[float(n) for n in w[6:].split(",")] for w in words if w.startswith("probe=")]

    def probe_case(self, name, offset=0.0):
        """The probe as a case of the format; nothing without one."""
        if not self.probe:
            return None
        rows, width, epsilon, *numbers = self.probe[0]
        rows, width = int(rows), int(width)
        x, gain = np.split(np.array(numbers), [rows * width])
        return Case(name, x.reshape(rows, width), gain, epsilon, offset)


class Program:
    """The judge behind a pipe."""

    def __init__(self, path):
        self.process = subprocess.Popen([path], stdin=subprocess.PIPE, stdout=subprocess.PIPE)

    def judge(self, case, output, formats=None, blind=False, probe=False):
        self.process.stdin.write(encoded(case, output, formats, blind + 2 * probe))
        self.process.stdin.flush()
        return Verdict(self.process.stdout.readline().decode())

    def close(self):
        self.process.stdin.close()
        self.process.wait(timeout=60)


# Orders of summation, in a numpy type.

def running(squares):
    return np.cumsum(squares, axis=1, dtype=squares.dtype)[:, -1]


def lanes(count):
    def total(squares):
        width = squares.shape[1]
        padded = np.zeros((squares.shape[0], -(-width // count) * count), squares.dtype)
        padded[:, :width] = squares
        parts = padded.reshape(squares.shape[0], -1, count)
        sums = np.cumsum(parts, axis=1, dtype=squares.dtype)[:, -1]
        return running(sums)
    return total


def tree(squares):
    while squares.shape[1] > 1:
        if squares.shape[1] % 2:
            squares = np.concatenate([squares, np.zeros((squares.shape[0], 1), squares.dtype)], axis=1)
        half = squares.shape[1] // 2
        squares = squares[:, :half] + squares[:, half:]
    return squares[:, 0]


def backwards(squares):
    return running(squares[:, ::-1])


def shuffled(seed):
    def total(squares):
        return running(squares[:, np.random.default_rng(seed).permutation(squares.shape[1])])
    return total


def library(squares):
    return np.sum(squares, axis=1, dtype=squares.dtype)


def odd_blocks(squares):
    cuts = np.arange(0, squares.shape[1], 37)
    return running(np.stack([running(squares[:, c:c + 37]) for c in cuts], axis=1))


ORDERS = [running, lanes(4), lanes(8), lanes(128), tree, backwards, shuffled(5), library, odd_blocks]


def fused(case):
    """A running sum by fused multiply-add, where binary64 can stand for it."""
    x = case.x
    total = np.zeros(x.shape[0], f32)
    for column in x.T:
        total = (column * column + total.astype(f64)).astype(f32)
    return total


def reciprocal_roots(v):
    one = v.dtype.type(1)
    yield one / np.sqrt(v)
    yield np.sqrt(one / v)
    yield np.exp(v.dtype.type(-0.5) * np.log(v))
    yield (1 / np.sqrt(v.astype(f64))).astype(v.dtype)


def gain_of(case, kind):
    return (kind(case.offset) + case.gain.astype(kind)).astype(kind)


def once(case, r, kind):
    x = case.x.astype(kind)
    return case.round((x * r[:, None]) * gain_of(case, kind))


def value_first(case, r, kind):
    z = case.round(case.x.astype(kind) * r[:, None])
    return case.round(z.astype(kind) * gain_of(case, kind))


def gain_first(case, r, kind):
    return case.round(case.x.astype(kind) * (r[:, None] * gain_of(case, kind)))


def product_first(case, r, kind):
    return case.round(case.round(case.x * gain_of(case, kind)).astype(kind) * r[:, None])


def gain_first_rounded(case, r, kind):
    return case.round(case.x.astype(kind) * case.round(r[:, None] * gain_of(case, kind)).astype(kind))


CASTS = [once, value_first, gain_first, product_first, gain_first_rounded]


def right_outputs(case):
    """Every order with a root, and every root and cast with an order."""
    kind = wide(case.name)
    x = case.x.astype(kind)
    squares = x * x
    n = kind(case.x.shape[1])
    e = kind(case.epsilon)
    totals = [order(squares) for order in ORDERS]
    if kind is f32:
        totals.append(fused(case))
    for i, total in enumerate(totals):
        roots = list(reciprocal_roots(total / n + e))
        yield CASTS[i % len(CASTS)](case, roots[i % len(roots)], kind)
    for root in reciprocal_roots(totals[4] * (kind(1) / n) + e):
        for cast in CASTS:
            yield cast(case, root, kind)
    # The input divided by its largest value first.
    largest = np.max(np.abs(x), axis=1)
    safe = np.where(largest > 0, largest, kind(1))
    with np.errstate(over="ignore", under="ignore"):
        y = x / safe[:, None]
        v = running(y * y) / n + e / (safe * safe)
        r = kind(1) / np.sqrt(v) / safe
    # A square of the largest value that loses digits spoils epsilon.
    kept = np.all(safe * safe >= np.finfo(kind).tiny)
    if kept and np.all(np.isfinite(r)) and np.all(np.isfinite(v)):
        yield once(case, r, kind)


def data(random, kind, rows, width):
    shape = (rows, width)
    if kind == "normal":
        return random.standard_normal(shape)
    if kind == "uniform":
        return random.uniform(0.1, 1, shape)
    if kind == "constant":
        return np.ones(shape) * random.uniform(0.5, 2, (rows, 1))
    if kind == "lognormal":
        return np.exp(random.standard_normal(shape) * 2)
    if kind == "outlier":
        x = random.standard_normal(shape)
        x[:, random.integers(width)] *= 300
        return x
    if kind == "swallowed":
        x = np.full(shape, 2.0 ** -9)
        x[:, 0] = 32
        return x
    if kind == "sparse":
        return random.standard_normal(shape) * (random.random(shape) < 0.2)
    return random.choice([-1.0, 1.0], shape) * 2.0 ** random.integers(-8, 4, shape)


KINDS = ["normal", "uniform", "constant", "lognormal", "outlier", "swallowed", "sparse", "powers"]
