"""Counting woven into a program: steps, so that endless loops end alike everywhere, and lines that ran."""

from __future__ import annotations

from collections.abc import Iterator

from tree_sitter import Node

from learn2fix.languages.c.judging.weave import Wrap
from learn2fix.languages.c.syntax import LOOPS, functions, places


def steps(root: Node, statement: bytes) -> list[Wrap]:
    """`statement` at every function entry, loop iteration and label."""
    found: list[Wrap] = []
    for function in functions(root):
        body = function.child_by_field_name("body")
        assert body is not None
        found.append(Wrap(body.start_byte + 1, body.start_byte + 1, statement))
        for place in places(function):
            node, parent = place.node, place.node.parent
            assert parent is not None
            looping = parent.type in LOOPS and node == parent.child_by_field_name("body")
            if looping or parent.type == "labeled_statement":
                found.append(Wrap(node.start_byte, node.end_byte, b"{" + statement, b"}"))
    return found


def lines(root: Node, counter: str) -> tuple[list[Wrap], list[list[int]]]:
    """Counters `counter[k]++` before every statement, and the lines (from 1) that counter k speaks for."""
    found: list[Wrap] = []
    spoken: list[list[int]] = []
    for function in functions(root):
        for place in places(function):
            node = place.node
            if node.type == "compound_statement" or (node.type == "labeled_statement" and place.single):
                continue
            text = f"{counter}[{len(spoken)}]++;".encode()
            if place.single:
                found.append(Wrap(node.start_byte, node.end_byte, b"{" + text, b"}"))
            else:
                found.append(Wrap(node.start_byte, node.start_byte, text))
            spoken.append(sorted(set(_own_lines(node))))
    return found, spoken


def _own_lines(node: Node) -> Iterator[int]:
    """Lines of a statement up to the first statement inside it, and none of that one's."""
    inner = next((p.node for p in places(node) if p.node != node), None)
    last = node.end_point.row if inner is None else max(node.start_point.row, inner.start_point.row - 1)
    return iter(range(node.start_point.row + 1, last + 2))


def per_line(counts: list[int], spoken: list[list[int]]) -> dict[int, int]:
    """Line → executions; of several statements on a line the one that ran most often counts."""
    result: dict[int, int] = {}
    for count, rows in zip(counts, spoken, strict=True):
        for row in rows:
            result[row] = max(result.get(row, 0), count)
    return dict(sorted(result.items()))
