"""C programs of several files, from the command line to the file that is repaired."""

from __future__ import annotations

import json
import shlex
import shutil
import subprocess
import tomllib
from pathlib import Path
from typing import Any

import pytest

from learn2fix.cli.app import run
from learn2fix.languages.opening import open_subject
from learn2fix.sandbox import Sandbox

TRIANGLE = (Path(__file__).parent / "zoo/triangle/golden.c").read_text()
MAIN = """#include <stdio.h>
#include "shape/triangle.h"

static int helper(int x) { return x - 1; }

int main(void) {
    struct triangle t;
    if (scanf("%d %d %d", &t.a, &t.b, &t.c) != 3) return 1;
    printf("%d\\n", classify(&t) + helper(1));
    return 0;
}
"""
HEADER = """#ifndef TRIANGLE_H
#define TRIANGLE_H
#define NONE 4
struct triangle { int a, b, c; };
int classify(const struct triangle *t);
#endif
"""
UNIT = """#include "triangle.h"

static int helper(int x) { return x <= 0; }

int classify(const struct triangle *t) {
    int a = t->a, b = t->b, c = t->c;
    if (helper(a) || helper(b) || helper(c)) return NONE;
    if (a <= c - b || b <= a - c || c <= b - a) return NONE;
    if (a == b == c)
        return 1;
    if (a == b || b == c || c == a) return 2;
    return 3;
}
"""


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("LEARN2FIX_HOME", str(tmp_path / "home"))
    work = tmp_path / "work"
    (work / "shape").mkdir(parents=True)
    (work / "main.c").write_text(MAIN)
    (work / "shape/triangle.h").write_text(HEADER)
    (work / "shape/triangle.c").write_text(UNIT)
    (tmp_path / "golden.c").write_text(TRIANGLE)
    monkeypatch.chdir(work)
    return work


def contents(folder: Path) -> dict[str, bytes]:
    return {str(path): path.read_bytes() for path in folder.rglob("*") if path.is_file()}


