"""Edits of conditions: and, or, not, parts dropped and added, filters, conditional expressions."""

from __future__ import annotations

from collections.abc import Iterator

import libcst as cst

from learn2fix.edits.catalogue import Proposals, Unusual
from learn2fix.languages.python.edits.atoms import COMPARED, SIGNS, atoms
from learn2fix.languages.python.edits.catalogue import CATALOGUE
from learn2fix.languages.python.edits.precedence import AND, BIT_OR, COMPARE, NOT, OR
from learn2fix.languages.python.edits.program import Atoms, Program
from learn2fix.languages.python.tree import walk


@CATALOGUE.operator(
    "and for or",
    why="Two parts of a condition are joined by the wrong word.",
    before="def f(a, b): return a and b",
    after="def f(a, b): return a or b",
)
def and_for_or(program: Program) -> Proposals:
    for node in program.reads(cst.BooleanOperation):
        other = "or" if isinstance(node.operator, cst.And) else "and"
        yield (program.piece(*program.tree.span(node.operator), other),)


@CATALOGUE.operator(
    "part of a condition dropped",
    why="A condition asks for too much, or lets too much through.",
    before="def f(a, b): return a and b",
    after="def f(a, b): return b",
)
def part_dropped(program: Program) -> Proposals:
    for node in program.reads(cst.BooleanOperation):
        for kept in (node.left, node.right):
            yield (program.put_node(node, kept),)


@CATALOGUE.operator(
    "condition regrouped",
    why="`and` binds tighter than `or`, which the writer forgot.",
    before="def f(a, b, c): return a or b and c",
    after="def f(a, b, c): return (a or b) and c",
)
def condition_regrouped(program: Program) -> Proposals:
    for node in program.reads(cst.BooleanOperation):
        if isinstance(node.left, cst.BooleanOperation) and not node.left.lpar:
            start, end = program.tree.outer(node.left.right)[0], program.tree.outer(node.right)[1]
            yield (start, start, "("), (end, end, ")")
        if isinstance(node.right, cst.BooleanOperation) and not node.right.lpar:
            start, end = program.tree.outer(node.left)[0], program.tree.outer(node.right.left)[1]
            yield (start, start, "("), (end, end, ")")


@CATALOGUE.operator(
    "comparison repeated",
    why="`x == 1 or 2` is read by people as `x == 1 or x == 2`.",
    before="def f(x): return x == 1 or 2",
    after="def f(x): return x == 1 or x == 2",
)
def comparison_repeated(program: Program) -> Proposals:
    for node in program.reads(cst.BooleanOperation):
        left = node.left.right if isinstance(node.left, cst.BooleanOperation) else node.left
        if isinstance(left, cst.Comparison) and not isinstance(
            node.right, cst.Comparison | cst.BooleanOperation
        ):
            sign = program.of(left.comparisons[-1].operator)
            text = f"{program.wrap(left.left, BIT_OR)} {sign} {program.wrap(node.right, BIT_OR)}"
            yield (program.put(node.right, text, COMPARE),)


def _negations(program: Program) -> Iterator[cst.UnaryOperation]:
    return (node for node in program.reads(cst.UnaryOperation) if isinstance(node.operator, cst.Not))


@CATALOGUE.operator(
    "not removed",
    why="A condition is negated once too often.",
    before="def f(a): return not a",
    after="def f(a): return a",
)
def not_removed(program: Program) -> Proposals:
    for node in _negations(program):
        yield (program.put_node(node, node.expression),)


@CATALOGUE.operator(
    "not for the first part alone",
    why="A `not` before parentheses was meant for the first part in them.",
    before="def f(a, b): return not (a and b)",
    after="def f(a, b): return not a and b",
)
def not_for_the_first_part(program: Program) -> Proposals:
    for node in _negations(program):
        inner = node.expression
        if isinstance(inner, cst.BooleanOperation):
            rest = f"{program.of(inner.operator)} {program.wrap(inner.right, AND)}"
            yield (program.put(node, f"not {program.wrap(inner.left, NOT)} {rest}", OR),)


@CATALOGUE.operator(
    "condition negated",
    why="A `not` was forgotten.",
    before="def f(a):\n    if a:\n        return 1",
    after="def f(a):\n    if not a:\n        return 1",
)
def condition_negated(program: Program) -> Proposals:
    for node in program.conditions:
        if not isinstance(node, cst.UnaryOperation):
            yield (program.put(node, f"not {program.wrap(node, NOT)}", NOT),)


