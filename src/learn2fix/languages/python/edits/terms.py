"""Expressions of a function that can stand at another place of it, as they are or about other variables."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import permutations

import libcst as cst

from learn2fix.languages.python.edits.kinds import CALLABLE, MAPPING, SEQUENCE, TEXT, UNKNOWN, compatible
from learn2fix.languages.python.edits.program import COMPREHENSIONS, Program
from learn2fix.languages.python.tree import walk

LONGEST = 40
MOST_TERMS = 16
MOST_OTHERS = 6
"""Variables that one may be exchanged for."""
PLAIN_CALLS = frozenset(
    {
        "abs", "all", "any", "bool", "dict", "divmod", "enumerate", "float", "int", "isinstance", "len",
        "list", "max", "min", "ord", "range", "reversed", "round", "set", "sorted", "str", "sum",
        "tuple", "zip", "get", "lower", "upper", "strip", "split", "join", "count", "index", "find",
        "startswith", "endswith", "isdigit", "isalpha", "isalnum", "isspace", "isupper", "islower",
        "items", "keys", "values", "copy",
    }
)  # fmt: skip
"""Calls that may be made twice: nothing is changed by them."""


def free_names(program: Program, node: cst.CSTNode) -> list[cst.Name]:
    """The variables that a piece of code reads, every place of them; what it binds itself is left out."""
    bound = {
        inner.value
        for part in walk(node)
        if isinstance(part, COMPREHENSIONS)
        for clause in walk(part.for_in)
        if isinstance(clause, cst.CompFor)
        for inner in walk(clause.target)
        if isinstance(inner, cst.Name)
    }
    found = []
    for part in walk(node):
        if not isinstance(part, cst.Name) or part.value in bound:
            continue
        parent = program.tree.parent(part)
        named = isinstance(parent, cst.Attribute) and part is parent.attr
        called = isinstance(parent, cst.Call) and part is parent.func
        keyword = isinstance(parent, cst.Arg) and part is parent.keyword
        if not (named or called or keyword or part.value in ("True", "False", "None")):
            found.append(part)
    return found


def is_plain(program: Program, node: cst.CSTNode) -> bool:
    """Whether a value can be computed again without changing anything, and written at another place as it is:
    what a comma, a conditional expression or a walrus makes needs parentheses that are not its own."""
    if isinstance(node, cst.Tuple | cst.IfExp | cst.StarredElement):
        return False
    for part in walk(node):
        if isinstance(part, cst.Call):
            name = program.of(part.func).rpartition(".")[2]
            if name not in PLAIN_CALLS:
                return False
        if isinstance(part, cst.Yield | cst.Await | cst.NamedExpr | cst.Lambda):
            return False
    return True


def readable(program: Program, node: cst.CSTNode, at: cst.CSTNode) -> bool:
    """Whether all that a piece of code reads can be read at another place."""
    visible, scope = set(program.visible(at)), program.scope(at)
    return all(
        name.value in visible
        or (name.value not in scope.bound and name.value in program.names.functions)
        or name.value in TYPES
        for name in free_names(program, node)
    )


TYPES = frozenset({"int", "float", "str", "list", "dict", "set", "tuple", "bool"})


def terms(program: Program, at: cst.CSTNode) -> list[tuple[cst.BaseExpression, str]]:
    """Items, attributes, plain calls and short formulas of the function, and what they roughly are."""
    owner = program.owner(at)
    found: dict[str, tuple[cst.BaseExpression, str]] = {}
    for node in program.expressions:
        if not isinstance(node, cst.Subscript | cst.Attribute | cst.Call | cst.BinaryOperation):
            continue
        text = program.of(node)
        if text in found or len(text) > LONGEST or "\n" in text or program.owner(node) is not owner:
            continue
        if is_plain(program, node) and readable(program, node, at):
            found[text] = node, program.kind(node)
            if len(found) == MOST_TERMS:
                break
    return list(found.values())


def about_others(program: Program, node: cst.CSTNode, at: cst.CSTNode) -> Iterator[str]:
    """The expression or statement with one or two of its variables exchanged for others of their kind."""
    places = free_names(program, node)
    names = list(dict.fromkeys(place.value for place in places))
    if not 1 <= len(names) <= 4:
        return
    others = {name: _others(program, name, at) for name in names}
    for name in names:
        for other in others[name]:
            yield renamed(program, node, {name: other})
    for first, second in permutations(names, 2):
        if names.index(first) < names.index(second):
            for one in others[first]:
                for other in others[second]:
                    if one != other:
                        yield renamed(program, node, {first: one, second: other})


def _others(program: Program, name: str, at: cst.CSTNode) -> list[str]:
    kind = program.name_type(name, at)
    return [
        other
        for other in program.local(at)
        if other != name
        and "." not in other
        and compatible(kind, program.name_type(other, at))
        and program.name_type(other, at) != CALLABLE
    ][:MOST_OTHERS]


def renamed(program: Program, node: cst.CSTNode, to: dict[str, str]) -> str:
    start, _ = program.tree.span(node)
    text, shift = program.of(node), 0
    for place in sorted(free_names(program, node), key=lambda name: program.tree.span(name)[0]):
        if place.value in to:
            left, right = program.tree.span(place)
            left, right = left - start + shift, right - start + shift
            text = text[:left] + to[place.value] + text[right:]
            shift += len(to[place.value]) - len(place.value)
    return text


def lengths(program: Program, at: cst.CSTNode) -> list[str]:
    """Numbers in reach: variables that may be one, and lengths."""
    found = []
    for name in program.local(at):
        kind = program.name_type(name, at)
        if kind in (SEQUENCE, TEXT, MAPPING):
            found.append(f"len({name})")
        elif kind == "n" or kind == UNKNOWN:
            found.append(name)
    return found[: MOST_OTHERS + 2]
