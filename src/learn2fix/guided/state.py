"""What is known when the next question is chosen, as a frozen value."""

from __future__ import annotations

import operator
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Protocol

from learn2fix.model import Input, Label, Observation, Point, Requirement, Response, Same, Verdict
from learn2fix.oracles.patch_committee import Behaviour, Printed, chance_of_bug, votes

FEW_RESPONSES = 8
"""Number of different responses up to which it is looked whether an answer tells them apart."""

Foreseen = tuple[float, Response | None]
"""The chance of the bug, and the likeliest response."""


class Domain(Protocol):
    """What choosing needs to know of a domain."""

    @property
    def numeric(self) -> bool: ...
    def point(self, observation: Observation) -> Point: ...


@dataclass(frozen=True, slots=True)
class Expectation:
    """What the committee said before an answer, for judging the committee."""

    chance: float
    """Of the bug."""
    bug: bool
    right: bool
    """Whether the likeliest behaviour did what the person said."""

    @classmethod
    def of(cls, foreseen: Foreseen | None, label: Label, same: Same) -> Expectation | None:
        """What the committee had expected, beside what was said."""
        requirement = Requirement.from_label(label)
        if foreseen is None or label.answer.verdict not in (Verdict.BUG, Verdict.OK):
            return None
        chance, top = foreseen
        right = top is not None and requirement is not None and requirement.met_by(top, same)
        return cls(chance, label.answer.verdict is Verdict.BUG, right)


def _unchanged(response: Response) -> Response:
    return response


@dataclass(frozen=True, slots=True)
class State:
    domain: Domain
    known: tuple[Label, ...]
    """Labels from before the first question."""
    asked: tuple[Label, ...] = ()
    pool: tuple[Observation, ...] = ()
    """The inputs that fixes are compared on."""
    behaviours: tuple[Behaviour, ...] = ()
    printed: Printed = field(default_factory=Printed)
    survivors: int = 0
    expectations: tuple[Expectation | None, ...] = ()
    """For each label that was asked for; None where the committee expected nothing."""
    again: int = 0
    """Number of answers that were asked for a second time."""
    settled: bool = False
    """Whether there is nothing left that is worth asking."""
    outputs: bool = True
    """Whether the person says what should be printed, not only that something is wrong."""
    offered: int | None = None
    """Number of responses that the person can choose from, where no other can be typed."""
    raising: bool = False
    """Whether an exception is what some input should end in: then it is an answer like others."""
    deferred: bool = False
    """Whether the failing inputs are too slow to compare fixes on."""
    undefined: frozenset[str] = frozenset()
    """Inputs on which the program does what its language leaves undefined."""
    paths: Mapping[str, frozenset[int]] = field(default_factory=dict)
    """For inputs of which it is known, the statements that the program executes there."""
    usual: Callable[[Input], bool] = lambda given: True
    """Whether an input is of the sign and magnitude of those that are known."""
    allowed: Callable[[Input], bool] = lambda given: True
    """Whether an input meets what is learned of those that make sense."""
    fits: Callable[[Input], bool] = lambda given: True
    """Whether the program can read the numbers of an input."""
    normal: Callable[[Response], Response] = _unchanged
    """The form in which responses that are the same are equal."""
    same: Same = operator.eq
    """Whether somebody who expects the first response is content with the second."""

    @property
    def labels(self) -> tuple[Label, ...]:
        return (*self.known, *self.asked)

    @property
    def known_inputs(self) -> list[Input]:
        return [label.observation.input for label in self.known]

    def shown(self, observation: Observation) -> Response:
        return self.normal(observation.outcome.response)

    def votes(self, given: Input) -> dict[Response, float]:
        return votes(self.behaviours, self.printed, given.text)

    def chance(self, observation: Observation) -> float:
        """The share of the vote that sees the bug here."""
        return chance_of_bug(self.votes(observation.input), self.shown(observation))

    def separable(self, expected: Mapping[Response, float], shown: Response) -> Mapping[Response, float]:
        """Votes, where responses that no answer tells apart count as one: who expects 11 is content with
        11.000000, so both are left whatever is said. Looked at where few are left, and that would matter."""
        if not 1 < len(expected) <= FEW_RESPONSES:
            return expected
        found: dict[Response, float] = {}
        for response in sorted(expected, key=lambda each: (each != shown, -expected[each], each)):
            alike = next((each for each in found if self.same(each, response)), response)
            found[alike] = found.get(alike, 0.0) + expected[response]
        return found

    def on_new_path(self, given: Input, verdict: Verdict) -> bool:
        """Whether the program is known to do something else there than wherever it was said to be so."""
        path = self.paths.get(given.text)
        alike = (label.observation.input.text for label in self.labels if label.answer.verdict is verdict)
        return path is not None and all(self.paths.get(text) != path for text in alike)

    def new_statements(self, given: Input, verdict: Verdict) -> frozenset[int]:
        """Statements that the program executes there and nowhere where it was said to be so."""
        alike = (label.observation.input.text for label in self.labels if label.answer.verdict is verdict)
        nothing: frozenset[int] = frozenset()
        return self.paths.get(given.text, nothing).difference(*(self.paths.get(t, nothing) for t in alike))

    @property
    def held(self) -> list[Expectation]:
        """The predictions in a row, up to now, that held."""
        found: list[Expectation] = []
        for label, expectation in zip(reversed(self.asked), reversed(self.expectations), strict=True):
            if label.answer.verdict in (Verdict.UNSURE, Verdict.INVALID):
                continue
            if expectation is None or not expectation.right:
                break
            found.append(expectation)
        return found

    @property
    def streak(self) -> int:
        return len(self.held)

    @property
    def trust(self) -> float:
        """How much the survivors are believed beside the labels: more with every prediction that held."""
        return 1.0 - 0.4 / (1.0 + self.streak) if self.behaviours else 0.0
