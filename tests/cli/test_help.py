"""What the program says of itself, and how it refuses what it does not understand."""

import json
import re
import shlex
import unittest

from program import GOLDENS, ProgramTest, listed, run, subcommands


class Help(ProgramTest):
    def test_the_subcommands_of_the_chapter_are_all_there(self):
        expected = {"report", "verify", "list", "schema", "forward", "backward", "scale", "zero",
                    "batch", "history", "boundaries", "gradcheck", "parameters", "replay"}
        self.assertLessEqual(expected, set(subcommands()))

    def test_the_general_help_is_printed_however_it_is_asked_for(self):
        texts = set()
        for words in (["--help"], ["-h"], ["help"]):
            finished = run(*words)
            self.assert_done(finished)
            texts.add(finished.stdout)
        self.assertEqual(len(texts), 1)
        text = texts.pop().decode()
        for part in ("Usage", "--version", "--color", "NO_COLOR", "Exit codes"):
            self.assertIn(part, text)
        for code in "0123":
            self.assertRegex(text, rf"(?m)^  {code} +[a-z]")

    def test_the_help_of_a_subcommand_is_printed_however_it_is_asked_for(self):
        for name in subcommands():
            with self.subTest(name=name):
                finished = run(name, "--help")
                self.assert_done(finished)
                for words in ([name, "-h"], ["help", name], ["--help", name]):
                    self.assertEqual(run(*words).stdout, finished.stdout)
                self.assertIn(f"  rmsnorm-fixture {name}".encode(), finished.stdout)

    def test_every_line_has_at_most_80_columns_and_no_space_at_its_end(self):
        for words in (["--help"], *([name, "--help"] for name in subcommands())):
            for line in run(*words).stdout.decode().splitlines():
                with self.subTest(words=words, line=line):
                    self.assertLessEqual(len(line), 80)
                    self.assertEqual(line, line.rstrip())

    def test_every_subcommand_has_an_example_that_its_options_accept(self):
        for name in subcommands():
            with self.subTest(name=name):
                text = run(name, "--help").stdout.decode()
                example = re.search(r"Example\n  rmsnorm-fixture (.+)\n", text)
                self.assertIsNotNone(example, text)
                self.assertEqual(example[1].split()[0], name)

    def test_the_examples_of_the_chapter_run(self):
        (self.folder / "fixtures").symlink_to(GOLDENS.parent)
        chapter = [name for name, heading in listed().items() if "25-rmsnorm" in heading]
        for name in ["report", "verify", "list", "schema", *chapter]:
            with self.subTest(name=name):
                text = run(name, "--help").stdout.decode()
                example = re.search(r"Example\n  rmsnorm-fixture (.+)\n", text)[1]
                self.assert_done(run(*shlex.split(example), cwd=self.folder))

    def test_every_option_is_explained(self):
        for name in subcommands():
            text = run(name, "--help").stdout.decode()
            for term in re.findall(r"(?m)^  (--?[a-z][^ ,]*)", text):
                with self.subTest(name=name, term=term):
                    self.assertRegex(text, rf"(?m)^  {re.escape(term)}\b.*(  +\S|\n {{10,}}\S)")

    def test_help_wins_over_a_run(self):
        path = self.folder / "file"
        self.assert_done(run("report", "-o", path, "--help"))
        self.assertEqual(self.files(), [])

    def test_the_version_is_that_of_the_documents(self):
        finished = run("--version")
        self.assert_done(finished)
        generator = json.loads((GOLDENS / "report.json").read_text())["generator"]
        self.assertEqual(finished.stdout.decode(),
                         f"{generator['name']} {generator['version']}\n")

    def test_every_subcommand_knows_the_version(self):
        version = run("--version").stdout
        for name in subcommands():
            with self.subTest(name=name):
                finished = run(name, "--version")
                self.assert_done(finished)
                self.assertEqual(finished.stdout, version)

    def test_the_list_names_every_subcommand_with_one_line(self):
        text = run("list").stdout.decode()
        self.assertEqual(text.count("\n  25-rmsnorm "), 1)
        for name in subcommands():
            self.assertEqual(len(re.findall(rf"(?m)^  {name} +\S.+$", text)), 1, name)
        for line in text.splitlines():
            self.assertLessEqual(len(line), 100)


