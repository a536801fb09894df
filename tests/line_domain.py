"""A domain of words on one line, small enough to read, and a toy learner: what tests of the loop need."""

from __future__ import annotations

import random
from collections.abc import Callable, Sequence
from fractions import Fraction
from typing import Any

from learn2fix.domain import Range
from learn2fix.errors import UsageError
from learn2fix.model import (
    Answer,
    Ending,
    Example,
    Input,
    Kind,
    Label,
    Observation,
    Outcome,
    Point,
    Variable,
    Verdict,
)
from learn2fix.oracles.formula import Formula
from learn2fix.oracles.work import Work

READ: dict[Kind, Any] = {Kind.INT: int, Kind.REAL: Fraction, Kind.BOOL: "True".__eq__, Kind.TEXT: str}
KINDS = {int: Kind.INT, Fraction: Kind.REAL, bool: Kind.BOOL, str: Kind.TEXT}


class Line:
    def __init__(self, ranges: Sequence[Range], kinds: Sequence[Kind]) -> None:
        self.ranges = tuple(ranges)
        self.variables = tuple(Variable(f"i{place}", kind) for place, kind in enumerate(kinds, 1))
        self.seen_variables = self.variables
        self.all_variables = (*self.variables, Variable("output", Kind.INT))

    def parse(self, text: str) -> Input:
        words = text.split()
        if len(words) != len(self.variables):
            raise UsageError("another number of words")
        return Input(text, tuple(READ[v.kind](word) for v, word in zip(self.variables, words, strict=True)))

    def render(self, values: Sequence[Any]) -> Input:
        return Input(" ".join(str(value) for value in values), tuple(values))

    def inside(self, values: Sequence[Any]) -> bool:
        return all(bounds.covers(value) for value, bounds in zip(values, self.ranges, strict=True))

    def point(self, observation: Observation) -> Point:
        answer = str(observation.outcome.response)
        output = int(answer) if answer.lstrip("-").isdigit() else answer
        return (*observation.input.values, output)


def integers(count: int, low: int | None = None, high: int | None = None) -> Line:
    return Line([Range(low, high)] * count, [Kind.INT] * count)


def running(program: Callable[..., int]) -> Callable[[Sequence[Input]], list[Outcome]]:
    def run(inputs: Sequence[Input]) -> list[Outcome]:
        return [Outcome(Ending.EXITED, str(program(*each.values)).encode()) for each in inputs]

    return run


def labelled(line: Line, program: Callable[..., int], values: Sequence[Any], verdict: Verdict) -> Label:
    given = line.render(values)
    return Label(Observation(given, running(program)([given])[0]), Answer(verdict))


class Nearest:
    """The label of the nearest labelled point; enough to see a loop work."""

    name = "nearest"

    def learn(
        self,
        variables: Sequence[Variable],
        examples: Sequence[Example],
        rng: random.Random,
        work: Work | None = None,
    ) -> NearestOracle:
        return NearestOracle(tuple(examples))


class NearestOracle:
    def __init__(self, examples: tuple[Example, ...]) -> None:
        self.examples = examples

    def chance(self, point: Point) -> float:
        def distance(example: Example) -> Any:
            return sum(abs(a - b) for a, b in zip(example.point, point, strict=True))  # type: ignore[operator]

        return float(min(self.examples, key=distance).failing)

    @property
    def formula(self) -> Formula | None:
        return None
