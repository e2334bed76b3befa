"""Gradients of RMSNorm as programs compute them, and cases for the judge."""

import os
import subprocess

import numpy as np

GRADIENTS = os.environ["RMSNORM_GRADIENTS"]
f32, f64 = np.float32, np.float64


def to_bf16(numbers):
    """binary32 numbers rounded to bfloat16, ties to even, as binary32."""
    bits = np.asarray(numbers, dtype=f32).view(np.uint32).astype(np.uint64)
    rounded = (bits + 0x7FFF + (bits >> np.uint64(16) & np.uint64(1))) & np.uint64(0xFFFF0000)
    return rounded.astype(np.uint32).view(f32)


ROUND = {"bf16": to_bf16, "f16": lambda numbers: np.asarray(numbers).astype(np.float16).astype(f32),
         "f32": lambda numbers: np.asarray(numbers, dtype=f32), "f64": np.asarray}


def wide(dtype):
    return f64 if dtype == "f64" else f32


# Sums along an axis in the arithmetic of the array, in several orders.
def ascending(values, axis):
    if values.shape[axis] == 0:
        return values.sum(axis=axis, keepdims=True)
    return np.take(np.cumsum(values, axis=axis, dtype=values.dtype), [-1], axis=axis)


def pairwise(values, axis):
    return values.sum(axis=axis, keepdims=True, dtype=values.dtype)


def descending(values, axis):
    return ascending(np.flip(values, axis), axis)


def strided(values, axis):
    lanes = [ascending(np.take(values, range(lane, values.shape[axis], 8), axis=axis), axis)
             for lane in range(min(8, values.shape[axis]))]
    return ascending(np.concatenate(lanes, axis=axis), axis)


ORDERS = [ascending, pairwise, descending, strided]


def scale(x, epsilon, total, kind):
    mean = total(x * x, 1) / kind(x.shape[1])
    return kind(1) / np.sqrt(mean + kind(epsilon))


# Each style takes values of the format as wide numbers and returns both gradients, rounded.
def fused(x, g, p, epsilon, total, dtype):
    kind, rounded = wide(dtype), ROUND[dtype]
    r = scale(x, epsilon, total, kind)
    pg = p * g
    s = total(pg * x, 1)
    dx = r * pg - x * (r * r * r * s / kind(x.shape[1]))
    return rounded(dx), rounded(total(p * (x * r), 0)[0])


def by_normalized_value(x, g, p, epsilon, total, dtype):
    kind, rounded = wide(dtype), ROUND[dtype]
    r = scale(x, epsilon, total, kind)
    xhat = x * r
    pg = p * g
    mean = total(pg * xhat, 1) / kind(x.shape[1])
    return rounded((pg - xhat * mean) * r), rounded(total(p * xhat, 0)[0])


def autograd(x, g, p, epsilon, total, dtype):
    """Of the model code that rounds the normalized value before the gain."""
    kind, rounded = wide(dtype), ROUND[dtype]
    r = scale(x, epsilon, total, kind)
    xhat = rounded(x * r)
    dg = rounded(total(rounded(p * xhat), 0)[0])
    dxhat = rounded(p * g)
    dr = total(dxhat * x, 1)
    dmean = dr * kind(-0.5) * r * r * r
    dx = dxhat * r + dmean / kind(x.shape[1]) * (kind(2) * x)
    return rounded(dx), dg


def branches_rounded(x, g, p, epsilon, total, dtype):
    """Both branches of the graph rounded before they are added."""
    kind, rounded = wide(dtype), ROUND[dtype]
    r = scale(x, epsilon, total, kind)
    pg = rounded(p * g)
    dr = total(pg * x, 1)
    square = kind(-1) * dr * r * r * r / kind(x.shape[1])
    return rounded(rounded(pg * r) + rounded(x * square)), rounded(
        total(rounded(p * rounded(x * r)), 0)[0])


def one_pass(x, g, p, epsilon, total, dtype):
    kind, rounded = wide(dtype), ROUND[dtype]
    r = scale(x, epsilon, total, kind)
    m = p * g
    dx = r * m
    dx = dx + r * (-(kind(1) / kind(x.shape[1])) * r * r * total(m * x, 1) * x)
    return rounded(dx), rounded(total(p * rounded(x * r), 0)[0])


