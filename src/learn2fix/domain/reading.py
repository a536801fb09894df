"""How a program read its input: a record for each thing it read, in the order of reading."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum


class ReadKind(StrEnum):
    """What a program asked for."""

    INTEGER = "integer"
    REAL = "real"
    WORD = "word"
    """Characters up to the next white space."""
    CHARACTER = "character"
    LINE = "line"
    """Everything up to the end of the line, which is taken too."""
    BYTES = "bytes"
    """As many as there are, up to a maximum."""


@dataclass(frozen=True, slots=True)
class Read:
    """One thing that a program tried to read."""

    place: str
    """Where in the program: equal just when it is the same conversion of the same call, reached by the same
    calls of functions."""
    kind: ReadKind
    start: int
    """Offset in the text of the first character taken, white space that was skipped before it left out."""
    end: int
    """Offset after the last character; of a line, before the line's end."""
    name: str = ""
    """The variable that it is stored in, as far as that is known."""
    found: bool = True
    """False where the input had ended, or something else stood there."""
    width: int | None = None
    """Maximum number of characters, where the program limits it (`%2d`, `%5s`)."""
    skips: bool = True
    """Whether white space before it is skipped."""
    until: str = ""
    """The character before which it ends, where that is not white space (`%[^,]`)."""
    file: str = ""
    """The file that was read, by the name under which it was opened; empty for standard input."""


@dataclass(frozen=True, slots=True)
class Trace:
    """What a program read of one input."""

    text: str
    reads: tuple[Read, ...]
    ended: bool = True
    """Whether the program ended by itself, not by a crash or the time limit."""
    hung: bool = False
    """Whether the time limit ended it."""
    cut: bool = False
    """Whether it read more than is recorded."""
    opened: tuple[str, ...] = ()
    """Files that it opened, or tried to open, for reading."""
    environment: tuple[str, ...] = ()
    """Environment variables that it asked for."""
    arguments: bool = False
    """Whether it looks at the arguments of its command line."""
