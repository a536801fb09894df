"""GenProg's operators: statements deleted, appended (a copy of another) and swapped, in any language.

The exhaustive list is what the paper's runs used; mutation and crossover are for its genetic search.
"""

from __future__ import annotations

import random
from abc import ABC, abstractmethod
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Generic, TypeVar

from learn2fix.edits.ordering import overlap
from learn2fix.model import Candidate, Edit

DELETE, APPEND, SWAP = "delete", "append", "swap"
ORDER = {DELETE: 1.0, APPEND: 2.0, SWAP: 3.0}
S = TypeVar("S")
Edits = tuple[Edit, ...]


@dataclass(frozen=True, slots=True)
class Place(Generic[S]):
    """A statement that may be changed, with its weight."""

    node: S
    weight: float


class StatementOperators(ABC, Generic[S]):
    """The operators for one source; weights are by line, see `localisation.genprog_weights`.

    A language says what its statements are, what the edits of them look like, and which are possible.
    """

    def __init__(self, source: bytes, statements: Sequence[S], weights: Mapping[int, float]) -> None:
        self._source = source
        self._fixes = list(filter(self.copied, statements))
        self._places = [
            Place(node, weight) for node in statements if (weight := weights.get(self.line(node), 0.0)) > 0.0
        ]

    @abstractmethod
    def line(self, node: S) -> int: ...
    @abstractmethod
    def start(self, node: S) -> int: ...

    # Empty where there is no such edit.

    @abstractmethod
    def deleted(self, node: S) -> Edits: ...
    @abstractmethod
    def appended(self, node: S, fix: S) -> Edits: ...
    @abstractmethod
    def swapped(self, first: S, second: S) -> Edits: ...

    @abstractmethod
    def appendable(self, fix: S, node: S) -> bool:
        """Whether what a statement needs is there after another one."""

    @abstractmethod
    def swappable(self, first: S, second: S) -> bool:
        """Whether neither contains the other and each finds what it needs at the other's place."""

    def copied(self, fix: S) -> bool:
        """Whether there is something to copy."""
        return True

    @abstractmethod
    def valid(self, edits: Edits) -> bool:
        """Whether edits of several candidates make sense together."""

    def all_edits(self) -> Iterator[Candidate]:
        """Every single edit, heaviest place first; deletions, then appended copies, then swaps."""
        seen: set[Edits] = {()}
        for candidate in self._each():
            if candidate.edits not in seen:
                seen.add(candidate.edits)
                yield candidate

    def _each(self) -> Iterator[Candidate]:
        places = sorted(self._places, key=lambda place: (-place.weight, self.start(place.node)))
        for place in places:
            yield self._candidate(DELETE, place, self.deleted(place.node))
        for place in places:
            for fix in self._fixes:
                if self.appendable(fix, place.node):
                    yield self._candidate(APPEND, place, self.appended(place.node, fix))
        for place in places:
            for fix in self._fixes:
                if self.start(fix) > self.start(place.node) and self.swappable(place.node, fix):
                    yield self._candidate(SWAP, place, self.swapped(place.node, fix))

    def random_edit(self, rng: random.Random) -> Candidate | None:
        """One edit: a place drawn by weight, an operator and a fix drawn evenly."""
        if not self._places:
            return None
        place = rng.choices(self._places, [place.weight for place in self._places])[0]
        kind = rng.choice((DELETE, APPEND, SWAP))
        edits: Edits = ()
        if kind == APPEND:
            fixes = [fix for fix in self._fixes if self.appendable(fix, place.node)]
            edits = self.appended(place.node, rng.choice(fixes)) if fixes else ()
        if kind == SWAP:
            fixes = [fix for fix in self._fixes if fix is not place.node and self.swappable(place.node, fix)]
            edits = self.swapped(place.node, rng.choice(fixes)) if fixes else ()
        if not edits:
            kind, edits = DELETE, self.deleted(place.node)
        return self._candidate(kind, place, edits) if edits else None

    def mutate(self, candidate: Candidate, rng: random.Random) -> Candidate:
        """The candidate and one more edit; edits in its way are dropped."""
        extra = self.random_edit(rng)
        if extra is None:
            return candidate
        kept = tuple(edit for edit in candidate.edits if not overlap((edit,), extra.edits))
        return self._joined(candidate, (*kept, *extra.edits), extra)

    def crossover(
        self, first: Candidate, second: Candidate, rng: random.Random
    ) -> tuple[Candidate, Candidate]:
        """Edits before a random place of one parent, after it of the other, and the reverse."""
        cut = rng.randrange(len(self._source) + 1)

        def joined(low: Candidate, high: Candidate) -> Candidate:
            edits = [edit for edit in low.edits if edit.end <= cut]
            edits += [edit for edit in high.edits if edit.start >= cut and not overlap((edit,), tuple(edits))]
            return self._joined(low, tuple(edits), high)

        return joined(first, second), joined(second, first)

    def _joined(self, fallback: Candidate, edits: Edits, other: Candidate) -> Candidate:
        """A candidate of several edits; a parent instead when they make no sense together."""
        if not edits or not self.valid(edits):
            return other if other.edits else fallback
        return Candidate(tuple(sorted(edits)), "genprog", fallback.cost + other.cost)

    def _candidate(self, kind: str, place: Place[S], edits: Edits) -> Candidate:
        return Candidate(tuple(sorted(edits)), kind, round(ORDER[kind] + 1.0 - place.weight, 4))
