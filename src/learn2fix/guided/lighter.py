"""A smaller input near a failing one that the program works long on.

Every candidate has to work as long. Most bugs show on small inputs too: the questions start there, and the
failing input waits until few candidates are left.
"""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from typing import Any

from learn2fix.conversation.rig import Rig
from learn2fix.model import Input, Observation

SLOW = 500_000
"""Lines executed on the failing input that make a program slow."""
SOON = 5_000
"""Lines after which the program is soon done."""
LIGHTER = 20
"""So many times fewer lines make up for a question that may not show the bug."""
STEPS = 8


def lighter(rig: Rig, lines: Callable[[Input], int], executed: int) -> Observation | None:
    """The largest of the tenth, the hundredth, … of all numbers on which the program is soon done."""
    if executed < SLOW or not rig.domain.numeric:
        return None
    given = rig.known[0].observation.input
    for _ in range(STEPS):
        values = tuple(map(_tenth, given.values))
        if values == given.values or not rig.domain.inside(values):
            break
        given = rig.domain.render(values)
        # Run before it is counted: whether it ends at all is not known.
        (observation,) = rig.observe([given])
        if not observation.outcome.answered:
            continue
        if lines(given) <= min(SOON, executed // LIGHTER):
            return observation
    return None


def _tenth(value: Any) -> Any:
    """A number that is not 0 does not become 0: programs seldom expect that."""
    if isinstance(value, bool) or not isinstance(value, int | Fraction):
        return value
    if isinstance(value, Fraction):
        return value / 10 if abs(value) > 1 else value
    return value // 10 or 1 if value > 0 else -(-value // 10) or value
