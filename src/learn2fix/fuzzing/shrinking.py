"""Smaller inputs of the same types: shorter lists and texts, numbers nearer to zero, plainer letters."""

from __future__ import annotations

import random
from collections.abc import Iterator, Sequence
from fractions import Fraction
from itertools import islice, zip_longest
from typing import Any

KEEP = 0.3
"""Chance that a list or text stays as long as it is."""
FEW = 8
"""Items that somebody reads at a glance."""
SINGLE = 12
"""Items of a long list that are left out, or made smaller, one at a time."""
MOST = 60
"""Maximum number of variants of one value."""


def smaller(values: Sequence[Any]) -> Iterator[tuple[Any, ...]]:
    """Inputs that differ from this one in one position, in which they are smaller; bold ones first."""
    columns = [[(place, new) for new in _variants(value)] for place, value in enumerate(values)]
    for turn in zip_longest(*columns):
        for place, new in filter(None, turn):
            yield (*values[:place], new, *values[place + 1 :])


def _variants(value: Any) -> list[Any]:
    return [new for new in islice(_smaller(value), MOST) if size(new) < size(value)]


def cut(values: Sequence[Any], rng: random.Random) -> tuple[Any, ...]:
    """A random part of lists and texts; of long ones, mostly few items in their order."""
    return tuple(_part(value, rng) for value in values)


def long(values: Sequence[Any]) -> bool:
    """Whether it takes more than a glance to read them."""
    return any(_leaves(value) > 2 * FEW for value in values)


def _leaves(value: Any) -> int:
    if isinstance(value, str):
        return len(value)
    return sum(map(_leaves, value)) if isinstance(value, list | tuple) else 1


def _part(value: Any, rng: random.Random) -> Any:
    if not isinstance(value, list | str) or not value:
        return value
    if rng.random() >= KEEP:
        value = _taken(value, _places(len(value), rng))
    if not isinstance(value, list) or not any(isinstance(row, list | str) for row in value):
        return value
    rows = all(isinstance(row, list | str) for row in value)
    if rows and len({(type(row), len(row)) for row in value}) == 1 < len(value):
        # The same columns of all rows, so that a table stays one.
        places = _places(len(value[0]), rng)
        return [_taken(row, places) for row in value]
    return [_part(row, rng) for row in value]


def _places(count: int, rng: random.Random) -> list[int]:
    if count < 2:
        return list(range(count))
    few = min(rng.randint(1, count - 1), rng.randint(1, FEW))
    if rng.random() < 0.5:
        start = rng.choice((0, count - few, rng.randint(0, count - few)))
        return list(range(start, start + few))
    return sorted(rng.sample(range(count), few))


def _taken(value: Any, places: Sequence[int]) -> Any:
    kept = [value[place] for place in places]
    return kept if isinstance(value, list) else "".join(kept)


def size(value: Any) -> Fraction:
    """Effort to read the value and to work with it."""
    match value:
        case bool() | None:
            return Fraction(1)
        case int() | Fraction():
            return 1 + abs(Fraction(value)) + (Fraction(1, 2) if value < 0 else 0)
        case float():
            if value - value != 0:
                return Fraction(10**400)
            return 1 + abs(Fraction(value)) + (Fraction(1, 2) if value < 0 else 0)
        case str():
            return Fraction(10**6) * len(value) + sum(map(ord, value))
        case bytes():
            return Fraction(10**6) * len(value)
        case list() | tuple() | set() | frozenset():
            return Fraction(10**6) * (1 + len(value)) + sum((size(each) for each in value), Fraction(0))
        case dict():
            parts = (size(key) + size(each) for key, each in value.items())
            return Fraction(10**6) * (1 + len(value)) + sum(parts, Fraction(0))
        case _:
            return Fraction(10**9)


def _smaller(value: Any) -> Iterator[Any]:
    match value:
        case bool() | None:
            return
        case int():
            yield from (0, 1, 2, 3, value // 10 if value > 0 else -(-value // 10), -value)
            yield value - 1 if value > 0 else value + 1
        case Fraction():
            yield from (Fraction(0), Fraction(1), Fraction(round(value)), -value)
        case float():
            if value - value == 0:
                yield from (0.0, 1.0, float(round(value)), -value)
        case str() | bytes():
            yield from _shorter(value)
            if isinstance(value, str):
                yield from (value.replace(letter, "a") for letter in sorted(set(value)) if letter.isalpha())
        case list():
            yield from _shorter(value)
            yield from _inside(value)
        case tuple():
            # A tuple is mostly a record: its length belongs to its type.
            yield from (tuple(new) for new in _inside(list(value)))
        case set() | frozenset():
            listed = sorted(value, key=repr)
            yield from (type(value)(new) for new in _shorter(listed))
        case dict():
            for key in value:
                yield {other: each for other, each in value.items() if other != key}
            for key, each in value.items():
                yield from ({**value, key: new} for new in _variants(each))


def _shorter(value: Any) -> Iterator[Any]:
    """Halves and tenths, then without a quarter, then without one item."""
    count = len(value)
    if half := count // 2:
        yield value[:half]
        yield value[half:]
    if tenth := count // 10:
        yield value[:tenth]
        yield value[-tenth:]
    if quarter := count // 4:
        yield from (value[:place] + value[place + quarter :] for place in range(0, count, quarter))
    step = max(1, count // SINGLE)
    yield from (value[:place] + value[place + 1 :] for place in range(0, count, step))


def _inside(value: list[Any]) -> Iterator[list[Any]]:
    columns = [[(place, new) for new in _variants(each)] for place, each in enumerate(value[:SINGLE])]
    for turn in zip_longest(*columns):
        for place, new in filter(None, turn):
            yield [*value[:place], new, *value[place + 1 :]]
