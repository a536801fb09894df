"""Tables as text and as HTML, from the same cells, and sections of them."""

from __future__ import annotations

import html
import textwrap
from collections.abc import Sequence
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Table:
    """The first column is words, all others are figures."""

    title: str
    columns: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]
    note: str = ""

    def text(self) -> str:
        cells = [self.columns, *self.rows]
        widths = [max(len(row[i]) for row in cells) for i in range(len(self.columns))]
        lines = [
            "  ".join(
                cell.ljust(width) if i == 0 else cell.rjust(width)
                for i, (cell, width) in enumerate(zip(row, widths, strict=True))
            ).rstrip()
            for row in cells
        ]
        rule = "-" * max(map(len, lines))
        note = textwrap.wrap(self.note, 110)
        return "\n".join([self.title, rule, lines[0], rule, *lines[1:], *note]) + "\n"

    def markdown(self) -> str:
        """The table alone: where it stands says what it is about."""
        rows = [self.columns, ("---",) * len(self.columns), *self.rows]
        return "".join(f"| {' | '.join(cell.replace('|', '&#124;') for cell in row)} |\n" for row in rows)

    def html(self) -> str:
        head = "".join(f"<th scope=col>{html.escape(cell)}</th>" for cell in self.columns)
        body = "\n".join(
            "<tr>"
            + "".join(
                f"<th scope=row>{html.escape(cell)}</th>" if i == 0 else f"<td>{html.escape(cell)}</td>"
                for i, cell in enumerate(row)
            )
            + "</tr>"
            for row in self.rows
        )
        note = f"<p class=note>{html.escape(self.note)}</p>" if self.note else ""
        return (
            f"<table><caption>{html.escape(self.title)}</caption>"
            f"<thead><tr>{head}</tr></thead><tbody>{body}</tbody></table>{note}"
        )


@dataclass(frozen=True, slots=True)
class Section:
    """A question with its tables and plots."""

    title: str
    tables: tuple[Table, ...]
    plots: tuple[tuple[str, str], ...] = ()
    """Captions and SVGs."""


def figure(value: float | None, digits: int = 3) -> str:
    return "–" if value is None else f"{value:.{digits}f}"


def percent(value: float | None) -> str:
    return "–" if value is None else f"{100 * value:.1f} %"


def p_value(value: float) -> str:
    """As the paper states them, which knows 0.0001 as its smallest."""
    return next((f"< {limit}" for limit in ("0.0001", "0.001") if value < float(limit)), f"{value:.3f}")


def table(title: str, columns: Sequence[str], rows: Sequence[Sequence[str]], note: str = "") -> Table:
    return Table(title, tuple(columns), tuple(tuple(row) for row in rows), note)
