"""What learners see of lists, texts and dicts: features whose names are the Python that computes them.

A condition learned over them reads as Python: `len(xs) % 2 == 0 and xs[0] > xs[-1]`. Where a feature does
not apply (the first of an empty list) it is ABSENT, and no comparison with a number holds.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cache
from types import CodeType
from typing import Any

from learn2fix.domain import Domain, parse_number
from learn2fix.model import Input, Kind, Scalar, Variable
from learn2fix.oracles.formula import ABSENT

MOST_LETTERS = 4
MOST_FEATURES = 40
BUILTINS = {
    each.__name__: each
    for each in (
        any,
        bool,
        dict,
        float,
        int,
        isinstance,
        len,
        list,
        map,
        max,
        min,
        set,
        sorted,
        str,
        sum,
        tuple,
    )
}
NUMBERS = (int, float, Fraction)
SEQUENCES = (list, tuple)


@dataclass(frozen=True, slots=True)
class Features:
    """A lens: named features of the inputs of one program."""

    names: tuple[str, ...]
    """Of the inputs."""
    variables: tuple[Variable, ...]

    def values(self, given: Sequence[Any]) -> tuple[Scalar, ...]:
        space = {"__builtins__": BUILTINS, **dict(zip(self.names, given, strict=False))}
        return tuple(_value(variable, space) for variable in self.variables)


@cache
def _code(text: str) -> CodeType:
    return compile(text, "<feature>", "eval")


def _value(variable: Variable, space: dict[str, Any]) -> Scalar:
    if variable.name in space:
        value = space[variable.name]
    else:
        try:
            # The text is ours, made of the names of parameters; what it is computed on are literals.
            value = eval(_code(variable.name), space)
        except Exception:
            return ABSENT  # an input of another shape
    if variable.kind is Kind.BOOL:
        return int(bool(value))
    if isinstance(value, bool):
        return int(value)
    if isinstance(value, int | Fraction):
        return value
    if isinstance(value, float):
        number = parse_number(repr(value))
        return ABSENT if number is None else number
    return ABSENT


def value_features(domain: Domain, examples: Sequence[Input]) -> Features:
    """Features for inputs like the examples, the plainer ones first."""
    columns = [[example.values[place] for example in examples] for place in range(len(domain.variables))]
    found: dict[str, Kind] = {}
    for variable, values in zip(domain.variables, columns, strict=True):
        if variable.kind in (Kind.INT, Kind.REAL, Kind.BOOL):
            found[variable.name] = variable.kind
        else:
            for text, kind in _of_values(variable.name, values):
                found.setdefault(text, kind)
    for text, kind in _between(domain.variables, columns):
        found.setdefault(text, kind)
    variables = tuple(Variable(text, kind) for text, kind in found.items() if _speakable(text))
    return Features(tuple(v.name for v in domain.variables), variables[:MOST_FEATURES])


def _speakable(text: str) -> bool:
    """Whether SMT-LIB can quote the name, and Python can read it."""
    if "|" in text or "\\" in text:
        return False
    try:
        _code(text)
    except (SyntaxError, ValueError):
        return False
    return True


Named = Iterator[tuple[str, Kind]]


def _of_values(name: str, values: Sequence[Any]) -> Named:
    types = {type(value) for value in values}
    yield f"{name} is None", Kind.BOOL
    if len(types - {type(None)}) > 1:
        for each in sorted(kind.__name__ for kind in types - {type(None)}):
            yield f"isinstance({name}, {each})", Kind.BOOL
    if types & {int, float, bool}:
        yield name, Kind.REAL if float in types else Kind.INT
    if str in types:
        yield from _of_text(name, [value for value in values if isinstance(value, str)])
    if types & {list, tuple}:
        items = [list(value) for value in values if isinstance(value, SEQUENCES)]
        yield from _of_sequence(name, items, tuple not in types)
    if types & {set, frozenset}:
        yield f"len({name})", Kind.INT
        yield f"min({name})", Kind.INT
        yield f"max({name})", Kind.INT
    if dict in types:
        yield from _of_mapping(name, [value for value in values if isinstance(value, dict)])


def _of_text(name: str, values: Sequence[str]) -> Named:
    yield f"len({name})", Kind.INT
    yield f"{name} == {name}.lower()", Kind.BOOL
    yield f"{name} == {name}.upper()", Kind.BOOL
    yield f"{name} == {name}[::-1]", Kind.BOOL
    yield f"len(set({name}))", Kind.INT
    yield f"' ' in {name}", Kind.BOOL
    yield f"{name}.isalpha()", Kind.BOOL
    yield f"{name}.isalnum()", Kind.BOOL
    yield f"{name}.isdigit()", Kind.BOOL
    yield f"{name}[:1].isupper()", Kind.BOOL
    yield f"{name}[:1] == {name}[-1:]", Kind.BOOL
    yield f"len({name}.split())", Kind.INT
    yield f"len(set({name}.split())) == len({name}.split())", Kind.BOOL
    yield f"{name} == {name}.strip()", Kind.BOOL
    letters = dict.fromkeys(
        letter for text in values for letter in text if letter.isascii() and letter != " "
    )
    for letter in list(letters)[:MOST_LETTERS]:
        yield f"{letter!r} in {name}", Kind.BOOL


def _of_sequence(name: str, values: Sequence[list[Any]], listed: bool) -> Named:
    inner = [item for value in values for item in value]
    yield f"len({name})", Kind.INT
    if all(isinstance(item, NUMBERS) for item in inner):
        kind = Kind.REAL if any(isinstance(item, float) for item in inner) else Kind.INT
        for text in (
            f"{name}[0]",
            f"{name}[-1]",
            f"min({name})",
            f"max({name})",
            f"sum({name})",
            f"{name}[1]",
        ):
            yield text, kind
        yield f"0 in {name}", Kind.BOOL
        if listed:
            yield f"{name}.count(max({name}))", Kind.INT
            yield f"{name}.index(max({name}))", Kind.INT
            yield f"sorted({name})[-2]", kind
    elif all(isinstance(item, str) for item in inner):
        yield f"len({name}[0])", Kind.INT
        yield f"len({name}[-1])", Kind.INT
        yield f"'' in {name}", Kind.BOOL
        yield f"max(map(len, {name}))", Kind.INT
        yield f"{name}[0] == {name}[-1]", Kind.BOOL
    else:
        yield f"any(isinstance(x, list) for x in {name})", Kind.BOOL
        yield f"max(map(len, {name}))", Kind.INT
        yield f"sum(map(len, {name}))", Kind.INT
        yield f"len({name}[0])", Kind.INT
        yield f"any(len(set(x)) > 1 for x in {name})", Kind.BOOL
        for outer in (0, 1, -1):
            for place in (0, 1):
                yield f"{name}[{outer}][{place}]", Kind.INT
    yield f"{name} == sorted({name})" if listed else f"list({name}) == sorted({name})", Kind.BOOL
    yield f"len(set({name}))", Kind.INT
    yield f"len(set({name})) == len({name})", Kind.BOOL
    if listed:
        yield f"max(map({name}.count, {name}))", Kind.INT


def _of_mapping(name: str, values: Sequence[dict[Any, Any]]) -> Named:
    yield f"len({name})", Kind.INT
    for function in ("max", "min", "sum"):
        yield f"{function}({name}.values())", Kind.INT
    keys = dict.fromkeys(key for value in values for key in value if isinstance(key, str | int))
    for key in list(keys)[:MOST_LETTERS]:
        yield f"{key!r} in {name}", Kind.BOOL


def _between(variables: Sequence[Variable], columns: Sequence[Sequence[Any]]) -> Named:
    """How two inputs stand to each other: one in the other, equal, of equal length."""
    for one, first in enumerate(variables):
        for other, second in enumerate(variables):
            if one == other or not columns[one]:
                continue
            mine, theirs = columns[one][0], columns[other][0]
            plain = not isinstance(mine, list | dict | set)
            if (plain and isinstance(theirs, list | tuple | dict)) or (
                isinstance(mine, str) and isinstance(theirs, str)
            ):
                yield f"{first.name} in {second.name}", Kind.BOOL
                if not isinstance(theirs, dict):
                    yield f"{second.name}.count({first.name})", Kind.INT
            if one < other and type(mine) is type(theirs) and isinstance(mine, list | tuple | str | dict):
                yield f"{first.name} == {second.name}", Kind.BOOL
                yield f"len({first.name}) == len({second.name})", Kind.BOOL
                if not isinstance(mine, dict):
                    yield f"sorted({first.name}) == sorted({second.name})", Kind.BOOL
