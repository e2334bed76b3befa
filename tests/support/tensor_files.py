"""Files of tensors by a writer of their own, and RMSNorm in binary64 to fill them with."""

import json
import struct

import numpy as np

KINDS = {"F64": np.float64, "F32": np.float32, "F16": np.float16}


def to_bf16(numbers):
    """The patterns of binary32 numbers rounded to bfloat16."""
    bits = np.asarray(numbers, dtype=np.float32).view(np.uint32).astype(np.uint64)
    return ((bits + 0x7FFF + (bits >> np.uint64(16) & np.uint64(1))) >> np.uint64(16)).astype(
        np.uint16)


def stored(dtype, numbers):
    """What a file holds of numbers, and the numbers it then holds."""
    if dtype == "BF16":
        patterns = to_bf16(numbers)
        return patterns.astype("<u2").tobytes(), (patterns.astype(np.uint32) << 16).view(np.float32)
    kept = np.asarray(numbers).astype(KINDS[dtype])
    return kept.astype(kept.dtype.newbyteorder("<")).tobytes(), kept


def tensor(numbers, dtype="F32"):
    """Dtype, shape and bytes, as `safetensors` takes them."""
    return dtype, list(np.shape(numbers)), stored(dtype, numbers)[0]


def safetensors(tensors, metadata=None):
    """The bytes of a file: a name to a dtype, a shape and bytes."""
    header, data = {}, b""
    if metadata:
        header["__metadata__"] = metadata
    for name, (dtype, shape, content) in tensors.items():
        header[name] = {"dtype": dtype, "shape": shape,
                        "data_offsets": [len(data), len(data) + len(content)]}
        data += content
    return with_header(json.dumps(header).encode(), data)


def with_header(text, data=b""):
    return struct.pack("<Q", len(text)) + text + data


def normalized(x, gain, epsilon):
    x, gain = np.asarray(x, np.float64), np.asarray(gain, np.float64)
    return x / np.sqrt((x * x).mean(-1, keepdims=True) + epsilon) * gain


def gradients(x, gain, upstream, epsilon):
    """Input and gain gradient in binary64."""
    x, gain, upstream = (np.asarray(a, np.float64) for a in (x, gain, upstream))
    r = 1 / np.sqrt((x * x).mean(-1, keepdims=True) + epsilon)
    inner = (upstream * gain * x).mean(-1, keepdims=True)
    of_gain = (upstream * x * r).reshape(-1, x.shape[-1]).sum(0)
    return upstream * gain * r - x * r**3 * inner, of_gain
