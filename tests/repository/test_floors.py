"""The floors of src/ and the top level of the repository, read from the sources themselves."""

import os
import pathlib
import re
import subprocess
import tempfile
import unittest

SOURCE = pathlib.Path(os.environ["RMSNORM_SOURCE"])

FLOORS = ["numeric", "tensor", "autodiff", "nn", "evidence", "judge", "experiments", "report", "pages", "cli"]

# Libraries outside the standard's, and the floors that may use them.
LIBRARIES = {"nlohmann/": {"report", "cli"}}
SLOW_IN_HEADERS = ("nlohmann/json.hpp",)

# What reaches files, clocks, environments, locales, threads or random devices: for cli alone.
OUTSIDE_HEADERS = {
    "chrono", "clocale", "condition_variable", "csignal", "ctime", "filesystem", "fstream",
    "future", "iostream", "locale", "locale.h", "mutex", "shared_mutex", "signal.h", "thread",
    "time.h", "unistd.h",
}
OUTSIDE_NAMES = re.compile(
    r"\b(getenv|secure_getenv|setenv|putenv|random_device|setlocale|fopen|freopen|printf|fprintf"
    r"|puts|fputs|fwrite|fread|stdin|stdout|stderr|tmpfile|clock_gettime|gettimeofday"
    r"|system_clock|steady_clock|time_point|srand|rand)\b")

# Functions of <cmath> whose last bit depends on the C library. std::sqrt is exact by IEEE 754.
TRANSCENDENTAL = (
    "exp|exp2|exp10|expm1|log|log2|log10|log1p|pow|cbrt|hypot|sin|cos|tan|asin|acos|atan|atan2"
    "|sinh|cosh|tanh|asinh|acosh|atanh|erf|erfc|tgamma|lgamma")
C_FUNCTION = re.compile(
    r"(?<![\w:])(?:std)?::(?:" + TRANSCENDENTAL + r")[fl]?\b"
    r"|\b__builtin_(?:" + TRANSCENDENTAL + r")[fl]?\b")
UNQUALIFIED = re.compile(r"(?<![\w:.])(?<!->)(?:" + TRANSCENDENTAL + r")[fl]?\s*\(")
# These files declare operations of the same names. Inside their namespaces the operation hides the
# C function, which takes no tensor.
OPERATIONS = re.compile(r"(tensor/elementwise|autodiff/operations)\.[ch]pp$")

INCLUDE = re.compile(r'^[ \t]*#[ \t]*include[ \t]*([<"])([^>"]*)[>"]', re.MULTILINE)
COMMENT_OR_LITERAL = re.compile(
    r'//[^\n]*|/\*.*?\*/|R"([^ ()\\\t\n]*)\(.*?\)\1"|"(?:\\.|[^"\\\n])*"'
    r"|(?<![0-9a-fA-F])'(?:\\.|[^'\\\n])+'", re.DOTALL)

TOP_LEVEL = {"src", "tests", "fixtures", "docs", "CMakeLists.txt", "CMakePresets.json", "README.md"}


def sources(root):
    """Every C++ file of the floors: the path from src/, its floor and its text."""
    for path in sorted((root / "src").rglob("*")):
        if path.suffix in (".cpp", ".hpp", ".h", ".inc"):
            name = path.relative_to(root / "src").as_posix()
            yield name, name.split("/")[0], path.read_text(encoding="utf-8")


def code(text):
    """The text without comments, literals and white space in qualified names of std."""
    stripped = COMMENT_OR_LITERAL.sub(" ", text)
    return re.sub(r"::\s+", "::", re.sub(r"\bstd\s+::", "std::", stripped))


