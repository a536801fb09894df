"""The pool of literals that a formula may be made of, each with its truth on every example as a bit mask.

Only literals that can matter are made: a bound between two neighbouring values is useful only where the
labels change there, `x == c` only for values of failing points, `x != c` only for values of passing
ones. Of literals that agree on all examples the pool keeps the one that is cheapest to read.
"""

from __future__ import annotations

import itertools
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from learn2fix.model import Kind, Point, Scalar, Variable
from learn2fix.oracles import z3_adapter
from learn2fix.oracles.cuts import cut
from learn2fix.oracles.formula import (
    ABSENT,
    Formula,
    Is,
    Linear,
    Mod,
    Number,
    Op,
    Terms,
    linear,
    linear_cost,
    mod_cost,
    weigh,
)
from learn2fix.oracles.work import Work

Mask = int
"""One bit for each example."""

Maker = Callable[..., Formula]

MODULI = (2, 3, 4, 5, 6, 7, 8, 9, 10)


@dataclass(frozen=True, slots=True)
class Data:
    """Distinct labelled points; failing ones have the low bits."""

    kinds: tuple[Kind, ...]
    points: tuple[Point, ...]
    failing: Mask
    passing: Mask
    features: frozenset[int] = frozenset()
    """Variables that are computed (`len(xs)`): comparing two can be read, adding them up cannot."""

    @property
    def all(self) -> Mask:
        return self.failing | self.passing

    @property
    def width(self) -> int:
        return len(self.kinds)

    def column(self, index: int) -> list[Scalar]:
        return [point[index] for point in self.points]


@dataclass(slots=True)
class Pool:
    """Literals by what they say about the examples."""

    data: Data
    best: dict[Mask, tuple[float, int, Maker, tuple[Any, ...]]]
    """Cost, rank, and how to make the literal: most are never made."""

    @classmethod
    def empty(cls, data: Data) -> Pool:
        return cls(data, {})

    def add(self, cost: float, mask: Mask, maker: Maker, *arguments: Any) -> None:
        """Literals that hold everywhere or nowhere say nothing."""
        if mask in (0, self.data.all):
            return
        known = self.best.get(mask)
        if known is None or cost < known[0] - 1e-9:
            self.best[mask] = (cost, len(self.best) if known is None else known[1], maker, arguments)


def make_data(variables: Sequence[Variable], failing: Iterable[Point], passing: Iterable[Point]) -> Data:
    first, second = sorted(failing, key=order), sorted(passing, key=order)
    low = (1 << len(first)) - 1
    high = ((1 << len(second)) - 1) << len(first)
    features = frozenset(i for i, v in enumerate(variables) if not v.name.isidentifier())
    return Data(tuple(v.kind for v in variables), (*first, *second), low, high, features)


def order(point: Point) -> tuple[tuple[bool, Number, str], ...]:
    """A total order, so that what is learned does not depend on the order of the examples."""
    return tuple((True, 0, value) if isinstance(value, str) else (False, value, "") for value in point)


def simple_terms(width: int) -> Iterator[Terms]:
    for index in range(width):
        yield ((1, index),)


def pair_terms(width: int) -> Iterator[Terms]:
    for i, j in itertools.combinations(range(width), 2):
        yield ((1, i), (-1, j))
        yield ((1, i), (1, j))


def wide_terms(width: int) -> Iterator[Terms]:
    """Sums of three, and pairs with a factor; of many variables only those with the last one, the output."""
    for i, j, k in itertools.combinations(range(width), 3):
        if width > 6 and k < width - 1:
            continue
        for s, t in itertools.product((1, -1), repeat=2):
            yield ((1, i), (s, j), (t, k))
    for i, j in itertools.combinations(range(width), 2):
        for factor in (2, 3, 10) if width <= 6 else (2,):
            for s in (-1, 1):
                yield ((1, i), (s * factor, j))
                yield ((factor, i), (s, j))


def add_texts(pool: Pool) -> None:
    for index in range(pool.data.width):
        column = pool.data.column(index)
        for value in sorted({v for v in column if isinstance(v, str) and v != ABSENT}):
            mask = sum(1 << i for i, v in enumerate(column) if v == value)
            pool.add(1.0, mask, Is, index, value)
            pool.add(1.0, pool.data.all ^ mask, Is, index, value, False)


def add_term(pool: Pool, terms: Terms, moduli: Sequence[int] = (), relations_only: bool = False) -> None:
    """Bounds, equalities and remainders of one sum."""
    data = pool.data
    truths = [data.kinds[index] is Kind.BOOL for _, index in terms]
    if any(truths) and len(terms) > 1 and not (all(truths) and relations_only):
        return  # adding up truth values reads as nothing that a person would say
    if len(terms) > 1 and not relations_only and any(index in data.features for _, index in terms):
        return
    groups: dict[Number, Mask] = {}
    if len(terms) == 1 and terms[0][0] == 1:
        index = terms[0][1]
        for place, point in enumerate(data.points):
            value = point[index]
            if not isinstance(value, str):
                groups[value] = groups.get(value, 0) | 1 << place
    else:
        for place, point in enumerate(data.points):
            total = weigh(terms, point)
            if total is not None:
                groups[total] = groups.get(total, 0) | 1 << place
    if not groups:
        return
    values = sorted(groups)
    whole = all(type(v) is int for v in values) and all(data.kinds[i] is not Kind.REAL for _, i in terms)
    relation = len(terms) == 2 and terms[0][0] == -terms[1][0]
    if relations_only:
        _add_relations(pool, terms, values, groups)
    else:
        _add_bounds(pool, terms, values, groups, whole, relation)
        _add_equalities(pool, terms, groups)
    if whole:
        for modulus in moduli:
            _add_rests(pool, terms, modulus, groups)


