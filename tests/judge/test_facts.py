"""What is said of an output that no mistake explains: what it holds instead."""

import os
import pathlib
import re
import subprocess
import tempfile
import unittest

import numpy as np

from tensor_files import normalized, safetensors, tensor

EPSILON = 1e-5


class Facts(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.path = pathlib.Path(folder.name) / "case.safetensors"
        random = np.random.default_rng(3)
        self.x = random.standard_normal((6, 40)).astype(np.float32)
        self.gain = (1 + 0.3 * random.standard_normal(40)).astype(np.float32)
        self.y = normalized(self.x, self.gain, EPSILON)

    def judged(self, output, dtype="F32"):
        self.path.write_bytes(safetensors({"x": tensor(self.x), "weight": tensor(self.gain),
                                           "y": tensor(output, dtype)}))
        result = subprocess.run([os.environ["RMSNORM_FIXTURE"], "judge", self.path, "--epsilon", str(EPSILON)],
                                text=True, capture_output=True, timeout=60, check=False)
        self.assertEqual(result.returncode, 1, result.stdout + result.stderr)
        return result.stdout

    def test_a_residual(self):
        words = "note: the output is the exact result plus the input: a residual was added"
        for dtype in ("F32", "BF16", "F16"):
            self.assertIn(words, self.judged(self.y + self.x, dtype))
            self.assertNotIn(words, self.judged(self.y - self.x, dtype))

    def test_a_limit(self):
        clipped = np.clip(self.y, -1.5, 1.5)
        beyond = np.count_nonzero(np.abs(self.y) > 1.5)
        self.assertIn(f"note: no output is beyond 1.5 in magnitude, where {beyond} exact results are",
                      self.judged(clipped))
        clipped[0, np.argmin(np.abs(clipped[0]))] += 1
        self.assertNotIn("no output is beyond", self.judged(clipped))

    def test_rows_and_columns_in_another_place(self):
        rows = self.y[[0, 1, 5, 3, 4, 2]]
        self.assertIn("mistake: rows 2,5, all columns: values that nothing explains", self.judged(rows))
        self.assertIn("note: row 2 holds what belongs into row 5", self.judged(rows))
        swapped = self.y.copy()
        swapped[:, [7, 39]] = swapped[:, [39, 7]]
        self.assertIn("note: column 7 holds what belongs into column 39", self.judged(swapped))
        pairs = self.y.reshape(6, 20, 2)[:, :, ::-1].reshape(6, 40)
        self.assertIn("note: column 0 holds what belongs into column 1: the columns stand in the order "
                      "1,0,3,2,5,4,7,6,9,8,11,10,13,12,15,14,...\n", self.judged(pairs))
        self.assertIn("note: row 0 holds what belongs into row 2: the rows stand in the order 2,0,1,3,5,4\n",
                      self.judged(self.y[[2, 0, 1, 3, 5, 4]]))
        # One column twice is no order.
        copied = self.y.copy()
        copied[:, 7] = copied[:, 39]
        copied[:, 3] = copied[:, 9]
        self.assertNotIn("in the order", self.judged(copied))
        noise = np.random.default_rng(4).standard_normal(self.y.shape)
        self.assertNotIn("holds what belongs", self.judged(noise))

    def test_outputs_that_are_not_finite(self):
        for value, word in ((np.inf, "infinite"), (-np.inf, "infinite"), (np.nan, "NaN")):
            everywhere = self.judged(np.full_like(self.y, value))
            self.assertIn("all columns: values that nothing explains (NaN)" if word == "NaN"
                          else "note: every output is infinite\n", everywhere)
            some = self.y.copy()
            some[0, 3] = some[2, 7] = some[4, 1] = value
            text = self.judged(some)
            self.assertIn(f"note: 3 of 240 outputs are {word}\n", text)
            self.assertNotIn("every output", text)

    def test_what_no_input_decides(self):
        # Gain times input first, or its square in the mean alone: the same product of three.
        gained = np.float64(self.x) * self.gain
        output = gained / np.sqrt(np.mean(gained * gained, axis=1, keepdims=True) + EPSILON)
        text = self.judged(output)
        self.assertRegex(text, "note: none of [0-9]+ inputs that were tried tells in this format "
                               "gain-in-mean from gain-before\n")
        self.assertNotIn("--probe", text)
        # An input of another size decides between these.
        missing = normalized(self.x, self.gain, 0)
        self.x = self.x[:1]
        text = self.judged(missing[:1])
        self.assertIn("epsilon is missing", text)
        self.assertIn("next: --probe", text)

    def test_the_ends_of_a_ratio_hold_every_ratio(self):
        random = np.random.default_rng(9)
        for width in (0.3, 1e-3, 3e-5):
            output = np.float32(self.y * (1 + width * random.uniform(-1, 1, self.y.shape)))
            ratios = np.float64(output) / normalized(self.x, self.gain, EPSILON)
            text = self.judged(output)
            low, high = map(float, re.search(r"over exact result is between (\S+) and (\S+),", text).groups())
            self.assertLessEqual(low, ratios.min())
            self.assertGreaterEqual(high, ratios.max())
            self.assertLess(high - low, 1.5 * (ratios.max() - ratios.min()) + 2e-3)

    def test_a_factor_for_each_row(self):
        factors = np.array([1.01, 1.2, 0.9, 1.05, 0.97, 1.1])[:, None]
        words = "note: every row is RMSNorm's times a factor of its own, from (\\S+) to (\\S+): another sum"
        low, high = map(float, re.search(words, self.judged(self.y * factors)).groups())
        self.assertTrue(0.899 <= low <= 0.9 and 1.2 <= high <= 1.201, (low, high))
        turned = (self.y * factors).copy()
        turned[3] = turned[3, ::-1]
        self.assertNotIn("factor of its own", self.judged(turned))


if __name__ == "__main__":
    unittest.main()
