"""Values at the edge of every experiment, in every format: what the text takes or refuses, the JSON and
the page take or refuse alike."""

import itertools
import re
import unittest

from program import experiments, run

# By the name that the help gives an option's value; None for an option without one.
HOSTILE = {
    "VALUES": ["0", "-0.0,0", "0,0,0", "5", "1,1,1", "5e-324,1e-310", "1e153,-1e153", "1e-30,1e30",
               ",".join(["3", "4"] + ["0"] * 18)],
    "NUMBER": ["0", "5e-324", "1e-45", "1e300", "-1"],
    "NUMBERS": ["0", "1e300", "1,0"],
    "COUNT": ["1", "2", "40"],
    "SHAPE": ["0,3", "2,0,3"],
    "LIST": ["1", "1,2"],
    "NAME": ["a.b", "<b>&amp;\u202e"],
    "": [None],
}

# What chooses a file, a fixture or a layout, and no value of the experiment.
OTHER = {"--format", "--output", "--tensor", "--explain", "--digits", "--force", "--full", "--checks",
         "--certify", "--help", "--case", "--max-elements", "--answers", "--fixture", "--recipe",
         "--dtype", "--question", "--reveal"}


def hostile_words(name):
    """The defaults, each hostile value alone, and each beside an epsilon of zero."""
    text = run(name, "--help").stdout.decode()
    words = [option if value is None else f"{option}={value}"
             for option, kind in re.findall(r"^ +(?:-\w, )?(--[a-z-]+)(?: ([A-Z]+))?", text, re.M)
             if option not in OTHER for value in HOSTILE[kind]]
    zero = "--epsilon=0"
    pairs = itertools.product([zero], [word for word in words if not word.startswith("--epsilon")])
    return [[]] + [[word] for word in words] + (list(map(list, pairs)) if zero in words else [])


class HostileValuesTest(unittest.TestCase):
    def test_a_document_and_a_page_are_made_and_refused_as_the_text_is(self):
        for name in experiments():
            formats = {"predict": ["json"]}.get(name, ["json", "html"])
            for words in hostile_words(name):
                text = run(name, *words)
                for form in formats:
                    with self.subTest(words=[name, *words], format=form):
                        finished = run(name, *words, "--format", form)
                        self.assertEqual(finished.stderr, text.stderr)
                        self.assertEqual(finished.returncode, text.returncode)
                        self.assertIn(text.returncode, (0, 1, 2))

    def test_the_page_of_a_refused_row_says_how_it_was_refused(self):
        page = run("zero", "--epsilon=0", "--format", "html").stdout.decode()
        self.assertIn('data-path="zero/rejection/message"', page)
        self.assertNotIn('data-path="zero/output', page)


if __name__ == "__main__":
    unittest.main()
