"""Edits of loops: first values of what they change, jumps, what is done when they end."""

from __future__ import annotations

from collections.abc import Iterator

import libcst as cst

from learn2fix.edits.catalogue import Proposals, Unusual
from learn2fix.languages.python.edits.catalogue import CATALOGUE
from learn2fix.languages.python.edits.kinds import SEQUENCE, TEXT, UNKNOWN
from learn2fix.languages.python.edits.precedence import number_level
from learn2fix.languages.python.edits.program import Program, choice
from learn2fix.languages.python.edits.source import Statement
from learn2fix.languages.python.edits.statements import deleted, small, unindented

# What stands for "nothing found yet" before a loop.
FIRST_VALUES = (
    "0", "1", "None", "[]", "''", "{}", "float('inf')", "-float('inf')", "-1", "True", "False", "set()",
)  # fmt: skip


def _settings(program: Program) -> Iterator[tuple[Statement, str, cst.BaseExpression]]:
    """Statements that set one variable, its name and what it is set to."""
    for node in program.statements:
        inner = small(node)
        if isinstance(inner, cst.Assign) and len(inner.targets) == 1:
            target = inner.targets[0].target
            if isinstance(target, cst.Name):
                yield node, target.value, inner.value


def _loop_after(program: Program, node: Statement) -> cst.For | cst.While | None:
    block = program.block(node)
    following = block[block.index(node) + 1 :] if node in block else []
    return next((after for after in following if isinstance(after, cst.For | cst.While)), None)


@CATALOGUE.operator(
    "first value",
    why="A sum, product, best or list begins with the wrong value.",
    before="def f(xs):\n    t = 0\n    for x in xs:\n        t *= x\n    return t\n",
    after="def f(xs):\n    t = 1\n    for x in xs:\n        t *= x\n    return t\n",
)
def first_value(program: Program) -> Proposals:
    for node, target, value in _settings(program):
        loop = _loop_after(program, node)
        if loop is not None:
            for text in FIRST_VALUES:
                yield (program.put(value, text, number_level(text)),)
            if isinstance(loop, cst.For) and isinstance(loop.iter, cst.Name):
                for part in ("[0]", "[-1]"):
                    yield (program.put(value, loop.iter.value + part),)
            for name in program.visible(node):
                if program.name_type(name, node) in (SEQUENCE, TEXT, UNKNOWN) and name != target:
                    yield choice((program.put(value, f"{name}[0]"),), likely=False)


@CATALOGUE.operator(
    "variable set in each round, or once",
    why="A variable keeps what it should forget from round to round, or forgets what it should keep.",
    before="def f(xs):\n    t = 0\n    for x in xs:\n        t += x\n        print(t)\n",
    after="def f(xs):\n    for x in xs:\n        t = 0\n        t += x\n        print(t)\n",
)
def set_in_each_round(program: Program) -> Proposals:
    for node, _, _ in _settings(program):
        text = program.of(node)
        loop = _loop_after(program, node)
        first = loop.body.body[0] if loop is not None and loop.body.body else None
        if isinstance(first, cst.BaseStatement) and program.own_lines(first):
            yield deleted(program, node), program.before(first, text)
        for around in program.loops(node)[:1]:
            if program.own_lines(around):
                yield program.before(around, text), deleted(program, node)


@CATALOGUE.operator(
    "break and continue",
    why="A loop is left where it should go on, or the other way round.",
    before="def f(xs):\n    for x in xs:\n        if x:\n            break\n",
    after="def f(xs):\n    for x in xs:\n        if x:\n            continue\n",
)
def break_and_continue(program: Program) -> Proposals:
    for node in program.nodes:
        if isinstance(node, cst.Break | cst.Continue):
            other = "continue" if isinstance(node, cst.Break) else "break"
            yield ((*program.tree.span(node), other),)


@CATALOGUE.operator(
    "jump removed",
    why="A loop should not be cut short.",
    before="def f(xs):\n    for x in xs:\n        if x:\n            break\n",
    after="def f(xs):\n    for x in xs:\n        if x:\n            pass\n",
)
def jump_removed(program: Program) -> Proposals:
    for node in program.nodes:
        if isinstance(node, cst.Break | cst.Continue):
            yield ((*program.tree.span(node), "pass"),)


@CATALOGUE.operator(
    "jump after a block",
    why="A loop goes on though it has found what it looked for.",
    before="def f(xs):\n    for x in xs:\n        if x:\n            r = x\n    return r\n",
    after="def f(xs):\n    for x in xs:\n        if x:\n            r = x\n            break\n    return r\n",
)
def jump_added(program: Program) -> Proposals:
    for node in program.statements:
        plain = isinstance(small(node), cst.Assign | cst.AugAssign | cst.Expr)
        if plain and program.loops(node) and program.block(node)[-1:] == [node]:
            for jump in ("break", "continue"):
                yield (program.after(node, jump),)


@CATALOGUE.operator(
    "else of an if for its loop",
    why="What should be done when a loop has found nothing is done in each round.",
    before=(
        "def f(xs):\n    for x in xs:\n        if x:\n            break\n"
        "        else:\n            print(0)\n"
    ),
    after="def f(xs):\n    for x in xs:\n        if x:\n            break\n    else:\n        print(0)\n",
)
def else_for_the_loop(program: Program) -> Proposals:
    for node in program.every(cst.If):
        parent = program.tree.parent(node)
        loop = program.tree.parent(parent) if isinstance(parent, cst.IndentedBlock) else None
        if not isinstance(loop, cst.For | cst.While) or loop.orelse is not None:
            continue
        if not isinstance(node.orelse, cst.Else) or program.block(node)[-1] is not node:
            continue
        body = unindented(program, node.orelse, program.indent(loop))
        if body is not None:
            place = program.lines(node.orelse)
            yield ((*place, program.shifted(node.orelse, program.indent(loop))),)
            yield ((*place, body),)


@CATALOGUE.operator(
    "else of a loop done always or never",
    why="What follows a loop is done only when the loop was not left early.",
    before="def f(xs):\n    for x in xs:\n        print(x)\n    else:\n        print(0)\n",
    after="def f(xs):\n    for x in xs:\n        print(x)\n    print(0)\n",
)
def else_of_a_loop(program: Program) -> Proposals:
    loops: list[cst.For | cst.While] = [*program.every(cst.For), *program.every(cst.While)]
    for node in loops:
        body = unindented(program, node.orelse, program.indent(node)) if node.orelse is not None else None
        if node.orelse is not None and body is not None:
            place = program.lines(node.orelse)
            yield ((*place, body),)
            yield Unusual(((*place, ""),), ("a compound statement",))
