"""The built program, run from outside."""

import json
import os
import pathlib
import re
import struct
import subprocess
import tempfile
import unittest

PROGRAM = os.path.abspath(os.environ["RMSNORM_FIXTURE"])
SOURCE = pathlib.Path(os.environ["RMSNORM_SOURCE"])
GOLDENS = SOURCE / "fixtures" / "25-rmsnorm"


def clean_environment(**changes):
    """The environment without what changes colors, and with the changes."""
    kept = {key: value for key, value in os.environ.items() if key not in ("NO_COLOR",)}
    return {**kept, **changes}


def run(*words, program=PROGRAM, **options):
    """The finished run: returncode, stdout and stderr as bytes."""
    options.setdefault("stdin", subprocess.DEVNULL)
    if "input" in options:
        del options["stdin"]
    options.setdefault("stdout", subprocess.PIPE)
    options.setdefault("env", clean_environment())
    return subprocess.run([program, *map(str, words)], stderr=subprocess.PIPE, timeout=120,
                          check=False, **options)


def sanitized():
    """Whether the program carries a sanitizer, which reserves more memory than a limit allows."""
    with open(PROGRAM, "rb") as file:
        return b"__asan_init" in file.read()


def listed():
    """The fixtures and the subcommands that `list` names, each with its heading."""
    names, heading = {}, None
    for line in run("list").stdout.decode().splitlines():
        if line and not line.startswith(" "):
            heading = line
        elif line:
            names[line.split()[0]] = heading
    return names


def experiments():
    return [name for name, heading in listed().items() if heading not in ("Fixtures", "Reports")]


def subcommands():
    """The subcommands that the general help names."""
    text = run("--help").stdout.decode()
    return re.findall(r"^  ([a-z][a-z0-9-]*) {2,}[a-z]", text, re.MULTILINE)


def npy_header(*shape):
    """How a .npy file of binary64 numbers begins."""
    text = f"{{'descr': '<f8', 'fortran_order': False, 'shape': {shape}, }}"
    text += " " * (117 - len(text)) + "\n"
    return b"\x93NUMPY\x01\x00" + struct.pack("<H", len(text)) + text.encode()


class ProgramTest(unittest.TestCase):
    """A test with a folder of its own."""

    def setUp(self):
        temporary = tempfile.TemporaryDirectory()
        self.addCleanup(temporary.cleanup)
        self.folder = pathlib.Path(temporary.name)

    def assert_done(self, finished):
        self.assertEqual(finished.stderr, b"")
        self.assertEqual(finished.returncode, 0)

    def assert_refused(self, finished, code, *parts):
        """The exit code, nothing on stdout, one line on stderr that holds the parts."""
        message = finished.stderr.decode()
        self.assertEqual(finished.returncode, code, message)
        self.assertEqual(finished.stdout or b"", b"")
        self.assertRegex(message, r"\Armsnorm-fixture: [^\n]+\n\Z")
        for part in parts:
            self.assertIn(part, message)

    def files(self):
        return sorted(path.name for path in self.folder.iterdir())


def document(*words):
    return json.loads(run(*words, "--format", "json").stdout)
