"""README and docs/: links lead somewhere, commands run, and what they are shown to print is printed."""

import json
import pathlib
import re
import shlex
import shutil
import struct
import subprocess
import tempfile
import unittest

from program import PROGRAM, SOURCE, clean_environment, npy_header, run, subcommands

PAGES = [SOURCE / "README.md", *sorted((SOURCE / "docs").glob("*.md"))]

FENCED = re.compile(r"^```(\w*)\n(.*?)^```$", re.MULTILINE | re.DOTALL)
# Commands whose exit code says what the page says of them.
FAILING = {"gradcheck --step 1000": 1,
           "judge --input 3,4 --result 0.6,0.8 --epsilon 1e-5": 1}


def text_of(page):
    return page.read_text(encoding="utf-8")


def prose(page):
    """The page without fenced blocks."""
    return FENCED.sub("", text_of(page))


def anchors(page):
    """The ids that GitHub gives to headings."""
    headings = re.findall(r"(?m)^#+ +(.+?) *$", prose(page))
    return {re.sub(r"[^\w -]", "", heading.lower()).replace(" ", "-") for heading in headings}


def whole_commands(lines):
    """Lines put together until their quotes and documents end."""
    command, ending = "", None
    for line in lines:
        command += line + "\n"
        here = re.search(r"<<-?'?(\w+)'?$", line)
        if here and ending is None:
            ending = here[1]
        if ending is not None:
            if line != ending:
                continue
            ending = None
        else:
            try:
                shlex.split(command, comments=True)
            except ValueError:
                continue
        yield command.strip()
        command = ""


def names_a_placeholder(command):
    return re.search(r"\b(SUBCOMMAND|EXPERIMENT|FIXTURE|FILE|DIR|NAME|SHELL)\b|…", command)


def commands(page):
    """What the page tells to type that runs this program, in the page's order."""
    found = []
    for block in FENCED.finditer(text_of(page)):
        kind, lines = block[1], block[2].splitlines()
        if kind == "sh":
            script = list(whole_commands(lines)) if not lines[0].startswith("#!") else [block[2]]
            found += [(block.start(), command) for command in script]
        elif kind == "yaml":
            found += [(block.start(), line.split("run: ", 1)[1])
                      for line in lines if "run: rmsnorm-fixture" in line]
    found += [(line.start(), line[1]) for line in
              re.finditer(r"(?m)^    (rmsnorm-fixture .*)$", prose(page))]
    found += [(code.start(), code[1].replace("\n", " ")) for code in
              re.finditer(r"`(rmsnorm-fixture [a-z-][^`]*)`", prose(page))]
    return [command for _, command in found
            if "rmsnorm-fixture" in command and not command.startswith(("sh -c", "git "))
            and "build/" not in command and not names_a_placeholder(command)]


def dialogues(page):
    """Commands behind a $ with what is typed and what is printed."""
    for block in FENCED.finditer(text_of(page)):
        if block[1] or not block[2].startswith("$ "):
            continue
        for part in re.split(r"(?m)^\$ ", block[2])[1:]:
            command, *lines = part.splitlines()
            yield command, lines


def safetensors(tensors):
    header, data = {}, b""
    for name, values in tensors.items():
        bytes_ = struct.pack(f"<{len(values)}f", *values)
        header[name] = {"dtype": "F32", "shape": [1, len(values)],
                        "data_offsets": [len(data), len(data) + len(bytes_)]}
        data += bytes_
    text = json.dumps(header).encode()
    return struct.pack("<Q", len(text)) + text + data


def npy(values):
    return npy_header(len(values)) + struct.pack(f"<{len(values)}d", *values)


class Links(unittest.TestCase):
    def test_every_link_leads_somewhere(self):
        for page in PAGES:
            for target in re.findall(r"\]\(([^)\s]+)\)", prose(page)):
                with self.subTest(page=page.name, target=target):
                    if re.match(r"[a-z]+:", target):
                        continue
                    path, _, anchor = target.partition("#")
                    file = (page.parent / path).resolve() if path else page
                    self.assertTrue(file.exists())
                    if anchor:
                        self.assertIn(anchor, anchors(file))

    def test_every_page_can_be_found_from_the_first(self):
        seen, left = set(), [PAGES[0]]
        while left:
            page = left.pop()
            if page in seen:
                continue
            seen.add(page)
            for target in re.findall(r"\]\(([^)\s#]+\.md)", prose(page)):
                left.append((page.parent / target).resolve())
        self.assertEqual(sorted(page.name for page in PAGES), sorted(page.name for page in seen))

    def test_every_file_of_the_project_that_is_named_exists(self):
        for page in PAGES:
            for name in re.findall(r"`((?:src|tests|docs|fixtures|\.ci)/[\w./-]+)`", prose(page)):
                with self.subTest(page=page.name, name=name):
                    if page.name == "CHANGELOG.md" or name.endswith(("/", "…")):
                        continue
                    folder, _, last = name.rpartition("/")
                    # `src/pages/filler` stands for its source and its header.
                    self.assertTrue((SOURCE / name).exists()
                                    or list((SOURCE / folder).glob(last + ".*")))


