"""Statements and the places between them."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from learn2fix.edits.catalogue import Change
from learn2fix.languages.c.edits.program import Program, once
from learn2fix.languages.c.scope import Symbol
from learn2fix.languages.c.tree import Node
from learn2fix.languages.c.words import LOOPS

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


def siblings(node: Node) -> list[Node]:
    parent = node.parent
    return [child for child in parent.inner() if child.field != "value"] if parent is not None else []


def position(node: Node) -> tuple[list[Node], int]:
    """The statements of a block, and which of them a node is."""
    beside = siblings(node)
    return beside, next(index for index, child in enumerate(beside) if child is node)


@once
def own(program: Program) -> list[Node]:
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

    def insert(self, text: str) -> Change:
        node = self.node
        if self.braces:
            if self.after:
                return ((node.start, node.start, "{ "), (node.end, node.end, f" {text} }}"))
            return ((node.start, node.start, f"{{ {text} "), (node.end, node.end, " }"))
        if self.after:
            return ((node.end, node.end, f"{self.separator}{text}"),)
        return ((node.start, node.start, f"{text}{self.separator}"),)


@once
def points(program: Program) -> list[Point]:
    """Before every statement, and after the last one of every block."""
    found = []
    for node in program.statements:
        if node.type in ("case_statement", "labeled_statement"):
            continue
        names = used(program, node)
        if is_block_child(node):
            gap = separator(program, node)
            beside, index = position(node)
            if node.type != "declaration":
                before = used(program, beside[index - 1]) if index else frozenset()
                found.append(Point(node, False, gap, False, names | before))
            if index == len(beside) - 1 and node.type not in ("return_statement", "break_statement"):
                found.append(Point(node, True, gap, False, names))
        elif is_body(node) and node.type != "compound_statement":
            found.append(Point(node, False, " ", True, names))
            found.append(Point(node, True, " ", True, names))
    return found


def used(program: Program, node: Node) -> frozenset[str]:
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


def enclosing(node: Node, kinds: tuple[str, ...]) -> Node | None:
    for above in node.above():
        if above.type in kinds:
            return above
        if above.type == "function_definition":
            return None
    return None


def before_else(node: Node) -> bool:
    parent = node.parent
    while parent is not None and parent.type in (*CONTROL, "else_clause"):
        if parent.type == "if_statement" and parent.child("alternative") is not None:
            return True
        parent = parent.parent
    return False


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


def jumps(program: Program, node: Node, most_returns: int) -> list[str]:
    """Ways to leave the loop, or the function, that a node stands in."""
    loop = enclosing(node, LOOPS) is not None
    return (["break;", "continue;"] if loop else []) + returns(program, node)[:most_returns]


def near_points(program: Program) -> Iterator[tuple[Point, Symbol]]:
    """Numbers that are used beside each point."""
    for point in points(program):
        for symbol in program.variables(point.node.start):
            if symbol.name in point.names:
                yield point, symbol
