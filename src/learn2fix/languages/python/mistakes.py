"""Mistakes that Python programmers make: bugs to seed into correct programs (docs/experiments.md)."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import pairwise

import libcst as cst

from learn2fix.edits.catalogue import Catalogue, Proposals
from learn2fix.edits.mistakes import mistakes
from learn2fix.edits.protocol import Hints
from learn2fix.languages.python.edits.kinds import compatible
from learn2fix.languages.python.edits.precedence import level
from learn2fix.languages.python.edits.program import LOOPS, Program
from learn2fix.languages.python.edits.source import Statement
from learn2fix.languages.python.edits.statements import deleted, is_statement, movable, small
from learn2fix.model import Candidate

MISTAKES: Catalogue[Program] = Catalogue("mistakes in python")
mistake = MISTAKES.operator

EDGES: dict[type[cst.CSTNode], str] = {
    cst.LessThan: "<=",
    cst.LessThanEqual: "<",
    cst.GreaterThan: ">=",
    cst.GreaterThanEqual: ">",
}
TURNED: dict[type[cst.CSTNode], str] = {
    cst.LessThan: ">",
    cst.LessThanEqual: ">=",
    cst.GreaterThan: "<",
    cst.GreaterThanEqual: "<=",
    cst.Equal: "!=",
    cst.NotEqual: "==",
    cst.In: "not in",
    cst.NotIn: "in",
}
OPERATIONS: dict[type[cst.CSTNode], tuple[str, ...]] = {
    cst.Add: ("-",),
    cst.Subtract: ("+",),
    cst.Multiply: ("+",),
    cst.Divide: ("//", "*"),
    cst.FloorDivide: ("%", "/"),
    cst.Modulo: ("//",),
}
MIXED_UP = (
    ("min", "max"),
    ("any", "all"),
    ("upper", "lower"),
    ("lstrip", "rstrip"),
    ("find", "rfind"),
    ("append", "extend"),
    ("keys", "values"),
    ("startswith", "endswith"),
    ("isdigit", "isalpha"),
)
COPIES = ("list", "sorted", "set", "tuple", "reversed", "abs", "round", "int", "float")
MOST_NAMES = 2
"""Variables that each one is confused with."""


def _lines(program: Program) -> Iterator[tuple[Statement, list[Statement], int]]:
    for node, block, index in movable(program):
        if program.own_lines(node) and (program.function is None or program.owner(node) is not None):
            yield node, block, index


@mistake(
    "statement forgotten",
    why="A counter is not counted, a value not kept.",
    before="def f(a):\n    b = a\n    b += 1\n    return b\n",
    after="def f(a):\n    b = a\n    return b\n",
)
def statement_forgotten(program: Program) -> Proposals:
    for node, _, _ in _lines(program):
        inner = small(node)
        if isinstance(inner, cst.Assign | cst.AugAssign) or (
            isinstance(inner, cst.Expr) and isinstance(inner.value, cst.Call)
        ):
            yield (deleted(program, node),)


@mistake(
    "case forgotten",
    why="Nobody thought of it.",
    before="def f(a):\n    if a == 0:\n        return 1\n    return 2 / a\n",
    after="def f(a):\n    return 2 / a\n",
)
def case_forgotten(program: Program) -> Proposals:
    for node, _, _ in _lines(program):
        if isinstance(node, cst.If) and node.orelse is None:
            yield (deleted(program, node),)


@mistake(
    "guard forgotten",
    why="What should happen sometimes happens always.",
    before="def f(a, b):\n    if a > b:\n        b = a\n    return b\n",
    after="def f(a, b):\n    b = a\n    return b\n",
)
def guard_forgotten(program: Program) -> Proposals:
    for node, _, _ in _lines(program):
        if isinstance(node, cst.If) and node.orelse is None and (inner := _inner(program, node.body)):
            text = "".join(program.shifted(each, program.indent(node)) for each in inner)
            yield ((*program.lines(node), text),)


@mistake(
    "else forgotten",
    why="The second branch is executed after the first.",
    before="def f(a):\n    if a:\n        a = 0\n    elif a > 1:\n        a = 1\n    return a\n",
    after="def f(a):\n    if a:\n        a = 0\n    if a > 1:\n        a = 1\n    return a\n",
)
def else_forgotten(program: Program) -> Proposals:
    for node in program.every(cst.If):
        start, _ = program.tree.span(node)
        if program.text.startswith("elif", start):
            yield ((start, start + len("elif"), "if"),)
        elif isinstance(node.orelse, cst.Else) and (inner := _inner(program, node.orelse.body)):
            first = program.lines(inner[0])[0]
            begin = program.tree.line_start(program.tree.span(node.orelse)[0])
            text = "".join(program.shifted(each, program.indent(node)) for each in inner)
            if begin < first:
                yield ((begin, program.lines(inner[-1])[1], text),)


def _inner(program: Program, body: cst.BaseSuite) -> list[Statement]:
    if not isinstance(body, cst.IndentedBlock) or not all(map(program.own_lines, body.body)):
        return []
    return [each for each in body.body if is_statement(each)]


@mistake(
    "condition forgotten",
    why="Half of what must hold is not asked for.",
    before="def f(a, b): return a > 0 and b > 0",
    after="def f(a, b): return a > 0",
)
def condition_forgotten(program: Program) -> Proposals:
    for node in program.reads(cst.BooleanOperation):
        for kept in (node.left, node.right):
            yield (program.put(node, program.of(kept), level(kept)),)
    for inner in program.every(cst.CompIf):
        start, end = program.tree.span(inner)
        yield (program.piece(start, end, ""),)


@mistake(
    "edge",
    why="The limit itself is on the wrong side.",
    before="def f(a, b): return a < b",
    after="def f(a, b): return a <= b",
)
def edge(program: Program) -> Proposals:
    yield from _compared(program, EDGES)


@mistake(
    "turned round",
    why="Smaller for larger.",
    before="def f(a, b): return a < b",
    after="def f(a, b): return a > b",
)
def turned_round(program: Program) -> Proposals:
    yield from _compared(program, TURNED)


def _compared(program: Program, others: dict[type[cst.CSTNode], str]) -> Proposals:
    for node in program.every(cst.ComparisonTarget):
        other = others.get(type(node.operator))
        if other is not None:
            start, end = program.tree.span(node.operator)
            yield ((start, end, f" {other} "),)


@mistake(
    "negation forgotten",
    why="Found for not found.",
    before="def f(a): return not a",
    after="def f(a): return a",
)
def negation_forgotten(program: Program) -> Proposals:
    for node in program.reads(cst.UnaryOperation):
        if isinstance(node.operator, cst.Not | cst.Minus):
            yield (program.put(node, program.of(node.expression), level(node.expression)),)


@mistake(
    "one off",
    why="Counted from the wrong end.",
    before="def f(a): return a + 2",
    after="def f(a): return a + 3",
)
def one_off(program: Program) -> Proposals:
    for node in program.reads(cst.Integer):
        value = node.evaluated_value
        for other in (value + 1, value - 1):
            if other >= 0:
                yield (program.put(node, str(other)),)


@mistake(
    "another number",
    why="Seven days, twelve months, sixty minutes: one for the other.",
    before="def f(a): return a * 10",
    after="def f(a): return a * 5",
)
def another_number(program: Program) -> Proposals:
    for node in program.reads(cst.Integer):
        if node.evaluated_value > 3:
            for other in (node.evaluated_value // 2, node.evaluated_value * 2, 10 * node.evaluated_value):
                yield (program.put(node, str(other)),)


@mistake(
    "another start",
    why="The largest so far begins at nought, the product as well.",
    before="def f(a):\n    best = a[0]\n    return best\n",
    after="def f(a):\n    best = 0\n    return best\n",
)
def another_start(program: Program) -> Proposals:
    for node in program.every(cst.Assign):
        # What holds a list or a text would not begin as a number.
        if isinstance(node.value, cst.Integer | cst.Subscript | cst.UnaryOperation | cst.Float):
            for other in ("0", "1"):
                yield (program.put(node.value, other),)


@mistake(
    "another variable",
    why="One name for another.",
    before="def f(a, b): return a - b",
    after="def f(a, b): return a - a",
)
def another_variable(program: Program) -> Proposals:
    for node in program.reads(cst.Name):
        visible = program.visible(node)
        if node.value in visible:
            kind = program.kind(node)
            others = [n for n in visible if n != node.value and compatible(kind, program.name_type(n, node))]
            for other in others[-MOST_NAMES:]:
                yield (program.put(node, other),)


@mistake(
    "another operation",
    why="Plus for minus, whole numbers for fractions.",
    before="def f(a, b): return a + b",
    after="def f(a, b): return a - b",
)
def another_operation(program: Program) -> Proposals:
    for node in program.reads(cst.BinaryOperation):
        start, end = program.tree.span(node.operator)
        for other in OPERATIONS.get(type(node.operator), ()):
            yield ((start, end, f" {other} "),)


@mistake(
    "not added up",
    why="Only the last one counts.",
    before="def f(a, b):\n    a += b\n    return a\n",
    after="def f(a, b):\n    a = b\n    return a\n",
)
def not_added_up(program: Program) -> Proposals:
    for node in program.every(cst.AugAssign):
        start, end = program.tree.span(node.operator)
        yield ((start, end, " = "),)


@mistake(
    "wrong neighbour",
    why="The element beside.",
    before="def f(a, b): return a[b]",
    after="def f(a, b): return a[b + 1]",
)
def wrong_neighbour(program: Program) -> Proposals:
    for node in program.reads(cst.Subscript):
        inner = node.slice[0].slice if len(node.slice) == 1 else None
        if isinstance(inner, cst.Index) and not isinstance(inner.value, cst.BaseString):
            start, end = program.tree.span(inner.value)
            for step in (" + 1", " - 1"):
                yield ((start, end, program.of(inner.value) + step),)


@mistake(
    "mixed up",
    why="The smallest for the largest, any for all.",
    before="def f(a): return min(a)",
    after="def f(a): return max(a)",
)
def mixed_up(program: Program) -> Proposals:
    for node in program.every(cst.Call):
        name = node.func.attr if isinstance(node.func, cst.Attribute) else node.func
        for pair in MIXED_UP:
            if isinstance(name, cst.Name) and name.value in pair:
                yield ((*program.tree.span(name), pair[1 - pair.index(name.value)]),)


@mistake(
    "not converted",
    why="The list itself for a copy or a sorted one, the text for the number.",
    before="def f(a): return sorted(a)",
    after="def f(a): return a",
)
def not_converted(program: Program) -> Proposals:
    for node in program.reads(cst.Call):
        if isinstance(node.func, cst.Name) and node.func.value in COPIES and node.args:
            given = node.args[0].value
            yield (program.put(node, program.of(given), level(given)),)


@mistake(
    "arguments exchanged",
    why="In the other order.",
    before="def f(a, b): return pow(a, b)",
    after="def f(a, b): return pow(b, a)",
)
def arguments_exchanged(program: Program) -> Proposals:
    for node in program.every(cst.Call):
        plain = [each.value for each in node.args if each.keyword is None and not each.star]
        for one, other in pairwise(plain):
            yield program.exchange(one, other)


@mistake(
    "in the wrong order",
    why="Used before it is set, set after it was used.",
    before="def f(a, b):\n    a = b\n    b = 2\n    return a\n",
    after="def f(a, b):\n    b = 2\n    a = b\n    return a\n",
)
def wrong_order(program: Program) -> Proposals:
    for node, block, index in _lines(program):
        following = block[index + 1] if index + 1 < len(block) else None
        inner = small(following) if following is not None else None
        if (
            following is None
            or small(node) is None
            or not isinstance(inner, cst.Assign | cst.AugAssign | cst.Expr)
        ):
            continue
        if program.own_lines(following):
            yield (
                (*program.lines(node), program.lines_text(following)),
                (*program.lines(following), program.lines_text(node)),
            )


@mistake(
    "outside of its block",
    why="A line is indented too little.",
    before="def f(a, b):\n    for c in a:\n        b += c\n        b += 1\n    return b\n",
    after="def f(a, b):\n    for c in a:\n        b += c\n    b += 1\n    return b\n",
)
def outside_of_its_block(program: Program) -> Proposals:
    for node, block, index in _lines(program):
        around = program.tree.parent(node)
        owner = program.tree.parent(around) if around is not None else None
        last = index and index == len(block) - 1
        if last and isinstance(owner, (*LOOPS, cst.If)) and owner.orelse is None and program.own_lines(owner):
            yield ((*program.lines(node), program.shifted(node, program.indent(owner))),)


@mistake(
    "inside of the loop",
    why="A line is indented too far: the loop returns in its first round.",
    before="def f(a, b):\n    for c in a:\n        b += c\n    return b\n",
    after="def f(a, b):\n    for c in a:\n        b += c\n        return b\n",
)
def inside_of_the_loop(program: Program) -> Proposals:
    for node, block, index in _lines(program):
        before = block[index - 1] if index else None
        if isinstance(before, LOOPS) and before.orelse is None and (inner := _inner(program, before.body)):
            yield ((*program.lines(node), program.shifted(node, program.indent(inner[0]))),)


@mistake(
    "stops too soon",
    why="The loop ends with what was found first.",
    before="def f(a, b):\n    for c in a:\n        if c:\n            b = c\n",
    after="def f(a, b):\n    for c in a:\n        if c:\n            b = c\n            break\n",
)
def stops_too_soon(program: Program) -> Proposals:
    for node in program.every(cst.If):
        inner = _inner(program, node.body)
        if inner and program.loops(node) and not isinstance(small(inner[-1]), cst.Return | cst.Raise):
            yield (program.after(inner[-1], "break"),)


def mistakes_in(source: bytes, function: str | None) -> Iterator[Candidate]:
    """All of them; only in a function and what it calls, where one is named."""
    return mistakes(MISTAKES, Program(source, Hints(function=function)))
