"""Statements deleted, moved, swapped, replaced and put into another structure."""

from __future__ import annotations

from collections.abc import Iterator

from learn2fix.languages.c.edits.places import (
    CONTROL,
    SIMPLE,
    enclosing,
    is_block_child,
    is_body,
    own,
    returns,
    separator,
    siblings,
)
from learn2fix.languages.c.edits.program import Drafts, Piece, Program, one
from learn2fix.languages.c.tree import Node
from learn2fix.languages.c.words import LOOPS

MOST_COPIES = 4


def deletion(program: Program) -> Drafts:
    """A statement removed, or all its copies; an `if` or loop reduced to its body."""
    copies: dict[str, list[Node]] = {}
    for node in own(program):
        if node.type in SIMPLE and is_block_child(node):
            copies.setdefault(program.of(node), []).append(node)
    for text, nodes in copies.items():
        if text != ";" and 1 < len(nodes) <= MOST_COPIES:
            yield (2.4, "deletion", tuple((node.start, node.end, "") for node in nodes))
    for node in own(program):
        if node.type in SIMPLE and program.of(node) == ";":
            parent = node.parent
            if parent is not None and parent.type in (*LOOPS, "if_statement"):
                # `for (...);` and then the block that was meant.
                yield one(0.8, "stray semicolon", (node.start, node.end, ""))
            continue
        text = ";" if not is_block_child(node) else ""
        weight = 2.0 if node.type in SIMPLE else 2.4
        yield one(weight, "deletion", (node.start, node.end, text))
        if node.type == "if_statement":
            then, other = node.of("consequence"), node.child("alternative")
            if other is not None:
                yield one(2.3, "deletion", (then.end, other.end, ""))
                inner = other.inner()
                if inner:
                    yield one(2.4, "deletion", (node.start, node.end, program.of(inner[0])))
                    yield one(2.5, "deletion", (node.start, node.end, program.of(then)))
        elif node.type in ("for_statement", "while_statement"):
            yield one(2.8, "deletion", (node.start, node.end, program.of(node.of("body"))))


def moves(program: Program) -> Drafts:
    """Neighbours swapped; a statement taken into or out of a block beside it."""
    for node in own(program):
        if not is_block_child(node):
            continue
        beside = siblings(node)
        index = next(position for position, child in enumerate(beside) if child is node)
        following = beside[index + 1] if index + 1 < len(beside) else None
        if following is not None and following.type != "declaration":
            first, second = program.of(node), program.of(following)
            yield (2.2, "move", ((node.start, node.end, second), (following.start, following.end, first)))
            yield from _into(program, node, following, first_in_block=True)
        if index > 0 and beside[index - 1].type != "declaration":
            yield from _into(program, node, beside[index - 1], first_in_block=False)
        yield from _out_of(program, node, index == 0, index == len(beside) - 1)


def _removed(node: Node) -> Piece:
    return (node.start, node.end, "")


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


def _into(program: Program, node: Node, neighbour: Node, first_in_block: bool) -> Drafts:
    text = program.of(node)
    for block in _blocks(neighbour):
        if block.type == "compound_statement":
            at = block.start + 1 if first_in_block else block.end - 1
            pieces: tuple[Piece, ...] = ((at, at, f" {text} "),)
        elif first_in_block:
            pieces = ((block.start, block.start, f"{{ {text} "), (block.end, block.end, " }"))
        else:
            pieces = ((block.start, block.start, "{ "), (block.end, block.end, f" {text} }}"))
        weight = 2.0 if block.type != "compound_statement" and not first_in_block else 2.2
        yield (weight, "move", tuple(sorted((_removed(node), *pieces))))


def _out_of(program: Program, node: Node, is_first: bool, is_last: bool) -> Drafts:
    block = node.parent
    owner = block.parent if block is not None else None
    while owner is not None and owner.type in ("else_clause", "if_statement") and owner.parent is not None:
        if owner.parent.type not in ("else_clause", "if_statement"):
            break
        owner = owner.parent
    if owner is None or owner.type not in CONTROL or not is_block_child(owner):
        return
    text = program.of(node)
    if is_last or node.type == "expression_statement":
        yield (2.2 if is_last else 2.6, "move", (_removed(node), (owner.end, owner.end, f" {text}")))
    if is_first or node.type == "expression_statement":
        yield (2.2 if is_first else 2.6, "move", ((owner.start, owner.start, f"{text} "), _removed(node)))


def structure(program: Program) -> Drafts:
    """`else` added or removed, `if` ↔ `while`, braces around what follows, a missing `break` of a case."""
    for node in program.statements:
        match node.type:
            case "if_statement":
                yield from _if(program, node)
            case "while_statement":
                yield one(1.7, "structure", (node.start, node.start + len("while"), "if"))
            case "for_statement":
                yield from _for(program, node)
            case "case_statement":
                inner = [child for child in node.inner() if child.field != "value"]
                if inner and inner[-1].type not in (
                    "break_statement",
                    "return_statement",
                    "continue_statement",
                ):
                    text = f"{separator(program, inner[-1])}break;"
                    yield one(1.2, "break", (inner[-1].end, inner[-1].end, text))
        if is_body(node) and node.type != "compound_statement":
            yield from _braces(program, node)


