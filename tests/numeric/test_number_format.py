"""Roundings to every format are those of numpy and, where it is installed, of PyTorch."""

import os
import subprocess
import unittest

import numpy as np

try:
    import torch
except ImportError:
    torch = None

ROUND = os.environ["RMSNORM_ROUND_NUMBERS"]


def patterns(dtype, numbers):
    result = subprocess.run([ROUND, dtype], input=numbers.tobytes(), capture_output=True,
                            timeout=60, check=True)
    return np.frombuffer(result.stdout, dtype=np.uint64)


def numbers_around(exponents, significand_bits):
    """Random numbers of all magnitudes, ties of the format, and their neighbors in binary64."""
    random = np.random.default_rng(7)
    any_pattern = random.integers(0, 2**64, 100_000, dtype=np.uint64).view(np.float64)
    magnitudes = np.ldexp(1 + random.random(200_000), random.integers(*exponents, 200_000))
    scale = np.exp2(np.floor(np.log2(magnitudes)) - significand_bits)
    ties = (np.floor(magnitudes / scale) + 0.5) * scale
    beside = [np.nextafter(ties, np.inf), np.nextafter(ties, 0)]
    numbers = np.concatenate([any_pattern, magnitudes, ties, *beside])
    numbers = numbers[~np.isnan(numbers)]
    return np.concatenate([numbers, -numbers])


class RoundingsAreThoseOfOthers(unittest.TestCase):
    def test_binary16_and_binary32_against_numpy(self):
        for dtype, kind, unsigned, exponents, bits in [
                ("f16", np.float16, np.uint16, (-27, 18), 10),
                ("f32", np.float32, np.uint32, (-152, 130), 23)]:
            numbers = numbers_around(exponents, bits)
            with np.errstate(over="ignore", under="ignore"):
                expected = numbers.astype(kind).view(unsigned)
            np.testing.assert_array_equal(patterns(dtype, numbers), expected)

    @unittest.skipIf(torch is None, "PyTorch is not installed")
    def test_bfloat16_against_pytorch(self):
        # PyTorch goes from binary64 by way of binary32: only binary32 numbers are rounded once.
        with np.errstate(over="ignore", under="ignore"):
            numbers = numbers_around((-136, 130), 7).astype(np.float32)
        expected = torch.from_numpy(numbers).to(torch.bfloat16).view(torch.int16).numpy()
        np.testing.assert_array_equal(patterns("bf16", numbers.astype(np.float64)),
                                      expected.view(np.uint16))


if __name__ == "__main__":
    unittest.main()
