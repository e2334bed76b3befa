"""What leaves the range of the arithmetic, or was not measured, is said so and decides nothing."""

import json
import unittest

import jsonschema
import numpy as np

from judged import EPSILON, JudgeTest, listed
from program import run
from tensor_files import normalized, safetensors, tensor


class Ranges(JudgeTest):
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

    def test_an_infinity_is_no_result_however_small_the_input(self):
        for dtype, kind in (("F64", np.float64), ("F32", np.float32)):
            largest = float(np.finfo(kind).max)
            for size in 1e-9, 0.3, 1e9:
                x = (size * self.x).astype(kind)
                y = normalized(x.astype(np.float64), self.gain.astype(kind), EPSILON)
                self.assertEqual("right", self.judged(x, self.gain, y, dtype)[0]["verdict"])
                for value in np.inf, -np.inf, np.nan, largest, -largest / 3:
                    wrong = y.copy()
                    wrong[1, 2] = value
                    document, text = self.judged(x, self.gain, wrong, dtype)
                    self.assertEqual("wrong", document["verdict"], text)

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


if __name__ == "__main__":
    unittest.main()