class Refusals(ProgramTest):
    def test_nothing_at_all_is_refused_with_what_to_try(self):
        self.assert_refused(run(), 2, "subcommand", "rmsnorm-fixture report", "--help")

    def test_an_unknown_subcommand_is_refused_with_the_known_ones(self):
        for word in ("frobnicate", "", "-", "REPORT", "forward ", "\x1b[31m", "a\nb", "r" * 5000):
            with self.subTest(word=word[:20]):
                self.assert_refused(run(word), 2, "subcommand", "report, verify, ")

    def test_the_nearest_subcommand_is_proposed(self):
        self.assert_refused(run("reprot"), 2, "did you mean report?")
        self.assert_refused(run("foward"), 2, "did you mean forward?")
        self.assertNotIn(b"did you mean", run("xyzzy").stderr)

    def test_an_unknown_option_is_refused_with_the_known_ones(self):
        self.assert_refused(run("--frobnicate"), 2, '"--frobnicate"', "--help")
        self.assert_refused(run("-x", "report"), 2, '"-x"')
        for name in subcommands():
            with self.subTest(name=name):
                self.assert_refused(run(name, "--frobnicate"), 2, '"--frobnicate"', "accepted")
        self.assert_refused(run("report", "--fromat", "json"), 2, "did you mean --format?")
        self.assert_refused(run("report", "-x"), 2, '"-x"')
        self.assert_refused(run("report", "--frobnicate=3"), 2, '"--frobnicate"')

    def test_an_option_without_its_value_is_refused(self):
        for words in (["report", "--format"], ["report", "-o"], ["forward", "--output"],
                      ["report", "--format="]):
            with self.subTest(words=words):
                self.assert_refused(run(*words), 2, "-")

    def test_a_flag_takes_no_value(self):
        for words, flag, value in ((["report", "--help=banana"], "--help", "banana"),
                                   (["report", "--help=1"], "--help", "1"),
                                   (["report", "--help=true"], "--help", "true"),
                                   (["list", "--version=2"], "--version", "2"),
                                   (["forward", "--full={}"], "--full", "{}"),
                                   (["forward", "--full=true"], "--full", "true"),
                                   (["forward", "--checks=false"], "--checks", "false"),
                                   (["verify", "--update=[x]", "x"], "--update", "[x]"),
                                   (["forward", "-h=1"], "-h", "1")):
            with self.subTest(words=words):
                self.assert_refused(run(*words), 2, f'{flag} takes no value; found "{value}"',
                                    f"accepted: {flag}")

    def test_an_option_is_not_the_value_of_the_one_before_it(self):
        for words, option, found in ((["forward", "--gain-name", "--full"], "--gain-name", "--full"),
                                     (["forward", "--input", "--gain", "1,2"], "--input", "--gain"),
                                     (["forward", "--gain-name", "--bogus"], "--gain-name",
                                      "--bogus"),
                                     (["forward", "-o", "-h"], "--output", "-h"),
                                     (["forward", "-o", "--"], "--output", "--"),
                                     (["forward", "--output", "-o", "x"], "--output", "-o"),
                                     (["report", "--format", "--output=x"], "--format",
                                      "--output=x")):
            with self.subTest(words=words):
                self.assert_refused(run(*words, cwd=self.folder), 2,
                                    f'{option}: found no value before "{found}"', "accepted: ")
        self.assertEqual(self.files(), [])
        # Behind an = it is meant; a hyphen before a digit is a minus sign.
        self.assert_done(run("forward", "--gain-name=--full"))
        self.assert_done(run("forward", "--input", "-3,4"))

    def test_letters_with_a_missing_or_strange_value_are_refused_by_name(self):
        for words in (["report", "-ho"], ["report", "-o"]):
            self.assert_refused(run(*words), 2, "--output: found no value", "accepted: FILE")
        for word in ("-o=x2.txt", "-o=", "-ho=x"):
            with self.subTest(word=word):
                self.assert_refused(run("report", word, cwd=self.folder), 2,
                                    '-o: found "' + word[word.index("="):], "accepted: -o FILE")
        self.assertEqual(self.files(), [])
        self.assert_refused(run("report", "-hx"), 2, 'unknown option "-x"')

    def test_an_argument_too_many_is_refused(self):
        for words in (["list", "more"], ["schema", "more"], ["zero", "more"],
                      ["--version", "more"], ["help", "report", "more"], ["replay", "-"]):
            with self.subTest(words=words):
                self.assert_refused(run(*words), 2, f'"{words[-1]}"')

    def test_help_on_help_is_help_and_on_another_option_refused(self):
        for words in (["help", "help"], ["--help", "--help"], ["-h", "help"]):
            with self.subTest(words=words):
                self.assertEqual(run(*words).stdout, run("--help").stdout)
        self.assert_refused(run("--help", "--version"), 2, '"--version" after "--help"')

    def test_help_on_an_unknown_subcommand_is_refused(self):
        self.assert_refused(run("help", "frobnicate"), 2, '"frobnicate"')
        self.assert_refused(run("--help", "frobnicate"), 2, '"frobnicate"')

    def test_a_message_stays_one_line_and_changes_no_terminal(self):
        for words in (["verify", "a\nb\x1b[31m"], ["report", "-o", "no\nfolder/\x1b[2J"],
                      ["report", "a\nb\x1b[31m"], ["report", "--format", "\x07\n"],
                      ["report", "--a\nb"]):
            with self.subTest(words=words):
                finished = run(*words, cwd=self.folder)
                self.assertIn(finished.returncode, (2, 3))
                self.assertEqual(finished.stderr.count(b"\n"), 1)
                self.assertNotRegex(finished.stderr[:-1], rb"[\x00-\x1f\x7f]")


if __name__ == "__main__":
    unittest.main()
