"""Where to draw a line between two numbers: near the middle, at a round number, at zero if signs differ."""

from __future__ import annotations

import math
from fractions import Fraction
from typing import Literal

from learn2fix.oracles.formula import Number, tidy


def cut(low: Number, high: Number, whole: bool) -> tuple[Literal["<=", "<"], Number]:
    """A bound that keeps `low` and rejects `high`; `whole` when nothing lies between neighbouring integers.

    The bound stands in the middle half of the gap, so what it claims about unseen points is about
    equally far from the evidence on both sides; among the numbers there it is the one with the most
    zeros.
    """
    if whole and isinstance(low, int) and isinstance(high, int):
        if low < 0 < high:
            return ("<=", 0) if low + high > 0 else ("<", 0)
        if high - low == 1:
            return ("<", high) if _zeros(high) > _zeros(low) else ("<=", low)
        return "<=", _roundest(low, high)
    if low < 0 < high:
        return "<=", 0
    return "<=", _simplest(Fraction(low), Fraction(high))


def _roundest(low: int, high: int) -> int:
    """The multiple of the greatest power of ten in the middle half, nearest to the middle."""
    first, last = -((-3 * low - high) // 4), (low + 3 * high) // 4
    power: int = 10 ** len(str(max(abs(first), abs(last))))
    while True:
        nearest = (low + high + power) // (2 * power) * power
        for multiple in (nearest, nearest - power, nearest + power):
            if first <= multiple <= last:
                return multiple
        power //= 10


def _simplest(low: Fraction, high: Fraction) -> Number:
    """As _roundest, over the rationals: a round integer, else halves, quarters, then decimals."""
    first, last = (3 * low + high) / 4, (low + 3 * high) / 4
    if math.ceil(first) <= last:
        return _round_within(first, last, (low + high) / 2)
    scale = 2
    while True:
        for factor in (scale, 2 * scale, 5 * scale) if scale == 2 else (scale,):
            if math.ceil(first * factor) <= last * factor:
                middle = (low + high) / 2 * factor
                return tidy(Fraction(_round_within(first * factor, last * factor, middle), factor))
        scale = 100 if scale == 2 else scale * 10


def _round_within(first: Fraction, last: Fraction, middle: Fraction) -> int:
    power: int = 10 ** len(str(max(abs(math.ceil(first)), abs(math.floor(last)))))
    while True:
        nearest = math.floor(middle / power + Fraction(1, 2)) * power
        for multiple in (nearest, nearest - power, nearest + power):
            if first <= multiple <= last:
                return multiple
        power //= 10


def _zeros(value: int) -> float:
    """Roundness of an integer: its number of trailing zeros; zero is the roundest."""
    if value == 0:
        return math.inf
    digits = str(abs(value))
    return len(digits) - len(digits.rstrip("0"))
