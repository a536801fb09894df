"""What fuzzing does to one value. Numbers as in the paper; text and collections by the same spirit.

An operator never changes the type of a value: what is an integer stays an integer, so that what is learned
on is what was run.
"""

from __future__ import annotations

import random
from collections.abc import Sequence
from dataclasses import replace
from enum import StrEnum
from fractions import Fraction
from typing import Any

from learn2fix.domain.shapes import ANYTHING, Form, Shape, is_record


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
LETTERS = "abcdefghijklmnopqrstuvwxyzABCXYZ0123456789 _-.,"


def mutate(
    value: Any, operator: Operator, others: Sequence[Any], rng: random.Random, shape: Shape = ANYTHING
) -> Any:
    """One operator applied to one value; `others` are the values at the other positions of the input."""
    if shape.optional and (value is None or rng.random() < NONE):
        return fresh(replace(shape, optional=False), rng) if value is None else None
    if operator is Operator.COPY:
        return _copied(value, others, rng)
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
            return _collection(value, operator, rng, _item(shape))
        case tuple() if not shape.varying:
            return _record(value, rng, shape)
        case tuple():
            return tuple(_collection(list(value), operator, rng, _item(shape)))
        case set() | frozenset():
            return type(value)(_collection(sorted(value, key=repr), operator, rng, _item(shape)))
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
            return rng.choice(INTERESTING_VALUES)
        case _:
            if isinstance(value, int):
                return rng.randint(-SMALL_LIMIT, SMALL_LIMIT)
            places = decimals(value)
            return Fraction(rng.randint(-SMALL_LIMIT * 10**places, SMALL_LIMIT * 10**places), 10**places)


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
    alike = [other for other in others if type(other) is type(value)]
    if alike:
        return rng.choice(alike)
    if isinstance(value, list) and len(value) > 1:
        copy = list(value)
        copy[rng.randrange(len(copy))] = rng.choice(value)
        return copy
    return value


def _text(value: str, operator: Operator, rng: random.Random) -> str:
    place = rng.randrange(len(value)) if value else 0
    # Letters that occur already are the likeliest to matter.
    letter = rng.choice(value) if value and rng.random() < 0.5 else rng.choice(LETTERS)
    match operator:
        case Operator.INCREMENT | Operator.ADD_TEN:
            return value[:place] + letter + value[place:]
        case Operator.DECREMENT | Operator.SUBTRACT_TEN:
            return value[:place] + value[place + 1 :]
        case Operator.TIMES_TEN:
            return value + value if len(value) < 100 else value
        case Operator.BY_TEN:
            return value[: len(value) // 2]
        case Operator.SMALL:
            return "".join(rng.choice(value or LETTERS) for _ in range(rng.randint(0, 4)))
        case Operator.INTERESTING:
            return rng.choice(["", value.upper(), value.lower(), value[::-1], value.strip(), " " + value])
        case _:
            return value[:place] + letter + value[place + 1 :]


def _item(shape: Shape) -> Shape:
    return shape.inner[0] if shape.inner else ANYTHING


def fresh(shape: Shape, rng: random.Random) -> Any:
    """A small new value; a number where nothing is known, as it is what most programs work on."""
    if shape.optional and rng.random() < 0.3:
        return None
    match shape.form:
        case Form.BOOL:
            return rng.random() < 0.5
        case Form.FLOAT:
            return rng.randint(0, 10 * SMALL_LIMIT) / 10
        case Form.TEXT:
            return "".join(rng.choice(LETTERS[:26]) for _ in range(rng.randint(1, 3)))
        case Form.LIST:
            return [fresh(_item(shape), rng) for _ in range(rng.randint(0, 3))]
        case Form.SET:
            return {_hashable(fresh(_item(shape), rng)) for _ in range(rng.randint(1, 3))}
        case Form.TUPLE if shape.varying:
            return tuple(fresh(_item(shape), rng) for _ in range(rng.randint(0, 3)))
        case Form.TUPLE:
            return tuple(fresh(each, rng) for each in shape.inner)
        case Form.DICT if shape.fields:
            return {name: fresh(field, rng) for name, field in shape.fields}
        case Form.DICT:
            key, value = shape.inner if len(shape.inner) == 2 else (Shape(Form.TEXT), ANYTHING)
            return {_hashable(fresh(key, rng)): fresh(value, rng) for _ in range(rng.randint(0, 2))}
        case _:
            return rng.randint(0, SMALL_LIMIT)


def _hashable(value: Any) -> Any:
    try:
        hash(value)
    except TypeError:
        return repr(value)
    return value


def _record(value: tuple[Any, ...], rng: random.Random, shape: Shape) -> tuple[Any, ...]:
    """A tuple whose places have their own meaning: one of them changes."""
    if not value:
        return value
    place = rng.randrange(len(value))
    inner = shape.inner[place] if place < len(shape.inner) else ANYTHING
    new = mutate(value[place], rng.choice(PAPER), value, rng, inner)
    return (*value[:place], new, *value[place + 1 :])


def _collection(value: list[Any], operator: Operator, rng: random.Random, item: Shape) -> list[Any]:
    copy = list(value)
    if not copy:
        return [fresh(item, rng)] if operator is not Operator.DECREMENT else copy
    place = rng.randrange(len(copy))
    # Rows of one length are a table: it stays one.
    table = len(copy) > 1 and all(isinstance(row, list) and len(row) == len(copy[0]) > 0 for row in copy)
    inner = (Operator.MAGNITUDE,) if table else PAPER
    match operator:
        case Operator.INCREMENT | Operator.ADD_TEN:
            new = mutate(rng.choice(copy), rng.choice(inner), copy, rng, item)
            copy.insert(place, new)
        case Operator.DECREMENT | Operator.SUBTRACT_TEN:
            del copy[place]
        case Operator.TIMES_TEN:
            copy = copy + copy if len(copy) < 50 else copy
        case Operator.BY_TEN:
            copy = copy[: len(copy) // 2]
        case Operator.SMALL:
            rng.shuffle(copy)
        case Operator.INTERESTING:
            copy = rng.choice([[], copy[::-1], copy[:1], copy + copy[-1:]])
        case _:
            copy[place] = mutate(copy[place], rng.choice(inner), copy, rng, item)
    return copy


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
