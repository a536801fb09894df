"""What fuzzing does to one value. Numbers as in the paper; text and collections by the same spirit.

An operator never changes the type of a value: what is an integer stays an integer, so that what is learned
on is what was run.
"""

from __future__ import annotations

import random
from collections.abc import Sequence
from copy import deepcopy
from dataclasses import replace
from enum import StrEnum
from fractions import Fraction
from typing import Any

from learn2fix.domain.shapes import ANYTHING, Form, Shape, is_record, seen
from learn2fix.domain.trees import Tree
from learn2fix.fuzzing.letters import class_of
from learn2fix.fuzzing.strategies import examples
from learn2fix.fuzzing.trees import changed


class Operator(StrEnum):
    """The ways to change one position of an input."""

    INCREMENT = "+1"
    DECREMENT = "-1"
    ADD_TEN = "+10"
    SUBTRACT_TEN = "-10"
    TIMES_TEN = "*10"
    BY_TEN = "/10"
    MAGNITUDE = "random of its magnitude"
    SMALL = "small random"
    INTERESTING = "interesting"
    COPY = "copy of another position"


PAPER: tuple[Operator, ...] = (
    Operator.INCREMENT,
    Operator.DECREMENT,
    Operator.ADD_TEN,
    Operator.SUBTRACT_TEN,
    Operator.TIMES_TEN,
    Operator.BY_TEN,
    Operator.MAGNITUDE,
    Operator.SMALL,
)
INTERESTING, COPY = Operator.INTERESTING, Operator.COPY
EXTENDED: tuple[Operator, ...] = (*PAPER, INTERESTING, COPY)

SMALL_LIMIT = 10
NONE = 0.1
"""Chance that an optional value becomes None."""
# Values at which programs often decide, the limits of 8, 16, 32 and 64 bits among them.
INTERESTING_VALUES: tuple[int, ...] = (
    0, 1, -1, 2, 3, 4, 5, 7, 8, 9, 10, 12, 16, 32, 64, 99, 100, 101, 127, 128, 255, 256, 365, 366, 400, 500,
    512, 999, 1000, 1001, 1024, 4096, 9999, 10000, 32767, 32768, 65535, 65536, 100000, 1000000, 10**9,
    2**31 - 1, 2**31, -(2**31), 2**32 - 1, 2**32, 10**18, 2**63 - 1, -(2**63),
)  # fmt: skip
NEAR = 0.4
"""Chance that a new item of a list is equal to another item, or next to it."""
COLUMNS = 0.2
"""Chance that a table changes by a column."""
ROUND = 0.7
"""Chance that another round number is interesting where there is one."""
LETTERS = "abcdefghijklmnopqrstuvwxyzABCXYZ0123456789 _-.,"


def mutate(
    value: Any, operator: Operator, others: Sequence[Any], rng: random.Random, shape: Shape = ANYTHING
) -> Any:
    """One operator applied to one value; `others` are the values at the other positions of the input."""
    if shape.optional and (value is None or rng.random() < NONE):
        return fresh(replace(shape, optional=False), rng) if value is None else None
    if operator is Operator.COPY:
        return _copied(value, others, rng)
    if not shape.inner and (tree := Tree.of(value)) is not None:
        return changed(tree, value, rng, lambda part: mutate(part, operator, (), rng))
    match value:
        case bool():
            return not value
        case int():
            return int(_number(value, operator, rng))
        case Fraction():
            return Fraction(_number(value, operator, rng))
        case float():
            return float(_number(Fraction(value), operator, rng)) if value - value == 0 else 0.0
        case str():
            return _text(value, operator, rng)
        case bytes():
            return _text(value.decode("latin-1"), operator, rng).encode("latin-1", "replace")
        case list():
            return _list(value, rng, _item(shape))
        case tuple() if not shape.varying:
            return _record(value, others, rng, shape)
        case tuple():
            return tuple(_list(list(value), rng, _item(shape)))
        case set() | frozenset():
            return type(value)(_list(sorted(value, key=repr), rng, _item(shape)))
        case dict():
            return _mapping(value, operator, rng, shape)
        case _:
            return value


