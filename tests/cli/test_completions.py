"""Completion of the command line, in real shells."""

import contextlib
import os
import pty
import re
import select
import shlex
import shutil
import signal
import subprocess
import time
import unittest

from program import ProgramTest, clean_environment, listed, run

SHELLS = ("bash", "zsh", "fish")
SUBCOMMANDS = [name for name, heading in listed().items() if heading != "Fixtures"]
FIXTURES = [name for name, heading in listed().items() if heading == "Fixtures"]
FORMATS = ["html", "json", "text"]


def options(name):
    """The names of a subcommand's options in its help."""
    text = run(name, "--help").stdout.decode() if name else run("--help").stdout.decode()
    return {option for term in re.findall(r"(?m)^  (-[^ ].*?)(?:  |$)", text)
            for option in re.findall(r"--?[a-z][a-z-]*", term)}


class Terminal:
    """A program in a terminal of its own."""

    def __init__(self, words, folder, **changes):
        environment = clean_environment(TERM="dumb", HOME=str(folder), LC_ALL="C", **changes)
        self.seen = b""
        self.process, self.descriptor = pty.fork()
        if self.process == 0:
            os.chdir(folder)
            os.execvpe(words[0], words, environment)

    def type(self, text):
        os.write(self.descriptor, text.encode())

    def wait_for(self, text):
        """What was shown until `text` is, which is taken too."""
        end = time.monotonic() + 60
        while text.encode() not in self.seen:
            if not select.select([self.descriptor], [], [], max(0, end - time.monotonic()))[0]:
                raise AssertionError(f"no {text!r} in {self.seen!r}")
            self.seen += os.read(self.descriptor, 4096)
        shown, self.seen = self.seen.split(text.encode(), 1)
        return shown.decode()

    def wait_for_the_end(self):
        with contextlib.suppress(OSError):  # which is how a terminal ends
            while os.read(self.descriptor, 4096):
                pass

    def close(self):
        os.kill(self.process, signal.SIGKILL)
        os.waitpid(self.process, 0)
        os.close(self.descriptor)


class Completions(ProgramTest):
    """What each shell proposes. A subclass has `proposed(lines)`: for each line the words that may
    stand behind its last blank."""

    shell = None

    def setUp(self):
        if self.shell is None:
            self.skipTest("the cases that every shell runs")
        if shutil.which(self.shell) is None:
            self.skipTest(f"{self.shell} is not installed")
        super().setUp()
        self.home = self.folder / "home"
        self.work = self.folder / "work"
        (self.work / "folder").mkdir(parents=True)
        self.home.mkdir()
        for name in ("values.npy", "with blank.json"):
            (self.work / name).write_text("1", encoding="utf-8")
        self.script = self.home / "_rmsnorm-fixture"
        self.assert_done(run("completions", self.shell, "-o", self.script))

    def propose(self, cases):
        for (line, words), proposed in zip(cases, self.proposed([line for line, _ in cases]),
                                           strict=True):
            with self.subTest(line=line):
                # Some shells say of a folder that it is one, name it twice, or escape a blank.
                self.assertEqual(sorted({word.rstrip("/").replace("\\ ", " ")
                                         for word in proposed}), sorted(words))

    def test_subcommands(self):
        self.propose([("", SUBCOMMANDS),
                      ("repo", ["report"]),
                      ("rms-norm", ["rms-norm", "rms-norm-backward"]),
                      ("help repo", ["report"]),
                      ("--color never repo", ["report"])])

    def test_options_of_every_subcommand(self):
        names = SUBCOMMANDS
        for name, proposed in zip(names, self.proposed([f"{name} --" for name in names]),
                                  strict=True):
            with self.subTest(name=name):
                expected = options(name) | {"--version", "--color"}
                self.assertEqual({word.rstrip("=+") for word in proposed},
                                 {word for word in expected if word.startswith("--")})

    def test_words_that_a_value_may_be(self):
        recipes = re.findall(r'"id": "(.*?)"', run("recipes", "--format", "json").stdout.decode())
        self.assertGreater(len(recipes), 10)
        message = run("backward", "--tensor", "?", "-o", "x.npy").stderr.decode()
        self.propose([("report ", FIXTURES),
                      ("report --format ", [*FORMATS, "trace"]),
                      ("report --format js", ["json"]),
                      ("forward --format ", FORMATS),
                      ("verify --require ", ["all", *FIXTURES]),
                      ("compare --fixture ", ["23-normalization"]),
                      ("schema ", ["evidence", "exhibit", "vectors", "verify"]),
                      ("completions ", SHELLS),
                      ("forward --dtype ", ["f64", "f32", "f16", "bf16"]),
                      ("judge --dtype b", ["bf16"]),
                      ("--color ", ["auto", "always", "never"]),
                      ("list --color ", ["auto", "always", "never"]),
                      ("forward --recipe ", recipes),
                      ("judge --recipe ", recipes),
                      ("backward --tensor ", message.split("accepted: ")[1].strip().split(", "))])

    def test_files_and_folders_but_nothing_where_a_number_is_typed(self):
        every = ["folder", "values.npy", "with blank.json"]
        self.propose([(line, every) for line in ("verify ", "forward --input ", "forward -o ",
                                                 "forward --case ", "judge ")]
                     + [("forward --input v", ["values.npy"]),
                        ("site ", ["folder"]),
                        ("exhibit --bundle f", ["folder"]),
                        ("forward --epsilon ", []),
                        ("zero --width ", [])])


