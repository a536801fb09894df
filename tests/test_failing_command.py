"""`--failing-command`: a command that fails says the input and what is right; a patch makes it pass."""

from __future__ import annotations

import json
import shutil
import subprocess
from pathlib import Path

import pytest

from learn2fix.cli.app import run
from learn2fix.errors import NotFailing, UsageError
from learn2fix.languages.failing_command import begin_from

ROMAN = Path(__file__).parent / "projects/roman/golden"
MAIN = """#include <stdio.h>
#include <stdlib.h>
int sum(FILE *file);
int main(int argc, char **argv)
{
    if (argc == 3) {
        printf("%d\\n", atoi(argv[1]) - atoi(argv[2]));
        return 0;
    }
    FILE *file = argc == 2 ? fopen(argv[1], "r") : stdin;
    if (!file)
        return 1;
    printf("%d\\n", sum(file));
    return 0;
}
"""
SUM = """#include <stdio.h>
int sum(FILE *file)
{
    int total = 1, value;
    while (fscanf(file, "%d", &value) == 1)
        total += value;
    return total;
}
"""
MAKEFILE = """sum: main.c sum.c
	cc -o sum main.c sum.c
check: sum
	for i in t/*.in; do ./sum < $$i | cmp - $${i%.in}.out || exit 1; done
"""


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("LEARN2FIX_HOME", str(tmp_path / "home"))
    work = tmp_path / "work"
    (work / "t").mkdir(parents=True)
    files = {"main.c": MAIN, "sum.c": SUM, "Makefile": MAKEFILE, "t/a.in": "3 4 5\n", "t/a.out": "12\n"}
    for name, text in files.items():
        (work / name).write_text(text)
    monkeypatch.chdir(work)
    return work


def test_a_test_suite_says_input_and_answer(folder: Path) -> None:
    (folder / "t/b.in").write_text("7\n")
    (folder / "t/b.out").write_text("8\n")
    begun = begin_from("make check", folder, None, None)
    assert begun.failing == ("3 4 5\n",)
    # The suite ends with the first failure: t/b.in is run once that one is right.
    assert begun.tests == (("3 4 5\n", "12\n"), ("7\n", "8\n"))
    assert begun.checks
    (folder / "t/a.out").write_text("13\n")
    (folder / "t/b.out").write_text("7\n")
    begun = begin_from("make check", folder, None, None)
    assert begun.failing == ("7\n",)
    assert begun.tests == (("3 4 5\n", "13\n"), ("7\n", "7\n"))


def test_a_suite_that_ends_with_the_first_failure_tells_of_all(folder: Path) -> None:
    for name, text in {"b.in": "7\n", "b.out": "7\n", "c.in": "1 1\n", "c.out": "3\n"}.items():
        (folder / "t" / name).write_text(text)
    begun = begin_from("make check", folder, None, None)
    assert begun.failing == ("3 4 5\n", "7\n")
    assert begun.tests == (("3 4 5\n", "12\n"), ("7\n", "7\n"), ("1 1\n", "3\n"))
    assert begun.checks
    assert "fails for 2 of 3 runs" in begun.note


def test_arguments_and_files_in_them_are_inputs(folder: Path) -> None:
    begun = begin_from('test "$(./sum 3 4)" = 7', folder, None, None)
    assert (begun.words, begun.failing, begun.tests) == (("{a}", "{b}"), ("3 4",), ())
    begun = begin_from("./sum t/a.in | cmp - t/a.out", folder, "make", "./sum")
    assert (begun.words, begun.form) == (("a.in",), "a.in:")
    assert begun.files == (("a.in", "3 4 5\n"),)
    assert begun.tests == (("3 4 5\n", "12\n"),)


def test_files_named_in_the_command_are_inputs_where_no_run_is_seen(folder: Path) -> None:
    begun = begin_from("cc -o other main.c sum.c && ./other < t/a.in | cmp - t/a.out", folder, None, None)
    assert begun.failing == ("3 4 5\n",)
    assert "not seen to run sum" in begun.note


def test_a_command_that_tells_no_bug_is_refused(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(NotFailing, match="passes"):
        begin_from("true", folder, None, None)
    with pytest.raises(NotFailing, match="cannot be run"):
        begin_from("no-such-command-anywhere", folder, None, None)
    with pytest.raises(UsageError, match="names no file"):
        begin_from("false", folder, None, None)
    assert run(["fix", "main.c", "--failing-command", "false"]) == 2
    assert "learn2fix fix . --failing-command" in capsys.readouterr().err
    assert run(["fix", ".", "--failing-command", "true"]) == 3


def test_nothing_changes_in_the_folder(folder: Path) -> None:
    before = {str(path): path.read_bytes() for path in folder.rglob("*") if path.is_file()}
    begin_from("rm -f sum.c; echo x > made; ./sum < t/a.in; false", folder, None, None)
    assert {str(path): path.read_bytes() for path in folder.rglob("*") if path.is_file()} == before


def test_the_patch_makes_the_command_pass(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("LEARN2FIX_HOME", str(tmp_path / "home"))
    work, golden = tmp_path / "work", tmp_path / "golden"
    for place in (work, golden):
        shutil.copytree(ROMAN, place)
    subprocess.run(["make", "-s"], cwd=golden, check=True)
    path = work / "convert.c"
    path.write_text(path.read_text().replace("number >= digits", "number > digits"))
    monkeypatch.chdir(work)
    command = "printf 4 | ./roman | grep -qx IV"
    words = ["--failing-command", command, "--golden", str(golden / "roman"), "--seed", "1", "--json"]
    assert run(["fix", ".", *words]) == 0, capsys.readouterr().err
    result = json.loads(capsys.readouterr().out)
    subprocess.run(["git", "apply", "-"], input=result["patches"][0]["diff"].encode(), check=True)
    subprocess.run(f"make -s && {command}", shell=True, check=True)


def test_no_patch_is_offered_with_which_the_command_fails(
    folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (folder / "t/a.out").unlink()
    # Nothing that anybody does to the program makes this pass.
    words = ["--failing-command", "./sum < t/a.in; false", "--golden", "./right", "--seed", "1", "--json"]
    (folder / "right.c").write_text(SUM.replace("total = 1", "total = 0") + "int main(void) {\n"
                                    '    printf("%d\\n", sum(stdin));\n    return 0;\n}\n')  # fmt: skip
    subprocess.run(["cc", "-o", "right", "right.c"], check=True)
    assert run(["fix", "--build", "make", "--run", "./sum", *words, "--labels", "3", "--timeout", "60"]) == 1
    assert json.loads(capsys.readouterr().out)["patches"] == []
