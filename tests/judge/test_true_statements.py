"""What the judge says is true of exactly what it names, and nothing is shown that was not measured."""

import json
import pathlib
import re
import tempfile
import unittest

import jsonschema
import numpy as np

from program import run
from tensor_files import normalized, safetensors, tensor, to_bf16

EPSILON = 1e-5


def bf16(numbers):
    return (to_bf16(numbers).astype("<u4") << np.uint32(16)).view("<f4")


def listed(numbers):
    return ",".join(repr(float(number)) for number in numbers)


class TrueStatements(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = pathlib.Path(folder.name)
        random = np.random.default_rng(31)
        self.random = random
        self.x = bf16(random.standard_normal((6, 40)))
        self.gain = bf16(1 + 0.3 * random.standard_normal(40))
        self.y = normalized(self.x, self.gain, EPSILON).astype(np.float32)

    def judged(self, x, gain, y, dtype="F32", epsilon=EPSILON, words=(), **others):
        """The document and the text."""
        path = self.folder / "case.safetensors"
        tensors = {"x": x, "weight": gain, "y": y, **others}
        path.write_bytes(safetensors({name: tensor(array, dtype) for name, array in tensors.items()}))
        asked = ("judge", str(path), "--epsilon", str(epsilon), *words)
        document = json.loads(run(*asked, "--format", "json").stdout)
        return document, run(*asked).stdout.decode()

    def judged_lists(self, x, y, *words, code=1):
        asked = ("judge", "--input", listed(x), "--result", listed(y), "--epsilon", str(EPSILON), *words)
        result = run(*asked)
        self.assertEqual(code, result.returncode, result.stderr)
        return json.loads(run(*asked, "--format", "json").stdout), result.stdout.decode()

    # Ranges.

    def test_squares_beyond_the_arithmetic_decide_nothing(self):
        for dtype in ("f32", "bf16"):
            words = ("--dtype", dtype)
            document, text = self.judged_lists([1e20, 1e20], [0, 0], *words)
            self.assertEqual(("undecided", []), (document["verdict"], document["explanations"]))
            self.assertIn("1 row has squares that add up beyond binary32", text)
            # The formula's own result is right, and every other is wrong.
            self.assertEqual("right", self.judged_lists([1e20, 1e20], [1, 1], *words, code=0)[0]["verdict"])
            for other in ([0.5, -0.25], [0, 1]):
                self.assertEqual("wrong", self.judged_lists([1e20, 1e20], other, *words)[0]["verdict"])
            # An implementation in binary32 is known to write zeros.
            recipe = (*words, "--recipe", "pytorch")
            self.assertEqual("right", self.judged_lists([1e20, 1e20], [0, 0], *recipe, code=0)[0]["verdict"])
        # The squares of binary16 numbers stay far below: zeros are a mistake.
        document, _ = self.judged_lists([1000, 1000], [0, 0], "--dtype", "f16")
        self.assertEqual("wrong", document["verdict"])

    def test_rows_beyond_the_arithmetic_hide_no_mistake_of_others(self):
        x, y = self.x.copy(), normalized(self.x, self.gain, 0.01).astype(np.float32)
        x[3] *= np.float32(1e20)
        y[3] = 0
        document, _ = self.judged(x, self.gain, y)
        self.assertEqual("wrong", document["verdict"])
        self.assertEqual("epsilon-other", document["explanations"][0]["id"])
        y[3] = np.nan
        y[[0, 1, 2, 4, 5]] = self.y[[0, 1, 2, 4, 5]]
        self.assertEqual("undecided", self.judged(x, self.gain, y)[0]["verdict"])

    def test_a_gradient_beyond_the_arithmetic_decides_nothing(self):
        x = np.float32(1e20) * np.ones((2, 4), np.float32)
        p = np.tile(np.float32([1, -1, 2, 0.5]), (2, 1))
        zero = np.zeros((2, 4), np.float32)
        y = normalized(x.astype(np.float64), np.ones(4), EPSILON).astype(np.float32)
        for found, verdict in ((zero, "undecided"), (np.full_like(zero, np.nan), "undecided"), (zero + 1, "wrong")):
            document, text = self.judged(x, np.ones(4), y, dy=p, dx=found)
            self.assertEqual(verdict, document["gradients"]["input"]["verdict"], text)
        document, text = self.judged(x, np.ones(4), y, dy=p, dw=np.zeros(4))
        self.assertEqual("undecided", document["gradients"]["gain"]["verdict"], text)
        self.assertIn("2 rows whose squares add up beyond the arithmetic", text)

    def test_a_nan_in_the_input_makes_the_whole_row_nan(self):
        x = self.x.copy()
        x[2, 5] = np.nan
        y = normalized(x, self.gain, EPSILON).astype(np.float32)
        document, text = self.judged(x, self.gain, y)
        self.assertEqual("right", document["verdict"])
        self.assertIn("row 2 of the input holds a NaN", text)
        y[2, 0] = 1.5
        document, text = self.judged(x, self.gain, y)
        self.assertEqual("wrong", document["verdict"])
        self.assertIn("mistake: row 2, column 0: ", text)
        self.assertNotIn("expected", document["output"])
        self.assertIn("1.5 where NaN is exact", text)
        # The NaN left out of the sum, and zeros.
        without = np.where(np.isnan(x), 0, x)
        y[2] = normalized(without, self.gain, EPSILON)[2]
        self.assertEqual("wrong", self.judged(x, self.gain, y)[0]["verdict"])
        y[2] = 0
        self.assertIn("mistake: row 2, all columns: zeros", self.judged(x, self.gain, y)[1])

    def test_an_infinity_in_the_input_makes_the_row_zero(self):
        x = self.x.copy()
        x[2, 5] = np.inf
        y = self.y.copy()
        y[2] = 0
        y[2, 5] = np.nan
        self.assertEqual("right", self.judged(x, self.gain, y)[0]["verdict"])
        for column, value in ((5, 0), (7, 1)):
            wrong = y.copy()
            wrong[2, column] = value
            document, text = self.judged(x, self.gain, wrong)
            self.assertEqual("wrong", document["verdict"])
            self.assertIn(f"mistake: row 2, column {column}: ", text)
        y[2] = np.nan
        self.assertEqual("right", self.judged(x, self.gain, y)[0]["verdict"])

    def test_one_row_that_is_not_finite_is_told_as_one(self):
        nan = np.full((1, 4), np.nan)
        self.assertIn("note: the row of the input holds a NaN", self.judged(nan, np.ones(4), nan)[1])
        nans = np.full((40, 4), np.nan)
        self.assertIn("note: all rows of the input hold a NaN", self.judged(nans, np.ones(4), nans)[1])
        nans[20] = 1
        text = self.judged(nans, np.ones(4), normalized(nans, 1, EPSILON))[1]
        self.assertIn("note: 39 rows, the first of them rows 0:16, of the input hold a NaN", text)

    # What was not measured.

    def test_a_row_that_no_scale_explains_has_no_measured_scale(self):
        schema = json.loads(run("schema").stdout)
        for y in ([4, 3], [4, -3]):
            document, text = self.judged_lists([3, 4], y)
            jsonschema.validate(document, schema)
            for table in ("row_scales", "effective_epsilon"):
                self.assertNotIn("low", document[table][0])
                self.assertNotIn("high", document[table][0])
                self.assertEqual("no scale explains all elements of the row", document[table][0]["unmeasured"])
            self.assertIn("row 0: no scale explains all elements of the row; RMSNorm's is 0.28284", text)
            self.assertNotIn("effective epsilon", text)
        nan = self.y.copy()
        nan[0, 3] = np.nan
        document, _ = self.judged(self.x, self.gain, nan)
        self.assertNotIn("low", document["row_scales"][0])
        self.assertIn("low", document["row_scales"][1])
        page = run("judge", "--input", "3,4", "--result", "4,3", "--epsilon", "1e-5", "--format", "html").stdout.decode()
        self.assertIn("not measured", page)
        self.assertNotRegex(page, "measured <span[^>]*>0")

    def test_a_gain_of_zero_measures_nothing(self):
        document, _ = self.judged(self.x, np.zeros(40), np.zeros((6, 40)))
        self.assertEqual({"no element of the row depends on its scale"},
                         {row["unmeasured"] for row in document["row_scales"]})

    def test_elements_that_a_flush_may_have_made_show_no_scale(self):
        words = ("--gain", "1e38,1e38")
        document, text = self.judged_lists([3, 4], [1, 0.5], *words)
        self.assertEqual(["unknown"], [e["id"] for e in document["explanations"]], text)
        # What loses its scale altogether leaves zeros.
        document, _ = self.judged_lists([3, 4], [0, 0], *words)
        self.assertIn("gain-in-mean", [e["id"] for e in document["explanations"]])

    def test_rows_without_a_bound_are_told_why(self):
        tiny, wide = [1e-30, 2e-30], tensor(np.ones((1, 2**24), np.float32))
        result = run("judge", "--input", listed(tiny), "--result", "1e-28,2e-28", "--epsilon", "0")
        self.assertEqual(1, result.returncode)
        self.assertIn(b"note: 1 row has squares that binary32 does not hold", result.stdout)
        self.assertNotIn(b"features", result.stdout)
        path = self.folder / "wide.safetensors"
        path.write_bytes(safetensors({"x": wide, "y": wide}))
        text = run("judge", str(path), "--epsilon", "1e-5").stdout.decode()
        self.assertIn("note: 1 row has so many features that a sum in binary32 has no bound", text)

    # Recipes.

    def test_a_recipe_that_was_asked_for_stands_in_the_verdict(self):
        y = bf16(self.y)
        roots = bf16(np.sqrt((self.x * self.x).mean(-1, keepdims=True, dtype=np.float32) + np.float32(EPSILON)))
        burned = bf16(bf16(self.x / roots) * self.gain)
        document, text = self.judged(self.x, self.gain, burned, "BF16", words=("--recipe", "burn"))
        self.assertTrue(text.startswith("right: the output is RMSNorm of the input by the recipe burn ("), text)
        self.assertTrue(self.judged(self.x, self.gain, y, "BF16")[1].startswith(
            "right: the output is RMSNorm of the input ("))
        document, text = self.judged(self.x, self.gain, y, "BF16", words=("--recipe", "burn"))
        self.assertTrue(text.startswith("wrong: the output is not RMSNorm of the input by the recipe burn ("), text)
        self.assertEqual(([], []), (document["blind_to"], document["doubts"]))
        self.assertNotIn("would not have shown", text)

    # Places.

    def test_a_gain_beyond_a_lower_format_was_not_rounded_to_it(self):
        for dtype, gain in (("f32", 70000), ("f64", 70000), ("f64", 1e39), ("bf16", 70144)):
            words = ("--dtype", dtype, "--gain", listed([gain, gain, gain]))
            document, _ = self.judged_lists([3, 4, -1], [7, -0.25, 2], *words)
            self.assertEqual("wrong", document["verdict"], (dtype, gain))
            ids = {one["id"] for one in document["explanations"]}
            self.assertNotIn("gain-low", ids, (dtype, gain))

    def test_elements_that_are_no_rows_and_columns_are_no_part(self):
        for dtype in ("F32", "F16", "BF16"):
            wrong = self.y.copy()
            places = [(0, 3), (2, 7), (4, 1)]
            for place in places:
                wrong[place] = 50
            document, text = self.judged(self.x, self.gain, wrong, dtype)
            self.assertEqual("unknown", document["explanations"][0]["id"], text)
            self.assertIn("3 are wrong, at (row, column) (0, 3), (2, 7), (4, 1)", text)
            wrong = self.y.copy()
            wrong[np.ix_([1, 4], [5, 6, 9])] = self.random.uniform(20, 60, (2, 3))
            document, text = self.judged(self.x, self.gain, wrong, dtype)
            self.assertIn("mistake: rows 1,4, columns 5,6,9: values that nothing explains\n", text)
        wrong = self.y.copy()
        wrong[0, 3] = wrong[2, 7] = wrong[4, 1] = 0
        self.assertIn("3 are wrong, with 0, at", self.judged(self.x, self.gain, wrong)[1])

    def test_a_zero_row_is_wrong_where_it_is_not_zero(self):
        document, text = self.judged_lists([0, 0], [1, 0])
        self.assertIn("mistake: all rows, column 0: values that nothing explains", text)
        self.assertEqual("0", document["explanations"][0]["columns_affected"])

    def test_elements_of_a_gradient_that_are_no_rows_and_columns_are_no_part(self):
        p = bf16(self.random.standard_normal((6, 40)))
        x, gain = np.float64(self.x), np.float64(self.gain)
        r = 1 / np.sqrt((x * x).mean(-1, keepdims=True) + EPSILON)
        dx = r * gain * p - x * r**3 * (p * gain * x).mean(-1, keepdims=True)
        scattered = dx.copy()
        scattered[0, 3] = scattered[2, 7] = 50
        document, text = self.judged(self.x, self.gain, self.y, dy=p, dx=scattered)
        self.assertEqual([], document["gradients"]["input"]["explanations"], text)
        dx[np.ix_([0, 2], [3, 7])] = 50
        document, _ = self.judged(self.x, self.gain, self.y, dy=p, dx=dx)
        self.assertEqual([], document["gradients"]["input"]["explanations"])  # rows without a rule
        dx[4, [3, 7]] = 50
        part = self.judged(self.x, self.gain, self.y, dy=p, dx=dx)[0]["gradients"]["input"]["explanations"]
        self.assertEqual([], part)

    def test_a_limit_is_told_where_few_rows_meet_it(self):
        x = bf16(self.random.standard_normal((300, 40)))
        y = normalized(x, self.gain, EPSILON)
        limit = np.sort(np.abs(y).ravel())[-4]
        text = self.judged(x, self.gain, np.clip(y, -limit * 0.9999, limit * 0.9999))[1]
        self.assertRegex(text, "note: no output is beyond [0-9.]+ in magnitude, where [34] exact results are.*: clipped")

    # One number once, and all of its digits.

    def test_a_number_is_named_once(self):
        for dtype in ("F32", "F16", "BF16"):
            for output in (0.2345678 * self.y, normalized(self.x, self.gain, 0.3)):
                document, text = self.judged(self.x, self.gain, output, dtype)
                kinds = [(e["id"], e.get("dtype")) if isinstance(e["id"], str) else tuple(e["id"])
                         for e in document["explanations"]]
                self.assertEqual(len(kinds), len(set(kinds)), text)
        small = np.float32(0.01) * self.x
        document, text = self.judged(small, self.gain, normalized(small, self.gain, 1e-10))
        others = [e for e in document["explanations"] if e["id"] == "epsilon-other"]
        self.assertEqual(1, len(others), text)
        self.assertEqual(1e-10, others[0]["value"]["value"])
        self.assertNotIn("1.0000000000000002", text)
        self.assertIn("epsilon is 1e-10, or 1e-12", text)

    def test_an_epsilon_is_named_by_where_it_comes_from(self):
        x = 0.003 * self.random.standard_normal((6, 40))
        own = float(np.float32(EPSILON))
        document, text = self.judged(x, np.ones(40), normalized(x, 1, own), "F64")
        self.assertIn("epsilon is 9.99999974737875", text)
        self.assertIn("(the given one rounded)", text)
        self.assertEqual(own, document["explanations"][0]["value"]["value"])
        x *= 3e-6
        document, text = self.judged(x, np.ones(40), normalized(x, 1, 1e-16), "F64", epsilon=1e-8)
        self.assertIn("epsilon is 1e-16 (the square of the given one)", text)

    def test_a_factor_near_one_is_told_from_one(self):
        p = bf16(self.random.standard_normal((6, 40)))
        x, gain = np.float64(self.x), np.float64(self.gain)
        r = 1 / np.sqrt((x * x).mean(-1, keepdims=True) + EPSILON)
        dw = (p * x * r).sum(0)
        dx = r * gain * p - x * r**3 * (p * gain * x).mean(-1, keepdims=True)
        for factor in (1.0001, 0.99995):
            for others in ({"dw": factor * dw}, {"dx": factor * dx}):
                _, text = self.judged(self.x, self.gain, self.y, dy=p, **others)
                self.assertRegex(text, rf"times a constant \({factor}[0-9]*\)")
        text = self.judged_lists([1, 2, 3, 4], np.float32([0.36514813, 0.73029625, 1.0954444, 1.4606]))[1]
        for found, exact in re.findall(r"column \d+: (\S+) where (\S+) is exact, [1-9]", text):
            self.assertNotEqual(found, exact)

    # Gradients.

    def test_gradients_that_are_not_finite_are_counted(self):
        p = bf16(self.random.standard_normal((6, 40)))
        dx = np.full((6, 40), np.nan)
        document, text = self.judged(self.x, self.gain, self.y, dy=p, dx=dx, dw=dx[0])
        self.assertEqual([240, 40], [document["gradients"][of]["not_finite"] for of in ("input", "gain")])
        self.assertIn("240 elements are NaN or infinite where the exact gradient is finite", text)

    def test_gradients_of_zeros_would_not_have_shown_a_factor(self):
        zero = np.zeros((6, 40))
        document, _ = self.judged(self.x, self.gain, self.y, dy=zero, dx=zero, dw=zero[0])
        for of in ("input", "gain"):
            self.assertIn("constant-factor", document["gradients"][of]["blind_to"])
        self.assertNotIn("constant-factor", document["blind_to"])
        self.assertIn("constant-factor", self.judged(self.x, 0 * self.gain, zero)[0]["blind_to"])

    # What right outputs do not show.

    def test_equal_magnitudes_hide_every_other_mean(self):
        def mean(x, axis):
            return (np.float64(x)**2).mean(axis, keepdims=True) + EPSILON
        for rows, width, dtype in ((4, 64, "F32"), (3, 10, "BF16"), (1, 9, "F64"), (2, 2, "F16")):
            signs = self.random.choice([-0.5, 0.5], (rows, width))
            others = {"grouped": mean(signs.reshape(rows, -1, 1), -1).reshape(rows, width),
                      "partial-mean": mean(signs[:, :width // 2], 1), "batch-axis": mean(signs, 0)}
            for x, hidden in ((signs, True), (signs * self.random.uniform(1, 3, (rows, width)), False)):
                ones = np.ones(width)
                listed_ids = self.judged(x, ones, x / np.sqrt(mean(x, 1)), dtype)[0]["blind_to"]
                for name, other in others.items():
                    if hidden:
                        self.assertEqual("right", self.judged(x, ones, x / np.sqrt(other), dtype)[0]["verdict"])
                    self.assertEqual(hidden, name in listed_ids, (name, rows, width, dtype, listed_ids))

    # Notes.

    def test_notes_do_not_contradict_each_other(self):
        rows = np.array([1.01, 1.012, 1.005, 0.999, 1.003, 1.008])[:, None]
        for output in (self.y * rows, self.y * (1 + 0.4 * self.random.random(40)), self.y + 0.1 * self.x,
                       self.y * rows * (1 + 0.4 * self.random.random(40))):
            for dtype in ("F32", "BF16"):
                document, _ = self.judged(self.x, self.gain, output, dtype)
                notes = " ".join(document["facts"])
                claims = [words for words in ("each column has a ratio of its own", "a factor of its own",
                                              "is the same everywhere", "within a row that ratio is the same",
                                              "a residual was added") if words in notes]
                self.assertLessEqual(len(claims), 1, notes)

    def test_a_residual_of_a_small_input_is_no_rounding(self):
        for size in (0.003, 0.01, 0.05):
            x = bf16(size * self.random.standard_normal((8, 64)))
            gain = bf16(1 + 0.3 * self.random.standard_normal(64))
            y = normalized(x, gain, EPSILON)
            for output in (y + x, bf16(y) + x):
                document, text = self.judged(x, gain, bf16(output), "BF16")
                self.assertEqual("wrong", document["verdict"])
                self.assertIn("a residual was added", text)
            # As many roundings more, and nothing added.
            noisy = bf16(bf16(bf16(y) * np.float32(1.375)) / np.float32(1.375))
            self.assertNotIn("residual", self.judged(x, gain, noisy, "BF16")[1])

    def test_roundings_that_no_program_makes_carry_a_doubt(self):
        gain = bf16(self.gain * (1 + 0.005 * np.where(np.arange(40) % 2, 1, -1)))
        document, text = self.judged(self.x, self.gain, bf16(normalized(self.x, gain, EPSILON)), "BF16")
        self.assertTrue(document["verdict"] == "wrong" or "unknown" in document["doubts"], text)

    def test_shifted_rows_are_counted_and_the_one_beyond_is_told(self):
        shifted = np.roll(self.y, 1, 0)
        self.assertIn("explains all 6 rows,", self.judged(self.x, self.gain, shifted)[1])
        for row, words in ((np.zeros(40), "row 0 holds zeros"), (self.y[0], "row 0 is right as it stands"),
                           (self.random.standard_normal(40), "row 0 holds what belongs into no neighbor")):
            shifted[0] = row
            self.assertIn(f"explains 5 of 6 rows, and {words},", self.judged(self.x, self.gain, shifted)[1])
        x = self.x.copy()
        x[4] = 0
        text = self.judged(x, self.gain, normalized(x, self.gain, 0.1))[1]
        self.assertIn("epsilon is 0.1: explains all 5 rows that have a scale,", text)
        parts = self.x.reshape(6, 4, 10)
        grouped = parts / np.sqrt((parts * parts).mean(-1, keepdims=True) + EPSILON)
        text = self.judged(self.x, self.gain, grouped.reshape(6, 40) * self.gain)[1]
        self.assertIn("normalized in 4 parts: explains all 24 parts of rows,", text)
        by_columns = self.x / np.sqrt((self.x * self.x).mean(0, keepdims=True) + EPSILON) * self.gain
        self.assertIn("explains all 40 columns,", self.judged(self.x, self.gain, by_columns)[1])

    # Probes.

    def test_without_a_probe_the_verdict_stands(self):
        path = self.folder / "probe.json"
        y = normalized(np.float32([[1, 2, 3, 4]]), 1, EPSILON)[0]
        for output, code, reason in ((y, 0, "there is no mistake to tell from another"),
                                     ([4, 3, 9, -1], 1, "no mistake is known"),
                                     (np.zeros(4), 1, "there is one explanation alone")):
            result = run("judge", "--input", "1,2,3,4", "--result", listed(output), "--epsilon", str(EPSILON),
                         "--probe", str(path))
            self.assertEqual(code, result.returncode, result.stderr)
            self.assertEqual(f"rmsnorm-fixture: --probe: no file is written: {reason}\n", result.stderr.decode())
            self.assertTrue(result.stdout.startswith((b"right", b"wrong")))
            self.assertFalse(path.exists())

    def test_constant_rows_show_a_variance(self):
        x = np.outer([1.25, 0.5, -3, 0.875], np.ones(12)).astype(np.float32)
        for width in (12, 200):
            x = np.outer([1.25, 0.5, -3, 0.875], np.ones(width)).astype(np.float32)
            gain = bf16(1 + 0.3 * self.random.standard_normal(width))
            for rows in (4, 1):
                y = x[:rows] * gain / np.sqrt(EPSILON)
                for dtype in ("F32", "BF16"):
                    document, text = self.judged(x[:rows], gain, y, dtype)
                    self.assertIn("variance", [e["id"] for e in document["explanations"]], text)


if __name__ == "__main__":
    unittest.main()
