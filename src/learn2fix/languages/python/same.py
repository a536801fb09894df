"""When two responses of a Python function are the same: by value, as a person means it.

A person writes `[1,2]` for `[1, 2]`, `3` for `3.0`, `"ab"` for `'ab'`, and `raises ValueError` whatever its
message says.
"""

from __future__ import annotations

from functools import lru_cache
from typing import Any

from learn2fix.domain.values import NOTHING, alike, literal_value, meant_exception
from learn2fix.model import Ending, Response


def same_value(expected: Response, found: Response, tolerance: float | None = None) -> bool:
    """Whether `found` is what somebody meant who wrote `expected`."""
    if expected == found:
        return True
    if found.exception is not None or expected.exception is not None:
        return _same_exception(meant_exception(expected), found.exception)
    if not (expected.completed and found.completed):
        return False
    value = literal_value(found.text)
    if value is NOTHING:
        return False
    right = literal_value(expected.text)
    if right is NOTHING:
        return isinstance(value, str) and expected.text == value  # a text without its quotes
    return alike(right, value, tolerance)


@lru_cache(maxsize=65536)
def normal_value(response: Response) -> Response:
    """One response for all that have the same value: what is equal in this form is the same."""
    if not response.completed:
        return response
    value = literal_value(response.text)
    return response if value is NOTHING else Response(Ending.EXITED, repr(_normal(value)))


def _same_exception(expected: tuple[str, str | None] | None, raised: tuple[str, str | None] | None) -> bool:
    if expected is None or raised is None:
        return False
    same = expected[0].rpartition(".")[2] == raised[0].rpartition(".")[2]
    return same and expected[1] in (None, raised[1])


def _normal(value: Any) -> Any:
    match value:
        case bool():
            return value
        case float() if value.is_integer():
            return int(value)
        case complex() if not value.imag:
            return _normal(value.real)
        case list():
            return [_normal(item) for item in value]
        case tuple():
            return tuple(_normal(item) for item in value)
        case dict():
            # Dictionaries are equal whatever the order of their keys.
            items = ((_normal(key), _normal(item)) for key, item in value.items())
            return dict(sorted(items, key=repr))
        case set() | frozenset():
            return _Set(sorted(map(_normal, value), key=repr)) if value else value
        case _:
            return value


class _Set(list[Any]):
    """The elements of a set, in one order."""

    def __repr__(self) -> str:
        return "{" + ", ".join(map(repr, self)) + "}"
