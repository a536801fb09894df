"""Writes docs/edits.md from the catalogues of edit operators and their priors."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any

from learn2fix.edits.catalogue import Catalogue
from learn2fix.edits.priors import priors
from learn2fix.languages.c.edits.generator import CATALOGUE as C
from learn2fix.languages.python.edits.generator import CATALOGUE as PYTHON

CATALOGUES: tuple[tuple[str, Catalogue[Any]], ...] = (("C", C), ("Python", PYTHON))
PAGE = Path(__file__).parent.parent / "docs" / "edits.md"
HEAD = """# Edit operators

Made by `make docs` from the catalogues; do not edit it by hand.

A candidate patch is what one of these operators proposes for a place of the program. Each operator mends one
kind of slip. Its cost says how likely that slip is: the negative logarithm of a likelihood, so the smaller is
tried earlier. Traits of a change that make it less likely than the operator's others add to it, and so do the
size of the change and the innocence of its lines. All the numbers stand in `src/learn2fix/edits/priors.toml`.

An operator is a function in `src/learn2fix/languages/<language>/edits`, entered into the catalogue by its
decorator. Its example is its test.
"""


def page() -> str:
    parts = [HEAD]
    for title, catalogue in CATALOGUES:
        costs = priors(catalogue.language)
        operators = sorted(catalogue, key=lambda operator: costs.of(operator.name))
        rows: Iterable[tuple[str, ...]] = (
            (each.name, each.why, _code(each.before), _code(each.after), f"{costs.of(each.name):g}")
            for each in operators
        )
        parts.append(f"\n## {title}\n\n{len(catalogue)} operators.\n\n")
        parts += _table(("operator", "what it mends", "before", "after", "cost"), rows)
        if costs.traits:
            ordered = sorted(costs.traits.items(), key=lambda trait: trait[1])
            parts.append("\nTraits of a change, and what each adds:\n\n")
            parts += _table(("trait", "cost"), ((name, f"{cost:g}") for name, cost in ordered))
    return "".join(parts)


def _code(text: str) -> str:
    lines = [line for line in text.split("\n") if line.strip()]
    return "<br>".join(f"`{line}`" for line in lines)


def _table(head: tuple[str, ...], rows: Iterable[tuple[str, ...]]) -> Iterator[str]:
    yield f"| {' | '.join(head)} |\n|{'---|' * len(head)}\n"
    for row in rows:
        yield f"| {' | '.join(cell.replace('|', chr(92) + '|') for cell in row)} |\n"


if __name__ == "__main__":
    PAGE.write_text(page(), "utf-8")
