"""`recipes` lists what `forward --recipe` computes by, with bits in the format that was asked for."""

import json
import os
import subprocess
import unittest

import numpy as np

PROGRAM = os.environ["RMSNORM_FIXTURE"]


def run(*arguments):
    return subprocess.run([PROGRAM, *arguments], capture_output=True, text=True, timeout=60)


def document(*arguments):
    result = run(*arguments, "--format", "json")
    assert result.returncode == 0, result.stderr
    return json.loads(result.stdout)


class Recipes(unittest.TestCase):
    def test_the_list_names_sources(self):
        recipes = document("recipes")["recipes"]
        self.assertGreaterEqual(len(recipes), 36)
        for recipe in recipes:
            self.assertRegex(recipe["source"], r"^[\w.-]+/[\w.-]+ \S+$")
        text = run("recipes").stdout
        for recipe in recipes:
            self.assertIn(recipe["id"] + " ", text)
            self.assertIn(recipe["source"], text)

    def test_every_recipe_computes_in_every_format(self):
        for recipe in document("recipes")["recipes"]:
            for dtype, digits in [("f64", 16), ("f32", 8), ("f16", 4), ("bf16", 4)]:
                primary = document("forward", "--recipe", recipe["id"], "--dtype", dtype,
                                   "--input", "3,4")["primary"]
                self.assertEqual([len(bits) for bits in primary["output_bits"]], [digits] * 2)
                self.assertEqual(primary["source"], recipe["source"])

    def test_the_bits_are_those_of_numpy(self):
        x = np.array([3, -4, 0.1, 700], dtype=np.float16)
        g = np.array([1, 0.5, -2, 1.25], dtype=np.float16)
        wide = x.astype(np.float32)
        total = np.float32(0)
        for value in wide:
            total += value * value
        scale = np.float32(1) / np.sqrt(total / np.float32(4) + np.float32(1e-6))
        expected = (wide * scale).astype(np.float16) * g
        primary = document("forward", "--recipe", "llama", "--dtype", "f16", "--epsilon", "1e-6",
                           "--input=3,-4,0.1,700", "--gain=1,0.5,-2,1.25")["primary"]
        self.assertEqual(primary["output_bits"],
                         [format(bits, "04x") for bits in expected.view(np.uint16)])
        self.assertEqual(primary["output"]["values"], expected.astype(float).tolist())

    def test_refusals(self):
        for arguments, words in [
                (["--recipe", "nobody"], '--recipe: found "nobody"; accepted: llama, meta-llama, '),
                (["--recipe", "llama", "--dtype", "f8"], "f64, f32, f16 or bf16"),
                (["--recipe", "llama", "--dtype", "f16", "--input", "1,70000"],
                 "--input: element 2: found 70000.0; accepted: magnitudes up to 65504.0 in binary16"),
                (["--recipe", "llama", "--dtype", "f32", "--input", "1,2", "--gain", "1e39,1"],
                 "--gain: element 1: found 1e39; accepted: magnitudes up to 3.40282e38 in binary32"),
                (["--dtype", "bf16"], "--recipe")]:
            result = run("forward", *arguments)
            self.assertEqual(result.returncode, 2, arguments)
            self.assertIn(words, result.stderr)
            self.assertEqual(result.stderr.count("\n"), 1)


if __name__ == "__main__":
    unittest.main()
