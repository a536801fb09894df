"""Two edits at once, led by single edits that were seen to matter."""

from __future__ import annotations

import heapq
from bisect import bisect_right
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field

from learn2fix.edits.duplicates import Duplicates
from learn2fix.edits.ordering import overlap
from learn2fix.edits.priors import Priors
from learn2fix.model import Candidate

TOGETHER = " + "
"""What stands between the kinds of edits that were put together."""
LEADERS = 250
"""How many of the cheapest single edits lead without seeds."""


@dataclass(frozen=True, slots=True)
class Layout:
    """Where lines, statements and functions of a file begin, as byte offsets in order."""

    lines: Sequence[int]
    statements: Sequence[int]
    functions: Sequence[int]
    _known: dict[int, tuple[int, int, int]] = field(default_factory=dict, compare=False, repr=False)

    def place(self, offset: int) -> tuple[int, int, int]:
        """The line, statement and function that an offset is in: the last of each that begins before it."""
        found = self._known.get(offset)
        if found is None:
            ordered = (self.lines, self.statements, self.functions)
            line, statement, function = (bisect_right(starts, offset) for starts in ordered)
            found = self._known[offset] = (line, statement, function)
        return found

    def distance(self, first: Candidate, second: Candidate, costs: Priors) -> float:
        here, there = self.place(first.edits[0].start), self.place(second.edits[0].start)
        if here[1] == there[1]:
            return 0.0
        apart = abs(here[0] - there[0])
        if apart <= 2:
            return costs.neighbours + costs.line * apart
        return costs.function if here[2] == there[2] else costs.elsewhere


def pairs(
    seeds: Sequence[Candidate],
    singles: Sequence[Candidate],
    layout: Layout,
    costs: Priors,
    seen: Duplicates,
) -> Iterator[Candidate]:
    """Each seed with each single edit that it can be applied with, the cheapest sums first.

    Without seeds only edits of one statement are paired: all others would be too many.
    """
    led = bool(seeds)
    for single in singles:
        seen.add(_change(single))
    rows: list[list[tuple[float, Candidate]]] = []
    heap: list[tuple[float, int, int]] = []
    by_statement: dict[int, list[Candidate]] = {}
    for single in singles:
        by_statement.setdefault(layout.place(single.edits[0].start)[1], []).append(single)
    for number, seed in enumerate(leaders := seeds or singles[:LEADERS]):
        among = singles if led else by_statement[layout.place(seed.edits[0].start)[1]]
        row = [
            (other.cost + layout.distance(seed, other, costs), other)
            for other in among
            if not overlap(seed.edits, other.edits)
        ]
        row.sort(key=lambda item: item[0])
        rows.append(row)
        if row:
            heapq.heappush(heap, (seed.cost + row[0][0], number, 0))
    while heap:
        cost, number, index = heapq.heappop(heap)
        seed, (_, partner) = leaders[number], rows[number][index]
        if index + 1 < len(rows[number]):
            heapq.heappush(heap, (seed.cost + rows[number][index + 1][0], number, index + 1))
        edits = tuple(sorted((*seed.edits, *partner.edits)))
        pair = Candidate(edits, f"{seed.kind}{TOGETHER}{partner.kind}", round(cost, 4))
        if seen.add(_change(pair)):
            yield pair


def _change(candidate: Candidate) -> tuple[tuple[int, int, str], ...]:
    return tuple((edit.start, edit.end, edit.text.decode("latin-1")) for edit in candidate.edits)
