"""Edits that make an expression larger: bounded, converted, scaled, with one more term."""

from __future__ import annotations

from collections.abc import Iterator

import libcst as cst

from learn2fix.edits.catalogue import Proposals
from learn2fix.languages.python.edits.catalogue import CATALOGUE
from learn2fix.languages.python.edits.kinds import MAPPING, NUMBER, SEQUENCE, TEXT, UNKNOWN
from learn2fix.languages.python.edits.precedence import ATOM, BIT_AND, PLUS, TERNARY, TIMES, UNARY
from learn2fix.languages.python.edits.program import Program, unsure

MODULI = ("2", "7", "10", "12", "24", "26", "60", "100")
"""What people count in: pairs, weekdays, digits, months, hours, letters, minutes, percent."""
MOST_NAMES = 10
SIGNS = {"+": PLUS, "-": PLUS, "*": TIMES, "//": TIMES, "/": TIMES, "%": TIMES}


def _numbers(program: Program) -> Iterator[tuple[cst.BaseExpression, str]]:
    return ((node, kind) for node, kind in program.values if kind in (NUMBER, UNKNOWN))


@CATALOGUE.operator(
    "number converted or bounded",
    why="A number should be rounded, whole or positive, or kept from falling below 0.",
    before="def f(a, b): return a - b",
    after="def f(a, b): return abs(a - b)",
)
def number_converted(program: Program) -> Proposals:
    for node, kind in _numbers(program):
        text = program.of(node)
        for call in ("abs({})", "int({})", "round({})", "max({}, 0)", "max({}, 1)", "min({}, 1)"):
            yield unsure((program.put(node, call.format(text)),), kind)
        for digits in ("1", "2"):
            yield unsure((program.put(node, f"round({text}, {digits})"),), kind)


@CATALOGUE.operator(
    "sign changed, number doubled or halved",
    why="A value has the wrong sign or is a factor of two off.",
    before="def f(a, b): return a - b",
    after="def f(a, b): return (a - b) // 2",
)
def number_scaled(program: Program) -> Proposals:
    for node, kind in _numbers(program):
        yield unsure((program.put(node, f"-{program.wrap(node, UNARY)}", UNARY),), kind)
        for rest in ("* 2", "// 2", "/ 2"):
            yield unsure((program.put(node, f"{program.wrap(node, TIMES)} {rest}", TIMES),), kind)


@CATALOGUE.operator(
    "number bounded by a variable, or two off",
    why="A value should not pass another one, or is two off.",
    before="def f(a: int, b: int): return a + 1",
    after="def f(a: int, b: int): return min(a + 1, b)",
)
def number_bounded_by_a_variable(program: Program) -> Proposals:
    for node, kind in _numbers(program):
        text = program.of(node)
        for name in program.visible(node):
            if program.name_type(name, node) == NUMBER and name != text:
                for function in ("min", "max"):
                    yield unsure((program.put(node, f"{function}({text}, {name})"),), kind)
        for sign in ("+", "-"):
            yield unsure((program.put(node, f"{program.wrap(node, PLUS)} {sign} 2", PLUS),), kind)


@CATALOGUE.operator(
    "text in one case, stripped or converted",
    why="Case or blanks of a text should not matter, or a value should be a text.",
    before="def f(s: str): return s",
    after="def f(s: str): return s.lower()",
)
def text_converted(program: Program) -> Proposals:
    for node, kind in program.values:
        if kind == TEXT or (kind == UNKNOWN and isinstance(node, cst.Name | cst.Subscript | cst.Call)):
            text, tight = program.of(node), program.wrap(node, ATOM)
            for new in (f"{tight}.lower()", f"{tight}.upper()", f"{tight}.strip()", f"str({text})"):
                yield unsure((program.put(node, new),), kind)


