"""judge: files by an independent writer, verdicts, documents and refusals."""

import json
import pathlib
import tempfile
import unittest

import jsonschema
import numpy as np

from program import run
from tensor_files import normalized, safetensors, tensor, to_bf16


class Judge(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = pathlib.Path(folder.name)
        random = np.random.default_rng(4)
        self.x = random.standard_normal((2, 3, 16)).astype(np.float32)
        self.gain = (1 + 0.3 * random.standard_normal(16)).astype(np.float32)

    def path(self, name, data):
        path = self.folder / name
        path.write_bytes(data)
        return str(path)

    def case(self, epsilon, names=("input", "gain", "output")):
        tensors = zip(names, (self.x, self.gain, normalized(self.x, self.gain, epsilon)))
        return self.path("case.safetensors", safetensors({n: tensor(t) for n, t in tensors}))

    def document(self, *words, code):
        result = run("judge", *words, "--format", "json")
        self.assertEqual(code, result.returncode, result.stderr)
        return json.loads(result.stdout)

    def test_a_right_file_is_right_under_either_name_of_its_tensors(self):
        for names in (("input", "gain", "output"), ("x", "weight", "y")):
            document = self.document(self.case(1e-5, names), "--epsilon", "1e-5", code=0)
            self.assertEqual("right", document["verdict"])
            self.assertEqual(6, document["inputs"]["rows"])
            self.assertEqual([], document["explanations"])
            self.assertIn("rows-shifted", document["blind_to"] + ["rows-shifted"])

    def test_another_epsilon_is_named_in_text_and_document(self):
        path = self.case(1e-2)
        document = self.document(path, "--epsilon", "1e-5", code=1)
        self.assertEqual("wrong", document["verdict"])
        self.assertEqual("epsilon-other", document["explanations"][0]["id"])
        self.assertEqual(0.01, document["explanations"][0]["value"]["value"])
        for row in document["effective_epsilon"]:
            self.assertLessEqual(row["low"]["value"], 0.01)
            self.assertGreaterEqual(row["high"]["value"], 0.01)
        text = run("judge", path, "--epsilon", "1e-5").stdout.decode()
        self.assertTrue(text.startswith("wrong: "), text)
        self.assertIn("epsilon is 0.01", text)
        self.assertLessEqual(len(text.splitlines()), 15)

    def test_every_document_is_valid_against_the_schema(self):
        schema = json.loads(run("schema").stdout)
        zeros = self.path("zeros.npy", b"")
        np.save(zeros, np.zeros((6, 16), np.float32))
        inputs = self.path("x.npy", b"")
        np.save(inputs, self.x.reshape(6, 16))
        for words, code in (((self.case(1e-5), "--epsilon", "1e-5"), 0),
                            ((self.case(1e-5), "--epsilon", "1e-2"), 1),
                            (("--input", "@" + inputs, "--result", "@" + zeros, "--epsilon", "1"), 1),
                            (("--input", "1,2", "--result", "7,-3", "--epsilon", "1"), 1)):
            jsonschema.validate(self.document(*words, code=code), schema)

    def test_numpy_files_of_bfloat16_are_read_as_bytes_whole_numbers_or_binary32(self):
        x = (to_bf16(self.x).astype("<u4") << np.uint32(16)).view("<f4").reshape(6, 16)
        gain = (to_bf16(self.gain).astype("<u4") << np.uint32(16)).view("<f4")
        y = to_bf16(normalized(x, gain, 1e-5))
        for save in (lambda a: a.view("V2"), lambda a: a,
                     lambda a: (a.astype("<u4") << np.uint32(16)).view("<f4")):
            words = []
            for option, array in (("--input", to_bf16(x)), ("--gain", to_bf16(gain)), ("--result", y)):
                path = self.folder / (option + ".npy")
                np.save(path, save(array))
                words += [option, "@" + str(path)]
            document = self.document(*words, "--epsilon", "1e-5", "--dtype", "bf16", code=0)
            self.assertEqual("right", document["verdict"])
            self.assertEqual("bf16", document["inputs"]["output_dtype"])

    def test_a_probe_is_written_where_explanations_differ(self):
        path = self.folder / "probe.json"
        result = run("judge", "--input", "1,2,3,4", "--result", "0.36514837,0.73029674,1.0954451,1.4605935",
                     "--epsilon", "1e-3", "--probe", str(path))
        self.assertEqual(1, result.returncode, result.stderr)
        probe = json.loads(path.read_text())
        self.assertEqual(len(probe["input"]), probe["shape"][0] * probe["shape"][1])

    def test_the_document_says_which_explanations_the_probe_tells_apart(self):
        document = self.document("--input", "1,2,3,4", "--result", "0.36514837,0.73029674,1.0954451,1.4605935",
                                 "--epsilon", "1e-3", code=1)
        everything = set(range(len(document["explanations"])))
        self.assertGreater(len(everything), 1)
        for row in document["probe"]["tells"]:
            self.assertEqual(everything, {row["explanation"], *row["told_from"], *row["not_told_from"]})
        self.assertTrue(any(row["told_from"] for row in document["probe"]["tells"]))

    def test_no_input_is_written_over_without_force(self):
        case = pathlib.Path(self.case(1e-5))
        values = self.folder / "input.txt"
        values.write_text("1,2,3,4")
        listed = ("--input", f"@{values}", "--result", "0.36514837,0.73029674,1.0954451,1.4605935",
                  "--epsilon", "1e-3")
        for path, words in ((case, (str(case), "--epsilon", "1e-5", "-o", str(case))),
                            (values, (*listed, "-o", str(values))),
                            (values, (*listed, "--probe", str(values)))):
            with self.subTest(words=words):
                before = path.read_bytes()
                result = run("judge", *words)
                self.assertEqual(2, result.returncode, result.stderr)
                self.assertIn(b"found an input of this run", result.stderr)
                self.assertEqual(before, path.read_bytes())
        run("judge", str(case), "--epsilon", "1e-5", "-o", str(case), "--force")
        self.assertTrue(case.read_bytes().startswith(b"right"))
        both = run("judge", *listed, "--probe", "same", "-o", "same")
        self.assertEqual(2, both.returncode)
        self.assertIn(b"--probe: found the file of --output", both.stderr)

    def test_an_offset_needs_a_gain(self):
        words = ("judge", "--input", "3,4", "--result", "0.8485278,1.1313704", "--epsilon", "1e-5",
                 "--gain-offset", "1")
        self.assertIn(b"--gain-offset: found no gain", run(*words).stderr)
        self.assertEqual(0, run(*words, "--gain", "0,0").returncode)

    def test_a_file_without_rows_is_right(self):
        empty = safetensors({n: tensor(np.zeros(s)) for n, s in
                             (("x", (0, 4)), ("weight", (4,)), ("y", (0, 4)))})
        self.assertEqual("right", self.document(self.path("e.safetensors", empty), "--epsilon", "0",
                                                code=0)["verdict"])

    def test_what_does_not_fit_is_refused_in_one_line(self):
        case = self.case(1e-5)
        refused = [(case,), (case, "--epsilon", "-1"), (case, "--epsilon", "1", "--dtype", "f8"),
                   (case, "--epsilon", "1", "--input", "1,2"),
                   (case, "--epsilon", "1", "--gain", "1,2"),
                   (case, "--epsilon", "1", "--recipe", "none"),
                   ("--input", "1,2", "--epsilon", "1"),
                   ("--input", "-", "--result", "-", "--epsilon", "1")]
        for words in refused:
            with self.subTest(words=words):
                result = run("judge", *words)
                self.assertEqual(2, result.returncode, result.stdout)
                self.assertEqual(1, len(result.stderr.decode().splitlines()), result.stderr)
        for rows in (":2", "2:", "5", ":", "1:0", "0:7", "7:7", "0:1:2", "-1:2", "a:b", "0:99999999999999999999"):
            result = run("judge", case, "--epsilon", "1", "--rows", rows)
            self.assertEqual(f'rmsnorm-fixture: --rows: found "{rows}"; accepted: FROM:TO with FROM at most TO, and TO '
                             "at most 6, the number of rows\n", result.stderr.decode())
        self.assertIn(b"such as 1\n", run("judge", case, "--epsilon", "1", "--gain-offset", "x").stderr)
        self.assertIn(b"--probe: found no value; accepted: FILE (where to write an input on which",
                      run("judge", case, "--epsilon", "1", "--probe").stderr)
        self.assertIn(b"such as 1e-5\n", run("judge", case, "--epsilon", "x").stderr)
        missing = run("judge", str(self.folder / "none.safetensors"), "--epsilon", "1")
        self.assertEqual(3, missing.returncode)

    def judged(self, code, **changed):
        tensors = {"x": self.x, "weight": self.gain, "y": None, **changed}
        if tensors["y"] is None:
            with np.errstate(invalid="ignore"):
                tensors["y"] = normalized(tensors["x"], tensors["weight"], 1e-5)
        path = self.path("given.safetensors", safetensors({n: tensor(a) for n, a in tensors.items()}))
        return self.document(path, "--epsilon", "1e-5", code=code)

    def test_rows_that_are_not_finite_are_told_and_not_judged(self):
        for value in (np.nan, np.inf, -np.inf):
            x = self.x.copy()
            x[1, 2, 3] = value
            document = self.judged(0, x=x)
            self.assertEqual(1, document["output"]["rows_skipped"])
            self.assertEqual(5, document["output"]["rows_judged"])
            self.assertIn("row 5 of the input holds a NaN or an infinity: a NaN makes the whole row NaN",
                          document["facts"][0])
            self.assertEqual("undecided", self.judged(1, x=np.full_like(x, value))["verdict"])

    def test_a_gain_of_zero_shows_nothing_but_what_is_not_zero(self):
        zero = np.zeros_like(self.gain)
        document = self.judged(0, weight=zero)
        self.assertLess({"epsilon-missing", "sum-for-mean", "sign"}, set(document["blind_to"]))
        y = np.zeros(self.x.shape)
        y[1, 0, 4] = 1e-3
        self.assertEqual("wrong", self.judged(1, weight=zero, y=y)["verdict"])

    def test_an_output_that_is_all_zero_is_named(self):
        document = self.judged(1, y=np.zeros(self.x.shape))
        self.assertEqual(("part", "zeros", "all", "all"), tuple(document["explanations"][0][key] for key in (
            "id", "inside", "rows_affected", "columns_affected")))

    def test_an_epsilon_that_is_missing_is_asked_for(self):
        result = run("judge", self.case(1e-5))
        self.assertEqual(2, result.returncode)
        self.assertIn(b"needs --epsilon", result.stderr)

    def test_the_nearest_word_is_suggested(self):
        for words, near in ((("judge", self.case(1e-5), "--epsilon", "1", "--recipe", "lama"), "llama"),
                            (("forward", "--recipe", "lama"), "llama"), (("report", "25-rmsnrom"), "25-rmsnorm"),
                            (("judge", self.case(1e-5), "--epsilon", "1", "--format", "jsn"), "json"),
                            (("completions", "bsh"), "bash"), (("verify", "--require", "al", "."), "all")):
            message = run(*words).stderr.decode()
            self.assertRegex(message, f'found "[^"]+", did you mean {near}\\?; accepted: ')
        self.assertNotIn(b"did you mean", run("forward", "--recipe", "nobody").stderr)

    def test_whole_figures_have_no_point_and_nothing_is_compared_with_what_is_zero(self):
        found = run("judge", "--input", "3,4", "--result", "4e6,3", "--epsilon", "1e-5").stdout.decode()
        self.assertIn("worst: row 0, column 0: 4000000 where 0.848528 is exact, ", found)
        self.assertNotRegex(found, r"\d\.0\b")
        zero = ("judge", "--input", "3,4", "--gain", "0,0", "--epsilon", "1e-5", "--result")
        self.assertIn(b"\nworst: none, every output is 0 as it should be\n", run(*zero, "0,0").stdout)
        # Twice the smallest normal number of binary32: a flush of the product, and of a factor.
        self.assertIn(b"worst: row 0, column 1: 0.001 where 0 is exact, bound 2.351e-38\n", run(*zero, "0,1e-3").stdout)
        page = run(*zero, "0,0", "--format", "html").stdout
        self.assertIn(b"No output is off.", page)
        self.assertNotIn(b"The largest error is", page)

    def test_one_row_is_told_as_one(self):
        page = run("judge", "--input", "1,2,3,4", "--result", "9,9,9,8", "--epsilon", "1", "--format", "html").stdout
        for words in (b"one row alone does not tell", b"The scale of the row"):
            self.assertIn(words, page)
        for words in (b"one for all rows", b"The scale of each row"):
            self.assertNotIn(words, page)
        result = run("judge", "--input", "1,2,3,4", "--result", "9,9,9,8", "--epsilon", "1")
        self.assertIn(b"1 row of 4", result.stdout)
        self.assertNotIn(b"1 rows", result.stdout)

    def test_a_recipe_is_judged_on_every_value(self):
        random = np.random.default_rng(8)
        x = to_bf16(random.standard_normal((300, 32))).astype(np.uint32) << 16
        x = x.view(np.float32)
        gain = (to_bf16(1 + 0.3 * random.standard_normal(32)).astype(np.uint32) << 16).view(np.float32)
        r = 1 / np.sqrt((x * x).mean(-1, keepdims=True, dtype=np.float32) + np.float32(1e-5))
        bf16 = lambda a: (to_bf16(a).astype(np.uint32) << 16).view(np.float32)
        root = bf16(np.sqrt((x * x).mean(-1, keepdims=True, dtype=np.float32) + np.float32(1e-5)))
        outputs = {"llama": bf16(bf16(x * r) * gain), "pytorch": bf16(x * r * gain),
                   "burn": bf16(bf16(x / root) * gain)}

        def judged(output, recipe, code):
            path = self.path("r.safetensors", safetensors({
                "x": tensor(x, "BF16"), "weight": tensor(gain, "BF16"), "y": tensor(output, "BF16")}))
            return self.document(path, "--epsilon", "1e-5", "--recipe", recipe, code=code)

        for recipe, other, verdict in (("llama", "pytorch", "wrong"), ("pytorch", "llama", "wrong"),
                                       ("burn", "llama", "imprecise")):
            output = outputs[recipe]
            self.assertEqual("right", judged(output, recipe, 0)["verdict"])
            self.assertEqual(verdict, judged(output, other, 1)["verdict"])
            # One value in a row that no sample holds, by two units.
            changed = output.copy()
            changed[137, 5] *= np.float32(1 + 2**-6)
            document = judged(bf16(changed), recipe, 1)
            self.assertEqual("wrong", document["verdict"])
            self.assertEqual(1, document["output"]["rows_outside"])

    def test_a_recipe_decides_what_is_right(self):
        gain = "1,1,1,1"
        x = np.array([[0.3, -1.7, 2.2, 0.9]], np.float32)
        y = normalized(x, 1, 1e-6).astype(np.float32)
        words = ("--input", ",".join(map(repr, map(float, x[0]))), "--gain", gain,
                 "--result", ",".join(map(repr, map(float, y[0]))), "--epsilon", "1e-6")
        document = self.document(*words, code=0)
        self.assertTrue(document["recipes"])
        best = document["recipes"][0]["id"]
        self.assertEqual("right", self.document(*words, "--recipe", best, code=0)["verdict"])


if __name__ == "__main__":
    unittest.main()
