"""rmsnorm-fixture verify: goldens recomputed and compared."""

import json
import os
import re
import resource
import shutil
import signal
import stat
import subprocess
import unittest

import jsonschema

from program import GOLDENS, PROGRAM, SOURCE, ProgramTest, run, sanitized

FILES = ("report.txt", "trace.txt", "report.json")
# A digit of each golden: the bytes before it, and the changed byte.
CHANGES = {
    "report.txt": (b"output=shape:[2] values:[1.27279", b"2", b"3"),
    "trace.txt": (b"BACKWARD|upstream=[1.000000,-2.000000]|input_gradient=[0.40729", b"3", b"4"),
    "report.json": (b'"fixture": "25-rmsnorm",\n  "generator": {\n    "name": "rmsnorm-fixture",\n'
                    b'    "version": "', b"1", b"7"),
}


def limited(kind, limit):
    return lambda: resource.setrlimit(kind, (limit, limit))


class Goldens(ProgramTest):
    def golden(self, name="report.txt", content=None, file=None):
        path = self.folder / (file or name)
        path.write_bytes((GOLDENS / name).read_bytes() if content is None else content)
        return path

    def changed(self, name="report.txt"):
        before, digit, other = CHANGES[name]
        content = (GOLDENS / name).read_bytes()
        self.assertEqual(content.count(before + digit), 1)
        return self.golden(name, content.replace(before + digit, before + other))


class Verify(Goldens):
    def test_the_committed_goldens_are_the_same(self):
        finished = run("verify", GOLDENS)
        self.assert_done(finished)
        self.assertEqual(finished.stdout.count(b": same (25-rmsnorm "),
                         len(list(GOLDENS.iterdir())))

    def test_the_format_is_recognized_from_the_content(self):
        for name, kind in zip(FILES, (b"text", b"trace", b"json")):
            with self.subTest(kind=kind):
                finished = run("verify", self.golden(name, file="golden.dat"))
                self.assert_done(finished)
                self.assertIn(b": same (25-rmsnorm " + kind + b")\n", finished.stdout)

    def test_a_changed_digit_is_shown_with_its_place_and_a_unified_diff(self):
        for name, (before, digit, other) in CHANGES.items():
            with self.subTest(name=name):
                content = (GOLDENS / name).read_bytes()
                path = self.changed(name)
                finished = run("verify", path)
                self.assertEqual(finished.returncode, 1)
                self.assertEqual(finished.stderr, b"")
                lead = content[:content.index(before) + len(before)]
                line = lead.count(b"\n") + 1
                column = len(lead) - lead.rfind(b"\n")
                head, _, diff = finished.stdout.partition(b"\n")
                self.assertTrue(head.endswith(b" from line %d, column %d on" % (line, column)),
                                head)
                changed = content.splitlines()[line - 1]
                self.assertIn(b"\n+" + changed + b"\n", diff)
                self.assertTrue(diff.startswith(b"--- %s\n+++ computed\n@@ -" % bytes(path)))
                if shutil.which("diff"):
                    system = subprocess.run(
                        ["diff", "-u", "--label", path, "--label", "computed", path,
                         GOLDENS / name], stdout=subprocess.PIPE, check=False)
                    self.assertEqual(diff, system.stdout)

    def test_the_file_is_left_as_it_is_without_update(self):
        path = self.changed()
        content = path.read_bytes()
        self.assertEqual(run("verify", path).returncode, 1)
        self.assertEqual(path.read_bytes(), content)

    def test_every_way_of_being_another_text_differs(self):
        content = (GOLDENS / "report.txt").read_bytes()
        for what, other, place in (
                ("a line more", content + b"more\n", b"line 23, column 1 on"),
                ("a line less", content[:content[:-1].rfind(b"\n") + 1], b"line 22, column 1 on"),
                ("no final newline", content[:-1], b"line 22, column 44 on"),
                ("a second final newline", content + b"\n", b"line 23, column 1 on"),
                ("the first line only", b"chapter=25-rmsnorm\n", b"line 2, column 1 on"),
                ("a space at a line's end", content.replace(b"\n", b" \n", 2)
                 .replace(b" \n", b"\n", 1), b"line 2, column 96 on")):
            with self.subTest(what=what):
                finished = run("verify", self.golden(content=other))
                self.assertEqual(finished.returncode, 1)
                self.assertIn(place, finished.stdout.splitlines()[0])
                self.assertEqual(finished.stderr, b"")

    def test_carriage_returns_in_a_golden_differ(self):
        content = (GOLDENS / "trace.txt").read_bytes().replace(b"\n", b"\r\n")
        finished = run("verify", self.golden(content=content))
        self.assertEqual(finished.returncode, 1)
        column = (GOLDENS / "trace.txt").read_bytes().index(b"\n") + 1
        self.assertIn(b"line 1, column %d on" % column, finished.stdout)

    def test_json_is_compared_as_text(self):
        content = (GOLDENS / "report.json").read_bytes()
        finished = run("verify", self.golden(content=content.replace(b'": 1,', b'":  1,', 1)))
        self.assertEqual(finished.returncode, 1)

    def test_all_files_are_compared_though_the_first_one_differs(self):
        changed, same = self.changed(), self.golden("trace.txt")
        finished = run("verify", changed, same)
        self.assertEqual(finished.returncode, 1)
        self.assertIn(b": differs (", finished.stdout)
        self.assertIn(b": same (", finished.stdout)

    def test_a_file_may_be_named_twice(self):
        finished = run("verify", self.golden(), self.golden())
        self.assert_done(finished)
        self.assertEqual(finished.stdout.count(b": same ("), 2)

    def test_standard_input_is_a_golden_too(self):
        content = (GOLDENS / "report.txt").read_bytes()
        self.assert_done(run("verify", "-", input=content))
        self.assertEqual(run("verify", "-", input=content[:-1]).returncode, 1)
        self.assert_refused(run("verify", "-", "--update", input=content), 2, "--update",
                            "standard input")
        self.assert_refused(run("verify", "-", "-", input=content), 2, "more than once")

    def test_names_with_odd_characters_are_files_like_others(self):
        for name in ("[golden]", "-golden", "a b", "\u00e9", "--color", "%%"):
            with self.subTest(name=name):
                self.golden(file=name)
                self.assert_done(run("verify", "--", name, cwd=self.folder))
        self.golden(file="a\nb\x1b[31m")
        finished = run("verify", self.folder / "a\nb\x1b[31m")
        self.assert_done(finished)
        self.assertTrue(finished.stdout.endswith(b"a\\nb\\x1b[31m: same (25-rmsnorm text)\n"))


