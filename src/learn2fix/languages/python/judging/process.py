"""Our end of the process in the sandbox that executes candidates (worker.py is the other)."""

from __future__ import annotations

import marshal
import math
import signal
import struct
import sys
import tempfile
import time
from collections.abc import Iterator, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any, NamedTuple

from learn2fix.errors import IsolationError
from learn2fix.languages.python.judging.sites import Program
from learn2fix.model import Counted, Ending, Outcome, Response
from learn2fix.sandbox import NO_SURROUNDINGS, Limits, Sandbox, Surroundings
from learn2fix.sandbox.imports import imports
from learn2fix.sandbox.interpreters import interpreter
from learn2fix.sandbox.link import Link, Lost
from learn2fix.sandbox.place import INSIDE
from learn2fix.sandbox.processes import START_SECONDS

WORKER = Path(__file__).with_name("worker.py")
RECORD = struct.Struct("<BII")
KINDS = "=!TMFS?XA"
STOPPED = "A"
"""A run that the guard ended (guard.py); its text says what it was about to do."""
LARGEST = 1 << 26
"""Bytes of a record; what is returned or printed is bounded far below."""
SILENCE = 60.0
"""Seconds without any record after which the process is given up: it ends what hangs long before."""

Job = tuple[int, list[tuple[int, int]], bytes, int, int, tuple[str, ...]]
"""A program, its switches that are on, an input, the most steps, the most frames (0: Python's limit), and
its arguments."""


class OutOfTime(Exception):
    """The deadline came before the last record."""


class Record(NamedTuple):
    """How one run ended, as the process in the sandbox says it."""

    kind: str
    text: bytes
    steps: int

    def response(self, counted: Counted) -> Response:
        return replace(self.outcome, counted=counted).response

    @property
    def outcome(self) -> Outcome:
        detail = self.text.decode("utf-8", "replace")
        match self.kind:
            case "=":
                return Outcome(Ending.EXITED, self.text)
            case "X":
                return Outcome(Ending.EXITED, self.text[1:], status=self.text[0] if self.text else 0)
            case "!":
                return Outcome(Ending.RAISED, detail=detail)
            case "T":
                return Outcome(Ending.TIMEOUT)
            case "M":
                return Outcome(Ending.MEMORY)
            case "F":
                return Outcome(Ending.FLOOD)
            case "S":
                return Outcome(Ending.SIGNALLED, status=int(detail) if detail.isdigit() else signal.SIGKILL)
            case _:
                return Outcome(Ending.NOT_STARTED, detail=detail)


class WorkerProcess:
    """Started when first needed, and again when it is lost."""

    def __init__(
        self,
        path: Path,
        function: str | None,
        sandbox: Sandbox,
        limits: Limits,
        programs: Sequence[Program],
        around: Surroundings = NO_SURROUNDINGS,
        python: str = sys.executable,
    ) -> None:
        """`programs` may grow. `python`: the interpreter that runs them."""
        self._around, self._python = around, python
        self._path, self._function, self._sandbox, self._limits = path, function, sandbox, limits
        self._programs = programs
        self._link: Link | None = None
        self._folder: tempfile.TemporaryDirectory[str] | None = None
        self._loaded: set[int] = set()

    def run(
        self, jobs: Sequence[Job], together: bool, until: float = math.inf, guarded: bool = False
    ) -> Iterator[Record]:
        """One record a job, in order; a job at which the process is lost is blamed for it.

        `together`: they share a process; `guarded`: which stops what would outlive a run.

        OutOfTime at `until`, a value of time.monotonic(), also in the middle of it all.
        """
        done, suspect = 0, -1
        while done < len(jobs):
            several = jobs[done:] if together else jobs[done : done + 1]
            begun_for_this = self._link is None
            try:
                link = self._link or self._connect()
                self._load(link, several)
                _send(link, *(("together", several, guarded) if together else ("apart", several[0])))
                for _ in several:
                    yield _record(link, min(until, time.monotonic() + SILENCE))
                    done += 1
            except Lost:
                self.close()
                if time.monotonic() >= until:
                    raise OutOfTime from None
                if not begun_for_this:
                    continue  # it may have been gone before it was asked
                if suspect != done:
                    suspect = done  # once more: others may have killed the process
                    continue
                yield Record("S", str(int(signal.SIGKILL)).encode(), 0)
                done += 1

    def close(self) -> None:
        if self._link is not None:
            self._link.close()
            self._link = None
        if self._folder is not None:
            self._folder.cleanup()
            self._folder = None
        self._loaded.clear()

    def _load(self, link: Link, jobs: Sequence[Job]) -> None:
        """Hand over the programs that the process does not know yet."""
        for number in dict.fromkeys(job[0] for job in jobs):
            if number not in self._loaded:
                program = self._programs[number]
                _send(link, "load", number, marshal.dumps(program.code), program.switches, program.visits)
                self._loaded.add(number)

    def _connect(self) -> Link:
        try:
            return self._begin()
        except IsolationError:  # killed as it began, perhaps
            return self._begin()

    def _begin(self) -> Link:
        python = interpreter(self._python)
        needs = imports(self._path)
        self._folder = tempfile.TemporaryDirectory(prefix="learn2fix-")
        folder = Path(self._folder.name)
        folder.chmod(0o755)
        for module in needs.beside:
            self._sandbox.lend(module, folder / module.name)
        head = [python.executable, "-s", str(WORKER), str(INSIDE), str(self._path), self._function or ""]
        numbers = [str(self._limits.output), str(self._limits.memory), "0"]
        self._link = self._sandbox.connect(
            [*head, *numbers, str(folder), *needs.elsewhere],
            readable=(WORKER, INSIDE, folder, *needs.beside, *python.readable),
            limits=self._limits,
            env={"PYTHONHASHSEED": "0", "PYTHONDONTWRITEBYTECODE": "1", "PYTHONUTF8": "1"}
            | self._around.environment,
        )
        try:
            _record(self._link, time.monotonic() + START_SECONDS)
            _send(self._link, "surround", self._around.files, self._around.input_file)
        except Lost:
            self.close()
            raise IsolationError(f"{python.executable} does not start in the sandbox") from None
        return self._link


def _send(link: Link, *request: Any) -> None:
    data = marshal.dumps(request)
    link.send(struct.pack("<I", len(data)) + data)


def _record(link: Link, until: float) -> Record:
    kind, length, steps = read_header(link.read(RECORD.size, until))
    return Record(kind, link.read(length, until), steps)


def read_header(data: bytes) -> tuple[str, int, int]:
    """Kind, length and steps, as they were written where untrusted code runs. Raises Lost."""
    kind, length, steps = RECORD.unpack(data)
    if chr(kind) not in KINDS or length > LARGEST:
        raise Lost("its record makes no sense")
    return chr(kind), length, steps
