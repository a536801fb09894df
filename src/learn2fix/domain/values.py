"""Literals of Python: the value that a text stands for, and when two values are alike."""

from __future__ import annotations

import ast
import re
from contextlib import suppress
from functools import lru_cache
from math import isclose
from typing import Any

from learn2fix.model import Response

NOTHING = object()
RAISES = re.compile(r"raises (?P<name>[A-Za-z_][\w.]*)(?:: (?P<message>.*))?", re.DOTALL)


@lru_cache(maxsize=4096)
def literal_value(text: str) -> Any:
    """The value that a repr stands for, also where objects show their fields; NOTHING for any other text."""
    try:
        return ast.literal_eval(text.strip())
    except (ValueError, TypeError, SyntaxError, RecursionError, MemoryError):
        pass
    try:
        return _object(ast.parse(text.strip(), mode="eval").body)
    except (ValueError, TypeError, SyntaxError, RecursionError, MemoryError):
        return NOTHING


class Shown(tuple[Any, ...]):
    """An object as its repr shows it: its class, what stands by position, and fields by name."""

    __slots__ = ()

    def __repr__(self) -> str:
        name, positional, named = self
        return f"{name}({', '.join([*map(repr, positional), *(f'{k}={v!r}' for k, v in named)])})"


def _object(node: ast.expr) -> Any:
    match node:
        case ast.Call(func=ast.Name() | ast.Attribute() as func, args=args, keywords=words):
            if any(word.arg is None for word in words):
                raise ValueError(ast.unparse(node))
            named = sorted((str(word.arg), _object(word.value)) for word in words)
            return Shown((ast.unparse(func).rpartition(".")[2], tuple(map(_object, args)), tuple(named)))
        case ast.Attribute(value=ast.Name(id=name), attr=attribute) if name[:1].isupper():
            return Shown((f"{name}.{attribute}", (), ()))
        case ast.List(elts=items):
            return list(map(_object, items))
        case ast.Tuple(elts=items):
            return tuple(map(_object, items))
        case ast.Set(elts=items):
            return set(map(_object, items))
        case ast.Dict(keys=keys, values=items) if None not in keys:
            return {_object(key): _object(item) for key, item in zip(keys, items, strict=True) if key}
        case _:
            return ast.literal_eval(node)


def alike(one: Any, other: Any, tolerance: float | None = None) -> bool:
    """Equal as Python has it, only that True is not 1: who says 1 does not mean a truth value.

    `tolerance`: within which numbers with a fraction are equal, as an absolute or relative error.
    """
    if isinstance(one, bool) or isinstance(other, bool):
        return one is other
    if isinstance(one, dict) and isinstance(other, dict):
        if one.keys() != other.keys():
            return False
        return all(alike(value, other[key], tolerance) for key, value in one.items())
    if isinstance(one, Shown) and isinstance(other, Shown):
        return (
            one[0] == other[0] and alike(one[1], other[1]) and alike(dict(one[2]), dict(other[2]), tolerance)
        )
    if isinstance(one, list | tuple) and type(one) is type(other):
        if one and one[-1] is ... and len(other) > len(one):
            other = [*other[: len(one) - 1], ...]  # `[1, 2, ...]` says how it begins
        return len(one) == len(other) and all(
            alike(*pair, tolerance) for pair in zip(one, other, strict=True)
        )
    if tolerance and float in (type(one), type(other)):
        with suppress(TypeError, OverflowError):
            return isclose(one, other, rel_tol=tolerance, abs_tol=tolerance)
    return bool(one == other)


def meant_exception(expected: Response) -> tuple[str, str | None] | None:
    """The exception that somebody expects, also when it was written as `raises ValueError`."""
    if not expected.completed:
        return expected.exception
    words = RAISES.fullmatch(expected.text)
    return (words["name"], words["message"]) if words is not None else None
