"""What a terminal on standard error shows of work that lasts over a second."""

import ctypes
import os
import pty
import select
import signal
import struct
import subprocess
import tempfile
import termios
import unittest

from program import GOLDENS, PROGRAM, ProgramTest, clean_environment, npy_header, run

ERASED = b"\r\x1b[K"


def started(words, columns=80, **options):
    """The program with a terminal as its standard error, and our end of it."""
    ours, theirs = pty.openpty()
    termios.tcsetwinsize(theirs, (24, columns))
    options.setdefault("stdin", subprocess.DEVNULL)
    process = subprocess.Popen([PROGRAM, *map(str, words)], stderr=theirs,
                               env=clean_environment(), **options)
    os.close(theirs)
    return process, ours


def rest_of(ours):
    """All that is drawn until the program has closed its end."""
    drawn = b""
    try:
        while part := os.read(ours, 65536):
            drawn += part
    except OSError:
        pass  # the terminal is gone
    os.close(ours)
    return drawn


def threads(process):
    try:
        return len(os.listdir(f"/proc/{process.pid}/task"))
    except (FileNotFoundError, ProcessLookupError):
        return 0


# Of <sys/ptrace.h>.
TRACEME, CONTINUE, DETACH, SETOPTIONS, GETEVENTMSG = 0, 7, 17, 0x4200, 0x4201
OPTION_CLONE, EVENT_CLONE = 8, 3
ALL_THREADS = 0x40000000  # __WALL

libc = ctypes.CDLL(None, use_errno=True)
libc.ptrace.restype = ctypes.c_long
libc.ptrace.argtypes = (ctypes.c_long, ctypes.c_int, ctypes.c_void_p, ctypes.c_void_p)


def ptrace(request, thread=0, data=None):
    if libc.ptrace(request, thread, None, data) == -1:
        raise OSError(ctypes.get_errno(), f"ptrace {request}")


def lasting(words, columns=80, number=None):
    """Exit code, standard output and what is drawn, of work that lasts over a second.

    The thread that works is held where it has started the one that watches the time, until that one
    has drawn something. `number` is the signal that ends the program then.
    """
    with tempfile.TemporaryFile() as output:
        process, ours = started(words, columns, stdout=output, preexec_fn=lambda: ptrace(TRACEME))
        os.waitpid(process.pid, 0)  # held at its first instruction
        ptrace(SETOPTIONS, process.pid, OPTION_CLONE)
        ptrace(CONTINUE, process.pid)
        _, status = os.waitpid(process.pid, 0)
        if status >> 8 != signal.SIGTRAP | EVENT_CLONE << 8:
            raise AssertionError(f"nothing watches the time: status {status:#x}")
        watcher = ctypes.c_ulong()
        ptrace(GETEVENTMSG, process.pid, ctypes.byref(watcher))
        os.waitpid(watcher.value, ALL_THREADS)
        ptrace(DETACH, watcher.value)
        select.select([ours], [], [])
        if number is not None:
            process.send_signal(number)
        ptrace(DETACH, process.pid)
        drawn = rest_of(ours)
        code = process.wait()
        output.seek(0)
        return code, output.read(), drawn


