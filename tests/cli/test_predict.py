"""Predictions: asked in a dialogue, graded from a file, revealed."""

import json
import os
import pty
import select
import signal
import subprocess
import time
import unittest

from jsonschema import Draft202012Validator

from program import PROGRAM, ProgramTest, clean_environment, document, run

RIGHT = {"mean-square": [12.5, 0.282843], "output": [1.27279, 0.565685],
         "scaled-input": "0.848528 1.131371", "tiny-input": 0.012346, "zero-row": "b",
         "statistics": "C", "shapes": [[2, 3, 2], [2]], "weight-decay": "nothing",
         "residual-block": "d)"}
WRONG = {"mean-square": [25, 0.282843], "output": [0.848528, 1.13137],
         "scaled-input": [8.48528, 11.3137], "tiny-input": 1, "zero-row": "a", "statistics": "a",
         "shapes": [[2, 3, 2], [2, 3, 2]], "weight-decay": "b", "residual-block": "b"}
IDS = list(RIGHT)


def lines(answers):
    """What to type for answers of a file."""
    return [answer if isinstance(answer, str) else json.dumps(answer)
            for answer in answers.values()]


class Terminal:
    """The program in a pseudo-terminal, read until it shows what is waited for."""

    def __init__(self, *words, **environment):
        self.ours, theirs = pty.openpty()
        self.process = subprocess.Popen(
            [PROGRAM, "predict", *words], stdin=theirs, stdout=theirs, stderr=theirs,
            env=clean_environment(**environment), start_new_session=True)
        os.close(theirs)
        self.shown = b""
        self.at = 0

    def close(self):
        if self.process.poll() is None:
            self.process.send_signal(signal.SIGKILL)
        self.process.wait()
        os.close(self.ours)

    def read(self, seconds):
        """Whether more came."""
        if not select.select([self.ours], [], [], seconds)[0]:
            raise AssertionError(f"nothing more came after {self.shown!r}")
        try:
            more = os.read(self.ours, 4096)
        except OSError:  # Linux: the program closed its side
            return False
        self.shown += more
        return bool(more)

    def expect(self, text):
        """What was shown from the last time up to `text`."""
        end = time.monotonic() + 30
        while (found := self.shown.find(text.encode(), self.at)) < 0:
            if not self.read(end - time.monotonic()):
                raise AssertionError(f"{text!r} did not come in {self.shown[self.at:]!r}")
        before = self.shown[self.at:found].decode()
        self.at = found + len(text.encode())
        return before

    def type(self, text):
        os.write(self.ours, text.encode())

    def end(self):
        """The rest of what is shown, and the exit code."""
        while self.read(30):
            pass
        return self.shown[self.at:].decode(), self.process.wait(timeout=30)


