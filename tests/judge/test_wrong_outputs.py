"""Every mistake is named, in every format, at three widths and three magnitudes.

`--table` prints the outcomes as docs/judge.md has them.
"""

import os
import sys
import unittest
import warnings

import numpy as np

from mistakes import MISTAKES, offset_missing, offset_twice, right, with_part
from outputs import ORDER, Case, Program, once, value_first

warnings.simplefilter("ignore")
WIDTHS = (7, 64, 1000)
MAGNITUDES = (1, 0.02, 0.003)

# No mistake in these formats: the tensors have no lower one that shows.
ABSENT = {("output-truncated", "f32"), ("output-truncated", "f64"),
          ("output-low", "f16"), ("output-low", "bf16"),
          # binary16 holds every bfloat16 number of a gain's magnitude.
          ("gain-low", "bf16")}


# Four rows of seven bfloat16 numbers whose roundings fall so that a constant factor fits them too,
# within the roundings of the format, and the wrong epsilon only with one more rounding.
KNOWN = {("bf16", "epsilon-other odd", (4, 7)): "called constant-factor"}


def cases(name, offset=0.0):
    random = np.random.default_rng(7)
    for width in WIDTHS:
        for magnitude in MAGNITUDES:
            x = random.standard_normal((4, width)) * np.array([[1], [1.7], [0.6], [3]]) + 0.3
            yield Case(name, x * magnitude, 1 - offset + 0.3 * random.standard_normal(width), 1e-5, offset)


def outcome(verdict, wanted):
    """alone, among several, invisible, doubtful, or what it was called instead."""
    alone = [f.split(":")[0] for f in verdict.findings if "+" not in f]
    if verdict.answer == "right":
        return "doubtful" if wanted in verdict.doubts else "invisible"
    if wanted not in alone:
        return "called " + ", ".join(verdict.findings[:3])
    return "alone" if len(set(alone)) == 1 and len(verdict.findings) == len(alone) else "among several"


def outcomes(judge, names=ORDER):
    for name in names:
        for identifier, function in MISTAKES.items():
            wanted = identifier.split()[0]
            if (wanted, name) in ABSENT:
                continue
            for i, case in enumerate(cases(name)):
                cast = (once, value_first)[i % 2]
                verdict = judge.judge(case, function(case, cast))
                yield name, identifier, case, verdict, outcome(verdict, wanted)


def table(judge):
    columns = ("alone", "among several", "doubtful", "invisible")
    counts = {}
    for name, _, _, _, result in outcomes(judge):
        row = counts.setdefault(name, dict.fromkeys((*columns, "other"), 0))
        row[result if result in columns else "other"] += 1
    lines = ["| format | named, alone | named among several | doubtful, right name | "
             "within the bound of right | other |", "|---|---|---|---|---|---|"]
    lines += [f"| {name} | " + " | ".join(str(n) for n in row.values()) + " |"
              for name, row in counts.items()]
    return "\n".join(lines)


class WrongOutputs(unittest.TestCase):
    def setUp(self):
        self.judge = Program(os.environ["RMSNORM_JUDGE"])
        self.addCleanup(self.judge.close)

    def test_every_mistake_is_named_or_cannot_be_seen(self):
        # What these widths and magnitudes leave to chance, as docs/judge.md tells.
        named = {"alone", "among several", "doubtful", "invisible"}
        shown = set()
        for name, identifier, case, verdict, result in outcomes(self.judge):
            with self.subTest(format=name, mistake=identifier, shape=case.x.shape):
                known = KNOWN.get((name, identifier, case.x.shape))
                if result != known:
                    self.assertIn(result, named, verdict.line)
            if result in ("alone", "among several"):
                shown.add((name, identifier))
        for name in ORDER:
            for identifier in MISTAKES:
                if (identifier.split()[0], name) not in ABSENT:
                    self.assertIn((name, identifier), shown, "never seen at any width and magnitude")

    def test_an_offset_that_is_missing_or_added_twice_is_named(self):
        for name in ORDER:
            for case in cases(name, 1.0):
                for wanted, function in (("gain-offset-missing", offset_missing),
                                         ("gain-offset-twice", offset_twice)):
                    verdict = self.judge.judge(case, function(case, once))
                    self.assertEqual("wrong", verdict.answer)
                    self.assertIn(wanted, [f.split(":")[0] for f in verdict.findings], verdict.line)

    def test_a_part_is_named_with_its_rows_and_columns(self):
        random = np.random.default_rng(9)
        for name in ORDER:
            case = Case(name, random.standard_normal((6, 37)), 1 + 0.3 * random.standard_normal(37), 1e-5)
            everything = list(range(6)), list(range(37))
            fills = {"zeros": lambda c, cast: np.zeros(c.x.shape), "copied": lambda c, cast: c.x,
                     "gain-missing": MISTAKES["gain-missing"], "sum-for-mean": MISTAKES["sum-for-mean"]}
            for inside, fill in fills.items():
                for rows, columns, place in (([5], everything[1], "[5;all]"),
                                             (everything[0], [36], "[all;36]"),
                                             (everything[0], [32, 33, 34, 35, 36], "[all;32:37]"),
                                             (everything[0], list(range(3, 37, 4)), "[all;3::4]"),
                                             ([1, 3, 5], everything[1], "[1::2;all]")):
                    verdict = self.judge.judge(case, with_part(case, once, rows, columns, fill))
                    found = [f for f in verdict.findings if f.startswith("part+")]
                    with self.subTest(format=name, inside=inside, place=place):
                        self.assertEqual("wrong", verdict.answer)
                        if len(columns) > 1:
                            self.assertIn(f"part+{inside}{place}", found, verdict.line)
                        else:
                            self.assertTrue(any(f.endswith(place) for f in found), verdict.line)

    def test_two_mistakes_at_once_are_a_list(self):
        for name in ORDER:
            for case in cases(name):
                gainless = MISTAKES["gain-missing"]
                plain = Case(name, case.x, case.gain, 0.04)
                output = gainless(plain, once)
                verdict = self.judge.judge(case, output)
                self.assertEqual("wrong", verdict.answer)
                found = {frozenset(part.split(":")[0] for part in f.split("+")) for f in verdict.findings}
                self.assertIn(frozenset(("gain-missing", "epsilon-other")), found, verdict.line)

    def test_a_right_output_tells_what_it_would_not_have_shown(self):
        case = Case("f32", np.ones((1, 8)), np.ones(8), 1e-5)
        verdict = self.judge.judge(case, right(case, once), blind=True)
        self.assertEqual("right", verdict.answer)
        self.assertIn("gain-missing", MISTAKES)
        for hidden in ("mean-squared", "rows-shifted", "gain-first"):
            self.assertIn(hidden, verdict.blind)
        self.assertNotIn("sum-for-mean", verdict.blind)


if __name__ == "__main__":
    if "--table" in sys.argv:
        print(table(Program(os.environ["RMSNORM_JUDGE"])))
    else:
        unittest.main()
