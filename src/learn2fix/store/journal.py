"""A second copy of every entry as JSON lines, from which the database can be rebuilt."""

from __future__ import annotations

import os
from collections.abc import Iterable
from contextlib import suppress
from pathlib import Path

from learn2fix.store.entry import Entry, Reading, read_line


def append(path: Path, entries: Iterable[Entry]) -> None:
    """Appends all entries or none, unless the process is killed meanwhile."""
    with path.open("ab") as file:
        size = file.tell()
        try:
            file.write("".join(entry.line() for entry in entries).encode("ascii"))
            file.flush()
            os.fsync(file.fileno())
        except OSError:
            with suppress(OSError):
                os.truncate(path, size)
            raise


def write(path: Path, entries: Iterable[Entry]) -> None:
    """Replaces the journal atomically."""
    fresh = path.with_name(path.name + ".new")
    fresh.unlink(missing_ok=True)
    append(fresh, entries)
    fresh.replace(path)


def read(path: Path) -> Reading:
    """All intact entries, what is wrong with the lines, and an incomplete last line."""
    try:
        data = path.read_bytes()
    except FileNotFoundError:
        return Reading(fault="the journal is missing")
    except OSError as error:
        return Reading(fault=f"the journal cannot be read: {error.strerror}")
    if not data:
        return Reading(fault="the journal has 0 bytes")
    *whole, rest = data.decode("utf-8", "replace").split("\n")
    found = [read_line(line) for line in whole]
    entries = [entry for entry in found if entry is not None]
    damaged = len(found) - len(entries)
    fault = f"the journal has {damaged} line(s) that are not what was written" if damaged else ""
    return Reading(entries, fault, damaged, rest)
