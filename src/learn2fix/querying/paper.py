"""decide2label of the paper: ask when the bug is predicted, or when oracles one answer ahead predict it."""

from __future__ import annotations

from collections.abc import Sequence

from learn2fix.model import Example
from learn2fix.oracles.protocol import Oracle
from learn2fix.querying.protocol import Ask, Case, Choice, Skip, State

FAILING = 0.5
"""A test is predicted to fail from this chance on."""


class PaperRule:
    """Sees one test at a time; the committee is built anew only after a new label."""

    name = "paper"
    pool = 1
    growth = 0

    def __init__(self, neighbours: int = 10, threshold: float = 0.5) -> None:
        self._neighbours = neighbours
        self._threshold = threshold
        self._committee: list[Oracle] = []
        self._built_for: tuple[Example, ...] | None = None

    def choose(self, state: State, pool: Sequence[Case]) -> Choice:
        point = pool[0].point
        if state.oracle.chance(point) >= FAILING:
            return Ask(0, "so far, this looks like the bug")
        committee = self._look_ahead(state)
        votes = sum(oracle.chance(point) >= FAILING for oracle in committee)
        if committee and votes >= self._threshold * len(committee):
            return Ask(0, f"one more answer could make this the bug ({votes} of {len(committee)} say so)")
        return Skip()

    def _look_ahead(self, state: State) -> list[Oracle]:
        examples = tuple(state.examples)
        if self._built_for != examples:
            self._committee = [
                state.learn((*examples, Example(case.point, failing)))
                for case in state.neighbours(self._neighbours)
                for failing in (False, True)
            ]
            self._built_for = examples
        return self._committee
