"""Every experiment on the reader's own values: options, files, checks, refusals."""

import json
import os
import re
import resource
import struct
import subprocess
import unittest

import numpy as np

from program import PROGRAM, ProgramTest, clean_environment, document, experiments, run, sanitized

# With each option of each experiment at least once: words, and a path and its value in the JSON.
ACCEPTED = [
    (["forward", "--input", "6,8"], "inputs/input/values", [6, 8]),
    (["forward", "--input", "1,2,3,4", "--shape", "2,2"], "primary/output/shape", [2, 2]),
    (["forward", "--input", "1,2,3"], "inputs/gain/values", [1, 1, 1]),
    (["forward", "--input", "6,8"], "inputs/gain/values", [1, 1]),
    (["forward", "--epsilon", "1"], "inputs/gain/values", [1.5, 0.5]),
    (["backward", "--input", "6,8"], "inputs/upstream/values", [1, 1]),
    (["forward", "--gain", "2,-3"], "inputs/gain/values", [2, -3]),
    (["forward", "--epsilon", "0.25"], "inputs/epsilon/value", 0.25),
    (["forward", "--gain-name", "a.b"], "inputs/gain_name", "a.b"),
    (["backward", "--gain-name", "a.b"], "inputs/gain_name", "a.b"),
    (["batch", "--gain-name", "a.b"], "inputs/gain_name", "a.b"),
    (["gradcheck", "--gain-name", "a.b"], "inputs/gain_name", "a.b"),
    (["forward", "--input=-3,4"], "inputs/input/values", [-3, 4]),
    (["forward", "--input", "[3,4]"], "inputs/input/values", [3, 4]),
    (["forward", "--input", " [[1, 2], [3, 4]]"], "inputs/input/shape", [2, 2]),
    (["forward", "--input=[5]"], "inputs/input/values", [5]),
    (["forward", "--gain", "[2, -3]"], "inputs/gain/values", [2, -3]),
    (["forward", "--input", "1,2,3,4", "--shape", "[2, 2]"], "primary/output/shape", [2, 2]),
    (["forward", "--input", "1,2,3", "--max-elements", "3"], "experiment", "forward"),
    (["backward", "--upstream", "0.5,0.25"], "inputs/upstream/values", [0.5, 0.25]),
    (["backward", "--input", "1,2,3,4", "--shape", "2,2", "--upstream", "1,0,0,1"],
     "inputs/upstream/shape", [2, 2]),
    (["backward", "--input", "1,2,3,4", "--shape", "2,2"], "inputs/upstream/values", [1, 1, 1, 1]),
    (["backward", "--gain", "1,1", "--epsilon", "1"], "inputs/epsilon/value", 1),
    (["scale", "--input", "1,1", "--epsilon", "0,1", "--factor", "2,3,4"], "scales/5/factor/value",
     4),
    (["scale", "--epsilon", "0,1", "--factor", "2,3,4"], "scales/3/epsilon/value", 1),
    (["scale", "--factor", "2"], "inputs/cases/1/epsilon/value", 1e-5),
    (["sweep", "--input", "1,2,3", "--epsilon", "1e-3", "--from", "0.001", "--to", "10",
      "--points", "5"], "sweep/4/factor/value", 10),
    (["zero", "--width", "5"], "zero/output/values", [0] * 5),
    (["zero", "--epsilon", "0"], "zero/rejection/error", "ZeroEnergyRow"),
    (["batch", "--input", "1,2,3,4,5,6", "--shape", "3,2"], "batch/output/shape", [3, 2]),
    (["batch", "--gain", "2,2", "--epsilon", "0"], "inputs/gain/values", [2, 2]),
    (["history", "--anchor", "1,2,4"], "inputs/companions/0/values", [1, 2, 4]),
    (["history", "--companion", "1,1", "--companion", "9,8"], "history/batch_norm/1/shape", [2]),
    (["history", "--epsilon", "0.5"], "inputs/epsilon/value", 0.5),
    (["gradcheck", "--input", "1,2,3", "--step", "1e-5", "--tolerance", "1e-3"],
     "inputs/step/value", 1e-5),
    (["gradcheck", "--input", "1,2,3", "--samples", "2", "--seed", "7"], "input_checks/1/passed",
     True),
    (["gradcheck", "--input", "1e12,1e12"], "inputs/unit", "row"),
    (["gradcheck", "--input", "1e9,2e9"], "gradcheck", True),
    (["parameters", "--decay", "decoder.block.0.attention_norm.gain"], "config/no_decay", False),
    (["parameters", "--no-decay", "decoder.block.0.attention_norm.gain"], "config/no_decay", True),
    (["parameters", "--gain-name", "my.gain"], "config/gain_name", "my.gain"),
]

