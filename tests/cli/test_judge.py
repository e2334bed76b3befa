"""judge: files by an independent writer, verdicts, documents and refusals."""

import json
import pathlib
import struct
import tempfile
import unittest

import jsonschema
import numpy as np

from program import run


def safetensors(tensors, header=None):
    """The bytes of a file: a name to a dtype, a shape and bytes."""
    if header is None:
        header, offset = {}, 0
        for name, (dtype, shape, data) in tensors.items():
            header[name] = {"dtype": dtype, "shape": list(shape),
                            "data_offsets": [offset, offset + len(data)]}
            offset += len(data)
        header = json.dumps(header).encode()
    return struct.pack("<Q", len(header)) + header + b"".join(t[2] for t in tensors.values())


def f32(array):
    array = np.asarray(array, "<f4")
    return "F32", array.shape, array.tobytes()


def bf16_bits(array):
    bits = np.asarray(array, "<f4").view("<u4").astype(np.uint64)
    return ((bits + 0x7FFF + (bits >> np.uint64(16) & np.uint64(1))) >> np.uint64(16)).astype("<u2")


def rms_norm(x, gain, epsilon):
    x = np.asarray(x, np.float64)
    return x / np.sqrt((x * x).mean(axis=-1, keepdims=True) + epsilon) * gain


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
        tensors = zip(names, (self.x, self.gain, rms_norm(self.x, self.gain, epsilon)))
        return self.path("case.safetensors", safetensors({n: f32(t) for n, t in tensors}))

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
        x = (bf16_bits(self.x).astype("<u4") << np.uint32(16)).view("<f4").reshape(6, 16)
        gain = (bf16_bits(self.gain).astype("<u4") << np.uint32(16)).view("<f4")
        y = bf16_bits(rms_norm(x, gain, 1e-5))
        for save in (lambda a: a.view("V2"), lambda a: a,
                     lambda a: (a.astype("<u4") << np.uint32(16)).view("<f4")):
            words = []
            for option, array in (("--input", bf16_bits(x)), ("--gain", bf16_bits(gain)), ("--result", y)):
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

    def test_a_file_without_rows_is_right(self):
        empty = safetensors({n: f32(np.zeros(s)) for n, s in
                             (("x", (0, 4)), ("weight", (4,)), ("y", (0, 4)))})
        self.assertEqual("right", self.document(self.path("e.safetensors", empty), "--epsilon", "0",
                                                code=0)["verdict"])

    def test_what_does_not_fit_is_refused_in_one_line(self):
        case = self.case(1e-5)
        good = f32(np.ones(4))
        one = json.dumps({"x": {"dtype": "F32", "shape": [4], "data_offsets": [0, 16]}})
        malformed = {
            "length": struct.pack("<Q", 1 << 60) + b"{}",
            "short": b"\x01\x02",
            "large": struct.pack("<Q", 100_000_000) + b" " * 1000,
            "json": safetensors({}, b"{nothing"),
            "array": safetensors({}, b"[1]"),
            "deep": safetensors({}, b"[" * 100_000),
            "twice": safetensors({"x": good}, (one[:-1] + ", " + one[1:]).encode()),
            "dtype": safetensors({"x": good}, one.replace("F32", "F33").encode()),
            "hole": safetensors({"x": good}, one.replace("0, 16", "4, 20").encode()) + b"\0" * 4,
            "overlap": safetensors({"x": good}, json.dumps({
                "x": {"dtype": "F32", "shape": [4], "data_offsets": [0, 16]},
                "y": {"dtype": "F32", "shape": [4], "data_offsets": [0, 16]}}).encode()),
            "trailing": safetensors({"x": good}, one.encode()) + b"\0",
            "beyond": safetensors({"x": good}, one.replace("16", "32").encode()),
            "overflow": safetensors({"x": good},
                                    one.replace("[4]", "[4294967296, 4294967296, 4]").encode()),
            "negative": safetensors({"x": good}, one.replace("[4]", "[-4]").encode()),
        }
        refused = [(self.path(name + ".safetensors", data), "--epsilon", "1")
                   for name, data in malformed.items()]
        refused += [(case,), (case, "--epsilon", "-1"), (case, "--epsilon", "1", "--dtype", "f8"),
                    (case, "--epsilon", "1", "--input", "1,2"),
                    (case, "--epsilon", "1", "--gain", "1,2"),
                    (case, "--epsilon", "1", "--recipe", "none"),
                    ("--input", "1,2", "--epsilon", "1")]
        for words in refused:
            with self.subTest(words=words):
                result = run("judge", *words)
                self.assertEqual(2, result.returncode, result.stdout)
                self.assertEqual(1, len(result.stderr.decode().splitlines()), result.stderr)
        missing = run("judge", str(self.folder / "none.safetensors"), "--epsilon", "1")
        self.assertEqual(3, missing.returncode)

    def test_a_recipe_decides_what_is_right(self):
        gain = "1,1,1,1"
        x = np.array([[0.3, -1.7, 2.2, 0.9]], np.float32)
        y = rms_norm(x, 1, 1e-6).astype(np.float32)
        words = ("--input", ",".join(map(repr, map(float, x[0]))), "--gain", gain,
                 "--result", ",".join(map(repr, map(float, y[0]))), "--epsilon", "1e-6")
        document = self.document(*words, code=0)
        self.assertTrue(document["recipes"])
        best = document["recipes"][0]["id"]
        self.assertEqual("right", self.document(*words, "--recipe", best, code=0)["verdict"])


if __name__ == "__main__":
    unittest.main()
