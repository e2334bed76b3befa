"""The exhibit's figures against its own model.py, run in PyTorch.

usage: RMSNORM_FIXTURE=PROGRAM RMSNORM_SOURCE=CHECKOUT compare_with_torch.py

Needs PyTorch (Debian's python3-torch), which is why ctest does not run it.
"""

import copy
import importlib.util
import json
import os
import subprocess
import unittest

import torch

SOURCE = os.environ["RMSNORM_SOURCE"]
# PyTorch's reductions and its division may round elsewhere: a few units of 1.1e-16 and of 1.2e-7 in
# values below two, and seeded numbers from its approximations of log, sin and cos.
FLOAT64_TOLERANCE = 1e-15
FLOAT32_TOLERANCE = 2e-6


def load_model():
    path = os.path.join(SOURCE, "fixtures", "exhibit-rmsnorm", "model.py")
    spec = importlib.util.spec_from_file_location("model", path)
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def printed_manifest():
    done = subprocess.run([os.environ["RMSNORM_FIXTURE"], "exhibit"], capture_output=True, check=True)
    return json.loads(done.stdout)


def largest_difference(tensor, values):
    expected = torch.tensor(values, dtype=torch.float64)
    found = tensor.detach().double().flatten()
    if found.shape != expected.shape:
        return float("inf")
    return float((found - expected).abs().max())


def run_model(module, tokens):
    model = module.NormalizationComparison().to(tokens.dtype).eval()
    with torch.no_grad():
        return model(tokens)


def differences(module, manifest):
    """A line for each figure, shape and name in which the model and the manifest differ."""
    found = []

    def check(name, holds):
        if not holds:
            found.append(name)

    for case in manifest["experiment"]["cases"]:
        vector, *norms = case["vectors"]
        outputs = run_model(module, torch.tensor([[vector["values"]]], dtype=torch.float64))
        check(f"{case['id']}: count of outputs", len(norms) == len(outputs))
        for norm, output in zip(norms, outputs):
            difference = largest_difference(output, norm["values"])
            check(f"{case['id']}: {norm['label']}", difference <= FLOAT64_TOLERANCE)

    provenance = manifest["provenance"]
    execution = provenance["execution"]
    argument, = execution["inputs"]["args"]
    torch.manual_seed(execution["seed"])
    tokens = torch.randn(*argument["shape"])
    outputs = run_model(module, tokens)
    check("number format", str(tokens.dtype) == "torch." + argument["dtype"])
    check("output shape", list(outputs.shape) == provenance["outputShape"])
    for name, tensor in (("input", tokens), ("output", outputs)):
        seeded = execution["seeded"][name]
        check(f"seeded {name}: shape", list(tensor.shape) == seeded["shape"])
        difference = largest_difference(tensor, seeded["values"])
        check(f"seeded {name}: values", difference <= FLOAT32_TOLERANCE)

    model = module.NormalizationComparison()
    check("class name", type(model).__name__ == manifest["className"])
    layers = {layer["id"]: layer for layer in manifest["layers"]}
    named = {name for name, _ in model.named_modules() if name}
    named |= {name for name, _ in model.named_parameters() if name.startswith("rms_norm.")}
    # The other ids are of calls ("div@rms_norm#0") and of the graph's two ends.
    listed = {name for name in layers if "@" not in name} - {"input", "output"}
    check(f"layer names {sorted(named ^ listed)}", named == listed)
    params = layers.get("layer_norm", {}).get("params", {})
    check("LayerNorm's width", model.layer_norm.normalized_shape == (params.get("normalized_shape"),))
    check("LayerNorm's epsilon", model.layer_norm.eps == params.get("eps"))
    check("RMSNorm's epsilon", model.rms_norm.rms.eps == params.get("eps"))
    return found


class CompareWithTorch(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.module = load_model()
        cls.manifest = printed_manifest()

    def differences_after(self, change):
        manifest = copy.deepcopy(self.manifest)
        change(manifest)
        return differences(self.module, manifest)

    def test_the_model_gives_the_manifests_figures_shapes_and_names(self):
        self.assertEqual(differences(self.module, self.manifest), [])

    def test_a_recorded_value_that_is_off_is_found_in_each_vector(self):
        for case in range(3):
            for vector in (1, 2):
                def change(manifest):
                    manifest["experiment"]["cases"][case]["vectors"][vector]["values"][5] += 2e-15
                with self.subTest(case=case, vector=vector):
                    self.assertEqual(len(self.differences_after(change)), 1)

    def test_a_seeded_value_that_is_off_or_missing_is_found(self):
        for name in ("input", "output"):
            def shift(manifest):
                manifest["provenance"]["execution"]["seeded"][name]["values"][31] += 5e-6
            def drop(manifest):
                manifest["provenance"]["execution"]["seeded"][name]["values"].pop()
            for change in (shift, drop):
                self.assertEqual(self.differences_after(change), [f"seeded {name}: values"])

    def test_another_seed_is_found(self):
        def change(manifest):
            manifest["provenance"]["execution"]["seed"] = 1
        self.assertEqual(self.differences_after(change),
                         ["seeded input: values", "seeded output: values"])

    def test_a_wrong_shape_is_found(self):
        def change(manifest):
            manifest["provenance"]["outputShape"] = [1, 2, 4, 8]
        self.assertEqual(self.differences_after(change), ["output shape"])

    def test_a_layer_that_the_model_does_not_have_is_found(self):
        def change(manifest):
            manifest["layers"][6]["id"] = "rms_norm.scale"
            manifest["layers"][7]["id"] = "rms_norm.weight"
        self.assertEqual(len(self.differences_after(change)), 1)

    def test_a_model_that_centers_is_found(self):
        class Centering(self.module.RootMeanSquare):
            def forward(self, x):
                return super().forward(x - x.mean(dim=-1, keepdim=True))
        original = self.module.RootMeanSquare
        self.module.RootMeanSquare = Centering
        try:
            found = differences(self.module, self.manifest)
        finally:
            self.module.RootMeanSquare = original
        # The vectors of mean zero cannot show it.
        self.assertEqual(found, ["offset: RMSNorm", "seeded output: values"])


if __name__ == "__main__":
    unittest.main()