# Words and what the one line on standard error names: the option, what was found, what is accepted.
REFUSED = [
    (["forward", "--input", "nan"], "--input", '"nan"', "finite decimal"),
    (["forward", "--input", "3,inf"], "--input", "element 2", '"inf"'),
    (["forward", "--input", "1e999"], "--input", '"1e999"', "1.7976931348623157e308"),
    (["forward", "--input", ""], "--input", "accepted"),
    (["forward", "--input", " "], "--input", "rows without a feature"),
    (["forward", "--input", "3,4,"], "--input", "nothing after the last comma"),
    (["forward", "--input", "3;4"], "--input", '"3;4"'),
    (["forward", "--input", "0x10"], "--input", '"0x10"'),
    (["forward", "--input", "1'000"], "--input", "1'000"),
    (["forward", "--input"], "--input", "no value", "VALUES"),
    (["forward", "--shape", "3"], "--shape", "[3] for 2 values"),
    (["forward", "--shape", "-1,2"], "--shape", '"-1"', "whole number such as 8"),
    (["forward", "--shape", "0"], "--shape", "[0] for 2 values"),
    (["forward", "--shape", "4294967296,4294967296,4294967296"], "--shape", "counted"),
    (["forward", "--gain", "1,2,3"], "--gain", "3 values", "feature width, 2"),
    (["forward", "--gain", "1", "--input", "1,2,3"], "--gain", "1 value of shape"),
    (["forward", "--gain-name", "a..b"], "--gain-name", "empty part", "accepted: a name such as"),
    (["forward", "--gain-name", ""], "--gain-name", "empty", "accepted: a name such as"),
    (["forward", "--man"], '"--man"', "accepted: rmsnorm-fixture --man"),
    (["forward", "--epsilon", "-1"], "--epsilon", '"-1"', "from 0"),
    (["forward", "--epsilon", "small"], "--epsilon", '"small"'),
    (["forward", "--epsilon", "nan"], "--epsilon", '"nan"'),
    (["forward", "--epsilon", "inf"], "--epsilon", '"inf"'),
    (["forward", "--epsilon", "1e-400"], "--epsilon", '"1e-400"', "would be zero", "5e-324"),
    (["sweep", "--from", "0.001e-330"], "--from", '"0.001e-330"', "would be zero", "5e-324"),
    (["compare", "--offset", "-1e-999"], "--offset", '"-1e-999"', "would be zero"),
    (["forward", "--input", "1,2,3", "--max-elements", "2"], "--input", "at most 2"),
    (["forward", "--max-elements", "0"], "--max-elements", '"0"'),
    (["forward", "--input", "-", "--gain", "-"], "standard input", "once"),
    (["forward", "-o", "x.npy", "--format", "json"], "--output", "--format json"),
    (["forward", "--input", "0,0", "--epsilon", "0"], "row 0", "zero mean square"),
    (["backward", "--upstream", "1,2,3"], "--upstream", "3 values", "[2]"),
    (["backward", "--input", "1,2,3,4", "--shape", "2,2", "--upstream", "1,2"], "--upstream",
     "[2, 2]"),
    (["scale", "--factor", "0"], "--factor", "element 1", "above 0"),
    (["scale", "--factor", "2,-1"], "--factor", "element 2", "above 0"),
    (["scale", "--epsilon", "0,-1"], "--epsilon", "element 2", "from 0"),
    (["scale", "--input", "1e300", "--factor", "1e10", "--epsilon", "1"], "--input", "not finite",
     "accepted"),
    (["scale", "--factor", "1e308"], "--factor", "1e308 * input", "accepted"),
    (["scale", "--input", "1,1", "--factor", "1e200"], "--factor", "RMSNorm square", "accepted"),
    (["scale", "--input", "0,0"], "--input", "epsilon 0", "zero mean square", "accepted"),
    (["scale", "--input", "1", "--factor", ",".join(["2"] * 300), "--epsilon",
      ",".join(["0.5"] * 300)], "--factor", "300 epsilons times 300 factors", "32768"),
    (["scale", "--input", "1,2", "--factor", "1,2,3", "--max-elements", "7"], "--factor",
     "--max-elements"),
    (["sweep", "--from", "0"], "--from", '"0"', "above 0"),
    (["sweep", "--to", "-1"], "--to", '"-1"'),
    (["sweep", "--from", "2", "--to", "1"], "--from", "below --to"),
    (["sweep", "--points", "1"], "--points", '"1"', "from 2"),
    (["sweep", "--points", "100000"], "--points", "to 1000"),
    (["sweep", "--input", "0,0"], "--input", "zero mean square", "for comparison", "accepted"),
    (["sweep", "--from", "1e-200"], "--from", "1e-200 * input", "epsilon 0, for comparison"),
    (["sweep", "--to", "1e308"], "--input", "not finite", "accepted"),
    (["sweep", "--from", "1", "--to", "1.0000001", "--points", "10"], "--points", "10 factors",
     "fewer points"),
    (["sweep", "-o", "x.npy"], "--output", "x.npy"),
    (["forward", "--input", "[3,4"], "--input", "line 1, column 5", "closing bracket"),
    (["forward", "--input", "[[1,2],[3]]"], "--input", "/1 (line 1)"),
    (["forward", "--input", "1,000"], "--input", "element 2", '"000"', "thousand is 1000"),
    (["forward", "--shape", "1,002"], "--shape", "element 2", '"002"', "thousand is 1000"),
    (["depth", "--depths", "1,000"], "--depths", "element 2", '"000"', "thousand is 1000"),
    (["stats", "--input", "1,000"], "--input", "element 2", '"000"', "thousand is 1000"),
    (["forward", "--input", "\u22123,4"], "--input", 'element 1', '"\u22123"', "ASCII"),
    (["forward", "--input", "3\u200b,4"], "--input", '"3\\xe2\\x80\\x8b"', "ASCII"),
    (["forward", "--case", ""], "--case: found no file name", "accepted"),
    (["forward", "--case", "@"], "--case @: found no file name", "accepted"),
    (["predict", "--answers", ""], "--answers: found", "accepted"),
    (["predict", "--answers", "@"], "--answers: found", "accepted"),
    (["zero", "--width", "0"], "--width", '"0"', "from 1 to 4194304"),
    (["zero", "--width", "8", "--max-elements", "7"], "--width", '"8"', "from 1 to 7"),
    (["zero", "--width", "-3"], "--width", '"-3"'),
    (["zero", "--width", "5000000"], "--width", "from 1 to 4194304"),
    (["zero", "--width", "99999999999999999999999"], "--width", "whole number"),
    (["batch", "--input", "1,2,3", "--shape", "2,2"], "--shape", "[2, 2] for 3 values"),
    (["history", "--anchor", "1,2,3", "--companion", "1,2"], "--companion", "2 values", "3"),
    (["history", "--anchor", "0,0"], "--anchor", "epsilon zero", "zero mean square", "accepted"),
    (["history", "--anchor", "1e200,1"], "--anchor", "variance of the row", "not finite"),
    (["history", "--anchor", "2,2", "--epsilon", "0"], "--anchor", "the row has zero variance"),
    (["gradcheck", "--step", "0"], "--step", '"0"', "above 0"),
    (["gradcheck", "--step", "-1e-6"], "--step", "above 0"),
    (["gradcheck", "--tolerance", "-1"], "--tolerance", "from 0"),
    (["gradcheck", "--samples", "0"], "--samples", "from 1"),
    (["gradcheck", "--seed", "-1"], "--seed", "from 0"),
    (["gradcheck", "--input", "1e100,1", "--step", "1e-6"], "--step", "--input element 1",
     "does not change", "accepted"),
    (["gradcheck", "--step", "1e300"], "--step: found 1e300", "not finite", "accepted"),
    (["gradcheck", "--input", "3", "--epsilon", "0", "--step", "3"], "--step: found 3",
     "zero mean square", "accepted"),
    (["gradcheck", "--input", "0", "--epsilon", "0", "--step", "3"], "--input, --epsilon: "),
    (["layer-norm-backward", "--step", "1e30"], "--step: found 1.", "not finite", "another step"),
    (["rms-norm-backward", "--step", "1e30"], "--step: found 1.", "not finite", "another step"),
    (["layer-norm-backward", "--input", "3,6", "--epsilon", "0", "--step", "3"], "--step: found 3",
     "zero variance"),
    (["layer-norm-backward", "--input", "3,3", "--epsilon", "0"], "--input, --epsilon: "),
    (["gradcheck", "--gain", "1,1e100", "--tolerance", "1"], "--step", "--gain element 2",
     "does not change", "accepted"),
    (["parameters", "--decay", "a b"], "--decay", "white space"),
    (["parameters", "--decay", "other"], "--decay", '"other"', "no parameter of the model",
     '"decoder.block.0.attention_norm.gain"'),
    (["parameters", "--decay", "a", "--no-decay", "a"], "--decay", '"a"',
     "no parameter of the model"),
    (["parameters", "--no-decay", "other"], "--no-decay", '"other"', "accepted"),
    (["parameters", "--decay", "g", "--decay", "g", "--gain-name", "g"], "--decay", '"g"', "twice"),
    (["parameters", "--decay", "g", "--no-decay", "g", "--gain-name", "g"], "--decay, --no-decay",
     '"g"', "one of the two"),
    (["backward", "--input", "1e-3,1e-4", "--epsilon", "0", "--upstream", "1e308,1e308"],
     "RMSNorm normalize", "adjoint"),
    (["backward", "--gain", "1e200,1", "--upstream", "1e200,1"], "RMSNorm apply gain", "adjoint"),
    (["forward", "--input", "1e200,1"], "square", "flat index 0"),
    (["forward", "--input", "1.3e154,1.3e154"], "mean square", "flat index 0"),
    (["forward", "--input", "1.3e154,0", "--epsilon", "1.7e308"], "stabilize"),
    (["forward", "--input", "1,0", "--gain", "1.7e308,1"], "--input, --gain: ", "apply gain"),
    # Blamed are the values that enter the number that is not finite.
    (["forward", "--input", "1e200,1", "--gain", "1,2"], "--input: "),
    (["forward", "--input", "1e200,1", "--epsilon", "1e308"], "--input: "),
    (["forward", "--input", "1.3e154,0", "--epsilon", "1.7e308"], "--input, --epsilon: "),
    (["backward", "--upstream", "1e308,1e308", "--gain", "10,10"], "--gain, --upstream: "),
    (["gradcheck", "--upstream", "1e308,1e308"], "--upstream: "),
    (["layer-norm", "--gamma", ",".join(["3e38"] * 6)], "--gamma: ", "feature 1"),
    (["layer-norm", "--beta", "1e30,2e30,0,0,0,0"], "--gamma, --beta: ", "output's variance"),
    (["rms-norm-backward", "--upstream", ",".join(["3e38"] * 5), "--gamma",
      ",".join(["100"] * 5)], "--gamma, --upstream: "),
    (["stats", "--other", "1e38,3e38"], "--other: ", "variance", "3.4e38"),
    (["latent", "--spread", "1e38"], "--spread: ", "mean square"),
    (["compare", "--input", "1e308,-1e308"], "--input: ", "stay finite"),
    (["compare", "--gain", "1"], "found 1 value;"),
    (["history", "--anchor", "1,2", "--companion", "1"], "found 1 value;"),
    (["forward", "--input="], "--input: found no value after the =; accepted: VALUES"),
]


