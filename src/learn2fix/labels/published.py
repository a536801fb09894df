"""A program as the paper's learner sees it: every test is a point of numbers."""

from __future__ import annotations

from dataclasses import dataclass, replace

from learn2fix.domain import Domain
from learn2fix.domain.outputs import paper_value
from learn2fix.model import Kind, Label, Observation, Point, Variable

YES_OR_NO = ("yes", "no")


@dataclass(frozen=True, slots=True)
class Numbers:
    """The domain of a program that prints numbers, or yes and no."""

    domain: Domain

    @property
    def seen_variables(self) -> tuple[Variable, ...]:
        return self.domain.seen_variables

    @property
    def all_variables(self) -> tuple[Variable, ...]:
        inputs = len(self.seen_variables)
        outputs = self.domain.all_variables[inputs:]
        numbers = (replace(each, kind=Kind.INT) if each.kind is Kind.TEXT else each for each in outputs)
        return (*self.seen_variables, *numbers)

    def point(self, observation: Observation) -> Point:
        point, inputs = self.domain.point(observation), len(self.seen_variables)
        return (*point[:inputs], *map(paper_value, point[inputs:]))


def as_published(domain: Domain, known: tuple[Label, ...]) -> Domain | Numbers:
    """Numbers where the known outputs are numbers, or yes and no; the domain itself where they are words."""
    point, inputs = domain.point, len(domain.seen_variables)
    outputs = [value for label in known for value in point(label.observation)[inputs:]]
    words = [value for value in outputs if isinstance(value, str)]
    return Numbers(domain) if all(word.strip().lower() in YES_OR_NO for word in words) else domain