def test_the_helper_file_is_repaired(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    before = contents(folder)
    words = [
        "fix",
        "main.c",
        "--failing",
        "2 2 2",
        "--expected",
        "1",
        "--golden",
        "../golden.c",
        "--seed",
        "1",
    ]
    assert run([*words, "--json"]) == 0
    result = json.loads(capsys.readouterr().out)
    assert contents(folder) == before
    diff = result["patches"][0]["diff"]
    assert diff.startswith("--- a/shape/triangle.c\n+++ b/shape/triangle.c\n@@ -6,7 +6,7 @@\n")
    assert run(["apply", result["session"]]) == 0
    patched = contents(folder)
    assert {name for name in patched if patched[name] != before[name]} == {str(folder / "shape/triangle.c")}
    assert "shape/triangle.c" in capsys.readouterr().out
    assert run(["apply", result["session"], "--revert"]) == 0
    assert contents(folder) == before
    subprocess.run(["git", "apply", "-"], input=diff.encode(), check=True)
    assert contents(folder) == patched


def test_only_the_named_file_is_changed(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    words = [
        "fix",
        "main.c",
        "--failing",
        "2 2 2",
        "--expected",
        "1",
        "--golden",
        "../golden.c",
        "--seed",
        "1",
    ]
    run([*words, "--json", "--labels", "2", "--only", "main.c"])
    for patch in json.loads(capsys.readouterr().out)["patches"]:
        assert "triangle.c" not in patch["diff"]
    assert run([*words, "--only", "other.c"]) == 2
    assert "its files: shape/triangle.h, shape/triangle.c, main.c" in capsys.readouterr().err


def test_a_header_elsewhere_is_pointed_at(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (folder / "include").mkdir()
    (folder / "shape/triangle.h").rename(folder / "include/triangle.h")
    (folder / "main.c").write_text(MAIN.replace("shape/triangle.h", "triangle.h"))
    assert run(["fix", "main.c", "--failing", "2 2 2", "--expected", "1"]) == 2
    assert "--cflags '-Iinclude'" in capsys.readouterr().err
    words = ["learn", "main.c", "--cflags", "-Iinclude", "--failing", "2 2 2", "--golden", "../golden.c"]
    assert run([*words, "--labels", "1", "--learner", "tree", "--seed", "1"]) in (0, 1)


def test_a_folder_without_a_build_is_told_what_to_type(
    folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run(["fix", ".", "--failing", "2 2 2"]) == 2
    said = capsys.readouterr().err
    assert "(say how to build it: --build CMD, or name the file with main: learn2fix fix main.c)\n" in said
    (folder / "other.c").write_text("int main(void) { return 0; }\n")
    assert run(["fix", ".", "--failing", "2 2 2"]) == 2
    assert capsys.readouterr().err.endswith("(say how to build it: --build CMD)\n")


def test_a_project_that_takes_arguments_is_told_how_to_give_them(
    folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    text = MAIN.replace("int main(void) {", "int main(int argc, char **argv) {\n    if (argc < 4) return 2;")
    text = text.replace("<stdio.h>", "<stdio.h>\n#include <stdlib.h>").replace(
        'if (scanf("%d %d %d", &t.a, &t.b, &t.c) != 3) return 1;',
        "t.a = atoi(argv[1]), t.b = atoi(argv[2]), t.c = atoi(argv[3]);",
    )
    (folder / "main.c").write_text(text)
    (folder / "Makefile").write_text("tool:\n\tcc -o tool main.c shape/triangle.c\n")
    assert run(["fix", ".", "--failing", "2 2 2"]) == 2
    how = 'learn2fix fix --build make --run "./tool {a} {b}" --failing "3 4"'
    assert capsys.readouterr().err == f"learn2fix: ./tool takes arguments ({how})\n"


EVERY = sorted(path.parent for path in (Path(__file__).parent / "projects").glob("*/project.toml"))
REPAIRED = ("gradebook", "invoice", "queue", "roman", "rpn")
"""The quick ones; `python -m benchmarks projects` repairs all of them."""
PROJECTS = [path for path in EVERY if path.name in REPAIRED]


def buggy_copy(project: Path, folder: Path) -> dict[str, Any]:
    """The project with its bug; beside it the golden one, built."""
    about = tomllib.loads((project / "project.toml").read_text())
    shutil.copytree(project / "golden", folder)
    path = folder / about["file"]
    text = path.read_text()
    assert text.count(about["old"]) == 1
    path.write_text(text.replace(about["old"], about["new"]))
    return about


@pytest.mark.parametrize("project", PROJECTS, ids=lambda path: path.name)
def test_the_right_file_of_a_project_is_repaired(
    project: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("LEARN2FIX_HOME", str(tmp_path / "home"))
    work, golden = tmp_path / "work", tmp_path / "golden"
    about = buggy_copy(project, work)
    shutil.copytree(project / "golden", golden)
    monkeypatch.chdir(golden)
    with Sandbox() as sandbox:
        words = [word.removeprefix("./") for word in about["words"] if not word.startswith("-")]
        subject = open_subject(
            words[0] if len(words) == 1 else words[1],
            sandbox,
            build=words[0] if len(words) == 2 else None,
            run=words[1] if len(words) == 2 else None,
        )
        shutil.copy(subject.binary, tmp_path / "answers")  # type: ignore[attr-defined]
        subject.close()
    monkeypatch.chdir(work)
    before = contents(work)
    given = ["--failing", about["failing"], "--golden", str(tmp_path / "answers"), "--seed", "1", "--json"]
    assert run(["fix", *about["words"], *given]) == 0, capsys.readouterr().err
    result = json.loads(capsys.readouterr().out)
    assert contents(work) == before
    diff = result["patches"][0]["diff"]
    assert diff.startswith(f"--- a/{about['file']}\n")
    assert diff.count("\n--- a/") == 0
    subprocess.run(["git", "apply", "-"], input=diff.encode(), check=True)


@pytest.mark.parametrize("project", EVERY, ids=lambda path: path.name)
def test_a_project_shows_its_bug_on_the_failing_input(project: Path, tmp_path: Path) -> None:
    """Built by its authors' command, with and without the bug."""
    about = buggy_copy(project, tmp_path / "buggy")
    shutil.copytree(project / "golden", tmp_path / "golden")
    printed = {}
    for name in ("buggy", "golden"):
        folder = tmp_path / name
        subprocess.run(shlex.split(about["make"]), cwd=folder, check=True, stdout=subprocess.DEVNULL)
        inputs = [about["failing"], *about["held_out"]]
        printed[name] = [
            subprocess.run([folder / about["program"]], input=text.encode(), stdout=subprocess.PIPE).stdout
            for text in inputs
        ]
    assert printed["buggy"][0] != printed["golden"][0]
    assert any(one != other for one, other in zip(printed["buggy"][1:], printed["golden"][1:], strict=True))


def test_how_a_project_reads_its_input_is_found(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    shutil.copytree(Path(__file__).parent / "projects/rpn/golden", tmp_path / "work")
    monkeypatch.chdir(tmp_path / "work")
    with Sandbox() as sandbox:
        subject = open_subject("./rpn", sandbox, build="make rpn", run="./rpn")
        domain = subject.domain(["7 2 -"])
        assert [variable.name for variable in domain.variables] == ["word"]
        outcomes = subject.run([domain.parse("7 2 -"), domain.parse("22")])
        assert [str(outcome.response) for outcome in outcomes] == ["5", "22"]
        subject.close()
