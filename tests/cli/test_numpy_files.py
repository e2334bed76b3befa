"""Files that numpy writes come back with the same shape and bits, and refusals are quick."""

import io
import json
import os
import pathlib
import resource
import subprocess
import tempfile
import unittest
import warnings

import numpy as np
from numpy.lib import format as npy_format

READER = os.environ["RMSNORM_READ_VALUES"]


def npy(array, version=(1, 0)):
    file = io.BytesIO()
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # numpy warns that 2.0 and 3.0 are not read by old ones
        npy_format.write_array(file, array, version=version)
    return file.getvalue()


def run(*arguments, **options):
    return subprocess.run([READER, *arguments], capture_output=True, text=True, timeout=60,
                          **options)


class Files(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = pathlib.Path(folder.name)

    def file(self, content, name="x"):
        path = self.folder / name
        path.write_bytes(content)
        return f"@{path}"

    def read(self, content):
        result = run(self.file(content))
        self.assertEqual(result.returncode, 0, result.stderr)
        shape, *bits = result.stdout.split("\n")[:-1]
        elements = np.array([int(text, 16) for text in bits], dtype=np.uint64).view(np.float64)
        return elements.reshape(json.loads(shape))

    def assert_same(self, read, array):
        """`read` holds exactly the numbers of `array`, signs of zero included."""
        self.assertEqual(read.shape, array.shape)
        expected = np.ascontiguousarray(array, dtype=np.float64).reshape(array.shape)
        self.assertEqual(read.tobytes(), expected.tobytes())


class NumpyFilesComeBackWithTheSameBits(Files):
    def arrays(self):
        """Numbers of all magnitudes, signs and zeros, in shapes of 0 to 5 axes."""
        random = np.random.default_rng(20)
        for shape in [(), (1,), (7,), (2, 3), (3, 1), (2, 3, 4), (2, 1, 3, 2), (2, 3, 1, 2, 2),
                      (0,), (0, 3), (2, 0, 3)]:
            for kind, bits in [("f2", np.uint16), ("f4", np.uint32), ("f8", np.uint64)]:
                count = int(np.prod(shape))
                numbers = random.integers(0, np.iinfo(bits).max, 2 * count + 64, dtype=bits,
                                          endpoint=True).view(kind)
                numbers = numbers[np.isfinite(numbers)][:count]
                if count > 1:
                    numbers[0] = -0.0
                    numbers[1] = np.finfo(kind).smallest_subnormal
                yield numbers.reshape(shape)

    def test_each_type_byte_order_memory_order_and_version(self):
        for array in self.arrays():
            for order in "<>":
                ordered = array.astype(array.dtype.newbyteorder(order))
                for layout in "CF":
                    laid_out = np.array(ordered, order=layout, copy=True)
                    for version in [(1, 0), (2, 0), (3, 0)]:
                        with self.subTest(shape=array.shape, type=ordered.dtype.str, layout=layout,
                                          version=version):
                            self.assert_same(self.read(npy(laid_out, version)), array)

    def test_every_binary16_number(self):
        array = np.arange(1 << 16, dtype=np.uint16).view("f2")
        array = array[np.isfinite(array)]
        self.assert_same(self.read(npy(array)), array)

    def test_integers_and_booleans(self):
        random = np.random.default_rng(21)
        arrays = [np.array([[True, False, True]]), np.array([], dtype=bool)]
        for kind in ["i1", "u1", "i2", "u2", "i4", "u4", "i8", "u8"]:
            limits = np.iinfo(kind)
            most = min(limits.max, 1 << 53)
            numbers = random.integers(max(limits.min, -most), most, 120, dtype=kind, endpoint=True)
            numbers[:3] = max(limits.min, -most), most, 0
            arrays.append(numbers.reshape(2, 3, 20))
        arrays += [np.array([-(1 << 63), 1 << 62, (1 << 63) - 1024]),
                   np.array([1 << 63, (1 << 64) - 2048], dtype="u8")]
        for array in arrays:
            for order in "<>":
                for layout in "CF":
                    stored = np.array(array, dtype=array.dtype.newbyteorder(order), order=layout)
                    with self.subTest(type=stored.dtype.str, layout=layout):
                        self.assert_same(self.read(npy(stored)), array)

    def test_many_values_in_fortran_order(self):
        array = np.asfortranarray(np.random.default_rng(1).normal(size=(301, 7, 50)))
        self.assert_same(self.read(npy(array)), array)

    def test_text_of_numpy(self):
        array = np.random.default_rng(2).normal(size=(20, 5)) * 10.0 ** np.arange(-100, 100, 40)
        for delimiter in " ,\t":
            with self.subTest(delimiter=delimiter):
                file = io.StringIO()
                np.savetxt(file, array, fmt="%.17g", delimiter=delimiter, header="five columns")
                self.assert_same(self.read(file.getvalue().encode()), array)

    def test_json_of_numpy(self):
        array = np.random.default_rng(3).normal(size=(4, 3, 2)) * 1e-300
        self.assert_same(self.read(json.dumps(array.tolist()).encode()), array)
        document = {"shape": array.shape, "values": array.ravel().tolist()}
        self.assert_same(self.read(json.dumps(document, indent=1).encode()), array)

    def test_standard_input(self):
        array = np.array([[1.5, -2.0]])
        path = self.file(npy(array))[1:]
        with open(path, "rb") as file:
            result = run("-", stdin=file)
        self.assertEqual(result.stdout, "[1, 2]\n3ff8000000000000\nc000000000000000\n")


class OtherNumpyFilesAreRefused(Files):
    def test_types(self):
        for array, found in [
            (np.array([1 + 2j]), "the type \"<c16\""),
            (np.array(["a"]), "the type \"<U1\""),
            (np.array([1], dtype=np.longdouble), f"the type \"{np.dtype(np.longdouble).str}\""),
            (np.zeros(2, dtype=[("a", "<f8")]), "a structured type"),
            (np.array([None]), "pickled objects, type \"|O\""),
        ]:
            with self.subTest(found):
                result = run(self.file(npy(array)))
                self.assertEqual(result.returncode, 2)
                self.assertIn(f": found {found}; accepted: real numbers",
                              result.stderr)

    def test_numbers_that_are_not_finite(self):
        for kind in ["<f2", ">f4", "<f8"]:
            array = np.ones((2, 3), dtype=kind)
            array[1, 2] = np.nan
            result = run(self.file(npy(array)))
            self.assertEqual(result.returncode, 2)
            self.assertIn("element [1, 2] (flat index 5): found nan", result.stderr)

    def test_integers_that_binary64_does_not_hold(self):
        for number, kind in [((1 << 53) + 1, "i8"), (-(1 << 53) - 1, "i8"), ((1 << 64) - 1, "u8")]:
            result = run(self.file(npy(np.array([0, number], dtype=kind))))
            self.assertEqual(result.returncode, 2)
            self.assertIn("element [1] (flat index 1): found an integer of more than 53 bits",
                          result.stderr)

    def test_archive(self):
        file = io.BytesIO()
        np.savez(file, np.ones(2))
        result = run(self.file(file.getvalue()))
        self.assertEqual(result.returncode, 2)
        self.assertIn("found a NumPy archive (.npz", result.stderr)


def limited(megabytes):
    def limit():
        resource.setrlimit(resource.RLIMIT_AS, (megabytes << 20, megabytes << 20))

    return limit


def processor_seconds():
    """What all children took so far."""
    usage = resource.getrusage(resource.RUSAGE_CHILDREN)
    return usage.ru_utime + usage.ru_stime


class ReadingIsBounded(Files):
    """Under a limit of address space; a sanitizer reserves more than any limit."""

    def setUp(self):
        super().setUp()
        if run("1", preexec_fn=limited(64)).returncode != 0:
            self.skipTest("this build does not start in 64 MB")

    def test_refusals_take_neither_time_nor_memory(self):
        header = b"{'descr': '<f8', 'fortran_order': False, 'shape': (%d,), }\n" % (1 << 60)
        promise = b"\x93NUMPY\x01\x00" + len(header).to_bytes(2, "little") + header
        many = b"1," * (6 << 20)
        for name, content in {
            "promise": promise,
            "long header": b"\x93NUMPY\x02\x00\xff\xff\xff\xff",
            "deep": b"[" * 100_000,
            "deep objects": b'{"shape":' * 100_000,
            "digits": b"1" * (20 << 20),
            "zeros": bytes(20 << 20),
            "nan first": b"nan " + many,
        }.items():
            with self.subTest(name):
                argument = self.file(content)
                seconds = []
                for _ in range(3):
                    start = processor_seconds()
                    result = run(argument, preexec_fn=limited(64))
                    seconds.append(processor_seconds() - start)
                    self.assertEqual(result.returncode, 2, result.stderr)
                    self.assertEqual(result.stderr.count("\n"), 1)
                # The promise of the documentation, of a machine that does nothing else.
                self.assertLess(min(seconds), 0.1)

    def test_a_file_of_512_megabytes_streams_in_64(self):
        path = self.folder / "large.npy"
        count = 64 << 20
        with open(path, "wb") as file:
            npy_format.write_array_header_1_0(
                file, {"descr": "<f8", "fortran_order": False, "shape": (count >> 10, 1 << 10)})
            file.truncate(file.tell() + 8 * count)  # a hole: zeros that take no room
        result = run("--stream", "65536", f"@{path}", preexec_fn=limited(64))
        self.assertEqual((result.returncode, result.stdout), (0, f"{count}\n"), result.stderr)
        refused = run(f"@{path}", preexec_fn=limited(64))
        self.assertEqual(refused.returncode, 2)
        self.assertIn("67108864 values; accepted: at most 4194304 values", refused.stderr)


class ReadingFails(Files):
    def test_with_exit_code_3_and_the_system_s_reason(self):
        for argument, reason in [(f"@{self.folder}/none", "No such file or directory"),
                                 (f"@{self.folder}", "Is a directory")]:
            result = run(argument)
            self.assertEqual(result.returncode, 3)
            self.assertEqual(
                result.stderr,
                f"--input {argument}: cannot read: {reason}; accepted: a readable file\n")

    def test_a_closed_standard_input_is_a_reading_failure(self):
        result = run("-", preexec_fn=lambda: os.close(0))
        self.assertEqual(result.returncode, 3)
        self.assertIn("--input -: cannot read: Bad file descriptor", result.stderr)


if __name__ == "__main__":
    unittest.main()
