"""What the judge says of gradients is true of exactly what it names."""

import re
import unittest

import numpy as np

from judged import EPSILON, JudgeTest, bf16
from tensor_files import gradients, normalized


class GradientStatements(JudgeTest):
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

    def test_numbers_that_explain_the_same_are_one_explanation(self):
        x, gain = np.float64(0.01 * self.x), np.float64(self.gain)
        p = self.random.standard_normal((6, 40))
        y = normalized(x, gain, EPSILON)
        for epsilon, words in ((0, "epsilon is missing"), (1e-12, "epsilon is missing"), (1e-6, "epsilon is 1e-6")):
            dx, dw = gradients(x, gain, p, epsilon)
            document, text = self.judged(x, self.gain, y, dy=p, dx=dx, dw=dw)
            for of, unit in (("input", "6 rows"), ("gain", "40 columns")):
                explanations = document["gradients"][of]["explanations"]
                ids = [one["id"] for one in explanations]
                self.assertEqual(len(set(ids)), len(ids), explanations)
                lines = text[text.index(f"{of} gradient: wrong"):].splitlines()
                self.assertTrue(lines[1].startswith(f"  mistake: {words}: explains {unit}, largest distance "), text)
            # Statements as of an output: no id in front, no figure of what is missing.
            for id in ("epsilon-other:", "epsilon-missing:", "(0.0)", "(0)"):
                self.assertNotIn(id, text)
        dx, dw = gradients(x, gain, p, 1e-12)
        _, text = self.judged(x, self.gain, y, dy=p, dx=dx, dw=dw)
        self.assertEqual(2, len(re.findall(r"  or: epsilon is [\d.e-]+, or [\d.e-]+: explains", text)), text)

    def test_a_part_is_told_as_a_part_of_an_output_is(self):
        p = self.random.standard_normal((6, 40))
        dx, dw = gradients(self.x, self.gain, p, EPSILON)
        noise = 50 + self.random.standard_normal((6, 40))
        for rows, columns, value, words in (
                (slice(5, 6), slice(None), 0 * noise, "the last row, all columns: zeros"),
                (slice(2, 3), slice(7, 8), noise, "row 2, column 7: values that nothing explains"),
                (slice(1, 4), slice(32, None), np.float32(p), "rows 1 to 3, columns from 32 on: the upstream gradient unchanged"),
                (slice(None), slice(3, None, 8), -dx, "all rows, every 8th column from 3 on: the sign is wrong")):
            wrong = dx.copy()
            wrong[rows, columns] = value[rows, columns]
            _, text = self.judged(self.x, self.gain, self.y, dy=p, dx=wrong)
            self.assertIn(f"  mistake: {words}\n", text)
        dw[9] = 3
        _, text = self.judged(self.x, self.gain, self.y, dy=p, dw=dw)
        self.assertIn("  mistake: column 9: values that nothing explains\n", text)

    def test_terms_of_the_wrong_sign_are_added(self):
        x, gain, p = np.float64(self.x), np.float64(self.gain), self.random.standard_normal((6, 40))
        r = 1 / np.sqrt((x * x).mean(-1, keepdims=True) + EPSILON)
        first, second = r * gain * p, x * r**3 * (p * gain * x).mean(-1, keepdims=True)
        for factor, words in ((-1.75, "plus 1.75"), (1.75, "less 1.75")):
            _, text = self.judged(x, gain, self.y, dtype="F64", dy=p, dx=0.625 * first - factor * second)
            self.assertIn(f"  closest: 0.625 times the first term {words} times the second\n", text)

    def test_one_of_two_rows_in_each_other_s_place_is_told_once(self):
        x, p = self.x[:2], bf16(self.random.standard_normal((2, 40)))
        dx, _ = gradients(x, self.gain, p[::-1], EPSILON)
        document, text = self.judged(x, self.gain, self.y[:2], dy=p, dx=dx)
        self.assertEqual(["upstream-shifted"], [one["id"] for one in document["gradients"]["input"]["explanations"]])
        self.assertIn("mistake: each row takes the upstream gradient of the row before it, or each row takes the "
                      "upstream gradient of the row after it: explains 2 rows", text)


if __name__ == "__main__":
    unittest.main()