# Every operation rounds to one format, as automatic differentiation of a composite in that format does.
def composite_by_reciprocal(x, g, p, epsilon, total, rounded):
    R, n = rounded, x.shape[1]
    x, g, p = R(x), R(g), R(p)
    r = R(1 / R(np.sqrt(R(R(total(R(x * x), 1) / n) + x.dtype.type(epsilon)))))
    dn = R(p * g)
    dr = R(total(R(dn * x), 1))
    dm = R(R(dr * x.dtype.type(-0.5)) * R(R(r * r) * r))
    dx = R(R(dn * r) + R(R(dm / n) * R(x + x)))
    return dx, R(total(R(p * R(x * r)), 0)[0])


def composite_by_root(x, g, p, epsilon, total, rounded):
    R, n = rounded, x.shape[1]
    x, g, p = R(x), R(g), R(p)
    root = R(np.sqrt(R(R(R(total(R(x * x), 1)) / n) + x.dtype.type(epsilon))))
    dn = R(p * g)
    ds = R(total(R(R(-dn) * R(R(x / root) / root)), 1))
    half = R(R(R(ds / R(root + root)) / n) * x)
    return R(R(R(dn / root) + half) + half), R(total(R(p * R(x / root)), 0)[0])


def composite_by_gain_first(x, g, p, epsilon, total, rounded):
    R, n = rounded, x.shape[1]
    x, g, p = R(x), R(g), R(p)
    r = R(1 / R(np.sqrt(R(R(total(R(x * x), 1) / n) + x.dtype.type(epsilon)))))
    xg = R(x * g)
    dr = R(total(R(p * xg), 1))
    dm = R(R(R(dr * x.dtype.type(-0.5)) * R(R(r * r) * r)) / n)
    dxg = R(p * r)
    return R(R(R(R(dm * x) * x.dtype.type(2)) + R(dxg * g))), R(total(R(dxg * x), 0)[0])


COMPOSITES = [composite_by_reciprocal, composite_by_root, composite_by_gain_first]


STYLES = [fused, by_normalized_value, autograd, branches_rounded, one_pass]


def data(random, kind_of_data, rows, width, dtype):
    """Input, gain and upstream of the format, as wide numbers."""
    shape = (rows, width)
    if kind_of_data == "normal":
        x, p = random.standard_normal(shape), random.standard_normal(shape)
    elif kind_of_data == "positive":
        x, p = random.random(shape) + 0.5, random.random(shape) + 0.1
    elif kind_of_data == "small":
        x, p = 0.003 * random.standard_normal(shape), 0.02 * random.standard_normal(shape)
    elif kind_of_data == "along":  # the two terms cancel
        x = random.standard_normal(shape)
        p = x + 1e-4 * random.standard_normal(shape)
    elif kind_of_data == "outlier":
        x, p = random.standard_normal(shape), random.standard_normal(shape)
        x[:, 0] *= 200
    else:
        x, p = np.full(shape, 1.25), random.standard_normal(shape)
    g = np.ones(width) if kind_of_data == "along" else 1 + 0.4 * random.standard_normal(width)
    return [ROUND[dtype](array.astype(wide(dtype))) for array in (x, g, p)]


DATA = ["normal", "positive", "small", "along", "outlier", "constant"]


class Case:
    def __init__(self, dtype, epsilon, x, g, p, dx, dg, offset=0.0, formats=None):
        self.arrays = [g, x, p, dx, dg]
        self.formats = formats or [dtype] * 5
        self.head = (*x.shape, repr(float(epsilon)), offset)
        self.by_row = int(np.ndim(dg) == 2)

    def encoded(self):
        line = " ".join(map(str, (*self.head, *self.formats, self.by_row))) + "\n"
        return line.encode() + b"".join(np.ascontiguousarray(array, dtype=f64).tobytes()
                                        for array in self.arrays)


def doubts_in(words):
    return [word.split("=")[1] for word in words if word.startswith("doubt=")]


def judged(cases):
    """For each case the words of both verdicts: state, part of the bound, ids."""
    result = subprocess.run([GRADIENTS], input=b"".join(case.encoded() for case in cases),
                            capture_output=True, timeout=600, check=True)
    lines = result.stdout.decode().splitlines()
    assert len(lines) == 2 * len(cases), (len(lines), len(cases))
    return [(lines[index].split(), lines[index + 1].split()) for index in range(0, len(lines), 2)]
