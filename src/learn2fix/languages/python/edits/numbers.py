"""Edits of constants: whole numbers, fractions, truth values, None; and one more or less of anything."""

from __future__ import annotations

import math
from collections.abc import Callable

import libcst as cst

from learn2fix.edits.catalogue import Proposals
from learn2fix.languages.python.edits.catalogue import CATALOGUE
from learn2fix.languages.python.edits.kinds import NUMBER, UNKNOWN
from learn2fix.languages.python.edits.precedence import ATOM, LOOSE, PLUS, UNARY, level, number_level
from learn2fix.languages.python.edits.program import Program, choice, unsure


def _integers(program: Program, others: Callable[[int], tuple[int, ...]]) -> Proposals:
    for node in program.reads(cst.Integer):
        parent = program.tree.parent(node)
        negated = isinstance(parent, cst.UnaryOperation) and isinstance(parent.operator, cst.Minus)
        for other in others(node.evaluated_value):
            if not (negated and other < 0):
                yield (program.put(node, str(other), number_level(str(other))),)


@CATALOGUE.operator(
    "integer one more or less",
    why="A constant is one off.",
    before="def f(a): return a + 10",
    after="def f(a): return a + 11",
)
def integer_one_off(program: Program) -> Proposals:
    return _integers(program, lambda value: (value + 1, value - 1))


@CATALOGUE.operator(
    "0, 1 or the other sign for an integer",
    why="A constant should be the neutral one, or has the wrong sign.",
    before="def f(a): return a + 10",
    after="def f(a): return a + 0",
)
def zero_or_one(program: Program) -> Proposals:
    return _integers(program, lambda value: (0, 1, -value))


