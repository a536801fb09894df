"""Edits of whole statements: deleted, exchanged, moved into and out of blocks; branches joined and split."""

from __future__ import annotations

from collections.abc import Iterator

import libcst as cst

from learn2fix.edits.catalogue import Proposals, Unusual
from learn2fix.languages.python.edits.catalogue import CATALOGUE
from learn2fix.languages.python.edits.precedence import TERNARY
from learn2fix.languages.python.edits.program import LOOPS, SECOND_CHOICE, Program
from learn2fix.languages.python.edits.source import Statement
from learn2fix.languages.python.edits.statements import (
    JUMPS,
    deleted,
    is_movable,
    is_statement,
    movable,
    small,
    unindented,
)
from learn2fix.languages.python.tree import walk


@CATALOGUE.operator(
    "statement deleted",
    why="Something is done that should not be.",
    before="def f(a):\n    a += 1\n    return a\n",
    after="def f(a):\n    return a\n",
)
def statement_deleted(program: Program) -> Proposals:
    for node in program.statements:
        if is_movable(node) and not isinstance(small(node), cst.Pass):
            traits = () if isinstance(node, cst.SimpleStatementLine) else ("a compound statement",)
            yield Unusual((deleted(program, node),), traits)


def _blocks(program: Program) -> Iterator[cst.If]:
    for node in program.statements:
        if isinstance(node, cst.If) and isinstance(node.body, cst.IndentedBlock):
            yield node


@CATALOGUE.operator(
    "condition around a block dropped",
    why="A block should be done always.",
    before="def f(a):\n    if a:\n        a += 1\n    return a\n",
    after="def f(a):\n    a += 1\n    return a\n",
)
def block_unguarded(program: Program) -> Proposals:
    for node in _blocks(program):
        if node.orelse is None and all(map(program.own_lines, node.body.body)):
            body = "".join(program.shifted(inner, program.indent(node)) for inner in node.body.body)
            yield ((*program.lines(node), body),)


@CATALOGUE.operator(
    "else branch done always or never",
    why="What is done otherwise should be done always, or not at all.",
    before="def f(a):\n    if a:\n        a += 1\n    else:\n        a -= 1\n    return a\n",
    after="def f(a):\n    if a:\n        a += 1\n    a -= 1\n    return a\n",
)
def else_always_or_never(program: Program) -> Proposals:
    for node in _blocks(program):
        if isinstance(node.orelse, cst.Else) and isinstance(node.orelse.body, cst.IndentedBlock):
            place = program.lines(node.orelse)
            body = unindented(program, node.orelse, program.indent(node))
            if body is not None:
                yield ((*place, body),)
            yield Unusual(((*place, ""),), ("a compound statement",))


def _neighbours(program: Program) -> Iterator[tuple[Statement, Statement]]:
    for node, block, place in movable(program):
        if place + 1 < len(block):
            after = block[place + 1]
            if is_movable(after) and program.own_lines(after):
                yield node, after


@CATALOGUE.operator(
    "statements exchanged",
    why="Two statements stand in the wrong order.",
    before="def f(a):\n    a += 1\n    print(a)\n    return a\n",
    after="def f(a):\n    print(a)\n    a += 1\n    return a\n",
)
def statements_exchanged(program: Program) -> Proposals:
    for node, after in _neighbours(program):
        if isinstance(small(node), JUMPS):
            continue
        (start, middle), (next_start, end) = program.lines(node), program.lines(after)
        between = program.tree.slice(middle, next_start)
        text = program.lines_text(after) + between + program.lines_text(node)
        if not program.text[:end].endswith("\n"):
            text = text.rstrip("\r\n")
        traits = () if small(node) is not None and small(after) is not None else ("a compound statement",)
        yield Unusual(((start, end, text),), traits)


@CATALOGUE.operator(
    "assignments made at once",
    why="The second of two assignments reads what the first has just overwritten.",
    before="def f(a, b):\n    a = b\n    b = a + b\n    return a\n",
    after="def f(a, b):\n    a, b = b, a + b\n    return a\n",
)
def assignments_at_once(program: Program) -> Proposals:
    for node, after in _neighbours(program):
        first, second = small(node), small(after)
        if not (isinstance(first, cst.Assign) and isinstance(second, cst.Assign)):
            continue
        if len(first.targets) != 1 or len(second.targets) != 1:
            continue
        targets = first.targets[0].target, second.targets[0].target
        if not all(isinstance(target, cst.Name | cst.Subscript | cst.Attribute) for target in targets):
            continue
        one, other = map(program.of, targets)
        if _mentions(program, second.value, one) or _mentions(program, first.value, other):
            values = program.wrap(first.value, TERNARY), program.wrap(second.value, TERNARY)
            text = f"{program.indent(node)}{one}, {other} = {values[0]}, {values[1]}{program.tree.newline}"
            yield ((program.lines(node)[0], program.lines(after)[1], text),)


def _mentions(program: Program, node: cst.BaseExpression, text: str) -> bool:
    return any(isinstance(part, cst.BaseExpression) and program.of(part) == text for part in walk(node))