class Bash(Completions):
    shell = "bash"

    def start(self, *commands):
        terminal = Terminal(["bash", "--norc", "--noprofile", "-i"], self.work, PS1="ready> ",
                            INPUTRC="/dev/null")
        self.addCleanup(terminal.close)
        terminal.wait_for("ready> ")
        self.line = self.home / "line"
        for command in (f"source {self.script}", "PS1='rea''dy> '",
                        rf"""bind -x '"\C-t": printf %s "$READLINE_LINE" >{self.line}; printf %s "|do""ne|"'""",
                        r"""bind '"\C-o": insert-completions'""", *commands):
            terminal.type(command + "\n")
            terminal.wait_for("ready> ")
        return terminal

    def completed(self, terminal, line, key):
        """The line after the key."""
        terminal.type(f"rmsnorm-fixture {line}{key}\x14")
        terminal.wait_for("|done|")
        terminal.type("\x05\x15")  # to the end, and away with all
        return self.line.read_text(encoding="utf-8").removeprefix("rmsnorm-fixture ")

    def proposed(self, lines):
        terminal = self.start()
        for line in lines:
            text = self.completed(terminal, line, "\x0f")
            words = "" if text == line else text[line.rfind(" ") + 1:]
            yield shlex.split(words)

    def test_the_tab_key_ends_a_word_that_has_one_end(self):
        terminal = self.start()
        for line, whole in (("repo", "report "), ("report --fo", "report --format "),
                            ("report --format=js", "report --format=json "),
                            ("forward --input @val", "forward --input @values.npy "),
                            ("forward --input=@val", "forward --input=@values.npy "),
                            ("forward --input @fol", "forward --input @folder/"),
                            ("forward -o with", r"forward -o with\ blank.json "),
                            ("report -- 25", "report -- 25-rmsnorm ")):
            with self.subTest(line=line):
                self.assertEqual(self.completed(terminal, line, "\t"), whole)

    def test_words_that_do_not_break_at_marks(self):
        terminal = self.start("COMP_WORDBREAKS=' '")
        for line, whole in (("report --format=js", "report --format=json "),
                            ("forward --input @val", "forward --input @values.npy "),
                            ("forward --input=@val", "forward --input=@values.npy ")):
            with self.subTest(line=line):
                self.assertEqual(self.completed(terminal, line, "\t"), whole)


