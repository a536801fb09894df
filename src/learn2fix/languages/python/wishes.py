"""What a test asks for, and whether an answer is it."""

from __future__ import annotations

import ast
import operator
import re
from dataclasses import dataclass
from typing import Any

from learn2fix.domain.values import NOTHING, literal_value
from learn2fix.languages.python.same import same_value
from learn2fix.model import Ending, Response


@dataclass(frozen=True, slots=True)
class Equal:
    value: str
    """The repr of what it should return."""


@dataclass(frozen=True, slots=True)
class Truth:
    truth: bool


@dataclass(frozen=True, slots=True)
class Near:
    value: float
    within: float


@dataclass(frozen=True, slots=True)
class Raises:
    error: str
    match: str = ""
    """What `re.search` finds in the message."""


@dataclass(frozen=True, slots=True)
class Compares:
    """`assert f(3) < 10`, `assert "a" in f(3)`: the value stands on one side."""

    sign: str
    value: str
    left: bool
    """The value of the call stands on the left."""


Wish = Equal | Truth | Near | Raises | Compares
SIGNS: dict[type[ast.cmpop], tuple[str, Any]] = {
    ast.Lt: ("<", operator.lt),
    ast.LtE: ("<=", operator.le),
    ast.Gt: (">", operator.gt),
    ast.GtE: (">=", operator.ge),
    ast.NotEq: ("!=", operator.ne),
    ast.In: ("in", lambda one, many: one in many),
    ast.NotIn: ("not in", lambda one, many: one not in many),
}


def holds(wish: Wish, response: Response) -> bool:
    """Whether an outcome is what the test asks for."""
    match wish:
        case Equal(value=value):
            return same_value(Response.read(value), response) or _python_equal(value, response.text)
        case Raises(error=error, match=match):
            message = (response.exception or ("", ""))[1] or ""
            return same_value(Response(Ending.RAISED, error), response) and bool(re.search(match, message))
        case Compares(sign=sign, value=value, left=left):
            found, other = literal_value(response.text), literal_value(value)
            if not response.completed or NOTHING in (found, other):
                return False
            try:
                return bool(dict(SIGNS.values())[sign](*((found, other) if left else (other, found))))
            except TypeError:
                return False
        case Truth(truth=truth):
            found = literal_value(response.text)
            # What has no literal is an object, and objects are true.
            return response.completed and (found is NOTHING or bool(found)) is truth
        case Near(value=value, within=within):
            found = literal_value(response.text)
            number = isinstance(found, int | float) and not isinstance(found, bool)
            return number and (found == value or abs(found - value) <= within)


def expected_output(wish: Wish, response: Response) -> str | None:
    """What it should print instead of `response`, when the test says it exactly."""
    match wish:
        case Equal(value=value):
            return value
        case Raises(error=error):
            return str(Response(Ending.RAISED, error))
        case Truth(truth=truth) if isinstance(literal_value(response.text), bool):
            return repr(truth)
        case _:
            return None


def _python_equal(value: str, answer: str) -> bool:
    """`1 == True` passes in a test, whatever a person means."""
    one, other = literal_value(value), literal_value(answer)
    return one is not NOTHING and other is not NOTHING and bool(one == other)
