"""One program, what is known of its bug, and what the user decided: all that a strategy is given."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from learn2fix.conversation.options import Options
from learn2fix.domain import Domain
from learn2fix.events import Emit
from learn2fix.languages.protocol import Subject
from learn2fix.model import Example, Input, Label, Observation, Outcome, Requirement, Response, Verdict

FINISHING = 0.08
"""Share of the time that is kept for building and checking patches after the last question."""


@dataclass(frozen=True, slots=True)
class Problem:
    """The program was run on the failing inputs and has shown to repeat itself."""

    subject: Subject
    domain: Domain
    options: Options
    known: tuple[Label, ...]
    """The failing inputs that the person brought, then tests that are known to pass."""
    clock: Callable[[], float]
    deadline: float
    """When asking ends, and searching with it (the paper repairs afterwards), as the clock tells it …"""
    end: float
    """… and when the result must be there: between them patches are built and checked."""
    emit: Emit

    @property
    def late(self) -> bool:
        return self.clock() >= self.deadline

    @property
    def over(self) -> bool:
        return self.clock() >= self.end

    @property
    def failing(self) -> list[Label]:
        return [label for label in self.known if label.answer.verdict is Verdict.BUG]

    @property
    def requirements(self) -> list[Requirement]:
        found = (Requirement.from_label(label) for label in self.known)
        return [requirement for requirement in found if requirement is not None]

    def run(self, inputs: Sequence[Input]) -> list[Outcome]:
        return self.subject.run(inputs)

    def observe(self, inputs: Sequence[Input]) -> list[Observation]:
        return [Observation(given, outcome) for given, outcome in zip(inputs, self.run(inputs), strict=True)]

    def shown(self, observation: Observation) -> Response:
        """What the program answered, in the form in which responses are compared."""
        return self.subject.normal(observation.outcome.response)

    def examples(self, labels: Sequence[Label]) -> list[Example]:
        """What learners see of answers that say bug or fine."""
        return [
            Example(self.domain.point(label.observation), label.answer.verdict is Verdict.BUG)
            for label in labels
            if label.answer.verdict in (Verdict.BUG, Verdict.OK)
        ]
