"""Recipes give the bits of the same operations in numpy, and, where it is installed, of PyTorch."""

import os
import subprocess
import unittest

import numpy as np

try:
    import torch
except ImportError:
    torch = None

RECIPE = os.environ["RMSNORM_RECIPE"]
f16, f32, f64 = np.float16, np.float32, np.float64
NAMES = {f16: "f16", f32: "f32", f64: "f64"}


def to_bf16(numbers):
    """binary32 numbers rounded to bfloat16, ties to even, as binary32."""
    bits = numbers.astype(f32).view(np.uint32).astype(np.uint64)
    rounded = (bits + 0x7FFF + (bits >> np.uint64(16) & np.uint64(1))) & np.uint64(0xFFFF0000)
    return rounded.astype(np.uint32).view(f32)


def recipe(name, formats, epsilon, rows, gain):
    data = np.concatenate([gain.astype(f64)[None], rows.astype(f64)]).tobytes()
    result = subprocess.run([RECIPE, name, *formats, repr(epsilon), str(rows.shape[1])],
                            input=data, capture_output=True, timeout=60, check=True)
    return np.frombuffer(result.stdout, dtype=f64).reshape(rows.shape)


def cases(kind, seed):
    """Rows and gains of a format, of several widths and magnitudes."""
    random = np.random.default_rng(seed)
    for width in (1, 2, 7, 64, 301):
        for magnitude in (1.0, 0.02, 6.0):
            rows = (random.standard_normal((5, width)) * magnitude).astype(kind)
            gain = (1 + 0.3 * random.standard_normal(width)).astype(kind)
            yield rows, gain


def ascending_mean_square(rows, kind=f32):
    """The mean of squares that are computed and added up in `kind`, in ascending order."""
    wide = rows.astype(kind)
    total = np.cumsum(wide * wide, axis=1, dtype=kind)[:, -1:]
    return total / kind(rows.shape[1])


def one_over_root(value):
    return value.dtype.type(1) / np.sqrt(value)


