"""No right gradient is called wrong: styles, orders, formats and data of real programs."""

import unittest

import numpy as np

from gradient_cases import (COMPOSITES, DATA, ORDERS, ROUND, STYLES, Case, data, doubts_in, fused, judged, wide)

try:
    import torch
except ImportError:
    torch = None


class RightGradientsPass(unittest.TestCase):
    def require_right(self, cases, names):
        largest = [0.0, 0.0]
        for (input_words, gain_words), name in zip(judged(cases), names):
            for place, words in enumerate((input_words, gain_words)):
                self.assertEqual(words[0], "right", (name, words))
                largest[place] = max(largest[place], float(words[1]))
        return largest

    def test_styles_orders_formats_and_data(self):
        random = np.random.default_rng(17)
        count = 0
        largest = {}
        for dtype in ("bf16", "f16", "f32", "f64"):
            cases, names = [], []
            for rows, width in [(1, 1), (1, 7), (3, 64), (6, 129), (40, 5), (2, 1000)]:
                for kind in DATA:
                    for epsilon in (1e-5, 1e-6, 0.0):
                        x, g, p = data(random, kind, rows, width, dtype)
                        for style in STYLES:
                            for order in ORDERS:
                                with np.errstate(all="ignore"):
                                    dx, dg = style(x, g, p, epsilon, order, dtype)
                                cases.append(Case(dtype, epsilon, x, g, p, dx, dg))
                                names.append((dtype, rows, width, kind, epsilon, style.__name__,
                                              order.__name__))
            count += 2 * len(cases)
            largest[dtype] = self.require_right(cases, names)
        print(f"{count} right gradients, largest part of the bound: {largest}")
        self.assertGreater(count, 14_000)

    def test_an_offset_and_a_wider_gain(self):
        random = np.random.default_rng(18)
        cases, names = [], []
        for dtype in ("bf16", "f16", "f32", "f64"):
            for kind in DATA:
                x, g, p = data(random, kind, 4, 33, dtype)
                kind_of_number = wide(dtype)
                whole = kind_of_number(1) + g
                for order in ORDERS:
                    dx, dg = fused(x, whole, p, 1e-6, order, dtype)
                    cases.append(Case(dtype, 1e-6, x, g, p, dx, dg, offset=1.0))
                    names.append((dtype, kind, "offset"))
                    if dtype in ("bf16", "f16"):
                        gain = (1 + 0.3 * random.standard_normal(33)).astype(np.float32)
                        dx, dg = fused(x, gain, p, 1e-6, order, "f32")
                        cases.append(Case(dtype, 1e-6, x, gain, p, ROUND[dtype](dx), dg,
                                          formats=[dtype, "f32", dtype, dtype, "f32"]))
                        names.append((dtype, kind, "gain"))
        self.require_right(cases, names)

    def test_a_cube_of_the_scale_that_underflows_is_right(self):
        """From a root mean square of 4e12 on, r * r * r is no normal number of binary32."""
        random = np.random.default_rng(20)
        cases, names = [], []
        lost = 0
        for dtype in ("bf16", "f32"):
            for size in (1e12, 3e13, 1e15, 1e16):
                for kind in ("normal", "positive", "constant", "outlier"):
                    x, g, p = data(random, kind, 3, 12, dtype)
                    x = ROUND[dtype](x * np.float32(size))
                    for style in STYLES:
                        for order in ORDERS:
                            dx, dg = style(x, g, p, 1e-6, order, dtype)
                            cases.append(Case(dtype, 1e-6, x, g, p, dx, dg))
                            names.append((dtype, size, kind, style.__name__, order.__name__))
                            r = 1 / np.sqrt((np.float64(x) ** 2).mean(1, keepdims=True))
                            lost += np.any(np.abs(dx - ROUND[dtype](r * p * g)) <= 1e-6 * np.abs(dx))
        self.assertGreater(lost, 0, "there are gradients whose second term is gone")
        self.require_right(cases, names)

    def test_exact_and_subnormal_numbers_of_narrow_formats(self):
        """Where hardly anything is rounded the bound has only what was rounded twice."""
        random = np.random.default_rng(21)
        shapes = {"powers": lambda s: random.choice([-1, 1], s) * 2.0 ** random.integers(-6, 6, s),
                  "whole": lambda s: random.integers(-5, 6, s).astype(float),
                  "subnormal": lambda s: 3e-7 * random.standard_normal(s),
                  "large": lambda s: 2e4 * random.standard_normal(s)}
        cases, names = [], []
        for _ in range(12):
            for dtype in ("f16", "bf16"):
                for kind, draw in shapes.items():
                    shape = (int(random.choice([1, 2, 5])), int(random.choice([1, 2, 3, 8, 17])))
                    p = random.choice([1, 1e-3, 1e-5]) * random.integers(-3, 4, shape)
                    g = random.choice([0, 0.4]) * random.standard_normal(shape[1]) + 1
                    x, g, p = (ROUND[dtype](a.astype(np.float32)) for a in (draw(shape), g, p))
                    epsilon = float(random.choice([1e-5, 1e-8, 1.0]))
                    for style in STYLES:
                        for order in ORDERS:
                            with np.errstate(all="ignore"):
                                dx, dg = style(x, g, p, epsilon, order, dtype)
                            if np.all(np.isfinite(dx)) and np.all(np.isfinite(dg)):
                                cases.append(Case(dtype, epsilon, x, g, p, dx, dg))
                                names.append((dtype, kind, shape, epsilon, style.__name__, order.__name__))
        self.assertGreater(len(cases), 1500)
        self.require_right(cases, names)

    SHAPES = [(1, 1), (3, 2), (1, 4), (2, 5), (3, 16), (40, 5), (6, 129), (2, 700)]

    def test_composites_are_imprecise_at_worst(self):
        """Every operation in the tensors' 16-bit format, or in binary32 of binary64 tensors."""
        random = np.random.default_rng(24)
        cases, names = [], []
        for dtype, inner in ("bf16", "bf16"), ("f16", "f16"), ("f64", "f32"):
            for shape in self.SHAPES:
                for kind in DATA:
                    for epsilon in (1e-3, 1e-5, 0.0):
                        x, g, p = data(random, kind, *shape, dtype)
                        narrow = [array.astype(np.float32) for array in (x, g, p)]
                        if inner == "f16" and np.max(np.abs(x)) > 250:
                            continue  # squares beyond the format, and a scale of zero
                        for style in COMPOSITES:
                            for order in ORDERS:
                                with np.errstate(all="ignore"):
                                    dx, dg = style(*narrow, epsilon, order, ROUND[inner])
                                if np.all(np.isfinite(dx)) and np.all(np.isfinite(dg)):
                                    cases.append(Case(dtype, epsilon, x, g, p, dx, dg))
                                    names.append((dtype, shape, kind, epsilon, style.__name__, order.__name__))
        states = {"right": 0, "imprecise": 0}
        for verdicts, name in zip(judged(cases), names):
            for words in verdicts:
                self.assertIn(words[0], states, (name, words))
                states[words[0]] += 1
        print("composites:", states)
        self.assertGreater(min(states.values()), 1000)

    def test_numbers_that_roundings_explain_whatever_they_are_carry_a_doubt(self):
        """Noise of the right size is wrong; where so few numbers fit by chance, `unknown` is a doubt."""
        random = np.random.default_rng(25)
        counts = {}
        for dtype in ("bf16", "f16", "f32", "f64"):
            cases, names = [], []
            for shape in self.SHAPES:
                for kind in DATA:
                    for _ in range(6):
                        x, g, p = data(random, kind, *shape, dtype)
                        dx, dg = fused(x, g, p, 1e-5, ORDERS[0], dtype)
                        noise = ROUND[dtype](dx * random.uniform(-2, 2, dx.shape).astype(dx.dtype))
                        cases.append(Case(dtype, 1e-5, x, g, p, noise, dg))
                        names.append((dtype, shape, kind))
            for (words, _), name in zip(judged(cases), names):
                counts[name[0], words[0]] = counts.get((name[0], words[0]), 0) + 1
                if words[0] == "imprecise":
                    self.assertIn("unknown", doubts_in(words), (name, words))
                elif name[1][1] > 4 and name[2] != "along":
                    self.assertEqual(words[0], "wrong", (name, words))
        print("noise:", counts)

    def test_no_rows(self):
        empty = np.zeros((0, 4))
        self.require_right([Case("f32", 1e-5, empty, np.ones(4), empty, empty, np.zeros(4))], [""])

    @unittest.skipIf(torch is None, "PyTorch is not installed")
    def test_gradients_of_pytorch(self):
        def composed(x, w):
            return x * torch.rsqrt(x.pow(2).mean(-1, keepdim=True) + 1e-6) * w

        def llama(x, w):
            h = x.to(torch.float32)
            h = h * torch.rsqrt(h.pow(2).mean(-1, keepdim=True) + 1e-6)
            return w * h.to(x.dtype)

        def gemma(x, w):
            h = x.float()
            h = h * torch.rsqrt(h.pow(2).mean(-1, keepdim=True) + 1e-6)
            return (h * w.float()).type_as(x)

        def by_norm(x, w):
            h = x.float()
            root = torch.sqrt(h.pow(2).sum(-1, keepdim=True) / x.shape[-1] + 1e-6)
            return (h / root * w.float()).type_as(x)

        kinds = {"bf16": torch.bfloat16, "f32": torch.float32, "f64": torch.float64}
        random = np.random.default_rng(19)
        cases, names = [], []
        for dtype, kind in kinds.items():
            for module in (composed, llama, gemma, by_norm):
                if dtype == "f64" and module is not composed:
                    continue  # they go through binary32
                if dtype == "bf16" and module is composed:
                    continue  # every operation in bfloat16: not what a right program does
                for shape in [(1, 8), (4, 64), (16, 300), (64, 1024)]:
                    for data_kind in DATA:
                        x, g, p = data(random, data_kind, *shape, dtype)
                        leaf = torch.from_numpy(x).to(kind).requires_grad_()
                        weight = torch.from_numpy(g).to(kind).requires_grad_()
                        module(leaf, weight).backward(torch.from_numpy(p).to(kind))
                        cases.append(Case(dtype, 1e-6, x, g, p, leaf.grad.double().numpy(),
                                          weight.grad.double().numpy()))
                        names.append((dtype, module.__name__, shape, data_kind))
        self.require_right(cases, names)


if __name__ == "__main__":
    unittest.main()
