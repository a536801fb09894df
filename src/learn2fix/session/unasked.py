"""Repair when nobody can be asked: the whole space is searched for what the tests that exist demand."""

from __future__ import annotations

from collections.abc import Generator
from dataclasses import dataclass

from learn2fix import events
from learn2fix.model import Candidate, Question, Reply
from learn2fix.session.guided import Guided

FIRST, LARGEST = 400, 6_000
"""Candidates judged at a time, at first and at most: when the time is up, those before have been judged on
every test."""
STEP_SECONDS = 4.0
"""Where programs run long, fewer at a time."""
MOST = 60_000
"""Candidates of one way of making them."""
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


class Unasked(Guided):
    """Bolder edits are tried only when no simpler one meets every test."""

    def questions(self) -> Generator[Question, Reply, None]:
        rig, space = self.rig, self.space
        space.requirements += rig.requirements
        began = rig.clock()
        until = began + SEARCHING * (rig.deadline - began)
        while not space.survivors and rig.clock() < until and space.open_stage():
            self._exhaust(until)
        self.repair_seconds += rig.clock() - began
        if space.survivors:
            self._explore(self.tuning.pool)
        self.reason = "the time is up" if rig.clock() >= rig.deadline else "nobody was to be asked"
        self._regroup()
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
