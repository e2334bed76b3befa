"""The tables of the elementary functions are what their generator writes."""

import os
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

TABLES = Path(os.environ["RMSNORM_SOURCE"]) / "src" / "numeric" / "tables"


class NumericTables(unittest.TestCase):
    def test_the_generator_writes_the_committed_tables(self):
        with tempfile.TemporaryDirectory() as folder:
            subprocess.run([sys.executable, TABLES / "generate.py", "--output", folder], check=True)
            written = {path.name: path.read_bytes() for path in Path(folder).iterdir()}
        committed = {path.name: path.read_bytes() for path in TABLES.glob("*.hpp")}
        self.assertEqual(sorted(written), sorted(committed))
        self.assertGreater(len(written), 0)
        for name, content in committed.items():
            with self.subTest(name=name):
                self.assertEqual(written[name], content)


if __name__ == "__main__":
    unittest.main()
