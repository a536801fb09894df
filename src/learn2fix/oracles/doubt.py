"""An oracle that says only yes or no learns to doubt: a forest on the same labels says where they carry it.

The side of the answer stays that of the oracle, so the condition that is shown and the prediction agree;
how far the chance is from one half is how much of the forest agrees.
"""

from __future__ import annotations

import random
from collections.abc import Sequence
from dataclasses import dataclass

from learn2fix.model import Example, Point, Variable
from learn2fix.oracles.decision_tree import ForestLearner, ForestOracle
from learn2fix.oracles.formula import Formula
from learn2fix.oracles.protocol import Learner, Oracle
from learn2fix.oracles.work import Work

NEVER_FAILING = 0.499
"""Highest chance of a bug where none is predicted."""


@dataclass(frozen=True, slots=True)
class Doubting:
    """An oracle with the doubts of a forest."""

    oracle: Oracle
    forest: ForestOracle

    def chance(self, point: Point) -> float:
        votes = self.forest.chance(point)
        if self.oracle.chance(point) >= 0.5:
            return 0.5 + votes / 2
        return min(0.5 - (1 - votes) / 2, NEVER_FAILING)

    @property
    def formula(self) -> Formula | None:
        return self.oracle.formula


def doubting(
    oracle: Oracle,
    variables: Sequence[Variable],
    examples: Sequence[Example],
    rng: random.Random,
    work: Work | None = None,
) -> Doubting:
    return Doubting(oracle, ForestLearner().learn(variables, examples, rng, work))


class DoubtingLearner:
    """A learner of crisp conditions for rules that ask where an oracle is uncertain."""

    def __init__(self, learner: Learner) -> None:
        self._learner = learner

    @property
    def name(self) -> str:
        return self._learner.name

    def learn(
        self,
        variables: Sequence[Variable],
        examples: Sequence[Example],
        rng: random.Random,
        work: Work | None = None,
    ) -> Doubting:
        work = work or Work()
        return doubting(self._learner.learn(variables, examples, rng, work), variables, examples, rng, work)
