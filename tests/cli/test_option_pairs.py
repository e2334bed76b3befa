"""Two options at once: what an option changes alone it changes beside any other, or the pair is refused."""

import itertools
import unittest

from program import ProgramTest, run

SHOWN = [["--format", "json"], ["--format", "html"], ["-o", "o.txt"], ["-o", "o.npy"], ["--digits", "3"],
         ["--full"], ["--checks"], ["--certify"]]
LAYER = [["--input", "1,-2,5"], ["--shape", "2,1"], ["--gain", "2,3"], ["--gain-name", "a.b"],
         ["--epsilon", "0.25"], ["--case", "case.json"], ["--max-elements", "1"], ["--explain"]]
OPTIONS = {
    "forward": LAYER + SHOWN + [["--recipe", "llama"], ["--dtype", "bf16"], ["--tensor", "normalized"]],
    "backward": LAYER + SHOWN + [["--upstream", "2,1"], ["--tensor", "gain_gradient"]],
    "rms-norm": SHOWN + [["--input", "1,-2,5"], ["--gamma", "1,2"], ["--epsilon", "0.25"],
                         ["--case", "case.json"], ["--tensor", "normalized"]],
    "layer-norm-backward": SHOWN + [["--input", "1,-2,5"], ["--upstream", "1,2"], ["--epsilon", "0.25"],
                                    ["--step", "1e-3"], ["--tolerance", "1"], ["--case", "case.json"],
                                    ["--tensor", "input_gradient"]],
}

# What has no place in the result, or stands there anyway.
NO_CHANGE = {
    ("json", "--checks"): "a document lists its checks",
    ("html", "--checks"): "a page lists its checks",
    ("--epsilon", "--case"): "an option goes before the case, which has nothing else",
    ("o.npy", "--gain-name"): "an array has no names",
    ("--explain", "--gain-name"): "a derivation calls the gain g",
    ("o.npy", "--step"): "the array is the gradient, the step another's",
    ("o.npy", "--tensor"): "the tensor that is written without it",
}


def kind(words):
    return words[-1] if words[0] in ("--format", "-o") else words[0]


class OptionPairsTest(ProgramTest):
    def result(self, words):
        """Exit code, output, and the file that was written."""
        file = self.folder / (words[words.index("-o") + 1] if "-o" in words else "none")
        finished = run(*words, cwd=self.folder)
        written = file.read_bytes() if file.exists() else None
        file.unlink(missing_ok=True)
        return finished.returncode, finished.stdout, finished.stderr, written

    def test_no_option_is_silently_left_out(self):
        (self.folder / "case.json").write_text('{"epsilon": 0.5}')
        for name, options in OPTIONS.items():
            plain = self.result([name])
            alone = {tuple(words): self.result([name, *words]) for words in options}
            for first, second in itertools.permutations(alone, 2):
                if first[0] == second[0] or alone[second] == plain:
                    continue
                if (kind(first), kind(second)) in NO_CHANGE:
                    continue
                with self.subTest(words=[name, *first, *second]):
                    both = self.result([name, *first, *second])
                    if both[0] == 2:
                        self.assertRegex(both[2], rb"\Armsnorm-fixture: [^\n]+accepted[^\n]+\n\Z")
                    else:
                        self.assertNotEqual(both, alone[first])

    def test_a_derivation_is_refused_where_there_is_none(self):
        self.assert_refused(run("forward", "--explain", "--recipe", "llama"), 2,
                            "--explain: found beside --recipe; accepted: without it")
        for option, words in (("--explain", ["--explain"]), ("--digits", ["--digits", "3"])):
            self.assert_refused(run("forward", "-o", self.folder / "x.npy", *words), 2, "x.npy", option)
        self.assert_refused(run("backward", "--explain", "--digits", "3"), 2, "--digits", "--explain")
        explained = run("backward", "--explain").stdout
        self.assertTrue(run("backward", "--explain", "--checks").stdout.startswith(explained + b"check"))


if __name__ == "__main__":
    unittest.main()
