"""The protocol of a person: replies to a question, given the history."""

from __future__ import annotations

import operator
from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass
from enum import StrEnum
from typing import Protocol

from learn2fix.model import Answer, Input, Question, Reply, Response, Same, Verdict, canonical

Exchange = tuple[Question, Reply]
"""A question and what the person said to it."""


class Feedback(StrEnum):
    """What a person is asked to say."""

    VERDICT = "verdict"
    """Only bug, ok, unsure or invalid."""
    CHOICE = "choice"
    """Also which of the responses that are offered is right, or none of them."""
    OUTPUT = "output"
    """Also what is right where none of those offered is; always optional."""


@dataclass(frozen=True, slots=True)
class Context:
    """What a person may want to know beyond the question."""

    failing: tuple[Input, ...] = ()
    """The known failing inputs."""
    names: tuple[str, ...] = ()
    """Names of the numbers or words of an input, when they have names."""
    feedback: Feedback = Feedback.OUTPUT
    history: tuple[Exchange, ...] = ()
    """What was asked and said before, oldest first."""
    described: Callable[[Input], str] = lambda given: ""
    """The values of an input by name; empty where its text speaks for itself."""
    condition: Callable[[], str] = str
    """When the bug shows, in a sentence, as far as is known; computed only on request."""
    same: Same = operator.eq
    """Whether the second response is what somebody meant who expected the first."""
    compared: str = ""
    """What is compared, where it is more or less than the output."""
    verb: str = "print"
    """What the program does with its answer: print it, or return it."""

    @property
    def counts(self) -> Counter[Verdict]:
        return Counter(reply.verdict for _, reply in self.history if isinstance(reply, Answer))


class Person(Protocol):
    def reply(self, question: Question, context: Context) -> Reply:
        """Raises Interrupted if no more answers will come."""


def answer_to(
    question: Question, verdict: Verdict, expected: str | None = None, same: Same = operator.eq
) -> Answer:
    """The answer with this verdict and, if known, the right output."""
    shown, layout = question.observation.outcome.response, question.observation.outcome.counted.layout
    if expected is not None and verdict in (Verdict.BUG, Verdict.OK):
        # The expected output outranks the verdict: if it was printed, there is no bug. But somebody who
        # calls 3.0 a bug and wants 3 means it.
        right = Response.read(expected, layout)
        printed = right == shown if verdict is Verdict.BUG else same(right, shown)
        verdict = Verdict.OK if printed else Verdict.BUG
    wrong = expected is not None and verdict is Verdict.BUG
    return Answer(verdict, canonical(expected or "", layout) if wrong else None)
