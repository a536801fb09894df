"""The places of a C file where candidates can differ: expressions, conditions and statements.

An expression site is an outermost expression without side effects whose context fixes its type, so that
all its alternatives can be evaluated on the spot and grouped by value. A choice is a condition or an initial
value with side effects; a slot is a statement of a block: there an alternative is simply taken. What fits
nowhere else can be an alternative of the whole function that it is in.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from dataclasses import dataclass, field
from functools import cached_property

from learn2fix.languages.c.judging.symbols import Symbols
from learn2fix.languages.c.layout import visible_until

UNCOPIED = re.compile(rb"^[ \t]*#|\b__(?:func|FUNCTION|LINE)__\b", re.M)
"""What means something else in a copy of a function."""


@dataclass(frozen=True, slots=True)
class Site:
    """An expression whose alternatives are evaluated and compared."""

    start: int
    end: int
    type: str
    how: str
    """cond (truth), value, text (strings, compared by content), assign (operator and right side), update
    (the whole of an assignment), global (the initial value of a variable of the file)."""
    direct: bool
    """Values are compared with `!=`; otherwise byte by byte."""
    target: bytes = b""
    """What is assigned to (assign, update)."""
    tight: bool = False
    """Operators stand around it: what is put here must not bind more loosely than they do."""
    variadic: str = ""
    """The class that alternatives must have, where no prototype converts them."""


@dataclass(frozen=True, slots=True)
class Choice:
    """A condition or initial value with side effects."""

    start: int
    end: int
    type: str
    cond: bool


@dataclass(frozen=True, slots=True)
class Slot:
    """A statement where another may stand."""

    start: int
    end: int
    single: bool
    dangling: bool
    """The branch of an if that has an else: an `if` put before it would catch the else."""
    labelled: bool
    """It contains a label or case."""


@dataclass(frozen=True, slots=True)
class Function:
    """A function of which there can be copies: whoever calls it may be led to one of them."""

    start: int
    end: int
    name: tuple[int, int]
    """Where its name stands."""
    body: tuple[int, int]
    """What stands between its braces."""
    arguments: bytes
    """Its parameters, as they are passed on."""
    returns: bool


@dataclass
class Sites:
    """All sites of a file."""

    source: bytes
    symbols: Symbols
    sites: list[Site] = field(default_factory=list)
    choices: list[Choice] = field(default_factory=list)
    slots: list[Slot] = field(default_factory=list)
    functions: list[Function] = field(default_factory=list)
    main: int | None = None
    """Where the body of main() begins."""

    @property
    def declared(self) -> frozenset[str]:
        return self.symbols.declared

    def seen_from_main(self, site: Site) -> bool:
        return self.main is not None and visible_until(self.source)(site.start) > self.main

    @cached_property
    def _starts(self) -> list[int]:
        return [site.start for site in self.sites]

    def site_at(self, start: int, end: int) -> int | None:
        """The expression site that contains [start, end)."""
        number = bisect_right(self._starts, start) - 1
        if number >= 0 and end <= self.sites[number].end:
            return number
        return None

    def smallest_choice(self, start: int, end: int) -> int | None:
        found = [
            (c.end - c.start, n) for n, c in enumerate(self.choices) if c.start <= start and end <= c.end
        ]
        return min(found)[1] if found else None

    def slots_around(self, start: int, end: int) -> list[int]:
        """Slots that contain [start, end), smallest first; of a gap, the one beside it before all."""
        found = [(s.end - s.start, n) for n, s in enumerate(self.slots) if s.start <= start and end <= s.end]
        around = [n for _, n in sorted(found)]
        beside = self.neighbour(start) if start == end else None
        if beside is not None:
            around = [beside, *(n for n in around if n != beside)]
        return around

    def function_around(self, start: int, end: int) -> int | None:
        """The function that has [start, end) in its body."""
        for number, function in enumerate(self.functions):
            if function.body[0] <= start and end <= function.body[1]:
                return number
        return None

    def neighbour(self, position: int) -> int | None:
        """The block statement that follows a gap (white space) at `position`, else the one it follows."""
        for number, slot in enumerate(self.slots):
            if not slot.single and slot.start >= position and not self.source[position : slot.start].strip():
                return number
        for number, slot in enumerate(self.slots):
            if not slot.single and slot.end <= position and not self.source[slot.end : position].strip():
                return number
        return None
