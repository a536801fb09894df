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
    """The value that a repr stands for; NOTHING when it is no literal."""
    try:
        return ast.literal_eval(text.strip())
    except (ValueError, TypeError, SyntaxError, RecursionError, MemoryError):
        return NOTHING


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
    if isinstance(one, list | tuple) and type(one) is type(other):
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
