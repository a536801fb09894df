"""Conditions over a Point: an immutable tree of exact literals that prints as Python.

Formula
├── And(parts), Or(parts)     TRUE is the empty And, FALSE the empty Or
├── Not(part)
├── Linear(terms, op, bound)  2*a - b <= 7; small integer coefficients, exact bound
├── Mod(terms, modulus, rest, equal)   (a + b) % 2 == 1
└── Is(variable, value, equal)         out == 'crash'

Every formula has a value on every point. Where a number is wanted and the point holds text, <, <=, >,
>= and == are false, and != is true, as in Python; so Not(a <= 3) and a > 3 differ on text, and nothing
here confuses them.
"""

from __future__ import annotations

import ast
import math
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property, lru_cache
from typing import Literal

from learn2fix.model import Kind, Point, Variable

Number = int | Fraction
Op = Literal["<=", "<", ">=", ">", "==", "!="]
Terms = tuple[tuple[int, int], ...]
"""Pairs (coefficient, index of the variable), by index, no coefficient zero."""

ABSENT = "⟨absent⟩"
"""The value of what a point does not have (the first of no items): no number, and no text to speak of."""

MIRRORED: dict[Op, Op] = {"<=": ">=", "<": ">", ">=": "<=", ">": "<", "==": "==", "!=": "!="}
COMPARE: dict[Op, Callable[[Number, Number], bool]] = {
    "<=": lambda x, y: x <= y,
    "<": lambda x, y: x < y,
    ">=": lambda x, y: x >= y,
    ">": lambda x, y: x > y,
    "==": lambda x, y: x == y,
    "!=": lambda x, y: x != y,
}


class Formula:
    """A condition over points."""

    def holds(self, point: Point) -> bool:
        raise NotImplementedError

    @cached_property
    def cost(self) -> float:
        """How much there is to read; the learner minimises it."""
        return sum(child.cost for child in self.children)

    @property
    def children(self) -> tuple[Formula, ...]:
        return ()

    def text(self, variables: Sequence[Variable]) -> str:
        """As a Python expression over the variables' names."""
        return _text(self, [Truth(v.name) if v.kind is Kind.BOOL else v.name for v in variables], 0)

    def literals(self) -> tuple[Formula, ...]:
        """Every occurrence of a literal, left to right."""
        if not self.children:
            return () if isinstance(self, And | Or) else (self,)
        return tuple(literal for child in self.children for literal in child.literals())


@dataclass(frozen=True)
class And(Formula):
    parts: tuple[Formula, ...] = ()

    def holds(self, point: Point) -> bool:
        return all(part.holds(point) for part in self.parts)

    @property
    def children(self) -> tuple[Formula, ...]:
        return self.parts


@dataclass(frozen=True)
class Or(Formula):
    parts: tuple[Formula, ...] = ()

    def holds(self, point: Point) -> bool:
        return any(part.holds(point) for part in self.parts)

    @property
    def children(self) -> tuple[Formula, ...]:
        return self.parts


@dataclass(frozen=True)
class Not(Formula):
    part: Formula

    def holds(self, point: Point) -> bool:
        return not self.part.holds(point)

    @property
    def children(self) -> tuple[Formula, ...]:
        return (self.part,)


TRUE = And()
FALSE = Or()


def weigh(terms: Terms, point: Point) -> Number | None:
    """The value of a linear sum, or None when one of its variables holds text."""
    total: Number = 0
    for coefficient, index in terms:
        value = point[index]
        if isinstance(value, str):
            return None
        total += coefficient * value
    return total


@dataclass(frozen=True)
class Linear(Formula):
    """A linear constraint; build it with `linear`, which gives equal constraints the same form."""

    terms: Terms
    op: Op
    bound: Number

    def holds(self, point: Point) -> bool:
        value = weigh(self.terms, point)
        return self.op == "!=" if value is None else COMPARE[self.op](value, self.bound)

    @cached_property
    def cost(self) -> float:
        return linear_cost(self.terms, self.op, self.bound)


@dataclass(frozen=True)
class Mod(Formula):
    """The sum leaves this rest, 0 <= rest < modulus (or, not equal, it does not); fractions leave no rest."""

    terms: Terms
    modulus: int
    rest: int
    equal: bool = True

    def holds(self, point: Point) -> bool:
        value = weigh(self.terms, point)
        return (value is not None and value % self.modulus == self.rest) == self.equal

    @cached_property
    def cost(self) -> float:
        return mod_cost(self.terms, self.modulus)


