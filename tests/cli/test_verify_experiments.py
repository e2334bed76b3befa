"""rmsnorm-fixture verify: what an experiment wrote, computed again from the inputs in it."""

import hashlib
import json
import re
import unittest

from program import SOURCE, ProgramTest, experiments, run


class Experiments(ProgramTest):
    """Documents of experiments, computed again from the inputs that they hold."""

    OWN = (["forward", "--input", "1e-4,2e-4,5e-4", "--epsilon", "1e-9"],
           ["forward", "--recipe", "llama", "--dtype", "bf16", "--input", "3,4"],
           ["backward", "--input", "[[1,2],[3,4]]", "--digits", "3"],
           ["scale", "--factor", "2,3"], ["history", "--companion", "1,1", "--companion", "9,8"],
           ["gradcheck", "--input", "1e12,1e12"], ["parameters", "--gain-name", "a.b"],
           ["compare", "--input", "1,2,-3", "--offset", "5"],
           ["compare", "--fixture", "23-normalization"],
           ["layer-norm-backward", "--input", "3000,1,2"], ["depth", "--final-norm"],
           ["constant", "--unguarded"], ["dense-stack", "--width", "3"],
           ["forward", "--input", ",".join(map(str, range(1, 101))), "--full"])

    FORMS = {"25-rmsnorm": ("text", "trace", "json", "html"),
             "exhibit-rmsnorm": ("text", "json", "html"),
             "23-normalization": ("text", "json", "html")}

    def document(self, *words, name="x.json"):
        path = self.folder / name
        run(*words, "-o", path)
        return path

    def test_a_document_of_every_experiment_is_computed_again(self):
        named = [[name] for name in experiments() if name != "predict"]
        for words in named + list(self.OWN):
            with self.subTest(words=words):
                path = self.document(*words)
                finished = run("verify", path)
                self.assertEqual((finished.stdout, finished.stderr), (
                    f"{path}: same ({json.loads(path.read_bytes())['experiment']} json)\n".encode(),
                    b""))
                self.assertEqual(finished.returncode, 0)

    def test_a_certified_document_is_called_so_and_left_alone(self):
        reports = [["report", fixture, "--certify", "--format", form]
                   for fixture, forms in self.FORMS.items() for form in forms]
        for words in [["forward", "--certify"], *reports]:
            path = self.document(*words)
            before = path.read_bytes()
            for update in ([], ["--update"]):
                with self.subTest(words=words, update=update):
                    finished = run("verify", *update, path)
                    self.assertEqual(finished.returncode, 2, finished.stdout)
                    self.assertIn(b"found a document of --certify", finished.stderr)
                    self.assertEqual(path.read_bytes(), before)

    def test_every_wrong_digit_is_found(self):
        path = self.document("rms-norm", "--input", "3,4")
        right = path.read_text()
        places = [match.start() for match in re.finditer(r"\d", right)]
        for place in places[::7]:
            digit = str((int(right[place]) + 1) % 10)
            path.write_text(right[:place] + digit + right[place + 1:])
            with self.subTest(place=place, near=right[place - 30:place + 10]):
                self.assertIn(run("verify", path).returncode, (1, 2))

    def test_a_wrong_result_is_shown_with_what_is_computed(self):
        path = self.document("forward")
        right = path.read_text()
        self.assertEqual(right.count('"1.272792"'), 1)
        path.write_text(right.replace('"1.272792"', '"1.272793"'))
        finished = run("verify", path)
        self.assertEqual(finished.returncode, 1)
        self.assertIn(b"differs (forward json)", finished.stdout)
        self.assertIn(b'-        "1.272793",\n+        "1.272792",', finished.stdout)

    def test_another_input_is_another_result(self):
        path = self.document("cost", "--width", "6")
        path.write_text(path.read_text().replace('"width": 6', '"width": 7', 1))
        finished = run("verify", path)
        self.assertEqual(finished.returncode, 1)
        self.assertIn(b'+    "width": 7,', finished.stdout)

    def test_wrong_inputs_are_refused_at_their_place(self):
        for words, key, change, *parts in (
                (["cost"], "width", 0, "/inputs/width (line 9)", "from 1 to 1048576"),
                (["layer-norm"], "gamma", [1, 2], "/inputs/gamma (line", "found 2 values"),
                (["rms-norm"], "epsilon", -1, "/inputs/epsilon", "from 0"),
                (["forward"], "gane", [1], "gane", "accepted"),
                (["rms-norm", "--input", "0,0"], "epsilon", 0, "/inputs/epsilon",
                 "an epsilon above 0")):
            with self.subTest(words=words, key=key):
                path = self.document(*words)
                changed = json.loads(path.read_bytes())
                changed["inputs"][key] = change
                path.write_text(json.dumps(changed, indent=2))
                self.assert_refused(run("verify", path), 2, f"{path}: ", *parts)
        changed.pop("inputs")
        path.write_text(json.dumps(changed))
        self.assert_refused(run("verify", path), 2, f"{path}: ", "no inputs", "accepted")

    def test_bits_that_are_not_those_of_the_value_are_refused(self):
        path = self.document("forward")
        path.write_text(path.read_text().replace("4008000000000000", "4008000000000001", 1))
        self.assert_refused(run("verify", path), 2, "/inputs/input/bits/0", "accepted")

    def test_an_abridged_input_cannot_be_computed_with(self):
        values = ",".join(map(str, range(1, 101)))
        path = self.document("rms-norm", "--input", values)
        self.assert_refused(run("verify", path), 2, "/inputs/input", "--full")
        self.assert_done(run("verify", self.document("rms-norm", "--input", values, "--full")))

    def test_an_unknown_experiment_fails_also_in_a_folder(self):
        path = self.document("forward")
        path.write_text(path.read_text().replace('"forward"', '"forwrad"'))
        for argument in (path, self.folder):
            self.assert_refused(run("verify", argument), 2, str(path),
                                'the document of the experiment "forwrad"', "accepted")

    def test_a_damaged_document_in_a_folder_is_not_passed_over(self):
        path = self.document("forward")
        path.write_text("<<<<<<< HEAD\n" + path.read_text())
        self.assert_refused(run("verify", self.folder), 2, str(path), "conflict marker")
        path.write_text(path.read_text().replace("<<<<<<< HEAD\n", "")[:-20])
        self.assert_refused(run("verify", self.folder), 2, str(path),
                            'a damaged document of the experiment "forward"')

    def test_other_documents_in_a_folder_are_passed_over(self):
        self.document("forward")
        self.document("predict", "--reveal", "--format", "json", name="p.json")
        finished = run("verify", self.folder)
        self.assertEqual(finished.returncode, 0)
        self.assertEqual(finished.stdout.count(b"same"), 1)
        self.assertIn(b"passed over 1 file", finished.stderr)
        self.assertIn(b"p.json", finished.stderr)

    def test_what_a_tool_did_to_the_spelling_is_said(self):
        path = self.document("rms-norm", "--input", "1,2,4")
        right = path.read_bytes()
        whole = json.loads(right)
        for content, message in (
                (json.dumps(whole, separators=(",", ":")).encode(), "minified"),
                (json.dumps(whole, indent=2, sort_keys=True).encode(), "keys in another order"),
                (right.replace(b"\n", b"\r\n"), "carriage returns"),
                (b"\xef\xbb\xbf" + right, "a byte-order mark"),
                (right.decode().encode("utf-16"), "UTF-16")):
            with self.subTest(message=message):
                path.write_bytes(content)
                finished = run("verify", path)
                self.assertEqual(finished.returncode, 1, finished.stderr)
                self.assertIn(f"the same values, spelled otherwise: {message}",
                              finished.stdout.decode())
                self.assertEqual(run("verify", "--update", path).returncode, 0)
                self.assertEqual(path.read_bytes(), right)

    def test_a_document_whose_check_fails_is_a_failure(self):
        path = self.document("gradcheck", "--tolerance", "0")
        finished = run("verify", path)
        self.assertEqual(finished.returncode, 1)
        self.assertIn(b"check", finished.stderr)

    def test_a_manifest_that_names_a_run_in_pytorch_is_computed_again(self):
        source = SOURCE / "fixtures" / "exhibit-rmsnorm" / "model.py"
        noted = {"capturedAt": "2026-11-30T10:00:00Z", "python": "3.11.2", "torch": "1.13.1",
                 "sourceSha256": hashlib.sha256(source.read_bytes()).hexdigest()}
        provenance = self.folder / "provenance.json"
        provenance.write_text(json.dumps(noted))
        path = self.document("exhibit", "--provenance", provenance, name="exhibit.json")
        finished = run("verify", path)
        self.assertEqual(finished.stdout, f"{path}: same (exhibit-rmsnorm json)\n".encode())
        for old, new in ((b"1.13.1", b""), (b'"sourceSha256": "', b'"sourceSha256": "0'),
                         (b'"openingStep": "rms"', b'"openingStep": "rmt"')):
            with self.subTest(new=new):
                self.assertEqual(path.read_bytes().count(old), 1)
                path.write_bytes(path.read_bytes().replace(old, new))
                self.assertEqual(run("verify", path).returncode, 1)
                path.write_bytes(path.read_bytes().replace(new, old) if new else
                                 path.read_bytes().replace(b'"torch": ""', b'"torch": "1.13.1"'))


if __name__ == "__main__":
    unittest.main()
