"""One event of a session, with a checksum: SQLite's own check misses a flipped value."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import Any

from learn2fix.errors import StoreError
from learn2fix.model import digest

SCHEMA_VERSION = 1
"""Of database, journal and entries. A later one says so in row 1, or by an entry of an unknown kind."""


class EntryKind(StrEnum):
    SESSION = "session"
    """Always row 1: the program, the failing inputs, the options."""
    OPENED = "opened"
    """A process opened the session; also proves that the database is writable."""
    OPTIONS = "options"
    """Options that differ from now on: the session goes on with more questions, or more time."""
    ASKED = "asked"
    """A question without a reply yet."""
    REPLY = "reply"
    """A question and what the person said (an answer, or "finish")."""
    UNDO = "undo"
    """The newest valid reply was taken back."""
    OPINION = "opinion"
    """Another person's answer to a question that has been answered."""
    REVISED = "revised"
    """A reply was replaced by the majority's."""
    RESULT = "result"
    """The result document and the patches in full; void when a reply, an undo or a revision follows."""


def checksum(session: str, row: int, kind: str, body: str, at: str) -> str:
    return digest(session, str(row), kind, body, at, length=32)


@dataclass(frozen=True, slots=True)
class Entry:
    session: str
    row: int
    kind: EntryKind
    body: str
    """JSON, pure ASCII."""
    at: str
    """Wall clock, for people; the order is that of `row`."""

    @property
    def checksum(self) -> str:
        return checksum(self.session, self.row, self.kind.value, self.body, self.at)

    @property
    def data(self) -> dict[str, Any]:
        value = json.loads(self.body)
        assert isinstance(value, dict)
        return value

    def line(self) -> str:
        """The entry as a line of the journal."""
        return (
            json.dumps(
                {
                    "session": self.session,
                    "row": self.row,
                    "kind": self.kind.value,
                    "body": self.body,
                    "at": self.at,
                    "checksum": self.checksum,
                }
            )
            + "\n"
        )


@dataclass(frozen=True, slots=True)
class Reading:
    """The contents of one file of a session."""

    entries: Sequence[Entry] = ()
    """The intact ones."""
    fault: str = ""
    """What is wrong with the file, "" when nothing is."""
    damaged: int = 0
    """Number of corrupted entries."""
    rest: str = ""
    """An incomplete last line."""
    unreadable: bool = False
    """It does not even tell how many entries there were."""


def newer() -> StoreError:
    """Nothing is repaired in a session that a newer tool wrote: what we do not know is no damage."""
    return StoreError(
        "the session was written by a newer learn2fix than this one", "update learn2fix; nothing was changed"
    )


def checked(data: Mapping[str, Any]) -> Entry | None:
    """The entry, or None if its checksum does not match."""
    texts = [text for name in ("session", "kind", "body", "at") if isinstance(text := data.get(name), str)]
    row = data.get("row")
    if len(texts) < 4 or not isinstance(row, int):
        return None
    session, kind, body, at = texts
    if checksum(session, row, kind, body, at) != data.get("checksum"):
        return None
    if kind not in set(EntryKind):
        raise newer()
    return Entry(session, row, EntryKind(kind), body, at)


def read_line(line: str) -> Entry | None:
    try:
        data = json.loads(line)
    except ValueError:
        return None
    return checked(data) if isinstance(data, dict) else None
