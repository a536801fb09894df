"""How tightly expressions hold together, and how tightly each place in a program asks them to."""

from __future__ import annotations

import ast
from collections.abc import Sequence
from typing import cast

import libcst as cst

# LOOSE is what needs parentheses nearly everywhere: walruses, yields, tuples, generator expressions.
(
    LOOSE, TERNARY, OR, AND, NOT, COMPARE, BIT_OR, BIT_XOR, BIT_AND, SHIFT, PLUS, TIMES, UNARY, POWER, ATOM,
) = range(15)  # fmt: skip
LEVELS: dict[type[cst.CSTNode], int] = {
    cst.Or: OR,
    cst.And: AND,
    cst.BitOr: BIT_OR,
    cst.BitXor: BIT_XOR,
    cst.BitAnd: BIT_AND,
    cst.LeftShift: SHIFT,
    cst.RightShift: SHIFT,
    cst.Add: PLUS,
    cst.Subtract: PLUS,
    cst.Multiply: TIMES,
    cst.Divide: TIMES,
    cst.FloorDivide: TIMES,
    cst.Modulo: TIMES,
    cst.MatrixMultiply: TIMES,
    cst.Power: POWER,
}


def level(node: cst.CSTNode) -> int:
    """How tightly an expression without its own parentheses holds together."""
    match node:
        case cst.BinaryOperation() | cst.BooleanOperation():
            return LEVELS[type(node.operator)]
        case cst.Comparison():
            return COMPARE
        case cst.UnaryOperation():
            return NOT if isinstance(node.operator, cst.Not) else UNARY
        case cst.Await():
            return POWER
        case cst.Lambda() | cst.IfExp():
            return TERNARY
        case cst.NamedExpr() | cst.Yield() | cst.Tuple() | cst.GeneratorExp() | cst.StarredElement():
            return LOOSE
        case _:
            return ATOM


def number_level(text: str) -> int:
    """The same for the text of a number."""
    return UNARY if text.startswith("-") else ATOM


def slot(node: cst.CSTNode, parent: cst.CSTNode | None) -> int:
    """How tightly an expression must hold together to stand in a node's place without parentheses."""
    match parent:
        case cst.BinaryOperation() | cst.BooleanOperation():
            around = LEVELS[type(parent.operator)]
            if around == POWER:
                return ATOM if node is parent.left else UNARY
            return around if node is parent.left else around + 1
        case cst.UnaryOperation():
            return NOT if isinstance(parent.operator, cst.Not) else UNARY
        case cst.Comparison() | cst.ComparisonTarget() | cst.StarredElement() | cst.StarredDictElement():
            return BIT_OR
        case cst.Attribute() | cst.Call() | cst.Await() | cst.Subscript():
            return ATOM
        case cst.IfExp():
            return TERNARY if node is parent.orelse else OR
        case cst.CompFor() | cst.CompIf() | cst.FormattedStringExpression() | cst.Slice():
            return OR
        case cst.Arg() | cst.Index():
            return BIT_OR if parent.star else TERNARY
        case _:
            return TERNARY


def parentheses(node: cst.CSTNode) -> int:
    """How many pairs of parentheses are an expression's own."""
    return len(cast("Sequence[cst.LeftParen]", getattr(node, "lpar", ())))


def stands_alone(text: str) -> bool:
    """Whether the lines of an expression belong together without parentheses around them."""
    if "\n" not in text:
        return True
    try:
        ast.parse(text, mode="eval")
    except SyntaxError:
        return False
    return True
