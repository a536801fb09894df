"""Edits of arithmetic: other operators, operands, grouping, rounding, augmented assignments."""

from __future__ import annotations

from collections.abc import Iterator

import libcst as cst

from learn2fix.edits.catalogue import Proposals
from learn2fix.languages.python.edits.catalogue import CATALOGUE
from learn2fix.languages.python.edits.kinds import MAPPING, NUMBER, SEQUENCE, TEXT, UNKNOWN
from learn2fix.languages.python.edits.precedence import (
    AND,
    BIT_OR,
    NOT,
    OR,
    PLUS,
    POWER,
    TERNARY,
    TIMES,
    UNARY,
    level,
)
from learn2fix.languages.python.edits.program import Program, choice

SIGNS = {"+": PLUS, "-": PLUS, "*": TIMES, "/": TIMES, "//": TIMES, "%": TIMES, "**": POWER}
LIKELY = {("/", "//"), ("//", "/"), ("+", "-"), ("-", "+"), ("//", "%"), ("%", "//"), ("*", "+"), ("*", "**")}
BITWISE = {"&": ("|", "^"), "|": ("&", "^"), "^": ("&", "|", "**"), "<<": (">>",), ">>": ("<<",)}
SETS = ("-", "&", "|", "^")
WORDS = {"&": ("and", AND), "|": ("or", OR)}
FACTORS = (cst.Multiply, cst.Divide, cst.FloorDivide)
NOT_COMMUTATIVE = ("-", "/", "//", "%", "**")


def _textual(program: Program, node: cst.BinaryOperation) -> bool:
    """Whether an operator joins or repeats texts or lists, or fills in a text."""
    return any(program.kind(side) in (TEXT, SEQUENCE) for side in (node.left, node.right))


def _joined(program: Program, left: cst.CSTNode, sign: str, right: cst.CSTNode, tightness: int) -> str:
    """Both operands keep together as they are read now."""
    one = program.wrap(left, tightness + 1 if tightness == POWER else tightness)
    other = program.wrap(right, tightness if tightness == POWER else tightness + 1)
    return f"{one} {sign} {other}"


@CATALOGUE.operator(
    "other arithmetic operator",
    why="+ and -, / and //, // and %, * and + are taken for one another; or any for any other.",
    before="def f(a, b): return a / b",
    after="def f(a, b): return a // b",
)
def other_operator(program: Program) -> Proposals:
    for node in program.every(cst.BinaryOperation):
        old = program.of(node.operator)
        if old not in SIGNS or (old in ("+", "%", "*") and _textual(program, node)):
            continue
        for other, tightness in SIGNS.items():
            if other == old:
                continue
            if tightness == SIGNS[old]:
                piece = program.piece(*program.tree.span(node.operator), other)
            else:
                text = _joined(program, node.left, other, node.right, tightness)
                piece = program.put(node, text, tightness)
            yield choice((piece,), (old, other) in LIKELY)


@CATALOGUE.operator(
    "other bitwise operator",
    why="Bits are joined or shifted the wrong way, or a word was meant for a sign.",
    before="def f(a, b): return a & b",
    after="def f(a, b): return a | b",
)
def other_bitwise_operator(program: Program) -> Proposals:
    for node in program.every(cst.BinaryOperation):
        old = program.of(node.operator)
        for other in BITWISE.get(old, ()):
            yield (program.piece(*program.tree.span(node.operator), other),)
        if old in WORDS:
            word, tightness = WORDS[old]
            sides = program.wrap(node.left, tightness), program.wrap(node.right, NOT)
            yield (program.put(node, f"{sides[0]} {word} {sides[1]}", tightness),)
    for augmented in program.every(cst.AugAssign):
        for other in BITWISE.get(program.of(augmented.operator)[:-1], ()):
            yield ((*program.tree.span(augmented.operator), f"{other}="),)


@CATALOGUE.operator(
    "other operation on sets",
    why="What one set has and another has not is confused with what is in either, in both or in one alone.",
    before="def f(a: set, b: set): return a ^ b",
    after="def f(a: set, b: set): return a - b",
)
def other_operation_on_sets(program: Program) -> Proposals:
    for node in program.every(cst.BinaryOperation):
        old = program.of(node.operator)
        if old in SETS and all(program.kind(side) == MAPPING for side in (node.left, node.right)):
            for other in SETS:
                if "-" in (old, other) and other != old:
                    sides = program.wrap(node.left, PLUS), program.wrap(node.right, TIMES)
                    tightness = PLUS if other == "-" else BIT_OR
                    yield (program.put(node, f"{sides[0]} {other} {sides[1]}", tightness),)