class Waiting(ProgramTest):
    def commands(self):
        judged = ["judge", "--input", "[[3,4],[4,3]]", "--result", "[[1,2],[3,4]]",
                  "--epsilon", "0"]
        part = self.folder / "part.json"
        run(*judged, "--rows", "0:2", "-o", part)
        results = self.folder / "results.json"
        results.write_text('{"dtype": "bf16", "direction": "forward", "results": []}')
        return (["report"], ["report", "23-normalization", "--certify"], ["selftest"], ["scale"],
                ["verify", GOLDENS / "report.txt"],
                ["vectors", "--dtype", "bf16"], ["vectors", "--check", results],
                judged, ["judge", "--merge", part])

    def test_work_of_over_a_second_says_how_long_it_has_lasted_and_leaves_a_clean_line(self):
        for words in self.commands():
            with self.subTest(words=words):
                expected = run(*words)
                code, output, drawn = lasting(words)
                self.assertEqual(code, expected.returncode)
                self.assertEqual(output, expected.stdout)
                seconds = drawn.split(ERASED)
                self.assertEqual((seconds[0], seconds[-1]), (b"", b""))
                for second, line in enumerate(filter(None, seconds), 1):
                    self.assertEqual(line, b"computing, %d s" % second)

    def test_the_line_fits_the_terminal(self):
        _, _, drawn = lasting(["selftest"], columns=10)
        for line in drawn.split(ERASED):
            self.assertLess(len(line), 10)

    def test_an_interruption_leaves_a_clean_line(self):
        for number in (signal.SIGINT, signal.SIGTERM):
            with self.subTest(signal=number):
                path = self.folder / "out.json"
                words = ["zero", "--width", "4194304", "--full", "-o", path]
                code, _, drawn = lasting(words, number=number)
                self.assertEqual(code, -number)
                self.assertTrue(drawn.endswith(ERASED))
                self.assertFalse(path.exists())

    def test_nothing_watches_the_time_when_nothing_is_to_be_shown(self):
        for words, options in ((["verify", "--quiet", GOLDENS / "report.txt"], {}),
                               (["verify", GOLDENS / "report.txt"], {"stderr": subprocess.DEVNULL})):
            with self.subTest(words=words):
                if options:
                    process = subprocess.Popen([PROGRAM, *map(str, words)],
                                               stdout=subprocess.DEVNULL, **options)
                else:
                    process, ours = started(words, stdout=subprocess.DEVNULL)
                most = 0
                while process.poll() is None:
                    most = max(most, threads(process))
                self.assertEqual((process.returncode, most), (0, 1))
                if not options:
                    self.assertEqual(rest_of(ours), b"")


class Bar(ProgramTest):
    def test_no_bar_is_drawn_for_short_work(self):
        source = self.folder / "in.npy"
        source.write_bytes(npy_header(4, 4) + struct.pack("<16d", *range(16)))
        process, ours = started(["forward", "--input", f"@{source}", "-o", self.folder / "out.npy"])
        self.assertEqual(process.wait(60), 0)
        self.assertEqual(rest_of(ours), b"")

    def test_the_bar_fits_the_terminal_and_leaves_a_clean_line(self):
        for columns in (9, 10, 20, 48, 49, 200):
            for number in (signal.SIGINT, None):
                with self.subTest(columns=columns, signal=number):
                    text = self.drawn(columns, number)
                    drawn = text.split(ERASED)
                    self.assertEqual(drawn[0], b"")
                    self.assertEqual(drawn[-1], b"")
                    self.assertGreater(len(drawn), 2)
                    for line in drawn[1:-1]:
                        self.assertRegex(line, rb"\A(\[#* *\] )?[0-9]{1,3} %\Z")
                        self.assertLess(len(line), columns)

    def drawn(self, columns, number):
        """What a run in blocks draws until it is interrupted, or until its input ends early."""
        pipe = self.folder / "pipe"
        os.mkfifo(pipe)
        process, ours = started(
            ["forward", "--input", f"@{pipe}", "-o", self.folder / "out.npy"], columns)
        with open(pipe, "wb") as file:
            file.write(npy_header(1 << 30, 1 << 10))
            row = struct.pack("<d", 1.0) * (1 << 10)
            # The work lasts because its input does.
            while not select.select([ours], [], [], 0)[0]:
                file.write(row)
            if number is not None:
                process.send_signal(number)
                process.wait(timeout=60)
        self.assertEqual(process.wait(timeout=60), 2 if number is None else -number)
        pipe.unlink()
        text = rest_of(ours)
        # The message about the early end follows on the clean line.
        return text[:text.rindex(ERASED) + len(ERASED)]

    def test_the_bar_of_a_run_that_ends_well_grows_and_goes(self):
        rows, width = 1000, 1000
        header, row = npy_header(rows, width), struct.pack("<d", 1.0) * width
        result = self.folder / "out.npy"
        process, ours = started(["forward", "--input", "-", "-o", result], stdin=subprocess.PIPE)
        with process.stdin as pipe:
            pipe.write(header)
            for _ in range(rows // 2):
                pipe.write(row)
            pipe.flush()
            # A bar is drawn after a second, when the next rows are done.
            select.select([ours], [], [], 1.05)
            for _ in range(rows - rows // 2):
                pipe.write(row)
        drawn = rest_of(ours)
        self.assertEqual(process.wait(60), 0)
        self.assertRegex(drawn, rb"\A\r\x1b\[K\[#+ +\] \d+ %")
        self.assertTrue(drawn.endswith(ERASED))
        self.assertEqual(result.stat().st_size, len(header) + 8 * rows * width)


if __name__ == "__main__":
    unittest.main()
