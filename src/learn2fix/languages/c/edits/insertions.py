"""Statements inserted, guarded and copied."""

from __future__ import annotations

from learn2fix.languages.c.edits.conditions import comparisons
from learn2fix.languages.c.edits.places import (
    CONTROL,
    SIMPLE,
    Point,
    before_else,
    enclosing,
    is_block_child,
    is_body,
    own,
    points,
    returns,
    siblings,
    used,
)
from learn2fix.languages.c.edits.program import Drafts, Piece, Program, one
from learn2fix.languages.c.tree import Node
from learn2fix.languages.c.types import SCANNED
from learn2fix.languages.c.words import LOOPS


def insertion(program: Program) -> Drafts:
    """break, continue, return, assignments and steps inserted; missing reads; line ends printed."""
    missing = _never_set(program)
    for point in points(program):
        node = point.node
        loop = enclosing(node, LOOPS)
        after_if = point.after and _in_if(node)
        for text, weight in _jumps(program, point, loop is not None):
            yield (weight if after_if else weight + 0.5, "jump", point.insert(text))
        written = _written_in(program, loop) if loop is not None else set()
        first = not point.after and _starts_loop(node)
        integers = [s for s in program.variables(node.start) if s.name not in ("argc",)]
        for symbol in integers:
            near = 0.0 if symbol.name in point.names else 0.4
            reset = first and symbol.name in written
            for text, extra in (("= 0", 0.0), ("= 1", 0.2)):
                weight = 1.9 if reset else 2.7 + near
                yield (
                    weight + extra,
                    "reset" if reset else "assignment",
                    point.insert(f"{symbol.name} {text};"),
                )
            for text in ("++", "--"):
                yield (2.6 + near, "step", point.insert(f"{symbol.name}{text};"))
            for other in integers:
                if other is not symbol:
                    both = near + (0.0 if other.name in point.names else 0.4)
                    yield (3.1 + both, "assignment", point.insert(f"{symbol.name} = {other.name};"))
                    yield (3.4 + both, "assignment", point.insert(f"{symbol.name} += {other.name};"))
                    yield (3.5 + both, "assignment", point.insert(f"{symbol.name} -= {other.name};"))
            if symbol.name in missing:
                form = SCANNED[symbol.type.base]
                yield (1.2, "read", point.insert(f'scanf("{form}", &{symbol.name});'))
        if node.type in CONTROL or after_if or point.after:
            yield (2.4, "print", point.insert('printf("\\n");'))


def _in_if(node: Node) -> bool:
    parent = node.parent
    if parent is not None and parent.type == "compound_statement":
        parent = parent.parent
    return parent is not None and parent.type in ("if_statement", "else_clause", "case_statement")


def _starts_loop(node: Node) -> bool:
    parent = node.parent
    if parent is None or parent.parent is None:
        return False
    if is_body(node):
        return parent.type in LOOPS
    return parent.type == "compound_statement" and parent.parent.type in LOOPS and siblings(node)[0] is node


def _written_in(program: Program, top: Node) -> set[str]:
    return {program.of(node) for node in top.walk() if node.type == "identifier" and program.is_target(node)}


def _never_set(program: Program) -> set[str]:
    """Local scalars that nothing ever gives a value."""
    written = {name for body in program.bodies for name in _written_in(program, body)}
    return {
        symbol.name
        for symbol in program.scope.symbols
        if symbol.role in ("local", "global") and symbol.initial is None and symbol.name not in written
    }


def _jumps(program: Program, point: Point, in_loop: bool) -> list[tuple[str, float]]:
    found: list[tuple[str, float]] = []
    if in_loop:
        found += [("break;", 2.0), ("continue;", 2.2)]
    elif enclosing(point.node, ("switch_statement",)) is not None:
        found.append(("break;", 2.0))
    found += [(text, 2.0 if index == 0 else 2.5) for index, text in enumerate(returns(program, point.node))]
    return found


