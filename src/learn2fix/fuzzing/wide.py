"""Inputs farther away than mutations go: other magnitudes, and the numbers at which the program decides.

Two fixes that agree on all that is near the failing input may differ there. Signs stay as they are usual.
"""

from __future__ import annotations

import random
import re
from collections.abc import Iterator, Sequence
from fractions import Fraction
from typing import Any

from learn2fix.domain.numbers import parse_number
from learn2fix.fuzzing.contract import Contract
from learn2fix.fuzzing.fuzzer import Space
from learn2fix.model import Input

ATTEMPTS = 200
"""Number of failed attempts in a row after which no more inputs are expected."""
FAR = 18
"""Digits of the largest numbers tried where the program reads numbers of any length."""
NUMBER = re.compile(r"(?<![\w.])\d+(?![\w.])")


def constants(source: str) -> tuple[int, ...]:
    """The whole numbers that stand in a source, smallest first."""
    words = (word.group() for word in NUMBER.finditer(source))
    return tuple(sorted({number for word in words if isinstance(number := parse_number(word), int)}))


def wide(
    space: Space,
    seeds: Sequence[Input],
    known: Sequence[int],
    contract: Contract,
    rng: random.Random,
    seen: set[str],
    digits: int | None = None,
) -> Iterator[Input]:
    """New inputs, until chance finds no more.

    `known` are numbers of the program. `digits` is the maximum number of digits of those that it reads, None
    where any can be read; what a seed has is always read.
    """
    lengths = (len(str(abs(int(v)))) for seed in seeds for v in seed.values if isinstance(v, int | Fraction))
    longest = max([FAR if digits is None else digits, *lengths])
    known = [number for number in known if number < 10 ** max(longest, FAR)]
    failed = 0
    while failed < ATTEMPTS:
        failed += 1
        values = _varied(rng.choice(seeds).values, known, contract, longest, rng)
        if values is None or not space.inside(values):
            continue
        given = space.render(values)
        if given.text not in seen:
            seen.add(given.text)
            failed = 0
            yield given


def _varied(
    values: Sequence[Any], known: Sequence[int], contract: Contract, longest: int, rng: random.Random
) -> tuple[Any, ...] | None:
    changed = list(values)
    # One magnitude for the whole input now and then: large beside large is where sums overflow.
    digits = rng.randint(1, longest) if rng.random() < 0.5 else None
    # Or one number only: what the others have to be for the bug to show is as in the failing input.
    alone = rng.randrange(len(values)) if rng.random() < 0.4 else None
    for place, value in enumerate(values):
        if isinstance(value, bool) or not isinstance(value, int | Fraction):
            continue
        if place != alone if alone is not None else rng.random() < 0.25:
            continue
        low = contract.bounds[place].low if place < len(contract.bounds) else None
        new = _number(values, known, digits or rng.randint(1, longest), rng)
        if low is not None and new < low:
            new = -new
        if low is not None and new < low:
            return None
        changed[place] = new if isinstance(value, int) else Fraction(new)
    return tuple(changed)


def _number(values: Sequence[Any], known: Sequence[int], digits: int, rng: random.Random) -> int:
    way = rng.random()
    if way < 0.2 and known:
        return rng.choice(known) + rng.choice((-1, 0, 0, 1))
    if way < 0.3 and known:
        # What is taken by a remainder decides at multiples.
        multiple = rng.choice(known) * rng.randint(2, 9)
        return multiple if multiple < 10**digits else 10**digits - 1
    if way < 0.4:
        whole = [int(v) for v in values if isinstance(v, int | Fraction)]
        return rng.choice(whole) + rng.choice((-1, 0, 1))
    if way < 0.55:
        return rng.randint(0, 12)
    size = 10**digits
    number = rng.choice((rng.randrange(size // 10, size), size, size - 1))
    return number if rng.random() < 0.9 else -number
