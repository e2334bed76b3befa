"""What is installed and packed: every file at its place."""

import gzip
import os
import pathlib
import re
import shutil
import subprocess
import tarfile
import tempfile
import unittest

from program import PROGRAM, SOURCE, run

BUILD = pathlib.Path(os.environ["RMSNORM_BUILD"])
BYTES = pathlib.Path(PROGRAM).read_bytes()


def call(*command, **options):
    done = subprocess.run([str(word) for word in command], stdout=subprocess.PIPE,
                          stderr=subprocess.STDOUT, text=True, check=False, **options)
    if done.returncode != 0:
        raise AssertionError(f"{command} gave {done.returncode}:\n{done.stdout}")
    return done.stdout


class Folder(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        temporary = tempfile.TemporaryDirectory()
        cls.addClassCleanup(temporary.cleanup)
        cls.folder = pathlib.Path(temporary.name)


class Installed(Folder):
    @classmethod
    def setUpClass(cls):
        super().setUpClass()
        cls.share = cls.folder / "share"
        call("cmake", "--install", BUILD, "--component", "program", "--prefix", cls.folder)

    def test_what_the_program_prints_stands_where_it_is_looked_for(self):
        for place, words in (("bash-completion/completions/rmsnorm-fixture", ["completions", "bash"]),
                             ("zsh/site-functions/_rmsnorm-fixture", ["completions", "zsh"]),
                             ("fish/vendor_completions.d/rmsnorm-fixture.fish", ["completions", "fish"]),
                             ("rmsnorm-fixture/schemas/evidence.schema.json", ["schema"]),
                             ("rmsnorm-fixture/schemas/exhibit.schema.json", ["schema", "exhibit"])):
            with self.subTest(place=place):
                self.assertEqual((self.share / place).read_bytes(), run(*words).stdout)
        page = gzip.decompress((self.share / "man/man1/rmsnorm-fixture.1.gz").read_bytes())
        self.assertEqual(page, run("--man").stdout)

    def test_the_installed_program_finds_its_goldens_unchanged(self):
        done = run("verify", "--require", "all", self.share / "rmsnorm-fixture" / "fixtures",
                   program=self.folder / "bin" / "rmsnorm-fixture")
        self.assertEqual(done.returncode, 0, done.stdout)

    def test_links_between_the_installed_pages_lead_somewhere(self):
        pages = list((self.share / "doc" / "rmsnorm-fixture").rglob("*.md"))
        self.assertGreater(len(pages), 20)
        for page in pages:
            text = re.sub(r"(?ms)^```.*?^```$", "", page.read_text(encoding="utf-8"))
            for target in re.findall(r"\]\(([^):#]+)[)#]", text):
                with self.subTest(page=page.name, target=target):
                    self.assertTrue((page.parent / target).exists())


class Packages(Folder):
    @classmethod
    def setUpClass(cls):
        super().setUpClass()
        call("cpack", "--config", BUILD / "CPackConfig.cmake", "-B", cls.folder, cwd=BUILD)

    def package(self, ending):
        found = list(self.folder.glob(f"*{ending}"))
        self.assertEqual(len(found), 1)
        return found[0]

    def test_they_tell_nothing_of_who_made_them_and_when(self):
        with tarfile.open(self.package(".tar.gz")) as archive:
            members = archive.getmembers()
        self.assertGreater(len(members), 30)
        time = int(re.search(r"(?m)^set\(RMSNORM_VERSION_TIME (\d+)\)$",
                             (SOURCE / "CMakeLists.txt").read_text(encoding="utf-8"))[1])
        for member in members:
            with self.subTest(name=member.name):
                self.assertLessEqual(member.mtime, time)
                self.assertEqual(member.mode & 0o077, 0o055 if member.mode & 0o100 else 0o044)

    def test_debians_zsh_finds_its_completion(self):
        if shutil.which("dpkg-deb") is None:
            self.skipTest("dpkg-deb is not installed")
        listing = call("dpkg-deb", "--contents", self.package(".deb"))
        self.assertIn("./usr/share/zsh/vendor-completions/_rmsnorm-fixture\n", listing)
        self.assertNotIn("site-functions", listing)

    def test_lintian_finds_no_error(self):
        if shutil.which("lintian") is None:
            self.skipTest("lintian is not installed")
        if b"\0libstdc++.so.6\0" in BYTES:
            self.skipTest("the program of this build needs shared libraries")
        said = call("lintian", "--fail-on", "error", "--allow-root", self.package(".deb"))
        # No license is chosen, so no copyright is stated; and the program stands alone.
        self.assertEqual(re.findall("^W: rmsnorm-fixture: ([a-z-]+)", said, re.MULTILINE),
                         ["copyright-without-copyright-notice",
                          "shared-library-lacks-prerequisites"])

    def test_the_program_does_not_tell_where_it_was_built(self):
        if b".debug_info" in BYTES:
            self.skipTest("the program of this build has symbols for a debugger")
        for folder in (SOURCE, BUILD):
            self.assertNotIn(str(folder).encode(), BYTES)


if __name__ == "__main__":
    unittest.main()
