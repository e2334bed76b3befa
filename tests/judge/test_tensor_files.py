"""Safetensors files are read as they are written; malformed ones are bad input, and cost nothing."""

import json
import os
import pathlib
import resource
import struct
import subprocess
import tempfile
import unittest

import numpy as np

from tensor_files import normalized, safetensors, stored, with_header

PROGRAM = os.environ["RMSNORM_FIXTURE"]


class Files(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.path = pathlib.Path(folder.name) / "case.safetensors"

    def judge(self, content, *options):
        self.path.write_bytes(content)
        return self.run_judge(str(self.path), *options)

    def run_judge(self, *arguments):
        def limit():
            resource.setrlimit(resource.RLIMIT_AS, (512 << 20, 512 << 20))
        return subprocess.run([PROGRAM, "judge", *arguments, "--epsilon", "1e-5"], text=True,
                              capture_output=True, timeout=60, preexec_fn=limit)

    def require_refused(self, content, words):
        result = self.judge(content)
        self.assertEqual(result.returncode, 2, result.stderr or result.stdout)
        # A value of the header is named by its place, a tensor as a whole by its name.
        self.assertTrue(words in result.stderr or words.replace('"', "/", 1).rstrip('"') in result.stderr,
                        result.stderr)
        self.assertEqual(result.stderr.count("\n"), 1, result.stderr)


class WrittenElsewhereReadHere(Files):
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


class MalformedFilesAreBadInput(Files):
    entry = {"dtype": "F32", "shape": [2], "data_offsets": [0, 8]}

    def header(self, data=b"\0" * 16, **tensors):
        return with_header(json.dumps(tensors).encode(), data)

    def test_lengths(self):
        self.require_refused(b"", "bytes")
        self.require_refused(b"\1\2\3", "3 bytes")
        for length in (2**60, 2**63, 2**64 - 1, 100, 9):
            self.require_refused(struct.pack("<Q", length) + b"{}      ", str(length))

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
        self.require_refused(self.header(data=b"\0" * 20, x=x, y=y), "behind")
        self.require_refused(self.header(data=b"\0" * 12, x=x, y=y), '"y"')

    def test_names_types_and_shapes(self):
        twice = b'{"x": %s, "x": %s}' % ((json.dumps(self.entry).encode(),) * 2)
        self.require_refused(with_header(twice, b"\0" * 8), "twice")
        for change in [{"dtype": "F33"}, {"dtype": 3}, {"shape": [3]}, {"shape": [-2]},
                       {"shape": [2.0]}, {"shape": 2}, {"shape": [2**40, 2**40]}, {"dtype": "F16"}]:
            self.require_refused(self.header(data=b"\0" * 8, x=dict(self.entry, **change)), '"x"')

    def test_integers_cannot_be_judged(self):
        integers = {"dtype": "I32", "shape": [2], "data_offsets": [0, 8]}
        output = dict(self.entry, data_offsets=[8, 16])
        self.require_refused(self.header(x=integers, y=output), "I32")


if __name__ == "__main__":
    unittest.main()
