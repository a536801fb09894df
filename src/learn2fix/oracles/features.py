"""What trees may ask of a point: sums and differences of two variables, remainders, equalities.

Measured on development subjects: these carry nearly all of the gain over raw values; digit sums,
aggregates and products add nothing. Each literal has a price in bits, so that a complicated one is
chosen only when it explains more than a simple one.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from learn2fix.model import Kind, Point, Scalar, Variable
from learn2fix.oracles.formula import ABSENT, Formula, Is, Not, Number, Op, Terms, linear, modulo, weigh

MODULI = (2, 3, 4, 5, 6, 7, 8, 9, 10)
MOST_PAIRED = 12
"""With more variables than this, only neighbours and pairs with the last one (the output) are compared."""


# Prices of the kinds of literals, in bits; the number of features of a kind is paid for on top.
DIFFERENCE = 1.5
SUM = 2.5
REMAINDER = 2.0
PAIR_REMAINDER = 4.0
EQUALITY = 1.0
RELATION = -2.0
"""x <= y and x == y read better than x <= y + 7, and are more often what a program compares."""


@dataclass(frozen=True, slots=True)
class Feature:
    """A number (or, for a single variable, a text) read off a point."""

    terms: Terms
    modulus: int
    price: float

    def value(self, point: Point) -> Scalar | None:
        if len(self.terms) == 1 and not self.modulus:
            return point[self.terms[0][1]]
        total = weigh(self.terms, point)
        if not self.modulus or total is None:
            return total
        # As in a formula, a fraction leaves no rest.
        return total % self.modulus if total.denominator == 1 else None


@dataclass(frozen=True, slots=True)
class Literal:
    """`feature <= value` for a value in [low, high), or `feature == low`."""

    feature: Feature
    equal: bool
    low: Scalar
    high: Scalar
    price: float

    def formula(self, value: Scalar, positive: bool, numeric: bool) -> Formula:
        """The literal, or its opposite, as a readable condition.

        Where text may stand in place of a number, `not x <= 3` and `x > 3` differ, and only the first is
        the opposite.
        """
        terms = self.feature.terms
        if isinstance(value, str):
            return Is(terms[0][1], value, positive)
        if self.feature.modulus:
            return modulo(terms, self.feature.modulus, int(value), positive)
        if self.equal:
            return linear(terms, "==" if positive else "!=", value)
        op: Op = "<=" if positive or not numeric else ">"
        condition = linear(terms, op, value)
        return condition if positive or numeric else Not(condition)


def features(variables: Sequence[Variable]) -> list[Feature]:
    """All features of points over these variables."""
    count = len(variables)
    numbers = [
        place for place, variable in enumerate(variables) if variable.kind not in (Kind.TEXT, Kind.ANY)
    ]
    whole = [place for place in numbers if variables[place].kind is not Kind.REAL]
    pairs = [
        (a, b)
        for position, a in enumerate(numbers)
        for b in numbers[position + 1 :]
        if count <= MOST_PAIRED or b == a + 1 or b == numbers[-1]
    ]
    whole_pairs = [(a, b) for a, b in pairs if a in whole and b in whole]
    found = [Feature(((1, place),), 0, _bits(count)) for place in range(count)]
    for a, b in pairs:
        found.append(Feature(((1, a), (-1, b)), 0, DIFFERENCE + _bits(len(pairs))))
        found.append(Feature(((1, a), (1, b)), 0, SUM + _bits(len(pairs))))
    for place in whole:
        price = REMAINDER + _bits(len(whole))
        found += [Feature(((1, place),), m, price + 0.25 * math.log2(m)) for m in MODULI]
    for a, b in whole_pairs:
        found.append(Feature(((1, a), (1, b)), 2, PAIR_REMAINDER + _bits(len(whole_pairs))))
    return found


def _bits(count: int) -> float:
    return math.log2(max(count, 1))


def literals(points: Sequence[Point], variables: Sequence[Variable]) -> Iterator[tuple[int, Literal]]:
    """Every literal that tells some points from others, with the points it holds on (as bits)."""
    everything = (1 << len(points)) - 1
    for feature in features(variables):
        at: dict[Number, int] = {}
        texts: dict[str, int] = {}
        for place, point in enumerate(points):
            value = feature.value(point)
            if isinstance(value, str):
                texts[value] = texts.get(value, 0) | 1 << place
            elif value is not None:
                at[value] = at.get(value, 0) | 1 << place
        for text, mask in texts.items():
            if mask != everything and text != ABSENT:
                yield mask, Literal(feature, True, text, text, feature.price)
        ordered = sorted(at)
        below = 0
        pair = len(feature.terms) == 2 and not feature.modulus
        for place, number in enumerate(ordered):
            mask = at[number]
            relation = RELATION if pair and number == 0 else 0.0
            if mask != everything:
                extra = 0.0 if feature.modulus else EQUALITY
                yield mask, Literal(feature, True, number, number, feature.price + extra + relation)
            below |= mask
            if below != everything and not feature.modulus:
                high = ordered[place + 1] if place + 1 < len(ordered) else number + 1
                crossing = RELATION if pair and number <= 0 <= high else 0.0
                yield below, Literal(feature, False, number, high, feature.price + crossing)