class Folders(Goldens):
    def test_all_goldens_in_a_folder_and_below_are_compared(self):
        (self.folder / "inner").mkdir()
        self.golden("report.txt")
        self.golden("trace.txt", file="inner/anything")
        self.golden(content=b"a page about goldens\n", file="notes.md")
        finished = run("verify", self.folder)
        self.assertEqual(finished.returncode, 0)
        self.assertEqual(finished.stdout.count(b": same ("), 2)
        self.assertNotIn(b"notes.md", finished.stdout)

    def test_what_is_passed_over_is_counted_and_named(self):
        self.golden()
        self.assert_done(run("verify", self.folder))
        self.golden(content=b"a page about goldens\n", file="notes.md")
        finished = run("verify", self.folder)
        self.assertEqual(finished.returncode, 0)
        self.assertEqual(finished.stderr,
                         b"rmsnorm-fixture: passed over 1 file that is not a golden: "
                         + bytes(self.folder) + b"/notes.md\n")
        self.assertEqual(run("verify", "--quiet", self.folder).stderr, b"")
        self.golden(content=b"\xef\xbb\xbfa windows page\r\n<<<<<<< HEAD\r\n", file="b.md")
        self.assertEqual(run("verify", self.folder).stderr,
                         b"rmsnorm-fixture: passed over 2 files that are not goldens: "
                         + b", ".join(bytes(self.folder / name) for name in ("b.md", "notes.md"))
                         + b"\n")
        for number in range(30):
            self.golden(content=b"", file=f"other{number}")
        self.assertTrue(run("verify", self.folder).stderr.endswith(b" and 12 more\n"))

    def test_a_changed_golden_in_a_folder_is_found(self):
        self.changed("trace.txt")
        self.golden("report.txt")
        finished = run("verify", self.folder)
        self.assertEqual(finished.returncode, 1)
        self.assertIn(b"trace.txt: differs", finished.stdout)

    def test_a_damaged_file_under_a_goldens_name_is_not_passed_over(self):
        self.golden("report.txt")
        for content in (b"", b"\n", b"Chapter=25-rmsnorm\n"):
            with self.subTest(content=content):
                self.golden(file="trace.txt", content=content)
                finished = run("verify", self.folder)
                self.assertEqual(finished.returncode, 2)
                self.assertIn(b"trace.txt: found ", finished.stderr)

    def test_a_damaged_golden_under_any_name_is_not_passed_over(self):
        self.golden("report.txt")
        damages = {
            "carriage returns": lambda content: content.replace(b"\n", b"\r\n"),
            "byte-order mark": lambda content: b"\xef\xbb\xbf" + content,
            "conflict marker": lambda content: b"<<<<<<< HEAD\n" + content,
            "a binary file": lambda content: content.decode().encode("utf-16-le"),
            "first byte changed": lambda content: b"?" + content[1:],
            "first byte lost": lambda content: content[1:],
            "a line before it": lambda content: b"\n" + content,
        }
        for golden in sorted(path for folder in ("25-rmsnorm", "23-normalization", "exhibit-rmsnorm")
                             for path in (SOURCE / "fixtures" / folder).glob("*.[tjh]*")
                             if path.name != "requirements.txt"):
            for what, damage in damages.items():
                with self.subTest(golden=golden.name, what=what):
                    path = self.golden(file="golden.dat", content=damage(golden.read_bytes()))
                    finished = run("verify", self.folder)
                    self.assertIn(b"report.txt: same", finished.stdout)
                    if finished.returncode == 1:  # still recognized, and so compared
                        self.assertIn(b"golden.dat: differs", finished.stdout)
                        continue
                    self.assertEqual(finished.returncode, 2, finished.stderr)
                    self.assertIn(bytes(path) + b": found ", finished.stderr)
                    if what in ("byte-order mark", "conflict marker", "a binary file"):
                        self.assertIn(what.encode(), finished.stderr)

    def test_a_folder_that_cannot_be_read_is_named_and_the_others_are_compared(self):
        self.golden()
        program = self.folder.parent / (self.folder.name + ".program")
        shutil.copy(PROGRAM, program)
        self.addCleanup(program.unlink)
        self.folder.chmod(0o755)
        closed = self.folder / "closed"
        closed.mkdir()
        closed.chmod(0)
        self.addCleanup(closed.chmod, 0o755)
        other = {"user": 65534} if os.geteuid() == 0 else {}
        finished = run("verify", self.folder, program=program, **other)
        self.assertEqual(finished.returncode, 3)
        self.assertIn(bytes(closed) + b": reading failed: Permission denied", finished.stderr)
        self.assertIn(b"report.txt: same", finished.stdout)

    def test_a_folder_without_goldens_is_refused(self):
        self.assert_refused(run("verify", self.folder), 2, str(self.folder), "no golden",
                            "accepted", "25-rmsnorm trace")
        self.golden(content=b"no golden\n", file="notes.md")
        self.assert_refused(run("verify", "--quiet", self.folder), 2, "no golden")
        finished = run("verify", self.folder)
        self.assertEqual(finished.returncode, 2)
        self.assertIn(b"passed over 1 file that is not a golden: ", finished.stderr)

    def test_a_link_to_nowhere_and_a_pipe_in_a_folder_are_passed_over_and_named(self):
        self.golden()
        (self.folder / "nowhere").symlink_to("missing")
        (self.folder / "up").symlink_to("..")
        os.mkfifo(self.folder / "pipe")
        finished = run("verify", self.folder)
        self.assertEqual(finished.returncode, 0)
        self.assertIn(b"passed over 3 files", finished.stderr)
        for name in (b"/nowhere", b"/up", b"/pipe"):
            self.assertIn(name, finished.stderr)

    def test_whatever_else_stands_under_the_name_of_a_golden_is_a_failure(self):
        self.golden()
        path = self.folder / "trace.txt"
        makers = {"nowhere": (lambda: path.symlink_to("missing"), 3),
                  "trace.txt": (lambda: path.symlink_to("trace.txt"), 3),
                  "a folder": (path.mkdir, 2),
                  "a pipe": (lambda: os.mkfifo(path), 2)}
        for what, (make, code) in makers.items():
            with self.subTest(what=what):
                make()
                finished = run("verify", self.folder)
                self.assertEqual(finished.returncode, code)
                self.assertIn(bytes(path), finished.stderr)
                self.assertIn(b"report.txt: same", finished.stdout)
                path.rmdir() if path.is_dir() else path.unlink()

    def test_the_programs_own_temporary_files_are_no_goldens(self):
        self.golden()
        half = (GOLDENS / "report.txt").read_bytes()[:100]
        self.golden(file=".rmsnorm-fixture.a1B2c3", content=half)
        self.assert_done(run("verify", self.folder))
        self.golden(file=".rmsnorm-fixture.txt", content=half)
        self.assertEqual(run("verify", self.folder).returncode, 1)

    def test_a_fixture_that_is_required_must_have_a_golden(self):
        self.golden()
        self.assert_done(run("verify", self.folder, "--require", "25-rmsnorm"))
        finished = run("verify", self.folder, "--require", "25-rmsnorm", "--require",
                       "23-normalization")
        self.assertEqual(finished.returncode, 1)
        self.assertEqual(finished.stderr.count(b"\n"), 1)
        self.assertIn(b"23-normalization", finished.stderr)
        finished = run("verify", self.folder, "--require=all")
        self.assertEqual(finished.returncode, 1)
        self.assertEqual(finished.stderr.count(b"\n"), 2)
        self.assertEqual(run("verify", SOURCE / "fixtures", "--require", "all").returncode, 0)
        self.assert_refused(run("verify", self.folder, "--require", "25"), 2, '"25"', "all",
                            "25-rmsnorm")


