"""What inputs usually look like, read off the known ones: each value, and how two of them compare.

A contract is soft. It says where most questions should be asked, not what is impossible: a person knows
answers for the kind of input that occurs, and the bug shows there.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from enum import StrEnum
from fractions import Fraction
from itertools import product
from typing import Any

from learn2fix.domain.ranges import Range, numbers_in
from learn2fix.fuzzing.fitting import fitted, folded
from learn2fix.fuzzing.traits import COINCIDENCE
from learn2fix.fuzzing.usual import Numbers, Usual, magnitude, usual, widened

LIKELY = 6
"""How much likelier it is that a number is at most the length of a list because it is an index."""


class Link(StrEnum):
    SAME_LENGTH = "as long as"
    AT_MOST = "no number larger than"
    WITHIN_LENGTH = "from 1 to the length of"


@dataclass(frozen=True, slots=True)
class Relation:
    """How the values at two positions stand to each other."""

    one: int
    link: Link
    other: int

    def holds(self, values: Sequence[Any]) -> bool:
        one, other = values[self.one], values[self.other]
        if one is None or other is None:
            return True
        match self.link:
            case Link.SAME_LENGTH:
                return len(one) == len(other)
            case Link.AT_MOST:
                return all(number <= other for number in numbers_in(one))
            case Link.WITHIN_LENGTH:
                return all(1 <= number <= len(other) for number in numbers_in(one))

    def mended(self, values: Sequence[Any]) -> Any:
        """What the first value has to be."""
        one, other = values[self.one], values[self.other]
        match self.link:
            case Link.SAME_LENGTH:
                return fitted(one, Range(len(other), len(other)))
            case Link.AT_MOST:
                low = 0 if min(numbers_in(one), default=0) == 0 else 1
                return _each(one, Range(low, other))
            case Link.WITHIN_LENGTH:
                return _each(one, Range(1, len(other)))


@dataclass(frozen=True, slots=True)
class Contract:
    bounds: tuple[Range, ...] = ()
    """Sign and magnitude of the numbers at each position."""
    values: tuple[Usual, ...] = ()
    """What else is usual of each, where it is more than a number."""
    relations: tuple[Relation, ...] = ()

    def widened(self, times: int) -> Contract:
        """Larger and longer, step by step; what is hardly more than a habit goes first."""
        if not times:
            return self
        return Contract(
            tuple(widened(each, times) for each in self.bounds),
            tuple(each.widened(times) for each in self.values),
            tuple(each for each in self.relations if each.link is Link.SAME_LENGTH),
        )

    def far(self) -> Contract:
        """Any magnitude and length, of the same signs and order."""
        return replace(
            self,
            bounds=tuple(Numbers(each).far().within for each in self.bounds),
            values=tuple(each.far() for each in self.values),
        )

    def allowing(self, values: Sequence[Any]) -> Contract:
        """Without what this input refutes, which made sense to a person. Bounds of plain numbers stay."""
        return replace(
            self,
            bounds=tuple(
                Numbers(within).allowing(value).within if composed(value) else within
                for within, value in zip(self.bounds, values, strict=True)
            ),
            values=tuple(each.allowing(value) for each, value in zip(self.values, values, strict=False)),
            relations=tuple(each for each in self.relations if each.holds(values)),
        )

    def holds(self, values: Sequence[Any]) -> bool:
        return (
            all(bounds.covers(value) for value, bounds in zip(values, self.bounds, strict=False))
            and all(each.holds(value) for value, each in zip(values, self.values, strict=False))
            and all(each.holds(values) for each in self.relations)
        )

    def mended(self, values: Sequence[Any]) -> tuple[Any, ...]:
        """An input nearby that mostly holds; numbers that stand alone are left as they are."""
        if not self.values:
            return tuple(values)
        new = list(values)
        for relation in self.relations:
            if relation.link is Link.SAME_LENGTH and not relation.holds(new):
                new[relation.one] = relation.mended(new)
        new = [self.values[place].mended(v) if composed(v) else v for place, v in enumerate(new)]
        for relation in self.relations:
            if not relation.holds(new):
                new[relation.one] = relation.mended(new)
        return tuple(new)


def infer(
    known: Sequence[Sequence[Any]], senseless: Sequence[Sequence[Any]] = (), letters: str = ""
) -> Contract:
    """What all known inputs have in common, and hardly by coincidence.

    `senseless` are inputs of which a person said so: what they do not have was no coincidence. `letters` are
    usual in texts besides those that are known.
    """
    if not known:
        return Contract()
    columns = list(zip(*known, strict=False))
    others = list(zip(*senseless, strict=True)) or [()] * len(columns)
    if not any(composed(value) for column in columns for value in column):
        return Contract(tuple(magnitude_of(column) for column in columns))
    found = tuple(
        usual(column, other, letters=letters) for column, other in zip(columns, others, strict=True)
    )
    bounds = tuple(
        each.within if isinstance(each, Numbers) else magnitude_of(column)
        for each, column in zip(found, columns, strict=True)
    )
    relations = {
        relation
        for relation, chance in _relations(columns)
        if chance <= COINCIDENCE or not all(relation.holds(values) for values in senseless)
    }
    # A bound that is itself bounded by the length would tie everything to everything.
    kept = (
        each
        for each in relations
        if each.link is not Link.WITHIN_LENGTH
        or Relation(each.other, Link.AT_MOST, each.one) not in relations
    )
    return Contract(bounds, found, tuple(sorted(kept, key=lambda each: (each.link, each.one, each.other))))


def _relations(columns: Sequence[Sequence[Any]]) -> Iterator[tuple[Relation, float]]:
    """What all known inputs have, each with the chance that it is a coincidence."""
    long = [place for place, column in enumerate(columns) if all(isinstance(v, list | str) for v in column)]
    whole = [place for place, column in enumerate(columns) if all(type(v) is int for v in column)]
    for one, other in product(long, long):
        pairs = {(len(a), len(b)) for a, b in zip(columns[one], columns[other], strict=True)}
        if other < one and all(a == b for a, b in pairs):
            alike = type(columns[one][0]) is type(columns[other][0])
            telling = len(pairs) > 1 or (alike and max(pairs)[0] > 2)
            yield Relation(one, Link.SAME_LENGTH, other), 0.0 if telling else 1.0
    for one, other in product(long, whole):
        if math.isfinite(chance := _chance(columns[one], columns[other])):
            yield Relation(one, Link.AT_MOST, other), chance
    for one, other in product((*whole, *long), long):
        if one == other or any(number < 1 for value in columns[one] for number in numbers_in(value)):
            continue
        if math.isfinite(chance := _chance(columns[one], list(map(len, columns[other])))):
            # Of a single number that is at most the length of a list, that is mostly no coincidence.
            yield Relation(one, Link.WITHIN_LENGTH, other), chance / LIKELY if one in whole else chance


def _chance(column: Sequence[Any], most: Sequence[Any]) -> float:
    """The chance that all numbers are at most what is said for their input, without a reason."""
    pairs = zip(column, most, strict=True)
    return math.prod((_below(list(numbers_in(value)), limit) for value, limit in pairs), start=1.0)


def _below(numbers: Sequence[Any], most: Any) -> float:
    """The chance that positive numbers are all at most this without a reason; infinite where they are not."""
    if not numbers:
        return 1.0
    if not isinstance(most, int) or min(numbers) < 0 or max(numbers) > most:
        return math.inf
    reach = 10 ** len(str(int(max(numbers))))
    return float(min(1.0, most / reach) ** len(numbers))


def magnitude_of(column: Sequence[Any]) -> Range:
    """Of all numbers at one position, however deep."""
    plain = all(isinstance(value, int | float | Fraction) for value in column)
    return magnitude(list(numbers_in(list(column))), zero=not plain)


def composed(value: Any) -> bool:
    """Whether it is more than a number or a truth value."""
    return isinstance(value, str | list | tuple | dict | set | frozenset)


def _each(value: Any, within: Range) -> Any:
    if isinstance(value, list | tuple):
        return type(value)(_each(item, within) for item in value)
    return folded(value, within)
