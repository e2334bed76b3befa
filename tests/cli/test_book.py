"""The fixture 23-normalization: its report, its goldens and its subcommands."""

import json
import re
import struct
import unittest

from program import SOURCE, ProgramTest, document, run

GOLDENS = SOURCE / "fixtures" / "23-normalization"

# Figures of independently written binary32 programs of the six experiments.
with open(SOURCE / "tests" / "cli" / "book_figures.json", encoding="utf-8") as file:
    FIGURES = json.load(file)

KEYS = {"stats": "stats", "layer-norm": "layer_norm", "rms-norm": "rms_norm", "depth": "depth",
        "layer-norm-backward": "layer_norm_backward", "constant": "constant",
        "rms-norm-backward": "rms_norm_backward", "dense-stack": "dense_stack", "cost": "cost",
        "closed-form": "closed_form", "latent": "latent"}


def binary32(value):
    return struct.unpack(">f", struct.pack(">f", value))[0]


class Book(ProgramTest):
    def compare(self, path, got, figure):
        if isinstance(figure, dict) and "bits" in figure:
            self.assertEqual((path, got["display"]), (path, figure["display"]))
            self.assertEqual((path, got["bits"]), (path, figure["bits"]))
        elif isinstance(figure, dict):
            for key, inner in figure.items():
                self.compare(f"{path}/{key}", got[key], inner)
        elif isinstance(figure, list) and isinstance(figure[0], dict):
            self.assertEqual(len(got), len(figure))
            for place, inner in enumerate(figure):
                self.compare(f"{path}/{place}", got[place], inner)
        else:
            self.assertEqual((path, got), (path, figure))

    def test_the_report_has_every_figure_of_the_six_experiments(self):
        report = document("report", "23-normalization")
        self.compare("", report, FIGURES)
        self.assertEqual(list(report)[3:], [
            "stats", "layer_norm", "rms_norm", "compare", "depth", "layer_norm_backward",
            "constant", "rms_norm_backward", "dense_stack", "cost", "closed_form", "latent",
            "proof"])
        self.assertEqual(report["proof"]["checks"], report["proof"]["held"])
        self.assertEqual(report["proof"]["replay"], "bitwise")

    def test_the_report_is_the_golden_in_both_formats(self):
        for name in ("text", "json"):
            golden = GOLDENS / ("report.txt" if name == "text" else "report.json")
            finished = run("report", "23-normalization", "--format", name)
            self.assert_done(finished)
            self.assertEqual(finished.stdout, golden.read_bytes())
            self.assert_done(run("verify", golden))

    def test_a_changed_golden_is_recognised_and_refused(self):
        golden = self.folder / "report.txt"
        golden.write_bytes((GOLDENS / "report.txt").read_bytes().replace(b"0.35068", b"0.35069"))
        finished = run("verify", golden)
        self.assertEqual(finished.returncode, 1)
        self.assertIn(b"differs (23-normalization text)", finished.stdout)

    def test_an_experiment_alone_shows_what_the_report_shows(self):
        report = document("report", "23-normalization")
        for name, key in KEYS.items():
            with self.subTest(name=name):
                alone = document(name)
                self.assertEqual(alone[key], report[key])
                self.assertTrue(alone["checks"])
                self.assertTrue(all(check["passed"] for check in alone["checks"]))
                text = run(name)
                self.assert_done(text)
                self.assertIn(text.stdout, (GOLDENS / "report.txt").read_bytes())
        self.assertEqual(document("compare", "--fixture", "23-normalization")["compare"],
                         report["compare"])

    def test_a_number_is_rounded_to_binary32_once_it_is_read(self):
        got = document("layer-norm", "--input", "0.1,0.7")["inputs"]["input"]
        self.assertEqual(got["values"], [binary32(0.1), binary32(0.7)])

    def test_a_vector_is_read_from_a_file(self):
        path = self.folder / "vector.txt"
        path.write_text("100 102 98 101 99 103\n")
        self.assertEqual(document("rms-norm", "--input", f"@{path}")["rms_norm"]["output"]["bits"],
                         document("rms-norm")["rms_norm"]["output"]["bits"])

    def test_width_one_has_no_variance_and_the_output_is_beta(self):
        finished = run("layer-norm", "--input", "3", "--beta", "0.25")
        self.assert_done(finished)
        self.assertIn(b"layer_norm_output=[+0.2500]", finished.stdout)
        self.assertIn(b"the variance is zero", finished.stdout)

    def test_a_choice_that_cannot_decide_is_said_so_and_not_passed(self):
        cases = {
            # One binary32 step at 1000 is 6.1e-5: a step of 1e-4 moves the input by one or two of
            # them, and the slope comes out wrong by tens of percent.
            ("--input", "1000,1000.01,1000.02", "--step", "1e-4"): "this step cannot decide: noise",
            # The input is moved past all its values: the differences are those of another place.
            ("--upstream", "1e-5,-2e-5,3e-5,-1e-5,2e-5", "--step", "1000"):
                "this step cannot decide: noise",
            # Below the rounding of the probes, and above the gradient itself.
            ("--tolerance", "1e-4"): "this tolerance cannot decide: noise",
            ("--tolerance", "1"): "this tolerance cannot decide: noise",
            ("--tolerance", "1", "--step", "1e-3"): "this step and tolerance cannot decide: noise",
        }
        for words, message in cases.items():
            with self.subTest(words=words):
                finished = run("layer-norm-backward", *words)
                self.assertEqual(finished.returncode, 1)
                self.assertIn("check central-differences is undecided", finished.stderr.decode())
                self.assertIn(message, finished.stderr.decode())
                self.assertIn("truncation", finished.stderr.decode())
                # On standard output it is not called wrong either.
                matches = re.search(r"^layer_norm_backward_matches=\[(.*)\]$",
                                    finished.stdout.decode(), re.M)[1].split(",")
                self.assertIn("undecided", matches)
                self.assertNotIn("false", matches)
                got = document("layer-norm-backward", *words)
                self.assertEqual(got["layer_norm_backward"]["matches"],
                                 [{"true": True, "undecided": None}[match] for match in matches])
                self.assertIsNone(got["checks"][0]["passed"])
                page = run("layer-norm-backward", "--format", "html", *words).stdout.decode()
                self.assertIn("a check could not decide", page)
                self.assertIn("</span> undecided</span>", page)
                self.assertNotIn('class="verdict bad"', page)
        both = run("rms-norm-backward", "--tolerance", "1").stdout.decode()
        for gradient in ("input", "gamma"):
            self.assertIn(f"_{gradient}_matches=[" + ",".join(5 * ["undecided"]) + "]\n", both)
        # The book's own choice decides.
        self.assert_done(run("layer-norm-backward", "--step", "1e-4", "--tolerance", "1e-3"))

    def test_the_checks_do_not_accuse_right_results(self):
        for words in ("layer-norm-backward --input 1,2,3 --upstream 1,1,1",
                      "layer-norm-backward --input 5,5,5",
                      "layer-norm-backward --input 0.001,0.003,0.002",
                      "layer-norm-backward --upstream 1000,-2000,3000,-1000,2000",
                      "layer-norm-backward --input 0,0.0001 --epsilon 0",
                      "rms-norm-backward --input 0,0",
                      "rms-norm-backward --input 1e-30,1e12",
                      "rms-norm-backward --input=-0.00801931,-0.0132436,-0.00248362",
                      "layer-norm --input 1e-20,0",
                      "rms-norm --input 1e-24,2e-24 --epsilon 1e-16"):
            with self.subTest(words=words):
                self.assert_done(run(*words.split()))

    def test_values_that_the_fixtures_step_does_not_fit_are_probed_in_units_of_their_row(self):
        wide = ",".join(str(place % 7) for place in range(17))
        for name in ("layer-norm-backward", "rms-norm-backward"):
            for values in ("3000,1,2", "1e6,-2e6,3e6,5", "7e9,-3e9,1e9", wide):
                with self.subTest(name=name, values=values):
                    got = document(name, "--input", values)
                    self.assertEqual(got["inputs"]["unit"], "row")
                    self.assertEqual(got["inputs"]["step"]["value"], 2**-14)
                    self.assertTrue(all(check["passed"] for check in got["checks"]),
                                    got["checks"])
            # The fixture's own vectors keep the fixture's step.
            own = document(name)["inputs"]
            self.assertEqual(own["step"]["value"], binary32(1e-4))
            self.assertNotIn("unit", own)
            self.assertNotIn("tolerance", own)
        given = document("layer-norm-backward", "--input", "3000,1,2", "--step", "0.5")
        self.assertEqual(given["inputs"]["step"]["value"], 0.5)

    def test_the_largest_disagreement_is_named_with_its_dimension(self):
        # The book says 0.0003 at dimension 2.
        largest = document("layer-norm-backward")["layer_norm_backward"]["largest_disagreement"]
        self.assertEqual(largest["value"]["display"], "0.0003")
        self.assertEqual(largest["dimension"], 2)

    def test_the_refused_division_is_shown_on_request(self):
        refused = document("constant", "--unguarded")["constant"]["outcomes"][2]
        self.assertEqual(refused["message"],
                         "LayerNorm epsilon is zero but the row has zero variance")
        self.assertEqual(refused["unguarded"], ["NaN"] * 4)
        self.assertNotIn("unguarded", document("constant")["constant"]["outcomes"][2])

    def test_a_final_norm_holds_the_output_of_pre_norm_stacks(self):
        for row in document("depth", "--final-norm")["depth"]:
            self.assertEqual(row["pre_norm_output_norm"]["display"], "2.000")

    def test_a_note_on_a_variance_of_zero_says_why_it_is_zero(self):
        self.assertIn(b"every deviation is zero", run("layer-norm", "--input", "2,2").stdout)
        lost = run("layer-norm", "--input", "1e-30,2e-30").stdout
        self.assertIn(b"their mean square is too small for binary32", lost)
        self.assertNotIn(b"the output is beta", lost)

    def test_without_epsilon_each_norm_of_equal_values_is_shown_once(self):
        finished = run("constant", "--epsilon", "0")
        self.assert_done(finished)
        lines = finished.stdout.splitlines()[:-1]  # the last one is of the inputs
        self.assertEqual(len(lines), len(set(lines)))
        self.assertEqual(len(lines), 3)

    def test_standard_input_is_read_by_one_option_alone(self):
        for name, first, second in (("layer-norm", "--input", "--gamma"),
                                    ("layer-norm", "--beta", "--gamma"),
                                    ("rms-norm", "--gamma", "--input"),
                                    ("stats", "--input", "--other"),
                                    ("closed-form", "--input", "--upstream"),
                                    ("layer-norm-backward", "--input", "--upstream"),
                                    ("rms-norm-backward", "--upstream", "--gamma")):
            with self.subTest(name=name, first=first, second=second):
                self.assert_refused(run(name, first, "-", second, "-", input=b"1 2 3"), 2,
                                    "standard input (-) is named more than once")
        self.assert_done(run("layer-norm", "--input", "-", "--gamma", "1,2,3", "-o", "-",
                             input=b"1 2 3"))

    def test_zero_and_the_least_binary32_number_are_taken_for_epsilon(self):
        for zero in ("0", "0.0", "0e9", "1e-45"):
            self.assert_done(run("layer-norm", "--epsilon", zero))

    def test_depth_takes_a_first_input_that_its_step_moves_as_meant(self):
        for first in ("255.9", "-255.9", "0", "1e-30"):
            self.assert_done(run("depth", "--input", first + ",1"))

    def test_bad_input_is_refused(self):
        cases = {
            ("depth", "--depths", "0"): ("--depths", "element 1", '"0"', "from 1 to 10000"),
            ("depth", "--depths", "1,10001"): ("--depths", "element 2", '"10001"', "10000"),
            ("depth", "--depths", "1,,2"): ("--depths", "element 2", '""'),
            ("depth", "--depths", ",".join(["1"] * 65)): ("--depths", "65", "at most 64"),
            ("depth", "--input", "1e9,1"): ("--input", "1000000000.0", "moves by 0.0"),
            # Neighbours of 16400 are 2^-9 away.
            ("depth", "--input", "16400,1"): ("--input", "16400.0", "moves by 0.001953125"),
            ("depth", "--input", "-600,1"): ("--input", "-600.0", "one percent"),
            ("layer-norm-backward", "--input", "1,3000,2", "--step", "1e-4"):
                ("--step", "does not change element 2", "3000.0"),
            ("rms-norm-backward", "--gamma", "1,1,1,1,4096", "--step", "1e-4"):
                ("--step", "does not change element 5", "4096.0"),
            ("layer-norm", "--input", "3", "--epsilon", "0"): ("LayerNorm", "zero variance"),
            ("layer-norm", "--input", "5,5", "--epsilon", "0"): ("LayerNorm", "zero variance"),
            ("layer-norm", "--input", "1,2", "--gamma", "1"): ("--gamma", "found 1 value;", "the input has, 2"),
            ("layer-norm", "--input", "1,2", "--beta", "1,2,3"): ("--beta", "found 3 values", "the input has, 2"),
            ("layer-norm", "--input", "1e39"): ("--input", "element 1", "1e39", "binary32"),
            ("layer-norm", "--input", "3e38,-3e38"): ("LayerNorm", "not finite"),
            ("layer-norm", "--epsilon", "-1"): ("--epsilon", '"-1"', "from 0"),
            ("layer-norm", "--epsilon", "nan"): ("--epsilon", '"nan"', "from 0"),
            ("rms-norm", "--input", "nan"): ("--input", "element 1", '"nan"'),
            ("rms-norm", "--input", "0,0", "--epsilon", "0"): ("RMSNorm", "epsilon is zero"),
            ("rms-norm", "--input", ",".join(["1"] * 4097)): ("--input", "4096"),
            ("rms-norm-backward", "--step", "0"): ("--step", '"0"', "above 0"),
            ("rms-norm-backward", "--step", "1e-50"): ("--step", '"1e-50"', "binary32"),
            ("layer-norm-backward", "--upstream", "1,2"): ("--upstream", "found 2", "has, 5"),
            ("rms-norm-backward", "--upstream", "1,2"): ("--upstream", "found 2", "has, 5"),
            ("rms-norm-backward", "--gamma", "1,2"): ("--gamma", "found 2", "has, 5"),
            ("rms-norm", "--gamma", "1,2"): ("--gamma", "found 2", "has, 6"),
            ("depth", "--depths", "1,2,1"): ("--depths", "element 3", '"1"', "once"),
            ("layer-norm", "--epsilon", "1e-50"): ("--epsilon", '"1e-50"', "binary32"),
            ("closed-form", "--upstream", "1"): ("--upstream", "found 1 value;", "has, 5"),
            ("constant", "--width", "0"): ("--width", '"0"', "from 1 to 4096"),
            ("constant", "--width", "4097"): ("--width", '"4097"', "from 1 to 4096"),
            ("constant", "--value", "1,2"): ("--value",),
            ("constant", "--value", "1e30"): ("RMSNorm", "not finite"),
            ("cost", "--width", "0"): ("--width", '"0"'),
            ("cost", "--width", "99999999999999999999"): ("--width", "from 1 to 1048576"),
            ("dense-stack", "--width", "1025"): ("--width", "1024"),
            ("dense-stack", "--input", "1,2", "--width", "2"): ("--width", "--input"),
            ("dense-stack", "--spread", "0"): ("--spread", '"0"'),
            ("dense-stack", "--seed", "4294967296"): ("--seed", "4294967295"),
            ("latent", "--rank", "0"): ("--rank", '"0"'),
            ("compare", "--fixture", "24"): ("--fixture", '"24"', "23-normalization"),
        }
        for words, parts in cases.items():
            with self.subTest(words=[word[:40] for word in words]):
                self.assert_refused(run(*words), 2, *parts)


