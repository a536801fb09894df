"""How far the space is widened: by counted shares, so that the same answers lead to the same candidates."""

from __future__ import annotations

from collections.abc import Callable, Iterator

from learn2fix.repair.space import Space

SLICE = 500
"""Number of candidates judged in one step: nobody waits for more than that."""


class Search:
    """Widens the space, share by share."""

    def __init__(self, space: Space, most: int, most_of_all: int, late: Callable[[], bool]) -> None:
        """`most`: maximum number of candidates while some agree with every answer; `most_of_all`: else."""
        self._space, self._most, self._most_of_all, self._late = space, most, most_of_all, late
        self._due = 0
        """Number of candidates that must have been judged before the next question."""

    def round(self, share: int) -> bool:
        """Judges a share more, of the next stage if this one is done; False when nothing was left."""
        if not self._possible:
            return False
        if self._space.stage_done:
            self._space.open_stage()
        self.owe(share)
        before = self._space.judged
        for _ in self.steps():
            pass
        return self._space.judged > before

    def owe(self, share: int) -> None:
        """A share more is due, of the present stage."""
        so_far = self._space.judged if self._space.stage_done else max(self._due, self._space.judged)
        self._due = min(so_far + share, self._limit)

    def steps(self) -> Iterator[int]:
        """Judges what is due, a slice at a time."""
        while self._space.judged < self._due and not self._space.stage_done and self._possible:
            yield self._space.widen(min(SLICE, self._due - self._space.judged))

    def persist(self) -> None:
        """Nobody waits for a question any more: on until some candidate agrees with every answer."""
        while not self._space.survivors and self.round(SLICE):
            pass

    @property
    def _possible(self) -> bool:
        return not self._space.exhausted and self._space.judged < self._limit and not self._late()

    @property
    def _limit(self) -> int:
        return self._most if self._space.survivors else self._most_of_all
