"""What a person is to the rest: someone who replies to a question, knowing what was said so far."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass
from enum import StrEnum
from typing import Protocol

from learn2fix.model import Answer, Input, Question, Reply, Response, Verdict, canonical

Exchange = tuple[Question, Reply]
"""A question and what the person said to it."""


class Feedback(StrEnum):
    """What a person is asked to say."""

    VERDICT = "verdict"
    OUTPUT = "output"
    """Also what the program should print; always optional."""


@dataclass(frozen=True, slots=True)
class Context:
    """What a person may want to know besides the question."""

    failing: tuple[Input, ...] = ()
    """The known failing inputs."""
    names: tuple[str, ...] = ()
    """Names of the numbers or words of an input, when they have names."""
    feedback: Feedback = Feedback.OUTPUT
    history: tuple[Exchange, ...] = ()
    """What was asked and said before, oldest first."""
    condition: Callable[[], str] = str
    """When the bug shows, as far as it is known; worked out only for who wants to know."""

    @property
    def counts(self) -> Counter[Verdict]:
        return Counter(reply.verdict for _, reply in self.history if isinstance(reply, Answer))


class Person(Protocol):
    def reply(self, question: Question, context: Context) -> Reply:
        """Raises Interrupted when no answer can come any more."""


def answer_to(question: Question, verdict: Verdict, expected: str | None = None) -> Answer:
    """The answer of someone who calls the output `verdict` and, perhaps, knows what is right."""
    shown = question.observation.outcome.response
    if expected is not None and verdict in (Verdict.BUG, Verdict.OK):
        # What should be printed says more than the verdict: who expects what was printed sees no bug.
        verdict = Verdict.OK if Response.read(expected) == shown else Verdict.BUG
    return Answer(verdict, canonical(expected) if expected is not None and verdict is Verdict.BUG else None)


def answer_to_proposal(question: Question, yes: bool) -> Answer:
    """ "Should it print this here?" said about what was really printed."""
    assert question.proposal is not None
    if yes:
        return answer_to(question, Verdict.BUG, str(question.proposal))
    if question.proposal == question.observation.outcome.response:
        return Answer(Verdict.BUG)
    # What it printed may still be right: only the proposal was turned down.
    return Answer(Verdict.UNSURE, rejected=(str(question.proposal),))
