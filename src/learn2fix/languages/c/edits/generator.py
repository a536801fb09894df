"""Single edits of a C file, the most plausible first."""

from __future__ import annotations

import heapq
import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass

from learn2fix.edits.protocol import Hints
from learn2fix.languages.c.edits import (
    conditions,
    declarations,
    insertions,
    operators,
    statements,
    terms,
    texts,
    values,
)
from learn2fix.languages.c.edits.program import Draft, Drafts, Piece, Program
from learn2fix.languages.c.synthesis import formulas
from learn2fix.model import Candidate, Edit


@dataclass(frozen=True, slots=True)
class Family:
    """Edits of one sort; none of them weighs less than the floor, so it is not asked before its turn."""

    floor: float
    drafts: Callable[[Program], Drafts]


PATIENCE = {values.LONGER: 200}

FAMILIES = (
    Family(0.3, operators.relational),
    Family(0.3, texts.formats),
    Family(0.4, operators.logical),
    Family(0.6, values.reads),
    Family(0.8, statements.deletion),
    Family(0.9, declarations.initialisation),
    Family(1.2, declarations.widening),
    Family(1.2, statements.structure),
    Family(1.3, declarations.casts),
    Family(1.6, declarations.members),
    Family(1.3, texts.strings),
    Family(1.3, operators.grouping),
    Family(1.3, terms.casts),
    Family(1.4, operators.arithmetic),
    Family(1.4, terms.off_by_one),
    Family(1.5, values.constants),
    Family(1.5, values.functions),
    Family(1.7, values.everywhere),
    Family(1.6, operators.ternaries),
    Family(1.7, declarations.sizes),
    Family(1.5, operators.together),
    Family(1.8, formulas.regrouped),
    Family(2.0, formulas.absorbed),
    Family(1.9, formulas.loops),
    Family(2.0, formulas.bounds),
    Family(2.0, statements.replacement),
    Family(2.4, insertions.otherwise),
    Family(2.6, formulas.tables),
    Family(2.9, formulas.shifted),
    Family(3.0, formulas.multiples),
    Family(3.0, formulas.digits),
    Family(3.4, formulas.special_cases),
    Family(3.4, formulas.mirrored),
    Family(1.8, terms.remainders),
    Family(1.8, terms.wrapped),
    Family(1.9, terms.clamps),
    Family(1.9, values.variables),
    Family(2.0, statements.moves),
    Family(1.2, insertions.insertion),
    Family(2.2, terms.scaled),
    Family(2.6, terms.sums),
    Family(2.5, values.swaps),
    Family(2.8, conditions.tightened),
    Family(2.8, insertions.copies),
    Family(3.1, insertions.guards),
    Family(3.1, terms.two_leaf_sums),
    Family(3.4, conditions.replaced),
    Family(3.5, terms.rebuilt),
)
SIZE_COST = 0.002
SUSPICION_COST = 1.0
UNKNOWN = 0.7


class CEdits:
    """One edit (or the few that must go together) of a C file."""

    name = "edits"

    def candidates(self, source: bytes, hints: Hints) -> Iterator[Candidate]:
        program = Program(source, hints)
        seen = Seen(program.text)
        for cost, _, draft in ordered(program):
            pieces = draft[2]
            if seen.add(pieces):
                edits = tuple(Edit(start, end, text.encode("latin-1")) for start, end, text in pieces)
                yield Candidate(edits, draft[1], round(cost, 4), PATIENCE.get(draft[1], 1))


def ordered(program: Program) -> Iterator[tuple[float, int, Draft]]:
    """All drafts by cost; a family is unfolded only when its floor is reached."""
    waiting = sorted(FAMILIES, key=lambda family: family.floor, reverse=True)
    heap: list[tuple[float, int, Draft]] = []
    number = 0
    rate = Rate(program)
    while waiting or heap:
        while waiting and (not heap or waiting[-1].floor <= heap[0][0]):
            for draft in waiting.pop().drafts(program):
                cost = rate(draft)
                if cost is not None:
                    heap.append((cost, number, draft))
                    number += 1
            heapq.heapify(heap)
        if heap:
            yield heapq.heappop(heap)


