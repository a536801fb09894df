"""INCAL, the learner of the Learn2Fix paper: CNF over half-planes chosen by z3, bottom-up.

All points at once, exact fit, (clauses, half-planes) in the order of their sum from (1, 1), a new solver for
each that is not known to be in vain. Boundaries run through data points and numbers are long, as in the
original: `SmtLra` is the one to use where no comparison with the paper is wanted.
"""

from __future__ import annotations

import random
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from functools import cached_property
from itertools import count, islice

from learn2fix.model import Example, Point, Variable
from learn2fix.oracles import literals, z3_adapter
from learn2fix.oracles.formula import FALSE, TRUE, Formula, Is, Not, conjunction, disjunction, linear
from learn2fix.oracles.partition import partitioned
from learn2fix.oracles.protocol import Oracle
from learn2fix.oracles.simplify import simplified
from learn2fix.oracles.smt_lra import FormulaOracle, settle
from learn2fix.oracles.work import OutOfWork, Work
from learn2fix.oracles.z3_adapter import Clauses

REMEMBERED = 500
"""Sets of examples of which a learner knows what it found; what was of use last is forgotten last."""


class Memory:
    """What is known of sets of points, so that a solver is asked no question whose answer follows.

    A CNF that fits many points fits each part of them. So where a size was in vain for some points, it is in
    vain for any set that holds them: a learner that looks one label ahead begins where the last one ended.
    """

    def __init__(self) -> None:
        self._in_vain: dict[tuple[frozenset[Point], frozenset[Point]], int] = {}
        self._found: dict[tuple[tuple[Point, ...], tuple[Point, ...]], Clauses] = {}

    def first_size(self, inside: Sequence[Point], outside: Sequence[Point]) -> int:
        """How many sizes need not be tried."""
        within, without = frozenset(inside), frozenset(outside)
        parts = [part for part in self._in_vain if part[0] <= within and part[1] <= without]
        best = max(parts, key=self._in_vain.__getitem__, default=None)
        if best is None:
            return 0
        # What is of use is remembered longest: nearly all sets are those of one look ahead.
        sizes = self._in_vain[best] = self._in_vain.pop(best)
        return sizes

    def found(self, inside: Sequence[Point], outside: Sequence[Point]) -> Clauses | None:
        return self._found.get((tuple(inside), tuple(outside)))

    def keep_found(self, inside: Sequence[Point], outside: Sequence[Point], clauses: Clauses) -> None:
        if len(self._found) >= REMEMBERED:
            del self._found[next(iter(self._found))]
        self._found[tuple(inside), tuple(outside)] = clauses

    def keep_in_vain(self, inside: Sequence[Point], outside: Sequence[Point], sizes: int) -> None:
        if len(self._in_vain) >= REMEMBERED:
            del self._in_vain[next(iter(self._in_vain))]
        self._in_vain[frozenset(inside), frozenset(outside)] = sizes


@dataclass(frozen=True)
class IncalLra:
    """The paper's learner."""

    covers: bool = True
    """Whether a greedy cover is learned, and said to be one, when the work runs out; else OutOfWork."""
    name: str = "incal"
    memory: Memory = field(default_factory=Memory, compare=False, repr=False)

    def learn(
        self,
        variables: Sequence[Variable],
        examples: Sequence[Example],
        rng: random.Random,
        work: Work | None = None,
    ) -> FormulaOracle:
        failing, passing = settle(examples)
        if not failing or not passing:
            return _oracle(TRUE if failing else FALSE, examples)
        facts = _texts(failing + passing)
        try:
            found = _bottom_up(failing, passing, facts, work or Work(), self.memory)
            return _oracle(_formula(found, facts), examples)
        except OutOfWork:
            if not self.covers:
                raise
            cover = partitioned(literals.make_data(variables, failing, passing))
            return _oracle(cover, examples, exhausted=True)


