"""`--explain`: every line of a derivation is recomputed, from its own numbers and from the inputs."""

import decimal
import math
import re
import unittest

import numpy as np

from program import ProgramTest, experiments, run

BINARY32 = 2.0 ** -24
BINARY64 = 2.0 ** -53
X, GAMMA, BETA = [1.5, -2, 4, 0.25, 3], [2, -1, 0.5, 1, 4], [0.5, 1, -3, 0, 2]
P, EPSILON = [0.5, -1, 2, 0.25, -0.75], 0.125


def words(values):
    return ",".join(map(str, values))


class Interval:
    """All numbers that a printed one may stand for."""

    def __init__(self, low, high):
        self.low, self.high = low, high

    def of(self, other, operation):
        if isinstance(other, np.ndarray):
            return NotImplemented
        other = other if isinstance(other, Interval) else Interval(other, other)
        ends = [operation(a, b) for a in (self.low, self.high) for b in (other.low, other.high)]
        return Interval(min(ends), max(ends))

    def __neg__(self):
        return Interval(-self.high, -self.low)

    def __add__(self, other):
        return self.of(other, lambda a, b: a + b)

    def __sub__(self, other):
        return self.of(other, lambda a, b: a - b)

    def __mul__(self, other):
        return self.of(other, lambda a, b: a * b)

    def __truediv__(self, other):
        return self.of(other, lambda a, b: a / b)

    def __pow__(self, power):
        result = self
        for _ in range(round(power.low) - 1):
            result = result * self
        return result

    def through(self, function):
        return Interval(function(self.low), function(self.high))


def printed(text):
    """Six decimals at least, without zeros behind them; an exponent stands for a number as given."""
    value = float(text)
    if "e" in text:
        return Interval(value, value)
    decimals = len(text.partition(".")[2])
    half = 0 if decimals == 0 else 0.5 * 10.0 ** -max(6, decimals)
    return Interval(value - half, value + half)


def evaluated(text):
    """An expression of a derivation: a number or an array of numbers."""
    number = r"(?<![\w.])\d+(?:\.\d+)?(?:e-?\d+)?"
    expression = re.sub(number, lambda match: f"printed('{match.group()}')", text)
    expression = expression.replace("^", "**").replace("[", "array([").replace("]", "])")
    return eval(expression, {  # the program's own output
        "printed": printed,
        "array": lambda values: np.array(values, dtype=object),
        "sqrt": lambda value: value.through(math.sqrt),
        "exp": lambda value: value.through(math.exp)})


def by_hand(text):
    """The same with the numbers as they are written, in 60 decimal digits."""
    number = r"(?<![\w.])\d+(?:\.\d+)?(?:e-?\d+)?"
    expression = re.sub(number, lambda match: f"Decimal('{match.group()}')", text)
    expression = expression.replace("^", "**").replace("[", "array([").replace("]", "])")
    return np.atleast_1d(eval(expression, {  # the program's own output
        "Decimal": decimal.Decimal, "array": lambda values: np.array(values, dtype=object),
        "sqrt": lambda value: value.sqrt(), "exp": lambda value: value.exp()}))


def half_unit(text):
    """Of the last digit of a decimal, which has six of them and their zeros left out, or more."""
    mantissa, _, exponent = text.lstrip("-").partition("e")
    decimals = len(mantissa.partition(".")[2])
    return decimal.Decimal("0.5").scaleb(int(exponent or 0) - decimals)


def chains(*words_):
    """Of each chain of steps, what the steps are called and their lines of numbers."""
    found, lines = [], run(*words_, "--explain").stdout.decode().splitlines()
    for line, following in zip(lines, lines[1:] + [""]):
        if re.match(r"  \d+\. ", line):
            number, name = line.split(": ")[0].split(". ")
            if number.strip() == "1":
                found.append([])
            found[-1].append((name, following.strip()))
    return found


