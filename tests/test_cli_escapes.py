"""Source text may be hostile: a terminal sees diffs escaped, a pipe gets them byte for byte."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pexpect
import pytest

from learn2fix.model import (
    Answer,
    Candidate,
    Edit,
    Ending,
    Input,
    Label,
    Location,
    Observation,
    Outcome,
    Patch,
    Verdict,
    digest,
)
from learn2fix.store import Record, Store

HOSTILE = "/* \x1b[2J\x9b31m\u202e\udcff */"
SOURCE = f"int a = 1; {HOSTILE}\n".encode("utf-8", "surrogateescape")
PATCH = Patch(
    "3f9ac1d2",
    Candidate((Edit(8, 9, b"2"),), "constant", 1.0),
    Location("a.c", 1, 8),
    f"line 1: {HOSTILE}",
    f"--- a/a.c\n+++ b/a.c\n@@ -1 +1 @@\n-int a = 1; {HOSTILE}\n+int a = 2; {HOSTILE}\n",
)


@pytest.fixture
def environment(tmp_path: Path) -> dict[str, str]:
    (tmp_path / "a.c").write_bytes(SOURCE)
    label = Label(Observation(Input("1"), Outcome(Ending.EXITED, b"1\n")), Answer(Verdict.BUG))
    record = Record(("a.c",), str(tmp_path), 1, digest(SOURCE), (label,), source="a.c")
    with Store(tmp_path / "home").create(record) as held:
        held.finish({"status": "repaired", "patches": []}, [PATCH])
    path = os.pathsep.join(entry for entry in sys.path if entry)
    return {**os.environ, "PYTHONPATH": path, "TERM": "dumb", "LEARN2FIX_HOME": str(tmp_path / "home")}


@pytest.mark.parametrize("words", [("show", "3f9a"), ("apply", "last", "--dry-run"), ("apply", "last")])
def test_a_terminal_sees_escape_sequences_written_out(
    environment: dict[str, str], words: tuple[str, ...]
) -> None:
    child = pexpect.spawn(sys.executable, ["-m", "learn2fix", *words], env=environment, timeout=60)
    shown = child.read()
    assert b"/* \\x1b[2J\\x9b31m\\u202e\\xff */" in shown
    assert b"\x1b" not in shown


@pytest.mark.parametrize("words", [("show", "3f9a"), ("apply", "last", "--dry-run")])
def test_git_applies_what_a_pipe_gets(
    environment: dict[str, str], words: tuple[str, ...], tmp_path: Path
) -> None:
    printed = subprocess.run(
        [sys.executable, "-m", "learn2fix", *words], env=environment, stdout=subprocess.PIPE, check=True
    ).stdout
    subprocess.run(["git", "apply", "-"], input=printed, cwd=tmp_path, check=True)
    assert (tmp_path / "a.c").read_bytes() == PATCH.candidate.apply(SOURCE)