class OwnValues(ProgramTest):
    """What every experiment does with the reader's own values."""

    GIVEN = {"stats": ["--input", "1e-7,3e-7", "--other", "5,6,8"],
             "layer-norm": ["--input", "1,2,4", "--gamma", "2,3,4", "--beta", "0.5,0,1"],
             "rms-norm": ["--input", "1,2,4", "--gamma", "2,3,4"],
             "depth": ["--input", "1,2", "--depths", "3,1", "--final-norm"],
             "layer-norm-backward": ["--input", "1,2,4", "--upstream", "1,0,-1", "--step", "1e-3",
                                     "--tolerance", "0.01"],
             "constant": ["--value", "3", "--width", "2", "--unguarded", "--epsilon", "0.25"],
             "rms-norm-backward": ["--input", "3000,1,2", "--gamma", "1,2,3"],
             "dense-stack": ["--width", "3", "--seed", "7", "--spread", "0.125"],
             "cost": ["--width", "17"],
             "closed-form": ["--input", "1,2,4", "--upstream", "1,0,-1", "--epsilon", "0"]}

    def test_a_document_is_a_case_that_gives_the_same_document(self):
        for name, words in self.GIVEN.items():
            for given in (words, []):
                with self.subTest(name=name, given=given):
                    path = self.folder / f"{name}.json"
                    self.assert_done(run(name, *given, "-o", path))
                    first = path.read_bytes()
                    again = run(name, "--case", path, "--format", "json")
                    self.assert_done(again)
                    # Beside a case the figures are quoted for a reader, which the values ignore.
                    values = re.sub(rb'"display": ("[^"]*"|\[[^]]*\])', b"", again.stdout)
                    self.assertEqual(values, re.sub(rb'"display": ("[^"]*"|\[[^]]*\])', b"", first))
                    path.unlink()

    def test_the_text_says_which_inputs_were_given(self):
        for name, words in self.GIVEN.items():
            with self.subTest(name=name):
                last = run(name, *words).stdout.decode().splitlines()[-1]
                self.assertTrue(last.startswith("inputs="), last)
                self.assertNotIn("inputs=", run(name).stdout.decode())
        for words, line in (
                (["layer-norm", "--gamma", "1,1,1,1,1,1"],
                 "inputs=input:default gamma:given beta:default epsilon:0.000010(default)"),
                (["cost", "--width", "3"], "inputs=width:3(given)"),
                (["dense-stack", "--input", "1,2"],
                 "inputs=input:given seed:5489(default) spread:0.5000(default) "
                 "epsilon:0.000010(default)"),
                (["constant", "--unguarded"],
                 "inputs=value:5.0(default) width:4(default) epsilon:0.000010(default) "
                 "unguarded:given"),
                (["depth", "--input", "1,2"],
                 "inputs=input:given depths:default epsilon:0.000001000(default) final_norm:default")):
            with self.subTest(words=words):
                self.assertEqual(run(*words).stdout.decode().splitlines()[-1], line)

    def test_beside_an_input_what_is_not_given_is_neutral(self):
        for name, keys in (("layer-norm", {"gamma": 1, "beta": 0}), ("rms-norm", {"gamma": 1}),
                           ("layer-norm-backward", {"upstream": 1}),
                           ("rms-norm-backward", {"gamma": 1, "upstream": 1}),
                           ("closed-form", {"upstream": 1})):
            with self.subTest(name=name):
                inputs = document(name, "--input", "1,2,4")["inputs"]
                for key, neutral in keys.items():
                    self.assertEqual(inputs[key]["values"], [neutral] * 3)
        # An adjoint alone belongs to the fixture's input.
        inputs = document("rms-norm-backward", "--upstream", "1,2,3,4,5")["inputs"]
        self.assertEqual(inputs["gamma"]["values"], [1, 0.5, 2, 1.5, 0.25])

    def test_one_value_everywhere_asks_layer_norm_for_a_gradient_of_zero(self):
        note = b"the slope of the normalized values' sum"
        self.assertIn(note, run("layer-norm-backward", "--input", "1,2,4").stdout)
        self.assertNotIn(note, run("layer-norm-backward", "--input", "1,2", "--upstream",
                                   "1,2").stdout)

    def test_figures_of_own_values_can_be_read(self):
        small = document("rms-norm", "--input", "1e-9,2e-9", "--epsilon", "1e-30")["rms_norm"]
        for key in ("mean_square", "inverse_rms", "output_rms"):
            self.assertGreater(float(small[key]["display"]), 0)
        self.assertIn(b"layer_norm_mean=2.3\n",
                      run("layer-norm", "--input", "1,2,4", "--digits", "2").stdout)
        self.assert_refused(run("cost", "--digits", "18"), 2, "--digits", '"18"', "from 1 to 17")

    def test_tensors_are_written_by_name(self):
        for name, tensor, of in (
                ("layer-norm", None, lambda d: d["layer_norm"]["output"]),
                ("rms-norm", "input", lambda d: d["rms_norm"]["input"]),
                ("layer-norm-backward", None, lambda d: d["layer_norm_backward"]["input_gradient"]),
                ("closed-form", "tape_gradient", lambda d: d["closed_form"]["tape_gradient"]),
                ("rms-norm-backward", None,
                 lambda d: d["rms_norm_backward"]["input_gradient"]["closed_form"]),
                ("rms-norm-backward", "gamma_gradient.tape",
                 lambda d: d["rms_norm_backward"]["gamma_gradient"]["tape"])):
            with self.subTest(name=name, tensor=tensor):
                path = self.folder / "y.npy"
                words = ["--tensor", tensor] if tensor else []
                self.assert_done(run(name, "--input", "1,2,4", *words, "-o", path))
                values = of(document(name, "--input", "1,2,4"))["values"]
                self.assertEqual(struct.unpack("<3d", path.read_bytes()[-24:]), tuple(values))
        self.assert_refused(run("rms-norm-backward", "--tensor", "tape", "-o",
                                self.folder / "z.npy"), 2, "--tensor", '"tape"',
                            "input_gradient.tape, ", "gamma_gradient.tape, ")
        self.assert_refused(run("cost", "-o", self.folder / "z.npy"), 2, "--output", "z.npy")

    def test_an_input_file_is_not_overwritten(self):
        path = self.folder / "x.json"
        path.write_text("[1, 2, 4]")
        self.assert_refused(run("stats", "--input", f"@{path}", "-o", path), 2, "--force")
        self.assert_done(run("stats", "--input", f"@{path}", "-o", path, "--force"))
        self.assertEqual(json.loads(path.read_text())["experiment"], "stats")

    def test_a_case_is_refused_by_its_key(self):
        path = self.folder / "case.json"
        for name, case, *parts in (
                ("layer-norm", {"input": [1, 2], "gamma": [1]}, "gamma", "found 1 value;"),
                ("layer-norm", {"gama": [1]}, "gama", "accepted"),
                ("depth", {"input": [16400, 1]}, "input", "moves by"),
                ("depth", {"depths": [1, 10001]}, "depths", "element 2", "from 1 to 10000"),
                ("constant", {"width": 0}, "width", "from 1 to 4096"),
                ("constant", {"unguarded": 1}, "unguarded", "true or false"),
                ("dense-stack", {"input": [1, 2], "width": 2}, "width", "input", "one of them"),
                ("layer-norm-backward", {"unit": "row", "step": 0.5}, "unit", '"row"', "accepted"),
                ("layer-norm-backward", {"unit": "rows"}, "unit", '"rows"', "accepted")):
            with self.subTest(name=name, case=case):
                path.write_text(json.dumps(case))
                self.assert_refused(run(name, "--case", path), 2, "--case", *parts)

    def test_a_refusal_of_the_layer_names_the_input_and_the_remedy(self):
        for words in (["layer-norm", "--input", "5,5", "--epsilon", "0"],
                      ["rms-norm", "--input", "0,0", "--epsilon", "0"],
                      ["closed-form", "--input", "5,5", "--epsilon", "0"],
                      ["rms-norm-backward", "--input", "0,0", "--epsilon", "0"]):
            with self.subTest(words=words):
                self.assert_refused(run(*words), 2, "--input, --epsilon: ", "an epsilon above 0")
        for name, accepted in (("layer-norm", "stay finite"), ("stats", "squares of at most 3.4e38")):
            with self.subTest(name=name):
                self.assert_refused(run(name, "--input", "3e38,-3e38"), 2, "--input: ", accepted)


if __name__ == "__main__":
    unittest.main()
