"""docs/json.md names every document and every key of it."""

import json
import re
import unittest

from program import SOURCE, document, experiments, run

PAGE = (SOURCE / "docs/json.md").read_text(encoding="utf-8")
NAMED = {word for code in re.findall(r"`([^`\n]+)`", PAGE) for word in re.split(r'[."=: ]+', code)}
FIXTURES = ("25-rmsnorm", "23-normalization")
# Documents with keys that the defaults leave out.
OTHERS = (["zero", "--epsilon", "0"], ["predict", "--reveal"],
          ["compare", "--fixture", "23-normalization"],
          ["forward", "--input", ",".join(["1"] * 65)], ["forward", "--full"])


def keys(value):
    """All keys in a document, at any depth."""
    if isinstance(value, dict):
        for key, inner in value.items():
            yield key
            yield from keys(inner)
    elif isinstance(value, list):
        for inner in value:
            yield from keys(inner)


class JsonPage(unittest.TestCase):
    def test_every_experiment_is_named(self):
        for name in experiments():
            self.assertIn(f"`{name}`", PAGE)

    def test_every_key_of_every_document_is_named(self):
        documents = [[name] for name in experiments()] + list(OTHERS)
        documents += [["report", fixture] for fixture in FIXTURES]
        for words in documents:
            found = set(keys(document(*words)))
            self.assertIn("generator", found)
            self.assertEqual(sorted(found - NAMED), [], words)

    def test_every_key_of_an_answered_prediction_is_named(self):
        answers = json.dumps({"mean-square": [1, 1]}).encode()
        graded = json.loads(run("predict", "--answers", "-", "--format", "json",
                                input=answers).stdout)
        found = set(keys(graded))
        self.assertIn("answer", found)
        self.assertEqual(sorted(found - NAMED), [])

    def test_every_key_that_the_manifest_begins_with_is_named(self):
        self.assertEqual(sorted(set(document("exhibit")) - NAMED), [])

    def test_every_experiments_inputs_are_those_of_its_row(self):
        rows = [line.split("|")[1:-1] for line in PAGE.splitlines() if line.startswith("| `")]
        for name in experiments():
            wanted = set(document(name)["inputs"])
            texts = [cells[1] for cells in rows if cells[0].strip() == f"`{name}`"]
            if name == "compare":  # has its own section, in sentences
                continue
            with self.subTest(name=name):
                described = {word for text in texts for word in re.findall(r"`([^`]+)`", text)}
                self.assertNotEqual(texts, [])
                self.assertEqual(wanted - described, set())

    def test_settings_show_as_the_page_says(self):
        for given, shown in (("1e-5", "0.000010"), ("1e-8", "0.000000010")):
            self.assertIn(f"`{given}` is `{shown}`", PAGE)
            used = document("forward", "--epsilon", given)["inputs"]["epsilon"]
            self.assertEqual(used["display"], shown)

    def test_the_mode_of_a_comparison_follows_the_rule_of_the_page(self):
        # The mean square of 3,4 is 12.5.
        for epsilon, mode in (("0", "ideal"), ("12.5", "production"), ("12.6", "near-zero")):
            self.assertIn(f'`"{mode}"`', PAGE)
            scales = document("scale", "--input", "3,4", "--epsilon", epsilon)["scales"]
            self.assertEqual([each["mode"] for each in scales], [mode])

    def test_the_regimes_of_a_sweep_follow_the_rule_of_the_page(self):
        seen = set()
        for point in document("sweep")["sweep"]:
            share = point["closed_form"]["value"]
            wanted = "signal" if share >= 0.99 else "epsilon" if share <= 0.01 else "transition"
            self.assertEqual(point["regime"], wanted)
            seen.add(wanted)
        self.assertEqual(seen, {"signal", "epsilon", "transition"})


if __name__ == "__main__":
    unittest.main()
