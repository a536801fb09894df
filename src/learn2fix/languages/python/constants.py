"""What an expression of a test is worth, when it is made of constants alone. Nothing of the user's is run."""

from __future__ import annotations

import ast
import operator
from collections.abc import Callable, Mapping
from typing import Any

LARGEST = 10_000
"""Elements or digits of a value; what is larger is no question for a person."""

BINARY: dict[type[ast.operator], Callable[[Any, Any], Any]] = {
    ast.Add: operator.add,
    ast.Sub: operator.sub,
    ast.Mult: operator.mul,
    ast.Div: operator.truediv,
    ast.FloorDiv: operator.floordiv,
    ast.Mod: operator.mod,
}
UNARY: dict[type[ast.unaryop], Callable[[Any], Any]] = {
    ast.USub: operator.neg,
    ast.UAdd: operator.pos,
    ast.Not: operator.not_,
}
MAKERS: dict[str, Callable[..., Any]] = {
    "list": list,
    "tuple": tuple,
    "set": set,
    "dict": dict,
    "range": range,
    "str": str,
    "int": int,
    "float": float,
    "sorted": sorted,
    "len": len,
}


class NotConstant(Exception):
    """The expression depends on something that is only known when the test runs."""


def constant(node: ast.expr, names: Mapping[str, Any]) -> Any:
    """The value of a literal, a known name, arithmetic on them, or `list(range(3))` and the like."""
    try:
        value = _value(node, names)
    except NotConstant:
        raise
    except (ArithmeticError, TypeError, ValueError, LookupError, RecursionError, MemoryError):
        raise NotConstant(ast.unparse(node)) from None
    return value


def _value(node: ast.expr, names: Mapping[str, Any]) -> Any:
    match node:
        case ast.Constant(value=value) if value is not ...:
            return value
        case ast.Name(id=name) if name in names:
            return names[name]
        case ast.List(elts=elements):
            return [_value(each, names) for each in elements]
        case ast.Tuple(elts=elements):
            return tuple(_value(each, names) for each in elements)
        case ast.Set(elts=elements):
            return {_value(each, names) for each in elements}
        case ast.Dict(keys=keys, values=values):
            whole = [key for key in keys if key is not None]
            if len(whole) < len(keys):
                raise NotConstant(ast.unparse(node))
            return {_value(k, names): _value(v, names) for k, v in zip(whole, values, strict=True)}
        case ast.UnaryOp(op=op, operand=operand) if type(op) in UNARY:
            return UNARY[type(op)](_value(operand, names))
        case ast.BinOp(left=left, op=op, right=right) if type(op) in BINARY:
            one, other = _value(left, names), _value(right, names)
            if isinstance(op, ast.Mult) and _repeated(one, other) > LARGEST:
                raise NotConstant(ast.unparse(node))
            return BINARY[type(op)](one, other)
        case ast.Call(func=ast.Name(id=name), args=args, keywords=[]) if name in MAKERS and name not in names:
            given = [_value(each, names) for each in args]
            if name == "range" and len(range(*given)) > LARGEST:
                raise NotConstant(ast.unparse(node))
            return MAKERS[name](*given)
        case ast.Subscript(value=value, slice=index):
            return _value(value, names)[_value(index, names)]
        case _:
            raise NotConstant(ast.unparse(node))


def _repeated(one: Any, other: Any) -> int:
    """How long `[0] * 3` becomes; products of numbers do not count."""
    for many, times in ((one, other), (other, one)):
        if isinstance(many, str | bytes | list | tuple) and isinstance(times, int):
            return len(many) * times
    return 0