class BitsOfNumpy(unittest.TestCase):
    epsilon = 1e-5

    def check(self, name, kind, output, gain_kind=None, output_kind=None):
        formats = [NAMES[kind], NAMES[gain_kind or kind], NAMES[output_kind or kind]]
        for rows, gain in cases(kind, 3):
            gain = gain.astype(gain_kind or kind)
            with self.subTest(recipe=name, formats=formats, shape=rows.shape), \
                    np.errstate(over="ignore", under="ignore", divide="ignore"):
                np.testing.assert_array_equal(
                    recipe(name, formats, self.epsilon, rows, gain),
                    output(rows, gain).astype(f64))

    def wide_scale(self, rows):
        wide = f64 if rows.dtype == f64 else f32
        return one_over_root(ascending_mean_square(rows, wide) + wide(self.epsilon))

    def test_one_rounding(self):
        def pytorch(rows, gain):
            return ((rows * self.wide_scale(rows)) * gain).astype(rows.dtype)
        for kind in (f16, f32, f64):
            self.check("pytorch", kind, pytorch)

    def test_one_rounding_and_an_offset(self):
        def gemma(rows, gain):
            return (rows * self.wide_scale(rows) * (f32(1) + gain.astype(f32))).astype(rows.dtype)
        self.check("gemma", f16, gemma)
        self.check("gemma", f32, gemma)

    def test_the_normalized_value_rounded_first(self):
        def llama(rows, gain):
            return (rows * self.wide_scale(rows)).astype(rows.dtype) * gain
        self.check("llama", f16, llama)
        # A wider gain makes the output wider.
        self.check("llama", f16, llama, f32, f32)

    def test_the_normalized_value_rounded_to_the_format_of_the_gain(self):
        def t5(rows, gain):
            return (rows * self.wide_scale(rows)).astype(gain.dtype) * gain
        self.check("t5", f16, t5, f32, f32)
        self.check("t5", f32, t5, f16, f16)

    def test_division_by_the_root(self):
        def onnx(rows, gain):
            root = np.sqrt(ascending_mean_square(rows) + f32(self.epsilon))
            return (rows / root).astype(rows.dtype) * gain
        def onnxruntime(rows, gain):
            root = np.sqrt(ascending_mean_square(rows) + f32(self.epsilon))
            return (rows / root * gain).astype(rows.dtype)
        def burn(rows, gain):
            root = np.sqrt(ascending_mean_square(rows) + f32(self.epsilon)).astype(rows.dtype)
            return rows / root * gain
        for kind in (f16, f32):
            self.check("onnx", kind, onnx)
            self.check("onnxruntime", kind, onnxruntime)
            self.check("burn", kind, burn)
            self.check("candle", kind, burn)

    def test_the_gain_times_the_reciprocal_first(self):
        def flax(rows, gain):
            return (rows * (self.wide_scale(rows) * gain)).astype(rows.dtype)
        self.check("flax", f16, flax)
        self.check("flax", f32, flax)

    def test_an_offset_added_in_the_format(self):
        def flax_gemma(rows, gain):
            return (rows * self.wide_scale(rows)).astype(rows.dtype) * (rows.dtype.type(1) + gain)
        self.check("flax-gemma", f16, flax_gemma)

    def test_a_sum_in_binary64(self):
        def ggml(rows, gain):
            squares = (rows * rows).astype(f64)
            total = np.cumsum(squares, axis=1)[:, -1:]
            mean = (total / rows.shape[1]).astype(f32)
            return rows * one_over_root(mean + f32(self.epsilon)) * gain
        self.check("ggml", f32, ggml)

    def test_binary64_that_is_cast_to_binary32(self):
        def scale(rows):
            return self.wide_scale(rows.astype(f32))
        def llama(rows, gain):
            return (rows.astype(f32) * scale(rows)).astype(f64) * gain
        def olmo2(rows, gain):
            return rows.astype(f32) * scale(rows) * gain
        def gemma(rows, gain):
            return rows.astype(f32) * scale(rows) * (f32(1) + gain.astype(f32))
        def flash(rows, gain):
            return rows.astype(f32) * scale(rows) * gain.astype(f32)
        def t5(rows, gain):
            return rows * scale(rows).astype(f64) * gain
        def t5_half(rows, gain):
            return (rows * scale(rows).astype(f64)).astype(f16) * gain
        def onnx(rows, gain):
            root = np.sqrt(ascending_mean_square(rows.astype(f32)) + f32(self.epsilon))
            return (rows.astype(f32) / root).astype(f64) * gain
        def burn(rows, gain):
            root = np.sqrt(ascending_mean_square(rows.astype(f32)) + f32(self.epsilon))
            return rows / root.astype(f64) * gain
        for name, output in [("llama", llama), ("olmo2", olmo2), ("unsloth", olmo2), ("gemma", gemma),
                             ("flash-attention", flash), ("t5", t5), ("onnx", onnx), ("burn", burn)]:
            self.check(name, f64, output)
            self.check(name, f64, output, f32, f64)
        self.check("t5", f64, t5_half, f16, f16)

    def test_every_operation_in_the_format(self):
        def squares_mean(rows):
            total = np.cumsum((rows * rows).astype(f32), axis=1, dtype=f32)[:, -1:]
            return (total / f32(rows.shape[1])).astype(rows.dtype)
        def onnx_reference(rows, gain):
            root = np.sqrt(squares_mean(rows) + rows.dtype.type(self.epsilon))
            return rows * (rows.dtype.type(1) / root) * gain
        def tensorflow(rows, gain):
            variance = squares_mean(rows) + rows.dtype.type(self.epsilon)
            return (gain * rows) * one_over_root(variance.astype(f32)).astype(rows.dtype)
        for kind in (f16, f32):
            self.check("onnx-reference", kind, onnx_reference)
            self.check("rmsnorm-tensorflow", kind, tensorflow)

    def test_epsilon_outside_of_the_root(self):
        def authors(rows, gain):
            wide = f64 if rows.dtype == f64 else f32
            total = np.cumsum(rows.astype(wide) ** 2, axis=1, dtype=wide)[:, -1:]
            norm = np.sqrt(total).astype(rows.dtype)
            rms = norm * rows.dtype.type(rows.shape[1] ** -0.5)
            return gain * (rows / (rms + rows.dtype.type(self.epsilon)))
        for kind in (f16, f32, f64):
            self.check("rmsnorm-torch", kind, authors)

    def test_bfloat16(self):
        for rows, gain in cases(f32, 11):
            rows, gain = to_bf16(rows), to_bf16(gain)
            scale = self.wide_scale(rows)
            formats = ["bf16", "bf16", "bf16"]
            for name, expected in [("keras", to_bf16(rows * scale * gain)),
                                   ("mlx", to_bf16(to_bf16(rows * scale) * gain)),
                                   ("flax", to_bf16(rows * (scale * gain)))]:
                np.testing.assert_array_equal(
                    recipe(name, formats, self.epsilon, rows, gain), expected.astype(f64))


