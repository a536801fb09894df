"""INCAL as the Learn2Fix paper uses it, for comparison: CNF over half-planes chosen by z3, bottom-up.

All points at once, exact fit, (clauses, half-planes) in the order of their sum from (1, 1), a new
solver for each. Two things are unlike the authors' code: the condition learned is the failing one, as
the paper has it, and evaluation is exact. Boundaries run through data points and numbers are long, as
in the original: `SmtLra` is the one to use.
"""

from __future__ import annotations

import random
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass

from learn2fix.model import Example, Point, Variable
from learn2fix.oracles import literals, z3_adapter
from learn2fix.oracles.covering import Effort
from learn2fix.oracles.formula import FALSE, TRUE, Formula, Is, Not, conjunction, disjunction, linear
from learn2fix.oracles.smt_lra import FormulaOracle, Search, settle


@dataclass(frozen=True)
class IncalLra:
    """The paper's learner as published. When time runs out it gives a greedy cover, and says so."""

    clock: Callable[[], float] = time.monotonic
    name: str = "incal"

    def learn(
        self,
        variables: Sequence[Variable],
        examples: Sequence[Example],
        rng: random.Random,
        seconds: float = 5.0,
    ) -> FormulaOracle:
        deadline = self.clock() + seconds
        failing, passing = settle(examples)
        timed_out = False
        if not failing or not passing:
            formula: Formula = TRUE if failing else FALSE
        else:
            found = self._bottom_up(failing, passing, deadline)
            timed_out = found is None
            formula = found or self._greedy(variables, failing, passing)
        wrong = tuple(example for example in examples if formula.holds(example.point) != example.failing)
        return FormulaOracle(formula, timed_out, tuple(dict.fromkeys(wrong)))

    def _bottom_up(self, failing: list[Point], passing: list[Point], deadline: float) -> Formula | None:
        points, labels = failing + passing, [True] * len(failing) + [False] * len(passing)
        texts = sorted({(i, v) for point in points for i, v in enumerate(point) if isinstance(v, str)})
        facts = [[point[i] == v for point in points] for i, v in texts]
        size = 2
        while True:
            for clauses in range(1, size):
                left = deadline - self.clock()
                if left <= 0:
                    return None
                try:
                    found = z3_adapter.cnf(points, labels, facts, clauses, size - clauses, left)
                except TimeoutError:
                    return None
                if found is not None:
                    return _formula(found, [Is(i, v) for i, v in texts])
            size += 1

    def _greedy(self, variables: Sequence[Variable], failing: list[Point], passing: list[Point]) -> Formula:
        data = literals.make_data(variables, failing, passing)
        return Search(data, Effort(), self.clock, deadline=float("-inf")).run()


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
    return conjunction(clauses).simplified()
