"""What --certify says of printed digits, asked of the built program from outside."""

import decimal
import json
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
            certified = self.output("report", fixture, "--certify")
            self.assertTrue(certified.startswith(plain), fixture)
            last = certified.splitlines()[-1]
            self.assertRegex(last, r"^certified=\d+ figures: \d+ certified")
            self.assertNotIn("undecided", last)

    def test_the_difference_at_epsilon_zero_is_an_artefact_and_nothing_else_of_the_chapter(self):
        worth = digit_lines(self.output("report", "--certify"))
        others = {path: text for path, text in worth.items() if text != "certified"}
        self.assertEqual(others, {"scales/0/max_abs_diff": "artefact: exactly 0"})

    def test_the_means_of_the_exhibit_that_cancel_are_exactly_zero(self):
        worth = digit_lines(self.output("report", "exhibit-rmsnorm", "--certify"))
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
                ("forward", "--input", "1e-300,2e-300", "--epsilon", "0"),
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

    def test_formats_without_a_place_for_certificates_are_refused(self):
        for fixture, form in (("25-rmsnorm", "html"), ("25-rmsnorm", "trace"),
                              ("exhibit-rmsnorm", "json")):
            result = program.run("report", fixture, "--format", form, "--certify")
            self.assertEqual(result.returncode, 2)
            self.assertIn(f"--certify: found beside --format {form}; accepted", result.stderr.decode())

    def test_the_self_test_certifies_every_fixture(self):
        text = self.output("selftest", "--certify")
        for fixture in ("25-rmsnorm", "23-normalization", "exhibit-rmsnorm"):
            self.assertRegex(text, rf"certify {fixture}: \d+ figures")


if __name__ == "__main__":
    unittest.main()
