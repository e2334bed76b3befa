"""rmsnorm-fixture report: the fixture's golden files, byte for byte."""

import json
import unittest

from program import GOLDENS, SOURCE, ProgramTest, document, run

FORMATS = {"text": "report.txt", "trace": "trace.txt", "json": "report.json"}


class Report(ProgramTest):
    def test_every_format_equals_its_golden(self):
        for name, file in FORMATS.items():
            with self.subTest(format=name):
                finished = run("report", "25-rmsnorm", "--format", name)
                self.assert_done(finished)
                self.assertEqual(finished.stdout, (GOLDENS / file).read_bytes())

    def test_the_originals_figures_are_reached_where_they_are_at_hand(self):
        reference = SOURCE.parent / "shared" / "reference" / "chapter25"
        if not reference.is_dir():
            self.skipTest("the original's files are not beside the source tree")
        for file in ("report.txt", "trace.txt"):
            self.assertEqual((GOLDENS / file).read_bytes(), (reference / file).read_bytes())

    def test_the_fixture_and_the_text_are_the_defaults(self):
        golden = (GOLDENS / "report.txt").read_bytes()
        for words in ([], ["25-rmsnorm"], ["--format", "text"], ["--format=text"], ["-o", "-"],
                      ["--", "25-rmsnorm"], ["--format", "text", "25-rmsnorm"]):
            with self.subTest(words=words):
                finished = run("report", *words)
                self.assert_done(finished)
                self.assertEqual(finished.stdout, golden)

    def test_two_runs_give_the_same_bytes(self):
        for name in FORMATS:
            self.assertEqual(run("report", "--format", name).stdout,
                             run("report", "--format", name).stdout)

    def test_the_bytes_do_not_depend_on_the_environment_or_the_folder(self):
        from program import clean_environment
        expected = (GOLDENS / "report.json").read_bytes()
        for changes in ({"LC_ALL": "de_DE.UTF-8", "LANG": "de_DE.UTF-8"}, {"TZ": "Asia/Tokyo"},
                        {"NO_COLOR": "1"}, {"TERM": "xterm-256color", "COLUMNS": "20"}):
            with self.subTest(changes=changes):
                finished = run("report", "--format", "json", cwd=self.folder,
                               env=clean_environment(**changes))
                self.assertEqual(finished.stdout, expected)
        self.assertEqual(run("report", "--format", "json", env={}).stdout, expected)

    def test_text_and_trace_are_ascii_with_one_final_newline(self):
        for name in FORMATS:
            text = run("report", "--format", name).stdout
            text.decode("ascii")
            self.assertTrue(text.endswith(b"\n") and not text.endswith(b"\n\n"))
            self.assertNotIn(b"\r", text)

    def test_an_unknown_fixture_is_refused_with_the_known_ones(self):
        for name in ("26-qkv", "", "-", "25-RMSNORM", "25-rmsnorm "):
            with self.subTest(name=name):
                self.assert_refused(run("report", name), 2, "25-rmsnorm", "accepted")

    def test_an_unknown_format_is_refused_with_the_known_ones(self):
        for name in ("xml", "", "JSON", "text,json", "json=x"):
            with self.subTest(name=name):
                self.assert_refused(run("report", "--format", name), 2, "--format", "accepted")
        self.assert_refused(run("report", "--format", "xml"), 2, '"xml"', "text, trace, json")

    def test_one_fixture_at_a_time(self):
        self.assert_refused(run("report", "25-rmsnorm", "25-rmsnorm"), 2, "FIXTURE", "once")


class Json(ProgramTest):
    # The layout is a contract: these keys, in this order.
    LAYOUT = {
        "": ["schema_version", "fixture", "generator", "config", "primary", "backward", "scales",
             "zero", "batch", "history", "boundaries", "proof", "next"],
        "generator": ["name", "version"],
        "config": ["epsilon", "feature_width", "gain_name", "no_decay"],
        "primary": ["input", "mean_square", "inverse_rms", "normalized", "gain", "output",
                    "normalized_mean_square"],
        "backward": ["upstream", "input_gradient", "gain_gradient"],
        "scales/0": ["mode", "epsilon", "factor", "base", "scaled", "max_abs_diff"],
        "zero": ["input", "output", "finite"],
        "batch": ["input", "output", "axis"],
        "history": ["anchor", "companions", "batch_norm", "layer_norm", "rms_norm", "rms_mean"],
        "boundaries/0": ["case", "rejected", "error", "message"],
        "proof": ["step", "tolerance", "input_checks", "gain_checks", "gradcheck", "replay"],
        "proof/input_checks/0": ["index", "analytic", "numerical", "scaled_error", "passed"],
        "primary/input": ["shape", "values", "display", "bits"],
        "config/epsilon": ["value", "display", "bits"],
    }

    def test_the_keys_have_their_documented_order(self):
        whole = document("report")
        for path, keys in self.LAYOUT.items():
            node = whole
            for key in filter(None, path.split("/")):
                node = node[int(key)] if key.isdigit() else node[key]
            with self.subTest(path=path):
                self.assertEqual(list(node), keys)

    def test_the_fixed_words_are_right(self):
        whole = document("report")
        self.assertEqual(whole["schema_version"], 1)
        self.assertEqual(whole["fixture"], "25-rmsnorm")
        self.assertEqual([scale["mode"] for scale in whole["scales"]],
                         ["ideal", "production", "near-zero"])
        self.assertEqual(whole["batch"]["axis"], "last")
        self.assertEqual([case["error"] for case in whole["boundaries"]],
                         ["InputRankZero", "InputWidthMismatch", "ZeroEnergyRow"])
        self.assertEqual(whole["proof"]["replay"], "bitwise")
        self.assertEqual(len(whole["history"]["companions"]), 2)
        self.assertEqual(len(whole["history"]["batch_norm"]), 2)
        self.assertEqual(whole["next"], "26-qkv-projections")

    def test_values_display_and_bits_are_the_same_number(self):
        import decimal
        import struct
        figures = []

        def walk(node):
            if isinstance(node, dict) and "bits" in node:
                if "value" in node:
                    figures.append((node["value"], node["display"], node["bits"]))
                else:
                    figures.extend(zip(node["values"], node["display"], node["bits"], strict=True))
                return
            for inner in node.values() if isinstance(node, dict) else node:
                if isinstance(inner, (dict, list)):
                    walk(inner)

        walk(document("report"))
        self.assertGreater(len(figures), 60)
        context = decimal.Context(prec=2000, rounding=decimal.ROUND_HALF_EVEN)
        for value, display, bits in figures:
            self.assertEqual(struct.pack(">d", value).hex(), bits)
            places = len(display.partition(".")[2])
            # Decimal holds the exact binary value.
            exact = decimal.Decimal(value).quantize(decimal.Decimal(1).scaleb(-places),
                                                    context=context)
            self.assertEqual(f"{exact:f}", display)

    def test_the_document_is_indented_by_two_spaces(self):
        text = run("report", "--format", "json").stdout.decode()
        self.assertEqual(json.dumps(json.loads(text), indent=2).count("\n") + 1,
                         text.count("\n"))


if __name__ == "__main__":
    unittest.main()
