"""Right outputs of any order carry no doubt; those of another epsilon or of a factor that the bound allows carry one."""

import json
import os
import pathlib
import re
import tempfile
import unittest
import warnings

import numpy as np

from outputs import (ORDERS, Case, Program, backwards, f32, f64, lanes, library, once, reciprocal_roots, running, tree,
                     wide)
from program import run
from tensor_files import safetensors, tensor

EPSILONS = (1e-3, 1e-4, 1e-5, 1e-6, 1e-7, 1e-8, 1e-9, 1e-10, 1e-12, 1e-15)


def output(case, epsilon=None, factor=1.0, order=tree):
    """The output with another epsilon, or times a factor."""
    kind = wide(case.name)
    x = case.x.astype(kind)
    v = order(x * x) / kind(x.shape[1]) + kind(case.epsilon if epsilon is None else epsilon)
    return once(case, (kind(factor) / np.sqrt(v)).astype(kind), kind)


# Orders that the judge does not know.

def chunks(count):
    def total(squares):
        length = -(-squares.shape[1] // count)
        return running(np.stack([running(squares[:, at:at + length])
                                 for at in range(0, squares.shape[1], length)], axis=1))
    return total


def strided(step):
    return lambda squares: running(np.concatenate([squares[:, at::step] for at in range(step)], axis=1))


def fused_lanes(x, count):
    """Fused multiply-add of binary32 numbers, where binary64 can stand for it."""
    sums = np.zeros((len(x), count), f32)
    for at in range(0, x.shape[1], count):
        part = x[:, at:at + count].astype(f64)
        sums[:, :part.shape[1]] = (part * part + sums[:, :part.shape[1]].astype(f64)).astype(f32)
    return running(sums)


def descending(squares):
    return running(np.sort(squares, axis=1)[:, ::-1])


UNKNOWN = [chunks(3), chunks(7), chunks(24), strided(5), strided(18), lanes(3), lanes(12), lanes(48), descending]


def structured(random, rows, width):
    """Inputs whose rows have in common what biases a sum."""
    normal, size = random.standard_normal, lambda: random.uniform(0.3, 3)
    outlier = normal((rows, width))
    outlier[:, random.integers(width)] = 10 ** random.uniform(1, 4)
    swallowed = np.full((rows, width), 2.0 ** -9 * size())
    swallowed[:, random.integers(width)] = random.uniform(20, 60, rows)
    stagnant = np.ones((rows, width))
    stagnant[:, width // 3:] = 2.0 ** -12 * np.sqrt(width / 3) * random.uniform(0.9, 1.1, (rows, 1))
    yield "normal", size() * normal((rows, width))
    yield "one constant", np.full((rows, width), size())
    yield "constants", np.ones((rows, width)) * random.uniform(0.5, 2, (rows, 1))
    yield "two values", np.where(random.random((rows, width)) < 0.3, size(), 0.1 * size())
    yield "few values", random.choice([size(), size(), size()], (rows, width))
    yield "permuted", np.stack([random.permutation(np.linspace(0.1, 1, width)) for _ in range(rows)])
    yield "multiples", normal(width) * random.uniform(0.5, 2, (rows, 1))
    yield "alike", normal(width) + 1e-3 * normal((rows, width))
    yield "integers", size() * random.integers(-9, 10, (rows, width))
    yield "counted", 1.0 + np.arange(rows * width).reshape(rows, width)
    yield "one outlier", outlier
    yield "swallowed", swallowed
    yield "stagnant", stagnant


class Doubts(unittest.TestCase):
    def setUp(self):
        warnings.simplefilter("ignore")
        self.judge = Program(os.environ["RMSNORM_JUDGE"])
        self.addCleanup(self.judge.close)
        self.random = np.random.default_rng(51)

    def case(self, name, rows, width, size, epsilon, spread=0.0):
        sizes = size * np.exp(spread * self.random.standard_normal((rows, 1)))
        return Case(name, sizes * self.random.standard_normal((rows, width)),
                    1 + 0.3 * self.random.standard_normal(width), epsilon)

    def test_no_order_of_a_structured_input_is_doubted(self):
        for width in (64, 300, 777, 1024, 3000):
            for name in ("f32", "f64"):
                for kind, x in structured(self.random, int(self.random.choice([4, 9])), width):
                    case = Case(name, x, np.ones(width), float(self.random.choice([1e-3, 1e-5, 1e-6, 1e-8])))
                    x = case.x.astype(wide(name))
                    totals = [order(x * x) for order in ORDERS + UNKNOWN]
                    if name == "f32":
                        totals += [fused_lanes(x, count) for count in (1, 3, 4)]
                    # A tree is never off by what a doubt takes.
                    for i in self.random.choice(len(totals), 7, replace=False):
                        roots = list(reciprocal_roots(totals[i] / x.dtype.type(width) + x.dtype.type(case.epsilon)))
                        verdict = self.judge.judge(case, once(case, roots[i % len(roots)], x.dtype.type))
                        self.assertEqual(("right", []), (verdict.answer, verdict.doubts),
                                         (name, kind, width, i, case.epsilon, verdict.line))

    def test_another_epsilon_is_doubted_whichever_it_is(self):
        for rows, width, size, given, used in ((9, 1024, 3, 1e-3, 1.3e-3), (9, 1024, 1, 1e-5, 3e-5),
                                               (16, 512, 1, 1e-5, 1.7e-5), (64, 2048, 1, 1e-5, 3e-5),
                                               (9, 1024, 3, 1.3e-3, 0.9e-3), (4, 1024, 3, 1e-3, 1.3e-3)):
            case = self.case("f32", rows, width, size, given)
            for order in (tree, library, lanes(8)):
                verdict = self.judge.judge(case, output(case, used, order=order))
                self.assertEqual("right", verdict.answer)
                self.assertIn("epsilon-other", verdict.doubts, (rows, width, verdict.line))

    def test_a_factor_is_doubted_whichever_it_is(self):
        for name, unit in (("f32", 2.0 ** -24), ("f64", 2.0 ** -53)):
            for rows, width, part in ((9, 1024, 0.3), (9, 1024, -0.3), (9, 256, 0.3), (9, 256, -0.3), (4, 2048, 0.1)):
                case = self.case(name, rows, width, 1, 1e-5, spread=1)
                for order in (tree, library, lanes(8), running):
                    if order is running and width > 1024:
                        continue
                    verdict = self.judge.judge(case, output(case, factor=1 + part * width * unit, order=order))
                    self.assertEqual(("right", ["constant-factor"]), (verdict.answer, verdict.doubts), verdict.line)

    def test_a_factor_that_orders_of_the_sum_may_make_is_no_doubt(self):
        # Rows of one constant each are multiples: an order drifts alike in all of them.
        factor = 1 + 200 * 2.0 ** -24
        case = Case("f32", np.ones((9, 1024)) * self.random.uniform(0.5, 2, (9, 1)), np.ones(1024), 1e-12)
        self.assertEqual([], self.judge.judge(case, output(case, factor=factor)).doubts)
        # Three unlike rows are too few for a number that may be any.
        case = self.case("f32", 9, 1024, 1, 1e-12)
        self.assertEqual(["constant-factor"], self.judge.judge(case, output(case, factor=factor)).doubts)
        case.x = case.x[:3]
        self.assertEqual([], self.judge.judge(case, output(case, factor=factor)).doubts)
        # Squares that a running sum loses beside a large one.
        x = np.full((9, 1024), 2.0 ** -9)
        x[:, 0] = np.linspace(20, 40, 9)
        case = Case("f32", x, np.ones(1024), 1e-5)
        lost = 1023 * 2.0 ** -18 / 1024
        self.assertEqual([], self.judge.judge(case, output(case, 1e-5 - lost * 0.5)).doubts)

    def test_the_note_tells_the_number(self):
        for epsilon, factor, words in ((1.3e-3, 1, "an epsilon of "), (1e-3, 1 + 300 * 2.0 ** -24, "a factor of ")):
            case = self.case("f32", 9, 1024, 3, 1e-3, spread=0.3)
            with tempfile.TemporaryDirectory() as folder:
                path = pathlib.Path(folder) / "case.safetensors"
                tensors = {"x": case.x, "weight": case.gain, "y": output(case, epsilon, factor)}
                path.write_bytes(safetensors({n: tensor(a, "F32") for n, a in tensors.items()}))
                result = run("judge", str(path), "--epsilon", "1e-3", "--format", "json")
                strict = run("judge", str(path), "--epsilon", "1e-3", "--strict")
            self.assertEqual((0, 1), (result.returncode, strict.returncode))
            notes = [re.match(words + r"(\S+) explains the scales of all 9 rows", fact)
                     for fact in json.loads(result.stdout)["facts"]]
            found = float(next(note[1] for note in notes if note))
            # Ten units of the scale are twice as many of the denominator, which is above 9 / 4.
            wanted, unit = (epsilon, 9 * np.exp(1.5) * 20) if factor == 1 else (factor, 10)
            self.assertLess(abs(found - wanted), 2.5 * unit * 2.0 ** -24, found)
            self.assertIn(words + ("%g" % found if factor == 1 else str(found)), strict.stdout.decode())

    def test_an_epsilon_that_is_hidden_stands_in_blind_to(self):
        for name, width, size in (("f32", 8, 1.0), ("f32", 64, 0.02), ("f64", 8, 1.0), ("bf16", 16, 0.1),
                                  ("f16", 16, 0.1), ("f32", 1024, 0.5)):
            for given in (1e-3, 1e-5, 1e-8, 1e-12):
                case = self.case(name, 3, width, size, given)
                hidden = [used for used in EPSILONS if used != given
                          and self.judge.judge(case, output(case, used)).answer == "right"]
                listed = "epsilon-other" in self.judge.judge(case, output(case), blind=True).blind
                self.assertEqual(bool(hidden), listed, (name, width, size, given, hidden))


if __name__ == "__main__":
    unittest.main()
