"""Repair when nobody can be asked: the whole space is searched for what the tests that exist demand."""

from __future__ import annotations

from collections.abc import Callable, Generator, Sequence
from dataclasses import dataclass

from learn2fix import events
from learn2fix.guided.guided import Guided
from learn2fix.model import Candidate, Input, Label, Question, Reply, Requirement, Verdict

FIRST, LARGEST = 100, 6_000
"""Candidates judged at a time, at first and at most: when the time is up, those before have been judged on
every test."""
STEP_SECONDS = 4.0
"""Where programs run long, fewer at a time."""
MOST = 60_000
"""Candidates of one way of making them."""
HEAVY = 200_000
"""A test that executes more lines waits for all lighter ones, even if it fails: every candidate pays."""
SEARCHING = 0.7
"""Share of the time for searching; the rest is for telling apart what was found."""


@dataclass(frozen=True, slots=True)
class Plausible:
    """Candidates that meet every requirement."""

    numbers: tuple[int, ...]
    """All of them, the most plausible first."""
    behaviours: tuple[tuple[int, ...], ...]
    """Those that were run on generated inputs, grouped by what they print, in the order they are offered."""
    candidates: tuple[Candidate, ...]
    """Everything that was tried, by number."""
    uncompilable: int


def cheap_first(labels: Sequence[Label], weigh: Callable[[Input], int]) -> list[Requirement]:
    """What is required, in the order in which it is best tried: failing tests first, but no heavy ones."""

    def key(label: Label) -> tuple[bool, bool, int]:
        weight = weigh(label.observation.input)
        # Counted in lines, not timed: the same tests give the same search.
        return weight > HEAVY, label.answer.verdict is not Verdict.BUG, weight

    found = (Requirement.from_label(label) for label in sorted(labels, key=key))
    return [requirement for requirement in found if requirement is not None]


class Unasked(Guided):
    """Bolder edits are tried only when no simpler one meets every test."""

    weigh: Callable[[Input], int] = staticmethod(lambda given: 0)
    """How many lines an input executes, where that can be counted."""

    def questions(self) -> Generator[Question, Reply, None]:
        rig, space = self.rig, self.space
        space.requirements += cheap_first(rig.known, self.weigh)
        began = rig.clock()
        until = began + SEARCHING * (rig.deadline - began)
        while not space.survivors and rig.clock() < until and space.open_stage():
            self._exhaust(until)
        self.repair_seconds += rig.clock() - began
        if space.survivors:
            self._explore(self.tuning.pool)
        self.reason = "the time is up" if rig.clock() >= rig.deadline else "nobody was to be asked"
        self.committee.regroup(self.pool)
        rig.emit(events.Stopped(self.reason))
        yield from ()

    def _exhaust(self, until: float) -> None:
        """All candidates of the present stage, the most plausible first."""
        rig, space = self.rig, self.space
        room, step = MOST, FIRST
        while room > 0 and not space.stage_done:
            now = rig.clock()
            if now >= until:
                break
            added = space.widen(min(step, room), until)
            room -= added
            seconds = max(rig.clock() - now, 1e-3)
            step = min(LARGEST, 3 * step, max(FIRST, int(added * STEP_SECONDS / seconds)))
