"""The command line as scripts rely on it: names, exit codes, what goes where."""

from __future__ import annotations

import importlib
import json
import os
import shutil
import subprocess
import sys
from dataclasses import replace
from pathlib import Path

import click
import pytest

import learn2fix
from learn2fix.cli import app as application
from learn2fix.cli.app import COMMANDS, app, run
from learn2fix.cli.opening import anchored
from learn2fix.cli.settings import settings_for
from learn2fix.errors import UsageError
from learn2fix.model import (
    Answer,
    Candidate,
    Control,
    Edit,
    Ending,
    Input,
    Label,
    Location,
    Observation,
    Outcome,
    Patch,
    Question,
    Verdict,
    digest,
)
from learn2fix.store import Record, Store

SOURCE = b"int main(void) { return a == b == c; }\n"
EDIT = Edit(SOURCE.index(b"a =="), SOURCE.index(b"; }"), b"a == b && b == c")
PATCH = Patch(
    "3f9ac1d2",
    Candidate((EDIT,), "comparison chain", 1.0),
    Location("triangle.c", 1, 18),
    "line 1: `a == b == c` → `a == b && b == c`",
    "--- a/triangle.c\n+++ b/triangle.c\n@@ -1 +1 @@\n-int main(void) { return a == b == c; }\n"
    "+int main(void) { return a == b && b == c; }\n",
    0.9,
    ("2 labelled tests satisfied",),
)
OTHER = Patch(
    "3f00aaaa",
    Candidate((replace(EDIT, text=b"a"),), "comparison chain", 2.0),
    PATCH.location,
    "another",
    "--- a\n+++ b\n",
    0.1,
)
DOCUMENT = {
    "schema": 1,
    "session": "triangle-1",
    "status": "repaired",
    "seed": 7,
    "strategy": "guided",
    "questions": 2,
    "labels": [
        {"input": "2 2 2", "output": "2", "verdict": "bug", "expected": "1"},
        {"input": "3 4 5", "output": "3", "verdict": "ok"},
        {"input": "0 0 \x1b[2J", "output": "4", "verdict": "invalid"},
    ],
    "oracle": {
        "kind": "patches",
        "text": "a == b and b == c and a != 1",
        "smtlib": "(assert (= a b))",
        "risk": {"estimate": 0.03, "upper95": 0.11},
    },
    "patches": [
        {
            "id": patch.id,
            "rank": rank,
            "diff": patch.diff,
            "description": patch.description,
            "confidence": 0.9,
        }
        for rank, patch in enumerate((PATCH, OTHER), 1)
    ],
    "effort": {
        "generated": 240,
        "executions": 91000,
        "candidates": 5200,
        "seconds": {"learn": 3.1, "repair": 4.0},
    },
    "isolation": "landlock+seccomp",
}