class Commands(unittest.TestCase):
    def setUp(self):
        temporary = tempfile.TemporaryDirectory()
        self.addCleanup(temporary.cleanup)
        self.folder = pathlib.Path(temporary.name)
        bin_ = self.folder / "bin"
        bin_.mkdir()
        (bin_ / "rmsnorm-fixture").symlink_to(PROGRAM)
        self.environment = clean_environment()
        self.environment["PATH"] = f"{bin_}:{self.environment['PATH']}"

    def work_folder(self, page):
        """The files that the pages name."""
        folder = self.folder / page.stem
        folder.mkdir()
        shutil.copytree(SOURCE / "fixtures", folder / "fixtures")
        for name, values in (("activation", [0.5, -2, 3]), ("huge", [3, 4]), ("in", [3, 4]),
                             ("x", [3, 4]), ("w", [1, 1]), ("y", [0.84765625, 1.1328125])):
            (folder / f"{name}.npy").write_bytes(npy(values))
        row, right = [3, 4], [0.848528118, 1.131370824]
        (folder / "case.safetensors").write_bytes(safetensors(
            {"input": row, "output": right, "hidden": row, "normed": right}))
        (folder / "gemma.safetensors").write_bytes(safetensors(
            {"input": row, "weight": [0, 0], "output": right}))
        answers = re.search(r"^\$ cat answers.json\n(.*)$", text_of(SOURCE / "docs/predict.md"),
                            re.MULTILINE)[1]
        (folder / "answers.json").write_text(answers, encoding="utf-8")
        (folder / "answers.txt").write_text("12.5, 0.283\n", encoding="utf-8")
        run("schema", "-o", folder / "rmsnorm-fixture.schema.json")
        return folder

    def shell(self, command, folder, **options):
        return subprocess.run(["sh", "-c", command], cwd=folder, env=self.environment, text=True,
                              stdout=subprocess.PIPE, stderr=subprocess.PIPE, timeout=120,
                              check=False, **options)

    def test_every_command_runs(self):
        number = 0
        for page in PAGES:
            folder = self.work_folder(page)
            for command in commands(page):
                with self.subTest(page=page.name, command=command):
                    piped = re.findall(r" \| *([\w-]+)", command.partition("'")[0])
                    if any(shutil.which(word) is None for word in piped):
                        continue
                    done = self.shell(command, folder, stdin=subprocess.DEVNULL)
                    words = command.partition(" #")[0].strip()
                    expected = FAILING.get(words.removeprefix("rmsnorm-fixture "), 0)
                    self.assertEqual(done.returncode, expected, done.stdout + done.stderr)
                    number += 1
        self.assertGreater(number, 40)

    def test_what_is_shown_is_printed(self):
        number = 0
        for page in PAGES:
            folder = self.work_folder(page)
            for command, lines in dialogues(page):
                if not command.startswith("rmsnorm-fixture"):
                    continue
                with self.subTest(page=page.name, command=command):
                    typed = "".join(line[2:] + "\n" for line in lines if line.startswith("> "))
                    printed = self.shell(command, folder, input=typed).stdout
                    number += 1
                    for part in "\n".join(lines).split("\n...\n"):
                        self.assertIn(part.removesuffix("\n..."), printed)
        self.assertGreater(number, 3)


class Names(unittest.TestCase):
    def test_every_option_that_a_page_names_exists(self):
        known = set(re.findall(r"--[a-z][a-z-]*", run("--help").stdout.decode()))
        for name in subcommands():
            known.update(re.findall(r"--[a-z][a-z-]*", run(name, "--help").stdout.decode()))
        for page in PAGES:
            for code in re.findall(r"`(-[^`]*|rmsnorm-fixture [^`]*)`", prose(page)):
                for option in re.findall(r"(?<![\w-])--[a-z][a-z-]*", code):
                    with self.subTest(page=page.name, option=option):
                        self.assertIn(option, known)


class Version(unittest.TestCase):
    def setUp(self):
        self.version = re.search(r"(?m)^project\(rmsnorm-fixture VERSION ([0-9.]+) ",
                                 text_of(SOURCE / "CMakeLists.txt"))[1]

    def test_it_stands_in_one_place(self):
        # The changelog tells of it, and goldens are written by the program.
        told = [SOURCE / "docs" / "CHANGELOG.md", SOURCE / "fixtures"]
        places = []
        for root in ("src", "tests", "docs", "CMakeLists.txt", "CMakePresets.json", "README.md"):
            path = SOURCE / root
            for file in sorted(path.rglob("*")) if path.is_dir() else [path]:
                if file.suffix in (".png", ".npy") or not file.is_file():
                    continue
                if "node_modules" in file.parts or file.name == "package-lock.json":
                    continue
                if any(file.is_relative_to(other) for other in told):
                    continue
                text = file.read_bytes().decode(errors="replace")
                places += [file.relative_to(SOURCE).as_posix()] * len(
                    re.findall(rf"(?<![\d.]){re.escape(self.version)}(?![\d.])", text))
        self.assertEqual(places, ["CMakeLists.txt"])

    def test_the_changelog_and_the_program_name_it(self):
        headings = re.findall(r"(?m)^## (.*)$", text_of(SOURCE / "docs" / "CHANGELOG.md"))
        released = [heading for heading in headings if heading != "Unreleased"]
        self.assertEqual(released[0], self.version)
        self.assertEqual(run("--version").stdout.decode().split()[1], self.version)


if __name__ == "__main__":
    unittest.main()
