"""A condition at once: split the points in two until each part is of one kind, and list the failing parts.

This is what the SMT(LRA) learner gives back when its work is spent before it has found anything. It is right
on all distinct points, takes time about linear in their number, and is longer than need be.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import pairwise

from learn2fix.model import Kind, Scalar
from learn2fix.oracles.cuts import cut
from learn2fix.oracles.formula import Formula, Is, Linear, Number, conjunction, disjunction
from learn2fix.oracles.literals import Data

Path = dict[tuple[int, str], Formula]
"""What holds in a part: the tightest bounds of each variable, and what text it is or is not."""

GREEDY_DEPTH = 12
"""Depth from which on points are halved: the best split may peel off one point at a time."""


def partitioned(data: Data) -> Formula:
    """A disjunction of boxes that holds on exactly the failing points."""
    cases: list[Formula] = []
    stack: list[tuple[list[int], Path, int]] = [(list(range(len(data.points))), {}, 0)]
    while stack:
        places, path, depth = stack.pop()
        failing = sum(data.failing >> place & 1 for place in places)
        if failing == len(places):
            cases.append(conjunction(path.values()))
        elif failing:
            inside, outside, literal, opposite = _best_split(data, places, depth)
            stack.append((outside, _narrowed(path, opposite), depth + 1))
            stack.append((inside, _narrowed(path, literal), depth + 1))
    return disjunction(cases)


def _best_split(data: Data, places: list[int], depth: int) -> tuple[list[int], list[int], Formula, Formula]:
    """The points on either side, and what each side has in common."""
    total, failing = len(places), sum(data.failing >> place & 1 for place in places)
    best: tuple[float, int, Side] | None = None
    for index in range(data.width):
        for size, bad, side in _splits(data, places, index):
            imbalance = abs(total - 2 * size)
            impurity = bad * (size - bad) / size
            impurity += (failing - bad) * (total - size - failing + bad) / (total - size)
            score = impurity if depth < GREEDY_DEPTH else 0.0
            if best is None or (score, imbalance) < best[:2]:
                best = score, imbalance, side
    if best is None:
        raise ValueError("equal points have different labels")
    literal, opposite = _made(best[2])
    inside = [place for place in places if literal.holds(data.points[place])]
    outside = [place for place in places if not literal.holds(data.points[place])]
    return inside, outside, literal, opposite


Side = tuple[int, str] | tuple[int, Number, Number, bool]
"""A variable, and the text it is; or the numbers between which it is cut, and whether all are whole."""


def _made(side: Side) -> tuple[Formula, Formula]:
    if len(side) == 2:
        return Is(*side), Is(*side, equal=False)
    index, low, high, whole = side
    op, limit = cut(low, high, whole)
    terms = ((1, index),)
    return Linear(terms, op, limit), Linear(terms, ">" if op == "<=" else ">=", limit)


def _splits(data: Data, places: list[int], index: int) -> Iterator[tuple[int, int, Side]]:
    """The number of points inside, the number of those that fail, and where the split is.

    By text first; bounds only where all are numbers, so that one side's literal is the other's
    opposite.
    """
    counts: dict[Scalar, tuple[int, int]] = {}
    for place in places:
        value = data.points[place][index]
        size, bad = counts.get(value, (0, 0))
        counts[value] = size + 1, bad + (data.failing >> place & 1)
    texts = sorted(value for value in counts if isinstance(value, str))
    if texts:
        for text in texts:
            if counts[text][0] < len(places):
                yield *counts[text], (index, text)
        return
    numbers = sorted(value for value in counts if not isinstance(value, str))
    whole = all(type(value) is int for value in numbers) and data.kinds[index] is not Kind.REAL
    size = bad = 0
    for low, high in pairwise(numbers):
        size, bad = size + counts[low][0], bad + counts[low][1]
        yield size, bad, (index, low, high, whole)


def _narrowed(path: Path, literal: Formula) -> Path:
    """Later bounds on the same side are tighter, so they replace the earlier ones."""
    match literal:
        case Linear(terms, op, _):
            return {**path, (terms[0][1], op[0]): literal}
        case Is(variable, text, True):
            return {**{k: v for k, v in path.items() if k[0] != variable}, (variable, "is"): literal}
        case Is(variable, text, _):
            return {**path, (variable, f"not {text}"): literal}
        case _:
            raise TypeError(f"not a split: {literal!r}")
