"""What a Python function returned or raised, compared as a person means it.

Outcomes are text: the repr of a value, or `⟨raises ValueError: too small⟩`. A person writes `[1,2]` for
`[1, 2]`, `3` for `3.0`, `"ab"` for `'ab'`, and `raises ValueError` whatever its message says.
"""

from __future__ import annotations

import ast
import re
from functools import lru_cache
from typing import Any

RAISES = re.compile(r"⟨?raises (?P<name>[A-Za-z_][\w.]*)(?:: (?P<message>.*?))?⟩?", re.DOTALL)
NOTHING = object()


def same_value(wanted: str, found: str) -> bool:
    """Whether the outcome `found` is what somebody meant who wrote `wanted`."""
    if wanted == found:
        return True
    raised = RAISES.fullmatch(found) if found.startswith("⟨") else None
    expected = RAISES.fullmatch(wanted)
    if raised is not None or (expected is not None and wanted.startswith("⟨")):
        return raised is not None and expected is not None and _same_error(expected, raised)
    right, value = literal_value(wanted), literal_value(found)
    if value is NOTHING:
        return False
    if right is NOTHING:
        return isinstance(value, str) and wanted == value  # a text without its quotes
    return alike(right, value)


def raised_error(text: str) -> tuple[str, str | None] | None:
    """The name and the message of the exception that an outcome is."""
    found = RAISES.fullmatch(text)
    return (found["name"], found["message"]) if found is not None else None


def _same_error(expected: re.Match[str], raised: re.Match[str]) -> bool:
    same = expected["name"].rpartition(".")[2] == raised["name"].rpartition(".")[2]
    return same and expected["message"] in (None, raised["message"])


@lru_cache(maxsize=4096)
def literal_value(text: str) -> Any:
    """The value that a repr stands for; NOTHING when it is no literal."""
    try:
        return ast.literal_eval(text.strip())
    except (ValueError, TypeError, SyntaxError, RecursionError, MemoryError):
        return NOTHING


def alike(one: Any, other: Any) -> bool:
    """Equal as Python has it, only that True is not 1: who says 1 does not mean a truth value."""
    if isinstance(one, bool) or isinstance(other, bool):
        return one is other
    if isinstance(one, dict) and isinstance(other, dict):
        if one.keys() != other.keys():
            return False
        return all(alike(value, other[key]) for key, value in one.items())
    if isinstance(one, list | tuple) and type(one) is type(other):
        return len(one) == len(other) and all(map(alike, one, other))
    return bool(one == other)
