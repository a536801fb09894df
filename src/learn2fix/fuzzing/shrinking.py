"""Smaller inputs of the same types: shorter lists and texts, numbers nearer to zero, plainer letters."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from fractions import Fraction
from itertools import islice, zip_longest
from typing import Any

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
    half = len(value) // 2
    if half:
        yield value[:half]
        yield value[half:]
    for place in range(min(len(value), 12)):
        yield value[:place] + value[place + 1 :]


def _inside(value: list[Any]) -> Iterator[list[Any]]:
    for place, each in enumerate(value):
        for new in _variants(each):
            yield [*value[:place], new, *value[place + 1 :]]
