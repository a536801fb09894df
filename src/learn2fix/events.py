"""Long work reports what it does as events; progress bars, the store and the web page listen."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from learn2fix.model import Answer, Patch, Question


@dataclass(frozen=True, slots=True)
class Event:
    """Something that happened."""


@dataclass(frozen=True, slots=True)
class Progress(Event):
    """Work under way: `done` of `total` (0: unknown) of what `phase` names."""

    phase: str
    done: int
    total: int = 0
    note: str = ""


@dataclass(frozen=True, slots=True)
class Asked(Event):
    question: Question


@dataclass(frozen=True, slots=True)
class Answered(Event):
    question: Question
    answer: Answer


@dataclass(frozen=True, slots=True)
class Undone(Event):
    """The newest answer was taken back."""

    question: Question


@dataclass(frozen=True, slots=True)
class Learned(Event):
    """The oracle changed."""

    condition: str


@dataclass(frozen=True, slots=True)
class Judged(Event):
    """Candidate patches were run: how many so far, how many survive, at what rate."""

    tried: int
    surviving: int
    per_second: float


@dataclass(frozen=True, slots=True)
class Found(Event):
    patch: Patch


@dataclass(frozen=True, slots=True)
class Notice(Event):
    """Something the user should know, in a sentence (a contradiction, a widened search, a fallback)."""

    text: str


@dataclass(frozen=True, slots=True)
class Stopped(Event):
    """No further question will be asked, and why."""

    reason: str


Emit = Callable[[Event], None]


def ignore(event: Event) -> None:
    """Listens to events and does nothing."""
