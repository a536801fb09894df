"""What variables held in one run, as a watched version of a program tells it on standard error."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

MARK = "\x01"
"""Begins a line that is ours; the program's own lines do not begin so."""
SEPARATOR = "\x02"
LONGEST = 200
"""Number of characters of a value that are kept."""

Held = Mapping[tuple[str, str], str]
"""Function (empty for a variable of the whole program) and variable → what it held at last."""


def told(stderr: bytes) -> dict[tuple[str, str], str]:
    """The lines of a watched run: function, variable, value. What was told last counts."""
    found: dict[tuple[str, str], str] = {}
    for line in stderr.decode("utf-8", "replace").split("\n"):
        fields = line.removeprefix(MARK).split(SEPARATOR)
        if line.startswith(MARK) and len(fields) == 3:
            function, name, value = fields
            found[function, name] = value[:LONGEST]
    return found


def by_name(held: Iterable[Held]) -> list[dict[str, str]]:
    """The same by the variable's name alone, or `name in function` where two functions have one of that name.

    Names are the same for all of them.
    """
    runs = list(held)
    functions: dict[str, set[str]] = {}
    for run in runs:
        for function, name in run:
            functions.setdefault(name, set()).add(function)

    def spoken(function: str, name: str) -> str:
        return name if len(functions[name]) == 1 or not function else f"{name} in {function}"

    return [{spoken(*key): value for key, value in run.items()} for run in runs]