def _add_relations(pool: Pool, terms: Terms, values: list[Number], groups: dict[Number, Mask]) -> None:
    """x == y, x != y, x <= y, x < y and their mirrors, wherever the data tell them apart."""
    below = equal = above = 0
    for value in values:
        if value < 0:
            below |= groups[value]
        elif value > 0:
            above |= groups[value]
        else:
            equal = groups[value]
    rest = pool.data.all ^ equal
    ops: list[tuple[Op, Mask]] = [("<=", below | equal), (">=", above | equal), ("<", below), (">", above)]
    if pool.data.kinds[terms[0][1]] is Kind.BOOL:
        ops = []  # truth values are equal or not; neither is the larger one
    for op, mask in [("==", equal), ("!=", rest), *ops]:
        pool.add(linear_cost(terms, op, 0), mask, Linear, terms, op, 0)  # type: ignore[arg-type]


def _add_bounds(
    pool: Pool, terms: Terms, values: list[Number], groups: dict[Number, Mask], whole: bool, relation: bool
) -> None:
    failing, passing = pool.data.failing, pool.data.passing
    numeric = 0
    for mask in groups.values():
        numeric |= mask
    below: Mask = 0
    for low, high in itertools.pairwise(values):
        below |= groups[low]
        union = groups[low] | groups[high]
        if not (union & failing and union & passing):
            continue
        if relation and low <= 0 <= high:
            continue  # x <= y and x < y are in the pool already
        op, limit = cut(low, high, whole)
        cost = linear_cost(terms, op, limit)
        pool.add(cost, below, Linear, terms, op, limit)
        pool.add(cost, numeric ^ below, Linear, terms, ">" if op == "<=" else ">=", limit)


def _add_equalities(pool: Pool, terms: Terms, groups: dict[Number, Mask]) -> None:
    failing, passing = pool.data.failing, pool.data.passing
    # An exact value is a strong claim, so it is expensive while few points support it. Otherwise one failing
    # point would be described by its own numbers, and nothing else would be predicted to fail.
    doubt = 1.0 if len(terms) > 1 else 0.5
    op: Op
    for value, mask in groups.items():
        for op, shown, meant in (("==", mask & failing, mask), ("!=", mask & passing, pool.data.all ^ mask)):
            if shown:
                cost = linear_cost(terms, op, value) + (doubt / shown.bit_count() if value else 0.0)
                pool.add(cost, meant, Linear, terms, op, value)


def _add_rests(pool: Pool, terms: Terms, modulus: int, groups: dict[Number, Mask]) -> None:
    rests: dict[int, Mask] = {}
    for value, mask in groups.items():
        rest = int(value) % modulus
        rests[rest] = rests.get(rest, 0) | mask
    if len(rests) < 2:
        return
    cost = mod_cost(terms, modulus)
    for rest, mask in rests.items():
        pool.add(cost, mask, Mod, terms, modulus, rest)
        if modulus > 2:
            pool.add(cost, pool.data.all ^ mask, Mod, terms, modulus, rest, False)


def parity_terms(data: Data) -> Terms | None:
    """The sum whose parity is the label, if there is one: a linear system modulo 2."""
    width = data.width
    rows = []
    for place, point in enumerate(data.points):
        if not all(type(v) is int for v in point):
            return None
        row = sum((int(v) & 1) << i for i, v in enumerate(point))
        rows.append(row | 1 << width | (data.failing >> place & 1) << (width + 1))
    pivots: list[tuple[int, int]] = []
    for row in rows:
        for bit, pivot in pivots:
            if row >> bit & 1:
                row ^= pivot
        unknowns = row & ((1 << (width + 1)) - 1)
        if not unknowns:
            if row:
                return None
            continue
        bit = (unknowns & -unknowns).bit_length() - 1
        pivots = [(b, p ^ row if p >> bit & 1 else p) for b, p in pivots]
        pivots.append((bit, row))
    chosen = [bit for bit, pivot in pivots if pivot >> (width + 1) & 1 and bit < width]
    return tuple((1, index) for index in sorted(chosen)) or None


def plane_terms(data: Data, want: Mask, avoid: Mask, work: Work) -> Terms | None:
    """A sum, of small whole numbers, that is smaller on all of the one than on any of the other."""
    inside, outside = _vectors(data, want), _vectors(data, avoid)
    if not inside or not outside or z3_adapter.half_plane(inside, outside, None, work) is None:
        return None
    for largest in (3, 12):
        found = z3_adapter.half_plane(inside, outside, largest, work)
        if found is not None:
            constraint = linear([(c, i) for i, c in enumerate(found)], "<=", 0)
            return constraint.terms if isinstance(constraint, Linear) else None
    return None


def _vectors(data: Data, mask: Mask) -> list[list[Number]]:
    """The points of a mask as numbers; none when one of them holds text."""
    vectors: list[list[Number]] = []
    for place, point in enumerate(data.points):
        if mask >> place & 1:
            numbers = [value for value in point if not isinstance(value, str)]
            if len(numbers) < len(point):
                return []
            vectors.append(numbers)
    return vectors
