"""Safetensors files are read as they are written; malformed ones are bad input, and cost nothing."""

import io
import json
import os
import pathlib
import resource
import struct
import subprocess
import tempfile
import threading
import unittest

import numpy as np

from tensor_files import normalized, safetensors, stored, tensor, with_header

PROGRAM = os.environ["RMSNORM_FIXTURE"]


class Files(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.path = pathlib.Path(folder.name) / "case.safetensors"

    def judge(self, content, *options):
        self.path.write_bytes(content)
        return self.run_judge(str(self.path), *options)

    def run_judge(self, *arguments, **keywords):
        def limit():
            resource.setrlimit(resource.RLIMIT_AS, (512 << 20, 512 << 20))
        return subprocess.run([PROGRAM, "judge", *arguments, "--epsilon", "1e-5"], text=True,
                              capture_output=True, timeout=60, preexec_fn=limit, **keywords)

    def require_refused(self, content, words):
        result = self.judge(content)
        self.assertEqual(result.returncode, 2, result.stderr or result.stdout)
        # A value of the header is named by its place, a tensor as a whole by its name.
        self.assertTrue(words in result.stderr or words.replace('"', "/", 1).rstrip('"') in result.stderr,
                        result.stderr)
        self.assertEqual(result.stderr.count("\n"), 1, result.stderr)


class WrittenElsewhereReadHere(Files):
    def test_a_pipe_is_opened_once_and_standard_input_is_read_to_its_end(self):
        x = np.array([[3.0, 4.0, -5.0]])
        output = tensor(normalized(x, 1.0, 1e-5), "F64")
        content = safetensors({"input": tensor(x, "F64"), "output": output})
        self.path.write_bytes(content)
        expected = self.run_judge(str(self.path)).stdout
        self.assertIn("right", expected)
        pipe = self.path.with_name("pipe")
        os.mkfifo(pipe)
        writer = threading.Thread(target=pipe.write_bytes, args=[content], daemon=True)
        writer.start()
        # A second opening would wait for a second writer.
        result = subprocess.run([PROGRAM, "judge", str(pipe), "--epsilon", "1e-5"], text=True,
                                capture_output=True, timeout=30)
        self.assertEqual((result.returncode, result.stdout), (0, expected), result.stderr)
        writer.join()
        with open(self.path, "rb") as file:
            result = subprocess.run([PROGRAM, "judge", "-", "--epsilon", "1e-5"], stdin=file,
                                    text=True, capture_output=True, timeout=30)
        self.assertEqual((result.returncode, result.stdout), (0, expected), result.stderr)

    def test_formats_shapes_and_names(self):
        random = np.random.default_rng(4)
        names = [("input", "gain", "output"), ("x", "weight", "y")]
        for number, (dtype, gain_dtype) in enumerate([
                ("F64", "F64"), ("F32", "F32"), ("F16", "F16"), ("BF16", "BF16"),
                ("BF16", "F32"), ("F16", "F32")]):
            for shape in [(8,), (3, 8), (2, 3, 5), (2, 1, 2, 33), (0, 8)]:
                content, x = stored(dtype, random.standard_normal(shape))
                gain_content, g = stored(gain_dtype, 1 + random.random(shape[-1:]))
                output, _ = stored(dtype, normalized(x, g, 1e-5))
                x_name, g_name, y_name = names[number % 2]
                file = safetensors({
                    g_name: (gain_dtype, list(shape[-1:]), gain_content),
                    "steps": ("I64", [], struct.pack("<q", 7)),
                    y_name: (dtype, list(shape), output),
                    x_name: (dtype, list(shape), content)}, {"format": "np"})
                with self.subTest(dtype=dtype, gain=gain_dtype, shape=shape):
                    result = self.judge(file)
                    self.assertEqual(result.returncode, 0, result.stdout + result.stderr)
                    self.assertTrue(result.stdout.startswith("right"), result.stdout)

    def test_a_wrong_output_is_seen_in_each_format(self):
        random = np.random.default_rng(5)
        for dtype in ("F64", "F32", "F16", "BF16"):
            content, x = stored(dtype, random.standard_normal((4, 32)))
            output, y = stored(dtype, normalized(x, np.ones(32), 1e-5))
            bad, _ = stored(dtype, np.where(np.arange(32) == 5, 1.1 * y, y))
            for output_bytes, code in [(output, 0), (bad, 1)]:
                file = safetensors({"x": (dtype, [4, 32], content),
                                    "y": (dtype, [4, 32], output_bytes)})
                self.assertEqual(self.judge(file).returncode, code, dtype)


    def test_standard_input(self):
        x = np.random.default_rng(6).standard_normal((4, 8)).astype(np.float32)
        self.path.write_bytes(safetensors({"x": tensor(x), "y": tensor(normalized(x, np.ones(8), 1e-5))}))
        with open(self.path, "rb") as file:
            result = self.run_judge("-", stdin=file)
        self.assertEqual((result.returncode, result.stderr), (0, ""))
        self.assertTrue(result.stdout.startswith("right"), result.stdout)
        with subprocess.Popen(["cat", self.path], stdout=subprocess.PIPE) as cat:
            self.assertEqual(self.run_judge("-", stdin=cat.stdout).stdout, result.stdout)
        self.assertIn("standard input: found a file of 0 bytes",
                      self.run_judge("-", stdin=subprocess.DEVNULL).stderr)

    def test_nothing_to_compare_is_right_and_said(self):
        for shape in (4, 0), (0, 8), (0, 0), (0,):
            result = self.judge(safetensors({"x": ("F32", shape, b""), "y": ("F32", shape, b"")}))
            self.assertEqual(result.returncode, 0, result.stderr)
            self.assertTrue(result.stdout.startswith("right"), result.stdout)
            self.assertIn("\nnote: there are no elements here: nothing was compared\n", result.stdout)

    def test_gradients_that_were_not_judged_are_said(self):
        x = np.random.default_rng(6).standard_normal((4, 8)).astype(np.float32)
        tensors = {"x": tensor(x), "y": tensor(normalized(x, np.ones(8), 1e-5))}
        note = 'note: the gradients were not judged: beside "grad_output" '
        self.assertIn(note, self.judge(safetensors({**tensors, "grad_output": tensor(x)})).stdout)
        self.assertNotIn("note:", self.judge(safetensors(tensors)).stdout)
        both = safetensors({**tensors, "grad_output": tensor(x), "dw": tensor(x[0])})
        self.assertNotIn("note: the gradients", self.judge(both).stdout)


class NamesOfTensors(Files):
    x = np.random.default_rng(6).standard_normal((4, 8)).astype(np.float32)
    y = normalized(x, np.ones(8), 1e-5)

    def refusal(self, tensors, *options):
        result = self.judge(safetensors({name: tensor(array) for name, array in tensors.items()}), *options)
        self.assertEqual(result.returncode, 2, result.stdout)
        self.assertEqual(result.stderr.count("\n"), 1, result.stderr)
        return result.stderr

    def test_a_misspelt_name_is_answered_with_those_that_there_are(self):
        tensors = {"x": self.x, "weight": self.x[0], "y": self.y}
        for name in "weigth", "model.0.weigth", "0.weight", "nan":
            message = self.refusal(tensors, "--gain", name)
            self.assertIn(f'--gain: found no tensor "{name}" among "x", "weight", "y" of ', message)
        message = self.refusal({f"t{i}": self.x for i in range(30)}, "--input", "t30")
        self.assertIn('"t19" and 10 more of', message)
        self.assertNotIn('"t20"', message)

    def test_numbers_are_no_names(self):
        content = safetensors({"x": tensor(self.x), "y": tensor(self.y)})
        for ones in "1,1,1,1,1,1,1,1", "1e0 1 1E0 1 1 1 1 +1", "[1,1,1,1,1,1,1,1]", '{"shape": [8], "values": [1,1,1,1,1,1,1,1]}':
            result = self.judge(content, "--gain", ones)
            self.assertEqual((result.returncode, result.stderr), (0, ""), ones)

    def test_numbers_beyond_a_format_are_named_by_their_place(self):
        for arguments, words in (
                (("--input", "4,1e39", "--result", "1,1"), "--input: element 2: found 1e39; accepted: magnitudes up to"),
                (("--input", "4,3", "--result", "1,70000", "--dtype", "f16"), "--result: element 2: found 70000.0;"),
                (("--input", "4,3", "--result", "1,1", "--gain", "1,1", "--gain-offset", "1e39"),
                 "--gain-offset: found 1e39, which gives 1e39 with element 1 of the gain")):
            result = self.run_judge(*arguments)
            self.assertEqual(2, result.returncode, result.stdout)
            self.assertTrue(result.stderr.startswith("rmsnorm-fixture: " + words), result.stderr)
        held = self.run_judge("--input", "4,1e39", "--result", "1,1", "--dtype", "f64")
        self.assertEqual(1, held.returncode, held.stderr)

    def test_rows_of_no_elements_are_counted(self):
        nothing = tensor(np.zeros((4, 0)))
        result = self.judge(safetensors({"x": nothing, "y": nothing}))
        self.assertEqual(0, result.returncode, result.stderr)
        self.assertIn("4 rows of 0", result.stdout)

    def test_two_tensors_of_one_role_are_refused_until_an_option_chooses(self):
        tensors = {"x": self.x, "y": self.y}
        for option, name, other in (("--input", "x", "input"), ("--result", "y", "output")):
            doubled = {**tensors, other: self.x[::-1]}
            message = self.refusal(doubled)
            self.assertIn(f'found both tensor "{other}" and tensor "{name}"', message)
            self.assertIn(f"{option} NAME", message)
            content = safetensors({key: tensor(array) for key, array in doubled.items()})
            self.assertEqual(self.judge(content, option, name).returncode, 0)
            self.assertEqual(self.judge(content, option, other).returncode, 1)


class FormatsOfNumpyFiles(Files):
    accepted = "accepted: '<f8', '<f4' or '<f2', or two-byte elements ('|V2', '<u2') and --dtype bf16\n"

    def refusal(self, array, *options):
        path = self.path.with_suffix(".npy")
        np.save(path, array)
        result = self.run_judge("--input", f"@{path}", "--result", f"@{path}", *options)
        self.assertEqual(2, result.returncode, result.stdout)
        return result.stderr

    def test_a_refusal_lists_what_is_read(self):
        numbers = np.ones((2, 4))
        for array, found in ((numbers.astype(int), "found whole numbers"), (numbers > 0, "found booleans"),
                             (numbers.astype(complex), 'found the type "<c16"'),
                             (numbers.astype("V4"), 'found the type "|V4"'),
                             (np.zeros(3, [("a", "<f4")]), "found a structured type"),
                             (numbers.astype("<u2"), "found two-byte elements without a format")):
            message = self.refusal(array)
            self.assertIn(found, message)
            self.assertTrue(message.endswith(self.accepted), message)

    def test_a_dtype_that_nothing_takes_is_refused(self):
        x = np.ones((2, 4), np.float32)
        content = safetensors({"x": tensor(x), "y": tensor(normalized(x, np.ones(4), 1e-5))})
        result = self.judge(content, "--dtype", "bf16")
        refusal = (2, "rmsnorm-fixture: --dtype: found only tensors with formats of their own; accepted: with a list, "
                      "text, JSON, or a .npy file of two-byte elements or of a wider format\n")
        self.assertEqual(refusal, (result.returncode, result.stderr))
        self.assertEqual(0, self.judge(content, "--dtype", "bf16", "--gain", "1,1,1,1").returncode)
        gain = self.path.with_suffix(".npy")
        np.save(gain, np.full(4, 0x3f80, "<u2"))
        self.assertEqual(0, self.judge(content, "--dtype", "bf16", "--gain", f"@{gain}").returncode)
        np.save(gain, np.ones(4, np.float32))
        for dtype, code in (("bf16", 0), ("f32", 0), ("f64", 2)):
            self.assertEqual(code, self.judge(content, "--dtype", dtype, "--gain", f"@{gain}").returncode, dtype)


class MalformedFilesAreBadInput(Files):
    entry = {"dtype": "F32", "shape": [2], "data_offsets": [0, 8]}

    def header(self, data=b"\0" * 16, **tensors):
        return with_header(json.dumps(tensors).encode(), data)

    def test_lengths(self):
        self.require_refused(b"", "bytes")
        self.require_refused(b"\1\2\3", "3 bytes")
        self.require_refused(b"\1", "found a file of 1 byte;")
        for length in (2**60, 2**63, 2**64 - 1, 100, 9):
            self.require_refused(struct.pack("<Q", length) + b"{}      ", str(length))

    def test_another_kind_of_file_is_called_by_its_name(self):
        archive, array = io.BytesIO(), io.BytesIO()
        np.savez(archive, x=np.ones(3))
        np.save(array, np.ones(3))
        for content, kind in ((archive.getvalue(), "a NumPy archive"), (array.getvalue(), "a .npy file"),
                              (b'{"input": [1, 2, 3]}', "JSON"), (b"1 2 3 4 5 6 7 8 9", "text"),
                              ("1 2 3 4 5".encode("utf-16"), "UTF-16 text")):
            self.require_refused(content, f"found {kind}")

    def test_a_header_of_a_hundred_megabytes(self):
        text = b"{" + b" " * 100_000_000 + b"}"
        self.require_refused(with_header(text), str(len(text)))

    def test_what_is_not_json_or_no_object(self):
        for text in (b"", b"{", b"{]", b"x" * 50, b"[1]", b"3", b'{"x": 1}', b'{"x": []}',
                     b'{"x": {}}', b"[" * 100_000, b"\xff\xfe{}", b'{"x"'):
            self.require_refused(with_header(text), "case.safetensors")

    def test_offsets(self):
        x, y = dict(self.entry), dict(self.entry, data_offsets=[8, 16])
        for changed, place in [([4, 12], "overlap"), ([0, 8], "overlap"), ([9, 17], '"y"'),
                               ([8, 12], '"y"'), ([16, 8], '"y"'), ([8], '"y"'),
                               ([8, 2**63], '"y"'), ([-8, 0], '"y"'), ([8.5, 16], '"y"')]:
            self.require_refused(self.header(x=x, y=dict(y, data_offsets=changed)), place)
        self.require_refused(self.header(data=b"\0" * 24, x=x,
                                         y=dict(y, data_offsets=[16, 24])), "gap")
        self.require_refused(self.header(data=b"\0" * 20, x=x, y=y), "after the last tensor")
        self.require_refused(self.header(data=b"\0" * 12, x=x, y=y), '"y"')

    def test_names_types_and_shapes(self):
        twice = b'{"x": %s, "x": %s}' % ((json.dumps(self.entry).encode(),) * 2)
        self.require_refused(with_header(twice, b"\0" * 8), "twice")
        for change in [{"dtype": "F33"}, {"dtype": 3}, {"shape": [3]}, {"shape": [-2]},
                       {"shape": [2.0]}, {"shape": 2}, {"shape": [2**40, 2**40]}, {"dtype": "F16"}]:
            self.require_refused(self.header(data=b"\0" * 8, x=dict(self.entry, **change)), '"x"')
        self.require_refused(self.header(data=b"\0" * 8, x=dict(self.entry, shape=[-2])),
                             "found -2; accepted: a whole number from 0")
        self.require_refused(self.header(data=b"\0" * 8, x=dict(self.entry, shape=[2.0])), "found 2.0; accepted")

    def test_what_is_not_used_may_have_any_dtype(self):
        x = np.random.default_rng(3).standard_normal((4, 8)).astype(np.float32)
        tensors = {"x": tensor(x), "y": tensor(normalized(x, np.ones(8), 1e-5))}
        for dtype, size in (("F4", 4), ("F8_E4M3", 8), ("F8_E4M3FNUZ", 8), ("F6_E2M3", 6), ("a word", 40)):
            other = {"scales": (dtype, [8], b"\1" * size)}
            for content in ({**other, **tensors}, {**tensors, **other}):
                result = self.judge(safetensors(content))
                self.assertEqual((result.returncode, result.stderr), (0, ""), dtype)
            result = self.judge(safetensors({**tensors, **other}), "--gain", "scales")
            self.assertEqual((2, f'rmsnorm-fixture: --gain: found dtype "{dtype}"; accepted: F64, F32, F16, BF16\n'),
                             (result.returncode, result.stderr))
        entry = {"dtype": "F4", "shape": [2], "data_offsets": [8, 16]}
        for changed, words in (({"data_offsets": [4, 12]}, "overlap"), ({"data_offsets": [12, 16]}, "gap"),
                               ({"data_offsets": [8, 20]}, '"y"'), ({"data_offsets": [8, 8]}, '"y"'),
                               ({"shape": [0]}, '"y"'), ({"shape": [2**40, 2**40]}, '"y"'),
                               ({"data_offsets": [8, 12]}, "after the last tensor"), ({"dtype": None}, '"y"')):
            self.require_refused(self.header(x=self.entry, y={**entry, **changed}), words)

    def test_integers_cannot_be_judged(self):
        integers = {"dtype": "I32", "shape": [2], "data_offsets": [0, 8]}
        output = dict(self.entry, data_offsets=[8, 16])
        self.require_refused(self.header(x=integers, y=output), "I32")


if __name__ == "__main__":
    unittest.main()