def _whole(program: Program) -> Iterator[cst.BaseExpression]:
    """Conditions that are no part of a larger one, and no constants."""
    for node in program.conditions:
        part = isinstance(program.tree.parent(node), cst.BooleanOperation | cst.UnaryOperation)
        if not part and program.of(node) not in ("True", "False"):
            yield node


@CATALOGUE.operator(
    "condition made constant",
    why="What stands under a condition is to be done always, or never.",
    before="def f(a):\n    if a:\n        return 1",
    after="def f(a):\n    if True:\n        return 1",
)
def condition_made_constant(program: Program) -> Proposals:
    for node in _whole(program):
        yield (program.put(node, "True"),)
        yield (program.put(node, "False"),)


def _others(program: Program, node: cst.BaseExpression) -> Atoms:
    return [(atom, traits) for atom, traits in atoms(program, node) if atom != program.of(node)]


@CATALOGUE.operator(
    "condition with one more part",
    why="A case was forgotten.",
    before="def f(y): return y % 4 == 0",
    after="def f(y): return y % 4 == 0 and y != 0",
)
def one_more_part(program: Program) -> Proposals:
    for node in _whole(program):
        both, either = program.wrap(node, AND), program.wrap(node, OR)
        for atom, traits in _others(program, node):
            yield Unusual((program.put(node, f"{both} and {atom}", AND),), traits)
            yield Unusual((program.put(node, f"{either} or {atom}", OR),), traits)


@CATALOGUE.operator(
    "condition asked before",
    why="A condition cannot be asked before another one is known to hold.",
    before="def f(xs):\n    if xs[0]:\n        return 1",
    after="def f(xs):\n    if xs and xs[0]:\n        return 1",
)
def asked_before(program: Program) -> Proposals:
    for node in _whole(program):
        text = program.wrap(node, AND)
        for atom, traits in _others(program, node):
            yield Unusual((program.put(node, f"{atom} and {text}", AND),), traits)


@CATALOGUE.operator(
    "condition replaced",
    why="A condition asks for something else altogether.",
    before="def f(a, b):\n    if a % 2:\n        return b - 1",
    after="def f(a, b):\n    if b == 0:\n        return b - 1",
)
def condition_replaced(program: Program) -> Proposals:
    for node in _whole(program):
        for atom, traits in atoms(program, node):
            yield Unusual((program.put(node, atom, NOT),), traits)


@CATALOGUE.operator(
    "filter dropped",
    why="A comprehension leaves out what it should keep.",
    before="def f(xs): return [x for x in xs if x]",
    after="def f(xs): return [x for x in xs]",
)
def filter_dropped(program: Program) -> Proposals:
    for part in program.every(cst.CompIf):
        start, end = program.tree.span(part)
        while program.text[start - 1] == " ":
            start -= 1
        yield (program.piece(start, end, ""),)


@CATALOGUE.operator(
    "filter added",
    why="A comprehension keeps what it should leave out.",
    before="def f(xs): return [x for x in xs]",
    after="def f(xs): return [x for x in xs if x > 0]",
)
def filter_added(program: Program) -> Proposals:
    for node in program.every(cst.CompFor):
        if node.ifs or node.inner_for_in is not None:
            continue
        end = program.tree.outer(node.iter)[1]
        for name in (part.value for part in walk(node.target) if isinstance(part, cst.Name)):
            for text in ("{}", "not {}", "{} is not None", "{} != 0", "{} > 0", "{} >= 0"):
                yield (program.piece(end, end, f" if {text.format(name)}"),)
            for constant in program.numbers:
                for sign in SIGNS:
                    yield Unusual((program.piece(end, end, f" if {name} {sign} {constant}"),), COMPARED)


@CATALOGUE.operator(
    "branches of a conditional expression exchanged",
    why="The values of a conditional expression stand the wrong way round.",
    before="def f(a): return 1 if a else 2",
    after="def f(a): return 2 if a else 1",
)
def branches_exchanged(program: Program) -> Proposals:
    for node in program.reads(cst.IfExp):
        yield program.exchange(node.body, node.orelse)


@CATALOGUE.operator(
    "one branch of a conditional expression",
    why="A value does not depend on the condition.",
    before="def f(a): return 1 if a else 2",
    after="def f(a): return 1",
)
def one_branch(program: Program) -> Proposals:
    for node in program.reads(cst.IfExp):
        for kept in (node.body, node.orelse):
            yield (program.put_node(node, kept),)
