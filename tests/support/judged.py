"""Cases for the judge by hand: tensors, the document and the text that it gives, and lists."""

import json
import pathlib
import tempfile
import unittest

import numpy as np

from program import run
from tensor_files import normalized, safetensors, tensor, to_bf16

EPSILON = 1e-5


def bf16(numbers):
    return (to_bf16(numbers).astype("<u4") << np.uint32(16)).view("<f4")


def listed(numbers):
    return ",".join(repr(float(number)) for number in numbers)


class JudgeTest(unittest.TestCase):
    """A test with tensors of its own."""

    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = pathlib.Path(folder.name)
        random = np.random.default_rng(31)
        self.random = random
        self.x = bf16(random.standard_normal((6, 40)))
        self.gain = bf16(1 + 0.3 * random.standard_normal(40))
        self.y = normalized(self.x, self.gain, EPSILON).astype(np.float32)

    def judged(self, x, gain, y, dtype="F32", epsilon=EPSILON, words=(), **others):
        """The document and the text."""
        path = self.folder / "case.safetensors"
        tensors = {"x": x, "weight": gain, "y": y, **others}
        path.write_bytes(safetensors({name: tensor(array, dtype) for name, array in tensors.items()}))
        asked = ("judge", str(path), "--epsilon", str(epsilon), *words)
        document = json.loads(run(*asked, "--format", "json").stdout)
        return document, run(*asked).stdout.decode()

    def judged_lists(self, x, y, *words, code=1):
        asked = ("judge", "--input", listed(x), "--result", listed(y), "--epsilon", str(EPSILON), *words)
        result = run(*asked)
        self.assertEqual(code, result.returncode, result.stderr)
        return json.loads(run(*asked, "--format", "json").stdout), result.stdout.decode()
