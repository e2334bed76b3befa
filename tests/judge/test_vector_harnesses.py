"""The harnesses in fixtures/vectors/ pass right implementations and name the mistakes of wrong ones."""

import itertools
import json
import os
import shutil
import subprocess
import sys
import unittest

from program import SOURCE, ProgramTest
from vector_files import EIGHT, FIXTURES

IMPLEMENTATIONS = SOURCE / "tests" / "judge" / "implementations"
EIGHT_BACKWARD = ["scale-detached", "second-term-sign", "sum-for-mean", "scale-power",
                  "input-for-normalized", "rows-averaged", "magnitudes", "gain-missing-inside"]


class HarnessesRun(ProgramTest):
    def harness(self, *words, mistake=None):
        environment = {**os.environ, "PYTHONPATH": str(IMPLEMENTATIONS), "PYTHONDONTWRITEBYTECODE": "1"}
        environment.pop("MISTAKE", None)
        if mistake:
            environment["MISTAKE"] = mistake
        return subprocess.run([str(word) for word in words], capture_output=True, timeout=120, env=environment,
                              check=False, text=True)

    def assert_passes(self, finished):
        self.assertEqual((finished.returncode, finished.stdout), (0, "all passed\n"), finished.stderr)

    def assert_flagged(self, finished, flag):
        self.assertEqual(finished.returncode, 1, (flag, finished.stdout, finished.stderr))
        last = finished.stdout.splitlines()[-1]
        self.assertTrue(last.startswith("flags, best fit first: "), last)
        self.assertIn(flag, last.split(), finished.stdout)

    def test_numpy(self):
        command = [sys.executable, FIXTURES / "run_numpy.py"]
        for dtype in ("f64", "f32", "f16"):
            forward, backward = (FIXTURES / f"{dtype}-{way}.json" for way in ("forward", "backward"))
            self.assert_passes(self.harness(*command, forward, "rms_norm_numpy"))
            self.assert_passes(self.harness(*command, backward, "rms_norm_numpy"))
            if dtype != "f32":
                continue
            for mistake in EIGHT:
                self.assert_flagged(self.harness(*command, forward, "rms_norm_numpy", mistake=mistake), mistake)
            for mistake in EIGHT_BACKWARD:
                self.assert_flagged(self.harness(*command, backward, "rms_norm_numpy", mistake=mistake), mistake)

    def test_torch(self):
        try:
            import torch  # pylint: disable=import-outside-toplevel,unused-import
        except ImportError:
            self.skipTest("PyTorch is not installed")
        for dtype, way in itertools.product(("f64", "f32", "bf16"), ("forward", "backward")):
            for module in ("rms_norm_torch", "rms_norm_llama_torch"):
                self.assert_passes(self.harness(sys.executable, FIXTURES / "run_torch.py",
                                                FIXTURES / f"{dtype}-{way}.json", module))

    def test_javascript(self):
        node = shutil.which("node") or shutil.which("nodejs")
        if node is None:
            self.skipTest("Node.js is not installed")
        for dtype in ("f64", "f32"):
            words = [node, FIXTURES / "run.mjs", FIXTURES / f"{dtype}-forward.json", IMPLEMENTATIONS / "rms_norm.mjs"]
            self.assert_passes(self.harness(*words))
            for mistake in EIGHT if dtype == "f32" else []:
                self.assert_flagged(self.harness(*words, mistake=mistake), mistake)

    def test_c(self):
        compiler = shutil.which("cc")
        if compiler is None:
            self.skipTest("no C compiler is installed")
        for number, mistake in enumerate([None] + EIGHT, -1):
            program = self.folder / "vectors"
            subprocess.run([compiler, "-std=c99", "-Wall", "-Wextra", "-Werror", f"-DMISTAKE={number}", "-o", program,
                            FIXTURES / "run.c", IMPLEMENTATIONS / "rms_norm.c", "-lm"], check=True)
            finished = self.harness(program, FIXTURES / "f32-forward.json")
            if mistake is None:
                self.assert_passes(finished)
                continue
            self.assertEqual(finished.returncode, 1)
            flags = [set(json.loads(line.removeprefix("flags: ").rstrip(",")))
                     for line in finished.stdout.splitlines() if line.startswith("flags: ")]
            self.assertIn(mistake, set.union(*flags))

    def test_rust(self):
        compiler = shutil.which("rustc")
        if compiler is None:
            self.skipTest("no Rust compiler is installed")
        shutil.copy(FIXTURES / "run.rs", self.folder)
        shutil.copy(IMPLEMENTATIONS / "rms_norm.rs", self.folder / "your_rms_norm.rs")
        subprocess.run([compiler, "-o", "run", "run.rs"], cwd=self.folder, check=True)
        self.assert_passes(self.harness(self.folder / "run", FIXTURES / "f32-forward.json"))


if __name__ == "__main__":
    unittest.main()