def layer_norm(x, epsilon):
    x = np.array(x, dtype=float)
    r = 1 / np.sqrt(x.var() + epsilon)
    return {"mean": x.mean(), "variance": x.var(), "epsilon": x.var() + epsilon,
            "reciprocal root": r, "root": 1 / r, "normalize": (x - x.mean()) * r}


def rms_norm(x, epsilon):
    x = np.array(x, dtype=float)
    square = (x * x).mean()
    r = 1 / np.sqrt(square + epsilon)
    return {"mean square": square, "epsilon": square + epsilon, "reciprocal root": r,
            "root": 1 / r, "normalize": x * r}


def transposed_jacobian(norm, x, epsilon):
    """How the normalized vector moves with each x, by differences in complex numbers."""
    step = 1e-30
    rows = []
    for i in range(len(x)):
        moved = np.array(x, dtype=complex)
        moved[i] += 1j * step
        centered = moved - moved.mean() if norm == "layer" else moved
        rows.append((centered / np.sqrt((centered * centered).mean() + epsilon)).imag / step)
    return np.array(rows)


def layer_norm_backward(x, p, epsilon):
    forward = layer_norm(x, epsilon)
    p = np.array(p)
    return {**forward, "through the mean": p.mean(),
            "through the variance": (forward["normalize"] * p).mean(),
            "input gradient": transposed_jacobian("layer", x, epsilon) @ p}


def rms_norm_backward(x, gain, p, epsilon):
    forward = rms_norm(x, epsilon)
    weights = np.array(gain) * np.array(p)
    return {**forward, "through the scale": weights, "through the gain": weights,
            "through the mean square": (forward["normalize"] * weights).mean(),
            "all features meet in r": (weights * np.array(x)).sum(),
            "input gradient": transposed_jacobian("rms", x, epsilon) @ weights,
            "gradient of gamma": np.array(p) * forward["normalize"]}


def statistics(x):
    x = np.array(x)
    return {"mean": x.mean(), "variance": x.var(), "standard deviation": x.std(),
            "range": np.ptp(x), "span": np.ptp(x) / x.std()}


def cases():
    """Words, and for each chain the number format's unit and the results by the names of steps."""
    input_, epsilon = ["--input", words(X)], ["--epsilon", str(EPSILON)]
    scale, adjoint = ["--gamma", words(GAMMA)], ["--upstream", words(P)]
    forward = rms_norm(X, EPSILON)
    with_gain = {**forward, "gain": forward["normalize"] * np.array(GAMMA)}
    moved = np.array(X) * 2 - 3
    layer, rms = layer_norm(moved, EPSILON), rms_norm(moved, EPSILON)
    equal = [7.0] * 3
    yield ["forward", *input_, "--gain", words(GAMMA), *epsilon], BINARY64, [with_gain]
    yield (["batch", "--input", words(X + P), "--shape", "2,5", *epsilon], BINARY64,
           [{**one, "gain": one["normalize"]} for one in (forward, rms_norm(P, EPSILON))])
    yield (["backward", *input_, "--gain", words(GAMMA), *adjoint, *epsilon], BINARY64,
           [rms_norm_backward(X, GAMMA, P, EPSILON),
            {"gain gradient": np.array(P) * forward["normalize"]}])
    yield ["stats", "--input", words(X), "--other", words(P)], BINARY32, [statistics(X), statistics(P)]
    yield (["layer-norm", *input_, *scale, "--beta", words(BETA), *epsilon], BINARY32,
           [{**layer_norm(X, EPSILON), "scale and shift":
             layer_norm(X, EPSILON)["normalize"] * np.array(GAMMA) + np.array(BETA)}])
    yield (["rms-norm", *input_, *scale, *epsilon], BINARY32,
           [{**forward, "scale": with_gain["gain"]}])
    yield (["layer-norm-backward", *input_, *adjoint, *epsilon], BINARY32,
           [layer_norm_backward(X, P, EPSILON)])
    yield (["closed-form", *input_, *adjoint, *epsilon], BINARY64,
           [layer_norm_backward(X, P, EPSILON)])
    yield (["rms-norm-backward", *input_, *scale, *adjoint, *epsilon], BINARY32,
           [rms_norm_backward(X, GAMMA, P, EPSILON)])
    yield (["constant", "--value", "7", "--width", "3", *epsilon], BINARY32,
           [layer_norm(equal, EPSILON), rms_norm(equal, EPSILON),
            {"mean": 7, "variance": 0, "epsilon": 0}, rms_norm(equal, 0)])
    yield (["compare", *input_, "--scale", "2", "--offset", "-3", "--gain", words(GAMMA), *epsilon],
           BINARY64, [{"scale and offset": moved},
                      {**layer, "gain": layer["normalize"] * np.array(GAMMA)},
                      {**rms, "gain": rms["normalize"] * np.array(GAMMA)}])
    vectors = ([-2, -1, 0, 1, 2], [8, 9, 10, 11, 12], [3, -1, 0.5, 2, -0.5])
    yield (["compare", "--fixture", "23-normalization"], BINARY32,
           [norm(vector, 1e-5) for vector in vectors for norm in (layer_norm, rms_norm)])


