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


class Connection:
    """A link that is made when it is needed, and made again when it was lost."""

    def __init__(self, connect: Callable[[], Link], release: Callable[[], None]) -> None:
        self._connect = connect
        self._release = release
        self.link: Link | None = None
        self.closed = False

    def open(self) -> Link:
        if self.closed:
            raise IsolationError("this worker is closed")
        if self.link is None:
            self.link = self._connect()
        return self.link

    def drop(self) -> None:
        if self.link is not None:
            self.link.close()
            self.link = None

    def close(self) -> None:
        if not self.closed:
            self.closed = True
            self.drop()
            self._release()


class Worker:
    """Runs one program on many inputs, one after the other. Not for several threads at once."""

    def __init__(self, connection: Connection, limits: Limits, owner: object = None) -> None:
        self._connection = connection
        self._limits = limits
        self._owner = owner  # a sandbox that nobody else holds must live as long as its worker

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
                if self._connection.link is None:  # it died on this input; the others are owed a run
                    for frame in waiting:
                        self._send(frame)
                yield outcome
        finally:
            if waiting:
                self._connection.drop()

    def close(self) -> None:
        self._connection.close()

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
        link = self._connection.open()
        with suppress(Lost):  # noticed, and blamed on the right input, when its result is awaited
            link.send(frame)

    def _receive(self) -> Outcome:
        link = self._connection.open()
        try:
            return link.receive(self._limits.seconds + LATE)
        except Lost as lost:
            self._connection.drop()
            if lost.late:
                return Outcome(Ending.TIMEOUT, seconds=self._limits.seconds + LATE)
            # Only the program can have ended the runner: it carries the blame.
            return Outcome(Ending.SIGNALLED, status=signal.SIGKILL, detail="it took the runner down with it")
