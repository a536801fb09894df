"""Between which values an input lies: inferred from known inputs, or given as `a=1..100`."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction
from math import isfinite
from typing import Any

from learn2fix.domain.numbers import format_number, parse_number
from learn2fix.errors import UsageError
from learn2fix.model import Input, Kind, Variable


@dataclass(frozen=True, slots=True)
class Range:
    """Both ends belong to it; None is no end."""

    low: int | Fraction | None = None
    high: int | Fraction | None = None

    def holds(self, value: int | Fraction) -> bool:
        return (self.low is None or value >= self.low) and (self.high is None or value <= self.high)

    def covers(self, value: Any) -> bool:
        """Of a collection, all the numbers in it; what has none is in every range."""
        return all(map(self.holds, numbers_in(value)))

    def __str__(self) -> str:
        ends = ("" if end is None else format_number(end) for end in (self.low, self.high))
        return "..".join(ends)


ANYTHING = Range()
LENGTH = re.compile(r"\s*len\(\s*(\w+)\s*\)\s*=")


def numbers_in(value: Any) -> Iterator[int | Fraction]:
    """The finite numbers in a value, however deeply nested; truth values do not count."""
    if isinstance(value, list | tuple | set | frozenset):
        for each in value:
            yield from numbers_in(each)
    elif isinstance(value, dict):
        yield from numbers_in(list(value.values()))
    elif isinstance(value, int | Fraction) and not isinstance(value, bool):
        yield value
    elif isinstance(value, float) and isfinite(value):
        yield Fraction(value)


def letters_in(value: Any) -> Iterator[str]:
    """The characters of the texts in a value of a program, however deep."""
    if isinstance(value, str):
        yield from value
    elif isinstance(value, list | tuple | set | frozenset):
        for each in value:
            yield from letters_in(each)
    elif isinstance(value, dict):
        yield from letters_in([*value, *value.values()])


def parse_ranges(texts: Iterable[str], variables: Sequence[Variable]) -> tuple[Range, ...]:
    """`a=1..100` for the variable a or `i1`, the first; `1..100` for all; an end left out is open.

    The range of a list, tuple, set or dict is that of every number in it.
    """
    names = [variable.name for variable in variables]
    numbered = [f"i{number}" for number in range(1, len(names) + 1)]
    ranges = [ANYTHING] * len(names)
    for text in texts:
        if LENGTH.match(text):
            continue
        name, found = _range(text)
        if name is None:
            ranges = [found] * len(names)
            continue
        if name not in names and name not in numbered:
            raise UsageError(f"no input is named {name!r}", f"the inputs are {', '.join(names)}")
        place = names.index(name) if name in names else numbered.index(name)
        if variables[place].kind in (Kind.TEXT, Kind.BOOL):
            raise UsageError(
                f"{name} is no number and has no range", f"its length has: --range 'len({name})=1..8'"
            )
        ranges[place] = found
    return tuple(ranges)


def parse_lengths(texts: Iterable[str], variables: Sequence[Variable]) -> tuple[Range, ...]:
    """`len(a)=1..8`: how long a list or text may be."""
    names = [variable.name for variable in variables]
    lengths = [ANYTHING] * len(names)
    for text in texts:
        match = LENGTH.match(text)
        if match is None:
            continue
        name = match[1]
        if name not in names:
            raise UsageError(f"no input is named {name!r}", f"the inputs are {', '.join(names)}")
        if variables[names.index(name)].kind not in (Kind.TEXT, Kind.ANY):
            raise UsageError(f"{name} is a number and has no length", f"as in --range {name}=1..100")
        lengths[names.index(name)] = _range(text)[1]
    return tuple(lengths)


def _range(text: str) -> tuple[str | None, Range]:
    """The name, None for all inputs, and its range."""
    name, equals, bounds = text.rpartition("=")
    low, dots, high = bounds.partition("..")
    ends = [parse_number(end.strip()) if end.strip() else None for end in (low, high)]
    unreadable = any(end is None and given.strip() for end, given in zip(ends, (low, high), strict=True))
    if not dots or unreadable or (equals and not name.strip()):
        raise UsageError(f"cannot read the range {text!r}", "write it as --range a=1..100 or a=0..")
    if ends[0] is not None and ends[1] is not None and ends[0] > ends[1]:
        raise UsageError(f"the range {text!r} is empty", "the lower end comes first: a=1..100")
    return (name.strip() if equals else None), Range(ends[0], ends[1])


def infer_ranges(inputs: Sequence[Input], variables: Sequence[Variable]) -> tuple[Range, ...]:
    """From the least to the greatest value seen at each numeric position; nothing is known from one input."""
    if len(inputs) < 2:
        return (ANYTHING,) * len(variables)
    ranges = []
    for i, variable in enumerate(variables):
        if variable.kind not in (Kind.INT, Kind.REAL):
            ranges.append(ANYTHING)
            continue
        seen = [known.values[i] for known in inputs]
        ranges.append(Range(min(seen), max(seen)))
    return tuple(ranges)
