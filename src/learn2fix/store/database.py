"""The SQLite file of one session: append-only, every commit on the disk before it is acknowledged."""

from __future__ import annotations

import os
import sqlite3
from collections.abc import Iterable, Iterator
from contextlib import closing, contextmanager
from pathlib import Path
from urllib.parse import quote

from learn2fix.store.entry import SCHEMA_VERSION, Entry, Reading, checked

SCHEMA = f"""
-- What happened in a session, in order. Rows are only ever added: an undo is a row too.
CREATE TABLE entries (
    session  TEXT    NOT NULL,   -- id of the session; the same in every row of this file
    row      INTEGER NOT NULL,   -- 1, 2, 3, … without gaps; this is the order, never the clock
    kind     TEXT    NOT NULL,   -- what happened: session | opened | reply | undo | …
    body     TEXT    NOT NULL,   -- JSON; what it holds depends on kind
    at       TEXT    NOT NULL,   -- wall clock in UTC, for people to read
    checksum TEXT    NOT NULL,   -- over all columns before it: integrity_check misses a flipped value
    PRIMARY KEY (session, row)
);

CREATE TRIGGER entries_are_never_changed BEFORE UPDATE ON entries
BEGIN SELECT RAISE(ABORT, 'entries are append-only'); END;

CREATE TRIGGER entries_are_never_deleted BEFORE DELETE ON entries
BEGIN SELECT RAISE(ABORT, 'entries are append-only'); END;

-- For people who look inside with sqlite3: every reply ever given, taken back or not.
CREATE VIEW replies AS
SELECT session, row, at,
       json_extract(body, '$.question.observation.input')  AS input,
       json_extract(body, '$.question.observation.output') AS output,
       json_extract(body, '$.reply.verdict')               AS verdict,
       json_extract(body, '$.reply.expected')              AS expected
FROM entries WHERE kind = 'reply';

PRAGMA user_version = {SCHEMA_VERSION};
"""

COLUMNS = ("session", "row", "kind", "body", "at", "checksum")


def connect(path: Path) -> sqlite3.Connection:
    """An existing database, ready to be appended to. One thread at a time may use it."""
    connection = sqlite3.connect(
        f"file:{quote(os.fsencode(path))}?mode=rw",
        uri=True,
        isolation_level=None,
        timeout=5,
        check_same_thread=False,
    )
    try:
        connection.execute("PRAGMA journal_mode = WAL")
        # FULL: the log is on the disk when COMMIT returns; NORMAL lost a quarter of the rows in power cuts.
        connection.execute("PRAGMA synchronous = FULL")
    except BaseException:
        connection.close()
        raise
    return connection


@contextmanager
def transaction(connection: sqlite3.Connection) -> Iterator[None]:
    connection.execute("BEGIN IMMEDIATE")
    try:
        yield
        connection.execute("COMMIT")
    except BaseException:
        if connection.in_transaction:
            connection.execute("ROLLBACK")
        raise


def append(connection: sqlite3.Connection, entries: Iterable[Entry]) -> None:
    """All of them or none; when this returns they are on the disk."""
    with transaction(connection):
        connection.executemany(
            "INSERT INTO entries (session, row, kind, body, at, checksum) VALUES (?, ?, ?, ?, ?, ?)",
            [(e.session, e.row, e.kind.value, e.body, e.at, e.checksum) for e in entries],
        )


def create(path: Path, entries: Iterable[Entry]) -> None:
    """Creates a database with these entries, and closes it so that no log remains."""
    with closing(sqlite3.connect(path, isolation_level=None, timeout=5)) as connection:
        connection.executescript(SCHEMA)
    with closing(connect(path)) as connection:
        append(connection, entries)


def read(path: Path) -> Reading:
    """All intact entries, and what is wrong with the file."""
    if not path.exists():
        return Reading(fault="the database is missing", unreadable=True)
    if path.stat().st_size == 0:
        # SQLite would take this for a new, empty database.
        return Reading(fault="the database has 0 bytes", unreadable=True)
    entries: list[Entry] = []
    damaged = 0
    try:
        with closing(_reader(path)) as connection:
            (version,) = connection.execute("PRAGMA user_version").fetchone()
            problems = [row[0] for row in connection.execute("PRAGMA integrity_check")]
            for row in connection.execute(f"SELECT {', '.join(COLUMNS)} FROM entries ORDER BY row"):
                entry = checked(dict(zip(COLUMNS, row, strict=True)))
                if entry is None:
                    damaged += 1
                else:
                    entries.append(entry)
    except sqlite3.Error as error:
        return Reading(entries, f"the database cannot be read: {error}", damaged, unreadable=True)
    fault = ""
    if damaged:
        fault = f"the database has {damaged} row(s) that are not what was written"
    elif problems != ["ok"]:
        fault = f"the database is damaged: {str(problems[0]).splitlines()[0]}"
    elif version != SCHEMA_VERSION:
        fault = f"the database says it has schema {version}, not {SCHEMA_VERSION}"
    return Reading(entries, fault, damaged, unreadable=problems != ["ok"])


def _reader(path: Path) -> sqlite3.Connection:
    # SQLite wants to create files beside a WAL database even to read it, unless told that nobody writes.
    unchanging = not os.access(path.parent, os.W_OK) and not Path(f"{path}-wal").exists()
    mode = "mode=ro&immutable=1" if unchanging else "mode=ro"
    connection = sqlite3.connect(
        f"file:{quote(os.fsencode(path))}?{mode}", uri=True, isolation_level=None, timeout=5
    )
    # A flipped bit may leave text that is not UTF-8; it must reach the checksum, not raise here.
    connection.text_factory = lambda data: data.decode("utf-8", "replace")
    return connection
