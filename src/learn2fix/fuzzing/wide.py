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
from learn2fix.domain.ranges import numbers_in
from learn2fix.errors import UsageError
from learn2fix.fuzzing.contract import Contract
from learn2fix.fuzzing.corpus import Corpus
from learn2fix.fuzzing.fuzzer import Space
from learn2fix.model import Input

ATTEMPTS = 200
"""Number of failed attempts in a row after which no more inputs are expected."""
PICKED = 0.4
"""Chance that an input starts from one on which the program did something new, once there are any."""
UNUSUAL = 0.2
"""Chance that lists need not be sorted or distinct as the known ones are."""
LONG = 50
"""Length from which lists and texts are not made longer."""
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
    corpus: Corpus | None = None,
) -> Iterator[Input]:
    """New inputs, until chance finds no more.

    `known` are numbers of the program. `digits` is the maximum number of digits of those that it reads, None
    where any can be read; what a seed has is always read. Inputs of the `corpus` are starts like the seeds:
    an empty list has no element that could be large.
    """
    lengths = (len(str(abs(int(v)))) for seed in seeds for v in numbers_in(seed.values))
    longest = max([FAR if digits is None else digits, *lengths])
    known = [number for number in known if number < 10 ** max(longest, FAR)]
    plain = not contract.values
    seen.update(space.render(seed.values).text for seed in seeds if not plain)
    far = contract.far()
    failed = 0
    while failed < ATTEMPTS:
        failed += 1
        picked = corpus.pick(rng) if corpus is not None and rng.random() < PICKED else None
        start = picked or rng.choice(seeds)
        values = _varied(start.values, known, contract, longest, rng)
        if values is None:
            continue
        allowed = far if plain or rng.random() >= UNUSUAL else far.widened(1)
        values = allowed.mended(values)
        if not space.inside(values):
            continue
        given = space.render(values)
        if given.text in seen:
            continue
        if not plain:
            try:
                given = space.parse(given.text)
            except UsageError:
                continue
            if not allowed.holds(given.values):
                continue
        seen.add(given.text)
        failed = 0
        yield given


def corners(space: Space, seeds: Sequence[Input]) -> list[Input]:
    """Each seed with one of its values 0, empty or gone."""
    found: dict[str, Input] = {}
    for seed in seeds:
        for place, value in enumerate(seed.values):
            empty = _empty(value)
            values = (*seed.values[:place], empty, *seed.values[place + 1 :])
            if empty is None or not space.inside(values):
                continue
            try:
                given = space.parse(space.render(values).text)
            except UsageError:
                continue
            found.setdefault(given.text, given)
    return [given for given in found.values() if all(given.text != seed.text for seed in seeds)]


def _empty(value: Any) -> Any:
    """None where there is no such thing."""
    match value:
        case bool() | None:
            return None
        case int() | Fraction() | float() | str() | bytes() | list() | dict() | set() | frozenset():
            return type(value)()
        case _:
            return None


def _varied(
    values: Sequence[Any], known: Sequence[int], contract: Contract, longest: int, rng: random.Random
) -> tuple[Any, ...] | None:
    changed = list(values)
    # One magnitude for the whole input now and then: large beside large is where sums overflow.
    digits = rng.randint(1, longest) if rng.random() < 0.5 else None
    # Or one number only: what the others have to be for the bug to show is as in the failing input.
    alone = rng.randrange(len(values)) if rng.random() < 0.4 else None
    for place, value in enumerate(values):
        if isinstance(value, bool) or not isinstance(value, int | Fraction | list | tuple | str):
            continue
        if place != alone if alone is not None else rng.random() < 0.25:
            continue
        if not isinstance(value, int | Fraction):
            changed[place] = _nested(value, known, digits or rng.randint(1, longest), rng)
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
        whole = [int(v) for v in values if isinstance(v, int | Fraction)] or [0]
        return rng.choice(whole) + rng.choice((-1, 0, 1))
    if way < 0.55:
        return rng.randint(0, 12)
    size = 10**digits
    number = rng.choice((rng.randrange(size // 10, size), size, size - 1))
    return number if rng.random() < 0.9 else -number


def _nested(value: Any, known: Sequence[int], digits: int, rng: random.Random) -> Any:
    """Another size or order of a list or text, or numbers of another magnitude in it."""
    if isinstance(value, str | list) and (isinstance(value, str) or not value or rng.random() < 0.5):
        return _reshaped(value, rng)
    alone = rng.randrange(len(value)) if value and rng.random() < 0.5 else None
    items = [
        item if alone not in (None, place) else _item(item, value, known, digits, rng)
        for place, item in enumerate(value)
    ]
    return type(value)(items)


def _item(item: Any, beside: Any, known: Sequence[int], digits: int, rng: random.Random) -> Any:
    if isinstance(item, list | tuple | str):
        return _nested(item, known, digits, rng)
    if isinstance(item, bool) or not isinstance(item, int | Fraction):
        return item
    return type(item)(_number(beside, known, digits, rng))


def _reshaped(value: Any, rng: random.Random) -> Any:
    """The same items: more or fewer of them, all alike, taking turns, in order."""
    items = list(value)
    one, other = (rng.choice(items), rng.choice(items)) if items else (None, None)
    match rng.randrange(8):
        case 0 if len(items) < LONG:
            items = items * rng.randint(2, 3)
        case 1 if len(items) < LONG:
            items = items + rng.choices(items or [None], k=len(items))
        case 2:
            items = []
        case 3:
            items = items[:1] if rng.random() < 0.5 else items[-1:]
        case 4:
            items = [one for _ in items]
        case 5:
            items = [other if place % 2 else one for place in range(len(items))]
        case 6:
            items = sorted(items, key=repr) if isinstance(value, str) else _sorted(items)
        case _:
            items = items[::-1]
    return "".join(items) if isinstance(value, str) else items


def _sorted(items: list[Any]) -> list[Any]:
    try:
        return sorted(items)
    except TypeError:
        return items  # of several types
