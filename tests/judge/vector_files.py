"""The golden test vectors as arrays, read without the program."""

import functools
import json

import numpy as np

import outputs
from program import SOURCE

FIXTURES = SOURCE / "fixtures" / "vectors"
# In the order of the C implementation.
EIGHT = ["epsilon-outside", "epsilon-missing", "sum-for-mean", "mean-subtracted", "gain-missing",
         "divisor-n-minus-1", "root-missing", "sign"]
DTYPES = ["f64", "f32", "f16", "bf16"]
BYTES = {"f64": 8, "f32": 4, "f16": 2, "bf16": 2}


@functools.cache
def document(dtype, direction):
    """The golden, which test_computed compares with what the program computes."""
    return json.loads((FIXTURES / f"{dtype}-{direction}.json").read_text())


def numbers(dtype, bits):
    data = b"".join(bytes.fromhex(one).rjust(BYTES[dtype], b"\0") for one in bits)
    if dtype == "bf16":
        wide = np.frombuffer(data, ">u2").astype(np.uint32) << np.uint32(16)
        return wide.view(np.float32).astype(float)
    return np.frombuffer(data, {"f64": ">f8", "f32": ">f4", "f16": ">f2"}[dtype]).astype(float)


def encoded(dtype, values):
    values = np.ravel(np.asarray(values, dtype=float))
    with np.errstate(over="ignore", invalid="ignore"):
        if dtype == "bf16":
            patterns = values.astype(np.float32).view(np.uint32) >> np.uint32(16)
        else:
            kind = {"f64": np.float64, "f32": np.float32, "f16": np.float16}[dtype]
            patterns = values.astype(kind).view(f"u{BYTES[dtype]}")
    return [f"{int(pattern):0{2 * BYTES[dtype]}x}" for pattern in patterns]


class Vector:
    def __init__(self, dtype, group, test):
        self.dtype, self.id, self.flags = dtype, test["id"], set(test["flags"])
        self.comment, self.refuse = test["comment"], test["result"] == "refuse"
        self.shape = (group["rows"], group["width"])
        self.epsilon, self.offset = group["epsilon"], group["gain_offset"]
        self.x = numbers(dtype, test["input"]).reshape(self.shape)
        self.gain = numbers(dtype, test["gain"])
        if "upstream" in test:
            self.upstream = numbers(dtype, test["upstream"]).reshape(self.shape)
        self.accepted = {name: tuple(numbers(dtype, test[name][end]) for end in ("low", "high"))
                         for name in ("output", "input_gradient", "gain_gradient") if name in test}
        self.exact = {name: np.array(test[name]["exact"]) for name in self.accepted}
        self.recipes = {name: numbers(dtype, bits) for name, bits in test.get("recipes", {}).items()}

    def passes(self, name, values):
        low, high = self.accepted[name]
        values = np.ravel(values)
        return bool(np.all((low <= values) & (values <= high)))

    def case(self):
        return outputs.Case(self.dtype, self.x, self.gain, self.epsilon, self.offset)


@functools.cache
def vectors(dtype, direction):
    return [Vector(dtype, group, test) for group in document(dtype, direction)["groups"]
            for test in group["tests"]]


def valid(dtype, direction, least=1):
    return [v for v in vectors(dtype, direction) if not v.refuse and v.x.size >= least]
