"""Loads a meta-program into an engine without the alternatives that do not compile."""

from __future__ import annotations

import math
import re
from collections.abc import Callable
from dataclasses import dataclass

from learn2fix.languages.c.judging.engine import Engine, EngineError
from learn2fix.languages.c.judging.meta import Meta
from learn2fix.languages.c.judging.rendering import owner, passed
from learn2fix.languages.c.judging.spots import Use
from learn2fix.languages.c.judging.texts import Texts
from learn2fix.model import Input

FEW_WRONG = 6
"""Wrong alternatives up to which all the others that are not yet known to be good are compiled together."""
CHECKED = 2_000
"""Alternatives that are compiled together when more than that are wrong."""
NO_CANDIDATES = bytes(16)
"""The tables of a program without sites."""
ERROR_LINE = re.compile(r":(\d+):(?:\d+:)? error")
UNDEFINED = re.compile(r"undefined symbol '(\w+)'")
TWICE = re.compile(r"'(\w+)' defined twice")


def own_name(trouble: str, options: bytes) -> bytes | None:
    """The options with another name for a function of the program that the library has, too."""
    found = TWICE.search(trouble)
    renamed = b"-D%s=l2f_own_%s" % ((found[1].encode(),) * 2) if found else b""
    return None if not renamed or renamed in options else options + b" " + renamed


class Loaded:
    """A program in its engine, which may have been closed to make room for others, or lost."""

    def __init__(self, make: Callable[[], Engine], load: Callable[[Engine, float], str]) -> None:
        self.engine = make()
        self._make, self._load = make, load
        self._spent = 0.0

    @property
    def cpu_seconds(self) -> float:
        return self._spent + self.engine.cpu_seconds

    def load(self) -> str:
        """What the compiler says where it does not compile; then the engine is closed."""
        if trouble := self._load(self.engine, math.inf):
            self.engine.close()
        return trouble

    def opened(self, left: float) -> Engine:
        if self.engine.pid is None:
            self._spent += self.engine.cpu_seconds
            self.engine = self._make()
            trouble = self._load(self.engine, left)
            if trouble:
                raise EngineError(f"what compiled once does no more: {trouble}")
        return self.engine


class Plain(Loaded):
    """A text without candidates."""

    def __init__(self, make: Callable[[], Engine], text: bytes, counters: int, options: bytes) -> None:
        def load(engine: Engine, left: float) -> str:
            return engine.load(NO_CANDIDATES, text, options, counters, left)

        super().__init__(make, load)


class Unit(Loaded):
    """A meta-program with its candidates."""

    def __init__(self, make: Callable[[], Engine], load: Callable[[Engine, float], str], meta: Meta) -> None:
        super().__init__(make, load)
        self.meta = meta
        self.astray: set[Input] = set()
        """Where the program as it stands ends otherwise in it: what destroys memory meets another layout."""


@dataclass(frozen=True, slots=True)
class Loader:
    """Compiles one meta-program again and again, until what is left of it compiles."""

    engine: Engine
    meta: Meta
    texts: Texts
    options: bytes
    left: Callable[[], float]
    """Seconds until the deadline."""

    def load(self) -> bool:
        """False when it does not compile whatever is left out."""
        trouble = self._load_all()
        if not trouble:
            return True
        if self.engine.lists_all_errors:
            self._drop_listed()
        else:
            self._find_guilty(trouble)
        self.meta.settle()
        return bool(self.meta.uses) and not self._load_all()

    def _load_all(self) -> str:
        text = self.texts.meta(self.meta)
        return self.engine.load(self.meta.tables(), text, self.options, left=self.left())

    def _check(self, text: bytes) -> str:
        return self.engine.load(NO_CANDIDATES, text, self.options, left=self.left())

    def _find_guilty(self, trouble: str) -> None:
        """Drop what does not compile, given what the compiler said about the whole text.

        The compiler stops at the first error, so all that stands before it is good and need not be compiled
        again: all errors together cost little more than compiling each alternative once.
        """
        meta = self.meta
        every = {(s, a) for s, spot in enumerate(meta.spots) for a in range(1, len(spot.alternatives) + 1)}
        text = self.texts.meta(meta)
        for _ in range(FEW_WRONG):
            left = self._blame(text, trouble, every)
            if left is None:
                break
            every = left
            text = self.texts.meta(meta, every)
            trouble = self._check(text) if every else ""
            if not trouble:
                return
        ordered = sorted(every)
        for position in range(0, len(ordered), CHECKED):
            part = set(ordered[position : position + CHECKED])
            while part:
                text = self.texts.meta(meta, part)
                trouble = self._check(text)
                if not trouble:
                    break
                left = self._blame(text, trouble, part)
                if left is None:
                    self._halve(part)
                    break
                part = left

    def _blame(self, text: bytes, trouble: str, among: set[Use]) -> set[Use] | None:
        """Drop whom the compiler names; who is left to be compiled, or None when it names nobody."""
        good: set[Use] = set()
        undefined = UNDEFINED.search(trouble)
        found = ERROR_LINE.search(trouble)
        if undefined is not None:
            word = undefined.group(1).encode()
            # Only the linker says so: it may stand in any that the compiler took.
            guilty = {
                (s, a)
                for s, spot in enumerate(self.meta.spots)
                for a, alternative in enumerate(spot.alternatives, 1)
                if a not in spot.dropped and word in alternative
            }
        elif found is not None:
            lines = text.split(b"\n")
            use = owner(lines, int(found.group(1)))
            guilty = set() if use is None else {use}
            good = passed(lines, int(found.group(1)))
        else:
            guilty = set()
        if not guilty and len(among) == 1:
            guilty = set(among)
        for spot, alternative in guilty:
            self.meta.drop(spot, alternative)
        broken = {s for s, a in guilty if a == 0}
        return (
            {u for u in among if u not in guilty and u[0] not in broken and u not in good} if guilty else None
        )

    def _drop_listed(self) -> None:
        for _ in range(5):
            text = self.texts.meta(self.meta)
            lines = text.split(b"\n")
            rows = {int(row) for row in ERROR_LINE.findall(self._check(text))}
            guilty = {use for row in rows if (use := owner(lines, row)) is not None}
            if not guilty:
                return
            for spot, alternative in guilty:
                self.meta.drop(spot, alternative)

    def _halve(self, left: set[Use]) -> None:
        """An error that names no line: drop what does not compile by halves."""
        parts = [sorted(left)]
        while parts:
            part = parts.pop()
            if not self._check(self.texts.meta(self.meta, set(part))):
                continue
            if len(part) == 1:
                self.meta.drop(*part[0])
            else:
                parts += [part[: len(part) // 2], part[len(part) // 2 :]]
