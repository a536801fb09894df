"""All edits of a Python program, most plausible first; and pairs of them."""

from __future__ import annotations

import heapq
import itertools
from collections.abc import Callable, Iterator, Sequence

from learn2fix.edits.protocol import Hints
from learn2fix.languages.python.edits import operators, statements, terms, values
from learn2fix.languages.python.edits.program import Draft, Drafts, Program
from learn2fix.model import Candidate, Edit

FAMILIES: tuple[Callable[[Program], Drafts], ...] = (
    operators.relational,
    operators.logical,
    operators.arithmetic,
    operators.ternaries,
    values.constants,
    values.texts,
    values.ranges,
    values.variables,
    values.attributes,
    values.functions,
    values.arguments,
    values.off_by_one,
    statements.returns,
    statements.defaults,
    statements.accumulators,
    statements.nesting,
    statements.loops,
    statements.orders,
    statements.deletions,
    statements.base_cases,
    terms.wrapped,
    terms.rounded,
    terms.added,
    terms.stronger,
    statements.insertions,
    statements.guards,
)
SIZE = 0.004
"""What each character of new text costs: among equals the smaller edit comes first."""
SUSPICION = 0.8
"""How much an innocent line costs against the most suspicious one."""
UNREACHED = 4.0
"""What an edit of a line costs that no failing test executes: it cannot help alone, so it comes last."""
PAIR = 1.0


class PythonEdits:
    """Every single edit."""

    name = "python"

    def __init__(self, families: Sequence[Callable[[Program], Drafts]] = FAMILIES) -> None:
        self._families = tuple(families)

    def candidates(self, source: bytes, hints: Hints) -> Iterator[Candidate]:
        program = Program(source, hints)
        best: dict[tuple[Edit, ...], tuple[float, int, Candidate]] = {}
        for order, draft in enumerate(draft for family in self._families for draft in family(program)):
            candidate = _candidate(program, draft)
            if candidate is None:
                continue
            key = tuple(trimmed(source, edit) for edit in candidate.edits)
            if key not in best or candidate.cost < best[key][0]:
                best[key] = (candidate.cost, order, candidate)
        for _, _, candidate in sorted(best.values(), key=lambda entry: entry[:2]):
            yield candidate


def _candidate(program: Program, draft: Draft) -> Candidate | None:
    weight, kind, pieces = draft
    edits = []
    for start, end, text in sorted(pieces):
        if program.tree.slice(start, end) == text:
            continue
        edit = program.tree.edit(start, end, text)
        if edit is None:
            return None
        edits.append(edit)
    if not edits or any(one.end > other.start for one, other in itertools.pairwise(edits)):
        return None
    cost = weight + SIZE * sum(min(len(text), 60) for _, _, text in pieces)
    return Candidate(tuple(edits), kind, round(cost + _place_cost(program, pieces), 4))


def _place_cost(program: Program, pieces: Sequence[tuple[int, int, str]]) -> float:
    hints = program.hints
    # An insertion stands at the start of the line it comes before; the line it follows counts as well.
    lines = {line for start, end, _ in pieces for line in _lines(program, start, end)}
    cost = 0.0
    if hints.suspicion:
        cost += SUSPICION * (1 - max(hints.suspicion.get(line, 0.0) for line in lines))
    if hints.executed is not None and not lines & hints.executed and not lines <= program.definitions:
        cost += UNREACHED
    return cost


def _lines(program: Program, start: int, end: int) -> range:
    first = program.tree.line(start)
    last = program.tree.line(max(start, end - 1))
    return range(max(1, first - 1) if start == end == program.tree.line_start(start) else first, last + 1)


def trimmed(source: bytes, edit: Edit) -> Edit:
    """The same change without the bytes that stay: two edits that give one file become equal."""
    old, new = source[edit.start : edit.end], edit.text
    shorter = min(len(old), len(new))
    head = 0
    while head < shorter and old[head] == new[head]:
        head += 1
    tail = 0
    while tail < shorter - head and old[-1 - tail] == new[-1 - tail]:
        tail += 1
    return Edit(edit.start + head, edit.end - tail, new[head : len(new) - tail])


class PythonPairs:
    """Two edits at once, from seeds: cheapest sum first."""

    name = "python pairs"

    def __init__(self, seeds: Sequence[Candidate], near: int = 0) -> None:
        """`near`, when set, is how many bytes may lie between the two."""
        self._seeds = tuple(sorted(seeds, key=lambda seed: seed.cost))
        self._near = near

    def candidates(self, source: bytes, hints: Hints) -> Iterator[Candidate]:
        seeds = self._seeds
        if len(seeds) < 2:
            return
        # Pairs (i, j), i < j, by the sum of their costs, without making them all.
        queue = [(seeds[i].cost + seeds[i + 1].cost, i, i + 1) for i in range(len(seeds) - 1)]
        heapq.heapify(queue)
        while queue:
            cost, i, j = heapq.heappop(queue)
            if j + 1 < len(seeds):
                heapq.heappush(queue, (seeds[i].cost + seeds[j + 1].cost, i, j + 1))
            edits = tuple(sorted((*seeds[i].edits, *seeds[j].edits)))
            if any(a.end > b.start or a.start == b.start for a, b in itertools.pairwise(edits)):
                continue
            if self._near and edits[-1].start - edits[0].end > self._near:
                continue
            kind = " + ".join(sorted((seeds[i].kind, seeds[j].kind)))
            yield Candidate(edits, kind, round(cost + PAIR, 4))
