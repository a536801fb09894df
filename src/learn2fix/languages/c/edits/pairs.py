"""Two edits at once, led by single edits that were seen to matter."""

from __future__ import annotations

import heapq
from bisect import bisect_right
from collections.abc import Iterator, Sequence
from itertools import islice

from learn2fix.edits.protocol import Hints
from learn2fix.languages.c.edits.generator import CEdits, Seen
from learn2fix.languages.c.edits.program import Program
from learn2fix.model import Candidate, Edit

PARTNERS = 1500
"""How many of the cheapest single edits a seed is paired with."""
LEADERS = 250
"""How many of the cheapest single edits lead without seeds; each then meets its own statement only."""


class CPairs:
    """Pairs of single edits. Seeds are candidates that changed what the program prints, best first."""

    name = "pairs"

    def __init__(self, seeds: Sequence[Candidate] = ()) -> None:
        self._seeds = tuple(seeds)

    def candidates(self, source: bytes, hints: Hints) -> Iterator[Candidate]:
        program = Program(source, hints)
        places = Places(program)
        singles = list(islice(CEdits().candidates(source, hints), PARTNERS))
        seeds = self._seeds or tuple(singles[:LEADERS])
        seen = Seen(program.text)
        for single in singles:
            seen.add(_pieces(single))
        heap: list[tuple[float, int, int]] = []
        partners: list[list[tuple[float, Candidate]]] = []
        by_statement: dict[int, list[Candidate]] = {}
        for single in singles:
            by_statement.setdefault(places.statement(single.edits[0].start), []).append(single)
        for number, seed in enumerate(seeds):
            # Without seeds only edits of one statement are paired: all others would be too many.
            among = singles if self._seeds else by_statement.get(places.statement(seed.edits[0].start), [])
            row = _partners(seed, among, places)
            partners.append(row)
            if row:
                heapq.heappush(heap, (seed.cost + row[0][0], number, 0))
        while heap:
            cost, number, index = heapq.heappop(heap)
            seed, (_, partner) = seeds[number], partners[number][index]
            if index + 1 < len(partners[number]):
                heapq.heappush(heap, (seed.cost + partners[number][index + 1][0], number, index + 1))
            edits = tuple(sorted((*seed.edits, *partner.edits)))
            pair = Candidate(
                edits,
                f"{seed.kind} + {partner.kind}",
                round(cost, 4),
                max(seed.patience, partner.patience),
            )
            if seen.add(_pieces(pair)):
                yield pair


def _pieces(candidate: Candidate) -> tuple[tuple[int, int, str], ...]:
    return tuple((edit.start, edit.end, edit.text.decode("latin-1")) for edit in candidate.edits)


def _partners(seed: Candidate, among: Sequence[Candidate], places: Places) -> list[tuple[float, Candidate]]:
    row = [
        (other.cost + places.distance(seed, other), other)
        for other in among
        if not overlap(seed.edits, other.edits)
    ]
    row.sort(key=lambda item: item[0])
    return row


def overlap(first: tuple[Edit, ...], second: tuple[Edit, ...]) -> bool:
    """Whether two candidates cannot be applied together, or only in an order that matters."""
    return any(
        a.start == b.start or (a.start < b.end and b.start < a.end) or a.start < b.start < a.end
        for a in first
        for b in second
    )


class Places:
    """How far apart two edits are: in one statement, on neighbouring lines, in one function, elsewhere."""

    def __init__(self, program: Program) -> None:
        self._lines = program.lines
        self._headers = sorted(node.start for node in program.statements)
        self._functions = sorted(node.start for node in program.functions.values())
        self._known: dict[int, tuple[int, int, int]] = {}

    def statement(self, offset: int) -> int:
        """Which statement an offset is in: the last one that begins before it."""
        return self._place(offset)[0]

    def _place(self, offset: int) -> tuple[int, int, int]:
        found = self._known.get(offset)
        if found is None:
            statement = bisect_right(self._headers, offset)
            found = (statement, self._lines.at(offset), bisect_right(self._functions, offset))
            self._known[offset] = found
        return found

    def distance(self, first: Candidate, second: Candidate) -> float:
        here, there = self._place(first.edits[0].start), self._place(second.edits[0].start)
        if here[0] == there[0]:
            return 0.0
        apart = abs(here[1] - there[1])
        if apart <= 2:
            return 0.3 + 0.1 * apart
        return 0.8 if here[2] == there[2] else 1.2
