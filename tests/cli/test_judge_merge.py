"""judge --rows and --merge: documents of parts give the whole's verdict, byte for byte."""

import json
import unittest

import jsonschema
import numpy as np

from program import ProgramTest, run
from tensor_files import normalized, safetensors, stored, tensor

EPSILON, WIDTH = 1e-3, 12


def scale(x, epsilon=EPSILON):
    return 1 / np.sqrt((x * x).mean(-1, keepdims=True) + epsilon)


def row_of(value):
    def output(x, gain):
        y = normalized(x, gain, EPSILON)
        y[len(x) // 2] = value
        return y
    return output


def tail_of_rows(x, gain):
    y = normalized(x, gain, EPSILON)
    y[-3:] = normalized(x, gain, 0)[-3:]
    return y


def tail_of_columns(x, gain):
    y = normalized(x, gain, EPSILON)
    y[:, -2:] = 0
    return y


OUTPUTS = {
    "right": lambda x, gain: normalized(x, gain, EPSILON),
    "epsilon-outside": lambda x, gain: x * gain / (np.sqrt((x * x).mean(-1, keepdims=True)) + EPSILON),
    "epsilon-other": lambda x, gain: normalized(x, gain, 0.0421),
    "gain-missing": lambda x, gain: x * scale(x),
    "all-rows-mean": lambda x, gain: x * gain / np.sqrt((x * x).mean() + EPSILON),
    "sum-not-reset": lambda x, gain: x * gain / np.sqrt(
        np.cumsum((x * x).mean(-1, keepdims=True), axis=0) + EPSILON),
    "row-scale-shifted": lambda x, gain: x * gain * np.roll(scale(x), 1, axis=0),
    "rows-reversed": lambda x, gain: normalized(x, gain, EPSILON)[::-1],
    "column-major-output": lambda x, gain: normalized(x, gain, EPSILON).T.reshape(x.shape),
    "batch-axis": lambda x, gain: x * gain / np.sqrt((x * x).mean(0, keepdims=True) + EPSILON),
    "grouped": lambda x, gain: (x.reshape(len(x), 3, -1) * scale(x.reshape(len(x), 3, -1))).reshape(
        x.shape) * gain,
    "a row of NaN": row_of(np.nan),
    "a row of zeros": row_of(0),
    "the last rows": tail_of_rows,
    "the last columns": tail_of_columns,
    "noise": lambda x, gain: np.random.default_rng(1).standard_normal(x.shape),
}


class Merge(ProgramTest):
    def case(self, rows, output, dtype="F32"):
        random = np.random.default_rng(rows)
        x = 0.2 * random.standard_normal((rows, WIDTH)) * np.exp(random.standard_normal((rows, 1)))
        gain = 1 + 0.5 * random.standard_normal(WIDTH)
        x[rows // 3] = 0
        x[rows // 4, 2] = np.inf
        x, gain = (stored(dtype, a)[1].astype(np.float64) for a in (x, gain))
        with np.errstate(invalid="ignore"):
            y = output(x, gain)
        path = self.folder / "case.safetensors"
        path.write_bytes(safetensors({"x": tensor(x, dtype), "weight": tensor(gain, dtype),
                                      "y": tensor(y, dtype)}))
        return str(path), "--epsilon", str(EPSILON)

    def part(self, words, rows, name):
        path = self.folder / name
        result = run("judge", *words, "--rows", rows, "--format", "json", "-o", path)
        self.assertIn(result.returncode, (0, 1), result.stderr)
        return str(path)

    def parts(self, words, edges):
        return [self.part(words, f"{a}:{b}", f"{a}-{b}.json") for a, b in zip(edges, edges[1:])]

    def assert_merged(self, words, edges, label):
        whole = run("judge", *words, "--format", "json")
        merged = run("judge", "--merge", *reversed(self.parts(words, edges)), "--format", "json")
        self.assertEqual(whole.stdout.decode(), merged.stdout.decode(), label)
        self.assertEqual(whole.returncode, merged.returncode, label)
        self.assertEqual(whole.stderr, merged.stderr, label)

    def test_parts_give_the_verdict_of_the_whole(self):
        for label, output in OUTPUTS.items():
            for rows, edges in ((9, (0, 1, 6, 9)), (150, (0, 64, 65, 150))):
                self.assert_merged(self.case(rows, output), edges, (label, rows))

    def test_parts_of_outputs_with_a_last_rounding_do_too(self):
        for label in ("right", "epsilon-outside", "gain-missing", "the last rows"):
            self.assert_merged(self.case(150, OUTPUTS[label], "BF16"), (0, 75, 150), label)

    def test_one_part_and_empty_parts_are_parts(self):
        self.assert_merged(self.case(9, OUTPUTS["right"]), (0, 9), "one")
        self.assert_merged(self.case(9, OUTPUTS["right"]), (0, 0, 9), "empty")

    def test_parts_name_the_recipe_that_the_whole_names(self):
        for label in ("right", "the last rows"):
            words = (*self.case(9, OUTPUTS[label], "BF16"), "--recipe", "burn")
            self.assert_merged(words, (0, 0, 4, 9), label)
            merged = json.loads(run("judge", "--merge", *self.parts(words, (0, 4, 9)), "--format", "json").stdout)
            self.assertEqual("burn", merged["inputs"]["recipe"])

    def test_a_part_judges_its_own_rows(self):
        words = self.case(150, tail_of_rows)
        for rows, verdict in (("0:100", "right"), ("100:150", "wrong")):
            document = json.loads(run("judge", *words, "--rows", rows, "--format", "json").stdout)
            self.assertEqual(verdict, document["verdict"])
            self.assertEqual(150, document["part"]["of"])

    def test_a_right_part_keeps_a_sample_alone(self):
        document = json.loads(run("judge", *self.case(400, OUTPUTS["right"]), "--rows", "0:300",
                                  "--format", "json").stdout)
        self.assertLess(len(document["part"]["kept"]), 64)

    def test_documents_of_parts_are_valid_against_the_schema(self):
        schema = json.loads(run("schema").stdout)
        for label in ("right", "noise"):
            path = self.part(self.case(9, OUTPUTS[label]), "2:7", "part.json")
            with open(path, encoding="utf-8") as file:
                jsonschema.validate(json.load(file), schema)

    def test_what_cannot_be_merged_is_refused_in_one_line(self):
        words = self.case(9, OUTPUTS["right"])
        first, second, third = self.parts(words, (0, 3, 6, 9))
        overlap = self.part(words, "5:9", "overlap.json")
        with open(first, encoding="utf-8") as file:
            document = json.load(file)
        other = self.part(self.case(9, OUTPUTS["right"])[:2] + ("0.5",), "3:9", "other.json")

        def changed(change):
            copy = json.loads(json.dumps(document))
            change(copy)
            path = self.folder / "changed.json"
            path.write_text(json.dumps(copy))
            return str(path)

        for files, parts in (
                ((first, third), ("rows 6:9", "rows from 3")),
                ((first, second), ("rows 6:9",)),
                ((first, second, overlap), ("rows 5:9", "rows from 6")),
                ((first, first, second, third), ("rows 0:3", "rows from 3")),
                ((first, other), ("other tensors",)),
                ((words[0],), ("case.safetensors",)),
                ((changed(lambda d: d.pop("part")), second, third), ('"part"',))):
            self.assert_refused(run("judge", "--merge", *files), 2, *parts)
        for change in (lambda d: d["part"].update(to=70),
                       lambda d: d["part"].update(squares="00"),
                       lambda d: d["part"].update(gain="zz" * 8 * WIDTH),
                       lambda d: d["part"]["pass"].update(outside=["0:9"]),
                       lambda d: d["part"]["pass"].update(outside=["2:1"]),
                       lambda d: d["part"]["pass"].update(outside=[]),
                       lambda d: d["part"]["pass"]["error"].update(row=5),
                       lambda d: d["part"]["kept"][0].update(row=8),
                       lambda d: d["part"].update(kept=[]),
                       lambda d: d["inputs"].update(output_dtype="f8")):
            self.assert_refused(run("judge", "--merge", changed(change), second, third), 2)
        self.assert_refused(run("judge", "--merge"), 2, "--merge")
        self.assert_refused(run("judge", "--merge", first, "--epsilon", "1"), 2, "--merge")
        for rows in ("3", "3:2", "0:10", "a:b", "-1:2"):
            self.assert_refused(run("judge", *words, "--rows", rows), 2, "--rows")


if __name__ == "__main__":
    unittest.main()
