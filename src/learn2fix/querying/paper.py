"""decide2label of the paper (Algorithm 2), and as the authors' program decides (docs/paper.md)."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from learn2fix.model import Example
from learn2fix.oracles.protocol import Oracle
from learn2fix.querying.protocol import Ask, Case, Choice, Skip, State

FAILING = 0.5
"""A test is predicted to fail from this chance on."""
ONE_SIDED = 0.9
"""Share of failing labels above which the authors' program asks about tests that should pass …"""
ENOUGH = 10
"""… given more labels than these."""

NEIGHBOURS = 10
"""Maximum number of neighbours of a test, and so of members of its committee."""
THRESHOLD = 0.5
"""Share of the committee that must take the test for the bug."""


class PaperRule:
    """Sees one test at a time: asks when the oracle, or half of a committee made for this test, says failing.

    A member of the committee has learned from all labels and a neighbour of the test with an assumed label.
    """

    name = "paper"
    pool = 1
    growth = 0

    def choose(self, state: State, pool: Sequence[Case]) -> Choice:
        case = pool[0]
        if state.oracle.chance(case.point) >= FAILING:
            return Ask(0, "so far, this looks like the bug")
        size, committee = self._committee(state, case)
        votes = against = 0
        for oracle in committee:
            failing = oracle.chance(case.point) >= FAILING
            votes, against = votes + failing, against + (not failing)
            # What the others would say changes nothing, and each of them takes long to learn.
            if votes >= THRESHOLD * size:
                return Ask(0, "one more answer could make this the bug (half of a committee say so)")
            if size - against < THRESHOLD * size:
                break
        return Skip()

    def _committee(self, state: State, case: Case) -> tuple[int, Iterable[Oracle]]:
        """Its size, and its members as they are needed."""
        neighbours = state.around(case, NEIGHBOURS)
        return 2 * len(neighbours), self._look_ahead(state, neighbours)

    def _look_ahead(self, state: State, neighbours: Sequence[Case]) -> Iterator[Oracle]:
        for neighbour in neighbours:
            for failing in (False, True):
                yield state.learn((*state.examples, Example(neighbour.point, failing)))


class AsRunRule(PaperRule):
    """One committee for all tests until the next label; passing tests too when nearly all labels fail. A test
    all of whose numbers, wherever they stand, are in one that was labelled is taken for the same."""

    name = "as-run"

    def __init__(self) -> None:
        self._members: list[Oracle] = []
        self._more: Iterator[Oracle] = iter(())
        self._size = 0
        self._built_for: tuple[Example, ...] | None = None

    def choose(self, state: State, pool: Sequence[Case]) -> Choice:
        if any(set(pool[0].point) <= set(example.point) for example in state.examples):
            return Skip()
        failing = sum(example.failing for example in state.examples)
        if len(state.examples) > ENOUGH and failing > ONE_SIDED * len(state.examples):
            return Ask(0, "nearly all answers so far were the bug")
        return super().choose(state, pool)

    def _committee(self, state: State, case: Case) -> tuple[int, Iterable[Oracle]]:
        examples = tuple(state.examples)
        if self._built_for != examples:
            neighbours = state.neighbours(NEIGHBOURS)
            self._members, self._more = [], self._look_ahead(state, neighbours)
            self._size, self._built_for = 2 * len(neighbours), examples
        return self._size, self._each()

    def _each(self) -> Iterator[Oracle]:
        """The members, learned when a vote first needs them and kept for the next one."""
        yield from self._members
        for member in self._more:
            self._members.append(member)
            yield member
