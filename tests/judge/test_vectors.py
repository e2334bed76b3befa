"""Test vectors: what right programs give passes, and what wrong ones give fails.

The programs are those of outputs.py, mistakes.py and gradient_cases.py, written apart from the product.
"""

import itertools
import json
import unittest

import numpy as np
from jsonschema import Draft202012Validator

import gradient_cases
import mistakes
import outputs
import test_wrong_gradients
from program import ProgramTest, run
from vector_files import DTYPES, FIXTURES, document, valid, vectors


class TheSets(ProgramTest):
    def test_computed(self):
        """Each set is what the program computes, in any run."""
        run("vectors", self.folder / "all").check_returncode()
        names = sorted(path.name for path in (self.folder / "all").iterdir())
        self.assertEqual(names, sorted(f"{d}-{w}.json" for d in DTYPES for w in ("forward", "backward")))
        for name in names:
            self.assertEqual((self.folder / "all" / name).read_bytes(), (FIXTURES / name).read_bytes(), name)

    def test_schema(self):
        schema = json.loads(run("schema", "vectors").stdout)
        Draft202012Validator.check_schema(schema)
        validator = Draft202012Validator(schema)
        for dtype, direction in itertools.product(DTYPES, ("forward", "backward")):
            validator.validate(document(dtype, direction))
        for change in ({"dtype": "f8"}, {"extra": 1}, {"groups": [{}]}, {"notes": {"sign": {}}}):
            self.assertFalse(validator.is_valid({**document("f32", "forward"), **change}), change)

    def test_sizes(self):
        """At most 60 tests, narrow ones but for two widths, and every flag in two at least."""
        for dtype, direction in itertools.product(DTYPES, ("forward", "backward")):
            tests = vectors(dtype, direction)
            self.assertLessEqual(len(tests), 60)
            self.assertEqual([v.id for v in sorted(tests, key=lambda v: v.id)], list(range(1, len(tests) + 1)))
            for v in tests:
                self.assertTrue(v.shape[1] <= 33 or v.shape[1] in (96, 260), v.shape)
            for flag in document(dtype, direction)["notes"]:
                self.assertGreaterEqual(sum(flag in v.flags for v in tests), 2, (dtype, direction, flag))

    def test_borders(self):
        """What the borders' comments say is so."""
        for dtype, direction in itertools.product(DTYPES, ("forward", "backward")):
            tests = vectors(dtype, direction)
            shapes = {v.shape for v in tests}
            self.assertTrue(any(rows == 0 for rows, _ in shapes) and any(w == 1 for _, w in shapes))
            zero = [v for v in tests if v.x.size and (v.x == 0).all(axis=1).any()]
            self.assertEqual({v.refuse for v in zero}, {True, False})
            self.assertTrue(all((v.epsilon == 0) == v.refuse for v in zero))
            self.assertTrue(any(np.signbit(v.x[v.x == 0]).any() for v in tests))
            self.assertTrue(any({0.0, -1.0} <= set(v.gain) for v in tests))
            self.assertTrue(any(v.x.size and np.allclose((v.x**2).mean(axis=1), v.epsilon, rtol=0) for v in tests))
            self.assertTrue(any(not v.refuse and np.abs(v.x).max(initial=0) ** 2 > 65504 for v in tests))

    def test_exact(self):
        """`exact` is RMSNorm to the digits of binary64, and lies between `low` and `high`."""
        for dtype in DTYPES:
            for v in valid(dtype, "forward", 0):
                x = v.x.astype(np.longdouble)
                r = 1 / np.sqrt((x * x).mean(axis=1, keepdims=True) + np.longdouble(v.epsilon))
                y = np.ravel(x * r * (v.gain.astype(np.longdouble) + np.longdouble(v.offset)))
                exact = v.exact["output"]
                np.testing.assert_allclose(exact, y.astype(float), rtol=4e-16, atol=0)
                low, high = v.accepted["output"]
                self.assertTrue(np.all(low <= high))
                near = outputs.rounded(dtype, exact)
                self.assertTrue(np.all((low <= near) & (near <= high)), (dtype, v.id))


