"""The work that learning may take: counted, not timed, so a busy machine learns what an idle one does."""

from __future__ import annotations

from collections.abc import Callable

STEPS = 20_000_000
"""Default number of steps, about five seconds; few problems need them."""
UNLIMITED = 1 << 62
"""Number of steps that never runs out: only a deadline ends the work."""
LOOK = 20_000
"""Number of steps, a few milliseconds, between two looks at the deadline."""


class OutOfWork(Exception):
    """The work allowed is done; what was found before still stands."""


class Work:
    """What may still be done. Handed to a learner, or to several in turn that share an allowance.

    A step is one literal looked at on one example, or compared with another one; other work is counted as
    the number of steps that take as long. `within` says whether a deadline has not passed yet: it only ever
    ends the work early, and is asked often enough to end it soon.
    """

    def __init__(self, steps: int = STEPS, within: Callable[[], bool] | None = None) -> None:
        self.steps = steps
        self.within = within
        self._next_look = steps

    @property
    def late(self) -> bool:
        return self.within is not None and not self.within()

    @property
    def spent(self) -> bool:
        return self.steps < 0 or self.late

    def spend(self, steps: int) -> None:
        """Counts steps that are about to be taken. OutOfWork when they are too many, or it is late."""
        self.steps -= steps
        if self.steps < self._next_look:
            if self.spent:
                raise OutOfWork
            self._next_look = max(0, self.steps - LOOK)
