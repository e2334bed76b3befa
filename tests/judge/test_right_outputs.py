"""No false alarm: outputs of right programs are called right, whatever order, root and rounding.

RMSNORM_JUDGE_COUNT sets how many outputs it tries in each of the formats (5,000 by default).
"""

import os
import unittest
import warnings

import numpy as np

from outputs import CASTS, KINDS, ORDER, Case, Program, data, f32, f64, right_outputs, rounded

try:
    import torch
except ImportError:
    torch = None

COUNT = int(os.environ.get("RMSNORM_JUDGE_COUNT", "5000"))
WIDTHS = [1, 2, 3, 5, 7, 16, 33, 64, 96, 127, 256, 300, 1000, 4096]


def random_case(random, name, width=None):
    width = int(width or random.choice(WIDTHS))
    offset = float(random.choice([0, 0, 1]))
    x = data(random, str(random.choice(KINDS)), int(random.integers(1, 5)), width)
    x = x * float(random.choice([1, 0.02, 0.003, 30]))
    gain = random.choice([0, 1]) * random.standard_normal(width) * 0.3 + (1 - offset)
    return Case(name, x, gain, float(random.choice([1e-5, 1e-6, 1e-8, 1e-12, 1e-3])), offset)


class RightOutputs(unittest.TestCase):
    def setUp(self):
        warnings.simplefilter("ignore")
        self.judge = Program(os.environ["RMSNORM_JUDGE"])
        self.addCleanup(self.judge.close)

    def assert_right(self, case, output, what, formats=None):
        verdict = self.judge.judge(case, output, formats)
        self.assertEqual(("right", []), (verdict.answer, verdict.doubts),
                         (what, case.name, case.x.shape, case.epsilon, case.offset, verdict.line))
        if np.all(np.isfinite(output)):
            self.assertLessEqual(verdict.max_ulp, verdict.bound_ulp + 1e-3 + subnormal_ulps(case, output),
                                 (what, verdict.line))

    def test_every_order_root_and_rounding_is_right_in_every_format(self):
        random = np.random.default_rng(20)
        counts = dict.fromkeys(ORDER, 0)
        while min(counts.values()) < COUNT:
            for name in ORDER:
                case = random_case(random, name)
                for i, output in enumerate(right_outputs(case)):
                    self.assert_right(case, output, i)
                    counts[name] += 1
        print(f"{sum(counts.values())} right outputs")

    def test_long_rows_are_right(self):
        random = np.random.default_rng(21)
        for name in ORDER:
            case = random_case(random, name, 16384)
            for i, output in enumerate(right_outputs(case)):
                self.assert_right(case, output, i)

    def test_a_product_that_is_rounded_to_binary32_first_is_right(self):
        """Such a rounding may end on a midpoint of binary16, and the next one go the other way."""
        random = np.random.default_rng(24)
        x = rounded("f16", random.standard_normal(200000))
        gain = rounded("f16", 1e-3 * random.standard_normal(200000))
        exact = x * (1 + gain)
        twice = rounded("f16", exact.astype(f32))
        moved = rounded("f16", exact) != twice
        self.assertGreater(np.sum(moved), 3)
        case = Case("f16", x[moved][None], gain[moved], 1e-5, 1.0)
        r = 1 / np.sqrt(np.mean(case.x ** 2) + case.epsilon)
        self.assert_right(case, rounded("f16", twice[moved][None] * r), "product first")

    def test_mixed_formats_are_right(self):
        """A bfloat16 input with a binary32 gain: an output of either format."""
        random = np.random.default_rng(22)
        for _ in range(20):
            case = random_case(random, "bf16")
            case.gain = rounded("f32", case.gain + 0.001 * random.standard_normal(case.gain.shape))
            x = case.x.astype(f32)
            r = f32(1) / np.sqrt((x * x).mean(axis=1, keepdims=True) + f32(case.epsilon))
            gain = (f32(case.offset) + case.gain.astype(f32)).astype(f32)
            wide_output = rounded("bf16", x * r).astype(f32) * gain
            self.assert_right(case, wide_output, "value first", ("bf16", "f32", "f32"))
            self.assert_right(case, x * r * gain, "once", ("bf16", "f32", "f32"))
            self.assert_right(case, rounded("bf16", x * r * gain), "all", ("bf16", "f32", "bf16"))

    def test_a_gain_that_is_rounded_before_or_after_its_offset_is_added_is_right(self):
        """Offset plus gain may cancel, and then the rounding of the gain is no small error."""
        random = np.random.default_rng(26)
        for name, gain_format in (("f32", "f64"), ("bf16", "f64"), ("f16", "f64"), ("f16", "f16"), ("bf16", "bf16")):
            for _ in range(20):
                case = random_case(random, name)
                case.offset = 1.0
                case.gain = rounded(gain_format, 2.0 ** random.integers(-26, 1, case.gain.shape) - 1)
                x = case.x.astype(f32)
                r = f32(1) / np.sqrt((x * x).mean(axis=1, keepdims=True) + f32(case.epsilon))
                if gain_format == "f64":
                    gain = f32(1) + case.gain.astype(f32)
                else:
                    gain = rounded(name, 1 + case.gain).astype(f32)
                for output in ("f32", name):
                    for what, value in (("once", x * r * gain),
                                        ("value first", rounded(name, x * r).astype(f32) * gain)):
                        self.assert_right(case, rounded(output, value), what, (name, gain_format, output))

    def test_binary64_that_becomes_binary32_before_16_bits_is_right(self):
        """As PyTorch and C convert it. What only a larger error takes beyond a midpoint is not right."""
        random = np.random.default_rng(25)
        for name, bits in (("bf16", 8), ("f16", 11)):
            def at_once(values):
                fractions, exponents = np.frexp(values)
                return np.ldexp(np.rint(fractions * 2.0 ** bits), exponents - bits)

            def twice(values):
                return at_once(values.astype(f32).astype(f64))

            x = 2 + random.random((64, 4096))
            case = Case("f64", x, 1 + 0.3 * random.standard_normal(4096), 1e-6)
            formats = ("f64", "f64", name)
            value = case.x / np.sqrt((case.x ** 2).mean(axis=1, keepdims=True) + case.epsilon)
            first = twice(value) * case.gain
            self.assertGreater(np.sum(at_once(value) != twice(value)), 0)
            self.assertGreater(np.sum(at_once(value * case.gain) != twice(value * case.gain)), 0)
            self.assert_right(case, at_once(value * case.gain), "at once", formats)
            self.assert_right(case, twice(value * case.gain), "twice", formats)
            self.assert_right(case, twice(first), "value first", formats)

            outside = at_once(value * case.gain * (1 + 2.0 ** -22))
            inside = at_once(value * case.gain * (1 + 2.0 ** -23))
            row, column = np.argwhere(outside != inside)[0]
            wrong = twice(value * case.gain)
            wrong[row, column] = outside[row, column]
            self.assertNotEqual("right", self.judge.judge(case, wrong, formats).answer, name)

    def test_constant_rows_that_are_rounded_to_one_are_no_doubt(self):
        """Their elements agree on a scale that the rounding made."""
        signs = np.where(np.arange(7) % 2, -1, 1)
        sizes = np.linspace(0.5, 2, 16)[:, None]
        case = Case("bf16", signs * sizes, 1 + 0.3 * np.arange(7), 1e-6)
        x = case.x.astype(f32)
        r = f32(1) / np.sqrt((x * x).mean(axis=1, keepdims=True) + f32(case.epsilon))
        output = rounded("bf16", x * r).astype(f32) * case.gain.astype(f32)
        self.assert_right(case, output, "value first", ("bf16", "f32", "f32"))

    @unittest.skipIf(torch is None, "PyTorch is not installed")
    def test_modules_of_a_real_pytorch_are_right(self):
        random = np.random.default_rng(23)
        kinds = {"f32": torch.float32, "f64": torch.float64, "bf16": torch.bfloat16}
        for _ in range(100):
            for name, kind in kinds.items():
                case = random_case(random, name)
                case.offset = 0.0
                wide_kind = torch.float64 if name == "f64" else torch.float32
                x = torch.tensor(case.x).to(kind)
                gain = torch.tensor(case.gain).to(kind)
                x32 = x.to(wide_kind)
                r = torch.rsqrt(x32.pow(2).mean(-1, keepdim=True) + case.epsilon)
                norm = torch.linalg.vector_norm(x32, dim=-1, keepdim=True) / x.shape[1] ** 0.5
                by_norm = x32 / torch.sqrt(norm * norm + case.epsilon)
                for what, output in (("llama", gain * (x32 * r).to(kind)),
                                     ("once", (x32 * r * gain.to(wide_kind)).to(kind)),
                                     ("t5", gain * (x * r).to(kind)),
                                     ("norm", (by_norm * gain.to(wide_kind)).to(kind))):
                    self.assert_right(case, output.to(torch.float64).numpy(), what)


def subnormal_ulps(case, output):
    """Below the smallest normal number the bound is no count of ulps (docs/judge.md)."""
    smallest = {"f64": 2.0 ** -1022, "f32": 2.0 ** -126, "bf16": 2.0 ** -126, "f16": 2.0 ** -14}
    values = np.abs(np.asarray(case.x)) * np.max(np.abs(case.gain) + case.offset)
    tiny = np.any((values > 0) & (values < smallest[case.name] * 4))
    return 1e9 if tiny else 0


if __name__ == "__main__":
    unittest.main()
