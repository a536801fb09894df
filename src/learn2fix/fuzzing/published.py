"""The paper's fuzzer of numbers (III-A, IV). What the paper leaves open is as in its authors' program."""

from __future__ import annotations

import random
from fractions import Fraction

from learn2fix.fuzzing.mutations import Operator, decimals, mutate

Number = int | Fraction
STACKED = 9
"""Maximum number of operators in a row at one position."""
ANY = 100
"""A random number is below this, or below twice the value that it replaces; either sign."""
STEPS = (Operator.INCREMENT, Operator.DECREMENT, Operator.ADD_TEN, Operator.SUBTRACT_TEN)
OPERATORS = (*STEPS, *STEPS, Operator.TIMES_TEN, Operator.BY_TEN, Operator.MAGNITUDE, Operator.SMALL)
"""Each is as likely as any other; MAGNITUDE and SMALL are the two random numbers."""


def mutant(values: tuple[Number, ...], rng: random.Random) -> tuple[Number, ...]:
    """As many positions as there are are drawn with replacement: some are changed twice, and some stay."""
    changed = list(values)
    for _ in values:
        place = rng.randrange(len(values))
        for _ in range(rng.randint(1, STACKED)):
            changed[place] = _changed(changed[place], rng.choice(OPERATORS), rng)
    return tuple(changed)


def _changed(value: Number, operator: Operator, rng: random.Random) -> Number:
    if isinstance(value, bool):
        return not value
    if operator not in (Operator.MAGNITUDE, Operator.SMALL):
        changed: Number = mutate(value, operator, (), rng)
        return changed
    scale = 1 if isinstance(value, int) else 10 ** decimals(value)
    limit = 2 * abs(int(value * scale)) if operator is Operator.MAGNITUDE else 0
    limit = limit or ANY * scale
    drawn = rng.randrange(-limit, limit)
    return drawn if isinstance(value, int) else Fraction(drawn, scale)
