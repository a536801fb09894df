"""Numbers and lengths brought into a range."""

from __future__ import annotations

import math
from fractions import Fraction
from typing import Any

from learn2fix.domain.ranges import Range


def is_number(value: Any) -> bool:
    return isinstance(value, int | float | Fraction) and not isinstance(value, bool) and value - value == 0


def folded(value: Any, within: Range) -> Any:
    """A number of the same type within a range: the other sign, or the remainder; others as they are."""
    low, high = within.low, within.high
    if not is_number(value) or within.holds(value):
        return value
    if within.holds(-value):
        return -value
    if low is not None and high is not None and isinstance(value, int):
        least = math.ceil(low)
        return least + (value - least) % (math.floor(high) - least + 1) if high >= least else value
    return type(value)(low if low is not None and value < low else high)


def fitted(value: Any, lengths: Range) -> Any:
    """A text or list, cut or repeated until its length is right."""
    low, high = int(lengths.low or 0), lengths.high
    if high is not None and len(value) > high:
        return value[: int(high)]
    if value and len(value) < low:
        return (value * -(-low // len(value)))[:low]
    return value
