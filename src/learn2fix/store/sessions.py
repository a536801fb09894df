"""All sessions of a user, one folder each."""

from __future__ import annotations

import json
import os
import re
import shutil
import sqlite3
import threading
import time
from collections.abc import Callable, Iterable, Mapping, Sequence
from contextlib import suppress
from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path
from types import TracebackType
from typing import Any, Self

from learn2fix.errors import StoreError
from learn2fix.model import Grounds, Patch, Question, Reply
from learn2fix.store import files
from learn2fix.store.codec import Json, grounds_to_json, patch_to_json, question_to_json, reply_to_json
from learn2fix.store.entry import Entry, EntryKind
from learn2fix.store.lock import Lock
from learn2fix.store.saved import Exchange, Record, Saved, fold

Clock = Callable[[], float]


def default_home(environ: Mapping[str, str]) -> Path:
    """Where sessions are kept unless said otherwise."""
    if home := environ.get("LEARN2FIX_HOME"):
        return Path(home)
    if data := environ.get("XDG_DATA_HOME"):
        return Path(data) / "learn2fix"
    return Path(environ.get("HOME") or Path.home()) / ".local/share/learn2fix"


class Store:
    """Sessions under `home`. Their ids are `<name of the program>-<number>`, short enough to type."""

    def __init__(self, home: Path, clock: Clock = time.time) -> None:
        self.home = home
        self._clock = clock

    @property
    def _folder(self) -> Path:
        return self.home / "sessions"

    def create(self, record: Record) -> OpenSession:
        """Creates a session atomically, and opens it."""
        try:
            return self._create(record)
        except (OSError, sqlite3.Error) as error:
            raise StoreError(
                f"not saved: cannot make a session in {self.home}: {_reason(error)}",
                "make room there, or set LEARN2FIX_HOME to another folder",
            ) from error

    def _create(self, record: Record) -> OpenSession:
        self._folder.mkdir(parents=True, exist_ok=True, mode=0o700)
        stem = _stem(record.program, record.directory)
        while True:
            number = 1 + max((_number(id) for id in self.ids()), default=0)
            id = f"{stem}-{number}"
            fresh = self._folder / f".new-{id}-{os.getpid()}-{threading.get_ident()}"
            shutil.rmtree(fresh, ignore_errors=True)
            fresh.mkdir(mode=0o700)
            try:
                files.create(fresh, [_entry(id, 1, EntryKind.SESSION, record.to_json(), self._clock)])
                # Renaming creates the session; another process may have taken the number meanwhile.
                fresh.rename(self._folder / id)
            except FileExistsError:
                continue
            except OSError as error:
                if (self._folder / id).exists():
                    continue
                raise error
            finally:
                shutil.rmtree(fresh, ignore_errors=True)
            files.sync_directory(self._folder)
            return self.open(id)

    def ids(self) -> list[str]:
        """Every session, oldest first (by number: clocks go back)."""
        try:
            names = [entry.name for entry in self._folder.iterdir() if entry.is_dir()]
        except FileNotFoundError:
            return []
        except OSError as error:
            raise StoreError(f"cannot read {self._folder}: {error.strerror}") from error
        return sorted((name for name in names if not name.startswith(".")), key=lambda id: (_number(id), id))

    def resolve(self, name: str) -> str:
        """The id given by its full name, an unambiguous prefix, its number, or `last`."""
        ids = self.ids()
        if name in ids:
            return name
        if name == "last" and ids:
            return ids[-1]
        found = [id for id in ids if str(_number(id)) == name] or [id for id in ids if id.startswith(name)]
        if len(found) == 1 and name:
            return found[0]
        if not found or not name:
            raise StoreError(f"there is no session {name!r}", "`learn2fix sessions` lists them")
        raise StoreError(f"{name!r} may be any of {', '.join(found)}")

    def load(self, id: str) -> Saved:
        """Reads a session, even while another process holds it."""
        contents = files.read(self._folder / id, id)
        if not contents.entries:
            raise self._beyond_repair(id, contents)
        return fold(id, contents.entries, contents.damage)

    def delete(self, id: str) -> None:
        """Deletes a session that no process holds, also one that cannot be read."""
        folder = self._folder / id
        try:
            lock = Lock(folder / files.LOCK, id)
        except OSError:
            lock = None
        try:
            shutil.rmtree(folder)
        except OSError as error:
            raise StoreError(f"cannot delete {folder}: {error.strerror}") from error
        finally:
            if lock is not None:
                lock.release()

    def open(self, id: str) -> OpenSession:
        """Opens a session exclusively, after repairing damaged files."""
        folder = self._folder / id
        try:
            lock = Lock(folder / files.LOCK, id)
        except FileNotFoundError:
            raise StoreError(f"there is no session {id!r}", "`learn2fix sessions` lists them") from None
        except OSError as error:
            raise StoreError(
                f"session {id} cannot be locked: {folder / files.LOCK}: {error.strerror}",
                "set LEARN2FIX_HOME to a copy that can be written",
            ) from error
        try:
            contents = files.read(folder, id)
            if not contents.entries:
                raise self._beyond_repair(id, contents)
            fold(id, contents.entries)  # what cannot be understood is not repaired either
            try:
                return self._take_up(id, contents, lock)
            except StoreError as error:
                if not files.unwritable(error):
                    raise
                # One flipped bit can make a database readable but not writable: rebuild it.
                fault = f"the database takes no entry: {error.__cause__}"
                return self._take_up(id, replace(contents, database_fault=fault), lock)
        except BaseException:
            lock.release()
            raise

    def _take_up(self, id: str, contents: files.Contents, lock: Lock) -> OpenSession:
        folder = self._folder / id
        try:
            files.repair(folder, contents)
            appender = files.Appender(folder)
        except (OSError, sqlite3.Error) as error:
            raise StoreError(
                f"not saved: session {id} cannot be written: {_reason(error)}",
                f"make room in {folder}; every answer up to now is safe",
            ) from error
        try:
            return OpenSession(id, appender, contents, lock, self._clock)
        except BaseException:
            appender.close()
            raise

    def find_patch(self, patch: str) -> tuple[Saved, Patch]:
        """The patch with this id (or unambiguous beginning of one) and the newest session that has it."""
        for id in reversed(self.ids()):
            with suppress(StoreError):
                saved = self.load(id)
                matches = [found for found in saved.patches if patch and found.id.startswith(patch)]
                if len(matches) == 1:
                    return saved, matches[0]
        raise StoreError(f"there is no patch {patch!r}", "`learn2fix show SESSION` lists them")

    def _beyond_repair(self, id: str, contents: files.Contents) -> StoreError:
        return StoreError(
            f"session {id} cannot be read, its answers are lost: {contents.damage}",
            f"its files are left as they are in {self._folder / id}",
        )