def include_faults(root):
    faults = []
    for name, floor, text in sources(root):
        if floor not in FLOORS:
            faults.append(f"{name} stands on no floor")
            continue
        # A comment may quote an include; a literal is what an include line itself holds.
        uncommented = re.sub(r"/\*.*?\*/", " ", text, flags=re.DOTALL)
        for bracket, target in INCLUDE.findall(uncommented):
            if bracket == '"':
                target_floor = target.split("/")[0]
                if target_floor not in FLOORS or "/" not in target:
                    faults.append(f"{name} includes {target}, which is on no floor")
                elif FLOORS.index(target_floor) > FLOORS.index(floor):
                    faults.append(f"{name} includes {target}, which is above it")
                elif ".." in target.split("/"):
                    faults.append(f"{name} includes {target} by a detour")
                continue
            for library, floors in LIBRARIES.items():
                if target.startswith(library) and floor not in floors:
                    faults.append(f"{name} includes {target}, which is not for its floor")
            if target.split("/")[0] in FLOORS and "/" in target:
                faults.append(f"{name} includes {target} in angle brackets")
            if target in SLOW_IN_HEADERS and not name.endswith(".cpp"):
                faults.append(f"{name} includes {target} in a header")
    return faults


def elementary_faults(root):
    faults = []
    for name, floor, text in sources(root):
        if floor == "numeric":
            continue
        stripped = code(text)
        found = C_FUNCTION.findall(stripped)
        if not OPERATIONS.search(name):
            found += UNQUALIFIED.findall(stripped)
        faults += [f"{name} calls {call}" for call in found]
    return faults


def outside_faults(root):
    faults = []
    for name, floor, text in sources(root):
        if floor == "cli":
            continue
        for bracket, target in INCLUDE.findall(text):
            if target in OUTSIDE_HEADERS or target.startswith("sys/"):
                faults.append(f"{name} includes <{target}>")
        faults += [f"{name} names {found}" for found in OUTSIDE_NAMES.findall(code(text))]
    return faults


def top_level_faults(names):
    return sorted(name for name in names if name not in TOP_LEVEL and not name.startswith("."))


def tracked_top_level(root):
    """The first parts of the tracked paths; nothing where there is no repository or no git."""
    try:
        listed = subprocess.run(
            ["git", "-c", f"safe.directory={root}", "-C", str(root), "ls-files", "-z"],
            capture_output=True, check=True).stdout
    except (OSError, subprocess.CalledProcessError):
        return None
    return {name.split("/")[0] for name in listed.decode().split("\0") if name}


class TreeTest(unittest.TestCase):
    def test_every_floor_of_the_tree_was_read(self):
        self.assertEqual(set(FLOORS), {floor for _, floor, _ in sources(SOURCE)})

    def test_a_file_includes_only_its_own_floor_and_those_under_it(self):
        self.assertEqual([], include_faults(SOURCE))

    def test_exponentials_and_logarithms_of_the_c_library_are_used_in_numeric_alone(self):
        self.assertEqual([], elementary_faults(SOURCE))

    def test_the_floors_under_the_command_line_touch_nothing_outside(self):
        self.assertEqual([], outside_faults(SOURCE))

    def test_the_top_level_holds_nothing_but_what_it_is_for(self):
        names = tracked_top_level(SOURCE)
        if names is None:
            self.skipTest("the sources are not in a git repository")
        self.assertEqual([], top_level_faults(names))
        self.assertIn("src", names)


