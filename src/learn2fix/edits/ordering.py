"""Single edits of a program, the most plausible first."""

from __future__ import annotations

import heapq
import itertools
import math
from collections.abc import Callable, Iterable, Iterator
from itertools import pairwise
from typing import Protocol, TypeVar

from learn2fix.edits.catalogue import Change, Operator, Piece, Unusual
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
        """Whether a failing test executes the place, or nothing ever executes it (a declaration)."""

    def edit(self, piece: Piece) -> Edit | None:
        """The piece on the bytes of the file; None where it would not fit."""

    def squeeze(self, text: str) -> str:
        """Text without what the language ignores."""


E_ = TypeVar("E_", bound=Editable)

MOST_REPEATED = 4
"""Number of places at which one change is made at once."""
LONGEST_REPEATED = 40
"""Characters of what is changed alike at several places."""


Entry = tuple[float, int, Change, str]
"""Cost, number in the order of making, change, name of the operator."""


def candidates(operators: Iterable[Operator[E_]], costs: Priors, program: E_) -> Iterator[Candidate]:
    """All changes that the operators propose, each once, by cost.

    An operator is asked when its turn has come: nothing that it proposes costs less than itself.
    """
    seen = Duplicates(program.text, program.squeeze)
    cost_of, counter = change_cost(costs, program), itertools.count()
    waiting = sorted(operators, key=lambda operator: costs.of(operator.name), reverse=True)
    heap: list[tuple[Entry, Iterator[Entry]]] = []
    while waiting or heap:
        while waiting and (not heap or costs.of(waiting[-1].name) <= heap[0][0][0]):
            rest = iter(_proposed(waiting.pop(), costs, program, cost_of, counter))
            if (first := next(rest, None)) is not None:
                heapq.heappush(heap, (first, rest))
        if not heap:
            continue
        (cost, _, change, name), rest = heap[0]
        if (following := next(rest, None)) is not None:
            heapq.heapreplace(heap, (following, rest))
        else:
            heapq.heappop(heap)
        if seen.add(change):
            edits = tuple([edit for piece in change if (edit := program.edit(piece)) is not None])
            if len(edits) == len(change):
                yield Candidate(edits, name, round(cost, 4))


def with_repetitions(singles: Iterable[Candidate], source: bytes, costs: Priors) -> Iterator[Candidate]:
    """The candidates, and where several make the same change at different places, all of these at once.

    People repeat a mistake: `<` for `<=` in both loops. Sorted by cost, like single edits.
    """
    alike: dict[tuple[object, ...], list[Candidate]] = {}
    waiting: list[tuple[float, int, Candidate]] = []
    counter = itertools.count()
    for single in singles:
        while waiting and waiting[0][0] < single.cost:
            yield heapq.heappop(waiting)[2]
        yield single
        for key in _repeatable(single, source):
            members = alike.setdefault(key, [])
            if len(members) >= MOST_REPEATED or any(overlap(single.edits, each.edits) for each in members):
                continue
            members.append(single)
            if len(members) > 1:
                edits = tuple(sorted(edit for each in members for edit in each.edits))
                cost = round(single.cost + costs.repeated * (len(members) - 1), 4)
                heapq.heappush(waiting, (cost, next(counter), Candidate(edits, single.kind, cost)))
    while waiting:
        yield heapq.heappop(waiting)[2]


def _repeatable(single: Candidate, source: bytes) -> Iterator[tuple[object, ...]]:
    """What a change has in common with the same one elsewhere; nothing for insertions and long pieces."""
    old = [source[edit.start : edit.end].decode("latin-1") for edit in single.edits]
    if not old or not all(text.strip() for text in old) or max(map(len, old)) > LONGEST_REPEATED:
        return
    new = [edit.text.decode("latin-1") for edit in single.edits]
    yield (single.kind, *old, *new)
    if len(old) == 1 and old[0] in new[0] and len(old[0]) > 1:
        # The same done to another part of the line: abs() around both sides.
        line = source.rfind(b"\n", 0, single.edits[0].start)
        yield (single.kind, line, new[0].replace(old[0], "\0", 1))


def overlap(first: tuple[Edit, ...], second: tuple[Edit, ...]) -> bool:
    """Whether two candidates cannot be applied together, or only in an order that matters."""
    return any(a.start == b.start or (a.start < b.end and b.start < a.end) for a in first for b in second)


def _proposed(
    operator: Operator[E_],
    costs: Priors,
    program: E_,
    cost_of: Callable[[Change], float],
    counter: Iterator[int],
) -> list[Entry]:
    """The changes of one operator whose pieces do not overlap, by cost."""
    own, name = costs.of(operator.name), operator.name
    extra: dict[tuple[str, ...], float] = {(): 0.0}
    found: list[Entry] = []
    for proposal in operator.propose(program):
        change, traits = proposal if isinstance(proposal, Unusual) else (proposal, ())
        if len(change) > 1:
            change = tuple(sorted(change))
            if any(end > start for (_, end, _), (start, _, _) in pairwise(change)):
                continue
        if traits not in extra:
            extra[traits] = sum(costs.traits[trait] for trait in traits)
        cost = own + extra[traits] + cost_of(change)
        if cost < math.inf:
            found.append((cost, next(counter), change, name))
    found.sort()
    return found


def change_cost(costs: Priors, program: Editable) -> Callable[[Change], float]:
    """What a change costs beyond its operator: its size, and how innocent its lines are."""
    suspicion, reached, lines_of = program.hints.suspicion, program.reached, program.lines_of
    unreached = costs.unreached if program.hints.executed is not None else 0.0
    character, longest, innocent, unknown = costs.character, costs.longest, costs.innocent, costs.unknown

    def cost(change: Change) -> float:
        size = 0.0
        for start, end, text in change:
            size += len(text) + 0.5 * (end - start)
        found = character * min(size, longest)
        if unreached and not any(map(reached, change)):
            found += unreached
        if suspicion:
            lines = {line for piece in change for line in lines_of(piece)}
            found += innocent * (1.0 - max([suspicion.get(line, unknown) for line in lines], default=0.0))
        return found

    return cost
