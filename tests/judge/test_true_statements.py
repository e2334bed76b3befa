"""What the judge says is true of exactly what it names, and no number of it is named twice."""

import re
import unittest

import numpy as np

from judged import EPSILON, JudgeTest, bf16, listed
from program import run
from tensor_files import normalized


class TrueStatements(JudgeTest):
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
                self.assertRegex(text, rf"it is the right gradient times {factor}[0-9]*: explains")
        text = self.judged_lists([1, 2, 3, 4], np.float32([0.36514813, 0.73029625, 1.0954444, 1.4606]))[1]
        for found, exact in re.findall(r"column \d+: (\S+) where (\S+) is exact, [1-9]", text):
            self.assertNotEqual(found, exact)

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
