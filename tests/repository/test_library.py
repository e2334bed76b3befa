"""The installed library: its headers compile alone, and a project that finds it builds and runs."""

import os
import pathlib
import re
import subprocess
import tempfile
import unittest

SOURCE = pathlib.Path(os.environ["RMSNORM_SOURCE"])
BUILD = pathlib.Path(os.environ["RMSNORM_BUILD"])
COMPILER = os.environ["RMSNORM_COMPILER"]
FLAGS = os.environ["RMSNORM_FLAGS"]
EXAMPLE = SOURCE / "docs" / "library-example"


def run(*command):
    done = subprocess.run([str(word) for word in command], stdout=subprocess.PIPE,
                          stderr=subprocess.STDOUT, text=True, check=False)
    if done.returncode != 0:
        raise AssertionError(f"{command} gave {done.returncode}:\n{done.stdout}")
    return done.stdout


class Library(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        folder = tempfile.TemporaryDirectory()
        cls.addClassCleanup(folder.cleanup)
        cls.folder = pathlib.Path(folder.name)
        cls.prefix = cls.folder / "prefix"
        run("cmake", "--install", BUILD, "--component", "library", "--prefix", cls.prefix)

    def test_every_installed_header_compiles_alone(self):
        include = self.prefix / "include" / "rmsnorm"
        headers = sorted(include.rglob("*.hpp"))
        self.assertGreater(len(headers), 20)
        sources = self.folder / "sources"
        sources.mkdir()
        for number, header in enumerate(headers):
            (sources / f"{number}.cpp").write_text(
                f'#include "{header.relative_to(include)}"\n', encoding="utf-8")
        # One call, which compiles each source by itself.
        run(COMPILER, "-std=c++20", "-fsyntax-only", "-Wall", "-Wextra", "-Werror", "-I", include,
            *sources.iterdir())

    def test_every_header_that_the_page_names_is_installed(self):
        page = (SOURCE / "docs" / "library.md").read_text(encoding="utf-8")
        named = re.findall(r"`((?:nn|autodiff|tensor|numeric)/\w+\.hpp)`", page)
        self.assertGreater(len(named), 10)
        for name in named:
            self.assertTrue((self.prefix / "include" / "rmsnorm" / name).is_file(), name)

    def test_the_example_project_finds_it_and_prints_what_the_page_shows(self):
        build = self.folder / "build"
        run("cmake", "-S", EXAMPLE, "-B", build, "-G", "Ninja", "-D", f"CMAKE_PREFIX_PATH={self.prefix}",
            "-D", f"CMAKE_CXX_COMPILER={COMPILER}", "-D", f"CMAKE_CXX_FLAGS={FLAGS}")
        run("cmake", "--build", build)
        page = (SOURCE / "docs" / "library.md").read_text(encoding="utf-8")
        self.assertEqual(page.rsplit("```\n", 2)[1], run(build / "norm-lesson"))

    def test_another_major_version_is_not_found(self):
        project = self.folder / "later"
        project.mkdir()
        (project / "CMakeLists.txt").write_text(
            "cmake_minimum_required(VERSION 3.25)\nproject(later LANGUAGES NONE)\n"
            "find_package(rmsnorm 2.0 REQUIRED)\n", encoding="utf-8")
        with self.assertRaisesRegex(AssertionError, "compatible with requested version"):
            run("cmake", "-S", project, "-B", self.folder / "later-build", "-G", "Ninja", "-D",
                f"CMAKE_PREFIX_PATH={self.prefix}")


if __name__ == "__main__":
    unittest.main()