class Dialogue(ProgramTest):
    def terminal(self, *words, **environment):
        terminal = Terminal(*words, **environment)
        self.addCleanup(terminal.close)
        return terminal

    def test_right_answers_typed_in_a_terminal_end_with_0(self):
        terminal = self.terminal()
        for number, line in enumerate(lines(RIGHT), 1):
            terminal.expect(f"Prediction {number} of 9: {IDS[number - 1]}")
            terminal.expect("> ")
            terminal.type(line + "\n")
            terminal.expect("Right.")
        rest, code = terminal.end()
        self.assertIn("Predictions: 9 right, 0 wrong, 0 not answered", rest)
        self.assertEqual(code, 0)

    def test_feedback_comes_before_the_next_question(self):
        terminal = self.terminal()
        terminal.expect("> ")
        terminal.type("25 0.282843\n")
        before = terminal.expect("Prediction 2 of 9")
        self.assertIn("Wrong.", before)
        self.assertIn("The mean square is 12.5, not 25.", before)
        terminal.type("q\n")
        rest, code = terminal.end()
        self.assertIn("0 right, 1 wrong, 8 not answered", rest)
        self.assertEqual(code, 1)

    def test_an_answer_of_another_kind_is_asked_for_again(self):
        terminal = self.terminal("--question", "1")
        for line, part in (("abc", '"abc"'), ("12.5", "1 number;"), ("1 2 3", "3 numbers")):
            terminal.expect("> ")
            terminal.type(line + "\n")
            self.assertNotIn("Wrong.", terminal.expect(part))
        terminal.expect("> ")
        terminal.type("?\n")
        terminal.expect("Add the squares")
        terminal.expect("> ")
        terminal.type("[12.5, .2828]\n")
        rest, code = terminal.end()
        self.assertIn("1 right, 0 wrong, 0 not answered", rest)
        self.assertEqual(code, 0)

    def test_the_end_of_input_in_a_terminal_stops_cleanly(self):
        terminal = self.terminal()
        terminal.expect("> ")
        terminal.type("12.5 0.283\n")
        terminal.expect("Prediction 2 of 9")
        terminal.expect("> ")
        terminal.type("\x04")
        rest, code = terminal.end()
        self.assertIn("1 right, 0 wrong, 8 not answered", rest)
        self.assertEqual(code, 0)

    def test_colors_are_for_terminals_that_want_them(self):
        for environment, colored in (({}, True), ({"NO_COLOR": "1"}, False)):
            terminal = self.terminal("--question", "5", **environment)
            terminal.expect("> ")
            terminal.type("b\n")
            terminal.end()
            self.assertEqual(b"\x1b[" in terminal.shown, colored)
        self.assertNotIn(b"\x1b", run("predict", input=b"1 1\n").stdout)

    def test_the_dialogue_needs_no_terminal(self):
        finished = run("predict", input="\n".join(lines(RIGHT)).encode())
        self.assert_done(finished)
        self.assertEqual(finished.stdout.count(b"Right."), 9)
        self.assertTrue(finished.stdout.endswith(
            b"Predictions: 9 right, 0 wrong, 0 not answered\n"))

    def test_lines_that_end_as_on_windows_are_the_same_answers(self):
        answers = "\n".join(lines(RIGHT)) + "\n"
        self.assertEqual(run("predict", input=answers.replace("\n", "\r\n").encode()).stdout,
                         run("predict", input=answers.encode()).stdout)

    def test_wrong_answers_exit_with_1_and_say_nothing_on_stderr(self):
        finished = run("predict", input="\n".join(lines(WRONG)).encode() + b"\n")
        self.assertEqual((finished.returncode, finished.stderr), (1, b""))
        self.assertEqual(finished.stdout.count(b"Wrong."), 9)

    def test_the_end_of_input_at_once_is_no_failure(self):
        for options in ({}, {"input": b""}):
            finished = run("predict", **options)
            self.assert_done(finished)
            self.assertIn(b"0 right, 0 wrong, 9 not answered", finished.stdout)
            self.assertNotIn(b"Prediction 2", finished.stdout)

    def test_an_empty_line_skips_and_q_stops(self):
        finished = run("predict", input=b"\n  \r\n0.85 1.13\nq\n0.0123\n")
        self.assert_done(finished)
        self.assertEqual(finished.stdout.count(b"Skipped."), 2)
        self.assertIn(b"1 right, 0 wrong, 8 not answered", finished.stdout)
        self.assertNotIn(b"Prediction 5", finished.stdout)

    def test_no_input_changes_the_terminal(self):
        finished = run("predict", input=b"\x1b[31mred\x07\xff\n\x00\n")
        self.assertEqual(finished.returncode, 0)
        self.assertNotRegex(finished.stdout, rb"[\x00-\x09\x0b-\x1f\x7f-\xff]")
        self.assertIn(b"\\x1b[31mred", finished.stdout)

    def test_an_endless_line_is_refused(self):
        finished = run("predict", input=b"1" * 1_000_000)
        self.assertEqual(finished.returncode, 2)
        self.assertRegex(finished.stderr, rb"\Armsnorm-fixture: standard input: [^\n]+\n\Z")

    def test_lines_have_at_most_80_columns(self):
        finished = run("predict", "--reveal", "--input", "1e-100,2.25,-3,4,5,6,7,8,9,10,11")
        self.assert_done(finished)
        self.assertLessEqual(max(map(len, finished.stdout.splitlines())), 80)