def pick(tree, path):
    for key in path.split("/"):
        tree = tree[int(key)] if key.isdigit() else tree[key]
    return tree


def layer(x, gain, epsilon):
    """RMSNorm in numpy's own arithmetic: right to a few units in the last place."""
    return x / np.sqrt(np.mean(x * x, axis=-1, keepdims=True) + epsilon) * gain


class Options(ProgramTest):
    def test_every_option_takes_the_readers_values_and_every_check_holds(self):
        for words, path, expected in ACCEPTED:
            with self.subTest(words=words):
                finished = run(*words, "--format", "json")
                self.assert_done(finished)
                whole = json.loads(finished.stdout)
                self.assertEqual(pick(whole, path), expected)
                self.assertTrue(whole["checks"])
                self.assertTrue(all(check["passed"] for check in whole["checks"]))
                text = run(*words)
                self.assert_done(text)
                self.assertTrue(text.stdout.isascii())

    def test_every_bad_value_is_refused_in_one_line_at_once(self):
        for words, *parts in REFUSED:
            with self.subTest(words=words):
                finished = run(*words, cwd=self.folder)
                self.assert_refused(finished, 2, *parts)
                self.assertNotIn("TEXT", finished.stderr.decode())
                self.assertEqual(self.files(), [])

    def test_a_refusal_costs_little_time_and_memory(self):
        if sanitized():
            self.skipTest("sanitizers take time and memory of their own")

        def limit():
            resource.setrlimit(resource.RLIMIT_AS, (64 << 20, 64 << 20))

        for words, *_ in REFUSED:
            with self.subTest(words=words):
                before = resource.getrusage(resource.RUSAGE_CHILDREN)
                self.assertEqual(run(*words, preexec_fn=limit).returncode, 2)
                after = resource.getrusage(resource.RUSAGE_CHILDREN)
                # Processor time, so that a busy machine does not matter.
                self.assertLess(after.ru_utime + after.ru_stime - before.ru_utime
                                - before.ru_stime, 0.1)

    def test_the_help_shows_each_default(self):
        for experiment, parts in {
                "forward": ["3,4", "1.5,0.5", "1e-5", "4194304"],
                "backward": ["1,-2"],
                "scale": ["0,1e-5", "10"],
                "sweep": ["3,4", "17", "100"],
                "zero": ["default: 2"],
                "history": ["1,3", "5,7"],
                "gradcheck": ["64", "default: 0)"],
                "parameters": ["decoder.block.0.attention_norm.gain"]}.items():
            text = " ".join(run(experiment, "--help").stdout.decode().split())
            for part in parts:
                with self.subTest(experiment=experiment, part=part):
                    self.assertIn(part, text)

    def test_checks_in_the_text_name_measure_bound_and_verdict(self):
        lines = run("backward", "--checks").stdout.decode().splitlines()
        checks = [line for line in lines if line.startswith("check=")]
        self.assertEqual(len(checks), 5)
        for line in checks:
            self.assertRegex(line, r"^check=name:\S+ measure:\S+ bound:\S+ passed:true statement:.")

    def test_a_failing_check_is_exit_code_1_and_named(self):
        for words, chosen in ({"--step 1000": "step", "--step 1e-13": "step",
                               "--tolerance 1e-15": "tolerance", "--tolerance 100": "tolerance",
                               "--step 1e3 --tolerance 1e-3": "step and tolerance",
                               "--input 1e9,2e9 --tolerance 2e-6": "step and tolerance"}).items():
            with self.subTest(words=words):
                finished = run("gradcheck", *words.split())
                self.assertEqual(finished.returncode, 1)
                self.assertIn(f"(this {chosen} cannot decide: noise ", finished.stderr.decode())
                self.assertRegex(finished.stdout.decode(), r"^gradcheck=.* passed:undecided\n")
                self.assertIn(b" passed:undecided\n", finished.stdout.partition(b"\n")[2])
                # Nobody called anything wrong.
                checked = run("gradcheck", "--checks", *words.split()).stdout.decode()
                self.assertNotIn("passed:false", checked)
                self.assertRegex(checked, r"check=name:\w+-gradient .* passed:undecided statement:")
                got = document("gradcheck", *words.split())
                self.assertIsNone(got["gradcheck"])
                coordinates = got["input_checks"] + got["gain_checks"]
                for of in (coordinates, got["checks"]):
                    verdicts = [one["passed"] for one in of]
                    self.assertIn(None, verdicts)
                    self.assertNotIn(False, verdicts)
                page = run("gradcheck", "--format", "html", *words.split()).stdout.decode()
                self.assertIn("a check could not decide", page)
                self.assertNotIn('class="verdict bad"', page)
        self.assert_done(run("gradcheck", "--step", "1e-5", "--tolerance", "1e-6"))
        finished = run("gradcheck", "--tolerance", "0")
        self.assertEqual(finished.returncode, 1)
        self.assertIn(b"gradcheck=", finished.stdout)
        self.assertIn(b"passed:undecided", finished.stdout)
        self.assertRegex(finished.stderr.decode(), r"check (input|gain)-gradient is undecided: measured")

    def test_the_sampled_coordinates_are_all_in_the_json_and_the_worst_in_the_text(self):
        words = ["gradcheck", "--input", ",".join(map(str, range(1, 201)))]
        whole = document(*words)
        self.assertEqual(len(whole["input_checks"]), 64)
        indices = [check["index"] for check in whole["input_checks"]]
        self.assertEqual(indices, sorted(set(indices)))
        worst = [line for line in run(*words).stdout.decode().splitlines()
                 if line.startswith("worst=")]
        self.assertEqual(len(worst), 5)
        errors = [check["scaled_error"]["value"]
                  for check in whole["input_checks"] + whole["gain_checks"]]
        shown = re.search(r"scaled_error:(\S+)", worst[0])[1]
        # Seven significant digits.
        self.assertLessEqual(abs(float(shown) / max(errors) - 1), 5e-7)
        other = document(*words, "--seed", "1")
        self.assertNotEqual([check["index"] for check in other["input_checks"]], indices)

    def test_the_scale_text_has_a_line_for_every_combination(self):
        lines = run("scale", "--epsilon", "0,1e-8", "--factor", "2,0.5,8").stdout.decode()
        self.assertEqual(lines.count("_scale="), 6)
        self.assertIn("production_scale=epsilon:0.000000010 factor:0.500000 ", lines)

    def test_the_sweep_is_plotted_in_plain_characters(self):
        lines = run("sweep").stdout.decode().splitlines()
        bars = [line for line in lines if line.endswith(("epsilon", "transition", "signal"))
                and "|" in line]
        self.assertEqual(len(bars), 17)
        filled = [line.count("#") for line in bars]
        self.assertEqual(filled, sorted(filled))
        self.assertEqual((filled[0], filled[-1]), (0, 50))
        points = document("sweep")["sweep"]
        for point in points:
            mean_square = 12.5 * point["factor"]["value"] ** 2
            # Relative rounding of a handful of operations.
            self.assertAlmostEqual(point["closed_form"]["value"] / (mean_square /
                                                                    (mean_square + 1e-5)), 1, 12)
        self.assertEqual({point["regime"] for point in points}, {"epsilon", "transition", "signal"})


