"""The surviving patches as a learner for the paper's loop: `--strategy paper --learner patches`.

The loop and its query rule see points and oracles; here the points become inputs again, and the oracle is the
vote of the patches that agree with the examples. What the rule looks ahead with are patches too: those that
would be left after one more answer.
"""

from __future__ import annotations

import random
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from learn2fix.conversation.problem import Problem
from learn2fix.model import Answer, Example, Label, Observation, Outcome, Point, Requirement, Variable
from learn2fix.oracles.formula import Formula
from learn2fix.oracles.patch_committee import Behaviour, Printed, chance_of_bug, votes
from learn2fix.oracles.protocol import Learner, Oracle
from learn2fix.oracles.readable import readable
from learn2fix.oracles.registry import learner
from learn2fix.oracles.work import Work
from learn2fix.repair.space import Space

FIRST, FURTHER, MOST = 6_000, 6_000, 24_000
"""Candidates tried at first, when none of them agrees with the answers any more, and in all."""
SKETCHED = 2_000
"""Survivors, the most plausible, that are grouped by what they print."""
SKETCH = 24
"""Inputs that they are grouped by, beside those that were answered."""
COMMITTEE = 150
CONDITION_STEPS = 4_000_000
"""Work allowed for the condition that is shown."""


class PatchLearner:
    """One run. It hears of what was run (`saw`) and of what was answered (`told`)."""

    name = "patches"

    def __init__(
        self, problem: Problem, space: Space, sketch: Sequence[Observation], fallback: Learner
    ) -> None:
        """`fallback` learns from labels alone, for when no patch agrees with them."""
        self._problem, self._space, self._fallback = problem, space, fallback
        self._observations: dict[Point, Observation] = {}
        self._printed = Printed()
        self._committee: tuple[Behaviour, ...] | None = None
        self._answered = [label.observation for label in problem.known]
        self._sketch = list(sketch)
        self.saw([*self._answered, *sketch])
        for requirement in problem.requirements:
            space.require(requirement)
        space.open_stage()
        self._widen(FIRST)

    @property
    def survivors(self) -> int:
        return len(self._space.survivors)

    @property
    def tried(self) -> int:
        return len(self._space.candidates)

    def saw(self, observations: Iterable[Observation]) -> None:
        for each in observations:
            self._observations.setdefault(self._problem.domain.point(each), each)

    def ran(self, observations: Sequence[Observation]) -> list[Outcome]:
        self.saw(observations)
        self.print(observations)
        return [each.outcome for each in observations]

    def told(self, observation: Observation, answer: Answer) -> None:
        requirement = Requirement.from_label(Label(observation, answer))
        if requirement is None:
            return
        self._answered.append(observation)
        self._committee = None
        self._space.require(requirement)
        while not self._space.survivors and self._widen(FURTHER):
            pass

    def corrected(self, labels: Sequence[Label]) -> None:
        """An answer was taken back: these are all the labels now."""
        self._committee = None
        self._space.restate([each for label in labels if (each := Requirement.from_label(label)) is not None])

    def _widen(self, count: int) -> bool:
        space = self._space
        if space.stage_done and not space.open_stage():
            return False
        room = min(count, MOST - len(space.candidates))
        return room > 0 and not self._problem.late and space.widen(room) > 0

    def committee(self) -> tuple[Behaviour, ...]:
        """One vote for each behaviour among the survivors."""
        if self._committee is None:
            alive = self._space.survivors[:SKETCHED]
            seen = [*self._answered, *self._sketch]
            self._print(seen, alive)
            texts = [each.input.text for each in seen]
            self._committee = self._printed.behaviours(texts, alive, self._space.costs)[:COMMITTEE]
        return self._committee

    def print(self, observations: Sequence[Observation]) -> None:
        """What the committee prints there, found out for many inputs at once."""
        self._print(observations, [behaviour.best for behaviour in self.committee()])

    def _print(self, observations: Sequence[Observation], candidates: Sequence[int]) -> None:
        batches: dict[tuple[int, ...], list[Observation]] = {}
        for each in observations:
            missing = tuple(self._printed.missing(each.input.text, candidates))
            if missing:
                batches.setdefault(missing, []).append(each)
        for missing, new in batches.items():
            answers = self._space.outputs([each.input for each in new], missing)
            for each, printed in zip(new, answers, strict=True):
                self._printed.record(each.input.text, printed)

    def learn(
        self,
        variables: Sequence[Variable],
        examples: Sequence[Example],
        rng: random.Random,
        work: Work | None = None,
    ) -> Oracle:
        left: list[Behaviour] = []
        # Patches say nothing of an input that was never run.
        if all(example.point in self._observations for example in examples):
            left = [b for b in self.committee() if all(self._agrees(b.best, example) for example in examples)]
        if not left:
            return self._fallback.learn(variables, examples, rng, work)
        return PatchOracle(self, tuple(left), tuple(variables), tuple(examples))

    def _agrees(self, candidate: int, example: Example) -> bool:
        return self._bug_by(candidate, self._observations[example.point]) is example.failing

    def _bug_by(self, candidate: int, observation: Observation) -> bool:
        text = observation.input.text
        if self._printed.missing(text, [candidate]):
            self.print([observation])
        return self._printed.answer(text, candidate) != self._problem.shown(observation)

    def chance(self, behaviours: Sequence[Behaviour], point: Point) -> float:
        observation = self._observations.get(point)
        if observation is None:
            return 0.5
        if any(self._printed.missing(observation.input.text, [behaviour.best]) for behaviour in behaviours):
            self._print([observation], [behaviour.best for behaviour in behaviours])
        return chance_of_bug(
            votes(behaviours, self._printed, observation.input.text), self._problem.shown(observation)
        )

    def condition(self, oracle: PatchOracle) -> Formula | None:
        """What the patches say of all inputs that were run, as a condition."""
        points = list(self._observations)
        formula, _ = readable(
            learner("smt"),
            oracle.variables,
            list(oracle.examples),
            [Example(point, oracle.chance(point) >= 0.5) for point in points],
            random.Random(self._problem.options.seed),
            Work(CONDITION_STEPS),
        )
        return formula


@dataclass(frozen=True)
class PatchOracle:
    """The vote of the patches that agree with the examples."""

    learner: PatchLearner
    behaviours: tuple[Behaviour, ...]
    variables: tuple[Variable, ...]
    examples: tuple[Example, ...]

    def chance(self, point: Point) -> float:
        return self.learner.chance(self.behaviours, point)

    @property
    def formula(self) -> Formula | None:
        return self.learner.condition(self)
