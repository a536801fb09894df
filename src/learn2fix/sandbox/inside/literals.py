"""The arguments of a call, as Python literals.

The standard library's own evaluator would drag in modules that every fork copies.
"""

from __future__ import annotations

import _ast

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any


class NotLiteral(Exception):
    """The text of a call holds something else than Python literals."""


def literal(node: _ast.AST | None) -> Any:
    """The value of a literal."""
    if isinstance(node, _ast.Constant):
        return node.value
    if isinstance(node, _ast.Name) and node.id in ("inf", "nan"):  # as repr() spells them
        return float(node.id)
    if isinstance(node, _ast.Tuple):
        return tuple([literal(item) for item in node.elts])
    if isinstance(node, _ast.List):
        return [literal(item) for item in node.elts]
    if isinstance(node, _ast.Set):
        return {literal(item) for item in node.elts}
    if isinstance(node, _ast.Dict) and None not in node.keys:
        return {literal(key): literal(value) for key, value in zip(node.keys, node.values)}  # noqa: B905
    if isinstance(node, _ast.UnaryOp) and isinstance(node.op, (_ast.USub, _ast.UAdd)):
        value = literal(node.operand)
        if type(value) in (int, float, complex):
            return -value if isinstance(node.op, _ast.USub) else value
    if isinstance(node, _ast.BinOp) and isinstance(node.op, (_ast.Add, _ast.Sub)):
        left, right = literal(node.left), literal(node.right)
        if type(left) in (int, float) and type(right) is complex:
            return left + right if isinstance(node.op, _ast.Add) else left - right
    if isinstance(node, _ast.Call) and isinstance(node.func, _ast.Name) and not node.keywords:
        values = [literal(item) for item in node.args]
        if node.func.id in ("set", "frozenset") and len(values) <= 1:
            return (set if node.func.id == "set" else frozenset)(*values)
        if node.func.id == "float" and values in (["inf"], ["-inf"], ["nan"]):
            return float(values[0])
    raise NotLiteral


def integers(text: str) -> list[int] | None:
    """The most usual arguments, read the short way; None for all others."""
    numbers = []
    for part in text.split(","):
        part = part.strip(" ")
        digits = part[1:] if part[:1] == "-" else part
        if not (digits.isascii() and digits.isdigit()) or (digits[0] == "0" and digits != "0"):
            return None
        if len(digits) > 4000:
            return None
        numbers.append(int(part))
    return numbers


def arguments(text: str) -> tuple[list[Any], dict[str, Any]]:
    """What stands between the parentheses of a call: (positional, named)."""
    numbers = integers(text)
    if numbers is not None:
        return numbers, {}
    try:
        tree: Any = compile("_(" + text + "\n)", "<call>", "eval", 0x400)  # 0x400: only the syntax tree
        call = tree.body
        if not (isinstance(call, _ast.Call) and isinstance(call.func, _ast.Name) and call.func.id == "_"):
            raise NotLiteral
        named = {}
        for word in call.keywords:
            if word.arg is None:
                raise NotLiteral
            named[word.arg] = literal(word.value)
        return [literal(item) for item in call.args], named
    except (SyntaxError, ValueError, TypeError, NotLiteral, RecursionError, MemoryError):
        raise NotLiteral("not the arguments of a call, as Python literals: " + text[:200]) from None
