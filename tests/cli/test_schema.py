"""The JSON Schema, judged by an independent validator."""

import copy
import json
import unittest

from jsonschema import Draft202012Validator

from program import ProgramTest, document, experiments, run


def paths(node, at=()):
    """The path of every node of a document."""
    yield at
    if isinstance(node, (dict, list)):
        for key, inner in node.items() if isinstance(node, dict) else enumerate(node):
            yield from paths(inner, (*at, key))


def inside(node, path):
    for key in path:
        node = node[key]
    return node


class Schema(ProgramTest):
    @classmethod
    def setUpClass(cls):
        cls.schema = json.loads(run("schema").stdout)
        cls.validator = Draft202012Validator(cls.schema)
        cls.report_validator = cls.validator_of("fixture", "25-rmsnorm")
        cls.documents = {"report": document("report"),
                         **{name: document(name) for name in experiments()}}

    @classmethod
    def validator_of(cls, kind, name):
        """Of one document's alternative alone: the others refuse its name, which is quicker said
        once (test_names_and_versions_are_fixed) than found out for every mutation."""
        alternative, = [each for each in cls.schema["oneOf"]
                        if each["properties"].get(kind, {}).get("const") == name]
        return Draft202012Validator({**alternative, "$defs": cls.schema["$defs"]})

    def assert_invalid(self, instance, what):
        validator = self.validator
        if isinstance(instance, dict):
            if instance.get("fixture") == "25-rmsnorm" and "experiment" not in instance:
                validator = self.report_validator
        self.assertFalse(validator.is_valid(instance), what)

    def mutated(self, name, path, change):
        """A copy of a document in which `change` was made to the node at `path`."""
        instance = copy.deepcopy(self.documents[name])
        if not path:
            return change(instance)
        parent = inside(instance, path[:-1])
        parent[path[-1]] = change(parent[path[-1]])
        return instance

    def test_it_is_a_schema_of_draft_2020_12(self):
        self.assertEqual(self.schema["$schema"], "https://json-schema.org/draft/2020-12/schema")
        Draft202012Validator.check_schema(self.schema)

    def test_it_prints_the_same_bytes_every_time(self):
        first = run("schema")
        self.assert_done(first)
        self.assertEqual(first.stdout, run("schema").stdout)
        self.assertTrue(first.stdout.endswith(b"}\n"))

    def test_every_document_has_one_alternative(self):
        names = [each["properties"].get("fixture", each["properties"].get("experiment"))["const"]
                 for each in self.schema["oneOf"]]
        self.assertEqual(len(names), len(set(names)))
        self.assertTrue(self.report_validator.is_valid(self.documents["report"]))

    def test_every_document_fits(self):
        for name, whole in self.documents.items():
            with self.subTest(name=name):
                self.assertEqual([error.message for error in self.validator.iter_errors(whole)],
                                 [])
        for name in experiments():
            with self.subTest(name=name):
                self.assertTrue(self.validator.is_valid(document(name, "--full")))

    def test_no_key_may_be_missing(self):
        whole = self.documents["report"]
        for path in paths(whole):
            if path and isinstance(path[-1], str):
                instance = copy.deepcopy(whole)
                del inside(instance, path[:-1])[path[-1]]
                with self.subTest(path=path):
                    self.assert_invalid(instance, path)

    def test_no_key_may_be_added(self):
        for name in ("report", "forward", "gradcheck"):
            for path in paths(self.documents[name]):
                if isinstance(inside(self.documents[name], path), dict):
                    with self.subTest(name=name, path=path):
                        self.assert_invalid(
                            self.mutated(name, path, lambda node: {**node, "extra": 1}), path)

    def test_every_datum_has_its_kind(self):
        whole = self.documents["report"]
        for path in paths(whole):
            # A verdict may be null, and nothing else but a truth.
            wrong = "true" if path[-1:] == ("passed",) else None
            with self.subTest(path=path):
                self.assert_invalid(self.mutated("report", path, lambda node: wrong), path)

    def test_numbers_words_and_truths_are_not_taken_for_each_other(self):
        whole = self.documents["report"]
        for path in paths(whole):
            node = inside(whole, path)
            other = {bool: "true", str: 1, int: "1", float: "1.0"}.get(type(node))
            if other is not None:
                with self.subTest(path=path):
                    self.assert_invalid(self.mutated("report", path, lambda _, o=other: o), path)

    def test_bits_have_16_lower_case_hexadecimal_digits(self):
        for bits in ("", "4008", "40080000000000000", "400800000000000", "4008000000000G00",
                     "400800000000000A", "0x4008000000000000", " 4008000000000000"):
            with self.subTest(bits=bits):
                self.assert_invalid(
                    self.mutated("report", ("primary", "input", "bits", 0), lambda _, b=bits: b),
                    bits)
                self.assert_invalid(
                    self.mutated("report", ("config", "epsilon", "bits"), lambda _, b=bits: b),
                    bits)

    def test_a_display_is_a_decimal(self):
        for display in ("", "nan", "inf", "1e", ".5", "5.", "1,0", "--1"):
            with self.subTest(display=display):
                self.assert_invalid(
                    self.mutated("report", ("config", "epsilon", "display"),
                                 lambda _, d=display: d), display)

    def test_a_shape_holds_whole_numbers_from_zero(self):
        for size in (-1, 0.5, "2"):
            with self.subTest(size=size):
                self.assert_invalid(
                    self.mutated("report", ("primary", "input", "shape", 0), lambda _, s=size: s),
                    size)

    def test_names_and_versions_are_fixed(self):
        for path, other in ((("schema_version",), 2), (("fixture",), "26-qkv"),
                            (("generator", "name"), "other")):
            with self.subTest(path=path):
                self.assert_invalid(self.mutated("report", path, lambda _, o=other: o), path)
        self.assert_invalid({**self.documents["forward"], "experiment": "other"}, "experiment")

    def test_a_document_is_of_one_kind(self):
        self.assert_invalid({**self.documents["report"], "experiment": "forward"}, "both")
        self.assert_invalid({}, "empty")
        self.assert_invalid([], "a list")
        forward = copy.deepcopy(self.documents["forward"])
        forward["experiment"] = "backward"
        self.assert_invalid(forward, "the results of another experiment")


if __name__ == "__main__":
    unittest.main()
