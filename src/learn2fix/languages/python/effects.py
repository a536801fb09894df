"""Effects that belong to every answer of a function: parameters and attributes that it is there to change."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from learn2fix.languages.python.signatures import Function, Target

CHANGING = frozenset(
    {"append", "extend", "insert", "remove", "pop", "clear", "sort", "reverse", "add", "discard", "update"}
    | {"setdefault", "popitem", "appendleft", "popleft", "extendleft", "rotate", "subtract"}
    | {"difference_update", "intersection_update", "symmetric_difference_update"}
)
"""Methods that change the list, set, dict or deque that they are called on."""
ALL = "*"
PRINTS = "prints"


def effects(target: Target) -> tuple[str, ...]:
    """Parameters (`items`), attributes (`self.balance`); ALL for a function that returns nothing."""
    node = target.node
    if not target.is_property and not returns(node) and node.name != "__init__":
        return (ALL,)
    arguments = [*node.args.posonlyargs, *node.args.args, *node.args.kwonlyargs]
    names = [each.arg for each in arguments]
    first = names[0] if target.on_object and names else ""
    found: dict[str, None] = {}
    for place in _changed(node):
        root, _, attribute = place.partition(".")
        if root == first and attribute:
            found[f"self.{attribute.partition('.')[0]}"] = None
        elif root in names and root != first:
            found[place] = None
    return tuple(found)


def is_lazy(node: Function) -> bool:
    """Whether a call does nothing yet: it gives an iterator or a coroutine."""
    return isinstance(node, ast.AsyncFunctionDef) or any(
        isinstance(each, ast.Yield | ast.YieldFrom) for each in ast.walk(node)
    )


def returns(node: Function) -> bool:
    """Whether it gives a value anywhere."""
    stack: list[ast.AST] = list(node.body)
    while stack:
        each = stack.pop()
        if isinstance(each, ast.Yield | ast.YieldFrom):
            return True
        if isinstance(each, ast.Return) and not (
            each.value is None or (isinstance(each.value, ast.Constant) and each.value.value is None)
        ):
            return True
        if not isinstance(each, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef | ast.Lambda):
            stack += ast.iter_child_nodes(each)
    return False


def _changed(node: Function) -> Iterator[str]:
    for each in ast.walk(node):
        match each:
            case ast.Attribute(ctx=ast.Store() | ast.Del()):
                yield ast.unparse(each)
            case ast.Subscript(value=value, ctx=ast.Store() | ast.Del()):
                yield _root(value)
            case ast.Call(func=ast.Attribute(value=value, attr=name)) if name in CHANGING:
                yield _root(value)
            case _:
                pass


def _root(node: ast.expr) -> str:
    """`self.items` of `self.items[0]`."""
    while isinstance(node, ast.Subscript):
        node = node.value
    return ast.unparse(node) if isinstance(node, ast.Name | ast.Attribute) else ""
