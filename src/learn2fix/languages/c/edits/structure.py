"""if, else, loops and braces: what belongs to what, and in which order it is counted."""

from __future__ import annotations

from collections.abc import Iterator

from learn2fix.edits.catalogue import Change, Proposals, Unusual
from learn2fix.languages.c.edits.catalogue import operator
from learn2fix.languages.c.edits.places import CONTROL, is_block_child, is_body, position, separator
from learn2fix.languages.c.edits.program import Program
from learn2fix.languages.c.edits.statements import SECOND_STATEMENT, WHOLE_BLOCK
from learn2fix.languages.c.tree import Node
from learn2fix.languages.c.words import parse_number

JUMPS = ("break_statement", "return_statement", "continue_statement")


def _of(program: Program, kind: str) -> Iterator[Node]:
    return (node for node in program.statements if node.type == kind)


@operator(
    "if and while exchanged",
    why="Something was to be repeated, or to be done once.",
    before="if (a > 1) a = a / 2;",
    after="while (a > 1) a = a / 2;",
)
def if_and_while_exchanged(program: Program) -> Proposals:
    for node in _of(program, "if_statement"):
        if node.child("alternative") is None:
            yield ((node.start, node.start + len("if"), "while"),)
    for node in _of(program, "while_statement"):
        yield ((node.start, node.start + len("while"), "if"),)


@operator(
    "else or its condition removed",
    why="The second case was to be looked at in any case, or is all that is left.",
    before="if (a) b = 1; else if (c) b = 2;",
    after="if (a) b = 1; if (c) b = 2;",
)
def else_removed(program: Program) -> Proposals:
    for node in _of(program, "if_statement"):
        other = node.child("alternative")
        for inner in other.inner()[:1] if other is not None else ():
            start = other.start if other is not None else inner.start
            yield ((start, inner.start, "" if program.text[start - 1] in " \t\n}" else " "),)
            if inner.type == "if_statement" and inner.child("alternative") is None:
                yield ((inner.start, inner.of("consequence").start, ""),)


def _following(node: Node) -> list[Node]:
    """What stands behind an if without a last else, if that can become it."""
    if not is_block_child(node):
        return []
    beside, index = position(node)
    while (other := node.child("alternative")) is not None:
        inner = other.inner()
        if not inner or inner[0].type != "if_statement":
            return []
        node = inner[0]
    rest = beside[index + 1 :]
    return rest if rest and rest[0].type != "declaration" else []


@operator(
    "else before an if",
    why="The second case was only to be looked at when the first one does not hold.",
    before="if (a) b = 1; if (c) b = 2;",
    after="if (a) b = 1; else if (c) b = 2;",
)
def else_before_if(program: Program) -> Proposals:
    for node in _of(program, "if_statement"):
        rest = _following(node) if node.child("alternative") is None else []
        if rest and rest[0].type == "if_statement":
            yield ((rest[0].start, rest[0].start, "else "),)


@operator(
    "else before what follows",
    why="A statement, or all that follows, was only to be done when the condition does not hold.",
    before="if (a) b = 1; b = 2;",
    after="if (a) b = 1; else b = 2;",
)
def else_before_what_follows(program: Program) -> Proposals:
    for node in _of(program, "if_statement"):
        rest = _following(node)
        if rest:
            yield ((rest[0].start, rest[0].start, "else "),)
        alone = node.child("alternative") is None and all(each.type != "declaration" for each in rest)
        if alone and len(rest) > 1:
            change = ((rest[0].start, rest[0].start, "else { "), (rest[-1].end, rest[-1].end, " }"))
            yield Unusual(change, WHOLE_BLOCK)