class Zsh(Completions):
    shell = "zsh"
    # Every word that is proposed goes to a file, in front of each line's words a mark.
    setup = r"""
fpath=({home} $fpath)
autoload -Uz compinit && compinit -u -D
compadd() {{
    if [[ " $* " == *\ -(O|A|D)\ * ]]; then builtin compadd "$@"; return; fi
    local -a found
    builtin compadd -A found "$@"
    print -rl -- $found >>{home}/words
    builtin compadd "$@"
}}
zle-line-init() {{
    local line
    for line in "${{(@f)$(<{home}/lines)}}"; do
        print -- "--line--" >>{home}/words
        BUFFER="rmsnorm-fixture $line" CURSOR=$(( 16 + $#line ))
        zle list-choices
    done
    exit
}}
zle -N zle-line-init
"""

    def proposed(self, lines):
        (self.home / "lines").write_text("\n".join(lines) + "\n", encoding="utf-8")
        (self.home / ".zshrc").write_text(self.setup.format(home=self.home), encoding="utf-8")
        terminal = Terminal(["zsh", "-d", "-i"], self.work, ZDOTDIR=str(self.home))
        self.addCleanup(terminal.close)
        terminal.wait_for_the_end()
        words = (self.home / "words").read_text(encoding="utf-8")
        return [list(filter(None, part.split("\n"))) for part in words.split("--line--")[1:]]


class Fish(Completions):
    shell = "fish"

    def proposed(self, lines):
        for line in lines:
            done = subprocess.run(
                ["fish", "--no-config", "-c", f"source {self.script}; complete -C $argv[1]",
                 f"rmsnorm-fixture {line}"], capture_output=True, text=True, cwd=self.work,
                check=True, env=clean_environment(HOME=str(self.home)), timeout=60)
            self.assertEqual(done.stderr, "")
            yield [word.split("\t")[0] for word in done.stdout.splitlines()]


class Scripts(ProgramTest):
    def test_a_shell_that_has_no_script_is_refused(self):
        self.assert_refused(run("completions", "tcsh"), 2, '"tcsh"', "accepted: bash, zsh, fish")
        self.assert_refused(run("completions"), 2, "needs SHELL")

    def test_every_script_is_one_that_its_shell_reads(self):
        for shell in SHELLS:
            with self.subTest(shell=shell):
                if shutil.which(shell) is None:
                    self.skipTest(f"{shell} is not installed")
                script = run("completions", shell).stdout
                done = subprocess.run([shell, "-n"], input=script, capture_output=True, check=False)
                self.assertEqual((done.returncode, done.stderr), (0, b""))


class ManualPage(ProgramTest):
    def setUp(self):
        super().setUp()
        finished = run("--man")
        self.assert_done(finished)
        self.page = self.folder / "rmsnorm-fixture.1"
        self.page.write_bytes(finished.stdout)

    def checked(self, *words):
        if shutil.which(words[0]) is None:
            self.skipTest(f"{words[0]} is not installed")
        done = subprocess.run([*words, self.page], capture_output=True, text=True, check=False,
                              env=clean_environment(MANWIDTH="80", LC_ALL="C.UTF-8", MANROFFSEQ=""))
        self.assertEqual((done.returncode, done.stderr), (0, ""))
        return done.stdout

    def test_man_shows_it_without_a_warning(self):
        self.assertIn("rmsnorm-fixture", self.checked("man", "-l", "--warnings", "-E", "UTF-8"))

    def test_mandoc_has_nothing_to_say_of_it(self):
        self.assertEqual(self.checked("mandoc", "-T", "lint"), "")

    def test_it_shows_what_the_help_says(self):
        if shutil.which("mandoc") is None:
            self.skipTest("mandoc is not installed")
        # Without bold and underlined letters; lines may break elsewhere.
        shown = re.sub(r".\x08", "", self.checked("mandoc", "-T", "utf8"))
        words = " ".join(shown.split())
        for name in SUBCOMMANDS:
            text = run(name, "--help").stdout.decode()
            for part in re.split(r"\n(?=  \S)|\n\n", text.split("Options\n")[1].split("\nExample")[0]):
                part = " ".join(part.split())
                if part and not part.startswith("-h, --help"):
                    with self.subTest(name=name, part=part):
                        self.assertIn(part, words)


if __name__ == "__main__":
    unittest.main()