class Answers(ProgramTest):
    def graded(self, answers, *words):
        path = self.folder / "answers.json"
        text = answers if isinstance(answers, (str, bytes)) else json.dumps(answers)
        path.write_bytes(text if isinstance(text, bytes) else text.encode())
        return run("predict", "--answers", path, *words)

    def test_checks_are_added_when_asked_for(self):
        path = self.folder / "answers.json"
        path.write_text('{"output": [1, 1], "zero-row": "b"}')
        expected = ["replay measure:0.0 bound:0.0 passed:true",
                    "answer-output measure:1.0 bound:0.0 passed:false",
                    "answer-zero-row measure:0.0 bound:0.0 passed:true"]
        for words, options in ((["--answers", path], {}), ([], {"input": b"\n1 1\n\n\nb\nq"})):
            finished = run("predict", "--checks", *words, **options)
            self.assertEqual(finished.returncode, 1)
            for line, part in zip(finished.stdout.decode().splitlines()[-3:], expected):
                self.assertTrue(line.startswith("check=name:" + part), line)

    def test_right_answers_exit_with_0(self):
        finished = self.graded(RIGHT)
        self.assert_done(finished)
        self.assertEqual(finished.stdout.count(b"(right)"), 9)
        self.assertTrue(finished.stdout.endswith(b"9 right, 0 wrong, 0 not answered\n"))

    def test_each_wrong_answer_alone_exits_with_1_and_is_named(self):
        for wrong in IDS:
            with self.subTest(wrong=wrong):
                finished = self.graded({**RIGHT, wrong: WRONG[wrong]})
                self.assertEqual(finished.returncode, 1)
                self.assertEqual(finished.stderr.decode(),
                                 f"rmsnorm-fixture: 1 answer is wrong: {wrong}\n")
                self.assertIn(b"8 right, 1 wrong, 0 not answered", finished.stdout)

    def test_answers_that_are_missing_are_not_wrong(self):
        finished = self.graded({"tiny-input": 0.01235})
        self.assert_done(finished)
        self.assertIn(b"1 right, 0 wrong, 8 not answered", finished.stdout)
        self.assertNotIn(b"0.282843", finished.stdout)  # of an unanswered one
        self.assert_done(self.graded({}))

    def test_an_at_sign_may_stand_before_the_file(self):
        path = self.folder / "answers.json"
        path.write_text(json.dumps(RIGHT))
        finished = run("predict", "--answers", f"@{path}")
        self.assert_done(finished)
        self.assertEqual(finished.stdout, run("predict", "--answers", path).stdout)

    def test_answers_come_from_standard_input(self):
        self.assert_done(run("predict", "--answers", "-", input=json.dumps(RIGHT).encode()))

    def test_the_record_is_a_document_of_the_schema(self):
        validator = Draft202012Validator(json.loads(run("schema").stdout))
        cases = (RIGHT, {**RIGHT, "output": [1, 1]}, {"shapes": [[2], [2]], "zero-row": "d"}, {})
        for answers in cases:
            for words in ([], ["--reveal"]):
                with self.subTest(answers=answers, words=words):
                    finished = self.graded(answers, "--format", "json", *words)
                    record = json.loads(finished.stdout)
                    self.assertEqual([e.message for e in validator.iter_errors(record)], [])
        zeros = document("predict", "--reveal", "--input", "0,0", "--epsilon", "0")
        self.assertEqual([e.message for e in validator.iter_errors(zeros)], [])

    def test_the_record_tells_what_became_of_every_answer(self):
        record = json.loads(self.graded({"mean-square": [12.5, 0.3], "zero-row": "b"},
                                        "--format", "json").stdout)
        self.assertEqual([record[key] for key in ("right", "wrong", "unanswered")], [1, 1, 7])
        states = {each["id"]: each for each in record["predictions"]}
        self.assertEqual(list(states), IDS)
        first = states["mean-square"]
        self.assertEqual((first["status"], first["answer"]), ("wrong", "12.5, 0.3"))
        self.assertEqual(first["expected_values"]["values"][0], 12.5)
        self.assertEqual(states["zero-row"]["status"], "right")
        # An unanswered one keeps its answer to itself.
        self.assertEqual(states["shapes"]["status"], "unanswered")
        for key in ("answer", "expected", "expected_shapes", "explanation"):
            self.assertNotIn(key, states["shapes"])
        verdicts = {check["name"]: check["passed"] for check in record["checks"]}
        self.assertEqual(verdicts, {"replay": True, "answer-mean-square": False,
                                    "answer-zero-row": True})

    def test_the_record_goes_to_a_file_with_the_exit_code_of_the_answers(self):
        path = self.folder / "record.json"
        finished = self.graded({**RIGHT, "zero-row": "a"}, "--format", "json", "-o", path)
        self.assertEqual((finished.returncode, finished.stdout), (1, b""))
        self.assertEqual(json.loads(path.read_text())["wrong"], 1)

    def test_one_question_alone_is_graded(self):
        answers = {**RIGHT, "output": [1, 1]}
        self.assertEqual(self.graded(answers, "--question", "2").returncode, 1)
        finished = self.graded(answers, "--question", "1")
        self.assert_done(finished)
        self.assertIn(b"1 right, 0 wrong, 0 not answered", finished.stdout)

    def test_the_readers_own_case_is_graded(self):
        words = ["--input", "1,-2,2", "--gain", "2,1,-1", "--epsilon", "0"]
        root = 3 ** -0.5  # the mean square is (1 + 4 + 4) / 3
        answers = {"mean-square": [3, root], "output": [2 * root, -2 * root, -2 * root],
                   "scaled-input": [root, -2 * root, 2 * root], "tiny-input": 1,
                   "shapes": [[2, 3, 3], [3]]}
        finished = self.graded(answers, *words)
        self.assert_done(finished)
        self.assertIn(b"5 right, 0 wrong", finished.stdout)
        self.assertEqual(self.graded(answers).returncode, 2)  # two values for the chapter's

    def test_a_bad_file_is_refused_with_the_place(self):
        accepted = "accepted: "
        for text, parts in (
                ("", ["no bytes at all"]),
                ("{", ["line 1, column 2"]),
                ('{\n "output": [1,]}', ["line 2, column 15", '"]"']),
                ("[1]", ["array"]), ("3", ["no JSON object"]), ("null", ["no JSON object"]),
                ('{"outptu": 1}', ['"outptu"', ", ".join(IDS)]),
                ('{"output": [1, 2], "output": [1, 2]}', ['"output"', "twice"]),
                ('{"output": null}', ["/output (line 1)", "null"]),
                ('{"output": true}', ["/output (line 1)", "true"]),
                ('{"output": {"a": 1}}', ["/output (line 1)", "an object"]),
                ('{"output": 1}', ["/output (line 1)","1 number;", "2 numbers"]),
                ('{"output": [1, "a"]}', ["/output (line 1)","number 2"]),
                ('{"output": ""}', ["/output (line 1)", "no answer"]),
                ('{"output": []}', ["/output (line 1)", "no answer"]),
                ('{"zero-row": "( )"}', ["/zero-row (line 1)","no answer"]),
                ('{"output": [1, 1e999]}', ['line 1, column 16: found "1e999"',"1.7976931348623157e308"]),
                ('{"output": [1, 2],\n "shapes": [[1e999]]}', ['line 2, column 14: found "1e999"']),
                ("1e999", ["no JSON object"]),
                ('{"output": [1, NaN]}', ["line 1, column"]),
                ('{"zero-row": "e"}', ["/zero-row (line 1)", '"e"', "a to d"]),
                ('{"zero-row": 2}', ["/zero-row (line 1)", '"2"']),
                ('{"shapes": [2, 3, 2]}', ["/shapes (line 1)", "1 shape;", "2 shapes"]),
                ('{"shapes": [[2.5], [2]]}', ["/shapes (line 1)"]),
                ('{"shapes": "\\u001b[31m\\n"}', ["/shapes (line 1)", "\\x1b[31m"]),
                ("{} {}", ["line 1, column 4"]),
                ('{"output": ' + "[" * 100_000, ["nested"]),
                ("[" * 100_000, ["nested"]),
                (b"\xef\xbb\xbf{}", ["byte-order mark"]), ("{}".encode("utf-16"), ["UTF-16"]),
                (b'{"output": "\xff"}', ["line 1"]), (b"{}\x00", ["binary data"]),
                (b"{" + b" " * (1 << 20), ["917504 bytes"])):
            with self.subTest(text=text[:40]):
                self.assert_refused(self.graded(text), 2, "answers", accepted, *parts)

    def test_a_file_that_cannot_be_read_exits_with_3(self):
        missing = self.folder / "missing.json"
        self.assert_refused(run("predict", "--answers", missing), 3, str(missing))
        self.assert_refused(run("predict", "--answers", self.folder), 3, str(self.folder))


