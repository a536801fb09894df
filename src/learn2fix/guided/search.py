"""Judges candidates before and behind questions; gives way to the person where one is there.

What is asked follows from the answers and from how many candidates were judged by then. A golden program
waits until each round's share is done, so the same answers give the same questions. A person does not
wait: the count is kept with each question (`Basis`), and a replay comes to the same counts again.
"""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import contextmanager

from learn2fix.model import Basis
from learn2fix.repair.space import Space

SLICE_SECONDS = 0.15
"""About so long the search cannot be interrupted."""
FIRST_SLICE = 200
SMALLEST_SLICE = 10
LARGEST_SLICE = 3_000


def _nothing() -> bool:
    return False


class Search:
    """The only one who widens the space."""

    def __init__(
        self,
        space: Space,
        most: int,
        clock: Callable[[], float],
        deadline: float,
        *,
        bases: Sequence[Basis] = (),
        waits: bool = True,
    ) -> None:
        """`most` candidates in all; `bases`: of the questions of a former run that will come up again."""
        self._space, self._most = space, most
        self._clock, self._deadline = clock, deadline
        self._bases = tuple(bases)
        self.waits = waits
        """Whoever answers waits for what is due, and does not think."""
        self._slice = FIRST_SLICE
        self._halt = threading.Event()
        self._background = ThreadPoolExecutor(1)
        self._running: Future[None] | None = None
        self._due = 0
        """So many would have been judged by now for who waits."""
        self._goal = 0
        self._meanwhile: Callable[[], bool] = _nothing
        self._whole = True
        self._readers = 0
        self._closed = False
        self.seconds = 0.0

    @property
    def count(self) -> int:
        return self._space.judged

    def basis(self, question: int) -> Basis | None:
        """Of this question (from 1) in the run that is replayed."""
        return self._bases[question - 1] if 0 < question <= len(self._bases) else None

    # In the foreground.

    def round(self, question: int, share: int, seconds: float) -> bool:
        """More candidates before this question, bolder ones if need be; False: what there is must do.

        As many as a former run had by then; or `share`, which a person waits `seconds` for at most.
        """
        if not self._possible:
            return False
        replayed = self.basis(question)
        if replayed is not None and self.count >= replayed.searched:
            return False
        self._owe(share)
        if self._space.stage_done:
            self._space.open_stage()
        if replayed is not None:
            self._widen(replayed.searched - self.count)
            return True
        if self.waits:
            self._widen(share)
            return True
        began = self._clock()
        while self.count < self._due and self._open:
            self._widen_slice(self._due)
            if self._clock() - began >= seconds:
                return False
        return True

    def complete(self, question: int) -> bool:
        """Before this question is given up for good: whatever is due; False when nothing was."""
        before = self.count
        if self.basis(question) is None:
            while self.count < self._due and self._open:
                self._widen_slice(self._due)
        return self.count > before

    def persist(self, most: int) -> None:
        """Nobody waits for a question any more: on until some candidate agrees with every answer."""
        self._most = max(self._most, most)
        while not self._space.survivors and self._possible:
            if self._space.stage_done:
                self._space.open_stage()
            self._widen(LARGEST_SLICE)

    # In the background.

    def ahead(self, question: int, share: int, meanwhile: Callable[[], bool] = _nothing) -> None:
        """Judges on while the question before this one is thought about.

        `meanwhile` is called again and again, first of all, until it says False: what a person who thinks
        gives time for, and what changes nothing but how soon the next question comes.
        """
        self._owe(share)
        replayed = self.basis(question)
        self._goal = self._due if replayed is None else replayed.searched
        self._whole = self.waits or replayed is not None
        self._meanwhile = _nothing if self._whole else meanwhile
        self._go_on()

    def settle(self) -> None:
        """Before the next question: what must be done is done, or the person is not kept waiting."""
        self._rest()
        self._goal, self._meanwhile = 0, _nothing

    @contextmanager
    def paused(self) -> Iterator[None]:
        """What is read now does not change under the reader."""
        self._rest()
        self._readers += 1
        try:
            yield
        finally:
            self._readers -= 1
            self._go_on()

    def close(self) -> None:
        self._closed = True
        self._halt.set()
        self._join()
        self._background.shutdown()

    def _rest(self) -> None:
        if not self._whole:
            self._halt.set()
        self._join()

    def _go_on(self) -> None:
        due = (self.count < self._goal and self._open) or self._meanwhile is not _nothing
        if due and not self._readers and not self._closed:
            self._halt.clear()
            self._running = self._background.submit(self._run)

    def _join(self) -> None:
        running, self._running = self._running, None
        if running is not None:
            running.result()

    def _run(self) -> None:
        while not self._halt.is_set():
            if self._meanwhile():
                continue
            if self.count >= self._goal or not self._open:
                break
            if self._whole:
                self._widen(self._goal - self.count)
            else:
                self._widen_slice(self._goal)

    # Both.

    @property
    def _open(self) -> bool:
        """Whether the present way of making candidates goes on, and there is time for it."""
        return not self._space.stage_done and self._possible

    @property
    def _possible(self) -> bool:
        return not self._space.exhausted and self.count < self._most and self._clock() < self._deadline

    def _owe(self, share: int) -> None:
        so_far = self.count if self._space.stage_done else max(self._due, self.count)
        self._due = min(so_far + share, self._most)

    def _widen_slice(self, goal: int) -> None:
        began = self._clock()
        self._widen(min(self._slice, goal - self.count))
        took = self._clock() - began
        if took < SLICE_SECONDS / 2:
            self._slice = min(2 * self._slice, LARGEST_SLICE)
        elif took > 2 * SLICE_SECONDS:
            self._slice = max(self._slice // 2, SMALLEST_SLICE)

    def _widen(self, count: int) -> None:
        began = self._clock()
        room = min(count, self._most - self.count)
        if room > 0:
            self._space.widen(room, self._deadline)
        self.seconds += self._clock() - began