@dataclass(frozen=True)
class Is(Formula):
    """The variable holds exactly this text (or, not equal, it does not)."""

    variable: int
    value: str
    equal: bool = True

    def holds(self, point: Point) -> bool:
        return (point[self.variable] == self.value) == self.equal

    @cached_property
    def cost(self) -> float:
        return 1.0


_OP_COST: dict[Op, float] = {"<=": 0.0, "<": 0.0, ">=": 0.0, ">": 0.0, "==": 0.05, "!=": 0.1}


def linear_cost(terms: Terms, op: Op, limit: Number) -> float:
    """x <= c, x == c, x == y, x <= y in this order, then sums by their length and their numbers."""
    if len(terms) == 2 and limit == 0 and terms[0][0] == 1 and terms[1][0] == -1:
        return 1.1 if op == "==" else 1.2
    return 1.0 + _OP_COST[op] + _terms_cost(terms) + _number_cost(limit)


def mod_cost(terms: Terms, modulus: int) -> float:
    # A parity of many variables is one thought, so its length counts half.
    return (
        1.3
        + _terms_cost(terms)
        - 0.3 * (len(terms) - 1)
        + 0.35 * math.log2(modulus)
        + (0.0 if modulus in (2, 10) else 0.3)
    )


@lru_cache(maxsize=4096)
def _terms_cost(terms: Terms) -> float:
    """What reading the sum takes: one variable is free, 3*a - 2*b is not."""
    size = sum(0.3 * math.log2(abs(c)) + 0.4 for c, _ in terms if abs(c) > 1)
    return 0.6 * (len(terms) - 1) + size


@lru_cache(maxsize=4096)
def _number_cost(value: Number) -> float:
    """Few significant digits read well: 0 and 1 are free, 1000 is cheap, 734 is not."""
    if -1 <= value <= 1 and value.denominator == 1:
        return 0.0
    shown = str(value.numerator).lstrip("-")
    digits = len(shown.rstrip("0"))
    top = 0.1 * digits + 0.02 * (len(shown) - digits)
    return min(1.5, top if value.denominator == 1 else top + 0.15 * len(str(value.denominator)))


def tidy(value: Number) -> Number:
    """Whole fractions as int, so that equal numbers print alike."""
    return value.numerator if value.denominator == 1 else value


def linear(coefficients: Iterable[tuple[Number, int]], op: Op, bound: Number) -> Formula:
    """The constraint in normal form: whole coefficients without a common divisor, the first positive."""
    summed: dict[int, Number] = {}
    for coefficient, index in coefficients:
        summed[index] = summed.get(index, 0) + coefficient
    kept = sorted((index, c) for index, c in summed.items() if c != 0)
    if not kept:
        return TRUE if COMPARE[op](0, bound) else FALSE
    scale = Fraction(math.lcm(*(c.denominator for _, c in kept)))
    whole = [int(c * scale) for _, c in kept]
    scale /= math.gcd(*whole)
    if whole[0] < 0:
        scale, op = -scale, MIRRORED[op]
    terms = tuple((int(c * scale), index) for index, c in kept)
    return Linear(terms, op, tidy(bound * scale))


def modulo(coefficients: Iterable[tuple[int, int]], modulus: int, rest: int, equal: bool = True) -> Formula:
    """The remainder literal in normal form: coefficients of least size, rest within the modulus."""
    if modulus < 2:
        raise ValueError("a modulus is at least 2")
    summed: dict[int, int] = {}
    for coefficient, index in coefficients:
        summed[index] = summed.get(index, 0) + coefficient
    # Coefficients are not reduced by the modulus: 2*a % 2 == 0 fails on halves, so only signs are folded.
    terms = tuple((c, index) for index, c in sorted(summed.items()) if c != 0)
    if not terms:
        return TRUE if (rest % modulus == 0) == equal else FALSE
    if terms[0][0] < 0:
        terms, rest = tuple((-c, index) for c, index in terms), -rest
    return Mod(terms, modulus, rest % modulus, equal)


def conjunction(parts: Iterable[Formula]) -> Formula:
    """All of them; a single one stands for itself."""
    listed = tuple(parts)
    return listed[0] if len(listed) == 1 else And(listed)


