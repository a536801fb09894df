"""A program kept ready inside one sandbox, given many inputs."""

from __future__ import annotations

import signal
from collections import deque
from collections.abc import Callable, Iterable, Iterator
from contextlib import suppress
from types import TracebackType

from learn2fix.errors import IsolationError
from learn2fix.model import Ending, Outcome
from learn2fix.sandbox.frames import request
from learn2fix.sandbox.link import Link, Lost
from learn2fix.sandbox.values import Limits

WINDOW = 16
"""How many inputs are under way: enough to hide the time of the pipe."""
WINDOW_BYTES = 48 << 10
"""Less than a pipe holds, so that a write never waits for a reader that waits for us."""
LATE = 10.0
"""The runner keeps the time limit; this much later we stop believing that it does."""


class Worker:
    """Runs one program on many inputs, one after the other. Not for several threads at once."""

    def __init__(self, connect: Callable[[], Link], limits: Limits, release: Callable[[], None]) -> None:
        self._connect = connect
        self._limits = limits
        self._release = release
        self._link: Link | None = None
        self._closed = False

    def run(self, stdin: bytes, args: tuple[str, ...] = ()) -> Outcome:
        try:
            frame = request(stdin, args)
        except ValueError as error:
            return Outcome(Ending.NOT_STARTED, detail=str(error))
        return self._exchange(frame)

    def call(self, text: str) -> Outcome:
        """Call a Python function; `text` is what stands between the parentheses."""
        return self.run(text.encode("utf-8", "surrogatepass"))

    def run_many(self, inputs: Iterable[bytes]) -> Iterator[Outcome]:
        """The outcome of each input, in order; several are under way at a time."""
        waiting: deque[bytes] = deque()
        size = 0
        source = iter(inputs)
        upcoming = next(source, None)
        try:
            while waiting or upcoming is not None:
                while upcoming is not None:
                    frame = request(upcoming)
                    if waiting and (len(waiting) >= WINDOW or size + len(frame) > WINDOW_BYTES):
                        break
                    size += len(frame)
                    waiting.append(frame)
                    self._send(frame)
                    upcoming = next(source, None)
                outcome = self._receive()
                size -= len(waiting.popleft())
                if self._link is None:  # it died on this input; the others are owed a run
                    for frame in waiting:
                        self._send(frame)
                yield outcome
        finally:
            if waiting:
                self._drop()

    def close(self) -> None:
        if not self._closed:
            self._closed = True
            self._drop()
            self._release()

    def __enter__(self) -> Worker:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def _exchange(self, frame: bytes) -> Outcome:
        self._send(frame)
        return self._receive()

    def _send(self, frame: bytes) -> None:
        if self._closed:
            raise IsolationError("this worker is closed")
        if self._link is None:
            self._link = self._connect()
        with suppress(Lost):  # noticed, and blamed on the right input, when its result is awaited
            self._link.send(frame)

    def _receive(self) -> Outcome:
        if self._link is None:
            return Outcome(Ending.NOT_STARTED, detail="the sandbox could not be started")
        try:
            outcome = self._link.receive(self._limits.seconds + LATE)
            if self._link.finished:
                self._drop()
            return outcome
        except Lost as lost:
            self._drop()
            if lost.late:
                return Outcome(Ending.TIMEOUT, seconds=self._limits.seconds + LATE)
            # Only the program can have ended the runner: it carries the blame.
            return Outcome(Ending.SIGNALLED, status=signal.SIGKILL, detail="it took the runner down with it")

    def _drop(self) -> None:
        if self._link is not None:
            self._link.close()
            self._link = None
