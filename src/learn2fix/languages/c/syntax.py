"""The one parser of C source, and the places in a tree where statements stand.

A loop written as a macro (`REP(i, n) { … }`) is no C until it is expanded. It is parsed as `for(;;)`, and
what the macro is given takes the place of the head: a `for_statement` with a `loop_macro` and a body.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass
from functools import cache

import tree_sitter
import tree_sitter_c

from learn2fix.errors import UsageError
from learn2fix.languages.c.tree import Node
from learn2fix.languages.c.words import LOOPS

MOST_LEVELS = 1_000
"""Deepest nesting that is taken: many questions about a node look at all that stands around it."""
SINGLE_PARENTS = frozenset((*LOOPS, "if_statement", "else_clause", "labeled_statement"))
BLOCK_PARENTS = frozenset(("compound_statement", "case_statement"))
FUNCTION_MACRO = re.compile(
    rb"^[ \t]*#[ \t]*define[ \t]+(\w+)\([^)\n]*\)[ \t]*(\w+)[ \t]*\(.*\)[ \t]*\r?$", re.M
)
DIRECTIVE = re.compile(rb"^[ \t]*#(?:[^\n]*\\\r?\n)*[^\n]*", re.M)
LOOP_HEAD = b"for(;;)"
Span = tuple[int, int]


class TooDeep(UsageError):
    """The source nests more deeply than it can be worked on."""

    def __init__(self) -> None:
        super().__init__(
            f"the program nests more than {MOST_LEVELS:,} levels deep",
            "split its longest expression or block",
        )


@cache
def _parser() -> tree_sitter.Parser:
    return tree_sitter.Parser(tree_sitter.Language(tree_sitter_c.language()))


def parse(source: bytes, macros: Collection[bytes] = ()) -> Node:
    """The tree of a file; `macros` are loop macros besides those that it defines. Raises TooDeep."""
    tree, heads = _tree(source, macros)
    root = _plain(tree)
    if heads:
        _restore(root, source, heads)
    return root


def fragment(text: bytes, macros: Collection[bytes] = ()) -> Node | None:
    """The tree of a piece of a program; None where it has errors or nests too deeply."""
    tree, heads = _tree(text, macros)
    if tree.root_node.has_error:
        return None
    try:
        root = _plain(tree)
    except TooDeep:
        return None
    if heads:
        _restore(root, text, heads)
    return root


def statement_types(text: bytes, macros: Collection[bytes] = ()) -> list[str] | None:
    """The types of the statements that a text consists of; None where it is anything else."""
    root = _tree(b"void f(void){" + text + b"}", macros)[0].root_node
    body = root.children[0].child_by_field_name("body") if len(root.children) == 1 else None
    return None if root.has_error or body is None else [child.type for child in body.named_children]


def _tree(source: bytes, macros: Collection[bytes]) -> tuple[tree_sitter.Tree, list[Span]]:
    """The parser's tree, and the spans that were masked for it."""
    # Also where the parser sees no error: to it `ALL(i) f(n);` declares a function.
    heads = loop_heads(source, {*loop_macros(source), *macros})
    return _parser().parse(_masked(source, heads) if heads else source), heads


def expression(text: bytes, start: int) -> Node | None:
    """The tree of an expression that stands at an offset; None where the text is not one."""
    before = b"int x = "
    root = fragment(before + text + b";")
    if root is None or len(root.children) != 1:
        return None
    declared = root.children[0].each("declarator")
    value = declared[0].child("value") if len(declared) == 1 else None
    if value is None:
        return None
    for node in value.walk():
        node.start += start - len(before)
        node.end += start - len(before)
    value.parent = None
    return value


def _plain(tree: tree_sitter.Tree) -> Node:
    """Plain nodes for those of the parser, which are slow to ask and do not know their parents."""
    cursor = tree.walk()
    broken = tree.root_node.has_error
    root: Node | None = None
    parent: Node | None = None
    level = 0
    while True:
        here = cursor.node
        assert here is not None
        node = Node(here.type, here.start_byte, here.end_byte, here.is_named, cursor.field_name or "", parent)
        if broken:
            node.has_error = here.has_error
        if parent is None:
            root = node
        else:
            parent.children.append(node)
        if cursor.goto_first_child():
            parent = node
            level += 1
            if level > MOST_LEVELS:
                raise TooDeep
            continue
        while not cursor.goto_next_sibling():
            if not cursor.goto_parent():
                assert root is not None
                return root
            assert parent is not None
            parent = parent.parent
            level -= 1


