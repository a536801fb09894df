"""Moves each bound of a formula to the middle of the gap that the other literals leave it.

A pool of literals knows only gaps between neighbouring values of all examples. Inside a formula most
examples are decided by other literals, so the gap that a bound must respect is often much wider.
"""

from __future__ import annotations

from learn2fix.model import Kind
from learn2fix.oracles.cuts import cut
from learn2fix.oracles.formula import FALSE, TRUE, And, Formula, Linear, Not, Number, Or, weigh
from learn2fix.oracles.literals import Data


def recentred(formula: Formula, data: Data) -> Formula:
    """Agrees with the formula on all examples."""
    for place, literal in enumerate(formula.literals()):
        if isinstance(literal, Linear) and literal.op not in ("==", "!="):
            moved = _moved(formula, place, literal, data)
            if moved is not None:
                formula = replaced(formula, place, moved)
    return formula


def _moved(formula: Formula, place: int, literal: Linear, data: Data) -> Linear | None:
    if_true, if_false = replaced(formula, place, TRUE), replaced(formula, place, FALSE)
    inside: list[Number] = []
    outside: list[Number] = []
    for point in data.points:
        value = weigh(literal.terms, point)
        if value is not None and if_true.holds(point) != if_false.holds(point):
            (inside if literal.holds(point) else outside).append(value)
    if not inside or not outside:
        return None
    below, above = (inside, outside) if literal.op in ("<=", "<") else (outside, inside)
    low, high = max(below), min(above)
    relation = len(literal.terms) == 2 and literal.bound == 0
    if relation:
        return None  # a <= b is better than any bound on a - b
    whole = (
        type(low) is int
        and type(high) is int
        and all(data.kinds[i] is not Kind.REAL for _, i in literal.terms)
    )
    op, limit = cut(low, high, whole)
    if literal.op in (">", ">="):
        return Linear(literal.terms, ">" if op == "<=" else ">=", limit)
    return Linear(literal.terms, op, limit)


def replaced(formula: Formula, place: int, new: Formula) -> Formula:
    """The formula with its literal number `place`, counted left to right, replaced."""
    return _replaced(formula, place, new)[0]


def _replaced(formula: Formula, place: int, new: Formula) -> tuple[Formula, int]:
    """… and the number of literals still to be passed, negative once it is done."""
    if isinstance(formula, Not):
        part, place = _replaced(formula.part, place, new)
        return Not(part), place
    if isinstance(formula, And | Or):
        parts = []
        for part in formula.parts:
            part, place = _replaced(part, place, new)
            parts.append(part)
        return type(formula)(tuple(parts)), place
    return (new if place == 0 else formula), place - 1