class Revealed(ProgramTest):
    def test_all_answers_are_printed_with_their_evidence(self):
        finished = run("predict", "--reveal")
        self.assert_done(finished)
        text = " ".join(finished.stdout.decode().split())
        self.assertEqual(text.count("Computed: "), 9)
        for part in ("12.5, 0.282843", "[1.272792, 0.565685]", "[0.848528, 1.131371]", "0.012346",
                     "[2, 3, 2] and [2]", "feature row 0 has zero mean square"):
            self.assertIn(part, text)

    def test_squares_that_underflow_are_said_to(self):
        def shown(values):
            finished = run("predict", "--reveal", "--question", "1", "--input", values)
            self.assert_done(finished)
            return " ".join(finished.stdout.decode().split())
        self.assertIn("= 0 in binary64, where squares this small underflow to 0",
                      shown("1e-200,1e-200"))
        self.assertIn("lose digits", shown("1e-160,1e-160"))
        for values in ("0,0", "1,1e-200", "1e-150,0"):
            self.assertNotIn("binary64, where", shown(values))

    def test_one_question_alone_is_printed(self):
        for number, name in enumerate(IDS, 1):
            finished = run("predict", "--reveal", "--question", number)
            self.assert_done(finished)
            text = finished.stdout.decode()
            self.assertTrue(text.startswith(f"Prediction {number} of 9: {name}\n"), text)
            self.assertEqual(text.count("Computed: "), 1)

    def test_without_answers_json_is_a_sheet_of_questions(self):
        sheet = document("predict")
        self.assertEqual([each["status"] for each in sheet["predictions"]], ["unanswered"] * 9)
        self.assertNotIn("expected", json.dumps(sheet))
        revealed = document("predict", "--reveal")
        self.assertEqual(sum("expected" in each for each in revealed["predictions"]), 9)

    def test_the_revealed_answers_are_right(self):
        for words in ([], ["--input", "0.5,-2,8", "--epsilon", "0.1"], ["--input", "0,0"],
                      ["--input", "0,0", "--epsilon", "0"], ["--input", "1e-4,1e-9"],
                      ["--input", "1e153,-1e150"], ["--input", "1,2,3,4", "--shape", "2,2"]):
            with self.subTest(words=words):
                revealed = document("predict", "--reveal", *words)
                answers = {each["id"]: each["expected"][:1] if each["kind"] == "choice"
                           else each["expected"] for each in revealed["predictions"]}
                finished = run("predict", *words, "--answers", "-",
                               input=json.dumps(answers).encode())
                self.assert_done(finished)
                self.assertIn(b"9 right", finished.stdout)

    def test_the_evidence_is_that_of_the_experiments(self):
        words = ["--input", "0.5,-2,8", "--gain", "1,2,3", "--epsilon", "0.1"]
        primary = document("forward", *words)["primary"]
        revealed = {each["id"]: each for each in
                    document("predict", "--reveal", *words)["predictions"]}
        self.assertEqual(revealed["output"]["expected_values"]["bits"], primary["output"]["bits"])
        self.assertEqual(revealed["mean-square"]["expected_values"]["bits"],
                         primary["mean_square"]["bits"] + primary["inverse_rms"]["bits"])