class RightOnesPass(unittest.TestCase):
    def test_every_order_root_and_cast(self):
        """Of outputs.py, which knows nothing of the program."""
        for dtype in DTYPES:
            for v in valid(dtype, "forward"):
                with np.errstate(all="ignore"):
                    found = list(outputs.right_outputs(v.case()))
                for i, output in enumerate(found):
                    self.assertTrue(v.passes("output", output), (dtype, v.id, v.comment, i))

    def test_recipes(self):
        """The bits of recipes with one order of the sum are accepted."""
        seen = set()
        for dtype in DTYPES:
            for v in valid(dtype, "forward", 0):
                for name, output in v.recipes.items():
                    seen.add(name)
                    self.assertTrue(v.passes("output", output), (dtype, v.id, name))
        self.assertEqual(seen, {"ggml", "onnxruntime"})

    def test_every_style_of_gradients(self):
        for dtype in DTYPES:
            kind = gradient_cases.wide(dtype)
            for v in valid(dtype, "backward"):
                gain = (kind(v.offset) + v.gain.astype(kind)).astype(kind)
                for style, order in itertools.product(gradient_cases.STYLES, gradient_cases.ORDERS):
                    with np.errstate(all="ignore"):
                        dx, dg = style(v.x.astype(kind), gain, v.upstream.astype(kind), v.epsilon, order, dtype)
                    name = (dtype, v.id, v.comment, style.__name__, order.__name__)
                    self.assertTrue(v.passes("input_gradient", dx), name)
                    self.assertTrue(v.passes("gain_gradient", dg), name)


class WrongOnesFail(unittest.TestCase):
    # In f16 and bf16 there is no narrower output; the gains are numbers of binary16, so that
    # rounding them to it changes nothing; and nothing is cut off from f32.
    HIDDEN = {("bf16", "output-low"), ("f16", "output-low"), ("bf16", "gain-low"),
              ("f32", "output-truncated"), ("f64", "output-truncated")}

    def forward_mistakes(self):
        yield from mistakes.MISTAKES.items()
        yield "gain-offset-missing", mistakes.offset_missing
        yield "gain-offset-twice", mistakes.offset_twice

    def failed(self, v, mistake, cast):
        """Whether it fails; nothing where the mistake does not fit the shape."""
        if v.shape[1] == 1:
            return None
        try:
            with np.errstate(all="ignore"):
                output = mistake(v.case(), cast)
        except (ValueError, ZeroDivisionError, IndexError):
            return None
        return None if np.shape(output) != v.shape else not v.passes("output", output)

    def test_every_mistake(self):
        """In each format and cast order: fails, and the flags of a failed test hold its id."""
        hidden, unflagged = set(), set()
        for dtype in DTYPES:
            known = set(document(dtype, "forward")["notes"])
            casts = outputs.CASTS[:4] if dtype in ("f16", "bf16") else outputs.CASTS[:1]
            for name, mistake in self.forward_mistakes():
                identifier = name.split()[0]
                for cast in casts:
                    failed = [v for v in valid(dtype, "forward") if self.failed(v, mistake, cast)]
                    if not failed:
                        hidden.add((dtype, name))
                    elif identifier in known and not any(identifier in v.flags for v in failed):
                        unflagged.add((dtype, name, cast.__name__))
        print("not shown:", sorted(hidden))
        self.assertEqual(unflagged, set())
        self.assertEqual(hidden, self.HIDDEN)

    def test_every_wrong_gradient(self):
        tail = {"tail-rows-missing": lambda x, g, p: test_wrong_gradients.rows_of(slice(0, len(x) // 4 * 4))(x, g, p)}
        for tensor, table in (("input_gradient", test_wrong_gradients.INPUT_MISTAKES),
                              ("gain_gradient", {**test_wrong_gradients.GAIN_MISTAKES, **tail})):
            for dtype, (name, mistake) in itertools.product(DTYPES, table.items()):
                identifier = name.split("=")[0]
                if name in ("rows-not-summed", "gain-plus-one", "tail-rows-missing=8"):
                    continue  # another shape; an offset that vectors may have; more rows than they have
                failed = []
                for v in valid(dtype, "backward", 2):
                    test_wrong_gradients.EPSILON = v.epsilon
                    with np.errstate(all="ignore"):
                        wrong = mistake(v.x, v.gain + v.offset, v.upstream)
                    if not v.passes(tensor, outputs.rounded(dtype, wrong)):
                        failed.append(v)
                self.assertTrue(failed, (dtype, tensor, name))
                self.assertTrue(any(identifier in v.flags for v in failed), (dtype, tensor, name))


if __name__ == "__main__":
    unittest.main()
