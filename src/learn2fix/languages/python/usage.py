"""What values a function works on, as far as its body tells: for a call that shows none, as `total([])`.

`for word in words: … word.upper()` says that words are texts, `row[0] > 3` that a row begins with a number.
"""

from __future__ import annotations

import ast
from collections.abc import Iterable, Iterator
from dataclasses import replace

from learn2fix.domain.shapes import ANYTHING, Form, Shape, both
from learn2fix.languages.python.signatures import Function

DEEPEST = 3
"""Number of loops within loops that are followed."""
LIST = Shape(Form.LIST)
TEXT = Shape(Form.TEXT)
INT = Shape(Form.INT)
TEXTUAL = (
    "upper", "lower", "strip", "lstrip", "rstrip", "split", "startswith", "endswith", "isdigit", "title",
    "isalpha", "capitalize", "replace", "find", "splitlines", "encode", "isupper", "islower", "isspace",
)  # fmt: skip
METHODS = {
    **dict.fromkeys(
        ("append", "extend", "insert", "sort", "reverse", "remove"),
        LIST,
    ),
    **dict.fromkeys(("items", "keys", "values", "get", "setdefault"), Shape(Form.DICT)),
    **dict.fromkeys(("add", "union", "intersection", "issubset", "discard"), Shape(Form.SET)),
    **dict.fromkeys(TEXTUAL, TEXT),
}
"""Methods that only one kind of value has."""
THROUGH = frozenset({"sorted", "reversed", "list", "set", "tuple", "iter"})
"""Functions that give the items of what they are given."""
NUMERIC = (ast.Sub, ast.Mult, ast.Div, ast.FloorDiv, ast.Pow)


def used_as(function: Function, name: str, depth: int = DEEPEST) -> Shape:
    """The shape that the uses of a name in a function suggest."""
    found = ANYTHING
    for node in ast.walk(function):
        for use in _uses(node, name, function, depth):
            found = both(found, use)
    # What has a length and nothing else known of it is a text among others, a list as a parameter.
    if found.form is Form.ANY and depth < DEEPEST and _measured(function, name):
        return TEXT
    return found


def _uses(node: ast.AST, name: str, function: Function, depth: int) -> Iterator[Shape]:
    match node:
        case ast.For(target=target, iter=items) | ast.comprehension(target=target, iter=items) if depth:
            yield from _looped(target, items, name, function, depth)
        case ast.Call(func=ast.Attribute(value=ast.Name(id=owner), attr=method)) if owner == name:
            yield METHODS.get(method, ANYTHING)
        case ast.Call(func=ast.Attribute(attr="join"), args=[ast.Name(id=given)]) if given == name:
            yield Shape(Form.LIST, (TEXT,))
        case ast.Call(func=ast.Name(id="sum"), args=[ast.Name(id=given), *_]) if given == name:
            yield Shape(Form.LIST, (INT,))
        case ast.Compare(left=left, comparators=others):
            sides = [left, *others]
            if any(_is(side, name) for side in sides):
                yield from (_constant(side) for side in sides)
        case ast.BinOp(left=left, op=op, right=right) if _is(left, name) or _is(right, name):
            known = both(_constant(left), _constant(right))
            yield known
            if known.form is Form.ANY and isinstance(op, NUMERIC):
                yield INT
        case ast.Subscript(value=ast.Name(id=owner), slice=ast.Constant(value=str(key))) if owner == name:
            yield Shape(Form.DICT, (TEXT, ANYTHING), fields=((key, ANYTHING),))
        case _:
            pass


def _looped(target: ast.expr, items: ast.expr, name: str, function: Function, depth: int) -> Iterator[Shape]:
    while isinstance(items, ast.Call) and isinstance(items.func, ast.Name) and items.args:
        function_name, place = items.func.id, 0
        if function_name == "enumerate" and isinstance(target, ast.Tuple) and len(target.elts) == 2:
            target = target.elts[1]
        elif function_name == "zip" and isinstance(target, ast.Tuple) and len(target.elts) == len(items.args):
            place = next((i for i, each in enumerate(items.args) if _is(each, name)), 0)
            target = target.elts[place]
        elif function_name not in THROUGH:
            return
        items = items.args[place]
    if isinstance(items, ast.Subscript):
        items = items.value  # a slice
    if _is(items, name):
        inner = _items(target, function, depth)
        yield Shape(Form.LIST, (inner,) if inner != ANYTHING else ())
    match items, target:
        case ast.Call(func=ast.Attribute(value=owner, attr="items")), ast.Tuple(elts=[first, second]):
            if _is(owner, name):
                key, value = _items(first, function, depth), _items(second, function, depth)
                yield Shape(Form.DICT, (key if key != ANYTHING else TEXT, value))


def _items(target: ast.expr, function: Function, depth: int) -> Shape:
    if isinstance(target, ast.Name):
        return replace(used_as(function, target.id, depth - 1), optional=False)
    if isinstance(target, ast.Tuple):
        return Shape(Form.TUPLE, tuple(_items(each, function, depth) for each in target.elts))
    return ANYTHING


def _constant(node: ast.expr) -> Shape:
    match node:
        case ast.Constant(value=bool()):
            return Shape(Form.BOOL)
        case ast.Constant(value=int()):
            return INT
        case ast.Constant(value=float()):
            return Shape(Form.FLOAT)
        case ast.Constant(value=str()) | ast.JoinedStr():
            return TEXT
        case ast.Tuple(elts=items) | ast.List(elts=items) | ast.Set(elts=items):
            return _first(map(_constant, items))
        case _:
            return ANYTHING


def _first(shapes: Iterable[Shape]) -> Shape:
    return next((shape for shape in shapes if shape.form is not Form.ANY), ANYTHING)


def _is(node: ast.expr, name: str) -> bool:
    return isinstance(node, ast.Name) and node.id == name


def _measured(function: Function, name: str) -> bool:
    calls = (node for node in ast.walk(function) if isinstance(node, ast.Call))
    return any(ast.unparse(call) == f"len({name})" for call in calls)
