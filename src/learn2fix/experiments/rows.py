"""Rows of results, one for each run and label budget, and the CSV file they are appended to."""

from __future__ import annotations

import csv
import fcntl
import io
import os
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, fields
from pathlib import Path
from typing import IO, NamedTuple

from learn2fix.errors import UsageError

FAILED = frozenset({"error", "timeout"})
"""Statuses of jobs that did not finish, whose rows measure nothing."""


class Key(NamedTuple):
    """Identifies a row: no two rows of a file have the same key."""

    subject: str
    run: int
    seed: int
    strategy: str
    learner: str
    feedback: str
    labels: int


@dataclass(frozen=True, slots=True)
class Row:
    """Counts are 0 where nothing was measured; `status` tells why."""

    subject: str
    run: int
    seed: int
    strategy: str
    learner: str
    feedback: str
    labels: int
    status: str
    generated: int = 0
    labelled: int = 0
    generated_failing: int = 0
    labelled_failing: int = 0
    val_total: int = 0
    val_correct: int = 0
    val_failing: int = 0
    val_failing_correct: int = 0
    repaired: int = 0
    heldout_passed: int = 0
    heldout_total: int = 0
    golden_agree: int = 0
    golden_total: int = 0
    questions: int = 0
    candidates: int = 0
    executions: int = 0
    learn_seconds: float = 0.0
    repair_seconds: float = 0.0
    cpu_seconds: float = 0.0

    @property
    def key(self) -> Key:
        return Key(*(getattr(self, name) for name in Key._fields))

    @property
    def failed(self) -> bool:
        return self.status in FAILED

    @classmethod
    def columns(cls) -> tuple[str, ...]:
        """The columns written; other kinds of experiments have others."""
        return tuple(field.name for field in fields(cls))

    def cells(self) -> list[str]:
        return [
            f"{value:.3f}" if isinstance(value, float) else str(value)
            for value in (getattr(self, name) for name in self.columns())
        ]


@dataclass(frozen=True, slots=True)
class KindRow(Row):
    """Of an experiment on subjects of every kind: right is what the golden program prints as built here."""

    kind: str = ""
    heldout_golden: int = 0
    """Held-out tests whose recorded output the golden program prints."""
    heldout_answered: int = 0
    """Held-out tests to which the golden program has an answer."""
    heldout_as_golden: int = 0
    """… on which the patched program prints that answer."""
    form: str = ""
    """How the form of the input is known: proved, found, guessed, words."""
    in_form: int = 0
    """Questions about inputs that have the form in which the golden program reads."""
    confidence: float = 0.0
    """Of the first patch, also where it is not called the repair."""
    signals: str = ""
    """What it was weighed from, as JSON."""


@dataclass(frozen=True, slots=True)
class SeededRow(KindRow):
    """Of a bug that was seeded into a correct program, which is the golden one; `kind` is its language."""

    mistake: str = ""
    """What kind of bug it is."""
    line: int = 0
    """Where it was seeded."""
    wrong_inputs: int = 0
    """Number of inputs tried on which the program with the bug is wrong."""
    tried_inputs: int = 0
    """Number of inputs tried."""
    right: int = 0
    """The first patch prints what the golden program prints, on every held-out and every fresh input."""
    patch: str = ""
    """The kind of the first patch."""


@dataclass(frozen=True, slots=True)
class RepairRow(Row):
    """Of repair alone: `labels` is the number of training tests, all of which a patch must pass."""

    compiled: int = 0
    """Candidates that compile."""
    plausible: int = 0
    """Patches that pass every training test."""
    behaviours: int = 0
    """… counted once when no generated input tells them apart."""
    right: int = 0
    """… that pass every held-out test too."""
    rank: int = 0
    """Rank of the first right one among the plausible ones, from 1; 0 if there is none."""
    behaviour_rank: int = 0
    """… among the behaviours, which is the order in which a user is offered them."""
    first_right: int = 0
    """The patch offered first, built as a program, passes every held-out test."""
    seconds: float = 0.0
    patch: str = ""
    """The kind of the patch offered first."""

    @classmethod
    def columns(cls) -> tuple[str, ...]:
        measured = ("repaired", "plausible", "behaviours", "first_right", "right", "rank", "behaviour_rank")
        tests = ("heldout_passed", "heldout_total")
        effort = ("candidates", "compiled", "executions", "seconds", "cpu_seconds")
        return (*Key._fields, "status", *measured, *tests, *effort, "patch")


COLUMNS: tuple[str, ...] = Row.columns()
_TYPES = {"int": int, "float": float, "str": str}