class NotGoldens(Goldens):
    def test_what_is_no_golden_is_refused_and_described(self):
        for content, description in (
                (b"", "an empty file"),
                (b"\x7fELF\x02\x01\x01\x00\x00", "a binary file"),
                (bytes(range(256)) * 100, "a binary file"),
                (b"chapter=26-qkv\n", '"chapter=26-qkv"'),
                (b"{}\n", '"{}"'),
                (b"META|x=1\n", '"META|x=1"'),
                (b"\xff\xfd\x1b[31m\n", '"\\xff\\xfd\\x1b[31m"'),
                (b"x" * 1000, '"' + "x" * 40 + '..."')):
            with self.subTest(content=content[:20]):
                path = self.golden(content=content)
                self.assert_refused(run("verify", path), 2, str(path), description, "accepted",
                                    "25-rmsnorm text")
                self.assert_refused(run("verify", path, "--update"), 2, description)
                self.assertEqual(path.read_bytes(), content)

    def test_a_file_that_is_not_there_is_a_failed_reading(self):
        path = self.folder / "missing"
        self.assert_refused(run("verify", path), 3, str(path), "No such file")
        self.assert_refused(run("verify", "--update", path), 3, "No such file")
        self.assert_refused(run("verify", self.golden() / "x"), 3, "Not a directory")
        self.assert_refused(run("verify", ""), 2, 'FILE: found ""', "accepted")
        self.assertEqual(self.files(), ["report.txt"])

    def test_a_bad_file_does_not_keep_the_others_from_their_turn(self):
        missing = self.folder / "missing"
        other = self.golden(file="other", content=b"no golden\n")
        empty = self.folder / "empty"
        empty.mkdir()
        changed, same = self.changed(), self.golden("trace.txt")
        for bad, code in (([missing], 3), ([other], 2), ([empty], 2), ([other, missing], 3),
                          ([missing, other], 3), ([], 1)):
            with self.subTest(bad=bad):
                finished = run("verify", *bad, changed, same)
                self.assertEqual(finished.returncode, code)
                self.assertIn(b"report.txt: differs", finished.stdout)
                self.assertIn(b"trace.txt: same", finished.stdout)
                self.assertEqual(finished.stderr.count(b"\n"), len(bad))
                for path in bad:
                    self.assertIn(bytes(path) + b": ", finished.stderr)

    def test_a_bad_file_does_not_keep_the_others_from_an_update(self):
        missing, changed = self.folder / "missing", self.changed()
        finished = run("verify", "--update", missing, changed)
        self.assertEqual(finished.returncode, 3)
        self.assertIn(b"report.txt: updated", finished.stdout)
        self.assertEqual(changed.read_bytes(), (GOLDENS / "report.txt").read_bytes())

    def test_documents_that_cannot_be_computed_again_are_told_from_goldens(self):
        judged = run("judge", "--input", "3,4", "--result", "0.8485278,1.1313704", "--epsilon",
                     "1e-5", "--format", "json").stdout
        predicted = run("predict", "--reveal", "--format", "json").stdout
        for name, content in (("judge", judged), ("predict", predicted)):
            path = self.golden(file="x.json", content=content)
            self.assert_refused(run("verify", path), 2, str(path),
                                f'found the document of the experiment "{name}", which verify '
                                "cannot compute", "accepted")

    def test_nothing_to_verify_is_refused(self):
        self.assert_refused(run("verify"), 2, "FILE")
        self.assert_refused(run("verify", "--update"), 2, "FILE")

    def test_a_golden_of_a_hundred_megabytes_is_refused_without_being_read(self):
        path = self.golden()
        os.truncate(path, 100 << 20)
        options = {} if sanitized() else {"preexec_fn": limited(resource.RLIMIT_AS, 80 << 20)}
        self.assert_refused(run("verify", path, **options), 2, str(path), "16777216 bytes")
        with open(path, "rb") as file:
            self.assert_refused(run("verify", "-", stdin=file, **options), 2, "standard input")

    def test_a_golden_just_below_the_limit_is_compared(self):
        lines = b"chapter=25-rmsnorm\n" + b"\n" * ((16 << 20) - 19)
        path = self.golden(content=lines)
        options = {} if sanitized() else {"preexec_fn": limited(resource.RLIMIT_AS, 400 << 20)}
        finished = run("verify", path, **options)
        self.assertEqual(finished.returncode, 1, finished.stderr)
        self.assertIn(b"line 2, column 1 on", finished.stdout[:1000])