def loop_macros(source: bytes) -> frozenset[bytes]:
    """The macros that expand to the head of a loop, also by way of each other."""
    definitions = FUNCTION_MACRO.findall(source) if b"#" in source else []
    found: set[bytes] = set()
    for _ in definitions:
        more = {name for name, first in definitions if first in (b"for", b"while") or first in found}
        if more == found:
            break
        found = more
    return frozenset(found)


def loop_heads(source: bytes, macros: Collection[bytes]) -> list[Span]:
    """Where calls of loop macros stand as the head of a loop."""
    if not macros:
        return []
    directives = [found.span() for found in DIRECTIVE.finditer(source)]
    heads: list[Span] = []
    for found in re.finditer(rb"\b(?:" + b"|".join(map(re.escape, macros)) + rb")[ \t]*\(", source):
        start = found.start()
        if (heads and start < heads[-1][1]) or any(a <= start < b for a, b in directives):
            continue
        depth, end = 1, found.end()
        while end < len(source) and depth:
            depth += {40: 1, 41: -1}.get(source[end], 0)
            end += 1
        if not depth and source[end:].lstrip()[:1] not in (b";", b",", b")", b""):
            heads.append((start, end))
    return heads


def _masked(source: bytes, heads: Sequence[Span]) -> bytes:
    pieces, last = [], 0
    for start, end in heads:
        pieces += [source[last:start], LOOP_HEAD]
        last = end
    return b"".join([*pieces, source[last:]])


def _restore(root: Node, source: bytes, heads: Sequence[Span]) -> None:
    """Offsets in the masked text become those in the source, and macro calls the heads of their loops."""
    starts, grown, shift = [], [], 0
    for start, end in heads:
        starts.append(start + shift)
        shift += len(LOOP_HEAD) - (end - start)
        grown.append(shift)

    def place(offset: int) -> int:
        number = bisect_right(starts, offset) - 1
        if number < 0:
            return offset
        inside = offset - starts[number]
        start, end = heads[number]
        if inside < len(LOOP_HEAD):
            return start if inside == 0 else end
        return offset - grown[number]

    masks = dict(zip(starts, heads, strict=True))
    nodes = list(root.walk())
    loops = [
        (node, masks[node.start]) for node in nodes if node.start in masks and node.type == "for_statement"
    ]
    for node in nodes:
        node.start, node.end = place(node.start), place(node.end)
    for loop, (start, end) in loops:
        head = Node("loop_macro", start, end, True, "macro", loop)
        call = expression(source[start:end], start)
        head.children = call.each("arguments") if call is not None else []
        for arguments in head.children:
            arguments.parent = head
        loop.children = [head, *loop.each("body")]


@dataclass(frozen=True, slots=True)
class Place:
    """A statement (or declaration) where it stands."""

    node: Node
    single: bool
    """It is the unbraced branch of an if, body of a loop or what a label names: one statement, no more."""


def is_statement(node: Node) -> bool:
    return node.type.endswith("_statement") and node.type not in ("case_statement", "attributed_statement")


def functions(root: Node) -> Iterator[Node]:
    """Function definitions that were understood completely."""
    for node in root.walk():
        if node.type == "function_definition" and not node.has_error:
            body = node.child("body")
            if body is not None and body.type == "compound_statement":
                yield node


def places(function: Node) -> Iterator[Place]:
    """Statements and declarations of a function below its body, in source order, outer ones first."""
    for node in function.walk():
        parent = node.parent
        if parent is None or not node.named:
            continue
        if parent.type in BLOCK_PARENTS:
            if is_statement(node) or node.type == "declaration":
                yield Place(node, single=False)
        elif parent.type in SINGLE_PARENTS and is_statement(node):
            yield Place(node, single=True)