@dataclass(frozen=True)
class IncalAsRun:
    """INCAL in the authors' program: learns the passing condition and evaluates it in double precision.

    Rounding may put an example on the wrong side. OutOfWork when the work runs out.
    """

    name: str = "incal"
    memory: Memory = field(default_factory=Memory, compare=False, repr=False)

    def learn(
        self,
        variables: Sequence[Variable],
        examples: Sequence[Example],
        rng: random.Random,
        work: Work | None = None,
    ) -> Oracle:
        failing, passing = settle(examples)
        if not failing or not passing:
            return _oracle(TRUE if failing else FALSE, examples)
        facts = _texts(failing + passing)
        return DoubleOracle(_bottom_up(passing, failing, facts, work or Work(), self.memory), facts)


@dataclass(frozen=True)
class DoubleOracle:
    """Failing is what a learned passing condition does not hold for, in double precision."""

    passing: Clauses
    facts: tuple[Is, ...]

    @cached_property
    def _planes(self) -> list[tuple[list[float], float]]:
        return [
            ([_double(value) for value in plane.coefficients], _double(plane.bound))
            for plane in self.passing.planes
        ]

    def chance(self, point: Point) -> float:
        numbers = [value if isinstance(value, str) else _double(value) for value in point]
        values = [_holds(coefficients, bound, numbers) for coefficients, bound in self._planes]
        values += [fact.holds(point) for fact in self.facts]
        met = all(any(values[i] is positive for i, positive in clause) for clause in self.passing.clauses)
        return 0.0 if met else 1.0

    @property
    def formula(self) -> Formula:
        return simplified(Not(_formula(self.passing, self.facts)))


def _oracle(formula: Formula, examples: Sequence[Example], exhausted: bool = False) -> FormulaOracle:
    wrong = tuple(example for example in examples if formula.holds(example.point) != example.failing)
    return FormulaOracle(formula, exhausted, tuple(dict.fromkeys(wrong)))


def _texts(points: Sequence[Point]) -> tuple[Is, ...]:
    found = {(i, value) for point in points for i, value in enumerate(point) if isinstance(value, str)}
    return tuple(Is(i, value) for i, value in sorted(found))


def _bottom_up(
    inside: list[Point], outside: list[Point], facts: Sequence[Is], work: Work, memory: Memory
) -> Clauses:
    """The first CNF that holds for what is inside alone; OutOfWork when it was not found in time."""
    known = memory.found(inside, outside)
    if known is not None:
        return known
    points, labels = inside + outside, [True] * len(inside) + [False] * len(outside)
    truths = [[fact.holds(point) for point in points] for fact in facts]
    start = memory.first_size(inside, outside)
    for number, (clauses, planes) in enumerate(islice(_sizes(), start, None), start):
        if clauses > 2 ** (planes + len(facts) - 1):
            # What n literals decide needs no more than 2 ** (n - 1) clauses, which have been tried.
            continue
        found = z3_adapter.cnf(points, labels, truths, clauses, planes, work)
        if found is not None:
            if number > start:
                memory.keep_in_vain(inside, outside, number)
            memory.keep_found(inside, outside, found)
            return found
    raise AssertionError("there is no largest size")


def _sizes() -> Iterator[tuple[int, int]]:
    """Numbers of clauses and of half-planes, in the order of their sum."""
    for size in count(2):
        for clauses in range(1, size):
            yield clauses, size - clauses


def _formula(found: Clauses, facts: Sequence[Is]) -> Formula:
    planes = [
        linear([(c, i) for i, c in enumerate(plane.coefficients)], "<=", plane.bound)
        for plane in found.planes
    ]
    table: list[Formula] = [*planes, *facts]
    clauses = [
        disjunction(table[index] if positive else Not(table[index]) for index, positive in clause)
        for clause in found.clauses
    ]
    return simplified(conjunction(clauses))


def _holds(coefficients: Sequence[float], bound: float, point: Sequence[float | str]) -> bool:
    """Whether a point is in a half-plane, in double precision; text in place of a number is outside."""
    total = 0.0
    for coefficient, value in zip(coefficients, point, strict=True):
        if not isinstance(value, str):
            total += coefficient * value
        elif coefficient:
            return False
    return total <= bound


def _double(value: int | Fraction) -> float:
    try:
        return float(value)
    except OverflowError:
        return float("inf") if value > 0 else float("-inf")
