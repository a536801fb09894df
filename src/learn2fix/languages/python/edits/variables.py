"""Edits of what is read: other variables, items and attributes; numbers for them."""

from __future__ import annotations

import re
from collections.abc import Iterator

import libcst as cst

from learn2fix.edits.catalogue import Proposals
from learn2fix.languages.python.edits.catalogue import CATALOGUE
from learn2fix.languages.python.edits.kinds import NUMBER, UNKNOWN, compatible
from learn2fix.languages.python.edits.precedence import number_level
from learn2fix.languages.python.edits.program import Program, choice, unsure

# Attributes, and names of arguments, that are taken for one another.
SIMILAR_ATTRIBUTES: tuple[tuple[str, ...], ...] = (
    ("days", "seconds", "microseconds"),
    ("year", "month", "day"),
    ("hour", "minute", "second"),
    ("real", "imag"),
    ("numerator", "denominator"),
    ("start", "stop", "end"),
    ("days", "weeks", "hours", "minutes", "seconds"),
    ("first", "last"),
    ("left", "right"),
    ("x", "y"),
    ("width", "height"),
)


def similar(word: str, rows: tuple[tuple[str, ...], ...]) -> list[str]:
    """The other words of the rows that a word stands in."""
    return list(dict.fromkeys(other for row in rows if word in row for other in row if other != word))


def _variables(program: Program) -> Iterator[cst.Name]:
    return (node for node in program.reads(cst.Name) if node.value in program.visible(node))


@CATALOGUE.operator(
    "another variable",
    why="A variable is confused with another one.",
    before="def f(a, b): return a - a",
    after="def f(a, b): return a - b",
)
def another_variable(program: Program) -> Proposals:
    for node in _variables(program):
        kind = program.kind(node)
        for other in program.visible(node):
            other_kind = program.name_type(other, node)
            if other != node.value and compatible(kind, other_kind):
                same = other_kind if kind == other_kind else UNKNOWN
                yield unsure((program.put(node, other),), same)


@CATALOGUE.operator(
    "number for a variable",
    why="A variable stands where a constant was meant.",
    before="def f(a, b): return a - b",
    after="def f(a, b): return a - 1",
)
def number_for_a_variable(program: Program) -> Proposals:
    for node in _variables(program):
        if program.kind(node) in (NUMBER, UNKNOWN) and not program.is_base(node):
            for text in dict.fromkeys(["0", "1", *program.numbers, *program.test_numbers]):
                known = text in ("0", "1") or text in program.numbers
                yield choice((program.put(node, text, number_level(text)),), known)


@CATALOGUE.operator(
    "another item or attribute",
    why="An item or attribute is confused with one that is written nearby.",
    before="def f(xs, i, j): return xs[i] + xs[j] - xs[j]",
    after="def f(xs, i, j): return xs[i] + xs[j] - xs[i]",
)
def another_item(program: Program) -> Proposals:
    nodes = [n for n in program.expressions if isinstance(n, cst.Subscript | cst.Attribute)]
    near: dict[cst.FunctionDef | None, dict[str, set[str]]] = {}
    for node in nodes:
        text = program.of(node)
        if len(text) <= 30 and "\n" not in text and "(" not in text:
            bare = re.sub(r"\.\w+|'[^']*'|\"[^\"]*\"", "", text)
            near.setdefault(program.owner(node), {})[text] = set(re.findall(r"[A-Za-z_]\w*", bare))
    for node in nodes:
        known = {*program.visible(node), "self", "cls"}
        for text, names in near.get(program.owner(node), {}).items():
            if names <= known and text != program.of(node):
                yield (program.put(node, text),)


@CATALOGUE.operator(
    "another attribute",
    why="An attribute is confused with another one of the same object, or with a similar one.",
    before="def f(p): return p.x * p.x + p.size",
    after="def f(p): return p.x * p.size + p.size",
)
def another_attribute(program: Program) -> Proposals:
    for node in program.every(cst.Attribute):
        parent = program.tree.parent(node)
        if isinstance(parent, cst.Call) and node is parent.func:
            continue
        base, place = program.of(node.value), program.tree.span(node.attr)
        known = [*program.names.attributes.get(base, ()), *program.names.attributes_of(base)]
        own = [name.partition(".")[2] for name in program.scope(node).bound if name.startswith(f"{base}.")]
        for other in dict.fromkeys([*known, *own]):
            if other != node.attr.value and other not in program.names.methods.get(base, ()):
                yield ((*place, other),)
        for other in similar(node.attr.value, SIMILAR_ATTRIBUTES):
            yield ((*place, other),)


@CATALOGUE.operator(
    "similar name of an argument",
    why="An argument is given under the name of a similar one.",
    before="def f(n): return timedelta(days=n)",
    after="def f(n): return timedelta(weeks=n)",
)
def similar_name_of_an_argument(program: Program) -> Proposals:
    for node in program.every(cst.Call):
        given = {argument.keyword.value for argument in node.args if argument.keyword is not None}
        for argument in node.args:
            if argument.keyword is not None:
                for other in similar(argument.keyword.value, SIMILAR_ATTRIBUTES):
                    if other not in given:
                        yield ((*program.tree.span(argument.keyword), other),)
