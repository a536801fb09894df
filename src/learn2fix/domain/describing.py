"""An input as people read it: its values by name, a table one row a line, what only counts left out."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from textwrap import wrap
from typing import Any

from learn2fix.domain.inputs import Domain
from learn2fix.domain.numbers import format_number
from learn2fix.errors import UsageError
from learn2fix.model import Input, Kind

WIDTH = 88
"""Columns after which a value goes on in the next line."""


def described(domain: Domain, given: Input) -> str:
    """One line or more for each value; empty where the text speaks for itself, on one line without counts."""
    values = named_values(domain, given)
    kinds = {variable.kind for variable in domain.variables}
    text = given.text.rstrip("\n")
    if domain.form is None:
        plain = len(text) <= WIDTH and "\n" not in "".join(value for _, value in values)
    else:
        # White space that is easily missed is shown in quotes.
        clear = Kind.TEXT not in kinds or " ".join(text.split()) == text
        plain = Kind.ANY not in kinds and len(text) <= WIDTH and "\n" not in text and clear
    if plain or not values:
        return ""
    return "\n".join(f"{name} ={_below(value)}" for name, value in values)


def on_one_line(domain: Domain, given: Input) -> str:
    """The same in a sentence: values by name, or the text itself."""
    return joined(described(domain, given), given)


def joined(lines: str, given: Input) -> str:
    """What `described` says, on one line; the text itself where that is clearer: it has the brackets of a
    table."""
    text = given.text.strip()
    if not lines or ("\n  " in lines and "\n" not in text and len(text) <= WIDTH):
        return text
    return lines.replace("\n  ", " ").replace("\n", ", ")


def named_values(domain: Domain, given: Input) -> tuple[tuple[str, str], ...]:
    """Each value with its name; nothing when the text is no input of this domain."""
    try:
        values = domain.parse(given.text).values
    except UsageError:
        return ()
    names = [variable.name for variable in domain.variables]
    if len(values) != len(names):
        return ()
    return tuple((name, written(value)) for name, value in zip(names, values, strict=True))


def written(value: Any) -> str:
    """A value without the syntax that only programmers know, as far as it stays unambiguous."""
    if isinstance(value, str):
        return _wrapped(value) if value.split() == [value] and value.isprintable() else _wrapped(repr(value))
    if isinstance(value, list) and len(value) > 1:
        if all(isinstance(row, str) for row in value) and len({len(row) for row in value}) == 1 < len(
            value[0]
        ):
            return "\n".join(value if all(row.isprintable() for row in value) else map(repr, value))
        if all(isinstance(row, list) and row and all(map(_is_cell, row)) for row in value):
            return _table(value)
        if all(isinstance(row, tuple | list) for row in value):
            return "\n".join(map(_literal, value))
    return "\n".join(wrap(_literal(value), WIDTH, break_long_words=False, break_on_hyphens=False))


def _is_cell(value: Any) -> bool:
    return isinstance(value, int | Fraction) and not isinstance(value, bool)


def _table(rows: Sequence[Sequence[Any]]) -> str:
    cells = [[format_number(cell) for cell in row] for row in rows]
    width = max(len(cell) for row in cells for cell in row)
    return "\n".join(" ".join(cell.rjust(width) for cell in row) for row in cells)


def _literal(value: Any) -> str:
    """As in Python, but numbers with a fraction as decimals."""
    match value:
        case list():
            return f"[{', '.join(map(_literal, value))}]"
        case tuple():
            return f"({', '.join(map(_literal, value))}{',' if len(value) == 1 else ''})"
        case Fraction():
            return format_number(value)
        case _:
            return repr(value)


def _wrapped(text: str) -> str:
    return "\n".join(text[start : start + WIDTH] for start in range(0, len(text), WIDTH)) or "''"


def _below(value: str) -> str:
    """Behind its name, or from the next line on."""
    if "\n" not in value:
        return f" {value}"
    return "".join(f"\n  {line}" for line in value.split("\n"))
