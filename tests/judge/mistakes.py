"""Wrong RMSNorms, one for each id of docs/judge.md, in plain numpy.

Each takes a case and a cast order (outputs.CASTS) and returns the output. Where a mistake has
variants the id is followed by a word.
"""

import numpy as np

from outputs import Case, chop, gain_of, lanes, once, rounded, running, tree, wide


def mean_square(case):
    x = case.x.astype(wide(case.name))
    return tree(x * x) / x.dtype.type(x.shape[1])


def rms_norm(case, cast, v=None, r=None):
    """With another denominator or another scale."""
    kind = wide(case.name)
    with np.errstate(all="ignore"):
        if r is None:
            r = kind(1) / np.sqrt(np.asarray(v, kind))
        return cast(case, np.broadcast_to(np.asarray(r, kind), case.x.shape[:1]), kind)


def right(case, cast):
    return rms_norm(case, cast, mean_square(case) + wide(case.name)(case.epsilon))


def changed(case, x=None, gain=None, offset=None):
    """The same case with another tensor, not rounded to the format again."""
    other = Case.__new__(Case)
    other.name, other.epsilon = case.name, case.epsilon
    other.x = case.x if x is None else x
    other.gain = case.gain if gain is None else gain
    other.offset = case.offset if offset is None else offset
    return other


def low(name):
    """A format with fewer bits than the tensors' arithmetic."""
    return "bf16" if name in ("bf16", "f32") else "f16" if name == "f16" else "f32"


MISTAKES = {}


def mistake(identifier):
    def keep(function):
        MISTAKES[identifier] = function
        return function
    return keep


def scale(identifier, function):
    """A mistake of the scale: function(case, mean square, sum of squares, epsilon, width)."""
    def output(case, cast):
        kind = wide(case.name)
        m = mean_square(case)
        with np.errstate(all="ignore"):
            r = function(case, m, m * kind(case.x.shape[1]), kind(case.epsilon), kind(case.x.shape[1]))
        return rms_norm(case, cast, r=r)
    MISTAKES[identifier] = output


def absolute(case):
    return np.abs(case.x.astype(wide(case.name)))


scale("epsilon-outside", lambda c, m, s, e, n: 1 / (np.sqrt(m) + e))
scale("epsilon-outside norm", lambda c, m, s, e, n: np.sqrt(n) / (np.sqrt(s) + e))
scale("epsilon-missing", lambda c, m, s, e, n: 1 / np.sqrt(m))
scale("epsilon-maximum", lambda c, m, s, e, n: 1 / np.sqrt(np.maximum(m, e)))
scale("epsilon-maximum rms", lambda c, m, s, e, n: 1 / np.maximum(np.sqrt(m), e))
scale("epsilon-maximum norm", lambda c, m, s, e, n: np.sqrt(n) / np.maximum(np.sqrt(s), e))
scale("epsilon-in-sum", lambda c, m, s, e, n: 1 / np.sqrt((s + e) / n))
scale("epsilon-scaled", lambda c, m, s, e, n: 1 / np.sqrt(m + e * absolute(c).max(axis=1) ** 2))
scale("epsilon-other usual", lambda c, m, s, e, n: 1 / np.sqrt(m + type(e)(1e-6 if c.epsilon != 1e-6 else 1e-5)))
scale("epsilon-other odd", lambda c, m, s, e, n: 1 / np.sqrt(m + type(e)(37.3) * e))
scale("epsilon-machine", lambda c, m, s, e, n: 1 / np.sqrt(m + type(e)(2.0 ** -23)))
scale("sum-for-mean", lambda c, m, s, e, n: 1 / np.sqrt(s + e))
scale("divisor-n-minus-1", lambda c, m, s, e, n: 1 / np.sqrt(s / (n - 1) + e))
scale("divisor-other padded", lambda c, m, s, e, n: 1 / np.sqrt(s / (np.ceil((n + 1) / 128) * 128) + e))
scale("divisor-other odd", lambda c, m, s, e, n: 1 / np.sqrt(s / (n + 3) + e))
scale("variance", lambda c, m, s, e, n: 1 / np.sqrt(c.x.astype(m.dtype).var(axis=1) + e))
scale("mean-squared", lambda c, m, s, e, n: 1 / np.sqrt(c.x.astype(m.dtype).mean(axis=1) ** 2 + e))
scale("mean-absolute", lambda c, m, s, e, n: 1 / (absolute(c).mean(axis=1) + e))
scale("maximum-absolute", lambda c, m, s, e, n: 1 / (absolute(c).max(axis=1) + e))
scale("root-twice", lambda c, m, s, e, n: 1 / np.sqrt(np.sqrt(m + e)))
scale("root-missing", lambda c, m, s, e, n: 1 / (m + e))
scale("root-inverted", lambda c, m, s, e, n: np.sqrt(m + e))
scale("not-normalized", lambda c, m, s, e, n: np.ones_like(m))
scale("times-root-n", lambda c, m, s, e, n: np.sqrt(n) / np.sqrt(m + e))
scale("constant-factor", lambda c, m, s, e, n: type(e)(1.37) / np.sqrt(m + e))
scale("normalized-twice",
      lambda c, m, s, e, n: (1 / np.sqrt(m + e)) / np.sqrt(m / (m + e) + e))