class Update(Goldens):
    def test_a_changed_golden_is_rewritten_and_then_the_same(self):
        for name in FILES:
            with self.subTest(name=name):
                path = self.changed(name)
                finished = run("verify", "--update", path)
                self.assert_done(finished)
                self.assertIn(b": updated (", finished.stdout)
                self.assertEqual(path.read_bytes(), (GOLDENS / name).read_bytes())
                self.assert_done(run("verify", path))
                self.assertEqual(self.files(), [name])
                path.unlink()

    def test_a_golden_that_is_the_same_is_not_touched(self):
        path = self.golden()
        before = path.stat()
        finished = run("verify", "--update", path)
        self.assert_done(finished)
        self.assertIn(b": same (", finished.stdout)
        after = path.stat()
        self.assertEqual((before.st_ino, before.st_mtime_ns), (after.st_ino, after.st_mtime_ns))

    def test_a_new_file_takes_the_old_ones_place_whole(self):
        path = self.changed()
        with open(path, "rb") as reader:
            content = path.read_bytes()
            self.assert_done(run("verify", path, "--update"))
            # A reader that had the old file open goes on reading the old file.
            self.assertEqual(reader.read(), content)

    def test_mode_and_owner_are_kept(self):
        path = self.changed()
        for mode in (0o600, 0o644, 0o755, 0o2755):
            path = self.changed()
            if os.geteuid() == 0:
                os.chown(path, 65534, 65534)
            path.chmod(mode)
            before = path.stat()
            self.assert_done(run("verify", path, "--update"))
            after = path.stat()
            self.assertEqual(stat.S_IMODE(after.st_mode), mode)
            self.assertEqual((after.st_uid, after.st_gid), (before.st_uid, before.st_gid))

    def test_a_link_is_followed(self):
        path = self.changed()
        link = self.folder / "link"
        link.symlink_to(path.name)
        self.assert_done(run("verify", link, "--update"))
        self.assertTrue(link.is_symlink())
        self.assertEqual(path.read_bytes(), (GOLDENS / "report.txt").read_bytes())

    def test_a_folder_is_updated(self):
        for name in FILES:
            self.changed(name)
        finished = run("verify", self.folder, "--update")
        self.assert_done(finished)
        self.assertEqual(finished.stdout.count(b": updated ("), 3)
        for name in FILES:
            self.assertEqual((self.folder / name).read_bytes(), (GOLDENS / name).read_bytes())

    def test_a_failed_update_leaves_the_file_as_it_was(self):
        path = self.changed()
        content = path.read_bytes()
        finished = run("verify", path, "--update",
                       preexec_fn=limited(resource.RLIMIT_FSIZE, 100))
        self.assert_refused(finished, 3, str(path), "File too large")
        self.assertEqual(path.read_bytes(), content)
        self.assertEqual(self.files(), ["report.txt"])

    def test_an_update_in_a_folder_that_may_not_be_written_fails_and_leaves_the_file(self):
        path = self.changed()
        content = path.read_bytes()
        program = self.folder / "program"
        shutil.copy(PROGRAM, program)
        self.folder.chmod(0o555)
        self.addCleanup(self.folder.chmod, 0o755)
        other = {"user": 65534} if os.geteuid() == 0 else {}
        path.chmod(0o666)
        finished = run("verify", path, "--update", program=program, **other)
        self.assert_refused(finished, 3, str(path), f"in the folder {self.folder}/ failed",
                            "Permission denied", "accepted")
        path.chmod(0o444)
        finished = run("verify", path, "--update", program=program, **other)
        self.assert_refused(finished, 3, str(path), "Permission denied")
        self.assertEqual(path.read_bytes(), content)
        self.assertEqual(self.files(), ["program", "report.txt"])

    def test_updates_at_the_same_time_never_meet(self):
        expected = {name: (GOLDENS / name).read_bytes() for name in FILES}
        for _ in range(10):
            for name in FILES:
                self.changed(name)
            processes = [subprocess.Popen([PROGRAM, "verify", "--update", self.folder],
                                          stdout=subprocess.DEVNULL, stderr=subprocess.PIPE)
                         for _ in range(4)]
            for process in processes:
                message = process.communicate(timeout=60)[1]
                self.assertEqual((process.returncode, message), (0, b""))
            self.assertEqual({name: (self.folder / name).read_bytes() for name in self.files()},
                             expected)

    def test_a_reader_of_the_diff_that_goes_away_ends_the_run_quietly(self):
        read_end, write_end = os.pipe()
        os.close(read_end)
        finished = run("verify", self.changed(), stdout=write_end)
        os.close(write_end)
        self.assertEqual((finished.returncode, finished.stderr), (-signal.SIGPIPE, b""))


