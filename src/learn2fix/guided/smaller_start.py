"""A smaller input near a failing one that the program works long on.

Every candidate has to work as long. Most bugs show on small inputs too: the questions start there, and the
failing input waits until few candidates are left.
"""

from __future__ import annotations

from fractions import Fraction
from typing import Any

from learn2fix.conversation.problem import Problem
from learn2fix.errors import UsageError
from learn2fix.fuzzing import infer
from learn2fix.languages.evaluator import WORK_LIMIT, Evaluator
from learn2fix.model import Observation
from learn2fix.repair.stages import SLOW

SOON = 5_000
"""Number of lines after which the program counts as soon done."""
SMALLER_BY = 20
"""How many times fewer lines make up for a question that may not show the bug."""
STEPS = 8


def smaller_start(problem: Problem, evaluator: Evaluator, executed: int) -> Observation | None:
    """The first on which the program is soon done: a tenth, a hundredth, … of all numbers, and half, a
    quarter, … of lists and texts."""
    if executed < SLOW:
        return None
    domain, given = problem.domain, problem.known[0].observation.input
    usual = infer([label.observation.input.values for label in problem.known])
    for _ in range(STEPS):
        values = usual.mended(tuple(map(_smaller, given.values)))
        if values == given.values or not domain.inside(values):
            break
        try:
            given = domain.parse(domain.render(values).text)
        except UsageError:
            break
        if evaluator.work([given])[0] >= WORK_LIMIT:
            continue
        (observation,) = problem.observe([given])
        if not observation.outcome.answered:
            continue
        if sum(evaluator.coverage([given])[0].values()) <= min(SOON, executed // SMALLER_BY):
            return observation
    return None


def _smaller(value: Any) -> Any:
    """A number that is not 0 does not become 0, and nothing becomes empty: programs seldom expect that."""
    match value:
        case bool():
            return value
        case int():
            return value // 10 or 1 if value > 0 else -(-value // 10) or value
        case Fraction():
            return value / 10 if abs(value) > 1 else value
        case str() | list() if len(value) > 1:
            return value[: len(value) // 2]
        case list():
            return list(map(_smaller, value))
        case _:
            return value