@CATALOGUE.operator(
    "operands exchanged",
    why="The operands of a subtraction or a division stand the wrong way round.",
    before="def f(a, b): return a - b",
    after="def f(a, b): return b - a",
)
def operands_exchanged(program: Program) -> Proposals:
    for node in program.every(cst.BinaryOperation):
        old = program.of(node.operator)
        if old in NOT_COMMUTATIVE or _textual(program, node):
            text = _joined(program, node.right, old, node.left, level(node))
            yield (program.put(node, text, level(node)),)


@CATALOGUE.operator(
    "operand dropped",
    why="A formula has a term or a factor too many.",
    before="def f(a, b): return a + b",
    after="def f(a, b): return a",
)
def operand_dropped(program: Program) -> Proposals:
    for node in program.every(cst.BinaryOperation):
        for kept in (node.left, node.right):
            yield (program.put_node(node, kept),)


@CATALOGUE.operator(
    "arithmetic regrouped",
    why="Parentheses are missing, or stand around the wrong part.",
    before="def f(a, b): return a + b / 2",
    after="def f(a, b): return (a + b) / 2",
)
def arithmetic_regrouped(program: Program) -> Proposals:
    tree = program.tree
    for node in program.every(cst.BinaryOperation):
        inner = node.right
        while isinstance(inner, cst.BinaryOperation) and not inner.lpar:
            start, end = tree.outer(node.left)[0], tree.outer(inner.left)[1]
            yield (start, start, "("), (end, end, ")")
            inner = inner.left
        if isinstance(node.left, cst.BinaryOperation) and not node.left.lpar:
            start, end = tree.outer(node.left.right)[0], tree.outer(node.right)[1]
            yield (start, start, "("), (end, end, ")")
        for side in (node.right, node.left):
            if isinstance(side, cst.BinaryOperation) and len(side.lpar) == 1:
                (left, right), (start, end) = tree.outer(side), tree.span(side)
                if "\n" not in tree.slice(left, right):
                    yield program.piece(left, start, ""), program.piece(end, right, "")


@CATALOGUE.operator(
    "factor of the other term",
    why="A factor or divisor stands with the wrong term of a sum.",
    before="def f(a, b): return a + 10 * b",
    after="def f(a, b): return a * 10 + b",
)
def factor_of_the_other_term(program: Program) -> Proposals:
    for node in program.every(cst.BinaryOperation):
        if not isinstance(node.operator, cst.Add | cst.Subtract):
            continue
        sign = program.of(node.operator)
        for side, other in ((node.right, node.left), (node.left, node.right)):
            if not isinstance(side, cst.BinaryOperation) or not isinstance(side.operator, FACTORS):
                continue
            word = program.of(side.operator)
            for kept, factor in ((side.left, side.right), (side.right, side.left)):
                if factor is side.left and not isinstance(side.operator, cst.Multiply):
                    continue
                moved = f"{program.wrap(other, TIMES)} {word} {program.wrap(factor, POWER)}"
                rest = program.wrap(kept, TIMES)
                text = f"{moved} {sign} {rest}" if side is node.right else f"{rest} {sign} {moved}"
                yield (program.put(node, text, PLUS),)


@CATALOGUE.operator(
    "minus removed",
    why="A sign is wrong.",
    before="def f(a): return -a",
    after="def f(a): return a",
)
def minus_removed(program: Program) -> Proposals:
    for node in program.every(cst.UnaryOperation):
        if isinstance(node.operator, cst.Minus):
            yield (program.put_node(node, node.expression),)


def _divisions(program: Program) -> Iterator[tuple[cst.BinaryOperation, str, str]]:
    for node in program.reads(cst.BinaryOperation):
        if isinstance(node.operator, cst.FloorDivide | cst.Divide):
            yield node, program.wrap(node.left, UNARY), program.wrap(node.right, UNARY)


