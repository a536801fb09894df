"""What inputs usually look like, read off the inputs that are known: sign and magnitude of each position.

A contract is soft. It says where most questions should be asked, not what is impossible: a person knows
answers for the kind of input that occurs, and the bug shows there.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any, Protocol


class Span(Protocol):
    """What a number at one position may be."""

    def holds(self, value: int | Fraction) -> bool: ...


@dataclass(frozen=True, slots=True)
class Usual:
    """The least and the largest usual number; None is no end."""

    low: int | Fraction | None = None
    high: int | Fraction | None = None

    def holds(self, value: int | Fraction) -> bool:
        return (self.low is None or value >= self.low) and (self.high is None or value <= self.high)


@dataclass(frozen=True, slots=True)
class Contract:
    """What is usual at each position."""

    bounds: tuple[Usual, ...] = ()

    def widened(self, factor: int) -> Contract:
        """Larger numbers of the same sign."""
        if factor == 1:
            return self
        return Contract(
            tuple(
                Usual(
                    each.low * factor if each.low is not None and each.low < 0 else each.low,
                    each.high * factor if each.high is not None and each.high > 0 else each.high,
                )
                for each in self.bounds
            )
        )

    def holds(self, values: Sequence[Any]) -> bool:
        return all(within(value, bounds) for value, bounds in zip(values, self.bounds, strict=False))


def within(value: Any, bounds: Span) -> bool:
    """Of a collection, the numbers in it; text and truth values have no bounds."""
    if isinstance(value, bool) or not isinstance(value, int | float | Fraction | list | tuple | dict):
        return True
    if isinstance(value, list | tuple):
        return all(within(each, bounds) for each in value)
    if isinstance(value, dict):
        return all(within(each, bounds) for each in value.values())
    return value - value != 0 or bounds.holds(Fraction(value))


def numbers_in(value: Any) -> Iterator[int | Fraction]:
    """The numbers in a value of a program, however deep."""
    if isinstance(value, list | tuple):
        for each in value:
            yield from numbers_in(each)
    elif isinstance(value, dict):
        for each in value.values():
            yield from numbers_in(each)
    elif isinstance(value, int | float | Fraction) and not isinstance(value, bool) and value - value == 0:
        yield value if isinstance(value, int) else Fraction(value)


def infer(known: Sequence[Sequence[Any]]) -> Contract:
    """The usual sign and magnitude: as many digits as the largest known, no sign that never occurred.

    Zero belongs to the usual inputs when it is known, or when numbers below it are; a position whose numbers
    are all positive starts at one.
    """
    if not known:
        return Contract()
    bounds: list[Usual] = []
    for column in zip(*known, strict=False):
        numbers = [number for value in column for number in numbers_in(value)]
        if not numbers:
            bounds.append(Usual())
            continue
        ordered: list[Fraction] = sorted(Fraction(v) for v in numbers)
        least, largest = ordered[0], ordered[-1]
        reach = 10 ** len(str(int(max(-least, largest))))
        if least > 0 and not all(isinstance(v, int | Fraction) for v in column):
            # In a list, zero is one of the usual numbers.
            bounds.append(Usual(0, reach))
        elif least > 0:
            bounds.append(Usual(1 if all(isinstance(v, int) for v in numbers) else 0, reach))
        elif least == 0:
            bounds.append(Usual(0, reach))
        else:
            bounds.append(Usual(-reach, reach if largest > 0 else 0))
    return Contract(tuple(bounds))
