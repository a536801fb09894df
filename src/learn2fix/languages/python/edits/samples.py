"""What variables hold, told from a failing call: its arguments, followed through loops and items."""

from __future__ import annotations

import ast
from collections.abc import Iterator, Mapping, Sequence
from typing import Final

import libcst as cst

from learn2fix.languages.python.edits.kinds import NUMBER, kind_of

NOTHING: Final = object()
"""No value is known."""
SAME_ITEMS = frozenset(
    {"sorted", "list", "tuple", "reversed", "set", "iter", "copy", "deepcopy", "frozenset"}
)
ONE_ITEM = frozenset({"min", "max", "next", "pop", "popleft", "abs"})


def arguments(texts: Sequence[str], parameters: Sequence[str]) -> dict[str, object]:
    """The value of each parameter in the first call that says something of it: not empty, not None."""
    found: dict[str, object] = {}
    for text in texts:
        for name, value in _call(text, parameters):
            if name not in found or (not found[name] and value):
                found[name] = value
    return {name: value for name, value in found.items() if value is not None}


def _call(text: str, parameters: Sequence[str]) -> Iterator[tuple[str, object]]:
    try:
        call = ast.parse(f"f({text}\n)", mode="eval").body
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return
    if not isinstance(call, ast.Call):
        return
    given = [
        *zip(parameters, call.args, strict=False),
        *((each.arg or "", each.value) for each in call.keywords),
    ]
    for name, value in given:
        try:
            yield name, ast.literal_eval(value)
        except (ValueError, TypeError, SyntaxError, RecursionError, MemoryError):
            continue


def item(value: object) -> object:
    """What a loop over a value takes out of it first; nothing where the items are of several kinds, such as
    numbers and lists of them."""
    if isinstance(value, list | tuple | dict | str | set | frozenset) and value:
        if isinstance(value, list) and len({kind_of(each) for each in value}) > 1:
            return NOTHING
        return next(iter(value))
    return NOTHING


def unpacked(target: cst.BaseExpression, value: object) -> Iterator[tuple[str, object]]:
    """Names of a target with what they are set to."""
    if isinstance(target, cst.Name):
        yield target.value, value
        return
    parts = target.elements if isinstance(target, cst.Tuple | cst.List) else ()
    if isinstance(value, list | tuple) and len(value) == len(parts):
        for element, part in zip(parts, value, strict=True):
            yield from unpacked(element.value, part)


def sample(node: cst.BaseExpression, known: Mapping[str, object]) -> object:
    """A value that an expression has, where one can be told from those of variables."""
    match node:
        case cst.Name():
            return known.get(node.value, NOTHING)
        case cst.Integer() | cst.Float() | cst.SimpleString():
            return node.evaluated_value
        case cst.Subscript():
            return _subscript(node, known)
        case cst.Call(func=cst.Name(value=name)):
            return _called(name, [sample(each.value, known) for each in node.args])
        case cst.Call(func=cst.Attribute(value=base, attr=cst.Name(value=name))):
            return _method(name, sample(base, known))
        case _:
            return NOTHING


def _subscript(node: cst.Subscript, known: Mapping[str, object]) -> object:
    base, part = sample(node.value, known), node.slice[0].slice
    if isinstance(part, cst.Slice):
        return base
    if isinstance(base, dict):
        return next(iter(base.values()), NOTHING)
    if isinstance(base, tuple) and isinstance(part, cst.Index) and isinstance(part.value, cst.Integer):
        index = part.value.evaluated_value
        return base[index] if index < len(base) else NOTHING
    return item(base)


def _called(name: str, given: Sequence[object]) -> object:
    first = given[0] if given else NOTHING
    if name in SAME_ITEMS:
        return [inner] if (inner := item(first)) is not NOTHING else NOTHING
    if name in ONE_ITEM:
        return item(first) if len(given) == 1 and kind_of(first) != NUMBER else first
    if name == "enumerate":
        return [(0, inner)] if (inner := item(first)) is not NOTHING else NOTHING
    if name == "zip":
        inner_items = tuple(map(item, given))
        return [inner_items] if NOTHING not in inner_items else NOTHING
    if name == "divmod":
        return (0, 0)
    return NOTHING


def _method(name: str, base: object) -> object:
    if isinstance(base, dict) and base:
        key, value = next(iter(base.items()))
        return {"items": [(key, value)], "keys": [key], "values": [value]}.get(
            name, value if name in ("get", "pop", "setdefault") else NOTHING
        )
    if name in ("copy", "strip", "lower", "upper"):
        return base
    if name in ("pop", "popleft"):
        return item(base)
    if isinstance(base, str) and name in ("split", "splitlines"):
        return [base or " "]
    if isinstance(base, str) and name in ("partition", "rpartition"):
        return (base, base, base)
    return NOTHING