def otherwise(program: Program) -> Drafts:
    """An `else` with an assignment or a jump, for an `if` that has none."""
    for node in program.statements:
        if node.type != "if_statement" or node.child("alternative") is not None or before_else(node):
            continue
        names = used(program, node)
        loop = enclosing(node, LOOPS) is not None
        for jump in (["break;", "continue;"] if loop else []) + returns(program, node)[:1]:
            yield one(2.4, "else", (node.end, node.end, f" else {jump}"))
        for symbol in program.variables(node.start):
            near = 0.0 if symbol.name in names else 0.5
            for text in ("= 0", "= 1", "++", "--"):
                step = text if text in ("++", "--") else f" {text}"
                yield one(2.8 + near, "else", (node.end, node.end, f" else {symbol.name}{step};"))


def guards(program: Program) -> Drafts:
    """S → if (X) S; `if (X) break;` and `if (v > w) v = w;` inserted."""
    for node in own(program):
        if node.type in SIMPLE:
            for extra, text in comparisons(program, node, 120):
                # A dangling else would change its owner: the guard is put in braces.
                body = f"if ({text}) "
                pieces: tuple[Piece, ...] = ((node.start, node.start, body),)
                if is_body(node) and before_else(node):
                    pieces = ((node.start, node.start, "{ " + body), (node.end, node.end, " }"))
                yield (3.1 + extra, "guard", pieces)
    for node in own(program):
        if node.type in CONTROL and is_block_child(node):
            for extra, text in comparisons(program, node, 60):
                yield (
                    3.5 + extra,
                    "guard",
                    ((node.start, node.start, f"if ({text}) {{ "), (node.end, node.end, " }")),
                )
    for point in points(program):
        node = point.node
        loop = enclosing(node, LOOPS) is not None
        jumps = (["break;", "continue;"] if loop else []) + returns(program, node)[:2]
        for extra, text in comparisons(program, node, 60, point.names):
            for rank, jump in enumerate(jumps):
                yield (3.5 + extra + 0.1 * rank, "guarded jump", point.insert(f"if ({text}) {jump}"))
        variables = program.variables(node.start)
        for symbol in variables:
            if symbol.name not in point.names:
                continue
            for bound in ("0", "1"):
                yield (3.2, "bound", point.insert(f"if ({symbol.name} < {bound}) {symbol.name} = {bound};"))
            for other in variables:
                if other is symbol:
                    continue
                for relation in "<>":
                    text = f"if ({symbol.name} {relation} {other.name}) {symbol.name} = {other.name};"
                    yield (3.6, "bound", point.insert(text))
                if symbol.type.integral and other.type.integral:
                    text = f"if ({symbol.name} > {other.name}) {symbol.name} %= {other.name};"
                    yield (3.8, "bound", point.insert(text))
                for relation, sign in ((">", "+"), ("<", "-"), (">=", "-"), ("<=", "+")):
                    text = (
                        f"if ({symbol.name} {relation} {other.name}) {symbol.name} = {other.name} {sign} 1;"
                    )
                    yield (3.8, "bound", point.insert(text))
                yield (3.8, "bound", point.insert(f"if ({symbol.name} < 0) {symbol.name} += {other.name};"))
            for word in program.moduli if symbol.type.integral else ():
                if word in program.macros or len(word) > 2:
                    yield (3.2, "bound", point.insert(f"if ({symbol.name} < 0) {symbol.name} += {word};"))
                    yield (3.1, "bound", point.insert(f"{symbol.name} %= {word};"))


def copies(program: Program) -> Drafts:
    """A statement of the same function once more, at another place."""
    by_function: dict[int, list[Node]] = {}
    for node in own(program):
        function = program.body_of(node)
        if function is not None and node.end - node.start <= 120 and program.of(node) != ";":
            by_function.setdefault(function.start, []).append(node)
    for point in points(program):
        function = program.body_of(point.node)
        visible = {symbol.name for symbol in program.scope.visible(point.node.start)}
        in_loop = enclosing(point.node, LOOPS) is not None
        for node in by_function.get(function.start, []) if function is not None else []:
            text = program.of(node)
            if node.type in ("break_statement", "continue_statement", "goto_statement") or (
                not in_loop and ("break;" in text or "continue;" in text)
            ):
                continue
            if not program.free_names(node) <= visible:
                continue
            distance = abs(program.lines.at(node.start) - program.lines.at(point.node.start))
            weight = 2.8 + min(0.6, 0.05 * distance) + (0.0 if node.type in SIMPLE else 0.4)
            yield (weight, "copy", point.insert(text))
