"""What learners see of lists, texts and dicts: features whose names are the Python that computes them.

A condition learned over them reads as Python: `len(xs) % 2 == 0 and xs[0] > xs[-1]`. Where a feature does
not apply (the first of an empty list) it is ABSENT, and no comparison with a number holds.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cache
from itertools import chain, pairwise, zip_longest
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
        zip,
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
    """Features for inputs like the examples: numbers, then of every other input the plainer ones first."""
    columns = [[example.values[place] for example in examples] for place in range(len(domain.variables))]
    plain: list[tuple[str, Kind]] = []
    streams = []
    for variable, values in zip(domain.variables, columns, strict=True):
        if variable.kind in (Kind.INT, Kind.REAL, Kind.BOOL):
            plain.append((variable.name, variable.kind))
        else:
            streams.append(_of_values(variable.name, values, optional=domain.form is None))
    streams.append(_between(domain.variables, columns))
    # In turns, so that the last input gets its share of the most there may be.
    found: dict[str, Kind] = {}
    for text, kind in [*plain, *filter(None, chain.from_iterable(zip_longest(*streams)))]:
        found.setdefault(text, kind)
    variables = [Variable(text, kind) for text, kind in found.items() if _speakable(text)]
    return Features(tuple(v.name for v in domain.variables), tuple(variables[:MOST_FEATURES]))


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


def _of_values(name: str, values: Sequence[Any], optional: bool) -> Named:
    types = {type(value) for value in values}
    if optional:
        yield f"{name} is None", Kind.BOOL
    if len(types - {type(None)}) > 1:
        for each in sorted(kind.__name__ for kind in types - {type(None)}):
            yield f"isinstance({name}, {each})", Kind.BOOL
    if types & {int, float, bool, Fraction}:
        yield name, Kind.REAL if types & {float, Fraction} else Kind.INT
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
    seen = dict.fromkeys(letter for text in values for letter in text)
    letters = [letter for letter in seen if letter.isascii() and letter != " "][:MOST_LETTERS]
    yield f"len({name})", Kind.INT
    yield f"{name}[0] == {name}[-1]", Kind.BOOL
    yield f"{name} == {name}[::-1]", Kind.BOOL
    yield f"len(set({name}))", Kind.INT
    if any(map(str.isalpha, seen)) or not seen:
        yield f"{name} == {name}.lower()", Kind.BOOL
        yield f"{name} == {name}.upper()", Kind.BOOL
        yield f"{name}[:1].isupper()", Kind.BOOL
    yield _equal_neighbours(name), Kind.BOOL
    for letter in letters:
        yield f"{name}.count({letter!r})", Kind.INT
    for letter in letters:
        yield f"{letter!r} in {name}", Kind.BOOL
    if " " in seen:
        yield f"len({name}.split())", Kind.INT
        yield f"len(set({name}.split())) == len({name}.split())", Kind.BOOL
        yield f"{name} == {name}.strip()", Kind.BOOL
    yield f"' ' in {name}", Kind.BOOL
    yield f"{name}.isalpha()", Kind.BOOL
    yield f"{name}.isalnum()", Kind.BOOL
    yield f"{name}.isdigit()", Kind.BOOL


def _equal_neighbours(name: str) -> str:
    return f"any(x == y for x, y in zip({name}, {name}[1:]))"


def _of_sequence(name: str, values: Sequence[list[Any]], listed: bool) -> Named:
    inner = [item for value in values for item in value]
    yield f"len({name})", Kind.INT
    if _all_numbers(inner):
        yield from _of_numbers(name, inner, listed)
    elif all(isinstance(item, str) for item in inner):
        yield from _of_texts(name, inner)
    elif all(isinstance(item, tuple) and len(item) == len(inner[0]) for item in inner):
        yield from _of_records(name, inner)
    else:
        yield from _of_rows(name, inner)
    yield f"{name} == sorted({name})" if listed else f"list({name}) == sorted({name})", Kind.BOOL
    if all(map(_hashable, inner)):
        yield f"len(set({name}))", Kind.INT
        yield f"len(set({name})) == len({name})", Kind.BOOL
    if listed:
        yield f"max(map({name}.count, {name}))", Kind.INT


def _of_numbers(name: str, items: Sequence[Any], listed: bool) -> Named:
    kind = _kind(items)
    for text in ("{0}[0]", "{0}[-1]", "min({0})", "max({0})", "sum({0})", "{0}[1]"):
        yield text.format(name), kind
    yield f"0 in {name}", Kind.BOOL
    if listed:
        yield f"{name}.count(max({name}))", Kind.INT
        yield f"{name}.index(max({name}))", Kind.INT
    yield _equal_neighbours(name), Kind.BOOL
    yield f"{name}[0] == max({name})", Kind.BOOL
    yield f"{name}[-1] == max({name})", Kind.BOOL
    yield f"{name}[0] == min({name})", Kind.BOOL
    yield f"sorted({name})[-2]", kind


def _of_texts(name: str, items: Sequence[str]) -> Named:
    yield f"len({name}[0])", Kind.INT
    yield f"len({name}[-1])", Kind.INT
    yield f"max(map(len, {name}))", Kind.INT
    yield f"{name}[0] == {name}[-1]", Kind.BOOL
    yield f"'' in {name}", Kind.BOOL
    letters = dict.fromkeys(letter for text in items for letter in text if letter.isascii())
    for letter in list(letters)[:MOST_LETTERS]:
        yield f"sum(x.count({letter!r}) for x in {name})", Kind.INT
    for letter in list(letters)[:MOST_LETTERS]:
        yield f"max(x.count({letter!r}) for x in {name})", Kind.INT


def _of_records(name: str, rows: Sequence[tuple[Any, ...]]) -> Named:
    columns = list(zip(*rows, strict=True))
    numeric = [place for place, column in enumerate(columns) if _all_numbers(column)]
    for row in (0, -1):
        for place in numeric:
            yield f"{name}[{row}][{place}]", _kind(columns[place])
    for place in numeric:
        for function in ("max", "min", "sum"):
            yield f"{function}(x[{place}] for x in {name})", _kind(columns[place])
    for one, other in pairwise(numeric):
        yield f"any(x[{one}] == x[{other}] for x in {name})", Kind.BOOL
        yield f"any(x[{one}] > x[{other}] for x in {name})", Kind.BOOL
    for place in range(len(columns)):
        yield f"len(set(x[{place}] for x in {name}))", Kind.INT


def _of_rows(name: str, rows: Sequence[Any]) -> Named:
    yield f"len({name}[0])", Kind.INT
    if all(isinstance(row, SEQUENCES) and _all_numbers(row) for row in rows):
        yield f"len({name}) == len({name}[0])", Kind.BOOL
        yield f"sum(map(sum, {name}))", Kind.INT
        yield f"max(map(max, {name}))", Kind.INT
        yield f"min(map(min, {name}))", Kind.INT
    else:
        yield f"any(isinstance(x, list) for x in {name})", Kind.BOOL
    yield f"max(map(len, {name}))", Kind.INT
    yield f"sum(map(len, {name}))", Kind.INT
    yield f"any(len(set(x)) > 1 for x in {name})", Kind.BOOL
    for outer in (0, 1, -1):
        for place in (0, 1):
            yield f"{name}[{outer}][{place}]", Kind.INT


def _all_numbers(items: Sequence[Any]) -> bool:
    return all(isinstance(item, NUMBERS) for item in items)


def _kind(items: Sequence[Any]) -> Kind:
    return Kind.REAL if any(isinstance(item, float | Fraction) for item in items) else Kind.INT


def _hashable(value: Any) -> bool:
    try:
        hash(value)
    except TypeError:
        return False
    return True


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
                if type(mine) is int and isinstance(theirs, list | tuple) and _all_numbers(theirs):
                    yield f"{second.name}[{first.name} - 1]", _kind(theirs)
                    yield f"{second.name}[{first.name}]", _kind(theirs)
                    yield f"sum(x > {first.name} for x in {second.name})", Kind.INT
                    yield f"sum({second.name}) > {first.name}", Kind.BOOL
            if one < other and type(mine) is type(theirs) and isinstance(mine, list | tuple | str | dict):
                yield f"{first.name} == {second.name}", Kind.BOOL
                yield f"len({first.name}) == len({second.name})", Kind.BOOL
                if not isinstance(mine, dict):
                    yield f"sorted({first.name}) == sorted({second.name})", Kind.BOOL
