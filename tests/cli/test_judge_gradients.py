"""judge with gradients: their names in files, options, documents, verdicts and refusals."""

import json
import unittest

import jsonschema
import numpy as np

from program import ProgramTest, run
from tensor_files import gradients, normalized, safetensors, tensor

EPSILON = 1e-5


class Gradients(ProgramTest):
    def setUp(self):
        super().setUp()
        random = np.random.default_rng(12)
        self.x = random.standard_normal((3, 2, 16)).astype(np.float32)
        self.gain = (1 + 0.3 * random.standard_normal(16)).astype(np.float32)
        self.upstream = random.standard_normal((3, 2, 16)).astype(np.float32)
        self.dx, self.dg = gradients(self.x, self.gain, self.upstream, EPSILON)

    def case(self, names=("upstream", "input_gradient", "gain_gradient"), **changed):
        tensors = {"x": self.x, "weight": self.gain, "y": normalized(self.x, self.gain, EPSILON)}
        for name, values in zip(names, (self.upstream, self.dx, self.dg)):
            if name:
                tensors[name] = values
        tensors.update(changed)
        path = self.folder / "case.safetensors"
        path.write_bytes(safetensors({name: tensor(a) for name, a in tensors.items()}))
        return str(path)

    def judged(self, *words, code):
        result = run("judge", *words, "--epsilon", EPSILON, "--format", "json")
        self.assertEqual(code, result.returncode, result.stderr)
        return json.loads(result.stdout)

    def test_right_gradients_are_right_under_all_their_names(self):
        for names in (("upstream", "input_gradient", "gain_gradient"),
                      ("grad_output", "grad_input", "grad_weight"), ("dy", "dx", "dw")):
            document = self.judged(self.case(names), code=0)
            self.assertEqual("right", document["verdict"])
            self.assertEqual("right", document["output"]["verdict"])
            for which in ("input", "gain"):
                self.assertEqual("right", document["gradients"][which]["verdict"])
                self.assertLessEqual(document["gradients"][which]["largest_part_of_bound"]["value"], 1)

    def test_names_of_ones_own_are_options(self):
        path = self.case(("a", "b", "c"))
        self.assertNotIn("gradients", self.judged(path, code=0))
        document = self.judged(path, "--upstream", "a", "--input-gradient", "b",
                               "--gain-gradient", "c", code=0)
        self.assertEqual({"input", "gain"}, set(document["gradients"]))

    def test_one_gradient_alone_is_judged_alone(self):
        for names, which in ((("dy", "dx", None), "input"), (("dy", None, "dw"), "gain")):
            document = self.judged(self.case(names), code=0)
            self.assertEqual({which}, set(document["gradients"]))

    def test_a_wrong_gradient_makes_the_verdict_wrong_and_is_named(self):
        r = 1 / np.sqrt((self.x.astype(np.float64)**2).mean(-1, keepdims=True) + EPSILON)
        for changed, which, id, words in (
                ({"input_gradient": r * self.gain * self.upstream}, "input", "scale-detached",
                 "the reciprocal root mean square is taken for a constant: the second term is missing"),
                ({"gain_gradient": self.dg / 6}, "gain", "rows-averaged", "the rows are averaged, not summed"),
                ({"gain_gradient": self.x * r * self.upstream}, "gain", "rows-not-summed",
                 "the rows are not summed")):
            path = self.case(**changed)
            document = self.judged(path, code=1)
            self.assertEqual("wrong", document["verdict"])
            self.assertEqual("right", document["output"]["verdict"])
            self.assertEqual("wrong", document["gradients"][which]["verdict"])
            self.assertEqual(id, document["gradients"][which]["explanations"][0]["id"])
            failed = [check["name"] for check in document["checks"] if not check["passed"]]
            self.assertEqual(["verdict-right", which + "-gradient-right"], failed)
            text = run("judge", path, "--epsilon", EPSILON)
            self.assertEqual(1, text.returncode)
            first = text.stdout.decode().splitlines()[0]
            self.assertTrue(first.startswith("wrong: the output is RMSNorm of the input"), first)
            self.assertIn(which + " gradient wrong", first)
            self.assertIn("mistake: " + words + ": explains ", text.stdout.decode())

    def test_a_wrong_output_stays_wrong_with_right_gradients(self):
        document = self.judged(self.case(y=self.x), code=1)
        self.assertEqual("wrong", document["verdict"])
        self.assertEqual("wrong", document["output"]["verdict"])
        self.assertEqual("right", document["gradients"]["input"]["verdict"])

    def test_every_document_is_valid_against_the_schema(self):
        schema = json.loads(run("schema").stdout)
        noise = np.random.default_rng(1).standard_normal(self.x.shape)
        for changed, code in (({}, 0), ({"input_gradient": noise}, 1),
                              ({"gain_gradient": np.zeros(16)}, 1)):
            jsonschema.validate(self.judged(self.case(**changed), code=code), schema)

    def test_a_page_tells_of_them(self):
        result = run("judge", self.case(), "--epsilon", EPSILON, "--format", "html")
        self.assert_done(result)
        self.assertIn(b"gradient", result.stdout)

    def test_what_does_not_fit_is_refused_in_one_line(self):
        usual = ("dy", "dx", "dw")
        for names, words, parts in (
                (("up", "dx", "dw"), (), ("upstream", "grad_output", "dy", "--upstream")),
                ((None,) * 3, ("--upstream", "1,2"), ("--upstream", "--input-gradient")),
                (usual, ("--input-gradient", "1,2"), ("--input-gradient", "[3, 2, 16]")),
                (usual, ("--upstream", "1,2"), ("--upstream", "[3, 2, 16]")),
                (usual, ("--gain-gradient", "1,2"), ("--gain-gradient", "16 values"))):
            self.assert_refused(run("judge", self.case(names), *words, "--epsilon", EPSILON), 2, *parts)


if __name__ == "__main__":
    unittest.main()
