"""Single edits of a program, the most plausible first."""

from __future__ import annotations

import heapq
import math
from collections.abc import Iterable, Iterator
from typing import Protocol, TypeVar

from learn2fix.edits.catalogue import Change, Operator, Piece
from learn2fix.edits.duplicates import Duplicates
from learn2fix.edits.priors import Priors
from learn2fix.edits.protocol import Hints
from learn2fix.model import Candidate, Edit


class Editable(Protocol):
    """What ordering needs to know of a program."""

    @property
    def text(self) -> str:
        """The source, as offsets count it."""

    @property
    def hints(self) -> Hints: ...

    def lines_of(self, piece: Piece) -> Iterable[int]:
        """The lines (from 1) whose execution speaks for or against a change there."""

    def reached(self, piece: Piece) -> bool:
        """Whether a failing test executes the place, or it is none that is executed."""

    def edit(self, piece: Piece) -> Edit | None:
        """The piece on the bytes of the file; None where it would not fit."""

    def squeeze(self, text: str) -> str:
        """Text without what the language ignores."""


E_ = TypeVar("E_", bound=Editable)


def candidates(operators: Iterable[Operator[E_]], costs: Priors, program: E_) -> Iterator[Candidate]:
    """All changes that the operators propose, each once, by cost.

    An operator is asked when its turn has come: nothing that it proposes costs less than itself.
    """
    seen = Duplicates(program.text, program.squeeze)
    waiting = sorted(operators, key=lambda operator: costs.of(operator.name), reverse=True)
    heap: list[tuple[float, int, Change, Operator[E_]]] = []
    number = 0
    while waiting or heap:
        while waiting and (not heap or costs.of(waiting[-1].name) <= heap[0][0]):
            operator = waiting.pop()
            for change in operator.propose(program):
                ordered = tuple(sorted(change))
                cost = costs.of(operator.name) + change_cost(ordered, costs, program)
                if math.isfinite(cost):
                    heapq.heappush(heap, (cost, number, ordered, operator))
                    number += 1
        if not heap:
            continue
        cost, _, change, operator = heapq.heappop(heap)
        edits = tuple(edit for piece in change if (edit := program.edit(piece)) is not None)
        if len(edits) == len(change) and seen.add(change):
            yield Candidate(edits, operator.name, round(cost, 4), operator.patience)


def change_cost(change: Change, costs: Priors, program: Editable) -> float:
    """What a change costs beyond its operator: its size, and how innocent its lines are."""
    size = sum(len(text) + 0.5 * (end - start) for start, end, text in change)
    cost = costs.character * min(size, costs.longest)
    if program.hints.executed is not None and not any(map(program.reached, change)):
        cost += costs.unreached
    suspicion = program.hints.suspicion
    if suspicion and math.isfinite(cost):
        lines = {line for piece in change for line in program.lines_of(piece)}
        cost += costs.innocent * (
            1.0 - max((suspicion.get(line, costs.unknown) for line in lines), default=0)
        )
    return cost
