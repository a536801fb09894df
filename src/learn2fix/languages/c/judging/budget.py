"""How many steps a run may take. Steps are counted (function entries, loop turns, labels), never timed."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from learn2fix.model import Ending, Outcome

LONGEST = 250_000_000
"""Steps after which the original is taken to run for ever; LONGEST in runtime/memory.h."""
FACTOR, FLOOR = 3, 20_000
"""A candidate may take FACTOR times the original's steps and FLOOR more. Of 197 real bugs the right program
needs more than that on some test for three, and for two of them still more than FLOOR = 300,000."""
MOST_MORE = 10_000_000
"""… but no more than this beyond the original's: where it works long, what hangs would take ages."""
CRASHED_FLOOR = 1_000_000
"""Where the original crashed, it may have been far from its end."""
ENDLESS_FLOOR = 10_000
"""… in place of FLOOR where the original never ends: most candidates do not either, and take all of it."""

PRESUMED = 2_000_000
"""Steps after which the original is presumed to run for ever on inputs like one on which it does."""

GUARD = 10.0
"""CPU seconds that the original may take; for what takes no steps."""
LEAST_GUARD, GUARD_FACTOR = 2.0, 10.0
"""CPU seconds that a candidate may take, at least and times the original's; a loop made by a macro takes no
steps."""


@dataclass(frozen=True, slots=True)
class Known:
    """The original on one input."""

    outcome: Outcome
    steps: int
    begun: int | None = None
    """Steps before it got caught in what it never leaves; None when it ended or crashed."""
    seconds: float = 0.0
    """CPU time; only for limits on what no step counter sees."""

    @property
    def cost(self) -> int:
        """Steps that a run on this input takes, as far as that can be known."""
        return self.steps if self.begun is None else self.budget()

    @property
    def guard(self) -> float:
        """CPU seconds that a candidate may take on this input."""
        return max(LEAST_GUARD, GUARD_FACTOR * self.seconds)

    def work(self, limit: int) -> int:
        """Steps that the original takes, `limit` where it never ends."""
        return self.steps if self.begun is None else limit

    def contradicted(self, other: Outcome | None) -> bool:
        """Whether this run crashed, and another of the same program ended as if nothing were wrong."""
        crashed = self.outcome.ending is Ending.SIGNALLED
        return crashed and other is not None and other.ending is Ending.EXITED

    def budget(self) -> int:
        """Steps that a candidate may take on this input."""
        if self.begun is not None:
            # Its steps say nothing about the right program, except for those before it got caught.
            return _more_than(self.begun) + ENDLESS_FLOOR
        usual = _more_than(self.steps) + FLOOR
        return usual if self.outcome.ending is Ending.EXITED else max(usual, CRASHED_FLOOR)


def longest_run(known: Iterable[Known]) -> int:
    """Steps after which the original is taken to run for ever on another input.

    Once it is known to run for ever on some input, fewer steps are enough to presume so on others.
    """
    endless, ended = False, 0
    for each in known:
        endless |= each.begun is not None
        ended = max(ended, each.steps if each.begun is None else 0)
    return min(LONGEST, max(PRESUMED, FACTOR * ended)) if endless else LONGEST


def _more_than(steps: int) -> int:
    return steps + min((FACTOR - 1) * steps, MOST_MORE)


def caught_after(earlier: Sequence[int], later: Sequence[int], half: int) -> int:
    """Steps of a run before it began to do what it did in all of its second half.

    For each step counter the steps that were left of `half` when it last ran, 0 if it did not run, in the
    first half and in the second.
    """
    return max(
        (half - left for left, again in zip(earlier, later, strict=True) if left and not again), default=0
    )