def disjunction(parts: Iterable[Formula]) -> Formula:
    """Any of them; a single one stands for itself."""
    listed = tuple(parts)
    return listed[0] if len(listed) == 1 else Or(listed)


def _text(formula: Formula, names: Sequence[str], level: int) -> str:
    """Level 0 stands alone, 1 inside `or`, 2 inside `and`, 3 under `not`."""
    match formula:
        case And(()):
            return "True"
        case Or(()):
            return "False"
        case And(parts):
            inner = " and ".join(_text(part, names, 2) for part in parts)
            return f"({inner})" if level >= (2 if len(parts) > 1 else 3) else inner
        case Or(parts):
            inner = " or ".join(_text(part, names, 1) for part in parts)
            return f"({inner})" if level >= (2 if len(parts) > 1 else 3) else inner
        case Not(part):
            return f"not {_text(part, names, 3)}"
        case Linear(((1, index),)) if isinstance(names[index], Truth):
            shown = _truth_text(formula, names[index])
        case Linear():
            shown = _linear_text(formula, names)
        case Mod(terms, modulus, rest, equal):
            total = _sum_text(terms, names)
            plain = len(terms) == 1 and terms[0][0] == 1
            shown = f"{total if plain else f'({total})'} % {modulus} {'==' if equal else '!='} {rest}"
        case Is(variable, value, equal):
            shown = f"{names[variable]} {'==' if equal else '!='} {value!r}"
        case _:
            raise TypeError(f"no such formula: {formula!r}")
    return shown


class Truth(str):
    """The name of a variable that is true or false: it needs no comparison to be read."""

    __slots__ = ()


OPPOSITE: dict[type[ast.cmpop], type[ast.cmpop]] = {
    ast.Eq: ast.NotEq,
    ast.In: ast.NotIn,
    ast.Is: ast.IsNot,
}


def _denied(name: str) -> str:
    """`a != b` rather than `not (a == b)`, where the name is an expression."""
    if " " not in name:
        return f"not {name}"
    try:
        tree = ast.parse(name, mode="eval").body
    except (SyntaxError, ValueError):
        return f"not ({name})"
    if isinstance(tree, ast.Compare) and len(tree.ops) == 1 and type(tree.ops[0]) in OPPOSITE:
        tree.ops = [OPPOSITE[type(tree.ops[0])]()]
        return ast.unparse(tree)
    return f"not ({name})"


def _truth_text(formula: Linear, name: str) -> str:
    compare = COMPARE[formula.op]
    match compare(0, formula.bound), compare(1, formula.bound):
        case False, True:
            return name
        case True, False:
            return _denied(name)
        case _:
            return _linear_text(formula, [f"({name})"] * (formula.terms[0][1] + 1))


def _linear_text(formula: Linear, names: Sequence[str]) -> str:
    """Negative variables change sides, as a person would write it, where the arithmetic stays exact."""
    terms, op, limit = formula.terms, formula.op, formula.bound
    if limit.denominator != 1:
        decimal = _decimal(limit)
        if decimal is not None:
            # Nothing is added to a float: Python compares mixed numbers exactly, but rounds their sums.
            return f"{_sum_text(terms, names)} {op} {decimal}"
        terms, limit = tuple((c * limit.denominator, i) for c, i in terms), limit.numerator
    left = tuple(term for term in terms if term[0] > 0)
    right = tuple((-c, i) for c, i in terms if c < 0)
    if right and limit < 0:
        left, right, op, limit = right, left, MIRRORED[op], -limit
    if not right:
        return f"{_sum_text(left, names)} {op} {limit}"
    constant = f" + {limit}" if limit else ""
    return f"{_sum_text(left, names)} {op} {_sum_text(right, names)}{constant}"


def _sum_text(terms: Terms, names: Sequence[str]) -> str:
    pieces: list[str] = []
    for coefficient, index in terms:
        size = abs(coefficient)
        sign = ("-" if coefficient < 0 else "") if not pieces else (" - " if coefficient < 0 else " + ")
        name = (
            f"({names[index]})" if isinstance(names[index], Truth) and " " in names[index] else names[index]
        )
        pieces.append(f"{sign}{name if size == 1 else f'{size}*{name}'}")
    return "".join(pieces)


def _decimal(value: Number) -> str | None:
    """A short decimal that Python reads back as exactly this number."""
    bottom = value.denominator
    if not -(10**9) < value < 10**9 or bottom > 1024 or bottom & (bottom - 1):
        return None
    return repr(float(value))