@CATALOGUE.operator(
    "letters in order or without a sign",
    why="The order of the letters of a text, or the blanks between its words, should not matter.",
    before="def f(s: str): return s",
    after="def f(s: str): return ''.join(sorted(s))",
)
def letters_in_order(program: Program) -> Proposals:
    for node, kind in program.values:
        if kind == TEXT:
            text, tight = program.of(node), program.wrap(node, ATOM)
            for new in (f"''.join(sorted({text}))", f"{tight}.replace(' ', '')"):
                yield (program.put(node, new),)


@CATALOGUE.operator(
    "sequence converted",
    why="A sequence should be sorted, reversed, copied, counted, or without duplicates.",
    before="def f(xs: list): return xs",
    after="def f(xs: list): return sorted(xs)",
)
def sequence_converted(program: Program) -> Proposals:
    for node, kind in program.values:
        if kind in (SEQUENCE, TEXT, MAPPING, UNKNOWN):
            text, tight = program.of(node), program.wrap(node, ATOM)
            sure = SEQUENCE if kind == SEQUENCE else UNKNOWN
            for new in (f"sorted({text})", f"{tight}[::-1]", f"list({text})", f"len({text})", f"set({text})"):
                yield unsure((program.put(node, new),), sure)


@CATALOGUE.operator(
    "part of a sequence",
    why="One item, or all but one, was meant.",
    before="def f(xs: list): return xs",
    after="def f(xs: list): return xs[1:]",
)
def part_of_a_sequence(program: Program) -> Proposals:
    for node, kind in program.values:
        if kind == SEQUENCE:
            for part in ("[1:]", "[:-1]", "[0]", "[-1]"):
                yield (program.put(node, program.wrap(node, ATOM) + part),)


def _iterables(program: Program) -> Iterator[cst.BaseExpression]:
    """What loops and comprehensions run over."""
    for node in program.expressions:
        if isinstance(program.tree.parent(node), cst.For | cst.CompFor):
            yield node


@CATALOGUE.operator(
    "loop over a part, or in reverse",
    why="A loop should leave out the first or the last item, or begin with the last.",
    before="def f(xs):\n    for x in xs:\n        print(x)",
    after="def f(xs):\n    for x in xs[1:]:\n        print(x)",
)
def loop_over_a_part(program: Program) -> Proposals:
    for node in _iterables(program):
        if isinstance(node, cst.Name | cst.Attribute):
            for part in ("[1:]", "[:-1]", "[::-1]"):
                yield (program.put(node, program.wrap(node, ATOM) + part),)


@CATALOGUE.operator(
    "loop in another order, over a copy or over indices",
    why="A loop should see its items sorted, reversed, once each or numbered, or changes what it runs over.",
    before="def f(xs):\n    for x in xs:\n        print(x)",
    after="def f(xs):\n    for x in sorted(xs):\n        print(x)",
)
def loop_in_another_order(program: Program) -> Proposals:
    for node in _iterables(program):
        text = program.wrap(node, TERNARY)
        for function in ("sorted", "reversed", "set", "list"):
            yield (program.put(node, f"{function}({text})"),)
        if isinstance(node, cst.Name | cst.Attribute):
            yield (program.put(node, f"range(len({text}))"),)


@CATALOGUE.operator(
    "loop over items, values or keys",
    why="A loop over a mapping sees its keys alone.",
    before="def f(d: dict):\n    for k in d:\n        print(k)",
    after="def f(d: dict):\n    for k in d.items():\n        print(k)",
)
def loop_over_items(program: Program) -> Proposals:
    for node in _iterables(program):
        if isinstance(node, cst.Name | cst.Attribute) and program.kind(node) in (MAPPING, UNKNOWN):
            for method in ("items", "values", "keys"):
                yield (program.put(node, f"{program.wrap(node, ATOM)}.{method}()"),)


def _summands(program: Program) -> Iterator[tuple[cst.BaseExpression, str]]:
    for node, kind in _numbers(program):
        if not isinstance(program.tree.parent(node), cst.Element):
            yield node, kind


def _terms(program: Program, node: cst.BaseExpression) -> list[str]:
    """Variables that may be numbers where a node stands, and lengths of those that have one."""
    found = []
    for name in program.local(node):
        kind = program.name_type(name, node)
        if kind in (NUMBER, UNKNOWN):
            found.append(name)
        if kind in (SEQUENCE, TEXT, MAPPING):
            found.append(f"len({name})")
    return [name for name in found[:MOST_NAMES] if name != program.of(node)]