def _number(value: int | Fraction, operator: Operator, rng: random.Random) -> int | Fraction:
    match operator:
        case Operator.INCREMENT:
            return value + 1
        case Operator.DECREMENT:
            return value - 1
        case Operator.ADD_TEN:
            return value + 10
        case Operator.SUBTRACT_TEN:
            return value - 10
        case Operator.TIMES_TEN:
            return value * 10
        case Operator.BY_TEN:
            # Towards zero, as a digit is dropped; exact for rationals.
            if isinstance(value, int):
                return abs(value) // 10 * (1 if value >= 0 else -1)
            return value / 10
        case Operator.MAGNITUDE:
            return random_of_magnitude(value, rng)
        case Operator.INTERESTING:
            unit = round_unit(value)
            if unit and rng.random() < ROUND:
                # 1900 may fail because it is a century: other centuries tell.
                return value + unit * rng.choice((-10, -5, -3, -2, -1, 1, 2, 3, 5, 10))
            return rng.choice(INTERESTING_VALUES)
        case _:
            if isinstance(value, int):
                return rng.randint(-SMALL_LIMIT, SMALL_LIMIT)
            places = decimals(value)
            return Fraction(rng.randint(-SMALL_LIMIT * 10**places, SMALL_LIMIT * 10**places), 10**places)


def round_unit(value: int | Fraction) -> int:
    """The largest power of ten, from a hundred on, that the value is a multiple of; 0 where there is none."""
    if value == 0 or value % 100:
        return 0
    unit = 100
    while value % (10 * unit) == 0:
        unit *= 10
    return unit


def decimals(value: Fraction, most: int = 6) -> int:
    """Number of decimals that the value is written with, at most `most`."""
    places = 0
    while places < most and (value * 10**places).denominator != 1:
        places += 1
    return places


def random_of_magnitude(value: int | Fraction, rng: random.Random) -> int | Fraction:
    """A random number with at most as many digits, before and after the point, as the value; any sign."""
    if isinstance(value, int):
        limit = 10 ** len(str(abs(value))) - 1
        return rng.randint(-limit, limit)
    scale = 10 ** decimals(value)
    limit = 10 ** len(str(abs(int(value)))) * scale - 1
    return Fraction(rng.randint(-limit, limit), scale)


def _copied(value: Any, others: Sequence[Any], rng: random.Random) -> Any:
    alike = [other for other in others if type(other) is type(value) and seen([other]) == seen([value])]
    if alike:
        return rng.choice(alike)
    if isinstance(value, list) and len(value) > 1:
        copy = list(value)
        copy[rng.randrange(len(copy))] = rng.choice(value)
        return copy
    return value


WAYS = {
    "change": 8, "insert": 3, "remove": 4, "swap": 2, "copy": 2, "duplicate": 2, "reverse": 1, "sort": 1,
    "shuffle": 1, "part": 1, "repeat": 1,
}  # fmt: skip
"""What is done to a list or text, each as often as its number says."""
KEEPING_LENGTH = {way: WAYS[way] for way in ("change", "swap", "copy", "reverse", "sort", "shuffle")}


def mutate_within(value: Any, rng: random.Random, shape: Shape = ANYTHING) -> Any:
    """A list of the same length."""
    return _list(value, rng, _item(shape), KEEPING_LENGTH)


def _rearranged(value: Any, way: str, rng: random.Random) -> Any:
    """A list or text of the same items."""
    place, other = rng.randrange(len(value)), rng.randrange(len(value))
    match way:
        case "remove":
            return value[:place] + value[place + 1 :]
        case "swap":
            low, high = min(place, other), max(place, other)
            if low == high:
                return value
            middle = value[low + 1 : high]
            return value[:low] + value[high : high + 1] + middle + value[low : low + 1] + value[high + 1 :]
        case "copy":
            return value[:place] + value[other : other + 1] + value[place + 1 :]
        case "duplicate":
            return value[: place + 1] + value[place:]
        case "reverse":
            return value[::-1]
        case "part":
            return value[:place] if rng.random() < 0.6 else value[place:]
        case "repeat":
            return value + value if len(value) < 50 else value
        case _:
            items = list(value)
            if way == "shuffle":
                rng.shuffle(items)
            else:
                items.sort(key=_order, reverse=rng.random() < 0.3)
            return "".join(items) if isinstance(value, str) else items


def _order(value: Any) -> tuple[str, Any]:
    """Sorts values of any types."""
    if isinstance(value, int | Fraction) or (isinstance(value, float) and value == value):
        return "", value
    return (type(value).__name__, value if isinstance(value, str) else repr(value))


def _way(rng: random.Random, ways: dict[str, int]) -> str:
    return rng.choices(list(ways), list(ways.values()))[0]


def _text(value: str, operator: Operator, rng: random.Random, ways: dict[str, int] = WAYS) -> str:
    if operator is Operator.INTERESTING and ways is WAYS:
        return rng.choice(["", value.upper(), value.lower(), value[::-1], value.strip(), " " + value])
    if not value:
        return rng.choice(LETTERS) if ways is WAYS else value
    way = _way(rng, ways)
    place = rng.randrange(len(value))
    if way == "insert":
        return value[:place] + _letter(value, rng) + value[place:]
    if way == "change":
        return value[:place] + _letter(value, rng) + value[place + 1 :]
    return str(_rearranged(value, way, rng))


