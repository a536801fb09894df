"""What a generator of candidate patches is given, and what it yields."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from fractions import Fraction
from types import MappingProxyType
from typing import Protocol

from learn2fix.model import Candidate

NO_SUSPICION: Mapping[int, float] = MappingProxyType({})


@dataclass(frozen=True, slots=True)
class Hints:
    """What is known about the bug; everything is optional."""

    inputs: tuple[tuple[int | Fraction, ...], ...] = ()
    """Values of failing inputs: they, and their neighbours, are useful constants."""
    given: tuple[str, ...] = ()
    """The failing inputs as they are written: values in them tell what variables hold."""
    expected: tuple[str, ...] = ()
    """Expected outputs that are known: useful constants and printed texts."""
    missing: tuple[int | Fraction, ...] = ()
    """By how much answers to failing inputs are too small, where they are numbers: useful constants."""
    executed: frozenset[int] | None = None
    """1-based lines that failing tests execute; None when unknown."""
    suspicion: Mapping[int, float] = field(default_factory=lambda: NO_SUSPICION, hash=False)
    """1-based line → 0 (innocent) … 1 (suspicious)."""
    letters: str = ""
    """Characters of the texts in failing inputs, each once."""
    function: str | None = None
    """Only this function (and what it calls) may be at fault."""


class Generator(Protocol):
    """Yields candidate patches lazily, most plausible first or nearly, the same ones every time."""

    name: str

    def candidates(self, source: bytes, hints: Hints) -> Iterator[Candidate]: ...
