"""A source that is several files laid one after the other: which file an offset is in."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path


@dataclass(frozen=True, slots=True)
class Part:
    """One file in the text of a program."""

    path: str
    start: int
    end: int
    bare: bool = False
    """The file itself does not end its last line; the text does."""

    def content(self, text: bytes) -> bytes:
        return text[self.start : self.end - self.bare]


def part_at(parts: Sequence[Part], offset: int) -> Part | None:
    """The file that an offset is in; None for a text that is one file, or between files."""
    return next((part for part in parts if part.start <= offset <= part.end - part.bare), None)


def shown_path(source: Path, folder: Path) -> str:
    """As seen from a folder, so that `git apply` takes the diff there; else the name alone."""
    try:
        return source.resolve().relative_to(folder).as_posix()
    except ValueError:
        return source.name
