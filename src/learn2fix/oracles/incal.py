"""INCAL as the Learn2Fix paper uses it, for comparison: CNF over half-planes chosen by z3, bottom-up.

All points at once, exact fit, (clauses, half-planes) in the order of their sum from (1, 1), a new
solver for each. Two things are unlike the authors' code: the condition learned is the failing one, as
the paper has it, and evaluation is exact. Boundaries run through data points and numbers are long, as
in the original: `SmtLra` is the one to use.
"""

from __future__ import annotations

import random
from collections.abc import Sequence
from dataclasses import dataclass

from learn2fix.model import Example, Point, Variable
from learn2fix.oracles import literals, z3_adapter
from learn2fix.oracles.formula import FALSE, TRUE, Formula, Is, Not, conjunction, disjunction, linear
from learn2fix.oracles.partition import partitioned
from learn2fix.oracles.simplify import simplified
from learn2fix.oracles.smt_lra import FormulaOracle, settle
from learn2fix.oracles.work import OutOfWork, Work


@dataclass(frozen=True)
class IncalLra:
    """The paper's learner as published. Out of work it gives a greedy cover, and says so."""

    name: str = "incal"

    def learn(
        self,
        variables: Sequence[Variable],
        examples: Sequence[Example],
        rng: random.Random,
        work: Work | None = None,
    ) -> FormulaOracle:
        failing, passing = settle(examples)
        exhausted = False
        if not failing or not passing:
            formula: Formula = TRUE if failing else FALSE
        else:
            found = _bottom_up(failing, passing, work or Work())
            exhausted = found is None
            formula = found or partitioned(literals.make_data(variables, failing, passing))
        wrong = tuple(example for example in examples if formula.holds(example.point) != example.failing)
        return FormulaOracle(formula, exhausted, tuple(dict.fromkeys(wrong)))


def _bottom_up(failing: list[Point], passing: list[Point], work: Work) -> Formula | None:
    points, labels = failing + passing, [True] * len(failing) + [False] * len(passing)
    texts = sorted({(i, v) for point in points for i, v in enumerate(point) if isinstance(v, str)})
    facts = [[point[i] == v for point in points] for i, v in texts]
    size = 2
    while True:
        for clauses in range(1, size):
            try:
                found = z3_adapter.cnf(points, labels, facts, clauses, size - clauses, work)
            except OutOfWork:
                return None
            if found is not None:
                return _formula(found, [Is(i, v) for i, v in texts])
        size += 1


def _formula(found: z3_adapter.Clauses, facts: Sequence[Formula]) -> Formula:
    planes = [
        linear([(c, i) for i, c in enumerate(plane.coefficients)], "<=", plane.bound)
        for plane in found.planes
    ]
    table = [*planes, *facts]
    clauses = [
        disjunction(table[index] if positive else Not(table[index]) for index, positive in clause)
        for clause in found.clauses
    ]
    return simplified(conjunction(clauses))
