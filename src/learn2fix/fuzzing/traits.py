"""What a list is as a whole: sorted, distinct, a permutation, indices, a table."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from enum import StrEnum
from itertools import pairwise
from typing import Any

from learn2fix.domain.ranges import Range
from learn2fix.fuzzing.fitting import fitted, folded, is_number

COINCIDENCE = 0.1
"""Chance above which what all known values have in common may be a coincidence."""
TIDY = 0.3
"""Chance at least that one list is sorted or distinct for no other reason than that somebody wrote it so."""
OFTEN = 3
"""Minimum number of elements or values to look for what they have in common."""


class Trait(StrEnum):
    """What a list is as a whole."""

    PERMUTATION = "the numbers from 1 to its length"
    PERMUTATION_FROM_ZERO = "the numbers from 0 to its length - 1"
    INDICES = "each from 1 to its length"
    INDICES_FROM_ZERO = "each from 0 to its length - 1"
    DISTINCT = "all different"
    ASCENDING = "sorted"
    DESCENDING = "sorted, largest first"
    TABLE = "all of one length"
    SQUARE = "as many rows as columns"


FIRM = frozenset({Trait.PERMUTATION, Trait.PERMUTATION_FROM_ZERO, Trait.TABLE, Trait.SQUARE})
"""Applied last: programs that expect these traits make no sense without them."""
PERMUTATIONS = {Trait.PERMUTATION: 1, Trait.PERMUTATION_FROM_ZERO: 0}
INDICES = {Trait.INDICES: 1, Trait.INDICES_FROM_ZERO: 0}
FIRST = PERMUTATIONS | INDICES


def traits_of(values: Sequence[list[Any]], against: Sequence[list[Any]] = ()) -> frozenset[Trait]:
    """What all these lists are, and hardly by coincidence: also what one of `against` is not, which made no
    sense."""
    if not any(values):
        return frozenset()  # an empty list has every trait, and says nothing
    found = {
        trait
        for trait in Trait
        if all(has(trait, value) for value in values)
        and (_is_usual(trait, values) or not all(has(trait, value) for value in against))
    }
    # What is sorted without equal neighbours stays so.
    if found & {Trait.ASCENDING, Trait.DESCENDING} and all(has(Trait.DISTINCT, value) for value in values):
        found.add(Trait.DISTINCT)
    return frozenset(found)


def _is_usual(trait: Trait, values: Sequence[list[Any]]) -> bool:
    """Whether what all have is hardly a coincidence."""
    if trait in FIRST and not _telling(FIRST[trait], values):
        return False
    return math.prod((_coincidence(trait, value) for value in values), start=1.0) <= COINCIDENCE


def _telling(first: int, values: Sequence[list[Any]]) -> bool:
    """Whether both ends of the range occur, and not just 1, 2, 3: short lists have such numbers anyway."""
    return (
        any(first in value for value in values)
        and any(first + len(value) - 1 in value for value in values)
        and any(value != list(range(first, first + len(value))) for value in values)
    )


def _coincidence(trait: Trait, value: list[Any]) -> float:
    """The chance that a list has this trait without a reason."""
    n = len(value)
    if not n:
        return 1.0
    if trait is Trait.TABLE:
        chance = 0.1 if isinstance(value[0], list) else 0.3
        return float(chance ** (n - 1)) if len(value[0]) > 1 else 1.0
    if trait in PERMUTATIONS or trait is Trait.SQUARE:
        return 0.0 if n >= OFTEN else 1.0
    if n < 2 or not all(map(is_number, value)):
        return 1.0
    if trait in INDICES:
        reach = 10 ** len(str(int(max(map(abs, value)))))
        return min(1.0, n / reach) ** n if n >= OFTEN else 1.0
    # People like to write examples in order, and without repeating themselves.
    span = float(min(max(value) - min(value) + 1, 10**9))
    distinct = math.prod((max(0.0, 1 - i / span) for i in range(n)), start=1.0)
    chance = distinct if trait is Trait.DISTINCT else 1 / math.factorial(min(n, 20))
    return max(TIDY, chance) if len(set(value)) > 1 else 1.0


def has(trait: Trait, value: list[Any]) -> bool:
    n = len(value)
    if trait in (Trait.TABLE, Trait.SQUARE):
        if not all(isinstance(each, str | list) for each in value):
            return False
        widths = set(map(len, value))
        return len(widths) <= 1 if trait is Trait.TABLE else widths <= {n}
    if not all(map(is_number, value)):
        return not value
    if trait in PERMUTATIONS:
        first = PERMUTATIONS[trait]
        return sorted(value) == list(range(first, first + n))
    if trait in INDICES:
        return all(INDICES[trait] <= each < INDICES[trait] + n for each in value)
    if trait is Trait.DISTINCT:
        return len(set(value)) == n
    up = trait is Trait.ASCENDING
    return all(one <= other if up else one >= other for one, other in pairwise(value))


def given(trait: Trait, value: list[Any], allowed: Callable[[Any], bool]) -> list[Any]:
    """The list with this trait, as much of it as can be kept."""
    if trait in (Trait.TABLE, Trait.SQUARE):
        width = len(value[0]) if trait is Trait.TABLE else len(value)
        return [fitted(row, Range(width, width)) for row in value]
    if not all(map(is_number, value)):
        return value
    if trait in PERMUTATIONS:
        # Each number's rank: the order stays as it is.
        ranks = {place: rank for rank, place in enumerate(sorted(range(len(value)), key=value.__getitem__))}
        return [ranks[place] + PERMUTATIONS[trait] for place in range(len(value))]
    if trait in INDICES:
        within = Range(INDICES[trait], INDICES[trait] + len(value) - 1)
        return [folded(each, within) for each in value]
    if trait is Trait.DISTINCT:
        return _distinct(value, allowed)
    return sorted(value, reverse=trait is Trait.DESCENDING)


def _distinct(value: list[Any], allowed: Callable[[Any], bool]) -> list[Any]:
    taken: set[Any] = set()
    kept = []
    for each in value:
        near = (each + sign * step for step in range(len(value) + 1) for sign in (1, -1))
        free = next((new for new in near if new not in taken and allowed(new)), None)
        if free is not None:
            taken.add(free)
            kept.append(free)
    return kept