@CATALOGUE.operator(
    "integer farther off",
    why="A constant has a digit too many or too few, is a factor of two off or two steps away.",
    before="def f(a): return a + 10",
    after="def f(a): return a + 100",
)
def integer_farther_off(program: Program) -> Proposals:
    def others(value: int) -> tuple[int, ...]:
        smaller = (value // 10, value // 2) if value >= 10 else ()
        return (-1, 2, value * 10, value * 2, value + 2, value - 2, *smaller)

    return _integers(program, others)


def _floats(program: Program, others: Callable[[float], tuple[float, ...]]) -> Proposals:
    for node in program.reads(cst.Float):
        value = node.evaluated_value
        for other in others(value):
            if math.isfinite(other):
                text = repr(float(f"{other:.12g}"))
                yield (program.put(node, text, number_level(text)),)


@CATALOGUE.operator(
    "decimal point moved, or a float one off or taken from one",
    why="A rate stands a decimal off, or is used for what is left after it or for the whole with it.",
    before="def f(a): return a * 0.2",
    after="def f(a): return a * 0.8",
)
def float_off(program: Program) -> Proposals:
    return _floats(
        program, lambda value: (1 - value, 1 + value, value * 10, value / 10, value + 1, value - 1)
    )


@CATALOGUE.operator(
    "float farther off",
    why="A rate is given in percent, has the wrong sign, is a factor of two off, neutral or whole.",
    before="def f(a): return a * 0.25",
    after="def f(a): return a * 25.0",
)
def float_farther_off(program: Program) -> Proposals:
    yield from _floats(
        program, lambda value: (value * 100, value / 100, -value, 0.0, 1.0, value * 2, value / 2)
    )
    for node in program.reads(cst.Float):
        if node.evaluated_value.is_integer():
            yield (program.put(node, str(int(node.evaluated_value))),)


@CATALOGUE.operator(
    "another number of the program or of a test",
    why="A constant is confused with another one, or a failing test has the one that is missing.",
    before="def f(a): return a > 10",
    after="def f(a): return a > 365",
)
def another_number(program: Program) -> Proposals:
    for node in _written(program):
        for text in dict.fromkeys([*program.numbers, *program.test_numbers]):
            yield choice((program.put(node, text, number_level(text)),), text in program.numbers)


def _written(program: Program) -> list[cst.BaseNumber]:
    return [*program.reads(cst.Integer), *program.reads(cst.Float)]


@CATALOGUE.operator(
    "variable for a number",
    why="A value is written out that a variable holds.",
    before="def f(a, n): return a - 10",
    after="def f(a, n): return a - n",
)
def variable_for_a_number(program: Program) -> Proposals:
    for node in _written(program):
        for name in program.visible(node):
            kind = program.name_type(name, node)
            if kind in (NUMBER, UNKNOWN):
                yield unsure((program.put(node, name),), kind)


@CATALOGUE.operator(
    "another kind of constant for an integer",
    why="A first value, a default or a result is no whole number: unbounded, nothing, empty, a float.",
    before="def f():\n    low = 0\n    return low",
    after="def f():\n    low = float('inf')\n    return low",
)
def another_kind_of_constant(program: Program) -> Proposals:
    for node in program.reads(cst.Integer):
        if isinstance(program.tree.parent(node), cst.Assign | cst.Return | cst.Param):
            others = ("float('inf')", "-float('inf')", "None", f"{node.evaluated_value}.0", "[]", "''")
            for text in others:
                yield (program.put(node, text, number_level(text)),)


@CATALOGUE.operator(
    "table starts without a bound",
    why="What is to hold the smallest or largest of something starts with a number that may be better.",
    before=(
        "def f(n, xs):\n    best = [0] * (n + 1)\n    for x in xs:\n        best[x] = min(best[x], 3)\n"
        "    return best\n"
    ),
    after=(
        "def f(n, xs):\n    best = [0] + [float('inf')] * n\n    for x in xs:\n"
        "        best[x] = min(best[x], 3)\n    return best\n"
    ),
)
def table_without_a_bound(program: Program) -> Proposals:
    called = {program.of(call.func) for call in program.every(cst.Call)}
    bounds = [bound for name, bound in UNBOUNDED.items() if name in called]
    for node in program.reads(cst.BinaryOperation):
        match node:
            case cst.BinaryOperation(
                left=cst.List(elements=[cst.Element(value=cst.Integer() as first)]),
                operator=cst.Multiply(),
                right=size,
            ):
                for bound in bounds:
                    yield (program.put(first, bound, number_level(bound)),)
                    text = f"[{program.of(first)}] + [{bound}] * {_one_fewer(program, size)}"
                    yield (program.put(node, text, PLUS),)
            case _:
                pass


UNBOUNDED = {"min": "float('inf')", "max": "-float('inf')"}


def _one_fewer(program: Program, size: cst.BaseExpression) -> str:
    """A factor that is one less."""
    match size:
        case cst.BinaryOperation(left=inner, operator=cst.Add(), right=cst.Integer(value="1")):
            return program.wrap(inner, UNARY)
        case _:
            return f"({program.wrap(size, PLUS)} - 1)"


@CATALOGUE.operator(
    "True and False",
    why="A truth value is the wrong one.",
    before="def f(a): return True",
    after="def f(a): return False",
)
def true_and_false(program: Program) -> Proposals:
    for node in program.reads(cst.Name):
        if node.value in ("True", "False"):
            yield (program.put(node, "False" if node.value == "True" else "True"),)


@CATALOGUE.operator(
    "constant for None, None for a truth value",
    why="Nothing stands for a value, or a truth value for nothing.",
    before="def f(a): return None",
    after="def f(a): return 0",
)
def constant_for_none(program: Program) -> Proposals:
    for node in program.reads(cst.Name):
        if node.value == "None":
            for text in ("0", "[]", "''", "-1", "1", "{}", "False"):
                yield choice((program.put(node, text, number_level(text)),), text in ("0", "[]"))
        if node.value in ("True", "False") and isinstance(program.tree.parent(node), cst.Return):
            yield choice((program.put(node, "None"),), likely=False)


def shifted(program: Program, node: cst.BaseExpression) -> list[tuple[str, int]]:
    """The expression one more and one less, written as a person would: `n - 1` + 1 is `n`."""
    match node:
        case cst.Integer():
            more, less = str(node.evaluated_value + 1), str(node.evaluated_value - 1)
            return [(more, ATOM), (less, number_level(less))]
        case cst.UnaryOperation(operator=cst.Minus(), expression=cst.Integer() as inner):
            more, less = str(1 - inner.evaluated_value), str(-1 - inner.evaluated_value)
            return [(more, number_level(more)), (less, UNARY)]
        case cst.BinaryOperation(operator=cst.Add() | cst.Subtract(), right=cst.Integer() as step) if (
            not node.lpar
        ):
            signed = step.evaluated_value * (1 if isinstance(node.operator, cst.Add) else -1)
            return [_plus(program, node.left, signed + 1), _plus(program, node.left, signed - 1)]
        case _:
            return [_plus(program, node, 1), _plus(program, node, -1)]


def _plus(program: Program, node: cst.BaseExpression, step: int) -> tuple[str, int]:
    if step == 0:
        text = program.of(node)
        return (text, level(node)) if level(node) > LOOSE else (f"({text})", ATOM)
    return f"{program.wrap(node, PLUS)} {'+' if step > 0 else '-'} {abs(step)}", PLUS


NEVER_OFF = (
    cst.Integer
    | cst.Float
    | cst.BaseString
    | cst.List
    | cst.Tuple
    | cst.Dict
    | cst.Set
    | cst.Lambda
    | cst.Comparison
    | cst.BooleanOperation
    | cst.IfExp
    | cst.BaseComp
    | cst.Await
    | cst.Yield
    | cst.NamedExpr
)


@CATALOGUE.operator(
    "value one more or less",
    why="A value is one off where it is used.",
    before="def f(xs): return len(xs)",
    after="def f(xs): return len(xs) - 1",
)
def value_one_off(program: Program) -> Proposals:
    for node in program.expressions:
        kind = program.kind(node)
        if kind not in (NUMBER, UNKNOWN) or isinstance(node, NEVER_OFF) or program.is_base(node):
            continue
        parent = program.tree.parent(node)
        if isinstance(parent, cst.Expr | cst.CompFor | cst.For | cst.FormattedStringExpression):
            continue
        if isinstance(node, cst.Name) and node.value not in program.visible(node):
            continue
        for text, tightness in shifted(program, node):
            yield unsure((program.put(node, text, tightness),), kind)
