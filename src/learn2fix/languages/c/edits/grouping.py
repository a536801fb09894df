"""What is grouped with what: parentheses, casts, calls, the branches of ?:."""

from __future__ import annotations

from collections.abc import Iterator

from learn2fix.edits.catalogue import Proposals, Unusual
from learn2fix.languages.c.edits.catalogue import operator
from learn2fix.languages.c.edits.names import ROUNDING
from learn2fix.languages.c.edits.program import Program
from learn2fix.languages.c.edits.terms import PART, TIMES
from learn2fix.languages.c.tree import Node
from learn2fix.languages.c.words import ARITHMETIC, LEVEL, RELATIONAL, UNARY, strip

GROUPED = (*ARITHMETIC, "<<", ">>", "&", "|", "^")


def _arithmetic(program: Program, node: Node) -> str:
    """The operator of a sum, product or the like; "" for anything else."""
    own = program.operator(node) if node.type == "binary_expression" else ""
    return own if own in ARITHMETIC else ""


@operator(
    "parentheses added, moved or removed",
    why="The wrong operands were put together.",
    before="a = b + c / 2;",
    after="a = (b + c) / 2;",
)
def parentheses_changed(program: Program) -> Proposals:
    for node in program.expressions:
        if node.type == "parenthesized_expression":
            yield from _parentheses_removed(program, node)
        elif node.type == "binary_expression":
            yield from _parentheses_added(program, node)
            yield from _parentheses_moved(program, node)


def _parentheses_added(program: Program, node: Node) -> Proposals:
    if program.operator(node) not in GROUPED:
        return
    # The right edge of the left operand, at every depth: x*y+z → x*(y+z).
    child, right = node.of("left"), node.of("right")
    while child.type == "binary_expression" and (own := program.operator(child)) in LEVEL:
        inner = child.of("right")
        if own not in RELATIONAL and not _same_group(own, program.operator(node)):
            yield ((inner.start, inner.start, "("), (right.end, right.end, ")"))
        child = inner
    # The left edge of the right operand: x+y/z → (x+y)/z.
    left, child = node.of("left"), node.of("right")
    while child.type == "binary_expression" and (own := program.operator(child)) in LEVEL:
        inner = child.of("left")
        if own not in RELATIONAL:
            yield ((left.start, left.start, "("), (inner.end, inner.end, ")"))
            if left.type == "binary_expression":
                tail = left.of("right")
                yield Unusual(((tail.start, tail.start, "("), (inner.end, inner.end, ")")), PART)
        child = inner


def _same_group(upper: str, lower: str) -> bool:
    """(a + b) + c is a + (b + c) on numbers that do not overflow."""
    return (upper == lower and upper in "+*&|^") or (upper, lower) == ("+", "-")


def _parentheses_removed(program: Program, node: Node) -> Proposals:
    inner, parent = node.inner(), node.parent
    if (
        len(inner) == 1
        and parent is not None
        and parent.type in ("binary_expression", "cast_expression", "unary_expression")
        and program.level(inner[0]) < program.slot(node)
    ):
        yield ((node.start, node.start + 1, ""), (node.end - 1, node.end, ""))


def _parentheses_moved(program: Program, node: Node) -> Proposals:
    """(a * b) / c → a * (b / c); a / (b * c) → a / b / c."""
    own = _arithmetic(program, node)
    left, right = node.of("left"), node.of("right")
    inner = strip(left)
    if own and inner is not left and (other := _arithmetic(program, inner)):
        first, second = inner.of("left"), inner.of("right")
        text = f"{program.of(first)} {other} ({program.of(second)} {own} {program.of(right)})"
        yield (program.put(node, text, LEVEL[other]),)
    inner = strip(right)
    if own and inner is not right and (other := _arithmetic(program, inner)):
        first, second = inner.of("left"), inner.of("right")
        text = f"({program.of(left)} {own} {program.of(first)}) {other} {program.of(second)}"
        yield (program.put(node, text, LEVEL[other]),)
        if own == "/" and other == "*":
            parts = (program.wrap(left, TIMES), program.wrap(first, UNARY), program.wrap(second, UNARY))
            yield (program.put(node, " / ".join(parts), TIMES),)


@operator(
    "operand moved into or out of a call",
    why="A result was rounded before it was divided, or the like, or was to be.",
    before="x = ceil(x) / 2 * b;",
    after="x = ceil(x / (2 * b));",
)
def operand_moved_into_or_out_of_call(program: Program) -> Proposals:
    for node in program.expressions:
        if node.type == "binary_expression":
            yield from _into_call(program, node)
        elif node.type == "call_expression":
            yield from _all_into_call(program, node)
            yield from _out_of_call(program, node)


