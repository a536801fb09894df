"""Which inputs make sense, as a condition in words, learned from inputs that were said to make none.

A condition is believed when every input that made sense meets it and one that makes none does not. Of several
that which excludes most is taken first, and the weakest of those, in the order of `conditions`: nothing is
forbidden that nobody spoke of.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from fractions import Fraction
from itertools import permutations, product
from keyword import iskeyword
from typing import Any

from learn2fix.domain.where import Where, parse_where

Values = Sequence[Any]
NUMBERS = (int, float, Fraction)
ROUND = (10**9, 10**6, 10**5, 10**4, 1000, 365, 100, 60, 31, 24, 12, 10, 7)


def conditions(names: Sequence[str], sensible: Sequence[Values]) -> Iterator[Where]:
    """Simple conditions that may tell sense from nonsense, the weakest first."""
    for text in _texts(names, sensible):
        yield parse_where(text, names)


def _texts(names: Sequence[str], sensible: Sequence[Values]) -> Iterator[str]:
    spoken = [
        (place, name) for place, name in enumerate(names) if name.isidentifier() and not iskeyword(name)
    ]
    columns = {name: [values[place] for values in sensible] for place, name in spoken}
    numbers = [n for n, column in columns.items() if all(_number(v) for v in column)]
    long = [n for n, column in columns.items() if all(isinstance(v, list | str) for v in column)]
    lists = [n for n in long if all(isinstance(v, list) and _plain(v) for v in columns[n])]
    for one, other in permutations(long, 2):
        if one < other:
            yield f"len({one}) == len({other})"
    for name in numbers:
        yield f"{name} >= 0"
        yield f"{name} >= 1"
        yield f"{name} != 0"
    for name in long:
        yield f"len({name}) >= 1"
        yield f"len({name}) >= 2"
    for name in lists:
        yield f"min({name}) >= 0"
        yield f"min({name}) >= 1"
    for one, other in permutations(numbers, 2):
        yield f"{one} <= {other}"
        yield f"{one} < {other}"
    for one, other in product(numbers, long):
        yield f"{one} <= len({other})"
    for one, other in product(lists, numbers):
        yield f"max({one}) <= {other}"
        yield f"min({one}) >= -{other}"
    for one, other in product(lists, long):
        if one != other:
            yield f"max({one}) <= len({other})"
    for name in numbers:
        for limit in _limits(columns[name]):
            yield f"{name} <= {limit}"
    for name in long:
        for limit in _limits([len(value) for value in columns[name]]):
            yield f"len({name}) <= {limit}"
    for name in lists:
        for limit in _limits([max(value) for value in columns[name] if value]):
            yield f"max({name}) <= {limit}"
        yield f"{name} == sorted({name})"
        yield f"len(set({name})) == len({name})"
    yield from _as_seen(columns, numbers, long, lists)


def _as_seen(
    columns: Mapping[str, Sequence[Any]], numbers: Sequence[str], long: Sequence[str], lists: Sequence[str]
) -> Iterator[str]:
    """No smaller, larger, shorter or longer than anything that made sense."""
    for name in long:
        yield from (f"len({name}) >= {least}" for least in range(3, min(map(len, columns[name])) + 1))
    for name in numbers:
        yield f"{name} >= {math.floor(min(columns[name]))}"
        yield f"{name} <= {math.ceil(max(columns[name]))}"
    for name in lists:
        items = [item for value in columns[name] for item in value]
        if items:
            yield f"min({name}) >= {math.floor(min(items))}"
            yield f"max({name}) <= {math.ceil(max(items))}"
    for name in long:
        yield f"len({name}) <= {max(map(len, columns[name]))}"


def _plain(value: list[Any]) -> bool:
    return all(map(_number, value))


def _number(value: Any) -> bool:
    return isinstance(value, NUMBERS) and math.isfinite(value)


def _limits(column: Sequence[Any]) -> list[int]:
    """Round numbers that nothing so far exceeds, the largest first: a limit is rarely an odd number."""
    most = max((int(value) for value in column), default=0)
    return [limit for limit in ROUND if limit >= most]


def learned(
    names: Sequence[str], sensible: Sequence[Values], senseless: Sequence[Values]
) -> tuple[Where, ...]:
    """Conditions that together exclude what makes no sense, as far as simple ones can."""
    if not senseless or not sensible:
        return ()
    held = [each for each in conditions(names, sensible) if all(map(each.holds, sensible))]
    found: list[Where] = []
    left = list(senseless)
    while left and held:
        best = max(held, key=lambda each: sum(not each.holds(values) for values in left))
        kept = [values for values in left if best.holds(values)]
        if len(kept) == len(left):
            break
        found.append(best)
        left = kept
    return tuple(found)


def in_words(conditions: Sequence[Where]) -> str:
    return " and ".join(each.text for each in conditions)
