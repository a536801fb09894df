"""How much the arrays hold that a program reads into: a longer input makes no sense, unless it is the bug."""

from __future__ import annotations

import re
from collections.abc import Iterable

from learn2fix.domain import Domain
from learn2fix.domain.ranges import ANYTHING, Range
from learn2fix.languages.c.edits.parsed import Parsed
from learn2fix.languages.c.scope import Symbol
from learn2fix.languages.c.types import CHAR
from learn2fix.model import Input

NUMBER = re.compile(r"\d+")


def with_room(domain: Domain, source: bytes, known: Iterable[Input]) -> Domain:
    """Lists and texts as long as the arrays of their names hold, as far as all known inputs fit."""
    if domain.numeric:
        return domain
    parsed = Parsed(source)
    lengths = tuple([_room(parsed, variable.name) for variable in domain.variables])
    rows = [given.values for given in known]
    lengths = tuple(
        within if all(_fits(row[place], within) for row in rows) else ANYTHING
        for place, within in enumerate(lengths)
    )
    return domain.with_ranges(domain.ranges, lengths)


def _room(parsed: Parsed, name: str) -> Range:
    found = [_size(parsed, symbol) for symbol in parsed.scope.symbols if symbol.name == name]
    sizes = [size for size in found if size is not None]
    return Range(0, max(sizes)) if sizes and len(sizes) == len(found) else ANYTHING


def _size(parsed: Parsed, symbol: Symbol) -> int | None:
    """Number of elements, for a text of characters; None where it is no array of a size that is written."""
    if symbol.type.depth != 1 or len(symbol.dimensions) != 1:
        return None
    text = parsed.of(symbol.dimensions[0])
    if text in parsed.macros:
        text = parsed.of(parsed.macros[text].value).strip("() \t\r")
    if not NUMBER.fullmatch(text):
        return None
    return int(text) - (symbol.type.base == CHAR)


def _fits(value: object, within: Range) -> bool:
    return isinstance(value, str | list) and within.holds(len(value))
