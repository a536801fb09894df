"""The numbered sites of a meta-program and what may stand at each of them."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Literal, NamedTuple

Use = tuple[int, int]
"""The number of a spot and of one of its alternatives."""
Role = Literal["expression", "choice", "copy", "guard", "jump", "assignment", "insertion", "statement"]


class Key(NamedTuple):
    """What a spot is and where: no two spots have the same."""

    role: Role
    place: int
    """The number of the site, choice, function or slot."""
    where: Literal["", "before", "after"] = ""
    """On which side of a slot."""
    text: bytes = b""
    """The jump that is made, or what is assigned to."""


@dataclass(slots=True)
class Spot:
    """A numbered site of the meta-program and its alternatives; 0 is the original."""

    key: Key
    original: bytes
    kind: str
    """The type of its values."""
    how: str
    """cond, value, text: evaluated and compared; pick: simply taken."""
    direct: bool
    """Values are compared with `!=`; otherwise byte by byte."""
    alternatives: list[bytes] = field(default_factory=list)
    index: dict[bytes, int] = field(default_factory=dict)
    dropped: set[int] = field(default_factory=set)
    """Alternatives that do not compile."""
    broken: bool = False
    """The spot itself does not compile."""

    def use(self, text: bytes) -> int:
        number = self.index.get(text)
        if number is None:
            self.alternatives.append(text)
            number = self.index[text] = len(self.alternatives)
        return number


class Spots:
    """All spots of a meta-program."""

    def __init__(self) -> None:
        self.every: list[Spot] = []
        self._numbers: dict[Key, int] = {}

    def number(self, key: Key) -> int | None:
        return self._numbers.get(key)

    def add(self, key: Key, original: bytes, kind: str, how: str, direct: bool) -> int:
        """The number of a spot, which is made when first asked for."""
        number = self._numbers.get(key)
        if number is None:
            number = self._numbers[key] = len(self.every)
            self.every.append(Spot(key, original, kind, how, direct))
        return number

    def use(self, number: int, text: bytes) -> Use:
        return number, self.every[number].use(text)

    def condition(self, key: Key, original: bytes, text: bytes) -> Use:
        """An alternative of a condition whose truth is compared."""
        return self.use(self.add(key, original, "int", "cond", True), text)

    def pick(self, key: Key, text: bytes, kind: str = "") -> Use:
        """An alternative that is simply taken."""
        return self.use(self.add(key, b"", kind, "pick", False), text)