@CATALOGUE.operator(
    "variable added or subtracted",
    why="A formula lacks a term.",
    before="def f(a, b): return a * 2",
    after="def f(a, b): return a * 2 + b",
)
def variable_added(program: Program) -> Proposals:
    for node, kind in _summands(program):
        for name in _terms(program, node):
            for sign in ("+", "-"):
                text = f"{program.wrap(node, PLUS)} {sign} {name}"
                yield unsure((program.put(node, text, PLUS),), kind)


@CATALOGUE.operator(
    "multiplied by, divided by or subtracted from a variable",
    why="A formula lacks a factor.",
    before="def f(a, b): return a + 2",
    after="def f(a, b): return (a + 2) * b",
)
def variable_multiplied(program: Program) -> Proposals:
    for node, kind in _summands(program):
        for name in _terms(program, node):
            for sign in ("*", "//", "/", "%"):
                text = f"{program.wrap(node, TIMES)} {sign} {name}"
                yield unsure((program.put(node, text, TIMES),), kind)
            text = f"{name} - {program.wrap(node, TIMES)}"
            yield unsure((program.put(node, text, PLUS),), kind)


@CATALOGUE.operator(
    "number added, multiplied, or remainder taken",
    why="A formula lacks a constant that the program has elsewhere, or that people count in.",
    before="def f(a, b): return a * b if a < 60 else b",
    after="def f(a, b): return a * b % 60 if a < 60 else b",
)
def number_added(program: Program) -> Proposals:
    for node, kind in _summands(program):
        for constant in program.numbers:
            if constant not in ("0", "1"):
                for sign, tightness in SIGNS.items():
                    text = f"{program.wrap(node, tightness)} {sign} {constant}"
                    yield unsure((program.put(node, text, tightness),), kind)
        for modulus in MODULI:
            text = f"{program.wrap(node, TIMES)} % {modulus}"
            yield unsure((program.put(node, text, TIMES),), kind)


MOST_BITS = 64


def _shrinking(program: Program) -> Iterator[tuple[cst.AugAssign | cst.Assign, str, str, int]]:
    """Statements of loops that take the last digits or bits off a variable, and what gives these digits."""
    for node in (*program.every(cst.AugAssign), *program.every(cst.Assign)):
        match node:
            case cst.AugAssign(
                target=cst.Name(value=name),
                operator=cst.RightShiftAssign() | cst.FloorDivideAssign() as operator,
                value=cst.Integer() as by,
            ):
                pass
            case cst.Assign(
                targets=[cst.AssignTarget(target=cst.Name(value=name))],
                value=cst.BinaryOperation(
                    left=cst.Name(value=before),
                    operator=cst.RightShift() | cst.FloorDivide() as operator,
                    right=cst.Integer() as by,
                ),
            ) if before == name:
                pass
            case _:
                continue
        number = by.evaluated_value
        if isinstance(operator, cst.FloorDivide | cst.FloorDivideAssign):
            yield node, name, f"{name} % {number}", TIMES
        elif number < MOST_BITS:
            yield node, name, f"{name} & {2**number - 1}", BIT_AND


@CATALOGUE.operator(
    "last digit or bit",
    why="A number that loses its last digit in each round is used whole where its last digit is meant.",
    before="def f(n):\n    t = 0\n    while n:\n        t += n\n        n //= 10\n    return t",
    after="def f(n):\n    t = 0\n    while n:\n        t += n % 10\n        n //= 10\n    return t",
)
def last_digit(program: Program) -> Proposals:
    for statement, name, text, tightness in _shrinking(program):
        loops = program.loops(statement)
        for node in program.reads(cst.Name):
            inside = loops and loops[0] in program.loops(node) and statement not in program.tree.above(node)
            if node.value == name and inside and not program.is_base(node):
                yield (program.put(node, text, tightness),)
