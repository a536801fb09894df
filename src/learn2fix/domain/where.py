"""Conditions on inputs that make sense, as people write them: `1 <= n <= 100 and len(a) == n`.

Comparisons, `and`, `or`, `not`, + - * // %, numbers, texts, the names of the inputs, and the functions
below; nothing else is evaluated. What cannot be computed (the length of a number) does not hold.
"""

from __future__ import annotations

import ast
import operator
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import pairwise
from typing import Any

from learn2fix.errors import UsageError

FUNCTIONS: Mapping[str, Callable[..., Any]] = {
    "len": len, "min": min, "max": max, "sum": sum, "abs": abs, "sorted": sorted, "set": set,
}  # fmt: skip
OPERATIONS: Mapping[type[ast.AST], Callable[[Any, Any], Any]] = {
    ast.Add: operator.add,
    ast.Sub: operator.sub,
    ast.Mult: operator.mul,
    ast.FloorDiv: operator.floordiv,
    ast.Mod: operator.mod,
    ast.Eq: operator.eq,
    ast.NotEq: operator.ne,
    ast.Lt: operator.lt,
    ast.LtE: operator.le,
    ast.Gt: operator.gt,
    ast.GtE: operator.ge,
    ast.In: lambda item, items: item in items,
    ast.NotIn: lambda item, items: item not in items,
}
LARGEST = 10**1000
"""Larger numbers are not multiplied: evaluating a condition must not take for ever."""
HELP = "write it like 1 <= n <= 100 and len(a) == n"


@dataclass(frozen=True, slots=True)
class Where:
    """A condition; two are the same when their text is."""

    text: str
    names: tuple[str, ...] = field(compare=False)
    _tree: ast.expr = field(compare=False, repr=False)

    def holds(self, values: Sequence[Any]) -> bool:
        known = dict(zip(self.names, values, strict=False))
        try:
            return bool(_value(self._tree, known))
        except (TypeError, ValueError, ArithmeticError, KeyError, LookupError):
            return False


def parse_where(text: str, names: Sequence[str]) -> Where:
    """Raises UsageError where it says anything else than a condition on these names."""
    try:
        tree = ast.parse(text.strip(), mode="eval").body
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        raise UsageError(f"cannot read the condition {text!r}", HELP) from None
    for node in ast.walk(tree):
        if isinstance(node, ast.Name) and node.id not in (*names, *FUNCTIONS):
            raise UsageError(f"{text!r}: there is no input {node.id}", f"there are {', '.join(names)}")
        if not _allowed(node):
            raise UsageError(f"cannot read the condition {text!r}", HELP)
    return Where(text.strip(), tuple(names), tree)


def _allowed(node: ast.AST) -> bool:
    match node:
        case ast.Call(func=ast.Name(id=name), keywords=[]):
            return name in FUNCTIONS
        case ast.BinOp(op=op) | ast.UnaryOp(op=op):
            return type(op) in OPERATIONS or isinstance(op, ast.Not | ast.USub)
        case ast.Compare(ops=ops):
            return all(type(op) in OPERATIONS for op in ops)
        case ast.Constant(value=value):
            return isinstance(value, int | float | str)
        case ast.BoolOp() | ast.Name() | ast.expr_context() | ast.operator() | ast.cmpop() | ast.boolop():
            return True
        case ast.unaryop():
            return True
        case _:
            return False


def _value(node: ast.expr, known: Mapping[str, Any]) -> Any:
    match node:
        case ast.Constant(value=value):
            return value
        case ast.Name(id=name):
            return known[name]
        case ast.UnaryOp(op=ast.Not(), operand=inner):
            return not _value(inner, known)
        case ast.UnaryOp(operand=inner):
            return -_value(inner, known)
        case ast.BoolOp(op=ast.And(), values=parts):
            return all(_value(part, known) for part in parts)
        case ast.BoolOp(values=parts):
            return any(_value(part, known) for part in parts)
        case ast.BinOp(left=left, op=op, right=right):
            return _operation(type(op), _value(left, known), _value(right, known))
        case ast.Compare(left=left, ops=ops, comparators=others):
            values = (_value(each, known) for each in (left, *others))  # as Python: no further than decides
            return all(OPERATIONS[type(op)](a, b) for op, (a, b) in zip(ops, pairwise(values), strict=False))
        case ast.Call(func=ast.Name(id=name), args=args):
            return FUNCTIONS[name](*(_value(each, known) for each in args))
        case _:
            raise TypeError(ast.dump(node))


def _operation(kind: type[ast.AST], left: Any, right: Any) -> Any:
    if isinstance(left, str | list | tuple) or isinstance(right, str | list | tuple):
        raise TypeError("only numbers are reckoned with")
    if kind is ast.Mult and abs(left * 1.0 if isinstance(left, float) else left) > LARGEST:
        raise ValueError("too large")
    return OPERATIONS[kind](left, right)
