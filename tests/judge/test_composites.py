"""Composites: every operation of a framework rounds to the tensors' format, and none is accused.

The formula is right there, so the verdict is `imprecise` where a rounding shows, and never `wrong`.
"""

import os
import unittest
import warnings

import numpy as np

from outputs import Case, Program, f32, f64, once, rounded, running, tree, value_first

try:
    import torch
except ImportError:
    torch = None

# Powers of two, by which a sum is divided without an error, are few among them.
WIDTHS = [2, 3, 7, 12, 24, 64, 96, 100, 301, 1000]
ROWS = [1, 2, 4, 8, 32]


def means(case):
    """The mean square with each operation rounded, as libraries do it, and what epsilon 0 allows."""
    R = case.round
    x, n = case.x, case.x.shape[1]
    exact = x * x
    for squares in R(exact), exact:
        total = tree(squares.astype(f32)).astype(f64)
        yield R(total / n)
        yield R(R(total) / n)
        yield R(R(total) * R(1 / n))
        yield R(R(total) / R(n))
    norm = R(np.sqrt(running(exact.astype(f32)).astype(f64)))
    yield R(R(norm * norm) / n)
    yield from (R(rms * rms) for rms in norms(case))


def norms(case):
    R = case.round
    n = case.x.shape[1]
    norm = R(np.sqrt(running((case.x * case.x).astype(f32)).astype(f64)))
    yield R(norm * n ** -0.5)
    yield R(norm * R(n ** -0.5))
    yield R(norm / R(n ** 0.5))


def scales(case, mean):
    """Factor or divisor of a row."""
    R = case.round
    for epsilon in R(case.epsilon), case.epsilon:
        v = R(mean + epsilon)
        yield R(1 / np.sqrt(v)), None
        yield R(1 / R(np.sqrt(v))), None
        yield None, R(np.sqrt(v))


def outputs_of(case, factor, divisor):
    R = case.round
    if divisor is not None:
        yield R(R(case.x / divisor[:, None]) * case.gain)
        yield R(R(case.gain * case.x) / divisor[:, None])
        return
    yield R(R(case.x * factor[:, None]) * case.gain)
    yield R(case.x * R(factor[:, None] * case.gain))
    yield R(R(case.gain * case.x) * factor[:, None])


def composites(case):
    for mean in means(case):
        for scale in scales(case, mean):
            yield from outputs_of(case, *scale)


def unit_vectors(case):
    """The rms of the first published code, and unit vectors times the root of the width."""
    R = case.round
    n = case.x.shape[1]
    for rms in norms(case):
        yield from outputs_of(case, None, rms)
    unit = R(case.x / R(np.sqrt(running((case.x * case.x).astype(f32)).astype(f64)))[:, None])
    if np.min(np.abs(unit)) < 2.0 ** -14:
        return  # a subnormal number of binary16 has lost its digits
    yield R(unit * R(case.gain * n ** 0.5))
    yield R(R(unit * n ** 0.5) * case.gain)


def case_of(random, name, width, rows, epsilon):
    x = random.standard_normal((rows, width)) * float(random.choice([1, 0.02, 6]))
    return Case(name, x, 1 + 0.3 * random.standard_normal(width), epsilon)