class OpenSession:
    """A session held by this process. Once a method returns, its effect is on disk."""

    def __init__(
        self, id: str, appender: files.Appender, contents: files.Contents, lock: Lock, clock: Clock
    ) -> None:
        self.id = id
        self._entries = list(contents.entries)
        self._damage = contents.damage
        self._lock = lock
        self._clock = clock
        self._mutex = threading.RLock()
        self._files = appender
        # Opening is an entry: a database that cannot be written is found out before a question is asked.
        self._append(EntryKind.OPENED, {"pid": os.getpid()})

    @property
    def saved(self) -> Saved:
        with self._mutex:
            return fold(self.id, self._entries, self._damage)

    @property
    def exchanges(self) -> Sequence[Exchange]:
        return self.saved.exchanges

    def append(self, question: Question, reply: Reply, who: str = "") -> None:
        """Saves a reply, or raises StoreError and changes nothing."""
        body = {"question": question_to_json(question), "reply": reply_to_json(reply)}
        self._append(EntryKind.REPLY, body | ({"who": who} if who else {}))

    def asked(self, question: Question) -> None:
        """Saves the open question, so that it is asked again after a restart; may fail silently."""
        if self.saved.pending != question:
            with suppress(StoreError):
                self._append(EntryKind.ASKED, {"question": question_to_json(question)})

    def change_options(self, changes: Mapping[str, Any]) -> None:
        """Saves options that differ from now on."""
        if changes:
            self._append(EntryKind.OPTIONS, changes)

    def add_opinion(self, question: Question, reply: Reply, who: str) -> None:
        """Saves another person's reply to an answered question, without replacing the one that counts."""
        body = {"question": question_to_json(question), "reply": reply_to_json(reply), "who": who}
        self._append(EntryKind.OPINION, body)

    def revise(self, position: int, reply: Reply) -> None:
        """Replaces the reply at `position` atomically."""
        if not 0 <= position < len(self.exchanges):
            raise ValueError(f"there is no reply {position}")
        self._append(EntryKind.REVISED, {"position": position, "reply": reply_to_json(reply)})

    def undo(self) -> Exchange | None:
        """Takes back the newest valid reply and returns it, or None."""
        with self._mutex:
            exchanges = self.exchanges
            if not exchanges:
                return None
            self._append(EntryKind.UNDO, {})
            return exchanges[-1]

    def finish(self, document: Json, patches: Iterable[Patch] = (), grounds: Grounds | None = None) -> None:
        """Saves the result, and what predictions rest on."""
        body = {
            "document": document,
            "patches": [patch_to_json(patch) for patch in patches],
            "grounds": None if grounds is None else grounds_to_json(grounds),
        }
        self._append(EntryKind.RESULT, body)

    def _append(self, kind: EntryKind, body: Mapping[str, Any]) -> None:
        with self._mutex:
            entry = _entry(self.id, len(self._entries) + 1, kind, body, self._clock)
            self._files.append(entry)
            self._entries.append(entry)

    def close(self) -> None:
        self._files.close()
        self._lock.release()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()


def _entry(session: str, row: int, kind: EntryKind, body: Mapping[str, Any], clock: Clock) -> Entry:
    at = datetime.fromtimestamp(clock(), UTC).isoformat(timespec="seconds")
    return Entry(session, row, kind, json.dumps(body), at)


def _stem(program: Sequence[str], directory: str) -> str:
    """The first part of an id: `src/triangle.c:classify` → `triangle`, and for a folder its own name."""
    name = os.path.basename(os.path.normpath(os.path.join(directory, *program[:1])).split(":")[0])
    return re.sub(r"[^a-z0-9]+", "-", name.rsplit(".", 1)[0].lower()).strip("-")[:24] or "session"


def _number(id: str) -> int:
    tail = id.rpartition("-")[2]
    return int(tail) if tail.isdecimal() else 0


def _reason(error: OSError | sqlite3.Error) -> str:
    return (error.strerror or str(error)) if isinstance(error, OSError) else str(error)