def _likely(node: Statement) -> tuple[str, ...]:
    """Most often it is a `return` that stands in the wrong block."""
    return () if isinstance(small(node), cst.Return) else SECOND_CHOICE


def _out_of_blocks(program: Program, node: Statement) -> Proposals:
    """The last statement of a block put after the compound statement around it, or farther out."""
    start, end = program.lines(node)
    gone = deleted(program, node)
    for level, owner in enumerate(_owners(program, node)):
        text = program.shifted(node, program.indent(owner))
        traits = _likely(node) + ("a block farther",) * level
        if program.lines(owner)[1] == end:
            yield Unusual(((start, end, gone[2] + text),), traits)
        else:
            yield Unusual((gone, program.below(owner, text)), traits)


def _owners(program: Program, node: Statement) -> Iterator[cst.CSTNode]:
    """The compound statements around a statement within its function, innermost first."""
    for above in program.tree.above(node):
        if isinstance(above, cst.FunctionDef | cst.ClassDef):
            return
        if isinstance(above, cst.If) and program.is_elif(above):
            continue
        if isinstance(above, cst.If | cst.For | cst.While | cst.With | cst.Try) and program.own_lines(above):
            yield above


def _into_block(program: Program, node: Statement, block: list[Statement], place: int) -> Proposals:
    """A statement put at the end of the block before it; and all that follow it as well."""
    last = _last_of(program, block[place - 1])
    if last is None or isinstance(small(last), JUMPS):
        return
    indent = program.indent(last)
    start, end = program.lines(node)
    traits = _likely(node)
    yield Unusual(((start, end, program.shifted(node, indent)),), traits)
    rest = block[place:]
    if len(rest) > 1 and all(map(program.own_lines, rest)):
        text = "".join(program.shifted(inner, indent) for inner in rest)
        yield Unusual(((start, program.lines(rest[-1])[1], text),), (*traits, "a block farther"))


def _last_of(program: Program, node: Statement) -> Statement | None:
    """The last statement in the last branch of a compound statement."""
    if not isinstance(node, cst.If | cst.For | cst.While | cst.With):
        return None
    if isinstance(node, LOOPS) and node.orelse is not None:
        return None
    last: cst.If | cst.Else | cst.For | cst.While | cst.With = node
    while isinstance(last, cst.If) and last.orelse is not None:
        last = last.orelse
    if not isinstance(last.body, cst.IndentedBlock) or not last.body.body:
        return None
    inner = last.body.body[-1]
    return inner if is_statement(inner) and program.own_lines(inner) else None


@CATALOGUE.operator(
    "statement moved out of its block",
    why="A statement is indented too far: a `return` ends a loop in its first round.",
    before="def f(xs):\n    for x in xs:\n        if x < 0:\n            return False\n        return True\n",
    after="def f(xs):\n    for x in xs:\n        if x < 0:\n            return False\n    return True\n",
)
def statement_moved_out(program: Program) -> Proposals:
    for node, block, place in movable(program):
        if place == len(block) - 1:
            yield from _out_of_blocks(program, node)


@CATALOGUE.operator(
    "statement moved into the block before",
    why="A statement is not indented far enough.",
    before="def f(xs):\n    for x in xs:\n        print(x)\n    print(xs)\n",
    after="def f(xs):\n    for x in xs:\n        print(x)\n        print(xs)\n",
)
def statement_moved_in(program: Program) -> Proposals:
    for node, block, place in movable(program):
        if place > 0:
            yield from _into_block(program, node, block, place)


@CATALOGUE.operator(
    "if and elif",
    why="Cases exclude one another where they should not, or do not where they should.",
    before="def f(n):\n    if n > 5:\n        print(1)\n    if n > 3:\n        print(2)\n",
    after="def f(n):\n    if n > 5:\n        print(1)\n    elif n > 3:\n        print(2)\n",
)
def if_and_elif(program: Program) -> Proposals:
    for node in program.every(cst.If):
        start, _ = program.tree.span(node)
        if program.is_elif(node):
            if program.tree.slice(start, start + 4) == "elif":
                yield ((start, start + 4, "if"),)
            continue
        block = program.block(node)
        place = block.index(node) if node in block else 0
        if place > 0 and isinstance(block[place - 1], cst.If) and program.own_lines(node):
            before: cst.CSTNode | None = block[place - 1]
            while isinstance(before, cst.If) and before.orelse is not None:
                before = before.orelse
            if isinstance(before, cst.If):
                yield ((start, start + 2, "elif"),)


@CATALOGUE.operator(
    "if and while",
    why="Something is done once where it should be repeated, or repeated where it should be done once.",
    before="def f(n):\n    if n > 9:\n        n -= 9\n    return n\n",
    after="def f(n):\n    while n > 9:\n        n -= 9\n    return n\n",
)
def if_and_while(program: Program) -> Proposals:
    for node in program.every(cst.If):
        if node.orelse is None and not program.is_elif(node):
            start, _ = program.tree.span(node)
            yield ((start, start + 2, "while"),)
    for loop in program.every(cst.While):
        if loop.orelse is None:
            start, _ = program.tree.span(loop)
            yield ((start, start + 5, "if"),)