class Derivations(ProgramTest):
    # No stage is off by more than 32 units of the largest number of its chain: sums of five terms
    # and a dozen operations, none of which makes an error more than twice as large.
    ROUNDINGS = 32

    def test_each_result_is_that_of_the_inputs(self):
        for command, unit, expected in cases():
            found = chains(*command)
            self.assertEqual(len(found), len(expected), command)
            for steps, results in zip(found, expected):
                largest = max((np.max(np.abs(value)) for value in results.values()), default=0)
                error = self.ROUNDINGS * unit * max(1, largest) ** 2
                for name, line in steps:
                    with self.subTest(command=command, step=name):
                        shown = np.atleast_1d(evaluated(line.rpartition(" = ")[2]))
                        wanted = np.atleast_1d(results[name])
                        self.assertEqual(shown.shape, wanted.shape)
                        for one, value in zip(shown, wanted):
                            self.assertLessEqual(one.low - error, value)
                            self.assertGreaterEqual(one.high + error, value)

    def test_each_result_follows_from_the_numbers_before_it(self):
        for command, unit, _ in cases():
            for steps in chains(*command):
                for name, line in steps:
                    with self.subTest(command=command, step=name):
                        put_in, _, result = line.rpartition(" = ")
                        self.agree(evaluated(put_in), evaluated(result), unit)

    # Sums that cancel, numbers that are near each other, large, tiny, and with more digits than
    # are shown.
    HARD = """backward --input 0.1,0.2,-0.3 --gain 1,1,1 --upstream 1,1,1
        backward --input 1,1.0000001 --upstream 1,-1
        backward --input 3,4,0.5,0.25 --shape 2,2 --upstream 1,1,-0.123456789,7
        backward --input 1e-200,2e-200 --epsilon 0
        backward --input 1e-200,2e-200
        forward --input 0.123456789123,-0.123456789
        forward --input 123456.789,0.000123456 --gain 1e-5,1e5
        layer-norm --input 1000.001,1000.002,1000.004
        layer-norm --input 0.1,0.1,0.1
        layer-norm --input 123456.7,-0.001,1e7
        rms-norm
        rms-norm --input 1e-20,2e-20
        stats
        stats --input 1e-30,2e-30 --other 5,5
        layer-norm-backward --input 1000,1000.01,1000.02
        layer-norm-backward --upstream 1,1,1,1,1
        rms-norm-backward --input 1e12,1e-12,3
        closed-form --input 123456.7,123456.8
        compare --input 1e8,100000001,100000002 --scale 0.1
        constant --value 0.1""".split("\n")

    def test_a_reader_who_puts_the_numbers_in_gets_the_result(self):
        decimal.getcontext().prec = 60
        lines = [(list(command), line) for command, _, _ in cases()
                 for steps in chains(*command) for _, line in steps]
        lines += [(command.split(), line) for command in self.HARD
                  for steps in chains(*command.split()) for _, line in steps]
        rounded = 0
        for command, line in lines:
            line, mark, _ = line.partition(" (rounding decides)")
            rounded += bool(mark)
            if mark:
                continue
            with self.subTest(command=command, line=line):
                put_in, _, result = line.rpartition(" = ")
                shown = result.strip("[]").split(", ")
                own = by_hand(put_in)
                self.assertEqual(len(own), len(shown))
                for value, text in zip(own, shown):
                    self.assertLessEqual(abs(value - decimal.Decimal(text)), half_unit(text))
        # Such lines are the exception.
        self.assertLess(rounded, len(lines) / 10)

    def test_where_rounding_decides_the_line_says_so(self):
        tiny = run("layer-norm", "--input", "1e-30,2e-30", "--explain").stdout.decode()
        self.assertIn(" = 0 (rounding decides)\n", tiny)
        plain = run("layer-norm", "--input", "1e-30,2e-30").stdout.decode()
        note = next(line for line in plain.splitlines() if "the variance is zero" in line)
        self.assertIn(note.replace("note=", "Note: "), tiny)
        self.assertIn("(rounding decides)",
                      run("backward", "--input", "0.1,0.2,-0.3", "--explain").stdout.decode())

    def agree(self, computed, shown, unit):
        for one, other in zip(np.atleast_1d(computed), np.atleast_1d(shown)):
            error = self.ROUNDINGS * unit * max(1, abs(one.low), abs(one.high))
            self.assertLessEqual(one.low - error, other.high)
            self.assertGreaterEqual(one.high + error, other.low)

    def test_a_wrong_number_is_found(self):
        with self.assertRaises(AssertionError):
            self.agree(evaluated("([1, 2, 4] - 2.333333) * 0.801781"),
                       evaluated("[-1.069041, -0.26726, 1.33632]"), BINARY32)

    def test_long_vectors_are_abridged_unless_asked_for(self):
        values = words(range(1, 21))
        for command in ("layer-norm", "rms-norm", "layer-norm-backward", "closed-form"):
            abridged = run(command, "--input", values, "--explain").stdout
            self.assertIn(b"1, 2, 3, 4, 5, 6, 7, 8, ... of 20 values]", abridged)
            self.assertIn(b" + ...) / 20 = ", abridged)
            full = run(command, "--input", values, "--explain", "--full").stdout
            self.assertNotIn(b" ...)", full)
            self.assertIn(words(range(1, 21)).replace(",", ", ").encode(), full)

    def test_the_checks_follow_and_decide(self):
        finished = run("layer-norm-backward", "--step", "1000", "--explain", "--checks")
        self.assertEqual(finished.returncode, 1)
        self.assertIn(b"check", finished.stdout.splitlines()[-1])

    def test_a_zero_without_epsilon_ends_the_chain(self):
        lines = run("constant", "--explain").stdout.decode().splitlines()
        at = lines.index("Refused: LayerNorm epsilon is zero but the row has zero variance")
        self.assertEqual(lines[at - 1].strip(), "0 + 0 = 0")

    def test_where_there_is_no_derivation_the_refusal_names_those_that_have_one(self):
        with_one = [name for name in experiments()
                    if run(name, "--explain").returncode == 0]
        self.assertEqual(set(with_one), {command[0] for command, _, _ in cases()})
        for name in ("history", "depth", "cost", "report", "predict"):
            self.assert_refused(run(name, "--explain"), 2,
                                f"--explain: {name} has no derivation to print; accepted by: "
                                + ", ".join(with_one))


if __name__ == "__main__":
    unittest.main()
