"""The subcommands of the chapter's experiments, with the chapter's values."""

import unittest

from program import GOLDENS, ProgramTest, document, experiments, listed, run

# The names of the report's lines that an experiment prints.
LINES = {
    "forward": ["input", "mean_square", "inverse_rms", "normalized", "gain", "output",
                "rms_target"],
    "backward": ["upstream", "input_gradient", "gain_gradient"],
    "scale": ["ideal_scale", "production_scale", "near_zero_scale"],
    "zero": ["zero_input"],
    "batch": ["batch_output"],
    "history": ["history"],
    "gradcheck": ["gradcheck"],
    "parameters": ["config"],
    "replay": ["same_fixture_replays_bitwise"],
    "boundaries": [],
}
# Where the results of an experiment stand in its own document and in the report's.
OBJECTS = {"forward": "primary", "backward": "backward", "scale": "scales", "zero": "zero",
           "batch": "batch", "history": "history", "boundaries": "boundaries",
           "parameters": "config"}


class ChapterExperiments(ProgramTest):
    def test_all_of_them_are_listed(self):
        self.assertLessEqual(set(LINES), set(experiments()))
        self.assertEqual(listed()["25-rmsnorm"], "Fixtures")

    def test_their_text_holds_the_reports_own_lines(self):
        report = (GOLDENS / "report.txt").read_text().splitlines()
        by_name = {line.partition("=")[0]: line for line in report}
        for experiment, names in LINES.items():
            with self.subTest(experiment=experiment):
                finished = run(experiment)
                self.assert_done(finished)
                lines = finished.stdout.decode().splitlines()
                expected = [by_name[name] for name in names]
                self.assertEqual([line for line in lines if line in expected], expected)

    def test_the_boundaries_say_what_the_trace_says(self):
        trace = (GOLDENS / "trace.txt").read_text().splitlines()
        messages = [line.partition("|message=")[2] for line in trace if line.startswith("ERROR|")]
        self.assertEqual(len(messages), 3)
        lines = run("boundaries").stdout.decode().splitlines()
        # Others of the layer follow the chapter's three.
        self.assertEqual([line.partition(" message:")[2] for line in lines[:3]], messages)

    def test_their_documents_hold_the_reports_own_objects(self):
        report = document("report")
        for experiment, key in OBJECTS.items():
            with self.subTest(experiment=experiment):
                # An experiment may add keys of its own; what the report has is the same.
                ours, theirs = document(experiment)[key], report[key]
                if isinstance(theirs, dict):
                    ours = {name: ours[name] for name in theirs}
                if experiment == "boundaries":
                    ours = ours[:3]
                self.assertEqual(ours, theirs)
        proof = document("gradcheck")
        for key in ("input_checks", "gain_checks", "gradcheck"):
            self.assertEqual(proof[key], report["proof"][key])
        self.assertEqual(document("replay")["replay"], "bitwise")

    def test_every_experiment_runs_in_text_and_json(self):
        for experiment in experiments():
            with self.subTest(experiment=experiment):
                text = run(experiment)
                self.assert_done(text)
                self.assertTrue(text.stdout.endswith(b"\n"))
                self.assertEqual(run(experiment, "--format", "text").stdout, text.stdout)
                whole = document(experiment)
                self.assertEqual(list(whole)[:4],
                                 ["schema_version", "experiment", "generator", "inputs"])
                self.assertEqual(list(whole)[-1], "checks")
                self.assertEqual(whole["experiment"], experiment)
                for check in whole["checks"]:
                    self.assertEqual(list(check),
                                     ["name", "statement", "measure", "bound", "passed"])
                    self.assertTrue(check["passed"], check)
                    self.assertLessEqual(check["measure"]["value"], check["bound"]["value"])

    def test_every_experiment_replays_byte_for_byte(self):
        for experiment in experiments():
            for name in ("text", "json"):
                with self.subTest(experiment=experiment, format=name):
                    self.assertEqual(run(experiment, "--format", name).stdout,
                                     run(experiment, "--format", name).stdout)

    def test_checks_are_added_to_the_text_when_asked_for(self):
        for experiment in experiments():
            with self.subTest(experiment=experiment):
                without = run(experiment).stdout
                asked = run(experiment, "--checks")
                self.assert_done(asked)
                self.assertTrue(asked.stdout.startswith(without))
                added = asked.stdout[len(without):].decode().splitlines()
                self.assertEqual(len(added), len(document(experiment)["checks"]))
                for line in added:
                    self.assertRegex(line, r"^check=name:\S+ measure:\S+ bound:\S+ passed:true ")

    def test_full_tensors_say_that_they_are_whole(self):
        whole = document("forward", "--full")
        self.assertIs(whole["primary"]["input"]["truncated"], False)
        self.assertNotIn("truncated", document("forward")["primary"]["input"])
        self.assertEqual(run("forward", "--full").stdout, run("forward").stdout)

    def test_a_format_that_no_experiment_has_is_refused(self):
        for experiment in LINES:
            with self.subTest(experiment=experiment):
                self.assert_refused(run(experiment, "--format", "trace"), 2, "--format",
                                    '"trace"', "text, json")

    def test_an_argument_that_no_experiment_takes_is_refused(self):
        for experiment in LINES:
            with self.subTest(experiment=experiment):
                self.assert_refused(run(experiment, "--frobnicate"), 2, "--frobnicate", "accepted")

    def test_a_flag_takes_no_value_and_stands_once(self):
        self.assert_refused(run("forward", "--checks=false"), 2, "--checks", "no value")
        self.assert_refused(run("forward", "--full=3"), 2, "--full", "no value")
        self.assert_refused(run("forward", "--full", "--full"), 2, "--full", "once")


if __name__ == "__main__":
    unittest.main()
