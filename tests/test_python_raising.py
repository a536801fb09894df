"""Exceptions raised on purpose, and accidents."""

from __future__ import annotations

import ast

import pytest
from hypothesis import given
from hypothesis import strategies as st

from learn2fix.languages.python.raising import on_purpose

SOURCE = """
class Empty(Exception):
    pass

def f(n, items, error):
    if n < 0:
        raise ValueError("too small")
    if n > 9:
        raise ValueError(f"{n} is too large")
    if not items:
        raise Empty
    if n == 5:
        raise KeyError
    raise error
"""


@pytest.mark.parametrize(
    ("detail", "purpose"),
    [
        ("ValueError: too small", True),
        ("ValueError: 12 is too large", True),
        ("ValueError: invalid literal for int() with base 10: 'x'", False),
        ("Empty: whatever it makes of itself", True),
        ("KeyError", True),
        ("KeyError: 3", False),
        ("IndexError: list index out of range", False),
    ],
)
def test_an_accident_is_no_answer(detail: str, purpose: bool) -> None:
    assert on_purpose(ast.parse(SOURCE), detail) == purpose


@given(st.text(), st.text())
def test_what_a_statement_raises_is_recognised_whatever_it_says(first: str, value: str) -> None:
    source = f"def f(x):\n    raise ValueError({first!r} + x)\n"
    source += f"def g(x):\n    raise LookupError({first!r})\n"
    space: dict[str, object] = {}
    exec(source, space)
    for name in "fg":
        try:
            space[name](value)  # type: ignore[operator]
        except (ValueError, LookupError) as error:
            message = str(error)
            told = type(error).__name__ + (": " + message if message else "")
            assert on_purpose(ast.parse(source), told)
