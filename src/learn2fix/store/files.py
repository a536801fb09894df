"""The folder of one session: a database, a journal and a lock, and their recovery from damage.

    sessions/triangle-3/session.db      the entries (SQLite, WAL)
    sessions/triangle-3/journal.jsonl   the same entries as lines, to rebuild the database from
    sessions/triangle-3/lock            held by the process that answers questions now
    sessions/triangle-3/damaged-1/…     files that were found damaged, kept for whoever wants to look

An entry counts when its checksum is right, in whichever file it stands. A session is as long as its entries
1, 2, 3, … go without a gap; the rest was lost and is said to be.
"""

from __future__ import annotations

import os
import shutil
import sqlite3
from collections.abc import Iterable, Sequence
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path

from learn2fix.errors import StoreError
from learn2fix.store import database, journal
from learn2fix.store.entry import Entry, EntryKind
from learn2fix.wording import plural

DATABASE = "session.db"
JOURNAL = "journal.jsonl"
LOCK = "lock"


@dataclass(frozen=True, slots=True)
class Contents:
    entries: tuple[Entry, ...]
    database_fault: str
    journal_fault: str
    journal_whole: bool
    """Whether the journal holds exactly `entries`, and ends with a complete line."""
    lost: int
    """Number of entries known to be missing from both files, or to follow such a gap."""
    uncertain: bool
    """Whether newer entries may have been lost without a trace: lines cut off a journal leave none."""

    @property
    def damage(self) -> str:
        faults = "; ".join(fault for fault in (self.database_fault, self.journal_fault) if fault)
        if not faults:
            return ""
        if self.lost:
            lost = f"{self.lost} entries lost"
        elif self.uncertain:
            answers = sum(entry.kind is EntryKind.REPLY for entry in self.entries)
            lost = f"{plural(answers, 'answer')} found; whether there were newer ones cannot be known"
        else:
            lost = "nothing lost"
        return f"{faults} ({lost})"


def create(folder: Path, entries: Sequence[Entry]) -> None:
    """Writes the files of a new session and syncs them to disk."""
    database.create(folder / DATABASE, entries)
    journal.write(folder / JOURNAL, entries)
    sync_directory(folder)


def read(folder: Path, session: str) -> Contents:
    """Everything that can still be read; writes nothing."""
    in_database, in_journal = database.read(folder / DATABASE), journal.read(folder / JOURNAL)
    second = {entry.row: entry for entry in in_journal.entries if entry.session == session}
    rows = second | {entry.row: entry for entry in in_database.entries if entry.session == session}
    entries = without_gap(rows)
    fault = in_database.fault
    if not fault and len(in_database.entries) != len(entries):
        fault = "the database lacks entries"
    highest = max(rows, default=1)
    if fault:
        # Corrupted entries count: they existed once. An intact database needs no such estimate.
        highest = max(highest, *(len(side.entries) + side.damaged for side in (in_database, in_journal)))
    return Contents(
        entries,
        database_fault=fault,
        journal_fault=in_journal.fault or _tail_fault(entries, without_gap(second), in_journal.rest),
        journal_whole=not in_journal.rest and without_gap(second) == entries,
        lost=highest - len(entries),
        uncertain=in_database.unreadable,
    )


def _tail_fault(entries: Sequence[Entry], written: Sequence[Entry], rest: str) -> str:
    """A kill can lose only the newest entry of the journal, or part of its line."""
    missing = entries[len(written) :]
    if len(missing) > 1:
        return f"the journal lacks {len(missing)} entries"
    if rest and not (missing and missing[0].line().startswith(rest)):
        return "the journal does not end as it was written"
    return ""


def without_gap(rows: dict[int, Entry]) -> tuple[Entry, ...]:
    found: list[Entry] = []
    while (row := len(found) + 1) in rows:
        found.append(rows[row])
    return tuple(found)


def repair(folder: Path, contents: Contents) -> None:
    """Makes both files hold exactly `contents.entries`; damaged files are moved aside, never deleted.

    The journal comes first: a kill at any moment leaves one file that has everything.
    """
    if contents.journal_fault:
        keep_aside(folder, (JOURNAL,), copy=True)
    if contents.journal_fault or contents.lost or not contents.journal_whole:
        journal.write(folder / JOURNAL, contents.entries)
        sync_directory(folder)
    if contents.database_fault:
        fresh = folder / f"{DATABASE}.new"
        fresh.unlink(missing_ok=True)
        database.create(fresh, contents.entries)
        # Move the log before its database: an old log would damage a new database.
        keep_aside(folder, (f"{DATABASE}-wal", f"{DATABASE}-shm", DATABASE))
        fresh.rename(folder / DATABASE)
        sync_directory(folder)


def keep_aside(folder: Path, names: Iterable[str], copy: bool = False) -> Path:
    number = 1
    while (aside := folder / f"damaged-{number}").exists():
        number += 1
    aside.mkdir()
    for name in names:
        if (folder / name).exists():
            if copy:
                shutil.copy2(folder / name, aside / name)
            else:
                (folder / name).rename(aside / name)
    return aside


def sync_directory(folder: Path) -> None:
    """Syncs the folder, without which a new file may not survive a power cut."""
    fd = os.open(folder, os.O_RDONLY | os.O_DIRECTORY)
    try:
        os.fsync(fd)
    finally:
        os.close(fd)


class Appender:
    """Appends entries to the files of one session; raises if they could not be saved."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._connection = database.connect(folder / DATABASE)
        self._unwritten: list[Entry] = []

    def append(self, entry: Entry) -> None:
        try:
            database.append(self._connection, [entry])
        except sqlite3.Error as error:
            raise StoreError(
                f"not saved: {error}", f"make room or mend {self._folder}; everything before it is safe"
            ) from error
        # Saved. If the disk is full, the journal lags behind until the next append or open.
        self._unwritten.append(entry)
        with suppress(OSError):
            journal.append(self._folder / JOURNAL, self._unwritten)
            self._unwritten.clear()

    def close(self) -> None:
        self._connection.close()


def unwritable(error: StoreError) -> bool:
    """Whether the database itself is at fault, and not the disk (full) or another process (busy)."""
    cause = error.__cause__
    if not isinstance(cause, sqlite3.DatabaseError):
        return False
    code = getattr(cause, "sqlite_errorcode", sqlite3.SQLITE_ERROR) & 0xFF
    return code not in (sqlite3.SQLITE_FULL, sqlite3.SQLITE_BUSY, sqlite3.SQLITE_LOCKED, sqlite3.SQLITE_IOERR)
