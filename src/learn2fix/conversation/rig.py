"""Everything a strategy needs to know about one program: opened, run, and shown to repeat itself."""

from __future__ import annotations

import operator
from collections.abc import Callable, Sequence
from dataclasses import dataclass

from learn2fix.conversation.options import Options
from learn2fix.domain import Domain
from learn2fix.events import Emit
from learn2fix.languages.protocol import Subject
from learn2fix.languages.python.same import same_value
from learn2fix.model import Input, Label, Observation, Outcome, Requirement, Same
from learn2fix.sandbox import Sandbox


@dataclass(frozen=True, slots=True)
class Rig:
    subject: Subject
    domain: Domain
    sandbox: Sandbox
    options: Options
    known: tuple[Label, ...]
    """The failing inputs that the person brought, then tests that are known to pass."""
    clock: Callable[[], float]
    deadline: float
    emit: Emit

    @property
    def requirements(self) -> list[Requirement]:
        found = (Requirement.from_label(label) for label in self.known)
        return [requirement for requirement in found if requirement is not None]

    @property
    def same(self) -> Same:
        """Whether an answer is what was expected: what functions of Python return is compared by value."""
        return same_in(self.subject)

    def run(self, inputs: Sequence[Input]) -> list[Outcome]:
        return self.subject.run(inputs)

    def observe(self, inputs: Sequence[Input]) -> list[Observation]:
        return [Observation(given, outcome) for given, outcome in zip(inputs, self.run(inputs), strict=True)]

    def read(self, given: Input) -> Input:
        """The input as the process reads it."""
        return Input(self.subject.stdin(given).decode("utf-8", "surrogateescape"), given.values)


def same_in(subject: Subject) -> Same:
    python = subject.language == "python" and subject.function is not None
    return same_value if python else operator.eq