class Spelling(Goldens):
    ALL = [path for path in sorted((SOURCE / "fixtures").glob("*/*"))
           if path.name in (*FILES, "report.html", "exhibit.json", "exhibit.txt", "exhibit.html")]

    def assert_respelled(self, golden, content, *words):
        path = self.golden(file="anything.dat", content=content)
        for where in (path, self.folder):
            finished = run("verify", where)
            self.assertEqual(finished.returncode, 1, finished.stderr)
            self.assertEqual(finished.stderr, b"")
            line = finished.stdout.decode()
            self.assertEqual(line.count("\n"), 1)
            for word in ("anything.dat: differs (", "the same values, spelled otherwise",
                         "verify --update", *words):
                self.assertIn(word, line)
        self.assert_done(run("verify", "--update", path))
        self.assertEqual(path.read_bytes(), golden.read_bytes())

    def test_a_golden_that_a_tool_has_encoded_otherwise_is_recognized_under_any_name(self):
        for golden in self.ALL:
            content = golden.read_bytes()
            text = content.decode()
            for words, other in (
                    (("carriage returns",), content.replace(b"\n", b"\r\n")),
                    (("carriage returns",), content.replace(b"\n", b"\r")),
                    (("byte-order mark",), b"\xef\xbb\xbf" + content),
                    (("UTF-16",), text.encode("utf-16-le")),
                    (("UTF-16",), text.encode("utf-16-be")),
                    (("UTF-16",), b"\xff\xfe" + text.encode("utf-16-le")),
                    (("UTF-16",), b"\xfe\xff" + text.encode("utf-16-be")),
                    (("byte-order mark", "carriage returns"),
                     b"\xef\xbb\xbf" + content.replace(b"\n", b"\r\n")),
                    (("UTF-16", "carriage returns"),
                     text.replace("\n", "\r\n").encode("utf-16"))):
                with self.subTest(golden=golden, words=words):
                    self.assert_respelled(golden, other, *words)

    def test_json_that_a_tool_has_laid_out_otherwise_is_recognized_under_any_name(self):
        for golden in self.ALL:
            if golden.suffix != ".json":
                continue
            document = json.loads(golden.read_bytes())
            for words, text in (
                    (("minified",), json.dumps(document, separators=(",", ":"))),
                    (("minified",), json.dumps(document)),
                    (("keys in another order",), json.dumps(document, indent=2, sort_keys=True)),
                    (("minified", "keys in another order"),
                     json.dumps(document, separators=(",", ":"), sort_keys=True)),
                    (("other white space",), json.dumps(document, indent=4) + "\n"),
                    (("other white space",), json.dumps(document, indent="\t") + "\n")):
                with self.subTest(golden=golden, words=words):
                    self.assert_respelled(golden, text.encode(), *words)

    def test_json_with_numbers_written_otherwise_has_the_same_values(self):
        golden = GOLDENS / "report.json"
        content = golden.read_bytes()
        self.assertIn(b"12.5", content)
        self.assert_respelled(golden, content.replace(b"12.5,", b"125e-1,", 1)
                              if b"12.5," in content else content.replace(b" 12.5", b" 125e-1", 1),
                              "numbers or characters")

    def test_a_value_that_differs_is_found_in_any_layout(self):
        document = json.loads((GOLDENS / "report.json").read_bytes())
        document["generator"]["name"] = "another"
        for change in ({}, {"indent": 1}, {"sort_keys": True}):
            path = self.golden(content=json.dumps(document, **change).encode())
            finished = run("verify", path)
            self.assertEqual(finished.returncode, 1)
            self.assertNotIn(b"same values", finished.stdout)
            self.assertIn(b'"another"', finished.stdout)
            if "indent" not in change:
                self.assertEqual(finished.stdout.splitlines()[1:],
                                 [b'/generator/name: "another", computed "rmsnorm-fixture"'])

    def test_zero_with_another_sign_is_another_value(self):
        content = (GOLDENS / "report.json").read_bytes()
        before, digits, after = content.partition(b" 0.0")
        self.assertEqual(digits, b" 0.0")
        finished = run("verify", self.golden(content=before + b" -0.0" + after))
        self.assertEqual(finished.returncode, 1)
        self.assertNotIn(b"same values", finished.stdout)

    def test_deep_json_is_no_golden_and_no_hazard(self):
        deep = b'{"fixture": "25-rmsnorm", "x": ' + b"[" * 1000000 + b"]" * 1000000 + b"}"
        finished = run("verify", self.golden(content=deep))
        self.assertEqual(finished.returncode, 1)
        self.assertIn(b"/x: an array of 1, computed nothing\n", finished.stdout)


