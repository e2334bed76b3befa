"""Where results go, and what happens when they cannot go there."""

import errno
import os
import pty
import resource
import select
import shutil
import signal
import stat
import subprocess
import unittest

from program import GOLDENS, PROGRAM, ProgramTest, clean_environment, experiments, npy_header, run

ENDING_SIGNALS = (signal.SIGINT, signal.SIGTERM, signal.SIGHUP, signal.SIGQUIT, signal.SIGXCPU)
REPORT = (GOLDENS / "report.txt").read_bytes()


def on_terminal(*words, **changes):
    """What the program writes to a pseudo-terminal that is its standard output and error."""
    ours, theirs = pty.openpty()
    process = subprocess.Popen([PROGRAM, *map(str, words)], stdin=subprocess.DEVNULL,
                               stdout=theirs, stderr=theirs, env=clean_environment(**changes))
    os.close(theirs)
    text = b""
    while select.select([ours], [], [], 60)[0]:
        try:
            block = os.read(ours, 65536)
        except OSError as error:
            # The other end is closed.
            if error.errno != errno.EIO:
                raise
            break
        if not block:
            break
        text += block
    os.close(ours)
    return process.wait(timeout=60), text


class OutputFile(ProgramTest):
    def test_every_subcommand_that_prints_results_writes_them_to_a_file(self):
        for words in (["report"], ["report", "--format", "trace"], ["report", "--format", "json"],
                      ["list"], ["schema"], ["predict", "--reveal"],
                      ["predict", "--format", "json"],
                      *([name] for name in experiments() if name != "predict")):
            with self.subTest(words=words):
                path = self.folder / "file"
                finished = run(*words, "-o", path)
                self.assert_done(finished)
                self.assertEqual(finished.stdout, b"")
                self.assertEqual(path.read_bytes(), run(*words).stdout)
                self.assertEqual(self.files(), ["file"])

    def test_every_spelling_of_the_option_names_the_file(self):
        for words in (["-o", "file"], ["-ofile"], ["--output", "file"], ["--output=file"],
                      ["-o", "./file"]):
            with self.subTest(words=words):
                self.assert_done(run("report", *words, cwd=self.folder))
                self.assertEqual((self.folder / "file").read_bytes(), REPORT)
                (self.folder / "file").unlink()

    def test_odd_names_are_taken_as_they_are(self):
        for name in ("[x]", "[a,b]", "%%", "a b", "\u00e9", "-", "x=y", "x]"):
            with self.subTest(name=name):
                self.assert_done(run("report", "-o", "./" + name, cwd=self.folder))
                self.assertEqual(self.files(), [name])
                (self.folder / name).unlink()
        self.assert_done(run("report", "--output=[x]", cwd=self.folder))
        self.assertEqual(self.files(), ["[x]"])

    def test_arguments_behind_the_option_are_not_its_values(self):
        path = self.folder / "file"
        self.assert_done(run("report", "-o", path, "25-rmsnorm"))
        self.assertEqual(path.read_bytes(), REPORT)

    def test_a_long_name_is_as_good_as_a_short_one(self):
        path = self.folder / ("n" * 255)
        self.assert_done(run("report", "-o", path))
        self.assertEqual(path.read_bytes(), REPORT)

    def test_a_new_file_has_the_mode_that_the_mask_allows(self):
        for mask, mode in ((0o022, 0o644), (0o077, 0o600), (0o000, 0o666)):
            path = self.folder / f"{mask:o}"
            self.assert_done(run("report", "-o", path, preexec_fn=lambda m=mask: os.umask(m)))
            self.assertEqual(stat.S_IMODE(path.stat().st_mode), mode)

    def test_an_existing_file_is_replaced_whole_and_keeps_its_mode(self):
        path = self.folder / "file"
        path.write_bytes(b"x" * 100_000)
        path.chmod(0o640)
        self.assert_done(run("report", "-o", path))
        self.assertEqual(path.read_bytes(), REPORT)
        self.assertEqual(stat.S_IMODE(path.stat().st_mode), 0o640)

    def test_links_are_followed_also_to_a_file_that_is_not_there_yet(self):
        (self.folder / "inner").mkdir()
        for target, link in (("inner/first", "link"), (str(self.folder / "second"), "absolute"),
                             ("link2", "link3")):
            (self.folder / link).symlink_to(target)
        (self.folder / "link2").symlink_to("inner/third")
        for link, target in (("link", "inner/first"), ("absolute", "second"),
                             ("link3", "inner/third")):
            with self.subTest(link=link):
                for _ in range(2):
                    self.assert_done(run("report", "-o", self.folder / link))
                    self.assertTrue((self.folder / link).is_symlink())
                    self.assertFalse((self.folder / target).is_symlink())
                    self.assertEqual((self.folder / target).read_bytes(), REPORT)

    def test_a_failed_writing_names_the_option_and_what_is_in_its_way(self):
        missing = self.folder / "none" / "x"
        for words in (["report"], ["list"], ["forward"], ["exhibit"], ["schema"]):
            with self.subTest(words=words):
                self.assert_refused(run(*words, "-o", missing), 3, f"--output {missing}: ",
                                    f"in the folder {self.folder}/none/ failed: No such file",
                                    "accepted")
        self.assert_refused(run("forward", "-o", self.folder / "none" / "x.npy"), 3, "--output ",
                            "in the folder")
        file = self.folder / "file"
        file.write_bytes(b"")
        self.assert_refused(run("report", "-o", file / "x"), 3, f"--output {file}/x: ",
                            "Not a directory")
        self.assert_refused(run("report", "-o", self.folder), 3, f"--output {self.folder}: ",
                            "is a folder", "accepted")

    def test_only_arrays_go_to_a_name_of_an_array(self):
        for words in (["report"], ["list"], ["schema"], ["exhibit"], ["selftest"], ["stats"],
                      ["sweep"], ["predict", "--reveal"]):
            for name in ("r.npy", "r.NPY", ".Npy"):
                with self.subTest(words=words, name=name):
                    self.assert_refused(run(*words, "-o", name, cwd=self.folder), 2,
                                        f'--output: found "{name}"', "accepted", ".npy")
        for option in ("--full", "--checks", "--format=text"):
            for command in ("forward", "backward"):
                self.assert_refused(run(command, "-o", "x.npy", option, cwd=self.folder), 2,
                                    '"x.npy" beside ' + option.split("=")[0], "accepted")
        self.assertEqual(self.files(), [])
        for name in ("x.npy", "x.NPY"):
            self.assert_done(run("forward", "-o", name, cwd=self.folder))
            self.assertEqual((self.folder / name).read_bytes()[:6], b"\x93NUMPY")
        self.assert_done(run("report", "-o", "npy", cwd=self.folder))

    def test_a_circle_of_links_is_a_failed_writing(self):
        (self.folder / "a").symlink_to("b")
        (self.folder / "b").symlink_to("a")
        self.assert_refused(run("report", "-o", self.folder / "a"), 3, "symbolic links")
        self.assertEqual(self.files(), ["a", "b"])

    def test_a_pipe_and_a_device_are_written_to_and_stay_what_they_are(self):
        self.assert_done(run("report", "-o", "/dev/null"))
        self.assertTrue(stat.S_ISCHR(os.stat("/dev/null").st_mode))
        finished = run("report", "-o", "/dev/stdout")
        self.assert_done(finished)
        self.assertEqual(finished.stdout, REPORT)
        path = self.folder / "pipe"
        os.mkfifo(path)
        reader = subprocess.Popen(["cat", path], stdout=subprocess.PIPE)
        self.assert_done(run("report", "-o", path))
        self.assertEqual(reader.communicate(timeout=60)[0], REPORT)
        self.assertTrue(stat.S_ISFIFO(path.stat().st_mode))


