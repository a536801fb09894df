"""Arithmetic and bitwise operators, assignments and steps."""

from __future__ import annotations

from collections.abc import Iterator

from learn2fix.edits.catalogue import Proposals
from learn2fix.languages.c.edits.catalogue import operator
from learn2fix.languages.c.edits.program import Program
from learn2fix.languages.c.edits.relations import binary, instead
from learn2fix.languages.c.tree import Node
from learn2fix.languages.c.words import ARITHMETIC, ASSIGN, LEVEL, UNARY

BITWISE = {
    "&": ("&&", "|", "^"),
    "|": ("||", "&", "^"),
    "^": ("&", "|"),
    "<<": ("<", ">>"),
    ">>": (">", "<<"),
}
BITWISE_ASSIGNMENTS = ("&=", "|=", "^=", "<<=", ">>=")
ADDITIVE = ("+", "-")
ASSIGNMENTS = ("=", "+=", "-=", "*=", "/=", "%=")
CLOSE = ({"=", "+="}, {"+=", "-="})
"""Assignments that are easily taken for each other."""


def _of(program: Program, kind: str) -> Iterator[tuple[Node, str]]:
    return ((node, program.operator(node)) for node in program.expressions if node.type == kind)


@operator(
    "+ and - exchanged",
    why="A value was added that was to be subtracted, or the other way round.",
    before="a = b + c;",
    after="a = b - c;",
)
def plus_and_minus_exchanged(program: Program) -> Proposals:
    for node, own in binary(program, ADDITIVE):
        yield instead(node, "-" if own == "+" else "+")


@operator(
    "another arithmetic operator",
    why="Two values were put together in a wrong way.",
    before="a = b + c;",
    after="a = b * c;",
)
def another_arithmetic_operator(program: Program) -> Proposals:
    for node, own in binary(program, ARITHMETIC):
        left, right = program.type_of(node.of("left")), program.type_of(node.of("right"))
        whole, pointer = left.integral and right.integral, left.depth or right.depth
        for other in ARITHMETIC:
            if other == own or (other in ADDITIVE and own in ADDITIVE):
                continue
            if (other != "%" or whole) and (other in ADDITIVE or not pointer):
                yield instead(node, other)


@operator(
    "operands exchanged",
    why="The minuend was taken for the subtrahend, or the dividend for the divisor.",
    before="a = b - c;",
    after="a = c - b;",
)
def operands_exchanged(program: Program) -> Proposals:
    for node, own in binary(program, ("-", "/", "%", "<<", ">>")):
        level = LEVEL[own]
        left, right = program.wrap(node.of("left"), level + 1), program.wrap(node.of("right"), level)
        yield (program.put(node, f"{right} {own} {left}", level),)


@operator(
    "bitwise operator exchanged",
    why="A bitwise operator was taken for another, or for the logical one.",
    before="if (a & b) c = 1;",
    after="if (a && b) c = 1;",
)
def bitwise_operator_exchanged(program: Program) -> Proposals:
    for node, own in binary(program, BITWISE):
        for other in BITWISE[own] if program.type_of(node.of("left")).numeric else ():
            yield instead(node, other)
    for node, own in binary(program, ("&&", "||")):
        yield instead(node, own[0])
    for node, own in _of(program, "assignment_expression"):
        for other in BITWISE.get(own[:-1], ()):
            if f"{other}=" in BITWISE_ASSIGNMENTS:
                yield instead(node, f"{other}=")


@operator("sign removed", why="A value was negated by mistake.", before="a = -b;", after="a = b;")
def sign_removed(program: Program) -> Proposals:
    for node, own in _of(program, "unary_expression"):
        if own in ("-", "+", "~"):
            inner = node.of("argument")
            yield (program.put(node, program.of(inner), program.level(inner)),)


def _assignments(program: Program, close: bool) -> Proposals:
    for node, own in _of(program, "assignment_expression"):
        left, right = program.type_of(node.of("left")), program.type_of(node.of("right"))
        for other in ASSIGNMENTS if left.numeric else ():
            fits = other != "%=" or (left.integral and right.integral)
            if other != own and fits and ({own, other} in CLOSE) == close:
                yield instead(node, other)


@operator(
    "=, += and -= exchanged",
    why="A value was set where it was to be added to, or the other way round.",
    before="c += a;",
    after="c = a;",
)
def set_and_add_exchanged(program: Program) -> Proposals:
    yield from _assignments(program, close=True)


@operator(
    "another assignment operator",
    why="A variable was updated in a wrong way.",
    before="c += a;",
    after="c *= a;",
)
def another_assignment_operator(program: Program) -> Proposals:
    yield from _assignments(program, close=False)


@operator(
    "another step",
    why="A counter goes the wrong way, or was to skip every other value.",
    before="for (a = 0; a < b; a++) c++;",
    after="for (a = 0; a < b; a += 2) c++;",
)
def another_step(program: Program) -> Proposals:
    for node, own in _of(program, "update_expression"):
        yield instead(node, "--" if own == "++" else "++")
        yield (program.put(node, f"{program.of(node.of('argument'))} {own[0]}= 2", ASSIGN),)


@operator(
    "value of a step",
    why="The value after the step was meant, or the one before it, or a step of the element, not the index.",
    before="c = a++;",
    after="c = ++a;",
)
def value_of_step(program: Program) -> Proposals:
    for node, own in _of(program, "update_expression"):
        parent, name = node.parent, program.of(node.of("argument"))
        if parent is None or parent.type in ("expression_statement", "for_statement", "comma_expression"):
            continue
        prefix = not node.children[0].named
        yield (program.put(node, f"{name}{own}" if prefix else f"{own}{name}", UNARY),)
        yield (program.put(node, name),)
        if parent.type == "subscript_expression" and node.field == "index" and parent.field != "left":
            # count[i++] was to be count[i]++.
            array = program.of(parent.of("argument"))
            yield (program.put(parent, f"{array}[{name}]{own}", UNARY),)