class Job(Goldens):
    def test_the_job_of_the_readme_fails_as_it_is_copied(self):
        readme = (SOURCE / "README.md").read_text()
        once = re.search(r"^mkdir (\S+) && rmsnorm-fixture (report .*)$", readme, re.MULTILINE)
        (self.folder / once[1]).mkdir()
        self.assert_done(run(*once[2].split(), cwd=self.folder))
        golden = self.folder / once[2].split()[-1]
        jobs = re.findall(r"^- run: rmsnorm-fixture (verify .*)$", readme, re.MULTILINE)
        self.assertEqual(len(jobs), 1)
        job = jobs[0].split()
        self.assert_done(run(*job, cwd=self.folder))
        content = golden.read_bytes()
        for damage in (content.replace(b"1", b"2", 1), content.replace(b"\n", b"\r\n"), b""):
            golden.write_bytes(damage)
            self.assertGreater(run(*job, cwd=self.folder).returncode, 0)
        golden.unlink()
        self.assertGreater(run(*job, cwd=self.folder).returncode, 0)
        (golden.parent / "other.txt").write_bytes((GOLDENS / "report.txt").read_bytes())
        self.assert_done(run(*job, cwd=self.folder))


class Difference(Goldens):
    def test_what_cannot_be_seen_is_made_visible_and_nothing_reaches_a_terminal(self):
        lines = (GOLDENS / "report.txt").read_bytes().splitlines()
        changed = lines.copy()
        changed[2] += b"  "
        changed[3] += b"\t"
        changed[4] += b"\r"
        changed[5] += b"\x1b[2J\x07"
        changed[6] = b"   "
        changed[7] += "\u202e".encode() + b"\xff"
        finished = run("verify", self.golden(content=b"\n".join(changed) + b"\n"))
        self.assertEqual(finished.returncode, 1)
        shown = finished.stdout
        for kept in (lines[2] + b"\\x20\\x20\n", lines[3] + b"\\t\n", lines[4] + b"\\r\n",
                     lines[5] + b"\\x1b[2J\\x07\n", b"\n-\\x20\\x20\\x20\n",
                     lines[7] + b"\\xe2\\x80\\xae\\xff\n"):
            self.assertIn(kept, shown)
        self.assertTrue(all(byte == 10 or 32 <= byte < 127 for byte in shown), shown)


