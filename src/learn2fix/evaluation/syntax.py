"""C source as a tree, and the places in it where statements stand."""

from __future__ import annotations

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


def parse(source: bytes) -> Node:
    return _parser().parse(source).root_node


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
