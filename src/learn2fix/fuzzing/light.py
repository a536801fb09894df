"""Inputs on which the program works about as long as on the failing ones.

A recursive function may take ages for a number that is only ten times larger. Such inputs hold up every
candidate that is run on them, and no person knows the answer.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence
from fractions import Fraction
from itertools import combinations
from typing import Any

from learn2fix.fuzzing.fuzzer import Fuzzer
from learn2fix.model import Input

BATCH = 8
TRIES = 4
"""Maximum number of inputs looked at, as a multiple of the number wanted."""


class Light:
    """Takes inputs from a fuzzer, and leads it away from what turns out to be heavy.

    `work` is counted, not timed, so that the same seed gives the same inputs on any machine.
    """

    def __init__(self, fuzzer: Fuzzer, work: Callable[[Sequence[Input]], Sequence[int]], most: int) -> None:
        self._fuzzer, self._work, self._most = fuzzer, work, most
        self._heavy: list[tuple[Any, ...]] = []

    def take(self, count: int) -> list[Input]:
        taken: list[Input] = []
        looked = 0
        while len(taken) < count and looked < TRIES * count:
            batch = self._fuzzer.take(min(BATCH, count - len(taken)))
            if not batch:
                break
            looked += len(batch)
            batch = [given for given in batch if not self._too_heavy(given.values)]
            for given, work in zip(batch, self._work(batch), strict=True):
                if work <= self._most:
                    taken.append(given)
                else:
                    self._heavy.append(given.values)
                    self._fuzzer.avoid(self._too_heavy)
        return taken

    def _too_heavy(self, values: tuple[Any, ...]) -> bool:
        return any(at_least(values, heavy) for heavy in self._heavy)


def at_least(values: Sequence[Any], other: Sequence[Any]) -> bool:
    """Whether every value is as large as, or longer than, its counterpart."""
    return len(values) == len(other) and all(map(_as_large, values, other))


def _as_large(one: Any, other: Any) -> bool:
    if isinstance(one, bool) or isinstance(other, bool):
        return bool(one == other)
    if isinstance(one, int | float | Fraction) and isinstance(other, int | float | Fraction):
        return one >= other if other >= 0 else one <= other
    if isinstance(one, str | bytes | list | tuple | dict | set | frozenset) and type(one) is type(other):
        # Of what is equally long, only what is inside can make it heavier.
        if isinstance(one, list | tuple) and isinstance(other, list | tuple) and len(one) == len(other):
            return at_least(one, other)
        return len(one) >= len(other)
    return bool(one == other)


Traits = tuple[tuple[int, str], ...]
FEW_VALUES = 12
"""Of longer inputs only the first values are looked at."""


class Hangs:
    """What inputs that never end have in common: one value, or two, that no input has that did end."""

    TWICE = 2

    def __init__(self) -> None:
        self._ended: set[Traits] = set()
        self._hung: Counter[Traits] = Counter()

    def note(self, values: Sequence[Any], hung: bool) -> None:
        if hung:
            self._hung.update(_traits(values))
        else:
            self._ended.update(_traits(values))

    def likely(self, values: Sequence[Any]) -> bool:
        """Whether an input is like at least two that hung, and like none that ended."""
        if not self._hung:
            return False
        return any(self._hung[t] >= self.TWICE and t not in self._ended for t in _traits(values))


def _traits(values: Sequence[Any]) -> list[Traits]:
    each = [(place, repr(value)) for place, value in enumerate(values[:FEW_VALUES])]
    return [(one,) for one in each] + list(combinations(each, 2))
