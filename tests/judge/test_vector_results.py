"""Results on test vectors, checked by the program."""

import itertools
import json
import re
import unittest

import numpy as np

import mistakes
import outputs
import test_wrong_gradients
from program import ProgramTest, run
from vector_files import DTYPES, EIGHT, encoded, valid

FORWARD = EIGHT + ["root-twice", "gain-shifted", "rows-reversed", "output-truncated"]
GRADIENTS = {"input_gradient": (test_wrong_gradients.INPUT_MISTAKES,
                                ["scale-detached", "gain-missing-inside", "sum-for-mean", "second-term-sign", "scale-power=2",
                                 "upstream-ones", "upstream-column-major", "epsilon-missing=0", "row-scale-shifted"]),
             "gain_gradient": (test_wrong_gradients.GAIN_MISTAKES,
                               ["rows-averaged", "last-row-missing", "input-for-normalized", "magnitudes", "upstream-shifted",
                                "scale-squared"])}


class ResultsAreChecked(ProgramTest):
    def results(self, dtype, found):
        return {"dtype": dtype, "direction": "forward",
                "results": [{"id": v.id, "output": encoded(dtype, found(v))} for v in valid(dtype, "forward", 0)]}

    def check(self, results, *words):
        path = self.folder / "results.json"
        path.write_text(json.dumps(results))
        return run("vectors", "--check", path, *words)

    def test_right_results_pass(self):
        for dtype in DTYPES:
            finished = self.check(self.results(dtype, lambda v: outputs.rounded(v.dtype, v.exact["output"])))
            self.assert_done(finished)
            self.assertRegex(finished.stdout.decode(), rf"\A{dtype} forward: passed, all \d+ tests\n\Z")

    def named(self, finished):
        """The ids for each tensor, and whether a mistake gives the results themselves."""
        self.assertEqual(finished.returncode, 1, finished.stderr)
        found, given = {}, {}
        for line in finished.stdout.decode().splitlines():
            tensor = re.match(r"(\w+): (?:the mistake that|mistakes, one of which) (gives|fails)", line)
            if tensor:
                found[tensor[1]], given[tensor[1]] = [], tensor[2] == "gives"
            elif line.startswith("  "):
                found[list(found)[-1]].append(line.split(":")[0].strip())
        return found, given

    def test_mistakes_are_named(self):
        """The mistake is among those that give the results, mostly alone."""
        counts = []
        for dtype, names in (("bf16", FORWARD), ("f32", EIGHT), ("f16", EIGHT[:2]), ("f64", EIGHT[:2])):
            for name in names:
                def output(v, mistake=mistakes.MISTAKES[name]):
                    if v.x.size == 0:
                        return v.x
                    with np.errstate(all="ignore"):
                        return mistake(v.case(), outputs.once)
                found, given = self.named(self.check(self.results(dtype, output)))
                self.assertIn(name, found["output"], (dtype, found))
                self.assertTrue(given["output"], (dtype, name))
                counts.append((len(found["output"]), dtype, found["output"]))
        print("named with others:", [case for case in counts if case[0] > 1])
        self.assertGreaterEqual(sum(count == 1 for count, _, _ in counts), 0.9 * len(counts))

    def test_wrong_gradients_are_named(self):
        """In the tensor that has the mistake, and in no other."""
        counts = []
        for dtype, tensor in itertools.product(("bf16", "f64"), ("input_gradient", "gain_gradient")):
            table, names = GRADIENTS[tensor]
            for name in names:
                results = []
                for v in valid(dtype, "backward", 0):
                    exact = dict(v.exact)
                    if v.x.size:
                        test_wrong_gradients.EPSILON = v.epsilon
                        with np.errstate(all="ignore"):
                            exact[tensor] = table[name](v.x, v.gain + v.offset, v.upstream)
                    results.append({"id": v.id, **{key: encoded(dtype, outputs.rounded(dtype, np.ravel(one)))
                                                   for key, one in exact.items()}})
                document = {"dtype": dtype, "direction": "backward", "results": results}
                found, given = self.named(self.check(document))
                self.assertEqual(list(found), [tensor], (dtype, name))
                self.assertIn(name.split("=")[0], found[tensor], (dtype, name, found))
                self.assertTrue(given[tensor], (dtype, name))
                counts.append((len(found[tensor]), dtype, name, found[tensor]))
        print("named with others:", [case for case in counts if case[0] > 1])
        self.assertGreaterEqual(sum(case[0] == 1 for case in counts), 0.9 * len(counts))

    def test_what_fails_alike(self):
        """Where no mistake of the set gives the results, those that fail the same tests are told."""
        def output(v):
            return outputs.rounded("f32", 3 * v.exact["output"])
        found, given = self.named(self.check(self.results("f32", output)))
        self.assertIn("constant-factor", found["output"])
        self.assertFalse(given["output"])

    def test_one_bit_beyond(self):
        """The neighbor of `high` fails that test alone, and is shown with its place."""
        vector = next(v for v in valid("f32", "forward") if v.shape[1] > 3)
        def found(v):
            exact = outputs.rounded("f32", v.exact["output"])
            if v is vector:
                exact[2] = np.nextafter(np.float32(v.accepted["output"][1][2]), np.float32(np.inf))
            return exact
        finished = self.check(self.results("f32", found))
        self.assertEqual(finished.returncode, 1)
        lines = finished.stdout.decode().splitlines()
        self.assertRegex(lines[0], r"^f32 forward: failed, 1 of \d+ tests$")
        self.assertTrue(lines[1].startswith(f"test {vector.id} ({vector.comment}): output[2] is "), lines[1])
        self.assertIn(f"wrong are 1 of {vector.x.size}", lines[1])

    def test_a_missing_result_fails(self):
        results = self.results("f32", lambda v: outputs.rounded("f32", v.exact["output"]))
        del results["results"][0]
        finished = self.check(results)
        self.assertEqual(finished.returncode, 1)
        self.assertIn("no result", finished.stdout.decode())

    def test_folder(self):
        for v in valid("f16", "forward", 0):
            np.save(self.folder / f"{v.id}.npy", outputs.rounded("f16", v.exact["output"]).astype(np.float16))
        self.assert_done(run("vectors", "--check", self.folder, "--dtype", "f16"))
        for v in valid("f16", "backward", 0):
            for name, exact in v.exact.items():
                np.save(self.folder / f"{v.id}.{name}.npy", outputs.rounded("f16", exact).astype(np.float16))
        self.assert_done(run("vectors", "--check", self.folder, "--dtype", "f16", "--direction", "backward"))
        np.save(self.folder / "2.npy", np.zeros(3))  # of binary64
        self.assert_refused(run("vectors", "--check", self.folder, "--dtype", "f16"), 2, "2.npy: found binary64", "binary16")

    def test_refusals(self):
        right = self.results("f32", lambda v: outputs.rounded("f32", v.exact["output"]))
        first = right["results"][1]
        for change, *parts in (
                ({"dtype": "f31"}, "f31"), ({"direction": "up"}, "up"), ({"results": 3}, "results"),
                ({"results": [{"id": 999}]}, "ids from 1 to"), ({"results": [first, first]}, "came before"),
                ({"results": [{**first, "output": ["3f80"]}]}, "8 hexadecimal digits"),
                ({"results": [{**first, "output": []}]}, "0 values"),
                ({"results": [{**first, "outputs": []}]}, "outputs"), ({"extra": 1}, "extra")):
            self.assert_refused(self.check({**right, **change}), 2, "results.json", *parts)
        self.assert_refused(self.check(right, "--dtype", "f16"), 2, "--dtype")
        self.assert_refused(run("vectors", "--check", self.folder / "none.json"), 3, "none.json")
        empty = self.folder / "empty"
        empty.mkdir()
        self.assert_refused(run("vectors", "--check", empty), 2, "found no results")
        for word in ("--dtype", "--direction"):
            self.assert_refused(run("vectors", word, "x"), 2, word)

    def test_files_are_kept(self):
        folder = self.folder / "sets"
        run("vectors", folder, "--dtype", "bf16", "--direction", "forward").check_returncode()
        self.assert_refused(run("vectors", folder, "--dtype", "bf16", "--direction", "forward"), 2, "bf16-forward.json")
        self.assert_done(run("vectors", folder, "--dtype", "bf16", "--direction", "forward", "--force"))
        self.assertEqual([path.name for path in folder.iterdir()], ["bf16-forward.json"])


if __name__ == "__main__":
    unittest.main()
