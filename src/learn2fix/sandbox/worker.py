"""A program kept ready inside one sandbox, given many inputs."""

from __future__ import annotations

import signal
from collections import deque
from collections.abc import Callable, Iterable, Iterator
from contextlib import suppress
from dataclasses import replace
from itertools import chain, cycle, islice, repeat
from types import TracebackType

from learn2fix.errors import IsolationError
from learn2fix.model import OUTPUT_ONLY, Counted, Ending, Outcome
from learn2fix.sandbox.frames import receive, request
from learn2fix.sandbox.link import Link, Lost
from learn2fix.sandbox.values import Limits

WINDOW = 16
"""How many inputs are under way: enough to hide the time of the pipe."""
WINDOW_BYTES = 48 << 10
"""Less than a pipe holds, so that a write never waits for a reader that waits for us."""
MANY, MANY_CALLS = 64, 256
"""Number of inputs that justify another copy of a program; an interpreter takes longer to start."""
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


class Lane:
    """One of several copies of a program, each in a sandbox of its own: requests under way, oldest first."""

    def __init__(self, connection: Connection, seconds: float) -> None:
        self.connection = connection
        self._seconds = seconds
        self._waiting: deque[bytes] = deque()
        self._size = 0

    def room(self, frame: bytes) -> bool:
        """Can this one be sent now, without ever waiting for a reader that waits for us?"""
        return not self._waiting or (len(self._waiting) < WINDOW and self._size + len(frame) <= WINDOW_BYTES)

    def send(self, frame: bytes) -> None:
        self._waiting.append(frame)
        self._size += len(frame)
        self._write(frame)

    def receive(self) -> Outcome:
        """The outcome of the oldest request. Who was lost with its runner, or not started by it, gets a
        second run by another: the machine may have run short of memory, or somebody hit the runner."""
        outcome = self._attempt()
        if outcome is None:
            outcome = self._attempt(last=True)
        assert outcome is not None
        return outcome

    def _attempt(self, last: bool = False) -> Outcome | None:
        """None where another runner is to try."""
        try:
            outcome = receive(self.connection.open(), self._seconds + LATE)
            if outcome.ending is not Ending.NOT_STARTED or last:
                self._forget_oldest()
                return outcome
        except Lost as lost:
            outcome = self._blame(lost)
        self.connection.drop()
        if last:
            self._forget_oldest()
        for owed in self._waiting:
            self._write(owed)
        return outcome if last else None

    def _forget_oldest(self) -> None:
        self._size -= len(self._waiting.popleft())

    def _blame(self, lost: Lost) -> Outcome:
        if lost.late:
            return Outcome(Ending.TIMEOUT, seconds=self._seconds + LATE)
        return Outcome(Ending.SIGNALLED, status=signal.SIGKILL, detail="it took the runner down with it")

    def abandon(self) -> None:
        """Nobody wants the outcomes that are still to come."""
        if self._waiting:
            self._waiting.clear()
            self._size = 0
            self.connection.drop()

    def _write(self, frame: bytes) -> None:
        link = self.connection.open()
        with suppress(Lost):  # noticed, and blamed on the right input, when its result is awaited
            link.send(frame)


class Worker:
    """Runs one program on many inputs. Not for several threads at once."""

    def __init__(
        self,
        connection: Connection,
        limits: Limits,
        owner: object = None,
        more: Callable[[], Connection] | None = None,
        lanes: int = 1,
        many: int = MANY,
        counted: Counted = OUTPUT_ONLY,
    ) -> None:
        """`more` makes another copy of the program: up to `lanes` of them share `many` inputs or more."""
        self._limits = limits
        self._owner = owner  # a sandbox that nobody else holds must live as long as its worker
        self._lanes = [Lane(connection, limits.seconds)]
        self._more, self._most, self._many = more, lanes, many
        self._counted = counted

    def run(self, stdin: bytes, args: tuple[str, ...] = ()) -> Outcome:
        return next(self.run_many([stdin], [args]))

    def call(self, text: str) -> Outcome:
        """Call a Python function; `text` is what stands between the parentheses."""
        return self.run(text.encode("utf-8", "surrogatepass"))

    def run_many(
        self, inputs: Iterable[bytes], arguments: Iterable[tuple[str, ...]] | None = None
    ) -> Iterator[Outcome]:
        """The outcome of each input, in order; several are under way at a time.

        Copies take turns, each with a sandbox, a scratch folder and a uid of its own: what one input does is
        out of reach of the others, as if they ran one after the other.
        """
        source = zip(inputs, repeat(()) if arguments is None else arguments, strict=False)
        first = list(islice(source, self._many))
        lanes = cycle(self._enough(first))
        frames = (framed(stdin, args) for stdin, args in chain(first, source))
        under_way: deque[Lane | Outcome] = deque()
        upcoming, lane = next(frames, None), next(lanes)
        try:
            while under_way or upcoming is not None:
                while upcoming is not None:
                    if isinstance(upcoming, Outcome):
                        under_way.append(upcoming)
                    elif lane.room(upcoming):
                        lane.send(upcoming)
                        under_way.append(lane)
                        lane = next(lanes)
                    else:
                        break
                    upcoming = next(frames, None)
                oldest = under_way.popleft()
                outcome = oldest if isinstance(oldest, Outcome) else oldest.receive()
                yield outcome if self._counted is OUTPUT_ONLY else replace(outcome, counted=self._counted)
        finally:
            for one in self._lanes:
                one.abandon()

    def _enough(self, first: list[tuple[bytes, tuple[str, ...]]]) -> list[Lane]:
        """A copy more is started where there is work for it, and used from then on."""
        if self._more is not None and len(first) >= self._many:
            while len(self._lanes) < self._most:
                self._lanes.append(Lane(self._more(), self._limits.seconds))
        return self._lanes

    def close(self) -> None:
        for lane in self._lanes:
            lane.connection.close()

    def __enter__(self) -> Worker:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()


def framed(stdin: bytes, args: tuple[str, ...]) -> bytes | Outcome:
    """A request, or why there is none."""
    try:
        return request(stdin, args)
    except ValueError as error:
        return Outcome(Ending.NOT_STARTED, detail=str(error))
