"""What a strategy is: it chooses a question, records the answer, and finishes."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Protocol

from learn2fix.conversation.result import Findings
from learn2fix.model import Answer, Observation, Question, Response


@dataclass(frozen=True, slots=True)
class Ask:
    """What to ask next."""

    observation: Observation
    why: str = ""
    """Why this input is worth asking about, in a sentence."""
    choices: tuple[Response, ...] = ()
    """Responses that may be right here; empty: none known."""
    reported: bool = False
    """Whether this is a failing input that the person brought: ask what is right, not whether it fails."""
    again: Answer | None = None
    """What the person said of it before, which does not fit the other answers; None: not asked yet."""
    least: int = 0
    """How many further questions it takes at least before there is something to believe."""


@dataclass(frozen=True, slots=True)
class Stop:
    """No further question is worth asking, and why."""

    reason: str


class Strategy(Protocol):
    """One run. The conversation calls `choose` and `record` in turn, and `finish` once.

    The same problem and the same answers lead to the same questions, however fast the machine is. What comes
    after `finish` may also be called between two questions.
    """

    def choose(self) -> Ask | Stop: ...
    def record(self, question: Question, answer: Answer) -> None: ...
    def finish(self) -> None:
        """The last answer is there: do what only the result needs."""

    def findings(self) -> Findings:
        """What is known now."""

    def chances(self, observations: Sequence[Observation]) -> list[float]:
        """For each observation, the chance that it shows the bug."""

    def condition(self, within: Callable[[], bool]) -> str:
        """When the bug shows, in a sentence, as far as is known; given up early when `within` says so."""

    @property
    def generated(self) -> int:
        """How many tests were generated so far."""

    def close(self) -> None: ...
