"""Inputs by what the program does on them: an input that does something new is a start for others.

Mutating the failing input alone seldom meets a condition that takes several steps (one line of a grid right,
then the next); from an input that has taken one step, the next is near. This is coverage-guided fuzzing.
"""

from __future__ import annotations

import random
from collections.abc import Hashable, Iterable, Sequence

from learn2fix.model import Input, Response

TEXTS = 30
"""Maximum number of different answers that count as something new: numbers differ without end."""
SHORT = 40
"""Characters of an answer that counts as one."""


class Corpus:
    """The first input that did each thing. Things seen on fewer inputs are picked more often."""

    def __init__(self) -> None:
        self._first: dict[Hashable, Input] = {}
        self._count: dict[Hashable, int] = {}
        self._traits: list[Hashable] = []
        self._answers = 0

    def note(self, given: Input, traits: Iterable[Hashable]) -> bool:
        """Whether the program did something there that it did nowhere before."""
        new = False
        for trait in traits:
            self._count[trait] = self._count.get(trait, 0) + 1
            if trait not in self._first:
                self._first[trait] = given
                self._traits.append(trait)
                new = True
        return new

    def note_answer(self, given: Input, response: Response) -> bool:
        """The same for what it answers; only for the first few different answers."""
        if len(str(response)) > SHORT or self._answers >= TEXTS:
            return False
        new = self.note(given, (response,))
        self._answers += new
        return new

    def pick(self, rng: random.Random) -> Input | None:
        if not self._traits:
            return None
        one, other = rng.choice(self._traits), rng.choice(self._traits)
        return self._first[one if self._count[one] <= self._count[other] else other]


def executed(counts: Sequence[int]) -> list[Hashable]:
    """Which statements were executed, and about how often: the number of bits of the count."""
    return [(number, count.bit_length()) for number, count in enumerate(counts) if count]
