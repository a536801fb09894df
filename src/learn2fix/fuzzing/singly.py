"""Inputs that differ from another one in a single value, however deep it lies: a cell of a table, say.

Chance changes several values of an input at a time, and in a table with many cells seldom just the one that
two fixes treat differently. There are few enough of these to try them one after the other.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from fractions import Fraction
from itertools import zip_longest
from typing import Any

Path = tuple[int, ...]
"""Where a value lies: the place in the input, in the list there, in the row there."""

MOST_PLACES = 60
"""Number of values that are changed, evenly spread where there are more."""


def singly(values: Sequence[Any]) -> Iterator[tuple[Any, ...]]:
    """Every value gets its first other value, then every one its second, and so on."""
    places = list(_places(values))
    step = max(1, -(-len(places) // MOST_PLACES))
    chosen = places[::step]
    for row in zip_longest(*(_others(values, path) for path in chosen)):
        for path, other in zip(chosen, row, strict=True):
            if other is not None:
                yield tuple(_put(values, path, other))


def _places(value: Any, path: Path = ()) -> Iterator[Path]:
    if isinstance(value, list | tuple):
        for place, item in enumerate(value):
            yield from _places(item, (*path, place))
    elif isinstance(value, bool | int | Fraction | str):
        yield path


def _others(values: Sequence[Any], path: Path) -> list[Any]:
    """What may stand there instead: what stands in the same place of other rows, and numbers next to it."""
    value = _at(values, path)
    if isinstance(value, bool):
        return [not value]
    beside = [_at(row, path[2:]) for row in _at(values, path[:1])] if len(path) > 1 else list(values)
    same = [each for each in beside if type(each) is type(value)]
    near = [] if isinstance(value, str) else [value + 1, value - 1]
    return [each for each in dict.fromkeys((*same, *near)) if each != value]


def _at(value: Any, path: Path) -> Any:
    for place in path:
        if not isinstance(value, list | tuple) or place >= len(value):
            return None
        value = value[place]
    return value


def _put(values: Sequence[Any], path: Path, new: Any) -> list[Any] | tuple[Any, ...]:
    place, rest = path[0], path[1:]
    changed = list(values)
    changed[place] = _put(changed[place], rest, new) if rest else new
    return changed if isinstance(values, list) else tuple(changed)