class Refusals(ProgramTest):
    def test_bad_options_are_refused(self):
        for words, part in ((["--question", "0"], "--question"), (["--question", "10"], "1 to 9"),
                            (["--question", "output"], '"output"'), (["--input", "3,,4"], "--input"),
                            (["--epsilon", "-1"], "--epsilon"), (["--gain", "1"], "--gain"),
                            (["--input", "1e200"], "RMSNorm square"), (["more"], '"more"'),
                            (["-o", self.folder / "x"], "--output"),
                            (["--reveal", "-o", self.folder / "x.npy"], ".npy"),
                            (["--input", "-"], "standard input"),
                            (["--input", "-", "--answers", "-"], "more than once")):
            with self.subTest(words=words):
                self.assert_refused(run("predict", *words), 2, part)
        self.assertEqual(self.files(), [])

    def test_values_and_answers_can_come_from_different_places(self):
        path = self.folder / "answers.json"
        path.write_text('{"mean-square": [1, 1]}')
        self.assert_done(run("predict", "--input", "-", "--epsilon", "0", "--answers", path,
                             input=b"1 1\n"))

    def test_a_reader_that_goes_away_ends_it_quietly(self):
        ours, theirs = os.pipe()
        os.close(ours)
        self.addCleanup(os.close, theirs)
        finished = run("predict", "--reveal", stdout=theirs)
        self.assertEqual((finished.returncode, finished.stderr), (-signal.SIGPIPE, b""))


if __name__ == "__main__":
    unittest.main()