scale("row-scale-shifted", lambda c, m, s, e, n: np.roll(1 / np.sqrt(m + e), 1))
scale("row-scale-first", lambda c, m, s, e, n: np.full_like(m, 1 / np.sqrt(m[0] + e)))
scale("sum-not-reset", lambda c, m, s, e, n: 1 / np.sqrt(np.cumsum(s) / n + e))
scale("all-rows-mean", lambda c, m, s, e, n: np.full_like(m, 1 / np.sqrt(m.mean() + e)))


@mistake("gain-in-mean")
def gain_in_mean(case, cast):
    gained = (case.x * case.gain).astype(wide(case.name))
    return rms_norm(case, cast, tree(gained * gained) / gained.dtype.type(case.x.shape[1]) + gained.dtype.type(case.epsilon))


@mistake("gain-before")
def gain_before(case, cast):
    gained = case.round(case.x * case.gain)
    other = changed(case, gained, np.ones_like(case.gain))
    return right(other, cast)


@mistake("partial-mean")
def partial_mean(case, cast):
    x = case.x.astype(wide(case.name))
    kept = max(1, (case.x.shape[1] - 1) // 4 * 4)
    x = x[:, :kept]
    return rms_norm(case, cast, tree(x * x) / x.dtype.type(kept) + x.dtype.type(case.epsilon))


@mistake("partial-mean width")
def partial_mean_over_width(case, cast):
    x = case.x.astype(wide(case.name))
    n = x.dtype.type(x.shape[1])
    x = x[:, :max(1, (case.x.shape[1] - 1) // 4 * 4)]
    return rms_norm(case, cast, tree(x * x) / n + x.dtype.type(case.epsilon))


@mistake("partial-mean skipped")
def first_feature_skipped(case, cast):
    x = case.x.astype(wide(case.name))
    n = x.dtype.type(x.shape[1])
    x = x[:, 1:]
    return rms_norm(case, cast, tree(x * x) / n + x.dtype.type(case.epsilon))


@mistake("partial-mean twice")
def tail_added_twice(case, cast):
    x = case.x.astype(wide(case.name))
    tail = x[:, max(1, (x.shape[1] - 1) // 4 * 4):]
    total = tree(x * x) + tree(tail * tail)
    return rms_norm(case, cast, total / x.dtype.type(x.shape[1]) + x.dtype.type(case.epsilon))


@mistake("grouped")
def grouped(case, cast):
    rows, width = case.x.shape
    groups = 2 if width % 2 == 0 else 7 if width % 7 == 0 else 5
    parts = np.split(np.arange(width), groups)
    return np.concatenate([right(changed(case, case.x[:, p], case.gain[p]), cast) for p in parts], axis=1)


@mistake("batch-axis")
def batch_axis(case, cast):
    x = case.x.astype(wide(case.name))
    r = 1 / np.sqrt((x * x).mean(axis=0) + x.dtype.type(case.epsilon))
    return case.round(x * r * case.gain.astype(x.dtype))


@mistake("mean-subtracted")
def layer_norm(case, cast):
    x = case.x.astype(wide(case.name))
    centered = x - x.mean(axis=1, keepdims=True)
    return right(changed(case, centered), cast)


@mistake("gain-missing")
def gain_missing(case, cast):
    return right(changed(case, gain=np.ones_like(case.gain), offset=0.0), cast)


@mistake("gain-plus-one")
def gain_plus_one(case, cast):
    return right(changed(case, offset=1.0), cast)


@mistake("gain-squared")
def gain_squared(case, cast):
    return right(changed(case, gain=case.gain ** 2), cast)


@mistake("gain-shifted")
def gain_shifted(case, cast):
    return right(changed(case, gain=np.roll(case.gain, 1)), cast)


@mistake("gain-first")
def gain_first(case, cast):
    return right(changed(case, gain=np.full_like(case.gain, case.gain[0])), cast)


@mistake("sign")
def sign(case, cast):
    return -right(case, cast)


@mistake("rows-shifted")
def rows_shifted(case, cast):
    return np.roll(right(case, cast), 1, axis=0)


@mistake("rows-reversed")
def rows_reversed(case, cast):
    return right(case, cast)[::-1]


@mistake("column-major-output")
def column_major_output(case, cast):
    return right(case, cast).T.reshape(case.x.shape)


@mistake("column-major-input")
def column_major_input(case, cast):
    return right(changed(case, case.x.reshape(case.x.shape[::-1]).T), cast)


@mistake("layer-twice")
def layer_twice(case, cast):
    return right(changed(case, case.round(right(case, cast))), cast)


@mistake("bias-added")
def bias_added(case, cast):
    bias = rounded(case.name, np.linspace(0.3, 1.1, case.x.shape[1]))
    return case.round(right(case, cast) + bias)


@mistake("squares-low")
def squares_low(case, cast):
    kind = wide(case.name)
    squares = rounded(low(case.name), case.x.astype(kind) ** 2).astype(kind)
    return rms_norm(case, cast, tree(squares) / kind(case.x.shape[1]) + kind(case.epsilon))


@mistake("accumulation-low")
def accumulation_low(case, cast):
    kind = wide(case.name)
    total = np.zeros(case.x.shape[0])
    for column in case.x.T:
        total = rounded(low(case.name), total + column.astype(kind).astype(float) ** 2)
    return rms_norm(case, cast, total.astype(kind) / kind(case.x.shape[1]) + kind(case.epsilon))


@mistake("mean-square-low")
def mean_square_low(case, cast):
    kind = wide(case.name)
    return rms_norm(case, cast, rounded(low(case.name), mean_square(case)).astype(kind) + kind(case.epsilon))


@mistake("reciprocal-low")
def reciprocal_low(case, cast):
    kind = wide(case.name)
    r = 1 / np.sqrt(mean_square(case) + kind(case.epsilon))
    return rms_norm(case, cast, r=rounded(low(case.name), r))


@mistake("reciprocal-low root")
def root_low(case, cast):
    kind = wide(case.name)
    root = rounded(low(case.name), np.sqrt(mean_square(case) + kind(case.epsilon)))
    return rms_norm(case, cast, r=1 / root)


@mistake("computed-low")
def computed_low(case, cast):
    name = low(case.name)
    kind = wide(name)
    lower = Case(name, case.x, case.gain, case.epsilon, case.offset)
    squares = lower.round(lower.x.astype(kind) ** 2).astype(kind)
    m = lower.round(tree(squares) / kind(case.x.shape[1]))
    v = lower.round(m + kind(case.epsilon))
    with np.errstate(divide="ignore"):
        r = lower.round(1 / np.sqrt(v))
    return lower.round(lower.round(lower.x * r[:, None]) * lower.gain)


@mistake("output-low")
def output_low(case, cast):
    return rounded(low(case.name), right(case, cast)) if case.name in ("f32", "f64") else right(case, cast)


@mistake("input-low")
def input_low(case, cast):
    name = {"f64": "f32", "f32": "bf16", "f16": "bf16", "bf16": "f16"}[case.name]
    return right(changed(case, rounded(name, case.x)), cast)


@mistake("gain-low")
def gain_low(case, cast):
    name = {"f64": "f32", "f32": "bf16", "f16": "bf16", "bf16": "f16"}[case.name]
    return right(changed(case, gain=rounded(name, case.gain)), cast)


@mistake("output-truncated")
def output_truncated(case, cast):
    if case.name in ("f32", "f64"):
        return right(case, cast)
    r = 1 / np.sqrt(mean_square(case) + np.float32(case.epsilon))
    return chop(case.name, case.x * r[:, None] * gain_of(case, np.float32))


@mistake("fast-inverse-root")
def fast_inverse_root(case, cast):
    v = (mean_square(case) + wide(case.name)(case.epsilon)).astype(np.float32)
    r = (np.uint32(0x5f3759df) - (v.view(np.uint32) >> np.uint32(1))).view(np.float32)
    r = r * (np.float32(1.5) - np.float32(0.5) * v * r * r)
    return rms_norm(case, cast, r=r)


# Offsets of the gain: for cases that have one.

def offset_missing(case, cast):
    return right(changed(case, offset=0.0), cast)


def offset_twice(case, cast):
    return right(changed(case, offset=2 * case.offset), cast)


def with_part(case, cast, rows, columns, fill):
    """Right but for some rows and columns."""
    output = right(case, cast).copy()
    output[np.ix_(rows, columns)] = fill(case, cast)[np.ix_(rows, columns)]
    return output