def _into_call(program: Program, node: Node) -> Proposals:
    """ceil(x) / y → ceil(x / y)."""
    own = _arithmetic(program, node)
    left, right = node.of("left"), node.of("right")
    for side in (left, right) if own else ():
        call = strip(side)
        if call.type != "call_expression" or len(program.arguments(call)) != 1:
            continue
        inner = program.arguments(call)[0]
        if program.type_of(inner).numeric:
            first = program.wrap(inner if side is left else left, LEVEL[own])
            second = program.wrap(right if side is left else inner, LEVEL[own] + 1)
            yield (program.put(node, f"{program.of(call.of('function'))}({first}{own}{second})"),)


def _all_into_call(program: Program, call: Node) -> Proposals:
    """All that follows: ceil(x) / 2 * r → ceil(x / 2 * r) and ceil(x / (2 * r))."""
    name, arguments = program.of(call.of("function")), program.arguments(call)
    if name not in ROUNDING or len(arguments) != 1:
        return
    inside = arguments[0]
    text, grouped, first = program.wrap(inside, TIMES), "", ""
    for above in _operands_behind(program, call):
        own, right = program.operator(above), program.of(above.of("right"))
        text = f"{text if LEVEL[own] == TIMES else program.of(inside)} {own} {right}"
        yield (program.put(above, f"{name}({text})"),)
        first = first or own
        before, grouped = grouped, f"{grouped} {own} {right}" if grouped else right
        if before and first in "/-":
            whole = f"{program.wrap(inside, TIMES)} {first} ({grouped})"
            yield (program.put(above, f"{name}({whole})"),)


def _operands_behind(program: Program, node: Node) -> Iterator[Node]:
    """Ever longer formulas that begin with a node."""
    while (above := node.parent) is not None and _arithmetic(program, above):
        if above.of("left").start != node.start:
            return
        yield above
        node = above


def _out_of_call(program: Program, node: Node) -> Proposals:
    """ceil(x / y) → ceil(x) / y."""
    arguments = program.arguments(node)
    if len(arguments) != 1 or not program.type_of(node).numeric:
        return
    inner = strip(arguments[0])
    own = _arithmetic(program, inner)
    if not own or (own == "%" and program.type_of(node).floating):
        return
    level, name = LEVEL[own], program.of(node.of("function"))
    left, right = inner.of("left"), inner.of("right")
    for text in (
        f"{name}({program.of(left)}){own}{program.wrap(right, level + 1)}",
        f"{program.wrap(left, level)}{own}{name}({program.of(right)})",
    ):
        yield (program.put(node, text, level),)


@operator(
    "cast moved past an operator",
    why="A cast holds tighter than an operator, so that a quotient is made real too late.",
    before="x = (double)(a / b);",
    after="x = (double)a / b;",
)
def cast_moved(program: Program) -> Proposals:
    for node in program.expressions:
        if node.type != "cast_expression":
            continue
        value, parent = node.of("value"), node.parent
        inner = strip(value)
        if inner is not value and inner.type == "binary_expression":
            yield ((value.start, value.start + 1, ""), (value.end - 1, value.end, ""))
        if parent is not None and node.field == "left" and _arithmetic(program, parent):
            right = parent.of("right")
            yield ((value.start, value.start, "("), (right.end, right.end, ")"))


def _choices(program: Program) -> Iterator[tuple[Node, Node, Node]]:
    """Each `?:` with its two branches."""
    for node in program.expressions:
        then = node.child("consequence") if node.type == "conditional_expression" else None
        if then is not None:
            yield node, then, node.of("alternative")


@operator(
    "branches of ?: exchanged",
    why="The two results of a choice were mixed up.",
    before="a = b > c ? b : c;",
    after="a = b > c ? c : b;",
)
def branches_exchanged(program: Program) -> Proposals:
    for _, then, other in _choices(program):
        yield ((then.start, then.end, program.of(other)), (other.start, other.end, program.of(then)))


@operator(
    "?: reduced to a branch",
    why="There was nothing to choose.",
    before="a = b > c ? b : c;",
    after="a = c;",
)
def choice_reduced(program: Program) -> Proposals:
    for node, *branches in _choices(program):
        for kept in branches:
            yield (program.put(node, program.of(kept), program.level(kept)),)