def parse_row(cells: Sequence[str], row_type: type[Row] = Row) -> Row:
    """Raises ValueError if a cell is missing or malformed."""
    columns = row_type.columns()
    if len(cells) != len(columns):
        raise ValueError(f"{len(cells)} values for {len(columns)} columns")
    types = {field.name: _TYPES[str(field.type)] for field in fields(row_type)}
    return row_type(**{name: types[name](cell) for name, cell in zip(columns, cells, strict=True)})


def _lines(rows: Iterable[Sequence[str]]) -> bytes:
    text = io.StringIO(newline="")
    csv.writer(text, lineterminator="\n").writerows(rows)
    return text.getvalue().encode()


HEADER = _lines([COLUMNS])


def read_rows(path: Path, *row_types: type[Row]) -> list[Row]:
    """All complete rows of a results file, of one of these types; an incomplete last line is ignored."""
    try:
        data = path.read_bytes()
    except OSError as problem:
        raise UsageError(f"cannot read {path}: {problem.strerror}") from None
    types = row_types or (Row,)
    fitting = (each for each in types if data.startswith(_lines([each.columns()])))
    return _parse(data[: data.rfind(b"\n") + 1], path, next(fitting, types[0]))


def _parse(data: bytes, path: Path, row_type: type[Row]) -> list[Row]:
    header = _lines([row_type.columns()])
    if not data:
        raise UsageError(f"{path} is empty", "it should begin with the columns that bench writes")
    if not data.startswith(header):
        found = data.split(b"\n", 1)[0].decode("utf-8", "replace")
        raise UsageError(
            f"{path} is not a results file: its columns are {found[:80]!r}", "choose another file with --out"
        )
    rows = []
    for number, cells in enumerate(csv.reader(io.StringIO(data[len(header) :].decode(), newline="")), 2):
        try:
            rows.append(parse_row(cells, row_type))
        except ValueError as problem:
            raise UsageError(f"{path}, line {number}: {problem}") from None
    return rows


class Results:
    """A results file, locked by this process. Once `append` returns, its rows are on disk."""

    def __init__(self, path: Path, row_type: type[Row] = Row) -> None:
        self.path, self._row_type = path, row_type
        self._header = _lines([row_type.columns()])
        try:
            path.parent.mkdir(parents=True, exist_ok=True)
            self._file: IO[bytes] = open(path, "a+b")  # noqa: SIM115 - closed by close()
        except OSError as problem:
            raise UsageError(f"cannot write {path}: {problem.strerror}") from None
        try:
            fcntl.flock(self._file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except OSError:
            self._file.close()
            raise UsageError(
                f"another run is writing to {path}", "wait for it, or choose another --out"
            ) from None
        try:
            self.rows = self._recover()
        except BaseException:
            self._file.close()
            raise
        self.keys = {row.key for row in self.rows}

    def _recover(self) -> list[Row]:
        """Reads the existing rows; removes a line cut off by a crash, so that its job runs again."""
        self._file.seek(0)
        data = self._file.read()
        whole = data.rfind(b"\n") + 1
        # An unfinished header is ours only if it is the beginning of our header.
        if not whole and self._header.startswith(data):
            self._file.truncate(0)
            self._write(self._header)
            return []
        rows = _parse(data[:whole], self.path, self._row_type)
        if whole < len(data):
            self._file.truncate(whole)
            os.fsync(self._file.fileno())
        return rows

    def append(self, rows: Sequence[Row]) -> list[Row]:
        """Appends the rows that are new, in one write, and returns them."""
        new: list[Row] = []
        for row in rows:
            if row.key not in self.keys:
                self.keys.add(row.key)
                new.append(row)
        if new:
            self._write(_lines(row.cells() for row in new))
            self.rows += new
        return new

    def drop_failed(self) -> int:
        """Removes the rows of failed jobs, so that they run again; returns their number."""
        kept = [row for row in self.rows if not row.failed]
        dropped = len(self.rows) - len(kept)
        if dropped:
            # Replaced atomically: a crash leaves the old file or the new one.
            # The lock belongs to the file, so the new one is locked before it takes the name.
            beside = self.path.with_name(self.path.name + ".new")
            fresh = open(beside, "w+b")  # noqa: SIM115 - takes the place of self._file
            fcntl.flock(fresh, fcntl.LOCK_EX | fcntl.LOCK_NB)
            old, self._file = self._file, fresh
            self._write(self._header + _lines(row.cells() for row in kept))
            os.replace(beside, self.path)
            old.close()
            self.rows, self.keys = kept, {row.key for row in kept}
        return dropped

    def _write(self, data: bytes) -> None:
        self._file.write(data)
        self._file.flush()
        os.fsync(self._file.fileno())

    def close(self) -> None:
        self._file.close()

    def __enter__(self) -> Results:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()