class Names(ProgramTest):
    def test_a_files_name_chooses_the_format_unless_the_option_does(self):
        for words, formats in ((["report"], ("json", "html", "text")),
                               (["report", "exhibit-rmsnorm"], ("json", "html", "text")),
                               (["exhibit"], ("json", "html", "text")),
                               (["forward"], ("json", "html", "text")),
                               (["stats"], ("json", "html", "text")),
                               (["predict", "--reveal"], ("json", "text")),
                               (["verify", GOLDENS], ("json", "text"))):
            for format in formats:
                name = "x." + {"text": "txt"}.get(format, format)
                with self.subTest(words=words, name=name):
                    expected = run(*words, "--format", format).stdout
                    for order in (["-o", name], [f"--output=./{name}"]):
                        self.assert_done(run(*words, *order, cwd=self.folder))
                        self.assertEqual((self.folder / name).read_bytes(), expected)
                    other = run(*words, "--format", formats[0]).stdout
                    for order in (["-o", name, "--format", formats[0]],
                                  ["--format", formats[0], "-o", name]):
                        self.assert_done(run(*words, *order, cwd=self.folder))
                        self.assertEqual((self.folder / name).read_bytes(), other)
        self.assert_done(run("report", "-o", "json", cwd=self.folder))
        self.assertEqual((self.folder / "json").read_bytes(), REPORT)
        # The name of a format that a command does not write is refused, unless it writes only one.
        for words in (["predict", "--reveal"], ["verify", GOLDENS]):
            self.assert_refused(run(*words, "-o", "y.html", cwd=self.folder), 2,
                                '--output: found "y.html"', "text, json")
            self.assertFalse((self.folder / "y.html").exists())
            self.assertIn(b"ending in .json or .txt", run(words[0], "--help").stdout)
        self.assert_done(run("list", "-o", "x.html", cwd=self.folder))
        for name in ("report", "forward", "exhibit"):
            self.assertIn(b".json, .html or .txt", b" ".join(run(name, "--help").stdout.split()))

    def test_a_file_that_was_an_input_is_written_over_only_by_force(self):
        values = self.folder / "values.txt"
        array = self.folder / "a.npy"
        self.assert_done(run("forward", "-o", array))
        npy = array.read_bytes()
        (self.folder / "link").symlink_to("values.txt")
        hard = self.folder / "hard.npy"
        answers = b'{"mean-square": [12.5, 0.282843]}'
        for words, path, content in (
                (["forward", "--input", "@values.txt", "-o", "values.txt"], values, b"3 4\n"),
                (["forward", "--input", "@values.txt", "-o", "link"], values, b"3 4\n"),
                (["forward", "--input", "@link", "-o", "values.txt"], values, b"3 4\n"),
                (["forward", "--input", "@a.npy", "-o", "a.npy"], array, npy),
                (["forward", "--input", "@hard.npy", "-o", "a.npy"], array, npy),
                (["backward", "--input", "@a.npy", "-o", "a.npy"], array, npy),
                (["forward", "--case", "values.txt", "-o", "values.txt"], values,
                 b'{"input": [3, 4]}'),
                (["predict", "--answers", "values.txt", "-o", "values.txt"], values, answers)):
            with self.subTest(words=words):
                path.write_bytes(content)
                hard.unlink(missing_ok=True)
                os.link(path, hard)
                self.assert_refused(run(*words, cwd=self.folder), 2, "--output ", "an input",
                                    "--force")
                self.assertEqual(path.read_bytes(), content)
                self.assertFalse(any(name.startswith(".") for name in self.files()))
                self.assertIn(run(*words, "--force", cwd=self.folder).returncode, (0, 1))
                self.assertNotEqual((self.folder / words[-1]).read_bytes(), content)


