"""fixtures/judge/cluster.py on two workers of one machine: the whole's bytes, also when one dies."""

import os
import pathlib
import subprocess
import sys
import unittest

import numpy as np

from program import PROGRAM, SOURCE, ProgramTest, run
from tensor_files import normalized, safetensors, tensor

try:
    from distributed import LocalCluster
except ImportError:
    LocalCluster = None

SCRIPT = SOURCE / "fixtures" / "judge" / "cluster.py"
ROWS, WIDTH, PARTS = 200, 24, 7


@unittest.skipUnless(LocalCluster, "SKIPPED: needs python3-distributed")
class Cluster(ProgramTest):
    def case(self, epsilon):
        random = np.random.default_rng(3)
        x = random.standard_normal((ROWS, WIDTH))
        gain = 1 + 0.3 * random.standard_normal(WIDTH)
        path = self.folder / "case.safetensors"
        path.write_bytes(safetensors({"x": tensor(x), "weight": tensor(gain), "y": tensor(
            normalized(x.astype(np.float32), gain.astype(np.float32), epsilon))}))
        return str(path), "--epsilon", "1e-5"

    def on_two_workers(self, words, program=PROGRAM):
        environment = {**os.environ, "RMSNORM_FIXTURE": str(program)}
        with LocalCluster(n_workers=2, threads_per_worker=1, processes=True, dashboard_address=None,
                          host="127.0.0.1", local_directory=str(self.folder)) as cluster:
            return subprocess.run(
                [sys.executable, "-B", str(SCRIPT), cluster.scheduler_address, str(ROWS), str(PARTS), *words],
                env=environment, capture_output=True, timeout=300, check=False)

    def test_the_verdict_is_the_wholes(self):
        for epsilon, code in ((1e-5, 0), (1e-2, 1)):
            words = self.case(epsilon)
            whole = run("judge", *words, "--format", "json")
            shared = self.on_two_workers(words)
            self.assertEqual(code, shared.returncode, shared.stderr.decode())
            self.assertEqual(code, whole.returncode)
            self.assertEqual(whole.stdout, shared.stdout)

    def test_a_worker_that_dies_costs_nothing_but_time(self):
        # The first part to begin takes its worker with it.
        killer = self.folder / "killer"
        killer.write_text(f'#!/bin/sh\nif mkdir "{self.folder}/died" 2>/dev/null; then kill -9 $PPID; exit 1; fi\n'
                          f'exec "{PROGRAM}" "$@"\n')
        killer.chmod(0o755)
        words = self.case(1e-2)
        whole = run("judge", *words, "--format", "json")
        shared = self.on_two_workers(words, killer)
        self.assertTrue(pathlib.Path(self.folder, "died").is_dir())
        self.assertEqual(1, shared.returncode, shared.stderr.decode())
        self.assertEqual(whole.stdout, shared.stdout)


if __name__ == "__main__":
    unittest.main()