@operator(
    "break missing from a case",
    why="A case runs on into the next one.",
    before="switch (a) { case 1: b = 1; case 2: b = 2; }",
    after="switch (a) { case 1: b = 1; break; case 2: b = 2; }",
)
def break_missing_from_case(program: Program) -> Proposals:
    for node in _of(program, "case_statement"):
        inner = [child for child in node.inner() if child.field != "value"]
        if inner and inner[-1].type not in JUMPS:
            end = inner[-1].end
            yield ((end, end, f"{separator(program, inner[-1])}break;"),)


@operator(
    "braces around what follows",
    why="An indented statement does not belong to the if or loop above it without braces.",
    before="if (a) b = 1; c = 2;",
    after="if (a) { b = 1; c = 2; }",
)
def braces_around_what_follows(program: Program) -> Proposals:
    for node in program.statements:
        owner = _reaching(node) if is_body(node) and node.type != "compound_statement" else None
        if owner is None:
            continue
        beside, index = position(owner)
        for count, last in enumerate(beside[index + 1 : index + 3]):
            if last.type == "declaration":
                break
            change: Change = ((node.start, node.start, "{ "), (last.end, last.end, " }"))
            yield Unusual(change, SECOND_STATEMENT * count)


def _reaching(node: Node) -> Node | None:
    """The outermost if or loop that ends with a body: what follows it follows the body."""
    owner = node.parent
    while owner is not None and not is_block_child(owner):
        if owner.type not in (*CONTROL, "else_clause"):
            return None
        # Only the last branch of an if reaches what follows it.
        if owner.type == "if_statement" and owner.child("alternative") is not None and node.parent is owner:
            return None
        owner = owner.parent
    return owner


@operator(
    "loop counted the other way",
    why="What a step does depends on the later ones, not on the earlier ones.",
    before="for (a = 0; a < b; a++) c++;",
    after="for (a = b - 1; a >= 0; a--) c++;",
)
def loop_counted_other_way(program: Program) -> Proposals:
    for node in _of(program, "for_statement"):
        start, condition, step = node.child("initializer"), node.child("condition"), node.child("update")
        if (
            start is None
            or condition is None
            or step is None
            or start.type != "assignment_expression"
            or condition.type != "binary_expression"
            or step.type != "update_expression"
        ):
            continue
        name = program.of(start.of("left"))
        if program.of(condition.of("left")) != name or program.of(step.of("argument")) != name:
            continue
        low, high = program.of(start.of("right")), program.of(condition.of("right"))
        shapes = {
            ("<", "++"): (f"{name} = {high} - 1", f"{name} >= {low}", f"{name}--"),
            ("<=", "++"): (f"{name} = {high}", f"{name} >= {low}", f"{name}--"),
            (">", "--"): (f"{name} = {high} + 1", f"{name} <= {low}", f"{name}++"),
            (">=", "--"): (f"{name} = {high}", f"{name} <= {low}", f"{name}++"),
        }
        shape = shapes.get((program.operator(condition), program.operator(step)))
        if shape is not None:
            parts = zip((start, condition, step), shape, strict=True)
            yield tuple((part.start, part.end, text) for part, text in parts)


@operator(
    "loop from 0 or from 1",
    why="Counting was to start at 0 and end before the bound, or to start at 1 and end with it.",
    before="for (a = 1; a <= b; a++) c++;",
    after="for (a = 0; a < b; a++) c++;",
)
def loop_from_0_or_1(program: Program) -> Proposals:
    shifts = {"<": ("<=", 1), "<=": ("<", -1), ">": (">=", -1), ">=": (">", 1)}
    for node in _of(program, "for_statement"):
        start, condition = node.child("initializer"), node.child("condition")
        if start is None or condition is None or condition.type != "binary_expression":
            continue
        numbers = [child for child in start.walk() if child.type == "number_literal"]
        value = parse_number(program.of(numbers[-1])) if numbers else None
        shift = shifts.get(program.operator(condition))
        if value is not None and shift is not None:
            first, place = numbers[-1], condition.of("operator")
            yield ((first.start, first.end, str(value + shift[1])), (place.start, place.end, shift[0]))