class RefusedOutput(ProgramTest):
    def test_an_output_without_a_name_is_refused(self):
        for words in (["-o", ""], ["--output="], ["--output", ""], ["-o"], ["--output"],
                      ["--output=", "x"]):
            with self.subTest(words=words):
                self.assert_refused(run("report", *words, cwd=self.folder), 2, "output")
                self.assertEqual(self.files(), [])

    def test_an_option_given_twice_is_refused(self):
        self.assert_refused(run("report", "-o", "a", "-o", "b", cwd=self.folder), 2, "--output",
                            "once")
        self.assert_refused(run("report", "--format", "text", "--format", "text"), 2, "--format",
                            "once")
        self.assertEqual(self.files(), [])

    def test_a_folder_is_no_output_file(self):
        for path in (self.folder, f"{self.folder}/", "/", "."):
            with self.subTest(path=path):
                self.assert_refused(run("report", "-o", path, cwd=self.folder), 3, str(path),
                                    "folder", "accepted: a file")
        self.assertEqual(self.files(), [])

    def test_a_folder_that_is_not_there_or_a_file_in_its_place_fails(self):
        self.assert_refused(run("report", "-o", self.folder / "missing" / "file"), 3,
                            "missing/file", "No such file or directory")
        (self.folder / "file").write_bytes(b"kept")
        self.assert_refused(run("report", "-o", self.folder / "file" / "inner"), 3,
                            "Not a directory")
        self.assertEqual((self.folder / "file").read_bytes(), b"kept")
        self.assertEqual(self.files(), ["file"])

    def test_a_name_too_long_for_the_system_fails(self):
        self.assert_refused(run("report", "-o", self.folder / ("n" * 256)), 3, "too long")
        self.assertEqual(self.files(), [])

    def test_a_full_disk_fails(self):
        self.assert_refused(run("report", "-o", "/dev/full"), 3, "/dev/full", "No space left")
        with open("/dev/full", "wb") as full:
            for words in (["report"], ["--help"], ["--version"], ["list"], ["schema"],
                          ["forward", "--help"], ["verify", GOLDENS]):
                with self.subTest(words=words):
                    self.assert_refused(run(*words, stdout=full), 3, "standard output",
                                        "No space left")

    def test_a_file_at_its_size_limit_fails_and_nothing_remains(self):
        def limit():
            resource.setrlimit(resource.RLIMIT_FSIZE, (100, 100))
        self.assert_refused(run("report", "-o", self.folder / "file", preexec_fn=limit), 3,
                            "File too large")
        self.assertEqual(self.files(), [])

    def test_a_reader_that_goes_away_ends_the_program_quietly(self):
        for words in (["report"], ["report", "--format", "json"], ["--help"], ["list"]):
            with self.subTest(words=words):
                read_end, write_end = os.pipe()
                os.close(read_end)
                finished = run(*words, stdout=write_end)
                os.close(write_end)
                self.assertEqual((finished.returncode, finished.stderr), (-signal.SIGPIPE, b""))
        path = self.folder / "pipe"
        os.mkfifo(path)
        # A file that is a pipe is a file: its reader is missed.
        process = subprocess.Popen([PROGRAM, "report", "--format", "html", "-o", path],
                                   stdin=subprocess.DEVNULL, stderr=subprocess.PIPE)
        with open(path, "rb"):
            pass
        message = process.communicate(timeout=60)[1]
        self.assertEqual(process.returncode, 3)
        self.assertIn(b"Broken pipe", message)

    def test_a_closed_standard_output_fails(self):
        finished = run("report", stdout=None, preexec_fn=lambda: os.close(1))
        self.assert_refused(finished, 3, "standard output", "Bad file descriptor")
        path = self.folder / "file"
        finished = run("report", "-o", path, stdout=None, preexec_fn=lambda: os.close(1))
        self.assert_done(finished)
        self.assertEqual(path.read_bytes(), REPORT)

    def test_a_closed_standard_error_changes_no_exit_code(self):
        finished = run("report", "nonsense", preexec_fn=lambda: os.close(2))
        self.assertEqual((finished.returncode, finished.stdout), (2, b""))

    def test_what_may_not_be_written_fails_and_is_left_alone(self):
        program = self.folder / "program"
        shutil.copy(PROGRAM, program)
        (self.folder / "file").write_bytes(b"kept")
        (self.folder / "file").chmod(0o444)
        self.folder.chmod(0o555)
        self.addCleanup(self.folder.chmod, 0o755)
        other = {"user": 65534} if os.geteuid() == 0 else {}
        for name in ("file", "new"):
            with self.subTest(name=name):
                finished = run("report", "-o", self.folder / name, program=program, **other)
                self.assert_refused(finished, 3, name, "Permission denied")
        self.assertEqual((self.folder / "file").read_bytes(), b"kept")
        self.assertEqual(self.files(), ["file", "program"])
        self.assert_refused(run("report", "-o", "/proc/self/new"), 3, "/proc/self/new")

    def test_bad_usage_leaves_no_file(self):
        path = self.folder / "file"
        for words in (["report", "nonsense"], ["report", "--format", "xml"],
                      ["forward", "--frobnicate"]):
            self.assert_refused(run(*words, "-o", path), 2)
        self.assertEqual(self.files(), [])


