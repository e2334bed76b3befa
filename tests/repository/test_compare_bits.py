"""The first bit in which two machines differ is named, from what the digest program prints."""

import os
import pathlib
import subprocess
import sys
import tempfile
import unittest

SCRIPT = pathlib.Path(os.environ["RMSNORM_SOURCE"]) / "tests" / "targets" / "compare_bits.py"
DIGEST = os.environ["RMSNORM_DIGEST"]


class CompareBits(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.bits = subprocess.run([DIGEST, "50", "--bits"], stdout=subprocess.PIPE, text=True,
                                  check=True).stdout

    def compare(self, one, other):
        with tempfile.TemporaryDirectory() as folder:
            names = [os.path.join(folder, "one"), os.path.join(folder, "other")]
            for name, text in zip(names, (one, other)):
                pathlib.Path(name).write_text(text)
            done = subprocess.run([sys.executable, "-B", SCRIPT, *names], stdout=subprocess.PIPE,
                                  stderr=subprocess.PIPE, text=True, check=False)
            return done.returncode, (done.stdout + done.stderr).replace(folder + "/", "").strip()

    def test_equal_bits_have_no_difference(self):
        self.assertEqual(self.compare(self.bits, self.bits), (0, "no difference"))

    def test_each_bit_flipped_in_a_value_is_named_with_its_case_operand_and_index(self):
        lines = self.bits.splitlines(keepends=True)
        place = next(place for place, line in enumerate(lines) if len(line.split()) > 5)
        words = lines[place].split()
        for bit in range(64):
            flipped = f"{int(words[4], 16) ^ 1 << bit:016x}"
            changed = " ".join([*words[:4], flipped, *words[5:]]) + "\n"
            other = "".join([*lines[:place], changed, *lines[place + 1:]])
            self.assertEqual(
                self.compare(self.bits, other),
                (1, f"case {words[1]}, operand {words[2]}, value 1, bit {bit}: "
                    f"{words[4]} in one, {flipped} in other"))

    def test_of_several_differences_the_first_is_named(self):
        one = "case 0 output 0000000000000000 0000000000000000\ncase 1 output 0000000000000000\n"
        other = "case 0 output 0000000000000000 8000000000000001\ncase 1 output 0000000000000002\n"
        code, text = self.compare(one, other)
        self.assertEqual(code, 1)
        self.assertIn("case 0, operand output, value 1, bit 63:", text)

    def test_another_operand_a_missing_value_and_a_missing_line_are_differences(self):
        line = "case 0 output 0000000000000000\n"
        for one, other, expected in (
                (line, "case 0 rejected\n", "case 0, operand output in one is case 0, operand "
                                            "rejected in other"),
                (line, "case 0 output\n", "case 0, operand output: 1 values in one, 0 in other"),
                (line, "", "case 0, operand output: missing in other"),
                ("", line, "case 0, operand output: missing in one")):
            self.assertEqual(self.compare(one, other), (1, expected))

    def test_other_text_is_refused_with_its_line(self):
        code, text = self.compare("case 0 output 0000000000000000\n", "Segmentation fault\n")
        self.assertEqual(code, 2)
        self.assertIn("other, line 1", text)


if __name__ == "__main__":
    unittest.main()