class LongTensors(ProgramTest):
    def test_sixty_four_values_are_printed_in_full_and_more_are_not(self):
        for count, truncated in ((64, False), (65, True)):
            with self.subTest(count=count):
                values = ",".join(map(str, range(1, count + 1)))
                whole = document("forward", "--input", values)
                for tensor in (whole["inputs"]["input"], whole["primary"]["output"]):
                    self.assertEqual(tensor["shape"], [count])
                    self.assertEqual(tensor.get("truncated", False), truncated)
                    self.assertEqual(len(tensor["values"]), 64)
                    self.assertEqual(len(tensor["bits"]), 64)
                text = run("forward", "--input", values).stdout.decode()
                self.assertEqual(f",...({count} values)]" in text, truncated)
                full = document("forward", "--input", values, "--full")
                self.assertIs(full["inputs"]["input"]["truncated"], False)
                self.assertEqual(len(full["inputs"]["input"]["values"]), count)
                self.assertNotIn("...", run("forward", "--input", values, "--full").stdout.decode())


class Memory(ProgramTest):
    def test_too_little_memory_names_the_command_line(self):
        if sanitized():
            self.skipTest("a sanitizer reserves more memory than the limit")
        np.save(self.folder / "x.npy", np.ones((1024, 1024)))

        def limit():
            resource.setrlimit(resource.RLIMIT_AS, (48 << 20, 48 << 20))

        # The tape of eight megabytes of values needs many times as much.
        result = subprocess.run([PROGRAM, "forward", "--input", f"@{self.folder / 'x.npy'}"],
                                capture_output=True, preexec_fn=limit, env=clean_environment(),
                                check=False)
        self.assert_refused(result, 2, "not enough memory", "forward --input", "x.npy",
                            "accepted")


