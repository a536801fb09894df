"""What values a parameter takes: read off its annotation, and off the values it was given."""

from __future__ import annotations

import ast
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from enum import StrEnum
from functools import reduce
from typing import Any

from learn2fix.domain.trees import Tree


class Form(StrEnum):
    INT = "int"
    FLOAT = "float"
    BOOL = "bool"
    TEXT = "str"
    LIST = "list"
    TUPLE = "tuple"
    DICT = "dict"
    SET = "set"
    ANY = "any"


@dataclass(frozen=True, slots=True)
class Shape:
    form: Form = Form.ANY
    inner: tuple[Shape, ...] = ()
    """Of a list or set: its items. Of a dict: keys, values. Of a tuple: each place, or its items."""
    optional: bool = False
    """None is a value too."""
    varying: bool = False
    """A tuple of any length."""
    fields: tuple[tuple[str, Shape], ...] = ()
    """Of a dict that is a record: its keys belong to the program."""


ANYTHING = Shape()
SIMPLE = {form.value: form for form in Form if form is not Form.ANY}
COLLECTIONS = {
    "list": Form.LIST, "List": Form.LIST, "Sequence": Form.LIST, "Iterable": Form.LIST,
    "Collection": Form.LIST, "set": Form.SET, "Set": Form.SET, "dict": Form.DICT, "Dict": Form.DICT,
    "Mapping": Form.DICT, "tuple": Form.TUPLE, "Tuple": Form.TUPLE,
}  # fmt: skip


def annotated(note: ast.expr | None) -> Shape:
    """`list[int]`, `dict[str, float] | None`, `Optional[tuple[int, int]]`; ANYTHING where nothing is said."""
    match note:
        case ast.Constant(value=str(text)):
            try:
                return annotated(ast.parse(text, mode="eval").body)
            except (SyntaxError, ValueError):
                return ANYTHING
        case ast.Name(id=name) | ast.Attribute(attr=name):
            form = SIMPLE.get(name) or COLLECTIONS.get(name) or Form.ANY
            return Shape(form, varying=form is Form.TUPLE)
        case ast.BinOp(left=left, op=ast.BitOr(), right=right):
            return _either([left, right])
        case ast.Subscript(value=ast.Name(id=name) | ast.Attribute(attr=name), slice=index):
            parts = list(index.elts) if isinstance(index, ast.Tuple) else [index]
            if name == "Optional":
                return replace(annotated(index), optional=True)
            if name == "Union":
                return _either(parts)
            form = COLLECTIONS.get(name) or Form.ANY
            varying = form is Form.TUPLE and isinstance(parts[-1], ast.Constant) and parts[-1].value is ...
            inner = tuple(annotated(part) for part in (parts[:1] if varying else parts))
            return Shape(form, inner, varying=varying) if form is not Form.ANY else ANYTHING
        case _:
            return ANYTHING


def _either(parts: Sequence[ast.expr]) -> Shape:
    some = [part for part in parts if not (isinstance(part, ast.Constant) and part.value is None)]
    shape = annotated(some[0]) if len(some) == 1 else ANYTHING
    return replace(shape, optional=len(some) < len(parts))


def seen(values: Iterable[Any]) -> Shape:
    """The shape that all these values have."""
    return reduce(both, map(_of, values), ANYTHING)


def _of(value: Any) -> Shape:
    match value:
        case None:
            return Shape(optional=True)
        case bool():
            return Shape(Form.BOOL)
        case int():
            return Shape(Form.INT)
        case float():
            return Shape(Form.FLOAT)
        case str():
            return Shape(Form.TEXT)
        case list():
            return Shape(Form.LIST, (seen(value),))
        case set() | frozenset():
            return Shape(Form.SET, (seen(value),))
        case tuple() | dict() if Tree.of(value) is not None:
            # Another one has other branches.
            return Shape(Form.TUPLE if isinstance(value, tuple) else Form.DICT)
        case tuple():
            return Shape(Form.TUPLE, tuple(_of(each) for each in value))
        case dict():
            fields = tuple((key, _of(each)) for key, each in value.items()) if is_record(value) else ()
            return Shape(Form.DICT, (seen(value), seen(value.values())), fields=fields)
        case _:
            return ANYTHING


def is_record(value: dict[Any, Any]) -> bool:
    """Texts that lead to values of several types are the names of fields."""
    several = len({type(each) for each in value.values() if each is not None}) > 1
    return several and all(isinstance(key, str) for key in value)


def both(one: Shape, other: Shape) -> Shape:
    """What is known from either; where they contradict each other, the first counts."""
    optional = one.optional or other.optional
    if one.form is Form.ANY:
        return replace(other, optional=optional)
    if {one.form, other.form} == {Form.INT, Form.FLOAT}:
        return Shape(Form.FLOAT, optional=optional)
    if one.form is not other.form:
        return replace(one, optional=optional)
    if one.form is Form.TUPLE and one.inner and len(one.inner) != len(other.inner):
        return replace(one, optional=optional)
    if one.form is Form.TUPLE and one.varying and not one.inner:
        return replace(other, optional=optional)  # a bare `tuple`: the values say more
    fields = one.fields or other.fields
    if not one.inner or not other.inner:
        return replace(one, inner=one.inner or other.inner, optional=optional, fields=fields)
    return replace(one, inner=tuple(map(both, one.inner, other.inner)), optional=optional, fields=fields)
