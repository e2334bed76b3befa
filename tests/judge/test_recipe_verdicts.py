"""A verdict by a recipe says so, and what the formula says beside it."""

import json
import re
import unittest

import jsonschema
import numpy as np

from judged import EPSILON, JudgeTest, bf16
from program import run
from tensor_files import normalized


class RecipeVerdicts(JudgeTest):
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

    def burned(self, epsilon=EPSILON):
        """By burn's roundings: the root is rounded before the division."""
        squares = (self.x * self.x).mean(-1, keepdims=True, dtype=np.float32)
        return bf16(bf16(self.x / bf16(np.sqrt(squares + np.float32(epsilon)))) * self.gain)

    def judged_by(self, y, *recipe, epsilon=EPSILON):
        return self.judged(self.x, self.gain, y, "BF16", epsilon, tuple(w for r in recipe for w in ("--recipe", r)))

    def page(self, *words):
        page = run("judge", str(self.folder / "case.safetensors"), "--epsilon", str(EPSILON), *words,
                   "--format", "html").stdout.decode()
        return re.sub(r"\s+", " ", re.sub("<[^>]*>", "", page[page.index('id="results"'):]))

    def test_the_document_and_the_page_say_what_was_compared(self):
        schema = json.loads(run("schema").stdout)
        document, _ = self.judged_by(bf16(self.y))
        self.assertNotIn("recipe", document["inputs"])
        self.assertNotIn("by_formula", document["output"])
        self.assertEqual("rows-within-bound", document["checks"][0]["name"])
        self.assertIn("right: every row is one that RMSNorm may have written. The largest error", self.page())
        changed = self.burned()
        changed[4, 5] *= np.float32(1 + 2**-6)
        for y, outside in ((self.burned(), 0), (changed, 1)):
            document, text = self.judged_by(y, "burn")
            jsonschema.validate(document, schema)
            self.assertEqual("burn", document["inputs"]["recipe"])
            self.assertEqual(outside, document["output"]["rows_outside"])
            check = document["checks"][0]
            self.assertEqual(("rows-by-recipe", "the recipe burn writes every row", outside == 0),
                             (check["name"], check["statement"], check["passed"]))
            self.assertIn("(the formula's bound ", text)
            self.assertIn("the recipe burn " + ("does not write 1 of 6 rows. By the formula" if outside else
                                                "writes every row that was judged. By the formula"),
                          self.page("--recipe", "burn"))

    def test_where_formula_and_recipe_differ_both_are_told(self):
        for y, recipe, fact in ((self.burned(), "burn", "imprecise by the formula; the recipe burn writes every row"),
                                (bf16(self.y), "pytorch", "the recipe pytorch writes every row"),
                                (bf16(self.y), "burn", "right by the formula; the recipe burn does not write {} of 6 rows"),
                                (bf16(2 * self.y), "burn", "the recipe burn does not write 6 of 6 rows")):
            alone, _ = self.judged_by(y)
            document, text = self.judged_by(y, recipe)
            fact = fact.format(document["output"]["rows_outside"])
            self.assertEqual(fact, document["facts"][0])
            self.assertIn(f"note: {fact}\n", text)
            self.assertEqual({key: alone["output"][key] for key in ("verdict", "rows_outside")},
                             document["output"]["by_formula"])

    def test_a_cast_to_binary32_is_right_by_its_recipe_alone(self):
        f32, f64 = np.float32, np.float64
        random = np.random.default_rng(8)
        for width in (1, 65):
            x = random.standard_normal((9, width)) * 3
            gain = 1 + 0.3 * random.standard_normal(width)
            cast = x.astype(f32)
            scale = f32(1) / np.sqrt((cast * cast).mean(-1, keepdims=True, dtype=f32) + f32(EPSILON))
            exact = x / np.sqrt((x * x).mean(-1, keepdims=True) + EPSILON) * gain
            outputs = {
                "llama": (cast * scale).astype(f64) * gain,
                "olmo2": (cast * scale).astype(f64) * gain,
                "flash-attention": (cast * scale * gain.astype(f32)).astype(f64),
                "t5": x * scale.astype(f64) * gain,
                "burn": x / (1 / scale.astype(f64)).astype(f32).astype(f64) * gain,
                "pytorch": exact,
            }
            for name, y in outputs.items():
                with self.subTest(recipe=name, width=width):
                    alone = self.judged(x, gain, y, "F64")[0]["verdict"]
                    self.assertEqual("right" if y is exact else "imprecise", alone)
                    self.assertEqual("right", self.judged(x, gain, y, "F64", words=("--recipe", name))[0]["verdict"])
                    # One value of the last row a little off, and the roundings of another recipe.
                    changed = y.copy()
                    changed[-1, -1] *= 1 + 2.0**-20
                    others = [changed] + [other for other_name, other in outputs.items()
                                          if {name, other_name} != {"llama", "olmo2"} and other_name != name]
                    for other in others if width > 1 else []:
                        self.assertNotEqual(
                            "right", self.judged(x, gain, other, "F64", words=("--recipe", name))[0]["verdict"])

    def test_a_recipe_refutes_rows_beside_those_that_nothing_decides(self):
        self.x[0] = 0
        with np.errstate(invalid="ignore"):
            y = bf16(normalized(self.x, self.gain, 0))
        self.assertEqual("undecided", self.judged_by(y, epsilon=0)[0]["verdict"])
        document, text = self.judged_by(y, "burn", epsilon=0)
        self.assertEqual("wrong", document["verdict"])
        outside = document["output"]["rows_outside"]
        self.assertIn(f"note: undecided by the formula; the recipe burn does not write {outside} of 5 rows\n", text)
        with np.errstate(invalid="ignore"):
            document, text = self.judged_by(self.burned(0), "burn", epsilon=0)
        self.assertEqual("undecided", document["verdict"])
        self.assertIn("note: imprecise by the formula; the recipe burn writes every row that was judged\n", text)


if __name__ == "__main__":
    unittest.main()
