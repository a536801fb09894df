"""Several values changed as one: what holds between them in a known input may have to hold in a new one.

A sum that two lines of a table share, or a word made of the letters of two others, is lost as soon as one
value changes by itself; the part of the program behind it would then never be reached again. So is what one
value says of another: the name in an order that is one of those in stock.
"""

from __future__ import annotations

import random
from collections.abc import Iterator, Sequence
from fractions import Fraction
from typing import Any

STEPS = (1, 1, 1, 2, 3, 10)
TAKEN_OVER = 0.3
"""Chance that a part of a value is taken over from elsewhere in the input."""


def changed_together(values: Sequence[Any], rng: random.Random) -> tuple[Any, ...]:
    """Numbers moved by one step together or against each other, a text made of the others, or a part of a
    value taken over from elsewhere."""
    if any(map(_nested, values)) and rng.random() < TAKEN_OVER:
        return taken_over(values, rng)
    changed = list(values)
    groups: list[tuple[int | None, list[int]]] = [(None, _places(values, _number))]
    groups += [(place, _places(value, _number)) for place, value in enumerate(values) if _sequence(value)]
    texts = _places(values, lambda value: isinstance(value, str))
    choices = [(at, found) for at, found in groups if len(found) > 1]
    if len(texts) > 1 and (not choices or rng.random() < 0.5):
        place = rng.choice(texts)
        changed[place] = _composed([values[other] for other in texts if other != place], rng)
    elif choices:
        at, found = rng.choice(choices)
        if at is None:
            changed = _moved(changed, found, rng)
        else:
            changed[at] = type(values[at])(_moved(list(values[at]), found, rng))
    return tuple(changed)


def taken_over(values: Sequence[Any], rng: random.Random) -> tuple[Any, ...]:
    """One number or text becomes equal to another one of the input, keys of mappings among these."""
    parts = list(_parts(tuple(values)))
    targets = [(path, part) for path, part in parts if path is not None]
    rng.shuffle(targets)
    for path, part in targets:
        others = [other for _, other in parts if type(other) is type(part) and other != part]
        if others:
            new: tuple[Any, ...] = _with(tuple(values), path, rng.choice(others))
            return new
    return tuple(values)


def _nested(value: Any) -> bool:
    return isinstance(value, list | tuple | dict)


def _parts(value: Any, path: tuple[Any, ...] = ()) -> Iterator[tuple[tuple[Any, ...] | None, Any]]:
    """The numbers and texts of a value with the way to each; None for keys, which stay."""
    if isinstance(value, dict):
        for key, item in value.items():
            yield None, key
            yield from _parts(item, (*path, key))
    elif isinstance(value, list) or (isinstance(value, tuple) and not hasattr(value, "_fields")):
        for place, item in enumerate(value):
            yield from _parts(item, (*path, place))
    elif isinstance(value, str) or _number(value):
        yield path, value


def _with(value: Any, path: tuple[Any, ...], new: Any) -> Any:
    """The value with another part at the end of this way."""
    if not path:
        return new
    first, *rest = path
    if isinstance(value, dict):
        return {key: _with(item, tuple(rest), new) if key == first else item for key, item in value.items()}
    return type(value)(
        _with(item, tuple(rest), new) if place == first else item for place, item in enumerate(value)
    )


def _sequence(value: Any) -> bool:
    return isinstance(value, list) or (isinstance(value, tuple) and not hasattr(value, "_fields"))


def _number(value: Any) -> bool:
    return isinstance(value, int | Fraction) and not isinstance(value, bool)


def _places(values: Any, wanted: Any) -> list[int]:
    return [place for place, value in enumerate(values) if wanted(value)]


def _moved(items: list[Any], places: Sequence[int], rng: random.Random) -> list[Any]:
    """Some of the numbers together by one step, one of them up and another one down, or two exchanged."""
    step, way = rng.choice(STEPS) * rng.choice((-1, 1)), rng.random()
    if way < 0.2:
        one, other = rng.sample(places, 2)
        items[one], items[other] = items[other], items[one]
    elif way < 0.5:
        up, down = rng.sample(places, 2)
        items[up] += step
        items[down] -= step
    else:
        for place in rng.sample(places, rng.randint(2, min(len(places), 4))):
            items[place] += step
    return items


def _composed(others: Sequence[str], rng: random.Random) -> str:
    """Two other texts one after the other, or one of them; as it is, backwards, or with its letters mixed."""
    count = rng.randint(1, min(2, len(others)))
    letters = list("".join(rng.sample(list(others), count)))
    way = rng.randrange(4)
    if way == 0:
        letters.reverse()
    elif way > 1:
        rng.shuffle(letters)
    return "".join(letters)
