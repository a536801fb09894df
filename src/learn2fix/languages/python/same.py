"""When two responses of a Python function are the same: by value, as a person means it.

A person writes `[1,2]` for `[1, 2]`, `3` for `3.0`, `"ab"` for `'ab'`, and `raises ValueError` whatever its
message says.
"""

from __future__ import annotations

import types
from collections.abc import Collection
from functools import lru_cache
from typing import Any

from learn2fix.domain.values import NOTHING, Shown, alike, literal_value, meant_exception
from learn2fix.languages.python.parts import PRINTS, RETURNS, VALUE, parts_of, written_parts
from learn2fix.model import Ending, Response, canonical

EVERYTHING = "*"


def same_value(
    expected: Response, found: Response, tolerance: float | None = None, usual: Collection[str] = ()
) -> bool:
    """Whether `found` is what somebody meant who wrote `expected`.

    `usual`: parts that every answer has, which a person may leave out; EVERYTHING for all.
    """
    if expected == found:
        return True
    if found.exception is not None or expected.exception is not None:
        return _same_exception(meant_exception(expected), found.exception)
    if not (expected.completed and found.completed):
        return False
    right, answer = parts_of(expected.text, expected.written), parts_of(found.text)
    if VALUE in right and VALUE in answer:
        return _same_text(expected.text, found.text, tolerance)
    return _same_parts(right, answer, tolerance, usual if expected.written else ())


def _same_parts(
    right: dict[str, str], answer: dict[str, str], tolerance: float | None, usual: Collection[str]
) -> bool:
    if VALUE in right:
        value = right[VALUE]
        if RETURNS not in answer and value != "None":
            # A bare value stands for the only value that there is.
            if len(answer) != 1:
                return False
            ((name, text),) = answer.items()
            return (
                canonical(text) == canonical(value) if name == PRINTS else _same_text(value, text, tolerance)
            )
        right = {RETURNS: value}
    answer = {RETURNS: answer[VALUE]} if VALUE in answer else answer
    right, answer = {RETURNS: "None", **right}, {RETURNS: "None", **answer}
    skipped = {name for name in answer if name not in right and (name in usual or EVERYTHING in usual)}
    if right.keys() != answer.keys() - skipped:
        return False
    return all(
        canonical(text) == canonical(answer[name])
        if name == PRINTS
        else _same_text(text, answer[name], tolerance)
        for name, text in right.items()
    )


def _same_text(expected: str, found: str, tolerance: float | None) -> bool:
    if expected == found:
        return True
    value = literal_value(found)
    if value is NOTHING:
        return False
    right = literal_value(expected)
    if right is NOTHING:
        return isinstance(value, str) and expected == value  # a text without its quotes
    return alike(right, value, tolerance)


@lru_cache(maxsize=65536)
def normal_value(response: Response) -> Response:
    """One response for all that have the same value: what is equal in this form is the same."""
    if not response.completed:
        return response
    parts = parts_of(response.text)
    if VALUE in parts:
        return Response(Ending.EXITED, _normal_text(response.text))
    normal = {name: text if name == PRINTS else _normal_text(text) for name, text in parts.items()}
    return Response(Ending.EXITED, written_parts(normal))


def _normal_text(text: str) -> str:
    value = literal_value(text)
    return text if value is NOTHING else repr(_normal(value))


def _same_exception(expected: tuple[str, str | None] | None, raised: tuple[str, str | None] | None) -> bool:
    if expected is None or raised is None:
        return False
    same = expected[0].rpartition(".")[2] == raised[0].rpartition(".")[2]
    return same and expected[1] in (None, raised[1])


def _normal(value: Any) -> Any:
    match value:
        case bool():
            return value
        case Shown():
            name, positional, named = value
            return Shown((name, _normal(positional), tuple((key, _normal(item)) for key, item in named)))
        case types.EllipsisType():
            return _Dots()
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


class _Dots:
    """What an iterator gives beyond what is looked at."""

    def __repr__(self) -> str:
        return "..."


class _Set(list[Any]):
    """The elements of a set, in one order."""

    def __repr__(self) -> str:
        return "{" + ", ".join(map(repr, self)) + "}"