def observation(text: str, printed: str) -> Observation:
    return Observation(Input(text), Outcome(Ending.EXITED, f"{printed}\n".encode()))


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Where a user works, with a home of its own."""
    monkeypatch.setenv("LEARN2FIX_HOME", str(tmp_path / "home"))
    monkeypatch.delenv("LEARN2FIX_DEBUG", raising=False)
    work = tmp_path / "work"
    work.mkdir()
    monkeypatch.chdir(work)
    (work / "triangle.c").write_bytes(SOURCE)
    return work


@pytest.fixture
def store(folder: Path, tmp_path: Path) -> Store:
    return Store(tmp_path / "home")


def stored(store: Store, folder: Path, finished: bool = True) -> str:
    failing = (Label(observation("2 2 2", "2"), Answer(Verdict.BUG, "1")),)
    record = Record(
        ("triangle.c",), str(folder), 7, digest(SOURCE), failing, (), "triangle.c", {"strategy": "guided"}
    )
    with store.create(record) as session:
        session.append(Question(1, 9, observation("3 4 5", "3")), Answer(Verdict.OK))
        session.append(Question(2, 8, observation("0 0 \x1b[2J", "4")), Answer(Verdict.INVALID))
        if finished:
            session.finish(DOCUMENT, [PATCH, OTHER])
        return session.id


# Help


def test_every_command_is_listed_with_its_own_help() -> None:
    for section in COMMANDS.values():
        for name, (module, help) in section.items():
            command = getattr(importlib.import_module(f"learn2fix.cli.{module}"), name)
            assert isinstance(command, click.Command)
            assert (command.name, command.short_help) == (name, help)
            assert command.help is not None
            assert command.help.startswith(help.split()[0])


@pytest.mark.parametrize("name", [name for section in COMMANDS.values() for name in section])
def test_every_command_has_help_that_fits_a_terminal(name: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert run([name, "--help"]) == 0
    shown = capsys.readouterr().out
    assert shown.startswith("Usage: learn2fix ")
    assert max(map(len, shown.splitlines())) <= 80


def test_every_option_is_explained() -> None:
    context = click.Context(app)
    for name in app.list_commands(context):
        command = app.get_command(context, name)
        assert command is not None
        for parameter in command.params:
            if isinstance(parameter, click.Option):
                assert parameter.help, f"{name} {parameter.opts}"


def test_help_imports_nothing_heavy() -> None:
    code = (
        "import sys; from learn2fix.cli.app import run; run(['--help']); "
        "print([m for m in ('z3', 'rich', 'sklearn', 'numpy', 'libcst', 'sqlite3', 'tree_sitter', 'asyncio', "
        "'learn2fix.session', 'learn2fix.store') if m in sys.modules], file=sys.stderr)"
    )
    path = os.pathsep.join(entry for entry in sys.path if entry)
    env = {**os.environ, "PYTHONPATH": path}
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True, env=env)
    assert done.stderr.strip() == "[]"


def test_version_and_no_command(capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["--version"]) == 0
    assert capsys.readouterr().out.startswith("learn2fix, version ")
    assert run([]) == 2
    assert run(["nonsense"]) == 2
    captured = capsys.readouterr()
    assert "No such command 'nonsense'" in captured.err


@pytest.mark.parametrize("shell", ["bash", "zsh", "fish"])
def test_completion(shell: str, folder: Path, store: Store, capfd: pytest.CaptureFixture[str]) -> None:
    assert run(["completion", shell]) == 0
    assert "_LEARN2FIX_COMPLETE" in capfd.readouterr().out


def test_sessions_are_completed(folder: Path, store: Store) -> None:
    from learn2fix.cli.options import complete_session

    stored(store, folder)
    context = click.Context(app)
    assert complete_session(context, app.params[0], "tri") == ["triangle-1"]
    assert complete_session(context, app.params[0], "x") == []


# Errors


def test_our_own_fault_is_one_line_and_70(
    folder: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def fail(*_: object) -> None:
        raise ZeroDivisionError("by zero")

    monkeypatch.setattr(Store, "ids", fail)
    assert run(["sessions"]) == 70
    captured = capsys.readouterr()
    assert captured.out == ""
    assert captured.err.count("\n") == 1
    assert "please report it: ZeroDivisionError: by zero" in captured.err
    with pytest.raises(ZeroDivisionError):
        run(["--debug", "sessions"])
    monkeypatch.setenv("LEARN2FIX_DEBUG", "1")
    with pytest.raises(ZeroDivisionError):
        run(["sessions"])


def test_an_error_of_the_user_is_one_line_and_2(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    for words in (["show", "no\nsuch\x1b[2J"], ["apply", "nothing"], ["undo", "nothing"], ["resume", "last"]):
        assert run(words) == 2
        captured = capsys.readouterr()
        assert captured.out == ""
        assert captured.err.startswith("learn2fix: there is no session ")
        assert captured.err.count("\n") == 1
        assert "\x1b" not in captured.err


def test_interrupts_have_their_codes(
    folder: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def interrupt(*_: object) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr(Store, "ids", interrupt)
    assert run(["sessions"]) == 130
    monkeypatch.setattr(Store, "ids", lambda _: application._stop(1, None))
    assert run(["sessions"]) == 4
    assert "stopped by SIGHUP" in capsys.readouterr().err


# Sessions


def test_no_session_yet(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["sessions"]) == 0
    assert capsys.readouterr().out == ""
    assert run(["sessions", "--json"]) == 0
    assert json.loads(capsys.readouterr().out) == []


def test_sessions_lists_damaged_ones_too(
    folder: Path, store: Store, capsys: pytest.CaptureFixture[str]
) -> None:
    stored(store, folder)
    stored(store, folder, finished=False)
    gone = store.home / "sessions/gone-3"
    gone.mkdir()
    (gone / "session.db").touch()
    assert run(["sessions"]) == 0
    captured = capsys.readouterr()
    assert [line.split()[:3] for line in captured.out.splitlines()] == [
        ["SESSION", "STATUS", "ANSWERS"],
        ["triangle-1", "repaired", "2"],
        ["triangle-2", "open", "2"],
        ["gone-3", "unreadable"],
    ]
    assert "gone-3 cannot be read, its answers are lost" in captured.err
    assert run(["sessions", "--json"]) == 0
    listed = json.loads(capsys.readouterr().out)
    assert [entry["status"] for entry in listed] == ["repaired", "open", "unreadable"]
    assert listed[0]["program"] == "triangle.c"


SHOWN = """\
  2 2 2 -> 2: bug, should be 1
  3 4 5 -> 3: ok
  0 0 \\x1b[2J -> 4: invalid
The bug shows when: a == b and b == c and a != 1
Chance that a prediction is wrong on inputs like those generated: 3%, at most 11% (95 % sure)

Patch 1 (3f9ac1d2, confidence 90%): line 1: `a == b == c` → `a == b && b == c`
--- a/triangle.c
+++ b/triangle.c
@@ -1 +1 @@
-int main(void) { return a == b == c; }
+int main(void) { return a == b && b == c; }

Patch 2 (3f00aaaa, confidence 90%): another
--- a
+++ b

Repaired: 2 questions, 240 inputs generated, 5,200 candidate patches tried, 7.1 s.
"""


def test_show(folder: Path, store: Store, capsys: pytest.CaptureFixture[str]) -> None:
    stored(store, folder)
    assert run(["show", "triangle-1"]) == 0
    head, _, rest = capsys.readouterr().out.partition("\n")
    assert head.startswith("Session triangle-1: triangle.c, begun 2")
    assert head.endswith("seed 7")
    assert rest == SHOWN
    assert run(["show", "last", "--json"]) == 0
    assert json.loads(capsys.readouterr().out) == DOCUMENT
    assert run(["show", "3f9a"]) == 0
    assert capsys.readouterr().out == PATCH.diff


def test_show_an_open_session(folder: Path, store: Store, capsys: pytest.CaptureFixture[str]) -> None:
    stored(store, folder, finished=False)
    assert run(["show", "1"]) == 0
    assert capsys.readouterr().out.endswith("Not finished; `learn2fix resume triangle-1` goes on.\n")
    assert run(["show", "1", "--json"]) == 0
    document = json.loads(capsys.readouterr().out)
    assert (document["status"], document["labels"], document["seed"]) == ("stopped", DOCUMENT["labels"], 7)


def test_undo(folder: Path, store: Store, capsys: pytest.CaptureFixture[str]) -> None:
    id = stored(store, folder)
    with store.open(id) as session:
        session.append(Question(3, 7, observation("1 1 1", "1")), Control.FINISH)
    assert run(["undo", id, "--count", "2"]) == 0
    assert capsys.readouterr().out == (
        "Taken back: the end of the questions\nTaken back: Question 2: 0 0 \\x1b[2J -> 4: invalid\n"
    )
    assert len(store.load(id).exchanges) == 1
    assert run(["undo", id, "--count", "2"]) == 2
    assert store.load(id).exchanges == ()


# Patches


def test_apply_writes_the_patch_exactly(
    folder: Path, store: Store, capsys: pytest.CaptureFixture[str]
) -> None:
    stored(store, folder)
    source = folder / "triangle.c"
    source.chmod(0o640)
    assert run(["apply", "triangle-1", "--dry-run"]) == 0
    assert capsys.readouterr().out == PATCH.diff
    assert source.read_bytes() == SOURCE
    os.chdir("/")
    assert run(["apply", "triangle-1"]) == 0
    assert capsys.readouterr().out == "triangle.c: line 1: `a == b == c` → `a == b && b == c`\n"
    assert source.read_bytes() == b"int main(void) { return a == b && b == c; }\n"
    assert source.stat().st_mode & 0o777 == 0o640
    assert [path.name for path in folder.iterdir()] == ["triangle.c"]


def test_apply_a_second_time_and_back(folder: Path, store: Store, capsys: pytest.CaptureFixture[str]) -> None:
    stored(store, folder)
    source = folder / "triangle.c"
    assert run(["apply", "triangle-1", "--revert"]) == 0
    assert capsys.readouterr().out == "triangle.c: no patch is applied\n"
    assert run(["apply", "triangle-1"]) == 0
    capsys.readouterr()
    assert run(["apply", "triangle-1"]) == 0
    assert capsys.readouterr().out == (
        "triangle.c: patch 3f9ac1d2 is applied already; "
        "`learn2fix apply triangle-1 --revert` takes it out again\n"
    )
    assert run(["apply", "triangle-1", "--patch", "3f00"]) == 2
    said = capsys.readouterr().err
    assert "patch 3f9ac1d2 is applied to triangle.c; nothing was written" in said
    assert "learn2fix apply triangle-1 --revert" in said
    assert source.read_bytes() == PATCH.candidate.apply(SOURCE)
    assert run(["apply", "3f9ac1d2", "--revert"]) == 0
    assert capsys.readouterr().out == "triangle.c: patch 3f9ac1d2 is taken out again\n"
    assert source.read_bytes() == SOURCE


def test_apply_is_refused_when_the_source_has_changed(
    folder: Path, store: Store, capsys: pytest.CaptureFixture[str]
) -> None:
    stored(store, folder)
    (folder / "triangle.c").write_bytes(SOURCE + b"\n")
    assert run(["apply", "triangle-1"]) == 2
    assert "triangle.c has changed since session triangle-1 began" in capsys.readouterr().err
    assert run(["apply", "triangle-1", "--revert"]) == 2
    assert "triangle.c has changed since session triangle-1 began" in capsys.readouterr().err
    assert (folder / "triangle.c").read_bytes() == SOURCE + b"\n"
    (folder / "triangle.c").unlink()
    assert run(["apply", "triangle-1"]) == 2


def test_apply_by_patch_and_through_a_link(
    folder: Path, store: Store, capsys: pytest.CaptureFixture[str]
) -> None:
    stored(store, folder)
    (folder / "triangle.c").rename(folder / "real.c")
    (folder / "triangle.c").symlink_to("real.c")
    assert run(["apply", "triangle-1", "--patch", "3f"]) == 2
    assert "there are 3f9ac1d2, 3f00aaaa" in capsys.readouterr().err
    assert run(["apply", "3f9ac1d2"]) == 0
    assert (folder / "triangle.c").is_symlink()
    assert b"&&" in (folder / "real.c").read_bytes()


def test_apply_without_a_patch(folder: Path, store: Store, capsys: pytest.CaptureFixture[str]) -> None:
    stored(store, folder, finished=False)
    assert run(["apply", "triangle-1"]) == 2
    assert "has no patch" in capsys.readouterr().err


# Settings


def test_defaults_come_from_the_nearest_table(tmp_path: Path) -> None:
    inner = tmp_path / "a/b"
    inner.mkdir(parents=True)
    (tmp_path / "pyproject.toml").write_text(
        '[tool.learn2fix]\nlabels = 5\nrequire-isolation = true\nrange = ["a=1..9"]\n'
    )
    (tmp_path / "a/pyproject.toml").write_text('[project]\nname = "learn2fix-user"\n')
    expected = {"fix": {"labels": 5, "require_isolation": True, "ranges": ["a=1..9"]}}
    assert settings_for(str(inner), "fix") == expected
    (inner / "pyproject.toml").write_text("[tool.learn2fix]\ngolden = 'golden.c'\n")
    assert settings_for(str(inner), "learn") == {"learn": {"golden": str(inner / "golden.c")}}


@pytest.mark.parametrize(
    "text", ["[tool.learn2fix]\nlabel = 5\n", "[tool.learn2fix\n", "[tool.learn2fix]\nfailing = 1"]
)
def test_settings_that_are_wrong_are_named(tmp_path: Path, text: str) -> None:
    (tmp_path / "pyproject.toml").write_text(text)
    with pytest.raises(UsageError, match=r"pyproject\.toml"):
        settings_for(str(tmp_path), "fix")


def test_every_setting_is_an_option() -> None:
    from learn2fix.cli.settings import SETTINGS

    fix = app.get_command(click.Context(app), "fix")
    assert fix is not None
    options = {
        parameter.opts[-1].removeprefix("--").replace("-", "_") for parameter in fix.params if parameter.opts
    }
    assert options > SETTINGS


@pytest.mark.parametrize(
    ("golden", "program", "function"),
    [
        ("right.c", "wrong.c:area", ":area"),
        ("right.py", "bank.py:Account.pay", ":Account.pay"),
        ("right.c:size", "wrong.c:area", ":size"),
        ("right.c", "wrong.c", ""),
        ("right", "wrong.c:area", ""),
        (".", "wrong.c:area", ""),
    ],
)
def test_a_golden_file_answers_by_its_function_of_the_same_name(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, golden: str, program: str, function: str
) -> None:
    monkeypatch.chdir(tmp_path)
    for name in ("right.c", "right.py", "right"):
        (tmp_path / name).touch()
    assert anchored(golden, program) == str((tmp_path / golden.partition(":")[0]).resolve()) + function


# Doctor


def test_doctor(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["doctor", "--json"]) == 0
    found = {entry["what"]: entry["found"] for entry in json.loads(capsys.readouterr().out)}
    assert found["SQLite"]
    assert found["isolation"]
    assert found["z3-solver"]
    assert found["sessions"].endswith("home")
    assert run(["doctor"]) == 0
    assert "isolation" in capsys.readouterr().out


def test_doctor_says_when_candidates_are_compiled_without_libtcc(tmp_path: Path) -> None:
    compiler = shutil.which("cc") or shutil.which("gcc")
    (tmp_path / "cc").write_text(
        f'#!/bin/sh\ncase " $* " in *" -ltcc "*) exit 1;; esac\nexec {compiler} "$@"\n'
    )
    (tmp_path / "cc").chmod(0o755)
    environment = {
        **os.environ,
        "PATH": f"{tmp_path}{os.pathsep}{os.environ['PATH']}",
        "XDG_CACHE_HOME": str(tmp_path / "cache"),
        "PYTHONPATH": str(Path(learn2fix.__file__).parent.parent),
    }
    words = [sys.executable, "-m", "learn2fix", "doctor"]
    done = subprocess.run(words, env=environment, capture_output=True, text=True, check=True, timeout=120)
    line = next(line for line in done.stdout.splitlines() if line.startswith("C search"))
    assert "by your compiler" in line
    assert "libtcc-dev" in line
