"""A smaller input near a failing one that the program works long on.

Every candidate has to work as long. Most bugs show on small inputs too: the questions start there, and the
failing input waits until few candidates are left.
"""

from __future__ import annotations

from fractions import Fraction
from typing import Any

from learn2fix.conversation.problem import Problem
from learn2fix.languages.evaluator import WORK_LIMIT, Evaluator
from learn2fix.model import Observation
from learn2fix.repair.stages import SLOW

SOON = 5_000
"""Number of lines after which the program counts as soon done."""
SMALLER_BY = 20
"""How many times fewer lines make up for a question that may not show the bug."""
STEPS = 8


def smaller_start(problem: Problem, evaluator: Evaluator, executed: int) -> Observation | None:
    """The largest of the tenth, the hundredth, … of all numbers on which the program is soon done."""
    if executed < SLOW or not problem.domain.numeric:
        return None
    given = problem.known[0].observation.input
    for _ in range(STEPS):
        values = tuple(map(_tenth, given.values))
        if values == given.values or not problem.domain.inside(values):
            break
        given = problem.domain.render(values)
        if evaluator.work([given])[0] >= WORK_LIMIT:
            continue
        (observation,) = problem.observe([given])
        if not observation.outcome.answered:
            continue
        if sum(evaluator.coverage([given])[0].values()) <= min(SOON, executed // SMALLER_BY):
            return observation
    return None


def _tenth(value: Any) -> Any:
    """A number that is not 0 does not become 0: programs seldom expect that."""
    if isinstance(value, bool) or not isinstance(value, int | Fraction):
        return value
    if isinstance(value, Fraction):
        return value / 10 if abs(value) > 1 else value
    return value // 10 or 1 if value > 0 else -(-value // 10) or value