def _if(program: Program, node: Node) -> Drafts:
    other = node.child("alternative")
    if other is None:
        yield one(1.6, "structure", (node.start, node.start + len("if"), "while"))
    else:
        inner = other.inner()
        if inner:
            word = (other.start, inner[0].start, "" if program.text[other.start - 1] in " \t\n}" else " ")
            weight = 1.6 if inner[0].type == "if_statement" else 1.9
            yield one(weight, "structure", word)
            if inner[0].type == "if_statement":
                nested = inner[0]
                body = nested.of("consequence")
                if nested.child("alternative") is None:
                    yield one(2.1, "structure", (nested.start, body.start, ""))
    if not is_block_child(node):
        return
    beside = siblings(node)
    index = next(position for position, child in enumerate(beside) if child is node)
    if index + 1 < len(beside) and other is None:
        following = beside[index + 1]
        if following.type == "if_statement":
            yield one(1.2, "structure", (following.start, following.start, "else "))
        elif following.type != "declaration":
            yield one(1.8, "structure", (following.start, following.start, "else "))
    if index + 1 < len(beside) and other is not None:
        last = other
        while (inner := last.inner()) and inner[0].type == "if_statement":
            deeper = inner[0].child("alternative")
            if deeper is None:
                following = beside[index + 1]
                if following.type != "declaration":
                    yield one(1.8, "structure", (following.start, following.start, "else "))
                break
            last = deeper
    # The rest of the block becomes the other case.
    if (
        index + 2 < len(beside)
        and other is None
        and not any(s.type == "declaration" for s in beside[index + 1 :])
    ):
        first, last_one = beside[index + 1], beside[-1]
        yield (2.3, "structure", ((first.start, first.start, "else { "), (last_one.end, last_one.end, " }")))


def _for(program: Program, node: Node) -> Drafts:
    """Counted the other way round: for (i = a; i < b; i++) → for (i = b - 1; i >= a; i--)."""
    start, condition, step = node.child("initializer"), node.child("condition"), node.child("update")
    if start is None or condition is None or step is None:
        return
    if (
        start.type != "assignment_expression"
        or condition.type != "binary_expression"
        or step.type != "update_expression"
    ):
        return
    name = program.of(start.of("left"))
    if program.of(condition.of("left")) != name or program.of(step.of("argument")) != name:
        return
    low, high = program.of(start.of("right")), program.of(condition.of("right"))
    operator = program.operator(condition)
    shapes = {
        ("<", "++"): (f"{name} = {high} - 1", f"{name} >= {low}", f"{name}--"),
        ("<=", "++"): (f"{name} = {high}", f"{name} >= {low}", f"{name}--"),
        (">", "--"): (f"{name} = {high} + 1", f"{name} <= {low}", f"{name}++"),
        (">=", "--"): (f"{name} = {high}", f"{name} <= {low}", f"{name}++"),
    }
    shape = shapes.get((operator, program.operator(step)))
    if shape is not None:
        yield (
            2.3,
            "direction",
            tuple(
                (part.start, part.end, text)
                for part, text in zip((start, condition, step), shape, strict=True)
            ),
        )


def _braces(program: Program, node: Node) -> Drafts:
    """An unbraced body takes in the statements after it."""
    owner = node.parent
    while owner is not None and not is_block_child(owner):
        if owner.type not in (*CONTROL, "else_clause"):
            return
        # Only the last branch of an if reaches what follows it.
        if owner.type == "if_statement" and owner.child("alternative") is not None and node.parent is owner:
            return
        owner = owner.parent
    if owner is None:
        return
    beside = siblings(owner)
    index = next(position for position, child in enumerate(beside) if child is owner)
    for count in (1, 2):
        if index + count < len(beside):
            last = beside[index + count]
            if last.type == "declaration":
                return
            yield (1.7 + 0.2 * count, "braces", ((node.start, node.start, "{ "), (last.end, last.end, " }")))


def replacement(program: Program) -> Drafts:
    """A statement replaced by another one of the function, or by a jump."""
    simple = [node for node in own(program) if node.type in SIMPLE and program.of(node) != ";"]
    for node in simple:
        loop = enclosing(node, LOOPS) is not None
        jumps = (["break;", "continue;"] if loop else []) + returns(program, node)[:3]
        weight = 2.0 if node.type != "expression_statement" else 2.8
        for text in jumps:
            yield one(weight, "jump", (node.start, node.end, text))
        visible = {symbol.name for symbol in program.scope.visible(node.start)}
        function = program.body_of(node)
        for other in simple:
            if (
                other is node
                or program.body_of(other) is not function
                or other.type != "expression_statement"
            ):
                continue
            if program.of(other) != program.of(node) and program.free_names(other) <= visible:
                yield one(3.2, "replacement", (node.start, node.end, program.of(other)))
