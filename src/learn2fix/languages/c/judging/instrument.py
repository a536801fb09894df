"""Counting woven into a program: steps, so that endless loops end alike everywhere, and lines that ran."""

from __future__ import annotations

from learn2fix.languages.c.judging.weave import Wrap
from learn2fix.languages.c.syntax import functions, parse, places
from learn2fix.languages.c.tree import Lines, Node
from learn2fix.languages.c.words import LOOPS

STEP = b"if(--l2f_steps<0)l2f_stop();"
STEP_RUNTIME = b"extern long long l2f_steps;void l2f_stop(void);\n"


def steps(root: Node, statement: bytes) -> list[Wrap]:
    """`statement` at every function entry, loop iteration and label."""
    found: list[Wrap] = []
    for function in functions(root):
        body = function.child("body")
        assert body is not None
        found.append(Wrap(body.start + 1, body.start + 1, statement))
        for place in places(function):
            node, parent = place.node, place.node.parent
            assert parent is not None
            looping = parent.type in LOOPS and node.field == "body"
            if looping or parent.type == "labeled_statement":
                found.append(Wrap(node.start, node.end, b"{" + statement, b"}"))
    return found


def saved_stack(root: Node) -> list[Wrap]:
    """An array of variable length at the entry of every function that has such arrays.

    libtcc saves the stack pointer where the text of a function has the first of them, and restores it behind
    each one: an alternative that does not come first would restore what was never saved.
    """
    found: list[Wrap] = []
    for function in functions(root):
        body = function.child("body")
        assert body is not None
        if any(map(_variable_length, body.walk())):
            found.append(Wrap(body.start + 1, body.start + 1, b"int l2f_one=1;char l2f_vla[l2f_one];"))
    return found


def _variable_length(node: Node) -> bool:
    size = node.child("size") if node.type == "array_declarator" else None
    return size is not None and any(inner.type == "identifier" for inner in size.walk())


def lines(source: bytes, counter: str) -> tuple[list[Wrap], list[list[int]]]:
    """Counters `counter[k]++` before every statement, and the lines (from 1) that counter k speaks for."""
    found: list[Wrap] = []
    spoken: list[list[int]] = []
    rows = Lines(source.decode("latin-1"))
    for function in functions(parse(source)):
        for place in places(function):
            node = place.node
            if node.type == "compound_statement" or (node.type == "labeled_statement" and place.single):
                continue
            text = f"{counter}[{len(spoken)}]++;".encode()
            if place.single:
                found.append(Wrap(node.start, node.end, b"{" + text, b"}"))
            else:
                found.append(Wrap(node.start, node.start, text))
            spoken.append(_own_lines(node, rows))
    return found, spoken


def _own_lines(node: Node, rows: Lines) -> list[int]:
    """Lines of a statement up to the first statement inside it, and none of that one's."""
    first = rows.at(node.start)
    inner = next((place.node for place in places(node) if place.node is not node), None)
    last = rows.at(node.end) if inner is None else max(first, rows.at(inner.start) - 1)
    return list(range(first, last + 1))


def per_line(counts: list[int], spoken: list[list[int]]) -> dict[int, int]:
    """Line → executions; of several statements on a line the one that ran most often counts."""
    result: dict[int, int] = {}
    for count, rows in zip(counts, spoken, strict=True):
        for row in rows:
            result[row] = max(result.get(row, 0), count)
    return dict(sorted(result.items()))
