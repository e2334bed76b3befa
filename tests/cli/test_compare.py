"""compare on a reader's own vector, from outside."""

import json
import math
import os
import subprocess
import tempfile
import unittest

import jsonschema

PROGRAM = os.environ["RMSNORM_FIXTURE"]


def run(*arguments, stdin=""):
    return subprocess.run([PROGRAM, *arguments], capture_output=True, text=True, timeout=60,
                          input=stdin)


def compared(*arguments):
    done = run("compare", "--format", "json", *arguments)
    assert done.returncode == 0, done.stderr
    return json.loads(done.stdout)


class Compare(unittest.TestCase):
    def test_without_options_it_compares_the_exhibits_vector(self):
        document = compared()
        manifest = json.loads(run("exhibit").stdout)
        _, layer_norm, rms_norm = manifest["experiment"]["cases"][0]["vectors"]
        self.assertEqual(document["layer_norm"]["values"], layer_norm["values"])
        self.assertEqual(document["rms_norm"]["values"], rms_norm["values"])
        self.assertEqual(document["agreement"], "same bits")

    def test_its_figures_are_the_formulas(self):
        values = [0.25, -3.0, 7.5, 1e-3, 12.0]
        scale, offset, epsilon = 3.0, -2.0, 0.125
        gain = [1.0, -2.0, 0.5, 4.0, 1.5]
        document = compared("--input", ",".join(map(str, values)), "--scale", str(scale),
                            "--offset", str(offset), "--epsilon", str(epsilon),
                            "--gain", ",".join(map(str, gain)))
        vector = [scale * value + offset for value in values]
        mean = math.fsum(vector) / 5
        variance = math.fsum((v - mean) ** 2 for v in vector) / 5
        square = math.fsum(v * v for v in vector) / 5
        # Some ten roundings of 2^-53 in values below ten.
        for found, v, g in zip(document["layer_norm"]["values"], vector, gain):
            self.assertAlmostEqual(found, g * (v - mean) / math.sqrt(variance + epsilon), delta=1e-14)
        for found, v, g in zip(document["rms_norm"]["values"], vector, gain):
            self.assertAlmostEqual(found, g * v / math.sqrt(square + epsilon), delta=1e-14)
        self.assertAlmostEqual(document["mean"]["value"], mean, delta=1e-14)
        self.assertEqual(document["agreement"], "none")
        self.assertIn("differ", document["statement"])

    def test_equal_features_and_one_feature_are_explained(self):
        for values in ("5", "2,2,2"):
            document = compared("--input", values)
            self.assertEqual(set(document["layer_norm"]["values"]), {0.0})
            self.assertEqual(len(document["notes"]), 1)
            self.assertIn("variance is 0", document["notes"][0])
            self.assertIn("note=", run("compare", "--input", values).stdout)

    def test_its_documents_keep_to_the_schema(self):
        validator = jsonschema.Draft202012Validator(json.loads(run("schema").stdout))
        for arguments in ([], ["--input", "1"], ["--input", "1,2", "--offset", "3", "--full"]):
            validator.validate(compared(*arguments))

    def test_the_widest_vector_is_taken_and_a_wider_one_refused(self):
        self.assertEqual(compared("--input", ",".join(["1", "-1"] * 2048))["agreement"], "same bits")
        done = run("compare", "--input", ",".join(["1"] * 4097))
        self.assertEqual(done.returncode, 2)
        self.assertIn("4096", done.stderr)
        # An option that compare does not have must not be recommended.
        self.assertNotIn("--max-elements", done.stderr)

    def test_values_come_from_a_file_or_standard_input_too(self):
        wanted = compared("--input", "1,2,-4", "--gain", "2,2,2")
        with tempfile.TemporaryDirectory() as folder:
            path = os.path.join(folder, "values.json")
            with open(path, "w") as file:
                file.write("[1, 2, -4]")
            self.assertEqual(compared("--input", "@" + path, "--gain", "2,2,2"), wanted)
        done = run("compare", "--format", "json", "--input", "1,2,-4", "--gain", "-", stdin="2 2 2")
        self.assertEqual(json.loads(done.stdout), wanted)
        done = run("compare", "--input", "-", "--gain", "-", stdin="2 2 2")
        self.assertEqual(done.returncode, 2)
        self.assertEqual(run("compare", "--input", "@/nowhere").returncode, 3)

    def test_rows_are_refused_for_a_vector(self):
        done = run("compare", "--input", "-", stdin="1 2\n3 4\n")
        self.assertEqual(done.returncode, 2)
        self.assertIn("[2, 2]", done.stderr)

    def test_bad_input_is_refused_in_one_line_that_names_the_option(self):
        for arguments, words in (
                (["--input", ""], ["--input"]),
                (["--input", "1,,2"], ["--input", "2"]),
                (["--input", "1,2,"], ["--input", "3"]),
                (["--input", "1,nan"], ["--input", "nan"]),
                (["--input", "1,1e999"], ["--input", "1e999"]),
                (["--scale", "two"], ["--scale", "two"]),
                (["--offset", "inf"], ["--offset", "inf"]),
                (["--epsilon", "-1"], ["--epsilon", "-1"]),
                (["--gain", "1,2"], ["--gain", "2", "8"]),
                (["--fixture", "23-normalization", "--input", "1,2"], ["--fixture", "--input"]),
                (["--gain", "1,2", "--fixture", "23-normalization"], ["--fixture", "--gain"]),
                (["--offset", "3", "--scale", "2", "--fixture", "23-normalization"],
                 ["--fixture", "--offset, --scale"]),
                (["--fixture", "23-normalization", "--epsilon", "1"], ["--fixture", "--epsilon"]),
                (["--input", "1e300,2", "--scale", "1e10"], ["feature 0", "not finite"]),
                (["--input", "1e200,2"], ["not finite"]),
                (["--input", "3,3", "--epsilon", "0"], ["LayerNorm", "zero variance"]),
                (["--input", "0.1,0.1,0.1", "--epsilon", "0"], ["LayerNorm", "zero variance"]),
                (["--input", "0", "--epsilon", "0"], ["epsilon is zero"])):
            done = run("compare", *arguments)
            self.assertEqual(done.returncode, 2, arguments)
            self.assertEqual(done.stdout, "")
            self.assertEqual(done.stderr.count("\n"), 1)
            for word in words:
                self.assertIn(word, done.stderr)


if __name__ == "__main__":
    unittest.main()
