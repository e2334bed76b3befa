"""What --certify says of printed digits, asked of the built program from outside."""

import decimal
import fnmatch
import json
import os
import re
import unittest

import program


def stripped(value):
    """A certified document without what certification added."""
    if isinstance(value, dict):
        return {key: stripped(inner) for key, inner in value.items()
                if key not in ("error_ulp", "certified", "certification")}
    if isinstance(value, list):
        return [stripped(inner) for inner in value]
    return value


def digit_lines(text):
    """The worth of each figure by its path."""
    worth = {}
    for line in text.splitlines():
        if line.startswith("digits=of:"):
            path = line.split("of:")[1].split(" ")[0]
            worth[path] = line.split("worth:")[1]
    return worth


def leaves(value, path=""):
    """Every scalar and tensor of a document with its path."""
    if isinstance(value, dict) and "bits" in value:
        yield path, value
    elif isinstance(value, dict):
        for key, inner in value.items():
            yield from leaves(inner, f"{path}/{key}" if path else key)
    elif isinstance(value, list):
        for index, inner in enumerate(value):
            yield from leaves(inner, f"{path}/{index}")


class CertifyTest(unittest.TestCase):
    def output(self, *arguments, code=0):
        result = program.run(*arguments)
        self.assertEqual(result.returncode, code, result.stderr)
        return result.stdout.decode()

    def test_text_keeps_its_lines_and_ends_in_a_count(self):
        for fixture in ("25-rmsnorm", "23-normalization", "exhibit-rmsnorm"):
            plain = self.output("report", fixture, "--format", "text")
            certified = self.output("report", fixture, "--format", "text", "--certify")
            self.assertTrue(certified.startswith(plain), fixture)
            last = certified.splitlines()[-1]
            self.assertRegex(last, r"^certified=\d+ figures: \d+ certified")
            self.assertNotIn("undecided", last)

    def test_the_difference_at_epsilon_zero_is_an_artefact_and_nothing_else_of_the_chapter(self):
        worth = digit_lines(self.output("report", "--certify"))
        others = {path: text for path, text in worth.items() if text != "certified"}
        self.assertEqual(others, {"scales/0/max_abs_diff": "artefact: exactly 0"})

    def test_the_means_of_the_exhibit_that_cancel_are_exactly_zero(self):
        worth = digit_lines(self.output("report", "exhibit-rmsnorm", "--format", "text", "--certify"))
        document = {path: text for path, text in worth.items() if text.startswith("artefact")}
        self.assertTrue(document)
        for path in document:
            self.assertRegex(path, r"_mean/|max_abs_diff$")

    def test_a_document_gets_two_fields_a_figure_and_loses_none(self):
        for fixture in ("25-rmsnorm", "23-normalization"):
            plain = json.loads(self.output("report", fixture, "--format", "json"))
            certified = json.loads(self.output("report", fixture, "--format", "json", "--certify"))
            self.assertEqual(stripped(certified), plain)
            figures = dict(leaves(certified))
            self.assertGreater(len(figures), 40)
            for path, figure in figures.items():
                if "values" in figure:
                    self.assertEqual(len(figure["error_ulp"]), len(figure["values"]), path)
                    self.assertEqual(len(figure["certified"]), len(figure["values"]), path)
                else:
                    self.assertGreaterEqual(figure["error_ulp"], 0, path)
                    self.assertIsInstance(figure["certified"], bool, path)

    def test_digits_and_distances_are_those_of_decimal_arithmetic(self):
        # RMSNorm's formula in sixty decimal digits: it shares nothing with the program.
        decimal.getcontext().prec = 60
        document = json.loads(self.output("forward", "--input", "0.7,-3,11", "--gain", "2,3,5",
                                          "--epsilon", "0.01", "--format", "json", "--certify"))
        primary = document["primary"]
        values = [decimal.Decimal(value) for value in primary["input"]["values"]]
        epsilon = decimal.Decimal(document["inputs"]["epsilon"]["value"])
        mean_square = sum(value * value for value in values) / 3
        inverse = 1 / (mean_square + epsilon).sqrt()
        exact = {"mean_square": [mean_square], "inverse_rms": [inverse],
                 "normalized": [value * inverse for value in values],
                 "output": [value * inverse * gain for value, gain in zip(values, (2, 3, 5))]}
        for name, numbers in exact.items():
            for i, number in enumerate(numbers):
                computed = decimal.Decimal(primary[name]["values"][i])
                ulp = decimal.Decimal(2) ** (computed.copy_abs().ln() / decimal.Decimal(2).ln()
                                             ).to_integral_value(decimal.ROUND_FLOOR) / 2 ** 52
                distance = float(abs(computed - number) / ulp)
                self.assertAlmostEqual(primary[name]["error_ulp"][i], float(f"{distance:.1e}"),
                                       delta=0.011 * max(distance, 0.001))
                shown = decimal.Decimal(primary[name]["display"][i])
                rounded = number.quantize(decimal.Decimal("0.000001"), decimal.ROUND_HALF_EVEN)
                self.assertEqual(primary[name]["certified"][i], shown == rounded)

    def test_experiments_certify_a_reader_s_own_numbers(self):
        for arguments in (
                ("forward", "--input", "1e-150,2e-150", "--epsilon", "0"),
                ("forward", "--input", "1e150,2", "--epsilon", "1e-5"),
                ("backward", "--input", "3,4,5", "--upstream", "1,-2,0.5"),
                ("scale", "--input", "3,4", "--epsilon", "0,1e-5", "--factor", "0.001,7"),
                ("sweep", "--from", "1e-6", "--to", "1e2"),
                ("zero", "--width", "4", "--epsilon", "0"),
                ("history", "--anchor", "1,3", "--companion", "5,7"),
                ("gradcheck", "--input", "3,4"),
                ("gradcheck", "--input", "3e8,4e8"),
                ("latent", "--rank", "4")):
            text = self.output(*arguments, "--certify")
            self.assertRegex(text.splitlines()[-1], r"^certified=", arguments)
            self.assertNotIn("undecided", text, arguments)

    def test_the_trace_keeps_its_lines_and_tells_the_same_as_the_text(self):
        plain = self.output("report", "--format", "trace")
        certified = self.output("report", "--format", "trace", "--certify")
        self.assertTrue(certified.startswith(plain))
        added = certified[len(plain):].splitlines()
        worth = digit_lines(self.output("report", "--certify"))
        self.assertEqual(dict(re.fullmatch(r"DIGITS\|of=([^|]*)\|(?:error=[^|]*\|bound=[^|]*\|)?"
                                           r"worth=([^|]*)", line).groups() for line in added[:-1]),
                         worth)
        self.assertRegex(added[-1], r"^CERTIFIED\|summary=\d+ figures: ")

    def test_a_certified_exhibit_is_a_document_of_its_figures(self):
        document = json.loads(self.output("report", "exhibit-rmsnorm", "--format", "json", "--certify"))
        self.assertEqual(document["fixture"], "exhibit-rmsnorm")
        means = document["balanced"]["rms_norm_mean"]
        self.assertEqual(means["two_lanes"]["certified"], float(means["two_lanes"]["value"]) == 0)

    def test_every_experiment_with_exact_results_certifies_its_defaults(self):
        certified = 0
        for name in program.experiments():
            if "--certify" not in self.output(name, "--help"):
                continue
            if name in ("report", "selftest"):
                continue
            certified += 1
            text = self.output(name, "--certify")
            self.assertRegex(text.splitlines()[-1], r"^certified=\d+ figures: \d+ certified", name)
            self.assertNotIn("undecided", text, name)
            document = json.loads(self.output(name, "--certify", "--format", "json"))
            self.assertIn("exact-results", [check["name"] for check in document["checks"]], name)
        self.assertGreater(certified, 10)

    def test_the_significant_digits_that_a_reader_chose_are_certified(self):
        decimal.getcontext().prec = 60
        for exponent, digits in ((-120, 5), (-120, 16), (60, 3), (60, 17), (9, 4), (0, 2)):
            words = [f"0.7e{exponent}", f"-3e{exponent}", f"11e{exponent}"]
            document = json.loads(self.output("forward", "--input", ",".join(words), "--epsilon", "0",
                                              "--digits", digits, "--format", "json", "--certify"))
            values = [decimal.Decimal(float(word)) for word in words]
            figure = document["primary"]["mean_square"]
            exact = sum(value * value for value in values) / 3
            shown = decimal.Context(prec=digits, rounding=decimal.ROUND_HALF_EVEN).create_decimal(exact)
            self.assertEqual(figure["certified"], [decimal.Decimal(figure["display"][0]) == shown],
                             (figure, shown))

    def test_marks_of_a_page_open_to_the_interval(self):
        for arguments in (("report",), ("report", "23-normalization"), ("report", "exhibit-rmsnorm"),
                          ("forward", "--input", "0.7,-3,11")):
            plain = self.output(*arguments, "--format", "html")
            self.assertNotIn('class="worth"', plain)
            page = self.output(*arguments, "--format", "html", "--certify")
            targets = re.findall(r'<dl id="([^"]*)" data-words>', page)
            links = re.findall(r'class="worth" href="#([^"]*)"', page)
            self.assertEqual(len(targets), len(set(targets)))
            self.assertLessEqual(set(links), set(targets), arguments)
            self.assertEqual(page.count("<details>"), page.count("</details>"))
            # Every figure with an interval has its mark behind it.
            figures = re.findall(r'(<span class="marked">)?<(?:span|data) class="n"([^>]*)>', page)
            self.assertGreater(sum(bool(mark) for mark, _ in figures), 5)
            for mark, attributes in figures:
                block = re.search(r'data-block="([^"]*)"', attributes)
                path = re.search(r'data-path="([^"]*)"', attributes).group(1)
                target = f"worth-{block.group(1) if block else 'evidence'}-{path}"
                self.assertEqual(bool(mark), target in targets, target)

    def test_the_interval_of_a_page_holds_the_exact_result(self):
        decimal.getcontext().prec = 60
        page = self.output("report", "--format", "html", "--certify")
        interval = re.search(r'<dl id="worth-evidence-primary/output/0" data-words>.*?<dd>(.*?)</dd>.*?<dd>(.*?)</dd>',
                             page, re.S)
        low, high = (decimal.Decimal(text) for text in interval.groups())
        exact = decimal.Decimal("4.5") / (decimal.Decimal("12.5") + decimal.Decimal(1e-5)).sqrt()
        self.assertLessEqual(low, exact)
        self.assertLessEqual(exact, high)
        self.assertLess(high - low, decimal.Decimal("1e-23"))

    def test_an_implementation_s_roundings_are_not_certified(self):
        result = program.run("forward", "--recipe", "llama", "--certify")
        self.assertEqual(result.returncode, 2)
        self.assertIn("--certify: found beside --recipe; accepted", result.stderr.decode())

    def test_the_documented_digits_that_are_not_the_exact_ones_are_all_there_are(self):
        rows = []
        with open(os.path.join(program.SOURCE, "docs", "certify.md"), encoding="utf-8") as file:
            table = file.read().split("## Digits that are not the exact ones")[1].split("\n## ")[0]
        for line in table.splitlines():
            cells = [cell.strip() for cell in line.split("|")[1:-1]]
            if len(cells) == 4 and cells[0].startswith("`"):
                rows.append((cells[0].strip("`"), re.findall(r"`([^`]*)`", cells[1]), cells[2]))
        self.assertTrue(rows)
        for fixture in ("25-rmsnorm", "23-normalization", "exhibit-rmsnorm"):
            worth = digit_lines(self.output("report", fixture, "--format", "text", "--certify"))
            others = {path: text for path, text in worth.items() if text != "certified"}
            for path, text in others.items():
                fitting = [row for row in rows if row[0] == fixture
                           and any(fnmatch.fnmatchcase(path, pattern) for pattern in row[1])]
                self.assertEqual(len(fitting), 1, (fixture, path, text))
            for _, patterns, printed in (row for row in rows if row[0] == fixture):
                found = [text for path, text in others.items()
                         if any(fnmatch.fnmatchcase(path, pattern) for pattern in patterns)]
                self.assertTrue(found, patterns)
                units = [int(re.match(r"off by (\d+)", text).group(1)) for text in found
                         if text.startswith("off")]
                said = re.match(r"(\d+)(?: to (\d+))? units? ", printed)
                if units:
                    self.assertEqual((int(said.group(1)), int(said.group(2) or said.group(1))),
                                     (min(units), max(units)), patterns)
                else:
                    self.assertIn("beside 0", printed)

    def test_the_self_test_certifies_every_fixture(self):
        text = self.output("selftest", "--certify")
        for fixture in ("25-rmsnorm", "23-normalization", "exhibit-rmsnorm"):
            self.assertRegex(text, rf"certify {fixture}: \d+ figures")


if __name__ == "__main__":
    unittest.main()