class Composites(unittest.TestCase):
    def setUp(self):
        warnings.simplefilter("ignore")
        self.judge = Program(os.environ["RMSNORM_JUDGE"])
        self.addCleanup(self.judge.close)
        self.tried = 0

    def assert_not_accused(self, case, output, what):
        if not np.all(np.isfinite(output)):
            return None
        self.tried += 1
        verdict = self.judge.judge(case, output)
        self.assertIn(verdict.answer, ("right", "imprecise"),
                      (what, case.name, case.x.shape, case.epsilon, verdict.line))
        return verdict

    def test_no_composite_is_accused(self):
        random = np.random.default_rng(31)
        for name in "bf16", "f16":
            for width in WIDTHS:
                for rows in ROWS:
                    case = case_of(random, name, width, rows, float(random.choice([1e-3, 1e-5, 1e-6])))
                    outputs = list(composites(case))
                    for i in random.choice(len(outputs), 12, replace=False):
                        self.assert_not_accused(case, outputs[i], f"composite {i}")
        self.assertGreater(self.tried, 1000)

    def test_no_unit_vector_is_accused(self):
        random = np.random.default_rng(32)
        for name in "bf16", "f16":
            for width in WIDTHS:
                for rows in ROWS:
                    case = case_of(random, name, width, rows, 0.0)
                    for i, output in enumerate(unit_vectors(case)):
                        self.assert_not_accused(case, output, f"unit vector {i}")
        self.assertGreater(self.tried, 500)

    def test_a_root_that_is_rounded_in_some_rows_is_no_mistake(self):
        """PyTorch rounds it in the rows that are left over from vectors of 16, and also where the gain is wide."""
        random = np.random.default_rng(39)
        for width in 2, 4, 8, 64, 300:
            for scale in 1, 0.003, 20:
                case = case_of(random, "bf16", width, 40, 1e-3)
                R = case.round
                case.x = R(scale * case.x)
                v = R(R(tree(R(case.x * case.x).astype(f32)).astype(f64) / width) + case.epsilon)
                r = R(1 / np.sqrt(v))
                r[32:] = R(1 / R(np.sqrt(v)))[32:]
                normalized = R(case.x * r[:, None])
                self.assert_not_accused(case, R(normalized * case.gain), "left over")
                case.gain = np.ones(width)
                verdict = self.judge.judge(case, normalized, ("bf16", "f32", "f32"))
                self.assertIn(verdict.answer, ("right", "imprecise"), verdict.line)

    def test_a_rounded_sum_is_named_in_many_rows(self):
        random = np.random.default_rng(33)
        for width in 7, 100, 768:
            case = case_of(random, "bf16", width, 32, 1e-5)
            R = case.round
            total = R(tree(R(case.x * case.x).astype(f32)))
            r = R(1 / np.sqrt(R(R(total / width) + case.epsilon)))
            verdict = self.assert_not_accused(case, R(R(case.x * r[:, None]) * case.gain), "sum")
            self.assertEqual((["computed-low:bf16"], []), (verdict.findings[:1], verdict.doubts), verdict.line)

    def test_binary64_data_computed_in_binary32_are_imprecise(self):
        random = np.random.default_rng(34)
        for width in WIDTHS:
            for rows in ROWS:
                for epsilon in 1e-5, 0.0:
                    case = case_of(random, "f64", width, rows, epsilon)
                    x = case.x.astype(f32)
                    v = running(x * x) / f32(width) + f32(epsilon)
                    for normalized in (x * (f32(1) / np.sqrt(v))[:, None], x / np.sqrt(v)[:, None]):
                        for output in normalized.astype(f64) * case.gain, normalized * case.gain.astype(f32):
                            self.assert_not_accused(case, output.astype(f64), "cast to binary32")

    def test_a_gain_that_its_offset_nearly_cancels_beside_binary32_is_no_mistake(self):
        random = np.random.default_rng(41)
        for rows, width in (1, 1), (40, 128), (5, 700):
            case = case_of(random, "f64", width, rows, 1e-6)
            case.offset, case.gain = 1.0, 1e-4 * random.standard_normal(width) - 1
            x = case.x.astype(f32)
            normalized = x * (f32(1) / np.sqrt(running(x * x) / f32(width) + f32(1e-6)))[:, None]
            self.assert_not_accused(case, normalized.astype(f64) * (1 + case.gain), "binary64 gain")
            case.gain = rounded("f16", 0.1 * random.standard_normal(width) - 1)
            self.assert_not_accused(case, normalized.astype(f64) * rounded("f16", 1 + case.gain), "binary16 gain")

    def test_binary64_data_rounded_to_16_bits_and_computed_in_binary32_are_imprecise(self):
        random = np.random.default_rng(37)
        for width in WIDTHS[::3]:
            for rows in ROWS:
                case = case_of(random, "f64", width, rows, 1e-5)
                for name in "f16", "bf16":
                    for x in rounded(name, case.x), rounded(name, case.x.astype(f32)):
                        x = x.astype(f32)
                        r = f32(1) / np.sqrt(running(x * x) / f32(width) + f32(1e-5))
                        normalized = x * r[:, None]
                        for output in normalized.astype(f64) * case.gain, normalized * case.gain.astype(f32):
                            self.assert_not_accused(case, output.astype(f64), "input rounded to 16 bits")

    def test_what_binary32_cannot_have_computed_is_doubted(self):
        """Noise and decimal digits that were cut off are as imprecise, but no numbers of binary32."""
        random = np.random.default_rng(38)
        case = case_of(random, "f64", 64, 16, 1e-5)
        r = 1 / np.sqrt((case.x * case.x).mean(axis=1, keepdims=True) + 1e-5)
        exact = case.x * r * case.gain
        noise = random.uniform(-1, 1, exact.shape)
        for output in exact * (1 + 1e-13 * noise), exact * (1 + 3e-8 * noise), np.round(exact, 11):
            verdict = self.judge.judge(case, output)
            self.assertEqual(("imprecise", ["unknown"]), (verdict.answer, verdict.doubts), verdict.line)
        x = case.x.astype(f32)
        normalized = x * (f32(1) / np.sqrt(running(x * x) / f32(64) + f32(1e-5)))[:, None]
        for output in normalized.astype(f64) * case.gain, case.x * (case.gain.astype(f32) * r.astype(f32)).astype(f64):
            verdict = self.judge.judge(case, output)
            self.assertEqual(("imprecise", []), (verdict.answer, verdict.doubts), verdict.line)
        exact[3, 5] *= 1 + 1e-8
        verdict = self.judge.judge(case, exact)
        self.assertEqual("wrong", verdict.answer, verdict.line)

    def test_one_number_computed_in_binary32_is_no_mistake(self):
        """Rows of one constant, or with one element that is not zero: any number would explain their scale."""
        random = np.random.default_rng(40)
        for width in 3, 16, 1000:
            for rows in 1, 2, 5:
                case = case_of(random, "f64", width, rows, 1e-6)
                one = np.zeros((rows, width))
                one[np.arange(rows), random.integers(0, width, rows)] = case.x[:, 0]
                for values in np.full((rows, width), case.x[0, 0]), np.tile(case.x[:, :1], width), one:
                    case.x = values
                    x = values.astype(f32)
                    r = f32(1) / np.sqrt(running(x * x) / f32(width) + f32(1e-6))
                    self.assert_not_accused(case, (x * r[:, None]).astype(f64) * case.gain, "one number")

    def test_a_mistake_in_binary32_is_still_one(self):
        """Binary64 data cast to binary32 hide no wrong epsilon, and no gain that is missing: both are named."""
        random = np.random.default_rng(35)
        case = case_of(random, "f64", 64, 16, 1e-3)
        x = case.x.astype(f32)
        for epsilon, gain, name in (3e-3, case.gain, "epsilon-other"), (1e-3, np.ones(64), "gain-missing"):
            r = f32(1) / np.sqrt(running(x * x) / f32(64) + f32(epsilon))
            output = (x * r[:, None]).astype(f64) * gain
            verdict = self.judge.judge(case, output)
            self.assertEqual("wrong", verdict.answer)
            self.assertTrue(verdict.findings[0].startswith(f"computed-low:f32+{name}"), verdict.line)

    def test_few_values_that_a_mistake_explains_as_well_carry_its_doubt(self):
        random = np.random.default_rng(36)
        doubted = 0
        for _ in range(200):
            case = case_of(random, "bf16", 3, 2, 1e-3)
            outputs = list(composites(case))
            verdict = self.assert_not_accused(case, outputs[int(random.integers(len(outputs)))], "few")
            others = [f for f in verdict.findings if not any(word in f for word in ("-low", "truncated", "fast-inverse"))]
            doubted += bool(others)
            for finding in others:
                ids = {part.split(":")[0].split("[")[0] for part in finding.split("+")}
                self.assertTrue(ids & set(verdict.doubts), verdict.line)
        self.assertGreater(doubted, 10)

    def test_scales_that_are_all_too_large_are_no_rounding(self):
        """One scale a row explains these rows of many elements: scales on both sides may be unknown roundings."""
        random = np.random.default_rng(37)
        for name in "bf16", "f16":
            case = case_of(random, name, 300, 16, 1e-5)
            unit = 2.0 ** {"bf16": -8, "f16": -11}[name]
            r = 1 / np.sqrt(np.mean(case.x * case.x, axis=1) + case.epsilon)
            off = unit * random.uniform(0.55, 0.95, 16)
            sides = np.where(np.arange(16) % 2, 1, -1)
            for cast in once, value_first:
                self.assertEqual("wrong", self.judge.judge(case, cast(case, (r * (1 + off)).astype(f32), f32)).answer)
                verdict = self.judge.judge(case, cast(case, (r * (1 + sides * off)).astype(f32), f32))
                self.assertEqual(("imprecise", ["unknown"]), (verdict.answer, verdict.doubts), verdict.line)

    @unittest.skipIf(torch is None, "PyTorch is not installed")
    def test_composites_of_a_real_pytorch(self):
        def modules(x, w, e):
            for m in (x.pow(2).mean(-1, keepdim=True), (x * x).sum(-1, keepdim=True) / x.shape[-1],
                      x.norm(2, -1, keepdim=True) ** 2 / x.shape[-1],
                      torch.einsum("ij,ij->i", x, x)[:, None] / x.shape[-1]):
                yield x * torch.rsqrt(m + e) * w
                yield w * x / torch.sqrt(m + e)
                yield x * (m + e).pow(-0.5) * w
            if e == 0:
                yield w * (x / (x.norm(2, -1, keepdim=True) * x.shape[-1] ** -0.5))
                yield torch.nn.functional.normalize(x, dim=-1) * x.shape[-1] ** 0.5 * w
        random = np.random.default_rng(38)
        for width in WIDTHS + [768, 1536]:
            for rows in ROWS:
                for epsilon in 1e-5, 0.0:
                    case = case_of(random, "bf16", width, rows, epsilon)
                    x, w = (torch.tensor(t).to(torch.bfloat16) for t in (case.x, case.gain))
                    for i, y in enumerate(modules(x, w, epsilon)):
                        self.assert_not_accused(case, y.to(torch.float64).numpy(), f"module {i}")


if __name__ == "__main__":
    unittest.main()
