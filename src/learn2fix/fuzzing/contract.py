"""What inputs usually look like, read off the inputs that are known: sign and magnitude of each position.

A contract is soft. It says where most questions should be asked, not what is impossible: a person knows
answers for the kind of input that occurs, and the bug shows there.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

from learn2fix.domain.ranges import Range, numbers_in


@dataclass(frozen=True, slots=True)
class Contract:
    """What is usual at each position."""

    bounds: tuple[Range, ...] = ()

    def widened(self, factor: int) -> Contract:
        """Larger numbers of the same sign."""
        if factor == 1:
            return self
        return Contract(
            tuple(
                Range(
                    each.low * factor if each.low is not None and each.low < 0 else each.low,
                    each.high * factor if each.high is not None and each.high > 0 else each.high,
                )
                for each in self.bounds
            )
        )

    def holds(self, values: Sequence[Any]) -> bool:
        return all(bounds.covers(value) for value, bounds in zip(values, self.bounds, strict=False))


def infer(known: Sequence[Sequence[Any]]) -> Contract:
    """The usual sign and magnitude: as many digits as the largest known, no sign that never occurred.

    Zero belongs to the usual inputs when it is known, or when numbers below it are; a position whose numbers
    are all positive starts at one.
    """
    if not known:
        return Contract()
    bounds: list[Range] = []
    for column in zip(*known, strict=False):
        numbers = [number for value in column for number in numbers_in(value)]
        if not numbers:
            bounds.append(Range())
            continue
        ordered: list[Fraction] = sorted(Fraction(v) for v in numbers)
        least, largest = ordered[0], ordered[-1]
        reach = 10 ** len(str(int(max(-least, largest))))
        if least > 0 and not all(isinstance(v, int | Fraction) for v in column):
            # In a list, zero is one of the usual numbers.
            bounds.append(Range(0, reach))
        elif least > 0:
            bounds.append(Range(1 if all(isinstance(v, int) for v in numbers) else 0, reach))
        elif least == 0:
            bounds.append(Range(0, reach))
        else:
            bounds.append(Range(-reach, reach if largest > 0 else 0))
    return Contract(tuple(bounds))
