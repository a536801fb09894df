"""GenProg's edits on our representation: statements deleted, appended (a copy of another) and swapped.

The exhaustive list is what the paper's runs used; mutation and crossover are for its genetic search.
"""

from __future__ import annotations

import random
from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from learn2fix.edits.pairs import overlap
from learn2fix.edits.protocol import Hints
from learn2fix.languages.c.edits.places import CONTROL, SIMPLE, Point, is_block_child, is_body, separator
from learn2fix.languages.c.edits.program import Program
from learn2fix.languages.c.tree import Node
from learn2fix.model import Candidate, Edit

DELETE, APPEND, SWAP = "delete", "append", "swap"


@dataclass(frozen=True, slots=True)
class Place:
    """A statement that may be changed, with its weight."""

    node: Node
    weight: float


class GenProgEdits:
    """The operators of GenProg for one source; weights are by line, see `localisation.genprog_weights`."""

    name = "genprog"

    def __init__(self, source: bytes, weights: Mapping[int, float]) -> None:
        self._source = source
        self._program = Program(source, Hints())
        nodes = [node for node in self._program.statements if node.type in SIMPLE or node.type in CONTROL]
        self._fixes = [node for node in nodes if self._program.of(node) != ";"]
        self._places = [
            Place(node, weight)
            for node in self._fixes
            if (weight := weights.get(self._program.lines.at(node.start), 0.0)) > 0.0
        ]

    def all_edits(self) -> Iterator[Candidate]:
        """Every single edit, heaviest place first; deletions, then appended copies, then swaps."""
        places = sorted(self._places, key=lambda place: (-place.weight, place.node.start))
        for place in places:
            yield self._candidate(DELETE, place, self._deleted(place.node))
        for place in places:
            for fix in self._fixes:
                if self._fits(fix, place.node):
                    yield self._candidate(APPEND, place, self._appended(place.node, fix))
        for place in places:
            for fix in self._fixes:
                if fix.start > place.node.start and self._swappable(place.node, fix):
                    yield self._candidate(SWAP, place, self._swapped(place.node, fix))

    def random_edit(self, rng: random.Random) -> Candidate | None:
        """One edit: a place drawn by weight, an operator and a fix drawn evenly."""
        if not self._places:
            return None
        place = rng.choices(self._places, [place.weight for place in self._places])[0]
        kind = rng.choice((DELETE, APPEND, SWAP))
        if kind == APPEND:
            fixes = [fix for fix in self._fixes if self._fits(fix, place.node)]
            if fixes:
                return self._candidate(APPEND, place, self._appended(place.node, rng.choice(fixes)))
        if kind == SWAP:
            fixes = [fix for fix in self._fixes if fix is not place.node and self._swappable(place.node, fix)]
            if fixes:
                return self._candidate(SWAP, place, self._swapped(place.node, rng.choice(fixes)))
        return self._candidate(DELETE, place, self._deleted(place.node))

    def mutate(self, candidate: Candidate, rng: random.Random) -> Candidate:
        """The candidate and one more edit; edits in its way are dropped."""
        extra = self.random_edit(rng)
        if extra is None:
            return candidate
        kept = tuple(edit for edit in candidate.edits if not overlap((edit,), extra.edits))
        return self._balanced(candidate, (*kept, *extra.edits), extra)

    def crossover(
        self, first: Candidate, second: Candidate, rng: random.Random
    ) -> tuple[Candidate, Candidate]:
        """Edits before a random line of one parent, after it of the other, and the reverse."""
        cut = rng.randrange(len(self._source) + 1)

        def joined(low: Candidate, high: Candidate) -> Candidate:
            edits = [edit for edit in low.edits if edit.end <= cut]
            edits += [edit for edit in high.edits if edit.start >= cut and not overlap((edit,), tuple(edits))]
            return self._balanced(low, tuple(edits), high)

        return joined(first, second), joined(second, first)

    def _balanced(self, fallback: Candidate, edits: tuple[Edit, ...], other: Candidate) -> Candidate:
        """A candidate of several edits; a parent instead when half of a pair of braces went missing."""
        text = b"".join(edit.text for edit in edits)
        if text.count(b"{") != text.count(b"}") or not edits:
            return other if other.edits else fallback
        return Candidate(tuple(sorted(edits)), "genprog", fallback.cost + other.cost)

    def _candidate(self, kind: str, place: Place, edits: tuple[Edit, ...]) -> Candidate:
        order = {DELETE: 1.0, APPEND: 2.0, SWAP: 3.0}[kind]
        return Candidate(tuple(sorted(edits)), kind, round(order + 1.0 - place.weight, 4))

    def _text(self, node: Node) -> bytes:
        return self._source[node.start : node.end]

    def _deleted(self, node: Node) -> tuple[Edit, ...]:
        return (Edit(node.start, node.end, b"" if is_block_child(node) else b";"),)

    def _appended(self, node: Node, fix: Node) -> tuple[Edit, ...]:
        braces = is_body(node)
        point = Point(node, True, separator(self._program, node), braces, frozenset())
        pieces = point.insert(self._program.of(fix))
        return tuple(Edit(start, end, text.encode("latin-1")) for start, end, text in pieces)

    def _swapped(self, first: Node, second: Node) -> tuple[Edit, ...]:
        return (
            Edit(first.start, first.end, self._text(second)),
            Edit(second.start, second.end, self._text(first)),
        )

    def _fits(self, fix: Node, place: Node) -> bool:
        """Whether the variables of a statement are visible beside another."""
        return self._program.free_names(fix) <= {s.name for s in self._program.scope.visible(place.start)}

    def _swappable(self, first: Node, second: Node) -> bool:
        if first.start < second.end and second.start < first.end:
            return False
        return self._fits(first, second) and self._fits(second, first)
