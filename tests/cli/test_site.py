"""`site DIR` and `--format html`, from outside."""

import os
import pathlib
import resource
import signal
import subprocess
import tempfile
import unittest

PROGRAM = os.environ["RMSNORM_FIXTURE"]


def run(*words, **options):
    return subprocess.run([PROGRAM, *words], capture_output=True, text=True, timeout=60, **options)


class Site(unittest.TestCase):
    def setUp(self):
        self.temporary = tempfile.TemporaryDirectory()
        self.addCleanup(self.temporary.cleanup)
        self.folder = pathlib.Path(self.temporary.name)

    def test_a_site_is_an_index_the_explorer_and_the_page_of_each_fixture_as_report_prints_it(self):
        target = self.folder / "made" / "here"
        result = run("site", str(target))
        self.assertEqual((result.returncode, result.stdout, result.stderr), (0, "", ""))
        index = (target / "index.html").read_text()
        pages = sorted(path.name for path in target.iterdir())
        self.assertEqual(
            pages,
            ["23-normalization.html", "25-rmsnorm.html", "exhibit-rmsnorm.html", "explore.html",
             "index.html"],
        )
        for page in pages:
            if page == "index.html":
                continue
            self.assertIn(f'href="{page}"', index)
            if page == "explore.html":
                self.assertEqual((target / page).read_text(), run("explore").stdout)
                continue
            printed = run("report", page[: -len(".html")], "--format", "html").stdout
            self.assertEqual((target / page).read_text(), printed)
            self.assertLess(len(printed.encode()), 250 * 1024)

    def test_force_replaces_pages_and_leaves_other_files_alone(self):
        (self.folder / "25-rmsnorm.html").write_text("old")
        (self.folder / "mine.txt").write_text("mine")
        self.assertEqual(run("site", str(self.folder), "--force").returncode, 0)
        self.assertIn("<!doctype html>", (self.folder / "25-rmsnorm.html").read_text())
        self.assertEqual((self.folder / "mine.txt").read_text(), "mine")
        self.assertEqual(len(list(self.folder.iterdir())), 6)

    def test_a_file_of_a_pages_name_is_kept_without_force(self):
        (self.folder / "index.html").write_text("mine")
        result = run("site", str(self.folder))
        self.assertEqual(result.returncode, 2)
        for part in ("index.html", "--force", str(self.folder)[:20]):
            self.assertIn(part, result.stderr)
        self.assertEqual([path.name for path in self.folder.iterdir()], ["index.html"])
        self.assertEqual((self.folder / "index.html").read_text(), "mine")

    def test_other_files_are_no_hindrance(self):
        (self.folder / "mine.txt").write_text("mine")
        self.assertEqual(run("site", str(self.folder)).returncode, 0)
        self.assertEqual(len(list(self.folder.iterdir())), 6)

    def test_a_write_that_fails_leaves_no_page_and_no_folder_that_was_made(self):
        def limit():
            signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
            resource.setrlimit(resource.RLIMIT_FSIZE, (4000, 4000))
        result = run("site", str(self.folder / "made" / "here"), preexec_fn=limit)
        self.assertEqual(result.returncode, 3)
        self.assertEqual(list(self.folder.iterdir()), [])
        (self.folder / "mine.txt").write_text("mine")
        result = run("site", str(self.folder), preexec_fn=limit)
        self.assertEqual(result.returncode, 3)
        self.assertEqual([path.name for path in self.folder.iterdir()], ["mine.txt"])

    def test_a_file_in_the_place_of_the_folder_is_a_failure_that_is_named(self):
        (self.folder / "file").write_text("")
        result = run("site", str(self.folder / "file"))
        self.assertEqual(result.returncode, 3)
        self.assertIn("file", result.stderr)
        self.assertEqual(result.stderr.count("\n"), 1)

    def test_a_device_is_no_folder(self):
        result = run("site", "/dev/null")
        self.assertEqual(result.returncode, 3)
        self.assertIn("/dev/null: is no folder; accepted: a folder", result.stderr)

    def test_a_page_that_cannot_be_written_leaves_no_part_of_it(self):
        (self.folder / "25-rmsnorm.html").mkdir()
        result = run("site", str(self.folder))
        self.assertEqual(result.returncode, 3)
        self.assertEqual([path.name for path in self.folder.iterdir()], ["25-rmsnorm.html"])

    def test_a_missing_and_an_empty_folder_name_are_bad_usage(self):
        self.assertEqual(run("site").returncode, 2)
        self.assertEqual(run("site", "").returncode, 2)

    def test_a_name_that_is_a_script_is_text_on_the_page(self):
        name = "</script><script>alert(1)</script>"
        page = run("parameters", "--gain-name", name, "--format", "html").stdout
        self.assertIn("&lt;script&gt;alert(1)&lt;/script&gt;", page)
        self.assertEqual(page.count("<script"), 1)
        self.assertEqual(page.count("</script"), 1)


if __name__ == "__main__":
    unittest.main()
