"""Times `judge` on [4096, 4096] binary32 arrays beside numpy's binary64 reference and allclose.

    python3 tests/judge/measure_speed.py PROGRAM [ROUNDS] [ROWS]

Each round runs numpy and every case in turn; printed are the best times of all rounds. The judge may
have 16 MB of its own; the pages of the mapped files, which the system takes back, are not among them.
"""

import os
import pathlib
import resource
import subprocess
import sys
import tempfile
import time

import numpy as np

EPSILON = 1e-5


def write_cases(folder, rows, width):
    random = np.random.default_rng(1)
    x = random.standard_normal((rows, width), dtype=np.float32) * np.float32(0.02)
    gain = (1 + 0.2 * random.standard_normal(width)).astype(np.float32)
    mean = np.mean(x * x, axis=1, keepdims=True)
    right = x / np.sqrt(mean + np.float32(EPSILON)) * gain
    part = right.copy()
    part[:, -width % 64 - 3:] = 0
    outputs = {"right": right, "epsilon outside": x / (np.sqrt(mean) + np.float32(EPSILON)) * gain,
               "gain missing": x / np.sqrt(mean + np.float32(EPSILON)), "last columns zero": part,
               "unknown": random.standard_normal((rows, width), dtype=np.float32)}
    np.save(folder / "x.npy", x)
    np.save(folder / "gain.npy", gain)
    for name, output in outputs.items():
        np.save(folder / f"{name}.npy", output)
    print("\n".join(outputs))


def reference(folder):
    """Prints the seconds that numpy takes without its own start: on the clock, and of processors."""
    clock, processor = time.perf_counter(), time.process_time()
    x, gain, y = (np.load(pathlib.Path(folder, f"{name}.npy")) for name in ("x", "gain", "right"))
    exact = x.astype(np.float64)
    exact = exact / np.sqrt(np.mean(exact * exact, axis=1, keepdims=True) + EPSILON) * gain
    assert np.allclose(y, exact)
    print(time.perf_counter() - clock, time.process_time() - processor)


def run(command, own_memory=resource.RLIM_INFINITY):
    """What it prints, seconds on the clock and of processors, and the peak memory in MB."""
    def limit():
        resource.setrlimit(resource.RLIMIT_DATA, (own_memory, own_memory))
    start = time.perf_counter()
    child = subprocess.Popen(command, stdout=subprocess.PIPE, preexec_fn=limit)
    output = child.stdout.read().decode()
    _, _, usage = os.wait4(child.pid, 0)
    child.returncode = 0
    return output, (time.perf_counter() - start, usage.ru_utime + usage.ru_stime, usage.ru_maxrss / 1024)


def main(program, rounds=5, rows=4096):
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        # In a process of its own: a child's peak memory is at least what its parent's was.
        cases = run([sys.executable, __file__, "--write", name, str(rows)])[0].splitlines()
        best = {}
        for _ in range(int(rounds)):
            output, (_, _, memory) = run([sys.executable, __file__, "--reference", name])
            times = {"numpy": ((*map(float, output.split()), memory), "")}
            for case in cases:
                output, figures = run([program, "judge", "--epsilon", str(EPSILON), "--input", f"@{folder}/x.npy",
                                       "--gain", f"@{folder}/gain.npy", "--result", f"@{folder}/{case}.npy"], 16 << 20)
                times[case] = figures, output.splitlines()[0].split()[0]
            for case, (figures, word) in times.items():
                best[case] = tuple(map(min, figures, best.get(case, (figures,))[0])), word
        clock, processor, _ = best["numpy"][0]
        print("case               clock s  of numpy  processor s  of numpy  peak MB  verdict")
        for case, (figures, word) in best.items():
            print(f"{case:18} {figures[0]:7.2f} {figures[0] / clock:9.2f} {figures[1]:12.2f} "
                  f"{figures[1] / processor:9.2f} {figures[2]:8.1f}  {word}")


if __name__ == "__main__":
    if sys.argv[1] == "--write":
        write_cases(pathlib.Path(sys.argv[2]), int(sys.argv[3]), 4096)
    elif sys.argv[1] == "--reference":
        reference(sys.argv[2])
    else:
        main(*sys.argv[1:])
