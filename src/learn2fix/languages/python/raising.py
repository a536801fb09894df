"""Which exceptions a program raises on purpose: those that a `raise` statement of its own code makes."""

from __future__ import annotations

import ast
import builtins
import re
from collections.abc import Iterator


def on_purpose(tree: ast.AST, detail: str) -> bool:
    """Whether an exception, told as `ValueError: too small`, is what one of the statements raises.

    One that Python raises inside (`IndexError: list index out of range`) is an accident, also if its kind is
    raised elsewhere with another message.
    """
    kind, _, message = detail.partition(": ")
    return any(kind == raised and said.fullmatch(message) for raised, said in _raised(tree))


def _raised(tree: ast.AST) -> Iterator[tuple[str, re.Pattern[str]]]:
    """Kinds of exceptions and what they may say."""
    for node in ast.walk(tree):
        if not isinstance(node, ast.Raise) or node.exc is None:
            continue
        made = node.exc.func if isinstance(node.exc, ast.Call) else node.exc
        name = made.attr if isinstance(made, ast.Attribute) else getattr(made, "id", "")
        arguments = node.exc.args if isinstance(node.exc, ast.Call) else []
        # With several arguments, or in a class of its own, it may say anything.
        plain = len(arguments) <= 1 and hasattr(builtins, name)
        yield name, re.compile("".join(map(_said, arguments)) if plain else ".*", re.DOTALL)


def _said(argument: ast.expr) -> str:
    """A pattern of the text of an argument."""
    if isinstance(argument, ast.Constant):
        return re.escape(str(argument.value))
    if isinstance(argument, ast.JoinedStr):
        return "".join(
            re.escape(str(part.value)) if isinstance(part, ast.Constant) else ".*" for part in argument.values
        )
    return ".*"