class Rate:
    """The cost of a draft: its weight, its size, how innocent its line is; None where it cannot matter."""

    def __init__(self, program: Program) -> None:
        self._lines = program.lines
        self._suspicion = program.hints.suspicion
        self._dead = unreached(program)

    def __call__(self, draft: Draft) -> float | None:
        weight, _, pieces = draft
        size = sum(len(text) + 0.5 * (end - start) for start, end, text in pieces)
        cost = weight + SIZE_COST * min(size, 100)
        if self._dead is not None and all(self._dead[start] for start, _, _ in pieces):
            return None
        if self._suspicion:
            # Declarations and macros execute nothing, so no test speaks for or against them.
            found = max(self._suspicion.get(self._lines.at(start), UNKNOWN) for start, _, _ in pieces)
            cost += SUSPICION_COST * (1.0 - found)
        return cost


def unreached(program: Program) -> bytearray | None:
    """1 for every offset in a statement that no failing test reaches; None when that is not known."""
    executed = program.hints.executed
    if executed is None:
        return None
    dead = bytearray(len(program.text) + 1)
    for node in program.statements:
        if node.type == "declaration":
            continue
        lines = range(program.lines.at(node.start), program.lines.at(max(node.start, node.end - 1)) + 1)
        if not any(line in executed for line in lines):
            dead[node.start : node.end] = b"\1" * (node.end - node.start)
    return dead


_SPACE = str.maketrans("", "", " \t\r\n")
_QUOTED = re.compile(r'"(?:\\.|[^"\\\n])*"|\'(?:\\.|[^\'\\\n])*\'')


def squeezed(text: str) -> str:
    """Text without white space outside of quotes."""
    if '"' not in text and "'" not in text:
        return text.translate(_SPACE)
    parts, position = [], 0
    for match in _QUOTED.finditer(text):
        parts += [text[position : match.start()].translate(_SPACE), match.group()]
        position = match.end()
    return "".join([*parts, text[position:].translate(_SPACE)])


class Seen:
    """Which results were there before: two edits are one when what they give differs in white space only."""

    def __init__(self, text: str) -> None:
        self._text = text
        self._squeezed = squeezed(text)
        self._places = self._index(text)
        self._known: set[Piece | None] = {None}

    def add(self, pieces: tuple[Piece, ...]) -> bool:
        """False when the result was there before, or is the original."""
        key = self._canonical(pieces)
        if key in self._known:
            return False
        self._known.add(key)
        return True

    def _index(self, text: str) -> list[int]:
        """For every offset, how many characters of the squeezed text stand before it."""
        kept = bytearray(b"\1" * len(text))
        position = 0
        for match in [*_QUOTED.finditer(text), None]:
            stop = match.start() if match else len(text)
            for index in range(position, stop):
                if text[index] in " \t\r\n":
                    kept[index] = 0
            position = match.end() if match else stop
        places, count = [], 0
        for flag in kept:
            places.append(count)
            count += flag
        places.append(count)
        return places

    def _canonical(self, pieces: tuple[Piece, ...]) -> Piece | None:
        """The edits as one replacement in squeezed text, as short as it can be."""
        first = self._places[pieces[0][0]]
        position, parts = first, []
        for start, end, text in pieces:
            parts += [self._squeezed[position : self._places[start]], squeezed(text)]
            position = self._places[end]
        return self._trim(first, position, "".join(parts))

    def _trim(self, start: int, end: int, new: str) -> Piece | None:
        old = self._squeezed
        index, limit = 0, min(len(new), end - start)
        while index < limit and new[index] == old[start + index]:
            index += 1
        start, new = start + index, new[index:]
        while new and end > start and new[-1] == old[end - 1]:
            end, new = end - 1, new[:-1]
        if start == end:
            if not new:
                return None
            # An insertion of what stands there already: slide it to the right as far as it goes.
            while start < len(old) and old[start] == new[0]:
                new = new[1:] + new[0]
                start, end = start + 1, end + 1
        elif not new:
            while end < len(old) and old[end] == old[start]:
                start, end = start + 1, end + 1
        return (start, end, new)