class Files(ProgramTest):
    def save(self, name, array):
        np.save(self.folder / name, array)
        return f"@{self.folder / name}"

    def test_values_come_from_npy_json_text_and_standard_input(self):
        array = np.array([[3, 4], [0, 5]], dtype=">f4")
        (self.folder / "x.json").write_text("[[3, 4], [0, 5]]")
        (self.folder / "x.txt").write_text("# rows\n3 4\n0\t5\n")
        expected = document("forward", "--input", "3,4,0,5", "--shape", "2,2")
        for argument in (self.save("x.npy", array), f"@{self.folder / 'x.json'}",
                         f"@{self.folder / 'x.txt'}", self.save("f.npy", np.asfortranarray(array))):
            with self.subTest(argument=argument):
                self.assertEqual(document("forward", "--input", argument), expected)
        piped = run("forward", "--input", "-", "--format", "json", input=b"3 4\n0 5\n")
        self.assertEqual(json.loads(piped.stdout), expected)

    def test_a_zero_that_is_written_with_an_exponent_is_a_zero(self):
        for zero in ("0", "0.0", "-0", "0e5", "0.000e-400", ".0"):
            with self.subTest(zero=zero):
                epsilon = document("forward", f"--epsilon={zero}")["inputs"]["epsilon"]["value"]
                self.assertEqual(epsilon, 0)

    def test_a_batch_without_rows_is_accepted_where_the_layer_has_a_result(self):
        empty = self.save("empty.npy", np.zeros((0, 3)))
        for command in ("forward", "backward", "batch", "gradcheck"):
            with self.subTest(command=command):
                result = document(command, "--input", empty)
                self.assertEqual(result["inputs"]["input"]["shape"], [0, 3])
                self.assertTrue(all(check["passed"] for check in result["checks"]))
                flat = self.save("flat.npy", np.zeros((3, 0)))
                self.assert_refused(run(command, "--input", flat), 2, flat, "[3, 0]", "feature")
        for command in ("forward", "backward"):
            output = self.folder / f"{command}.npy"
            self.assertEqual(run(command, "--input", empty, "-o", output).returncode, 0)
            self.assertEqual(np.load(output).shape, (0, 3))

    def test_a_limit_that_is_due_to_fortran_order_says_so(self):
        argument = self.save("f.npy", np.asfortranarray(np.ones((3, 4))))
        words = ["forward", "--input", argument, "--max-elements", "11"]
        self.assert_refused(run(*words, "-o", self.folder / "o.npy"), 2, argument, "12 values",
                            "Fortran order", "C order", "--max-elements")
        argument = self.save("c.npy", np.ones((3, 4)))
        words = ["forward", "--input", argument, "--max-elements", "11"]
        self.assertEqual(run(*words, "-o", self.folder / "o.npy").returncode, 0)

    def test_experiments_name_the_checks_that_fit_them(self):
        for command, expected in (
                ("history", {"rms-norm-closed-form", "layer-norm-mean", "layer-norm-closed-form",
                             "batch-norm-closed-form", "replay"}),
                ("batch", {"row-independence", "empty-batch", "closed-form", "replay"}),
                ("backward", {"input-gradient-differences", "gain-gradient-differences",
                              "closed-form", "row-independence", "replay"}),
                ("gradcheck", {"input-gradient", "gain-gradient", "input-gradient-differences",
                               "gain-gradient-differences", "replay"})):
            with self.subTest(command=command):
                names = [check["name"] for check in document(command)["checks"]]
                self.assertEqual(set(names), expected)
                self.assertEqual(len(names), len(expected))

    def test_a_refused_number_of_a_list_names_its_file(self):
        for option in ("--factor", "--epsilon"):
            argument = self.save("numbers.npy", np.array([1.0, -2.0]))
            self.assert_refused(run("scale", option, argument), 2, option, argument, "element 2")

    def test_a_case_gives_what_no_option_gives(self):
        case = self.folder / "case.json"
        case.write_text(json.dumps({"shape": [2, 2], "input": [1, 2, 3, 4], "gain": [2, 3],
                                    "upstream": [[1, 0], [0, 1]], "epsilon": 0.5}))
        used = document("backward", "--case", case)["inputs"]
        self.assertEqual(document("backward", "--case", f"@{case}")["inputs"], used)
        self.assertEqual(used["input"]["shape"], [2, 2])
        self.assertEqual(used["gain"]["values"], [2, 3])
        self.assertEqual(used["upstream"]["values"], [1, 0, 0, 1])
        self.assertEqual(used["epsilon"]["value"], 0.5)
        used = document("backward", "--case", case, "--epsilon", "1", "--gain", "1,1")["inputs"]
        self.assertEqual((used["epsilon"]["value"], used["gain"]["values"]), (1, [1, 1]))
        case.write_text('{"epsilon": 0.25}')
        used = document("forward", "--case", case)["inputs"]
        self.assertEqual((used["input"]["values"], used["epsilon"]["value"]), ([3, 4], 0.25))

    def test_a_bad_case_is_refused_by_its_key(self):
        for case, *parts in (('{"epsilon": -1}', "epsilon", "found -1"),
                             ('{"gain": [1, 2, 3]}', "gain", "3 values"),
                             ('{"upstream": [1, 2, 3]}', "upstream", "3 values"),
                             ('{"shape": [3]}', "shape", "[3] for 2 values"),
                             ('{"inptu": [1]}', "inptu"),
                             ('[1, 2]', "accepted")):
            with self.subTest(case=case):
                (self.folder / "case.json").write_text(case)
                self.assert_refused(run("backward", "--case", self.folder / "case.json"), 2,
                                    "--case", *parts)

    def test_what_cannot_be_read_is_exit_code_3(self):
        for words in (["forward", "--input", f"@{self.folder}"],
                      ["forward", "--input", f"@{self.folder / 'none'}"],
                      ["forward", "--gain", f"@{self.folder / 'none'}"],
                      ["forward", "--case", self.folder / "none"],
                      ["forward", "--input", f"@{self.folder / 'none'}", "-o",
                       self.folder / "x.npy"]):
            with self.subTest(words=words):
                self.assert_refused(run(*words), 3, words[1])
                self.assertEqual(self.files(), [])

    def test_a_fifo_that_closes_early_is_refused(self):
        fifo = self.folder / "fifo"
        os.mkfifo(fifo)
        with subprocess.Popen([PROGRAM, "forward", "--input", f"@{fifo}", "-o",
                               str(self.folder / "out.npy")],
                              stdout=subprocess.PIPE, stderr=subprocess.PIPE) as process:
            np.save(self.folder / "x.npy", np.ones((4, 8)))
            with open(fifo, "wb") as file:
                file.write((self.folder / "x.npy").read_bytes()[:200])
            message = process.stderr.read()
        self.assertEqual(process.returncode, 2, message)
        self.assertIn(b"--input", message)
        self.assertFalse((self.folder / "out.npy").exists())

    def test_a_scalar_file_needs_a_shape(self):
        argument = self.save("x.npy", np.float64(3))
        self.assert_refused(run("forward", "--input", argument), 2, "--input", "[]", "axis")
        self.assert_done(run("forward", "--input", argument, "--shape", "1"))