class Color(ProgramTest):
    def test_only_a_terminal_gets_color_unasked(self):
        code, text = on_terminal("--help")
        self.assertEqual(code, 0)
        self.assertIn(b"\x1b[1m", text)
        self.assertNotIn(b"\x1b", run("--help").stdout)

    def test_no_color_means_never_unless_it_is_asked_for(self):
        for value in ("1", "0", "yes"):
            for words in (["--help"], ["--help", "--color", "auto"]):
                with self.subTest(value=value, words=words):
                    self.assertNotIn(b"\x1b", on_terminal(*words, NO_COLOR=value)[1])
            # What was asked of this one run is more than what is asked of all.
            self.assertIn(b"\x1b", on_terminal("--help", "--color", "always", NO_COLOR=value)[1])
        # An empty NO_COLOR is none, by the convention of no-color.org.
        self.assertIn(b"\x1b", on_terminal("--help", NO_COLOR="")[1])

    def test_color_is_forced_and_forbidden_by_its_option(self):
        self.assertIn(b"\x1b[1m", run("--color", "always", "--help").stdout)
        self.assertIn(b"\x1b[1m", run("--help", "--color=always").stdout)
        self.assertNotIn(b"\x1b", on_terminal("--help", "--color", "never")[1])
        self.assertIn(b"\x1b", on_terminal("--help", "--color", "auto")[1])
        self.assertNotIn(b"\x1b", run("--color", "auto", "--help").stdout)

    def test_messages_on_a_terminal_have_color_too(self):
        code, text = on_terminal("nonsense")
        self.assertEqual(code, 2)
        self.assertTrue(text.startswith(b"\x1b[31mrmsnorm-fixture:\x1b[0m unknown subcommand"))
        self.assertNotIn(b"\x1b", run("nonsense").stderr)

    def test_a_report_has_no_color_even_on_a_terminal(self):
        code, text = on_terminal("report")
        self.assertEqual(code, 0)
        self.assertEqual(text.replace(b"\r\n", b"\n"), REPORT)

    def test_an_unknown_color_is_refused(self):
        for words in (["--color", "sometimes"], ["--color=sometimes"], ["--color="], ["--color"]):
            with self.subTest(words=words):
                self.assert_refused(run("report", *words), 2, "--color", "auto, always, never")

    def test_what_stands_behind_two_dashes_is_no_option(self):
        self.assert_refused(run("report", "--", "--color"), 2, '"--color"', "25-rmsnorm")
        self.assert_refused(run("report", "--", "--help"), 2, '"--help"')


