"""The exhibit from outside: manifest, schema, picture, bundle."""

import datetime
import hashlib
import json
import os
import pathlib
import platform
import resource
import shutil
import stat
import subprocess
import sys
import tempfile
import unittest
import xml.etree.ElementTree

import jsonschema

PROGRAM = os.environ["RMSNORM_FIXTURE"]
SOURCE = pathlib.Path(os.environ["RMSNORM_SOURCE"])
SVG = "{http://www.w3.org/2000/svg}"
BUNDLE = ["exhibit.json", "graph.tensorviz.json", "model.py", "preview.svg", "requirements.txt", "run.py"]


def run(*arguments, **options):
    return subprocess.run([PROGRAM, *map(str, arguments)], capture_output=True, text=True, timeout=60,
                          **options)


def printed(*arguments):
    done = run(*arguments)
    assert done.returncode == 0, done.stderr
    return done.stdout


class Manifest(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.manifest = json.loads(printed("exhibit"))
        cls.schema = json.loads(printed("schema", "exhibit"))

    def test_it_is_the_default_format_and_the_fixtures_report(self):
        self.assertEqual(printed("exhibit"), printed("exhibit", "--format", "json"))
        self.assertEqual(printed("exhibit"), printed("report", "exhibit-rmsnorm"))
        self.assertEqual(printed("exhibit", "--format", "text"),
                         printed("report", "exhibit-rmsnorm", "--format", "text"))
        self.assertEqual(printed("exhibit", "--format", "html"),
                         printed("report", "exhibit-rmsnorm", "--format", "html"))

    def test_it_keeps_to_its_schema_by_an_independent_validator(self):
        jsonschema.Draft202012Validator.check_schema(self.schema)
        jsonschema.Draft202012Validator(self.schema).validate(self.manifest)

    def test_the_schema_refuses_a_manifest_with_any_field_removed_or_added(self):
        validator = jsonschema.Draft202012Validator(self.schema)
        optional = {"source"}

        def objects(node):
            if isinstance(node, dict):
                yield node
                for inner in list(node.values()):
                    yield from objects(inner)
            elif isinstance(node, list):
                for inner in node:
                    yield from objects(inner)

        changed = json.loads(json.dumps(self.manifest))
        free = [layer["params"] for layer in changed["layers"]]
        count = 0
        for node in objects(changed):
            if any(node is params for params in free):
                continue
            for key in list(node):
                if key in optional:
                    continue
                value = node.pop(key)
                self.assertFalse(validator.is_valid(changed), key)
                # Back in its place: the order of the keys carries no meaning to the validator.
                node[key] = value
                count += 1
            node["surplus"] = 1
            self.assertFalse(validator.is_valid(changed))
            del node["surplus"]
        self.assertTrue(validator.is_valid(changed))
        self.assertGreater(count, 200)

    def test_the_schema_refuses_values_of_another_kind(self):
        for path, value in (("schemaVersion", 2), ("revision", "xyz"), ("tags", "RMSNorm"),
                            ("experiment/cases/0/vectors/1/values/0", "0.3"),
                            ("experiment/cases/0/vectors/1/values", [1.0] * 7),
                            ("files/model.py/sha256", "0" * 63), ("layers/1/kind", "box"),
                            ("provenance/measurements/0/measured", None)):
            changed = json.loads(json.dumps(self.manifest))
            node = changed
            *parents, last = path.split("/")
            for key in parents:
                node = node[int(key) if isinstance(node, list) else key]
            node[int(last) if isinstance(node, list) else last] = value
            self.assertFalse(jsonschema.Draft202012Validator(self.schema).is_valid(changed), path)

    def test_a_loader_of_the_recorded_exhibits_manifest_accepts_it(self):
        # The structure of the recorded manifest: every key, and what kind of value it has.
        schema = json.loads((SOURCE / "tests/cli/exhibit_manifest.schema.json").read_text())
        jsonschema.Draft202012Validator.check_schema(schema)
        validator = jsonschema.Draft202012Validator(schema)
        validator.validate(self.manifest)

        def required(node, path=()):
            for key in node.get("required", ()):
                yield (*path, key)
                yield from required(node["properties"][key], (*path, key))

        paths = list(required(schema))
        self.assertGreater(len(paths), 50)
        for *parents, last in paths:
            changed = json.loads(json.dumps(self.manifest))
            node = changed
            for key in parents:
                node = node[key]
            for value in (None, 7.5, [7.5]):
                node[last] = value
                self.assertFalse(validator.is_valid(changed), (parents, last, value))
            del node[last]
            self.assertFalse(validator.is_valid(changed), (parents, last))
        changed = json.loads(json.dumps(self.manifest))
        provenance = changed["provenance"]
        provenance["numericalChecks"] = provenance["measurements"]
        self.assertFalse(validator.is_valid(changed))

    def test_without_a_captured_run_it_names_what_did_run(self):
        provenance = self.manifest["provenance"]
        version = printed("--version").strip()
        self.assertEqual((provenance["python"], provenance["torch"]), (version, version))
        self.assertEqual(provenance["capturedAt"], "undated")

    def test_ids_ends_parents_and_steps_fit_together(self):
        ids = [layer["id"] for layer in self.manifest["layers"]]
        self.assertEqual(len(ids), len(set(ids)))
        for edge in self.manifest["connections"]:
            self.assertIn(edge["source"], ids)
            self.assertIn(edge["target"], ids)
        for layer in self.manifest["layers"]:
            self.assertIn(layer["parent"], ids + [None])
        steps = {step["id"]: step for step in self.manifest["steps"]}
        for step in steps.values():
            self.assertIn(step["target"], ids)
        self.assertIn(self.manifest["openingStep"], steps)
        for case in self.manifest["experiment"]["cases"]:
            self.assertIn(case["target"], ids)

    def test_source_lines_point_at_what_they_name(self):
        lines = (SOURCE / "fixtures/exhibit-rmsnorm/model.py").read_text().splitlines()
        words = {"layer_norm": "nn.LayerNorm(", "rms_norm": "RMSNorm(", "rms_norm.rms": "self.rms =",
                 "stack@NormalizationComparison#0": "torch.stack(", "div@rms_norm#0": "torch.div(",
                 "rms_norm.gain": "nn.Parameter(", "mul@rms_norm#0": "torch.mul(",
                 "python@rms_norm.rms#0": "torch.sqrt("}
        pointed = {layer["id"]: layer["source"] for layer in self.manifest["layers"]
                   if "source" in layer}
        self.assertEqual(pointed.keys(), words.keys())
        for layer, place in pointed.items():
            self.assertEqual(place["line"], place["endLine"])
            self.assertIn(words[layer], lines[place["line"] - 1])

    def test_every_claim_passed_with_a_measure_within_its_bound(self):
        claims = self.manifest["provenance"]["measurements"]
        self.assertEqual(len(claims), 3)
        self.assertEqual(self.manifest["provenance"]["numericalChecks"],
                         [claim["claim"] for claim in claims])
        for claim in claims:
            self.assertTrue(claim["passed"])
            self.assertLessEqual(claim["measured"], claim["bound"])
        self.assertEqual(self.manifest["provenance"]["outcome"], "passed")

    def test_the_revision_is_the_hash_of_the_hashes(self):
        sums = "".join(f"{file['sha256']}  {name}\n" for name, file in self.manifest["files"].items())
        self.assertEqual(hashlib.sha256(sums.encode()).hexdigest()[:16], self.manifest["revision"])

    def test_the_goldens_are_known_to_verify(self):
        folder = SOURCE / "fixtures/exhibit-rmsnorm"
        lines = printed("verify", folder).splitlines()
        self.assertEqual(len(lines), 3)
        for line in lines:
            self.assertIn(": same (exhibit-rmsnorm ", line)

    def test_a_changed_golden_is_found_where_it_differs(self):
        golden = (SOURCE / "fixtures/exhibit-rmsnorm/exhibit.json").read_text()
        with tempfile.TemporaryDirectory() as folder:
            changed = pathlib.Path(folder, "exhibit.json")
            changed.write_text(golden.replace("1.4605933893075536", "1.4605933893075534", 1))
            done = run("verify", changed)
        self.assertEqual(done.returncode, 1)
        self.assertIn("1.4605933893075536", done.stdout)


class Provenance(unittest.TestCase):
    def setUp(self):
        self.folder = pathlib.Path(tempfile.mkdtemp())
        self.addCleanup(shutil.rmtree, self.folder, ignore_errors=True)
        self.file = self.folder / "provenance.json"
        model = (SOURCE / "fixtures/exhibit-rmsnorm/model.py").read_bytes()
        self.run = {"capturedAt": "2026-01-02T03:04:05+00:00", "python": "3.11.2",
                    "torch": "1.13.0", "sourceSha256": hashlib.sha256(model).hexdigest()}

    def written(self, **changes):
        self.file.write_text(json.dumps(self.run | changes))
        return self.file

    def test_what_ran_is_named_in_the_manifest_and_in_the_bundles(self):
        manifest = json.loads(printed("exhibit", "--provenance", self.written()))
        jsonschema.Draft202012Validator(json.loads(printed("schema", "exhibit"))).validate(manifest)
        for key, value in self.run.items():
            self.assertEqual(manifest["provenance"][key], value)
        bundle = self.folder / "bundle"
        printed("exhibit", "--bundle", bundle, "--provenance", self.file)
        self.assertEqual(json.loads((bundle / "exhibit.json").read_text()), manifest)
        # A run in the bundle leaves its note there, where the next bundle leaves it.
        shutil.copy(self.file, bundle)
        printed("exhibit", "--bundle", bundle, "--provenance", bundle / "provenance.json", "--force")
        self.assertEqual(sorted(path.name for path in bundle.iterdir()),
                         sorted([*BUNDLE, "provenance.json"]))
        self.assertEqual((bundle / "provenance.json").read_bytes(), self.file.read_bytes())

    def test_a_file_that_notes_no_run_of_this_model_is_refused(self):
        for changes in ({"python": 3}, {"torch": ""}, {"capturedAt": None},
                        {"sourceSha256": "0" * 64}, {"sourceSha256": "\x1b" * 1000}):
            done = run("exhibit", "--provenance", self.written(**changes))
            self.assertEqual((done.returncode, done.stdout), (2, ""))
            for part in ("--provenance", str(self.file), "accepted"):
                self.assertIn(part, done.stderr)
            self.assertLess(len(done.stderr), 600)
        for content in ("", "[]", "{", "\0"):
            self.file.write_text(content)
            self.assertEqual(run("exhibit", "--provenance", self.file).returncode, 2)
        self.assertEqual(run("exhibit", "--provenance", self.folder / "none").returncode, 3)
        self.assertEqual(run("exhibit", "--provenance", self.written(), "--format", "text")
                         .returncode, 2)

    def test_the_bundles_run_notes_what_ran(self):
        bundle = self.folder / "bundle"
        printed("exhibit", "--bundle", bundle)
        # A PyTorch that says no more than its version: what run.py writes does not depend on it.
        stub = self.folder / "stub"
        stub.mkdir()
        (stub / "torch.py").write_text(TORCH_STUB)
        done = subprocess.run([sys.executable, "run.py"], cwd=bundle, capture_output=True, text=True,
                              env={**os.environ, "PYTHONPATH": str(stub)})
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertEqual(sorted(path.name for path in bundle.iterdir()),
                         sorted([*BUNDLE, "provenance.json"]))
        manifest = json.loads(printed("exhibit", "--provenance", bundle / "provenance.json"))
        provenance = manifest["provenance"]
        self.assertEqual(provenance["torch"], "0.0-stub")
        self.assertEqual(provenance["python"], platform.python_version())
        captured = datetime.datetime.fromisoformat(provenance["capturedAt"])
        self.assertIsNotNone(captured.tzinfo)
        self.assertLess(abs(datetime.datetime.now(datetime.timezone.utc) - captured),
                        datetime.timedelta(hours=1))


# Enough of PyTorch for the bundle's files to be run: tensors are shapes.
TORCH_STUB = '''
import sys, types
__version__ = "0.0-stub"
class Tensor:
    device = "cpu"
    def __init__(self, *shape): self.shape = shape
    def mean(self, dim): return Tensor()
    def flatten(self): return self
    def tolist(self): return []
    def __iter__(self): return iter([Tensor(), Tensor()])
class Module:
    def eval(self): return self
    def __call__(self, x): return Tensor(2, *x.shape)
class no_grad:
    def __enter__(self): pass
    def __exit__(self, *error): pass
def manual_seed(seed): pass
def randn(*shape): return Tensor(*shape)
def ones(*shape): return Tensor(*shape)
nn = types.ModuleType("torch.nn")
nn.Module, nn.Parameter, nn.LayerNorm = Module, lambda value: value, lambda *words, **names: Module()
sys.modules["torch.nn"] = nn
'''


class Picture(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        with tempfile.TemporaryDirectory() as folder:
            printed("exhibit", "--bundle", pathlib.Path(folder, "bundle"))
            cls.bytes = pathlib.Path(folder, "bundle", "preview.svg").read_bytes()
        cls.root = xml.etree.ElementTree.fromstring(cls.bytes)
        cls.manifest = json.loads(printed("exhibit"))

    def test_it_has_a_title_and_a_description_that_it_is_labelled_by(self):
        self.assertEqual(self.root.tag, SVG + "svg")
        self.assertEqual(self.root.get("role"), "img")
        labels = [element.text for name in self.root.get("aria-labelledby").split()
                  for element in self.root if element.get("id") == name]
        self.assertEqual(len(labels), 2)
        for label in labels:
            self.assertTrue(label.strip())

    def test_it_has_no_script_and_nothing_from_elsewhere(self):
        for element in self.root.iter():
            self.assertIn(element.tag.removeprefix(SVG),
                          ("svg", "title", "desc", "style", "rect", "line", "text"))
            for name in element.attrib:
                self.assertNotIn("href", name)
                self.assertFalse(name.startswith("on"), name)
        for word in (b"url(", b"@import", b"@font-face"):
            self.assertNotIn(word, self.bytes)
        self.assertIn(b"prefers-color-scheme: dark", self.bytes)

    def test_each_bar_is_as_high_as_its_value_and_on_its_side_of_zero(self):
        zeros = [float(line.get("y1")) for line in self.root.iter(SVG + "line")
                 if line.get("class") == "zero"]
        grid = [float(line.get("y1")) for line in self.root.iter(SVG + "line")
                if line.get("class") == "grid"]
        self.assertEqual((len(zeros), len(grid)), (3, 6))
        unit = (grid[0] - grid[1]) / 2
        for style, vector in (("layer", 1), ("rms", 2)):
            # The first one is the legend's.
            bars = [bar for bar in self.root.iter(SVG + "rect") if bar.get("class") == style][1:]
            values = [(zero, value)
                      for zero, case in zip(zeros, self.manifest["experiment"]["cases"])
                      for value in case["vectors"][vector]["values"]]
            self.assertEqual(len(bars), len(values))
            for bar, (zero, value) in zip(bars, values):
                top, height = float(bar.get("y")), float(bar.get("height"))
                # Coordinates are rounded to a tenth.
                self.assertAlmostEqual(height, abs(value) * unit, delta=0.051)
                self.assertAlmostEqual(top if value < 0 else top + height, zero, delta=0.151)

    def test_everything_is_inside_of_the_picture_and_large_enough_at_400_pixels(self):
        _, _, width, height = map(float, self.root.get("viewBox").split())
        self.assertEqual(width, 400)
        for element in self.root.iter(SVG + "rect"):
            self.assertGreaterEqual(float(element.get("x")), 0)
            self.assertLessEqual(float(element.get("x")) + float(element.get("width")), width)
            self.assertLessEqual(float(element.get("y")) + float(element.get("height")), height)
        self.assertIn(b"font: 12px", self.bytes)


class Bundle(unittest.TestCase):
    def setUp(self):
        self.folder = pathlib.Path(tempfile.mkdtemp())
        self.addCleanup(shutil.rmtree, self.folder, ignore_errors=True)
        self.target = self.folder / "bundle"

    def entries(self):
        return sorted(entry.name for entry in self.folder.iterdir())

    def test_it_holds_the_manifest_and_the_files_that_it_lists(self):
        printed("exhibit", "--bundle", self.target)
        self.assertEqual(sorted(path.name for path in self.target.iterdir()), BUNDLE)
        self.assertEqual((self.target / "exhibit.json").read_text(), printed("exhibit"))
        manifest = json.loads((self.target / "exhibit.json").read_text())
        self.assertEqual(sorted(["exhibit.json", *manifest["files"]]), BUNDLE)
        for name, file in manifest["files"].items():
            self.assertEqual((self.target / file["url"]).stat().st_size, file["bytes"])
        for name in ("model.py", "run.py", "requirements.txt"):
            self.assertEqual((self.target / name).read_bytes(),
                             (SOURCE / "fixtures/exhibit-rmsnorm" / name).read_bytes())
        graph = json.loads((self.target / "graph.tensorviz.json").read_text())
        self.assertEqual(graph["layers"], manifest["layers"])
        self.assertEqual(graph["connections"], manifest["connections"])
        self.assertEqual(manifest["provenance"]["sourceSha256"],
                         manifest["files"]["model.py"]["sha256"])

    def test_sha256sum_finds_the_manifests_hashes_and_the_printed_ones(self):
        output = printed("exhibit", "--bundle", self.target)
        checked = subprocess.run(["sha256sum", "--check", "--strict"], input=output, text=True,
                                 cwd=self.target, capture_output=True)
        self.assertEqual(checked.returncode, 0, checked.stderr)
        files = json.loads((self.target / "exhibit.json").read_text())["files"]
        for name, file in files.items():
            summed = subprocess.run(["sha256sum", name], cwd=self.target, capture_output=True,
                                    text=True, check=True)
            self.assertEqual(summed.stdout.split()[0], file["sha256"])

    def test_a_bundle_verifies_by_its_manifest_alone(self):
        printed("exhibit", "--bundle", self.target)
        self.assertEqual(printed("verify", self.target).splitlines(),
                         [f"{self.target}/exhibit.json: same (exhibit-rmsnorm json)"])
        done = run("verify", self.target / "graph.tensorviz.json")
        self.assertEqual(done.returncode, 2)
        self.assertIn("graph.tensorviz.json", done.stderr)

    def test_an_empty_folder_is_filled_and_its_parents_mask_kept(self):
        self.target.mkdir()
        printed("exhibit", "--bundle", str(self.target) + "/")
        self.assertEqual(len(list(self.target.iterdir())), 6)
        done = run("exhibit", "--bundle", self.folder / "masked", preexec_fn=lambda: os.umask(0o027))
        self.assertEqual(done.returncode, 0)
        self.assertEqual(stat.S_IMODE((self.folder / "masked").stat().st_mode), 0o750)

    def test_a_folder_stays_the_one_that_it_was(self):
        self.target.mkdir()
        before = self.target.stat().st_ino
        for options in ([], ["--force"]):
            done = run("exhibit", "--bundle", ".", *options, cwd=self.target)
            self.assertEqual(done.returncode, 0, done.stderr)
            self.assertEqual(sorted(path.name for path in self.target.iterdir()), BUNDLE)
            self.assertEqual(self.target.stat().st_ino, before)
        self.assertEqual(self.entries(), ["bundle"])

    def test_an_empty_folder_in_one_that_may_not_be_written_to_is_filled(self):
        program = self.folder / "program"
        shutil.copy(PROGRAM, program)
        locked = self.folder / "locked"
        inner = locked / "inner"
        inner.mkdir(parents=True)
        inner.chmod(0o777)
        self.folder.chmod(0o755)
        locked.chmod(0o555)
        # Permissions do not hold for root.
        nobody = {"user": 65534, "group": 65534, "extra_groups": []} if os.geteuid() == 0 else {}
        done = subprocess.run([program, "exhibit", "--bundle", inner], cwd=self.folder,
                              capture_output=True, text=True, **nobody)
        locked.chmod(0o755)
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertEqual(sorted(path.name for path in inner.iterdir()), BUNDLE)

    def test_an_empty_mount_point_is_filled_or_stays_empty(self):
        script = ('mount -t tmpfs -o size="$3" none "$1" && '
                  '{ "$2" exhibit --bundle "$1" >&2; echo "code $?"; ls -A "$1"; }')
        for size, wanted in (("1m", ["code 0", *BUNDLE]), ("24k", ["code 3"])):
            done = subprocess.run(["unshare", "-rm", "sh", "-c", script, "sh", str(self.folder),
                                   PROGRAM, size], capture_output=True, text=True)
            if "code" not in done.stdout:
                self.skipTest("mounting is not allowed here: " + done.stderr.strip())
            self.assertEqual(done.stdout.splitlines(), wanted)

    def test_a_write_that_fails_half_way_leaves_an_empty_folder_empty(self):
        self.target.mkdir()
        def limit():
            import signal
            signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
            resource.setrlimit(resource.RLIMIT_FSIZE, (4000, 4000))
        done = run("exhibit", "--bundle", self.target, preexec_fn=limit)
        self.assertEqual(done.returncode, 3, done.stderr)
        self.assertEqual(list(self.target.iterdir()), [])

    def test_a_folder_that_holds_something_is_refused_and_kept(self):
        self.target.mkdir()
        (self.target / "model.py").write_text("mine")
        done = run("exhibit", "--bundle", self.target)
        self.assertEqual(done.returncode, 2)
        self.assertIn("--force", done.stderr)
        self.assertIn("model.py", done.stderr)
        self.assertEqual((self.target / "model.py").read_text(), "mine")
        self.assertEqual(self.entries(), ["bundle"])

    def test_force_replaces_a_bundle(self):
        printed("exhibit", "--bundle", self.target)
        (self.target / "model.py").write_text("broken")
        (self.target / "run.py").unlink()
        printed("exhibit", "--bundle", self.target, "--force")
        self.assertEqual(sorted(path.name for path in self.target.iterdir()), BUNDLE)
        self.assertNotEqual((self.target / "model.py").read_text(), "broken")
        self.assertEqual(self.entries(), ["bundle"])

    def test_force_spares_a_folder_that_holds_anything_else(self):
        printed("exhibit", "--bundle", self.target)
        (self.target / "thesis.tex").write_text("years of work")
        done = run("exhibit", "--bundle", self.target, "--force")
        self.assertEqual(done.returncode, 2)
        self.assertIn("thesis.tex", done.stderr)
        self.assertEqual((self.target / "thesis.tex").read_text(), "years of work")
        (self.target / "thesis.tex").unlink()
        (self.target / "run.py").unlink()
        (self.target / "run.py").mkdir()
        self.assertEqual(run("exhibit", "--bundle", self.target, "--force").returncode, 2)
        self.assertEqual(self.entries(), ["bundle"])

    def test_a_link_to_a_folder_is_followed(self):
        printed("exhibit", "--bundle", self.target)
        link = self.folder / "link"
        link.symlink_to("bundle")
        printed("exhibit", "--bundle", link, "--force")
        self.assertTrue(link.is_symlink())
        self.assertEqual(sorted(path.name for path in link.iterdir()), BUNDLE)

    def test_a_file_in_its_place_and_a_missing_parent_are_failures_of_writing(self):
        self.target.write_text("a file")
        for target in (self.target, self.folder / "no" / "such" / "place"):
            done = run("exhibit", "--bundle", target)
            self.assertEqual(done.returncode, 3, done.stderr)
            self.assertEqual(done.stderr.count("\n"), 1)
            self.assertIn(str(target), done.stderr)
        self.assertEqual(self.entries(), ["bundle"])
        self.assertEqual(self.target.read_text(), "a file")

    def test_a_write_that_fails_half_way_leaves_nothing(self):
        # The first file fits, a later one does not. A write beyond the limit fails with EFBIG.
        def limit():
            import signal
            signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
            resource.setrlimit(resource.RLIMIT_FSIZE, (4000, 4000))
        done = run("exhibit", "--bundle", self.target, preexec_fn=limit)
        self.assertEqual(done.returncode, 3, done.stderr)
        self.assertEqual(self.entries(), [])

    def test_a_failed_replacement_keeps_the_earlier_bundle(self):
        printed("exhibit", "--bundle", self.target)
        (self.target / "model.py").write_text("earlier")
        def limit():
            import signal
            signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
            resource.setrlimit(resource.RLIMIT_FSIZE, (4000, 4000))
        done = run("exhibit", "--bundle", self.target, "--force", preexec_fn=limit)
        self.assertEqual(done.returncode, 3, done.stderr)
        self.assertEqual(self.entries(), ["bundle"])
        self.assertEqual((self.target / "model.py").read_text(), "earlier")
        self.assertEqual(len(list(self.target.iterdir())), 6)

    def test_a_full_disk_leaves_nothing(self):
        # A file system of 24 KiB in a mount namespace of its own, gone with the process.
        script = ('mount -t tmpfs -o size=24k none "$1" && '
                  '{ "$2" exhibit --bundle "$1/bundle"; echo "code $?"; ls -A "$1"; }')
        done = subprocess.run(["unshare", "-rm", "sh", "-c", script, "sh", str(self.folder), PROGRAM],
                              capture_output=True, text=True)
        if "code" not in done.stdout:
            self.skipTest("mounting is not allowed here: " + done.stderr.strip())
        self.assertEqual(done.stdout, "code 3\n")
        self.assertIn("No space left on device", done.stderr)

    def test_a_folder_that_may_not_be_written_to_is_left_as_it_is(self):
        program = self.folder / "program"
        shutil.copy(PROGRAM, program)
        locked = self.folder / "locked"
        locked.mkdir()
        self.folder.chmod(0o755)
        locked.chmod(0o555)
        # Permissions do not hold for root.
        nobody = {"user": 65534, "group": 65534, "extra_groups": []} if os.geteuid() == 0 else {}
        done = subprocess.run([program, "exhibit", "--bundle", locked / "bundle"], cwd=self.folder,
                              capture_output=True, text=True, **nobody)
        locked.chmod(0o755)
        self.assertEqual(done.returncode, 3, done.stderr)
        self.assertIn("Permission denied", done.stderr)
        self.assertEqual(list(locked.iterdir()), [])

    def test_options_that_contradict_are_refused(self):
        for arguments in (["--force"], ["--bundle", ""], ["--bundle", self.target, "--format", "text"],
                          ["--bundle", self.target, "-o", self.folder / "file"],
                          ["--format", "trace"], ["--bundle"], ["surplus"]):
            done = run("exhibit", *arguments)
            self.assertEqual(done.returncode, 2, arguments)
            self.assertEqual(done.stdout, "")
            self.assertEqual(done.stderr.count("\n"), 1)
        self.assertEqual(self.entries(), [])


if __name__ == "__main__":
    unittest.main()
