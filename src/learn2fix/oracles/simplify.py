"""Shorter formulas of the same meaning on every point; rules that would be wrong on text are not applied."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable

from learn2fix.oracles.formula import (
    COMPARE,
    FALSE,
    TRUE,
    And,
    Formula,
    Is,
    Linear,
    Mod,
    Not,
    Op,
    Or,
    conjunction,
    disjunction,
)


def simplified(formula: Formula) -> Formula:
    """An equivalent formula (on every point, text included) that is no longer."""
    while (shorter := _pass(formula)) != formula:
        formula = shorter
    return formula


def _pass(formula: Formula) -> Formula:
    match formula:
        case And(parts):
            return _and(_pass(part) for part in parts)
        case Or(parts):
            return _or(_pass(part) for part in parts)
        case Not(part):
            return negation(_pass(part))
        case _:
            return formula


def negation(formula: Formula) -> Formula:
    """Not, pushed inwards as far as that is right on text as well."""
    match formula:
        case And(parts):
            return disjunction(negation(part) for part in parts)
        case Or(parts):
            return conjunction(negation(part) for part in parts)
        case Not(part):
            return part
        case Linear(terms, "==", limit):
            return Linear(terms, "!=", limit)
        case Linear(terms, "!=", limit):
            return Linear(terms, "==", limit)
        case Mod(terms, modulus, rest, equal):
            return Mod(terms, modulus, rest, not equal)
        case Is(variable, value, equal):
            return Is(variable, value, not equal)
        case _:
            return Not(formula)


def _and(parts: Iterable[Formula]) -> Formula:
    kept = _reduced(_flat(parts, And), implies, And)
    if any(part == FALSE for part in kept) or any(excludes(x, y) for x in kept for y in kept):
        return FALSE
    if len(kept) == 2 and all(isinstance(part, Or) for part in kept):
        return _factored(kept, Or)
    return conjunction(kept)


def _or(parts: Iterable[Formula]) -> Formula:
    kept = _reduced(_flat(parts, Or), lambda x, y: implies(y, x), Or)
    if any(part == TRUE for part in kept) or any(covers(x, y) for x in kept for y in kept):
        return TRUE
    return _factored(kept, And)


def _flat(parts: Iterable[Formula], kind: type[And] | type[Or]) -> list[Formula]:
    flat: list[Formula] = []
    for part in parts:
        flat += part.children if isinstance(part, kind) else [part]
    return list(dict.fromkeys(flat))


def _reduced(
    parts: list[Formula], redundant: Callable[[Formula, Formula], bool], kind: type[And] | type[Or]
) -> list[Formula]:
    """Joins pairs of bounds, then drops every part that another one makes redundant."""
    joined = True
    while joined:
        joined = False
        for i, x in enumerate(parts):
            for j, y in enumerate(parts):
                if i < j and (both := _joined(x, y, kind)) is not None:
                    parts = [both if k == i else part for k, part in enumerate(parts) if k != j]
                    joined = True
                    break
            if joined:
                break
    for part in reversed(parts):
        others = [other for other in parts if other is not part]
        if any(redundant(other, part) for other in others):
            parts = others
    return parts


def _joined(x: Formula, y: Formula, kind: type[And] | type[Or]) -> Formula | None:
    """a <= 3 and a >= 3 is a == 3; a <= 3 and a != 3 is a < 3; a < 3 or a == 3 is a <= 3."""
    if not (isinstance(x, Linear) and isinstance(y, Linear) and x.terms == y.terms and x.bound == y.bound):
        return None
    pair = {x.op, y.op}
    table: dict[frozenset[Op], Op]
    if kind is And:
        table = {
            frozenset({"<=", ">="}): "==",
            frozenset({"<=", "!="}): "<",
            frozenset({">=", "!="}): ">",
        }
    else:
        table = {frozenset({"<", "=="}): "<=", frozenset({">", "=="}): ">="}
    op = table.get(frozenset(pair))
    return None if op is None else Linear(x.terms, op, x.bound)


def _factored(parts: list[Formula], inner: type[And] | type[Or]) -> Formula:
    """(a and b) or (a and c) is a and (b or c); the dual for a product of two sums."""
    outer = disjunction if inner is And else conjunction
    if len(parts) < 2 or not all(isinstance(part, inner) for part in parts):
        return outer(parts)
    common = [part for part in parts[0].children if all(part in other.children for other in parts[1:])]
    if not common:
        return outer(parts)
    wrap = conjunction if inner is And else disjunction
    rests = [wrap(child for child in part.children if child not in common) for part in parts]
    return wrap([*common, outer(rests)])


def implies(x: Formula, y: Formula) -> bool:
    """Certainly, wherever x holds, y does. May answer no when it is true."""
    if x in (y, FALSE) or y == TRUE:
        return True
    match x, y:
        case Or(parts), _ if parts:
            return all(implies(part, y) for part in parts)
        case _, And(parts) if parts:
            return all(implies(x, part) for part in parts)
        case And(parts), _ if any(implies(part, y) for part in parts):
            return True
        case _, Or(parts) if any(implies(x, part) for part in parts):
            return True
        case Linear(), Linear():
            return x.terms == y.terms and _bound_implies(x, y)
        case Linear(terms, "==", limit), Mod():
            return terms == y.terms and (limit % y.modulus == y.rest) == y.equal
        case Mod(equal=True), Linear(terms, "!=", limit):
            return terms == x.terms and limit % x.modulus != x.rest
        case Mod(equal=True), Mod():
            if x.terms != y.terms:
                return False
            if y.equal:
                return x.modulus % y.modulus == 0 and x.rest % y.modulus == y.rest
            return _disjoint(x, y)
        case Mod(equal=False), Mod(equal=False):
            return x.terms == y.terms and y.modulus % x.modulus == 0 and y.rest % x.modulus == x.rest
        case Is(equal=True), Linear(terms, "!=", _):
            return any(index == x.variable for _, index in terms)
        case Is(equal=True), Mod(equal=False):
            return any(index == x.variable for _, index in y.terms)
        case Is(equal=True), Is(equal=False):
            return x.variable == y.variable and x.value != y.value
        case _, Is(equal=False):
            return _numeric(x, y.variable)
        case _:
            return False


def excludes(x: Formula, y: Formula) -> bool:
    """Certainly, no point satisfies both."""
    return implies(x, negation(y)) or _gap(x, y)


def covers(x: Formula, y: Formula) -> bool:
    """Certainly, every point satisfies one of them."""
    return implies(negation(x), y)


def _gap(x: Formula, y: Formula) -> bool:
    """Bounds that leave nothing between them; both are false on text, so this is right there too."""
    match x, y:
        case Linear(op="<=" | "<" | "=="), Linear(op=">=" | ">" | "==") if x.terms == y.terms:
            if x.bound == y.bound:
                return "<" in (x.op, y.op) or ">" in (x.op, y.op)
            return x.bound < y.bound
        case Linear(op="=="), Linear(op="==") if x.terms == y.terms:
            return x.bound != y.bound
        case _:
            return False


def _bound_implies(x: Linear, y: Linear) -> bool:
    """For two constraints on the same sum."""
    if y.op == "!=":
        # Nothing but a different sum is needed, and text is welcome.
        return not COMPARE[x.op](y.bound, x.bound) if x.op != "!=" else x.bound == y.bound
    if x.op == "==":
        return COMPARE[y.op](x.bound, y.bound)
    if x.op == "!=" or y.op == "==" or x.op[0] != y.op[0]:
        return False
    inside = x.bound < y.bound if x.op[0] == "<" else x.bound > y.bound
    return inside or (x.bound == y.bound and (x.op == y.op or len(y.op) == 2))


def _disjoint(x: Mod, y: Mod) -> bool:
    """x % 4 == 1 and x % 6 == 0 have no common number, for the rests differ modulo 2."""
    return (x.rest - y.rest) % math.gcd(x.modulus, y.modulus) != 0


def _numeric(formula: Formula, variable: int) -> bool:
    """Whether it holds only where the variable is a number."""
    match formula:
        case Linear(terms, op, _):
            return op != "!=" and any(index == variable for _, index in terms)
        case Mod(terms, _, _, equal):
            return equal and any(index == variable for _, index in terms)
        case _:
            return False
