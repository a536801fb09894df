"""Statements deleted, moved, exchanged and replaced."""

from __future__ import annotations

from collections.abc import Iterator

from learn2fix.edits.catalogue import Change, Piece, Proposals, Unusual
from learn2fix.languages.c.edits.catalogue import operator
from learn2fix.languages.c.edits.constants import EVERYWHERE
from learn2fix.languages.c.edits.places import (
    CONTROL,
    SIMPLE,
    is_block_child,
    jumps,
    own,
    position,
)
from learn2fix.languages.c.edits.program import Program
from learn2fix.languages.c.tree import Node
from learn2fix.languages.c.words import LOOPS

MOST_COPIES = 4
SECOND_STATEMENT = ("a second statement",)
WHOLE_BLOCK = ("a whole block",)
FROM_THE_MIDDLE = ("from the middle of a block",)


def _removed(node: Node) -> Piece:
    return (node.start, node.end, "" if is_block_child(node) else ";")


def _simple(program: Program) -> list[Node]:
    return [node for node in own(program) if node.type in SIMPLE and program.of(node) != ";"]


@operator(
    "stray semicolon",
    why="`for (...);` is followed by the body that was meant.",
    before="for (a = 0; a < b; a++); c++;",
    after="for (a = 0; a < b; a++) c++;",
)
def stray_semicolon(program: Program) -> Proposals:
    for node in own(program):
        parent = node.parent
        if program.of(node) == ";" and parent is not None and parent.type in (*LOOPS, "if_statement"):
            yield ((node.start, node.end, ""),)
            beside, index = position(parent) if is_block_child(parent) else ([], 0)
            for last in beside[index + 2 :]:
                yield Unusual(((node.start, node.end, "{"), (last.end, last.end, " }")), SECOND_STATEMENT)


@operator("statement deleted", why="A statement is too many.", before="a = 1; b = 2;", after="a = 1;")
def statement_deleted(program: Program) -> Proposals:
    copies: dict[str, list[Node]] = {}
    for node in own(program):
        if node.type not in SIMPLE:
            yield Unusual((_removed(node),), WHOLE_BLOCK)
        elif program.of(node) != ";":
            yield (_removed(node),)
            if is_block_child(node):
                copies.setdefault(program.of(node), []).append(node)
    for nodes in copies.values():
        if 1 < len(nodes) <= MOST_COPIES:
            yield Unusual(tuple(map(_removed, nodes)), EVERYWHERE)


@operator(
    "if or loop reduced to its body",
    why="There was nothing to decide, nothing to do otherwise, or nothing to repeat.",
    before="if (a) b = 1; else b = 2;",
    after="b = 2;",
)
def if_or_loop_reduced(program: Program) -> Proposals:
    for node in own(program):
        other = node.child("alternative") if node.type == "if_statement" else None
        if other is not None:
            then = node.of("consequence")
            yield ((then.end, other.end, ""),)
            for inner in other.inner()[:1]:
                yield ((node.start, node.end, program.of(inner)),)
                yield ((node.start, node.end, program.of(then)),)
        elif node.type == "if_statement":
            yield ((node.start, node.end, program.of(node.of("consequence"))),)
        elif node.type in ("for_statement", "while_statement"):
            yield ((node.start, node.end, program.of(node.of("body"))),)


@operator(
    "statement moved",
    why="Two statements stand in the wrong order, or one of them in or outside of a block by mistake.",
    before="a = 1; while (b) { b--; }",
    after="while (b) { a = 1; b--; }",
)
def statement_moved(program: Program) -> Proposals:
    for node in filter(is_block_child, own(program)):
        beside, index = position(node)
        following = beside[index + 1] if index + 1 < len(beside) else None
        if following is not None and following.type != "declaration":
            text, other = program.of(node), program.of(following)
            yield ((node.start, node.end, other), (following.start, following.end, text))
            yield from _into(program, node, following, first_in_block=True)
        if index > 0:
            yield from _into(program, node, beside[index - 1], first_in_block=False)
        yield from _out_of(program, node, index == 0, following is None)


def _out_of(program: Program, node: Node, is_first: bool, is_last: bool) -> Proposals:
    owner = _owner(node)
    if owner is None or owner.type not in CONTROL or not is_block_child(owner):
        return
    text, alone = program.of(node), node.type == "expression_statement"
    if is_last or alone:
        change: Change = (_removed(node), (owner.end, owner.end, f" {text}"))
        yield Unusual(change, () if is_last else FROM_THE_MIDDLE)
    if is_first or alone:
        change = ((owner.start, owner.start, f"{text} "), _removed(node))
        yield Unusual(change, () if is_first else FROM_THE_MIDDLE)


def _blocks(node: Node) -> Iterator[Node]:
    """The bodies of an `if` (every branch) or a loop."""
    while True:
        if node.type in LOOPS:
            yield node.of("body")
            return
        if node.type != "if_statement":
            return
        yield node.of("consequence")
        other = node.child("alternative")
        inner = other.inner() if other is not None else []
        if not inner:
            return
        if inner[0].type != "if_statement":
            yield inner[0]
            return
        node = inner[0]


def _into(program: Program, node: Node, neighbour: Node, first_in_block: bool) -> Iterator[Change]:
    text = program.of(node)
    for block in _blocks(neighbour):
        if block.type == "compound_statement":
            at = block.start + 1 if first_in_block else block.end - 1
            pieces: Change = ((at, at, f" {text} "),)
        elif first_in_block:
            pieces = ((block.start, block.start, f"{{ {text} "), (block.end, block.end, " }"))
        else:
            pieces = ((block.start, block.start, "{ "), (block.end, block.end, f" {text} }}"))
        yield (_removed(node), *pieces)


def _owner(node: Node) -> Node | None:
    """The loop, or the whole if with all its branches, that a statement of a block belongs to."""
    block = node.parent
    owner = block.parent if block is not None else None
    while owner is not None and owner.type in ("else_clause", "if_statement") and owner.parent is not None:
        if owner.parent.type not in ("else_clause", "if_statement"):
            break
        owner = owner.parent
    return owner


def _jumps_instead(program: Program, plain: bool) -> Proposals:
    for node in _simple(program):
        if (node.type == "expression_statement") is plain:
            for text in jumps(program, node, 3):
                yield ((node.start, node.end, text),)


@operator(
    "another jump",
    why="break was written for continue or return, or another value was to be returned.",
    before="while (a) { if (b) break; a--; }",
    after="while (a) { if (b) continue; a--; }",
)
def another_jump(program: Program) -> Proposals:
    yield from _jumps_instead(program, plain=False)


@operator(
    "jump for a statement",
    why="A loop or function was to be left here.",
    before="while (a) { if (b) c = 1; a--; }",
    after="while (a) { if (b) break; a--; }",
)
def jump_for_statement(program: Program) -> Proposals:
    yield from _jumps_instead(program, plain=True)


@operator(
    "another statement of the function",
    why="What is done elsewhere in the function was to be done here.",
    before="while (a) { if (b == 1) break; a--; }",
    after="while (a) { if (b == 1) a--; a--; }",
)
def another_statement(program: Program) -> Proposals:
    simple = _simple(program)
    others = [node for node in simple if node.type == "expression_statement"]
    for node in simple:
        visible = {symbol.name for symbol in program.scope.visible(node.start)}
        function = program.body_of(node)
        for other in others:
            if program.body_of(other) is function and program.free_names(other) <= visible:
                yield ((node.start, node.end, program.of(other)),)
