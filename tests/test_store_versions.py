"""Sessions of other versions of the tool: older ones go on, newer ones are left as they are."""

from __future__ import annotations

import json
import shutil
import sqlite3
import subprocess
import sys
from collections.abc import Callable
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest

from at_terminal import environment
from conversation_driver import RECORD, conversation
from learn2fix.errors import StoreError
from learn2fix.model import Answer, Verdict
from learn2fix.store import Store, files
from learn2fix.store.entry import checksum

OLDER = Path(__file__).with_name("older_session")
"""Made by the first version that kept sessions: its journal, and its database as SQL."""
OK = Answer(Verdict.OK)


def filled(home: Path) -> Path:
    """The folder of a session with three answers."""
    talk = conversation(9)
    question = next(talk)
    with Store(home).create(RECORD) as session:
        for _ in range(3):
            session.append(question, OK)
            question = talk.send(OK)
        return home / "sessions" / session.id


@pytest.mark.parametrize("missing", ["nothing", files.DATABASE, files.JOURNAL])
def test_a_session_of_the_first_version_goes_on(tmp_path: Path, missing: str) -> None:
    folder = tmp_path / "sessions/triangle-1"
    folder.mkdir(parents=True)
    shutil.copy(OLDER / files.JOURNAL, folder)
    with closing(sqlite3.connect(folder / files.DATABASE)) as connection:
        connection.executescript((OLDER / "session.sql").read_text())
    (folder / missing).unlink(missing_ok=True)
    store = Store(tmp_path)
    with store.open("triangle-1") as session:
        texts = [question.observation.input.text for question, _ in session.exchanges]
        assert texts == ["2 1 2", "2 2 2", "2 3 2", "2 5 2"]
        assert [reply.verdict for _, reply in session.exchanges if isinstance(reply, Answer)] == [
            Verdict.OK, Verdict.OK, Verdict.BUG, Verdict.OK,
        ]  # fmt: skip
        session.append(session.exchanges[-1][0], OK)
    assert len(store.load("triangle-1").exchanges) == 5
    assert store.load("triangle-1").damage == ""


def later_kind(entries: list[dict[str, Any]]) -> None:
    """An entry of a kind that came later; the answers after it must not be lost with it."""
    entries[3]["kind"] = "annotated"


def later_word(entries: list[dict[str, Any]]) -> None:
    entries[3]["body"] = entries[3]["body"].replace('"verdict": "ok"', '"verdict": "mostly"')


def later_form(entries: list[dict[str, Any]]) -> None:
    entries[3]["body"] = json.dumps({"asked": {}, "said": {}})


def later_schema(entries: list[dict[str, Any]]) -> None:
    entries[0]["body"] = json.dumps(json.loads(entries[0]["body"]) | {"schema": 2})


CHANGES = [later_kind, later_word, later_form, later_schema]


def written_later(folder: Path, change: Callable[[list[dict[str, Any]]], None], columns: bool) -> None:
    """The files as a newer version would write them: other entries, perhaps other columns."""
    entries = [json.loads(line) for line in (folder / files.JOURNAL).read_text().splitlines()]
    change(entries)
    for each in entries:
        each["checksum"] = checksum(*(each[name] for name in ("session", "row", "kind", "body", "at")))
    (folder / files.JOURNAL).write_text("".join(json.dumps(each) + "\n" for each in entries))
    with closing(sqlite3.connect(folder / files.DATABASE, isolation_level=None)) as connection:
        connection.execute("DROP TRIGGER entries_are_never_deleted")
        connection.execute("DELETE FROM entries")
        connection.executemany(
            "INSERT INTO entries (session, row, kind, body, at, checksum)"
            " VALUES (:session, :row, :kind, :body, :at, :checksum)",
            entries,
        )
        connection.execute("PRAGMA user_version = 2")
        if columns:
            connection.execute("DROP VIEW replies")
            connection.execute("ALTER TABLE entries RENAME COLUMN body TO content")


def contents(folder: Path) -> dict[str, bytes]:
    return {
        p.name: p.read_bytes() for p in sorted(folder.iterdir()) if p.name in (files.DATABASE, files.JOURNAL)
    }


@pytest.mark.parametrize("columns", [False, True], ids=["same columns", "other columns"])
@pytest.mark.parametrize("change", CHANGES, ids=lambda change: change.__name__)
def test_a_session_of_a_newer_version_is_refused_and_left_alone(
    tmp_path: Path, change: Callable[[list[dict[str, Any]]], None], columns: bool
) -> None:
    folder = filled(tmp_path)
    written_later(folder, change, columns)
    before = contents(folder)
    store = Store(tmp_path)
    for access in (store.open, store.load):
        with pytest.raises(StoreError, match="newer learn2fix"):
            access("triangle-1")
    assert contents(folder) == before
    assert not list(folder.glob("damaged-*"))
    with store.create(RECORD) as session:  # others are not in the way
        assert session.id == "triangle-2"


@pytest.mark.parametrize(
    "command", [["sessions"], ["show", "1"], ["resume", "1"], ["pending", "1"], ["undo", "1"]]
)
def test_every_command_says_so_in_a_line(tmp_path: Path, command: list[str]) -> None:
    folder = filled(tmp_path)
    written_later(folder, later_kind, columns=False)
    run = subprocess.run(
        [sys.executable, "-m", "learn2fix", *command],
        env=environment(tmp_path), stdin=subprocess.DEVNULL, capture_output=True, text=True, check=False,
    )  # fmt: skip
    assert "newer learn2fix" in run.stdout + run.stderr
    assert "Traceback" not in run.stderr
    assert run.returncode == (0 if command == ["sessions"] else 2)


def test_a_number_that_alone_is_wrong_is_damage_and_mended(tmp_path: Path) -> None:
    folder = filled(tmp_path)
    with closing(sqlite3.connect(folder / files.DATABASE, isolation_level=None)) as connection:
        connection.execute("PRAGMA user_version = 257")
    with Store(tmp_path).open("triangle-1") as session:
        assert len(session.exchanges) == 3
        assert "nothing lost" in session.saved.damage