@unittest.skipIf(torch is None, "PyTorch is not installed")
class BitsOfPyTorch(unittest.TestCase):
    """Rows of whole numbers, whose squares have one sum in any order."""

    def test_modules_in_bfloat16_binary32_and_binary64(self):
        def llama(x, weight):
            wide = x.to(torch.float32)
            variance = wide.pow(2).mean(-1, keepdim=True)
            return weight * (wide * torch.rsqrt(variance + 1e-5)).to(x.dtype)

        def gemma(x, weight):
            wide = x.float()
            normed = wide * torch.rsqrt(wide.pow(2).mean(-1, keepdim=True) + 1e-5)
            return (normed * (1.0 + weight.float())).type_as(x)

        def t5(x, weight):
            variance = x.to(torch.float32).pow(2).mean(-1, keepdim=True)
            x = x * torch.rsqrt(variance + 1e-5)
            if weight.dtype in (torch.float16, torch.bfloat16):
                x = x.to(weight.dtype)
            return weight * x

        def burn(x, weight):
            root = torch.sqrt(x.float().pow(2).mean(-1, keepdim=True) + 1e-5).to(x.dtype)
            return x / root * weight

        def authors(x, weight):
            norm = x.norm(2, dim=-1, keepdim=True)
            return weight * (x / (norm * x.shape[-1] ** (-1.0 / 2) + 1e-5))

        names = {torch.bfloat16: "bf16", torch.float32: "f32", torch.float64: "f64"}
        random = np.random.default_rng(5)
        for name, module in [("llama", llama), ("gemma", gemma), ("t5", t5), ("burn", burn),
                             ("rmsnorm-torch", authors)]:
            for kinds in [(torch.bfloat16, torch.bfloat16), (torch.float32, torch.float32),
                          (torch.bfloat16, torch.float32), (torch.float64, torch.float64),
                          (torch.float64, torch.float32), (torch.float32, torch.float64),
                          (torch.bfloat16, torch.float64)]:
                if name in ("gemma", "burn", "rmsnorm-torch") and kinds == (torch.bfloat16, torch.float32):
                    continue
                for width in (1, 3, 8, 33, 100):
                    rows = random.integers(-128, 129, (6, width)).astype(f32)
                    x = torch.from_numpy(rows).to(kinds[0])
                    gain = torch.from_numpy(1 + random.standard_normal(width)).to(kinds[1])
                    expected = module(x, gain)
                    formats = [names[kind] for kind in (*kinds, expected.dtype)]
                    with self.subTest(recipe=name, formats=formats, width=width):
                        np.testing.assert_array_equal(
                            recipe(name, formats, 1e-5, rows, gain.double().numpy()),
                            expected.double().numpy())


if __name__ == "__main__":
    unittest.main()