@CATALOGUE.operator(
    "division rounded up",
    why="A division rounds down where a started unit counts as a whole one.",
    before="def f(n, size): return n // size",
    after="def f(n, size): return -(-n // size)",
)
def division_rounded_up(program: Program) -> Proposals:
    for node, above, below in _divisions(program):
        yield (program.put(node, f"-(-{above} // {below})", UNARY),)


@CATALOGUE.operator(
    "division rounded otherwise",
    why="A division rounds down where the nearest or the next number was meant.",
    before="def f(n, size): return n // size",
    after="def f(n, size): return round(n / size)",
)
def division_rounded_otherwise(program: Program) -> Proposals:
    for node, above, below in _divisions(program):
        plus = f"({program.wrap(node.left, PLUS)} + {program.wrap(node.right, TIMES)} - 1) // {below}"
        yield (program.put(node, plus, TIMES),)
        yield (program.put(node, f"round({above} / {below})"),)


@CATALOGUE.operator(
    "other augmented assignment",
    why="+= and -=, /= and //= are taken for one another; or any for any other.",
    before="def f(t, x):\n    t += x\n    return t",
    after="def f(t, x):\n    t -= x\n    return t",
)
def other_augmented_assignment(program: Program) -> Proposals:
    for node in program.every(cst.AugAssign):
        old = program.of(node.operator)[:-1]
        if program.kind(node.value) not in (TEXT, SEQUENCE):
            for sign in SIGNS:
                change = ((*program.tree.span(node.operator), f"{sign}="),)
                yield choice(change, (old, sign) in LIKELY)


@CATALOGUE.operator(
    "plain for augmented assignment",
    why="A variable is added to where it should be set.",
    before="def f(t, x):\n    t += x\n    return t",
    after="def f(t, x):\n    t = x\n    return t",
)
def plain_assignment(program: Program) -> Proposals:
    for node in program.every(cst.AugAssign):
        yield ((*program.tree.span(node.operator), "="),)


@CATALOGUE.operator(
    "augmented assignment the other way round",
    why="`t += x` appends where it should put in front, `t -= x` subtracts where it should be subtracted.",
    before="def f(t, x):\n    t -= x\n    return t",
    after="def f(t, x):\n    t = x - t\n    return t",
)
def augmented_the_other_way(program: Program) -> Proposals:
    for node in program.every(cst.AugAssign):
        sign = program.of(node.operator)[:-1]
        textual = program.kind(node.value) in (TEXT, SEQUENCE)
        if sign in ("-", "/", "//") or (sign == "+" and textual):
            target, value = program.of(node.target), program.wrap(node.value, SIGNS[sign])
            yield ((*program.tree.span(node), f"{target} = {value} {sign} {target}"),)


def _again(program: Program) -> Iterator[tuple[cst.Assign, cst.BaseExpression]]:
    """Assignments to what has a value already, and their targets."""
    for node in program.every(cst.Assign):
        target = node.targets[0].target
        if len(node.targets) > 1 or not isinstance(target, cst.Name | cst.Subscript | cst.Attribute):
            continue
        if not isinstance(target, cst.Name) or target.value in program.visible(node):
            yield node, target


@CATALOGUE.operator(
    "added to instead of set",
    why="`t = x` forgets what was in t.",
    before="def f(t, x):\n    t = x\n    return t",
    after="def f(t, x):\n    t += x\n    return t",
)
def added_to(program: Program) -> Proposals:
    for node, target in _again(program):
        textual = program.kind(node.value) in (TEXT, SEQUENCE)
        for sign in ("+",) if textual else ("+", "-", "*"):
            piece = (program.tree.outer(target)[1], program.tree.outer(node.value)[0], f" {sign}= ")
            yield choice((piece,), sign == "+")


@CATALOGUE.operator(
    "best so far",
    why="A best value is overwritten by a worse one.",
    before="def f(t, x):\n    t = x\n    return t",
    after="def f(t, x):\n    t = max(t, x)\n    return t",
)
def best_so_far(program: Program) -> Proposals:
    for node, target in _again(program):
        if program.kind(node.value) in (NUMBER, UNKNOWN) and not isinstance(node.value, cst.Integer):
            for function in ("max", "min"):
                text = f"{function}({program.of(target)}, {program.wrap(node.value, TERNARY)})"
                yield (program.put(node.value, text),)