def _letter(value: str, rng: random.Random) -> str:
    """Letters that occur already are the likeliest to matter, then others of their classes."""
    known = rng.choice(value)
    draw = rng.random()
    return known if draw < 0.5 else rng.choice(class_of(known) if draw < 0.9 else LETTERS)


def _item(shape: Shape) -> Shape:
    return shape.inner[0] if shape.inner else ANYTHING


def fresh(shape: Shape, rng: random.Random) -> Any:
    """A small new value."""
    return deepcopy(rng.choice(examples(shape)))


def _record(
    value: tuple[Any, ...], others: Sequence[Any], rng: random.Random, shape: Shape
) -> tuple[Any, ...]:
    """A tuple whose places have their own meaning: one of them changes; other rows have values for it."""
    if not value:
        return value
    inners = [shape.inner[p] if p < len(shape.inner) else ANYTHING for p in range(len(value))]
    # Where nothing but None was seen, nobody knows what else may stand there.
    places = [p for p, part in enumerate(value) if part is not None or inners[p].form is not Form.ANY]
    if not places:
        return value
    place = rng.choice(places)
    inner = inners[place]
    rows = [row for row in others if isinstance(row, tuple) and len(row) == len(value)]
    new = _element(value[place], [row[place] for row in rows], rng, inner)
    return (*value[:place], new, *value[place + 1 :])


def _element(value: Any, others: Sequence[Any], rng: random.Random, shape: Shape) -> Any:
    """An item of a list that has these other items: near one of them, or changed by itself."""
    alike = [other for other in others if type(other) is type(value)]
    if not alike or isinstance(value, bool | tuple) or rng.random() >= NEAR:
        return mutate(value, rng.choice(PAPER), others, rng, shape)
    if not isinstance(value, int | float | Fraction):
        return rng.choice(alike)
    near = rng.choice((rng.choice(alike), max(alike), min(alike)))
    return near + rng.choice((-1, 0, 0, 1))


def _list(value: list[Any], rng: random.Random, item: Shape, ways: dict[str, int] = WAYS) -> list[Any]:
    if not value:
        return [fresh(item, rng)] if ways is WAYS else value
    # Rows of one length are a table: it stays one.
    first = value[0]
    rows = isinstance(first, list | str) and all(type(row) is type(first) for row in value)
    table = rows and len(value) > 1 and all(len(row) == len(first) > 0 for row in value)
    if table and ways is WAYS and rng.random() < COLUMNS:
        return _columns(value, rng)
    way = _way(rng, ways)
    if way not in ("change", "insert"):
        return list(_rearranged(value, way, rng))
    place = rng.randrange(len(value))
    if table and isinstance(first, str):
        new: Any = _text(value[place], Operator.MAGNITUDE, rng, KEEPING_LENGTH)
    elif table:
        new = _list(value[place], rng, _item(item), KEEPING_LENGTH)
    else:
        new = _element(value[place], value[:place] + value[place + 1 :], rng, item)
    if way == "insert":
        place = rng.randint(0, len(value))
        return [*value[:place], new, *value[place:]]
    return [*value[:place], new, *value[place + 1 :]]


def _columns(rows: list[Any], rng: random.Random) -> list[Any]:
    """One column less, or twice."""
    place = rng.randrange(len(rows[0]))
    if len(rows[0]) > 1 and rng.random() < 0.5:
        return [row[:place] + row[place + 1 :] for row in rows]
    return [row[: place + 1] + row[place:] for row in rows]


def _mapping(value: dict[Any, Any], operator: Operator, rng: random.Random, shape: Shape) -> dict[Any, Any]:
    copy = dict(value)
    if not copy:
        return fresh(replace(shape, form=Form.DICT, optional=False), rng) if shape.inner else copy
    key = rng.choice(list(copy))
    keys, values = shape.inner if len(shape.inner) == 2 else (ANYTHING, ANYTHING)
    fields = is_record(copy) or set(copy) <= {name for name, _ in shape.fields}
    if not fields and operator in (Operator.DECREMENT, Operator.BY_TEN):
        del copy[key]
    elif not fields and operator in (Operator.INCREMENT, Operator.TIMES_TEN):
        copy[mutate(key, rng.choice(PAPER), list(copy), rng, keys)] = copy[key]
    else:
        # What is known of values in general says nothing about one field.
        inner = dict(shape.fields).get(key, ANYTHING) if fields else values
        copy[key] = mutate(copy[key], rng.choice(PAPER), list(copy.values()), rng, inner)
    return copy
