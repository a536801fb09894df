"""C source as a tree, and the places in it where statements stand."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache

import tree_sitter_c
from tree_sitter import Language, Node, Parser

SINGLE_PARENTS = {
    "if_statement", "else_clause", "while_statement", "for_statement", "do_statement", "labeled_statement",
}  # fmt: skip
BLOCK_PARENTS = {"compound_statement", "case_statement"}
LOOPS = {"while_statement", "for_statement", "do_statement"}


@cache
def _parser() -> Parser:
    return Parser(Language(tree_sitter_c.language()))


LOOP_MACRO = re.compile(
    rb"^[ \t]*#[ \t]*define[ \t]+(\w+)\([^)\n]*\)[ \t]*(?:for|while|\w+)[ \t]*\(.*\)[ \t]*$", re.M
)
DIRECTIVE = re.compile(rb"^[ \t]*#(?:[^\n]*\\\r?\n)*[^\n]*", re.M)


def parse(source: bytes) -> Node:
    root = _parser().parse(source).root_node
    if root.has_error:
        masked = without_loop_macros(source)
        if masked != source:
            return _parser().parse(masked).root_node
    return root


def without_loop_macros(source: bytes) -> bytes:
    """`REP(i, n)` that stands where a loop head does reads as `while(1)`; every position stays."""
    names = set(LOOP_MACRO.findall(source))
    if not names:
        return source
    directives = [found.span() for found in DIRECTIVE.finditer(source)]
    pieces, last = [], 0
    for found in re.finditer(rb"\b(?:" + b"|".join(map(re.escape, names)) + rb")[ \t]*\(", source):
        if found.start() < last or any(a <= found.start() < b for a, b in directives):
            continue
        depth, end = 1, found.end()
        while end < len(source) and depth:
            depth += {40: 1, 41: -1}.get(source[end], 0)
            end += 1
        after = source[end:].lstrip()[:1]
        if depth or after in (b";", b",", b")", b""):
            continue
        size = end - found.start()
        head = next((h for h in (b"while(1)", b"for(;;)", b"if(1)") if len(h) <= size), None)
        if head is not None and b"\n" not in source[found.start() : end]:
            pieces += [source[last : found.start()], head + b" " * (size - len(head))]
            last = end
    return b"".join([*pieces, source[last:]])


def is_statement(node: Node) -> bool:
    return node.type.endswith("_statement") and node.type not in ("case_statement", "attributed_statement")


@dataclass(frozen=True, slots=True)
class Place:
    """A statement (or declaration) where it stands."""

    node: Node
    single: bool
    """It is the unbraced branch of an if, body of a loop or what a label names: one statement, no more."""


def walk(node: Node) -> Iterator[Node]:
    """Every node, parents first, in source order."""
    stack = [node]
    while stack:
        top = stack.pop()
        yield top
        stack += reversed(top.children)


def functions(root: Node) -> Iterator[Node]:
    """Function definitions that were understood completely."""
    for node in walk(root):
        if node.type == "function_definition" and not node.has_error:
            body = node.child_by_field_name("body")
            if body is not None and body.type == "compound_statement":
                yield node


def places(function: Node) -> Iterator[Place]:
    """Statements and declarations of a function below its body, in source order, outer ones first."""
    for node in walk(function):
        parent = node.parent
        if parent is None or not node.is_named:
            continue
        if parent.type in BLOCK_PARENTS:
            if is_statement(node) or node.type == "declaration":
                yield Place(node, single=False)
        elif parent.type in SINGLE_PARENTS and is_statement(node):
            yield Place(node, single=True)


def line_of(source: bytes, position: int) -> int:
    return source.count(b"\n", 0, position) + 1
