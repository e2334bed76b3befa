"""Folders that are whole whatever ends the program that writes them."""

import os
import pathlib
import random
import resource
import signal
import subprocess
import time
import unittest

from program import PROGRAM, ProgramTest, run

ENDING = (signal.SIGINT, signal.SIGTERM, signal.SIGHUP, signal.SIGQUIT, signal.SIGXCPU)
RUNS = 300


def contents(folder):
    return {path.name: path.read_bytes() for path in folder.iterdir()}


class Interruption(ProgramTest):
    def setUp(self):
        super().setUp()
        # SIGQUIT and SIGXCPU would leave a core.
        limits = resource.getrlimit(resource.RLIMIT_CORE)
        self.addCleanup(resource.setrlimit, resource.RLIMIT_CORE, limits)
        resource.setrlimit(resource.RLIMIT_CORE, (0, limits[1]))
        self.random = random.Random(20)
        self.target = self.folder / "target"

    def started(self, words):
        return subprocess.Popen([PROGRAM, *map(str, words)], stdin=subprocess.DEVNULL,
                                stdout=subprocess.DEVNULL, stderr=subprocess.PIPE)

    def interrupt(self, words, number, longest):
        """Ends a run by the signal, at any moment of it or when its first file is there."""
        process = self.started(words)
        if self.random.random() < 0.5:
            end = time.perf_counter() + self.random.uniform(0, longest)
            while time.perf_counter() < end and process.poll() is None:
                pass
        else:
            end = time.perf_counter() + 60
            while (process.poll() is None and time.perf_counter() < end and
                   not any(name.startswith(".rmsnorm-fixture.")
                           for name in os.listdir(self.folder))):
                pass
        process.send_signal(number)
        message = process.communicate(timeout=60)[1]
        self.assertIn(process.returncode, (0, -number), message)
        return process.returncode != 0

    def interrupt_often(self, words, old):
        """`old` are the files of the folder before each run, None for no folder."""
        self.restore(old)
        start = time.perf_counter()
        self.assertEqual(run(*words).returncode, 0)
        longest = 1.2 * (time.perf_counter() - start)
        new = contents(self.target)
        self.assertNotEqual(new, old)
        seen = {"old": 0, "new": 0, "interrupted": 0, "killed": 0}
        for _ in range(RUNS // 3):
            self.restore(old)
            number = self.random.choice((*ENDING, signal.SIGKILL))
            ended = self.interrupt(words, number, longest)
            seen["interrupted"] += ended
            state = contents(self.target) if self.target.exists() else None
            self.assertIn(state, (old, new), f"neither old nor new after {number.name}")
            seen["old" if state == old else "new"] += 1
            if number == signal.SIGKILL:
                seen["killed"] += ended
                # What a killed run has left does not outlast the next one.
                self.assertEqual(run(*words, *([] if "--force" in words else ["--force"]))
                                 .returncode, 0)
                self.assertEqual(contents(self.target), new)
            self.assertEqual(self.files(), [] if not self.target.exists() else ["target"])
        self.assertGreater(seen["interrupted"], 0, seen)

    def restore(self, old):
        if self.target.exists():
            for path in self.target.iterdir():
                path.unlink()
            self.target.rmdir()
        if old is not None:
            self.target.mkdir()
            for name, content in old.items():
                (self.target / name).write_bytes(content)

    def test_a_bundle_is_the_old_one_or_the_new_one(self):
        self.assertEqual(run("exhibit", "--bundle", self.target).returncode, 0)
        old = {name: b"old" for name in contents(self.target)}
        self.interrupt_often(["exhibit", "--bundle", self.target, "--force"], old)

    def test_the_pages_of_a_site_are_the_old_ones_or_the_new_ones_and_other_files_stay(self):
        self.assertEqual(run("site", self.target).returncode, 0)
        old = {name: b"old" for name in contents(self.target)} | {"mine.txt": b"mine"}
        self.interrupt_often(["site", self.target, "--force"], old)

    def test_a_new_folder_is_whole_or_not_there(self):
        self.interrupt_often(["site", self.target], None)

    def test_what_a_killed_run_has_left_is_cleared_away_and_what_a_living_one_holds_is_not(self):
        for place in (self.folder, self.target):
            self.restore({})
            left = place / ".rmsnorm-fixture.abcdef"
            left.mkdir()
            (left / "index.html").write_text("half")
            self.assert_done(run("site", self.target))
            self.assertFalse(left.exists())
            self.assertEqual(self.files(), ["target"])
        # One that looks like it and is none.
        (self.folder / ".rmsnorm-fixture.abcdefg").mkdir()
        self.assert_done(run("site", self.target, "--force"))
        self.assertEqual(self.files(), [".rmsnorm-fixture.abcdefg", "target"])

    def test_calls_at_the_same_time_take_turns(self):
        for words in (["site", self.target, "--force"],
                      ["exhibit", "--bundle", self.folder / "bundle", "--force"]):
            for _ in range(5):
                processes = [self.started(words) for _ in range(6)]
                for process in processes:
                    message = process.communicate(timeout=60)[1]
                    self.assertEqual((process.returncode, message), (0, b""))
        self.assertEqual(self.files(), ["bundle", "target"])

    def test_a_signal_that_is_ignored_changes_nothing(self):
        process = subprocess.Popen(
            [PROGRAM, "site", self.target], stderr=subprocess.PIPE,
            preexec_fn=lambda: signal.signal(signal.SIGINT, signal.SIG_IGN))
        while process.poll() is None:
            process.send_signal(signal.SIGINT)
        self.assertEqual((process.returncode, process.communicate()[1]), (0, b""))

    def test_folders_that_cannot_be_looked_into_are_failures_of_reading(self):
        loop = self.folder / "loop"
        loop.symlink_to("loop")
        inner = pathlib.Path(loop, "inner")
        for words in (["site"], ["site", "--force"], ["exhibit", "--bundle"], ["verify"]):
            for path in (loop, inner):
                with self.subTest(words=words, path=path):
                    self.assert_refused(run(*words, path), 3, str(path)[:20], "symbolic links")
        self.target.mkdir()
        (self.target / "index.html").symlink_to("index.html")
        self.assert_refused(run("site", self.target), 2, "index.html", "--force")
        self.assert_done(run("site", self.target, "--force"))
        self.assertFalse((self.target / "index.html").is_symlink())


if __name__ == "__main__":
    unittest.main()