class NpyOutput(ProgramTest):
    def forward(self, array, *words):
        np.save(self.folder / "in.npy", array)
        finished = run("forward", "--input", f"@{self.folder / 'in.npy'}", "-o",
                       self.folder / "out.npy", *words)
        self.assert_done(finished)
        self.assertEqual(finished.stdout, b"")
        return np.load(self.folder / "out.npy")

    def test_the_block_path_has_the_bits_of_the_tape(self):
        generator = np.random.default_rng(25)
        for shape in ((1,), (7, 3), (2, 5, 8), (40, 1000), (3, 50000)):
            for epsilon in ("0", "1e-5", "2.5"):
                with self.subTest(shape=shape, epsilon=epsilon):
                    array = generator.standard_normal(shape) * 10.0 ** generator.integers(-9, 9,
                                                                                         shape)
                    gain = generator.standard_normal(shape[-1])
                    np.save(self.folder / "gain.npy", gain)
                    words = ["--gain", f"@{self.folder / 'gain.npy'}", "--epsilon", epsilon]
                    streamed = self.forward(array, *words)
                    # An input from a Fortran-ordered file or a pipe of text goes over the tape.
                    (self.folder / "in.txt").write_text(
                        "\n".join(" ".join(map(repr, map(float, row)))
                                  for row in array.reshape(-1, shape[-1])))
                    self.assert_done(run("forward", "--input", f"@{self.folder / 'in.txt'}",
                                         "--shape", ",".join(map(str, shape)), *words, "-o",
                                         self.folder / "tape.npy"))
                    tape = np.load(self.folder / "tape.npy")
                    self.assertEqual(streamed.shape, shape)
                    self.assertEqual(streamed.dtype, np.dtype("<f8"))
                    self.assertEqual(streamed.tobytes(), tape.tobytes())
                    # Against another implementation: the roundings of d additions and a few more.
                    np.testing.assert_allclose(streamed, layer(array, gain, float(epsilon)),
                                               rtol=(shape[-1] + 100) * 2.0 ** -53)

    def test_other_element_types_and_byte_orders_are_widened_exactly(self):
        array = np.random.default_rng(1).standard_normal((6, 5))
        for kind in ("<f2", ">f2", "<f4", ">f4", "<f8", ">f8"):
            with self.subTest(kind=kind):
                narrow = array.astype(kind)
                self.assertEqual(self.forward(narrow).tobytes(),
                                 self.forward(narrow.astype("<f8")).tobytes())

    def test_a_shape_may_be_given_to_a_file(self):
        array = np.arange(1.0, 13)
        self.assertEqual(self.forward(array, "--shape", "3,4").tobytes(),
                         self.forward(array.reshape(3, 4)).tobytes())

    def test_the_input_gradient_is_written(self):
        self.assert_done(run("backward", "-o", self.folder / "dx.npy"))
        expected = document("backward")["backward"]["input_gradient"]
        self.assertEqual([struct.pack(">d", value).hex() for value in
                          np.load(self.folder / "dx.npy")], expected["bits"])

    def test_every_tensor_of_every_experiment_is_written(self):
        def tensors(record):
            for key, value in record.items():
                if not isinstance(value, dict):
                    continue
                if "shape" in value:
                    yield key, value["values"]
                else:
                    yield from ((f"{key}.{inner}", values) for inner, values in tensors(value))
        path = self.folder / "y.npy"
        for name in experiments():
            if name == "predict":
                continue
            results = json.loads(run(name, "--format", "json", "--full").stdout)
            found = {key: values for group in results for key, values in tensors({group: results[group]})
                     if group not in ("inputs", "checks")}
            if {key.split(".")[-1] for key in found} <= {"input"}:
                continue  # what was given is no result
            with self.subTest(name=name):
                self.assertIn(b"--tensor", run(name, "--help").stdout)
            for key, values in found.items():
                # By its key, which the record's name leads where another tensor has the same.
                last = key.split(".")[-1]
                alone = sum(other.split(".")[-1] == last for other in found) == 1
                tensor = last if alone else ".".join(key.split(".")[-2:])
                with self.subTest(name=name, tensor=tensor):
                    self.assert_done(run(name, "--tensor", tensor, "-o", path))
                    np.testing.assert_array_equal(np.load(path).ravel(), np.ravel(values))

    def test_a_rejected_row_leaves_no_file_and_is_named_as_on_the_tape(self):
        for place, value, words in ((70001, 1e200, []), (70001, 0.0, ["--epsilon", "0"])):
            array = np.ones((40000, 2))
            array[place // 2] = (value, 0)
            np.save(self.folder / "in.npy", array)
            with self.subTest(value=value):
                argument = f"@{self.folder / 'in.npy'}"
                tape = run("forward", "--input", argument, *words)
                self.assertEqual(tape.returncode, 2)
                finished = run("forward", "--input", argument, *words, "-o",
                               self.folder / "out.npy")
                self.assertEqual(finished.returncode, 2)
                self.assertEqual(finished.stderr, tape.stderr)
                self.assertEqual(self.files(), ["in.npy"])

    def test_values_beyond_the_limit_go_in_blocks_only(self):
        np.save(self.folder / "in.npy", np.ones((10, 10)))
        argument = f"@{self.folder / 'in.npy'}"
        self.assert_refused(run("forward", "--input", argument, "--max-elements", "99"), 2,
                            "--input", "100", "--max-elements")
        self.assert_done(run("forward", "--input", argument, "--max-elements", "99", "-o",
                             self.folder / "out.npy"))
        np.save(self.folder / "in.npy", np.asfortranarray(np.ones((10, 10))))
        self.assert_refused(run("forward", "--input", argument, "--max-elements", "99", "-o",
                                self.folder / "out.npy"), 2, "--max-elements")

    def test_a_file_may_be_normalized_onto_itself(self):
        array = np.random.default_rng(3).standard_normal((100, 30))
        expected = self.forward(array)
        path = self.folder / "in.npy"
        self.assert_refused(run("forward", "--input", f"@{path}", "-o", path), 2, "--force")
        self.assertEqual(np.load(path).tobytes(), array.tobytes())
        self.assert_done(run("forward", "--input", f"@{path}", "-o", path, "--force"))
        self.assertEqual(np.load(path).tobytes(), expected.tobytes())

    def test_half_a_gigabyte_goes_through_little_memory(self):
        if sanitized():
            self.skipTest("a sanitizer reserves more memory than any limit")
        shape = (8192, 8192)
        path = self.folder / "in.npy"
        with open(path, "wb") as file:
            np.lib.format.write_array_header_1_0(
                file, {"descr": "<f8", "fortran_order": False, "shape": shape})
            start = file.tell()
            # A sparse file: zeros but for one row.
            file.seek(start + 5000 * 8192 * 8)
            file.write(np.full(8192, 2.0).tobytes())
            file.truncate(start + 8192 * 8192 * 8)

        def limit():
            resource.setrlimit(resource.RLIMIT_AS, (32 << 20, 32 << 20))

        self.assert_done(run("forward", "--input", f"@{path}", "-o", self.folder / "out.npy",
                             preexec_fn=limit))
        output = np.load(self.folder / "out.npy", mmap_mode="r")
        self.assertEqual(output.shape, shape)
        self.assertEqual(np.count_nonzero(output[4999]), 0)
        self.assertEqual(np.count_nonzero(output[5001]), 0)
        np.testing.assert_allclose(output[5000], 2 / np.sqrt(4 + 1e-5), rtol=1e-12)


class GainName(ProgramTest):
    def test_a_page_shows_the_gains_name_as_text(self):
        name = "<script>alert(1)</script>"
        page = run("forward", "--gain-name", name, "--format", "html").stdout.decode()
        self.assertIn("&lt;script&gt;alert(1)&lt;/script&gt;", page)
        self.assertNotIn(name, page)


if __name__ == "__main__":
    unittest.main()
