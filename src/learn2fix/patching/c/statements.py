"""Statements deleted, moved, swapped, guarded, copied and inserted."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from learn2fix.patching.c.conditions import comparisons
from learn2fix.patching.c.program import LOOPS, Drafts, Piece, Program, one
from learn2fix.patching.c.tree import Node

BODIES = ("consequence", "body")
SIMPLE = (
    "expression_statement",
    "return_statement",
    "break_statement",
    "continue_statement",
    "goto_statement",
)
CONTROL = ("if_statement", "switch_statement", *LOOPS)


def is_block_child(node: Node) -> bool:
    """Whether other statements can stand beside this one without braces."""
    parent = node.parent
    if parent is None:
        return False
    if parent.type == "case_statement":
        return node.field != "value"
    return parent.type == "compound_statement"


def is_body(node: Node) -> bool:
    """Whether a statement is the one body of an `if`, an `else` or a loop."""
    parent = node.parent
    if parent is None:
        return False
    if parent.type == "else_clause":
        return True
    return parent.type in CONTROL and node.field in BODIES and parent.type != "switch_statement"


def _siblings(node: Node) -> list[Node]:
    parent = node.parent
    return [child for child in parent.inner() if child.field != "value"] if parent is not None else []


def _own(program: Program) -> list[Node]:
    """Statements that may be changed, declarations and blocks left out."""
    return [node for node in program.statements if node.type in SIMPLE or node.type in CONTROL]


def separator(program: Program, node: Node) -> str:
    """What stands between two statements here: a new line with its indent, or a space."""
    indent = program.lines.indent(program.text, node.start)
    line_start = program.text.rfind("\n", 0, node.start) + 1
    alone = program.text[line_start : node.start].strip() == ""
    newline = "\r\n" if "\r\n" in program.text[:4096] else "\n"
    return f"{newline}{indent}" if alone else " "


@dataclass(frozen=True, slots=True)
class Point:
    """A place where a statement can be inserted."""

    node: Node
    """The statement beside it: what is visible there is visible to the new one."""
    after: bool
    separator: str
    braces: bool
    names: frozenset[str]
    """What the statements before and behind use."""

    def insert(self, text: str) -> tuple[Piece, ...]:
        node = self.node
        if self.braces:
            if self.after:
                return ((node.start, node.start, "{ "), (node.end, node.end, f" {text} }}"))
            return ((node.start, node.start, f"{{ {text} "), (node.end, node.end, " }"))
        if self.after:
            return ((node.end, node.end, f"{self.separator}{text}"),)
        return ((node.start, node.start, f"{text}{self.separator}"),)


def points(program: Program) -> list[Point]:
    """Before every statement, and after the last one of every block."""
    found = []
    for node in program.statements:
        if node.type in ("case_statement", "labeled_statement"):
            continue
        names = _used(program, node)
        if is_block_child(node):
            gap = separator(program, node)
            siblings = _siblings(node)
            index = next(position for position, child in enumerate(siblings) if child is node)
            if node.type != "declaration":
                before = _used(program, siblings[index - 1]) if index else frozenset()
                found.append(Point(node, False, gap, False, names | before))
            if index == len(siblings) - 1 and node.type not in ("return_statement", "break_statement"):
                found.append(Point(node, True, gap, False, names))
        elif is_body(node) and node.type != "compound_statement":
            found.append(Point(node, False, " ", True, names))
            found.append(Point(node, True, " ", True, names))
    return found


def _used(program: Program, node: Node) -> frozenset[str]:
    """Names that a statement uses; of a long block only those that decide on it."""
    if node.type in CONTROL and node.end - node.start > 200:
        parts = [
            child for child in node.children if child.field not in BODIES and child.type != "else_clause"
        ]
    else:
        parts = [node]
    return frozenset(
        program.of(child) for part in parts for child in part.walk() if child.type == "identifier"
    )


# -- one statement less, or in another place


def deletion(program: Program) -> Drafts:
    """A statement removed; an `if` or loop reduced to its body."""
    for node in _own(program):
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
    for node in _own(program):
        if not is_block_child(node):
            continue
        siblings = _siblings(node)
        index = next(position for position, child in enumerate(siblings) if child is node)
        following = siblings[index + 1] if index + 1 < len(siblings) else None
        if following is not None and following.type != "declaration":
            first, second = program.of(node), program.of(following)
            yield (2.2, "move", ((node.start, node.end, second), (following.start, following.end, first)))
            yield from _into(program, node, following, first_in_block=True)
        if index > 0 and siblings[index - 1].type != "declaration":
            yield from _into(program, node, siblings[index - 1], first_in_block=False)
        yield from _out_of(program, node, index == 0, index == len(siblings) - 1)


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


# -- structure


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
    siblings = _siblings(node)
    index = next(position for position, child in enumerate(siblings) if child is node)
    if index + 1 < len(siblings) and other is None:
        following = siblings[index + 1]
        if following.type == "if_statement":
            yield one(1.2, "structure", (following.start, following.start, "else "))
        elif following.type != "declaration":
            yield one(1.8, "structure", (following.start, following.start, "else "))
    if index + 1 < len(siblings) and other is not None:
        last = other
        while (inner := last.inner()) and inner[0].type == "if_statement":
            deeper = inner[0].child("alternative")
            if deeper is None:
                following = siblings[index + 1]
                if following.type != "declaration":
                    yield one(1.8, "structure", (following.start, following.start, "else "))
                break
            last = deeper
    # The rest of the block becomes the other case.
    if (
        index + 2 < len(siblings)
        and other is None
        and not any(s.type == "declaration" for s in siblings[index + 1 :])
    ):
        first, last_one = siblings[index + 1], siblings[-1]
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
    siblings = _siblings(owner)
    index = next(position for position, child in enumerate(siblings) if child is owner)
    for count in (1, 2):
        if index + count < len(siblings):
            last = siblings[index + count]
            if last.type == "declaration":
                return
            yield (1.7 + 0.2 * count, "braces", ((node.start, node.start, "{ "), (last.end, last.end, " }")))


def replacement(program: Program) -> Drafts:
    """A statement replaced by another one of the function, or by a jump."""
    simple = [node for node in _own(program) if node.type in SIMPLE and program.of(node) != ";"]
    for node in simple:
        loop = _enclosing(node, LOOPS) is not None
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


def otherwise(program: Program) -> Drafts:
    """An `else` with an assignment or a jump, for an `if` that has none."""
    for node in program.statements:
        if node.type != "if_statement" or node.child("alternative") is not None or _before_else(node):
            continue
        names = _used(program, node)
        loop = _enclosing(node, LOOPS) is not None
        for jump in (["break;", "continue;"] if loop else []) + returns(program, node)[:1]:
            yield one(2.4, "else", (node.end, node.end, f" else {jump}"))
        for symbol in program.variables(node.start):
            near = 0.0 if symbol.name in names else 0.5
            for text in ("= 0", "= 1", "++", "--"):
                step = text if text in ("++", "--") else f" {text}"
                yield one(2.8 + near, "else", (node.end, node.end, f" else {symbol.name}{step};"))


# -- something new


def insertion(program: Program) -> Drafts:
    """break, continue, return, assignments and steps inserted; missing reads; line ends printed."""
    missing = _never_set(program)
    for point in points(program):
        node = point.node
        loop = _enclosing(node, LOOPS)
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
                form = {"c": " %c", "l": "%lld", "f": "%f", "d": "%lf"}.get(symbol.type.base, "%d")
                yield (1.2, "read", point.insert(f'scanf("{form}", &{symbol.name});'))
        if node.type in CONTROL or after_if or point.after:
            yield (2.4, "print", point.insert('printf("\\n");'))


def _enclosing(node: Node, kinds: tuple[str, ...]) -> Node | None:
    for above in node.above():
        if above.type in kinds:
            return above
        if above.type == "function_definition":
            return None
    return None


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
    return parent.type == "compound_statement" and parent.parent.type in LOOPS and _siblings(node)[0] is node


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
    elif _enclosing(point.node, ("switch_statement",)) is not None:
        found.append(("break;", 2.0))
    found += [(text, 2.0 if index == 0 else 2.5) for index, text in enumerate(returns(program, point.node))]
    return found


def returns(program: Program, node: Node) -> list[str]:
    """What can be returned from where a node stands."""
    function = program.body_of(node)
    symbol = next(
        (s for s in program.scope.symbols if s.declaration is function and s.role == "function"), None
    )
    if symbol is None:
        return []
    if symbol.name == "main" or symbol.type.base == "v":
        return ["return;"] if symbol.type.base == "v" and symbol.type.depth == 0 else ["return 0;"]
    if not symbol.type.numeric:
        return []
    return [
        "return 0;",
        "return 1;",
        "return -1;",
        *(f"return {leaf.text};" for leaf in program.leaves(node)[:6]),
    ]


def guards(program: Program) -> Drafts:
    """S → if (X) S; `if (X) break;` and `if (v > w) v = w;` inserted."""
    for node in _own(program):
        if node.type in SIMPLE:
            for extra, text in comparisons(program, node, 120):
                # A dangling else would change its owner: the guard is put in braces.
                body = f"if ({text}) "
                pieces: tuple[Piece, ...] = ((node.start, node.start, body),)
                if is_body(node) and _before_else(node):
                    pieces = ((node.start, node.start, "{ " + body), (node.end, node.end, " }"))
                yield (3.1 + extra, "guard", pieces)
    for node in _own(program):
        if node.type in CONTROL and is_block_child(node):
            for extra, text in comparisons(program, node, 60):
                yield (
                    3.5 + extra,
                    "guard",
                    ((node.start, node.start, f"if ({text}) {{ "), (node.end, node.end, " }")),
                )
    for point in points(program):
        node = point.node
        loop = _enclosing(node, LOOPS) is not None
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


def _before_else(node: Node) -> bool:
    parent = node.parent
    while parent is not None and parent.type in (*CONTROL, "else_clause"):
        if parent.type == "if_statement" and parent.child("alternative") is not None:
            return True
        parent = parent.parent
    return False


def copies(program: Program) -> Drafts:
    """A statement of the same function once more, at another place."""
    by_function: dict[int, list[Node]] = {}
    for node in _own(program):
        function = program.body_of(node)
        if function is not None and node.end - node.start <= 120 and program.of(node) != ";":
            by_function.setdefault(function.start, []).append(node)
    for point in points(program):
        function = program.body_of(point.node)
        visible = {symbol.name for symbol in program.scope.visible(point.node.start)}
        in_loop = _enclosing(point.node, LOOPS) is not None
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
