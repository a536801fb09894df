"""INCAL, the learner of the Learn2Fix paper: CNF over half-planes chosen by z3, bottom-up.

All points at once, exact fit, (clauses, half-planes) in the order of their sum from (1, 1), a new solver for
each. Boundaries run through data points and numbers are long, as in the original: `SmtLra` is the one to use
where no comparison with the paper is wanted.
"""

from __future__ import annotations

import random
from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction

from learn2fix.model import Example, Point, Variable
from learn2fix.oracles import literals, z3_adapter
from learn2fix.oracles.formula import FALSE, TRUE, Formula, Is, Not, conjunction, disjunction, linear
from learn2fix.oracles.partition import partitioned
from learn2fix.oracles.protocol import Oracle
from learn2fix.oracles.simplify import simplified
from learn2fix.oracles.smt_lra import FormulaOracle, settle
from learn2fix.oracles.work import OutOfWork, Work
from learn2fix.oracles.z3_adapter import Clauses


@dataclass(frozen=True)
class IncalLra:
    """The paper's learner."""

    covers: bool = True
    """Whether a greedy cover is learned, and said to be one, when the work runs out; else OutOfWork."""
    name: str = "incal"

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
            return _oracle(_formula(_bottom_up(failing, passing, facts, work or Work()), facts), examples)
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
        return DoubleOracle(_bottom_up(passing, failing, facts, work or Work()), facts)


@dataclass(frozen=True)
class DoubleOracle:
    """Failing is what a learned passing condition does not hold for, in double precision."""

    passing: Clauses
    facts: tuple[Is, ...]

    def chance(self, point: Point) -> float:
        values = [_holds(plane, point) for plane in self.passing.planes]
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


def _bottom_up(inside: list[Point], outside: list[Point], facts: Sequence[Is], work: Work) -> Clauses:
    """The first CNF that holds for what is inside alone; OutOfWork when it was not found in time."""
    points, labels = inside + outside, [True] * len(inside) + [False] * len(outside)
    truths = [[fact.holds(point) for point in points] for fact in facts]
    size = 2
    while True:
        for clauses in range(1, size):
            found = z3_adapter.cnf(points, labels, truths, clauses, size - clauses, work)
            if found is not None:
                return found
        size += 1


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


def _holds(plane: z3_adapter.Plane, point: Point) -> bool:
    """Whether a point is in a half-plane, in double precision; text in place of a number is outside."""
    total = 0.0
    for coefficient, value in zip(plane.coefficients, point, strict=True):
        if isinstance(value, str):
            if coefficient:
                return False
        else:
            total += _double(coefficient) * _double(value)
    return total <= _double(plane.bound)


def _double(value: int | Fraction) -> float:
    try:
        return float(value)
    except OverflowError:
        return float("inf") if value > 0 else float("-inf")
