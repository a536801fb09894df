"""The form of every edit operator: a small function with a name, a reason, and an example that is its test.

An operator proposes changes to a program and says nothing about how likely they are: that stands in
`priors.toml`, which a tool fits on known bugs.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Generic, NamedTuple, TypeVar

P = TypeVar("P")
"""What a language knows of one source file."""

Piece = tuple[int, int, str]
"""Replace [start, end) of the source text by text."""
Change = tuple[Piece, ...]
"""Pieces that belong together: one candidate."""


class Unusual(NamedTuple):
    """A change that is less likely than the operator's others."""

    change: Change
    traits: tuple[str, ...]
    """Why, by names that `priors.toml` gives a cost; one may count several times."""


Proposals = Iterator[Change | Unusual]


@dataclass(frozen=True, slots=True)
class Operator(Generic[P]):
    """One way to change a program."""

    name: str
    why: str
    """The slip that it mends, in a sentence."""
    before: str
    after: str
    """A program, and one that the operator proposes for it: its test and its line in docs/edits.md."""
    propose: Callable[[P], Proposals]


class Catalogue(Generic[P]):
    """The operators of one language, in the order in which they were written down."""

    def __init__(self, language: str, framed: Callable[[str], str] = str) -> None:
        """`framed` makes a whole program of an example that is only the part that matters."""
        self.language = language
        self.framed = framed
        self._operators: dict[str, Operator[P]] = {}

    def operator(
        self, name: str, *, why: str, before: str, after: str
    ) -> Callable[[Callable[[P], Proposals]], Callable[[P], Proposals]]:
        """Enters the decorated function under a name."""

        def enter(propose: Callable[[P], Proposals]) -> Callable[[P], Proposals]:
            if name in self._operators:
                raise ValueError(f"two operators of {self.language} are called {name!r}")
            self._operators[name] = Operator(name, why, before, after, propose)
            return propose

        return enter

    def __iter__(self) -> Iterator[Operator[P]]:
        return iter(self._operators.values())

    def __len__(self) -> int:
        return len(self._operators)

    def __getitem__(self, name: str) -> Operator[P]:
        return self._operators[name]