class Verdicts(Goldens):
    @classmethod
    def setUpClass(cls):
        cls.schema = json.loads(run("schema", "verify").stdout)
        jsonschema.Draft202012Validator.check_schema(cls.schema)

    def verdicts(self, *words):
        finished = run("verify", "--format", "json", *words)
        document = json.loads(finished.stdout)
        jsonschema.Draft202012Validator(self.schema).validate(document)
        self.assertEqual(document["exit_code"], finished.returncode)
        self.assertEqual(document["passed"], finished.returncode == 0)
        return document

    def test_every_outcome_is_in_the_document_and_keeps_to_the_schema(self):
        self.golden("report.json")
        self.changed()
        self.golden("trace.txt", (GOLDENS / "trace.txt").read_bytes().replace(b"\n", b"\r\n"))
        self.golden(file="notes.md", content=b"other")
        missing = self.folder / "missing"
        other = self.golden(file="other", content=b"x")
        document = self.verdicts(self.folder, missing, other, "--require=all")
        self.assertEqual(document["exit_code"], 3)
        outcomes = {os.path.basename(file["file"]): file["outcome"] for file in document["files"]}
        self.assertEqual(outcomes, {"report.json": "same", "report.txt": "differs",
                                    "trace.txt": "respelled", "missing": "unreadable",
                                    "other": "refused"})
        files = {os.path.basename(file["file"]): file for file in document["files"]}
        self.assertEqual(files["report.txt"]["line"], 9)
        self.assertIn("\n+output=", files["report.txt"]["difference"])
        self.assertEqual(files["trace.txt"]["spelling"], ["carriage returns"])
        self.assertEqual([os.path.basename(path) for path in document["passed_over"]],
                         ["notes.md", "other"])
        self.assertEqual(document["missing"], ["exhibit-rmsnorm", "23-normalization"])
        updated = self.verdicts("--update", self.folder)
        self.assertEqual({file["outcome"] for file in updated["files"]}, {"same", "updated"})

    def test_it_goes_to_a_file_as_well(self):
        path = self.folder / "verdicts.json"
        golden = self.golden()
        self.assert_done(run("verify", golden, "--format", "json", "-o", path))
        self.assertEqual(path.read_bytes(), run("verify", golden, "--format", "json").stdout)
        path = self.folder / "verdicts.txt"
        self.assert_done(run("verify", golden, "-o", path))
        self.assertEqual(path.read_bytes(), run("verify", golden).stdout)

    def test_quiet_prints_failures_only(self):
        same, changed = self.golden("trace.txt"), self.changed()
        finished = run("verify", "--quiet", same)
        self.assert_done(finished)
        self.assertEqual(finished.stdout, b"")
        finished = run("verify", "--quiet", same, changed)
        self.assertEqual(finished.returncode, 1)
        self.assertEqual(finished.stdout, run("verify", changed).stdout)


class Colors(Goldens):
    def test_a_diff_is_colored_when_asked_and_only_then(self):
        path = self.changed()
        plain = run("verify", path).stdout
        self.assertNotIn(b"\x1b", plain)
        colored = run("verify", path, "--color", "always").stdout
        self.assertIn(b"\x1b[31m-", colored)
        self.assertIn(b"\x1b[32m+", colored)
        stripped = colored
        for code in (b"\x1b[0m", b"\x1b[31m", b"\x1b[32m", b"\x1b[36m"):
            stripped = stripped.replace(code, b"")
        self.assertEqual(stripped, plain)
        self.assertEqual(run("--color=never", "verify", path).stdout, plain)


if __name__ == "__main__":
    unittest.main()