class Interruption(ProgramTest):
    def test_a_signal_in_the_middle_of_a_file_leaves_nothing(self):
        for number in ENDING_SIGNALS:
            with self.subTest(signal=number):
                folder = self.folder / number.name
                folder.mkdir()
                pipe = self.folder / f"{number.name}.npy"
                os.mkfifo(pipe)
                process = subprocess.Popen(
                    [PROGRAM, "forward", "--input", f"@{pipe}", "-o", folder / "out.npy"],
                    stdin=subprocess.DEVNULL, stderr=subprocess.PIPE)
                with open(pipe, "wb") as file:
                    # Two rows are promised, one comes: the program waits with its file open.
                    file.write(npy_header(2, 1 << 17))
                    file.write(bytes(8 << 17))
                    file.flush()
                    while not any(folder.iterdir()):
                        self.assertIsNone(process.poll())
                    process.send_signal(number)
                    process.communicate(timeout=60)
                self.assertEqual(process.returncode, -number)
                self.assertEqual(list(folder.iterdir()), [])


class Terminal(ProgramTest):
    def test_one_control_d_ends_standard_input(self):
        for words, text in ((["forward", "--input", "-"], b"3 4\n"),
                            (["forward", "--input", "-"], b"[3,\n4]\n"),
                            (["forward", "--case", "-"], b'{"input": [3, 4]}\n'),
                            (["verify", "-"], REPORT),
                            (["predict", "--question", "1"], b""),
                            (["predict"], b"12\n")):
            with self.subTest(words=words, text=text):
                ours, theirs = pty.openpty()
                self.addCleanup(os.close, ours)
                process = subprocess.Popen([PROGRAM, *words], stdin=theirs,
                                           stdout=subprocess.PIPE, stderr=subprocess.PIPE)
                os.close(theirs)
                os.write(ours, text + b"\x04")
                process.communicate(timeout=60)
                self.assertEqual(process.returncode, 0)


if __name__ == "__main__":
    unittest.main()
