"""RMSNorm in numpy, right or with the mistake that the environment names."""

import os

import numpy as np

MISTAKE = os.environ.get("MISTAKE")


def rms_norm(x, gain, epsilon, gain_offset):
    wide = np.float64 if x.dtype == np.float64 else np.float32
    y, g, e = x.astype(wide), gain.astype(wide), wide(epsilon)
    g = g if MISTAKE == "gain-offset-missing" else g + wide(gain_offset)
    if MISTAKE == "mean-subtracted" and x.size:
        y = y - y.mean(axis=1, keepdims=True)
    divisor = {"sum-for-mean": 1, "divisor-n-minus-1": x.shape[1] - 1}.get(MISTAKE, x.shape[1])
    mean = (y * y).sum(axis=1, keepdims=True, dtype=wide) / wide(divisor)
    if MISTAKE == "epsilon-outside":
        scale = 1 / (np.sqrt(mean) + e)
    elif MISTAKE == "epsilon-missing":
        scale = 1 / np.sqrt(mean)
    elif MISTAKE == "root-missing":
        scale = 1 / (mean + e)
    else:
        scale = 1 / np.sqrt(mean + e)
    if MISTAKE == "gain-missing":
        g = np.ones_like(g)
    if MISTAKE == "sign":
        g = -g
    return (y * scale * g).astype(x.dtype)


def rms_norm_backward(x, gain, upstream, epsilon, gain_offset):
    wide = np.float64 if x.dtype == np.float64 else np.float32
    y, g, p = x.astype(wide), gain.astype(wide) + wide(gain_offset), upstream.astype(wide)
    scale = 1 / np.sqrt((y * y).mean(axis=1, keepdims=True) + wide(epsilon))
    inner = (p * (1 if MISTAKE == "gain-missing-inside" else g) * y).mean(axis=1, keepdims=True)
    second = {"scale-detached": 0, "second-term-sign": -1, "sum-for-mean": x.shape[1]}.get(MISTAKE, 1)
    power = 2 if MISTAKE == "scale-power" else 3
    of_input = scale * p * g - wide(second) * y * scale**power * inner
    terms = p * y * (1 if MISTAKE == "input-for-normalized" else scale)
    of_gain = terms.mean(axis=0) if MISTAKE == "rows-averaged" else terms.sum(axis=0, dtype=wide)
    if MISTAKE == "magnitudes":
        of_gain = np.abs(terms).sum(axis=0)
    return of_input.astype(x.dtype), of_gain.astype(x.dtype)