class DetectionTest(unittest.TestCase):
    """Each rule finds its fault in a made-up tree, and leaves its neighbours alone."""

    def faults(self, rule, path, text):
        with tempfile.TemporaryDirectory() as folder:
            file = pathlib.Path(folder) / "src" / path
            file.parent.mkdir(parents=True)
            file.write_text(text, encoding="utf-8")
            return rule(pathlib.Path(folder))

    def assert_found(self, rule, path, *texts):
        for text in texts:
            with self.subTest(path=path, text=text):
                self.assertEqual(1, len(self.faults(rule, path, text)))

    def assert_clean(self, rule, path, *texts):
        for text in texts:
            with self.subTest(path=path, text=text):
                self.assertEqual([], self.faults(rule, path, text))

    def test_an_include_that_points_upwards_is_found(self):
        for below, above in zip(FLOORS, FLOORS[1:]):
            self.assert_found(include_faults, f"{below}/a.hpp", f'#include "{above}/a.hpp"\n')
            self.assert_clean(include_faults, f"{above}/a.hpp", f'#include "{below}/a.hpp"\n')
            self.assert_clean(include_faults, f"{below}/a.hpp", f'#include "{below}/b.hpp"\n')
        self.assert_found(include_faults, "numeric/deep/a.cpp", '  # include  "cli/a.hpp"\n')

    def test_an_include_that_points_to_no_floor_is_found(self):
        self.assert_found(include_faults, "nn/a.cpp", '#include "a.hpp"\n',
                          '#include "../report/a.hpp"\n', '#include "other/a.hpp"\n',
                          '#include "nn/../report/a.hpp"\n', "#include <tensor/a.hpp>\n")
        self.assert_found(include_faults, "helpers/a.hpp", "")

    def test_a_library_on_the_wrong_floor_or_in_a_header_is_found(self):
        json = "#include <nlohmann/json.hpp>\n"
        self.assert_found(include_faults, "evidence/a.cpp", json)
        self.assert_found(include_faults, "report/a.hpp", json)
        self.assert_clean(include_faults, "report/a.cpp", json, "#include <vector>\n")
        self.assert_clean(include_faults, "report/a.hpp", "#include <nlohmann/json_fwd.hpp>\n")
        self.assert_clean(include_faults, "cli/a.cpp", json)

    def test_a_quoted_or_commented_include_is_not_taken_for_one(self):
        self.assert_clean(include_faults, "nn/a.cpp", '// #include "cli/a.hpp"\n',
                          '/*\n#include "cli/a.hpp"\n*/\n')

    def test_an_elementary_function_of_the_c_library_is_found(self):
        calls = ("std::exp(x)", "std::log(x)", "::exp(x)", "std :: log1p(x)", "std::expf(x)",
                 "expm1(x)", "pow(x, 2)", "std::pow(x, 2)", "tanh(x)", "exp (x)", "= log(x)",
                 "-exp(x)", "&std::exp", "__builtin_exp(x)", "hypotl(x, y)", "1 'x' + exp(x)",
                 "a>exp(x)", "return ::exp(x)", "return :: log(x)", "using std::log")
        self.assert_found(elementary_faults, "nn/a.cpp", *(f"y {call};" for call in calls))
        self.assert_found(elementary_faults, "tensor/elementwise.cpp", "std::exp(x)", "::log(x)")
        self.assert_clean(elementary_faults, "numeric/a.cpp", "std::exp(x)")

    def test_the_projects_own_functions_are_not_taken_for_the_c_librarys(self):
        self.assert_clean(elementary_faults, "nn/a.cpp", "numeric::exp(x)", "tensor::log(x)",
                          "autodiff::exp(x)", "rmsnorm::numeric::log(x)", "std::sqrt(x)",
                          "// exp(x)", 'print("exp(x)")', 'R"(std::exp(x))"', "console.log(x)",
                          "at->log(x)", "log_mean_square(x)", "my_exp(x)", "'\"' + f(\"log(x)\")",
                          "Stage::log_mean_square", "int log = 1'000'000;")
        self.assert_clean(elementary_faults, "autodiff/operations.hpp", "Value exp(Value);")

    def test_a_way_outside_is_found_on_every_floor_but_the_command_line(self):
        headers = ("fstream", "iostream", "chrono", "thread", "locale", "filesystem", "ctime",
                   "sys/stat.h", "unistd.h")
        for header in headers:
            for floor in FLOORS[:-1]:
                self.assert_found(outside_faults, f"{floor}/a.cpp", f"#include <{header}>\n")
            self.assert_clean(outside_faults, "cli/a.cpp", f"#include <{header}>\n")
        self.assert_found(outside_faults, "report/a.cpp", "std::getenv(name)",
                          "std::random_device device;", "std::fopen(name)",
                          'std::printf("%d", 1)', "fputs(text, stderr_);",
                          '#include <cstdlib>\nauto home = getenv("HOME");')
        self.assert_clean(outside_faults, "report/a.cpp", "#include <cstdlib>\nstd::abort();",
                          "#include <cstdio>\nstd::snprintf(text, 9, form);", '"getenv"',
                          "// random_device", "#include <sstream>\n", "operand(x)")

    def test_a_stranger_on_the_top_level_is_found(self):
        self.assertEqual([], top_level_faults(TOP_LEVEL | {".ci", ".gitignore"}))
        self.assertEqual(["node_modules", "notes.txt"],
                         top_level_faults({"src", "notes.txt", "node_modules", ".clang-format"}))


if __name__ == "__main__":
    unittest.main()
