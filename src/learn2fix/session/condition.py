"""A condition that a person can read, learned on what the oracle itself says of many inputs."""

from __future__ import annotations

import random
from collections.abc import Callable, Sequence

from learn2fix.model import Example, Variable
from learn2fix.oracles.formula import Formula
from learn2fix.oracles.protocol import Learner

FIRST = 24
STEP = 8


def readable(
    learner: Learner,
    variables: Sequence[Variable],
    certain: Sequence[Example],
    predicted: Sequence[Example],
    rng: random.Random,
    within: Callable[[], bool],
) -> tuple[Formula | None, float]:
    """The simplest formula found that agrees with the predictions, and the share of them it agrees with.

    Learned on few of them first; those that the formula gets wrong are added until none is, as INCAL does.
    """
    rest = list(predicted)
    rng.shuffle(rest)
    rest.sort(key=lambda example: not example.failing)
    failing = [example for example in rest if example.failing][: FIRST // 2]
    passing = [example for example in rest if not example.failing][: FIRST - len(failing)]
    training = [*certain, *failing, *passing]
    best: tuple[Formula | None, float] = (None, 0.0)
    while True:
        formula = learner.learn(variables, training, random.Random(rng.getrandbits(64))).formula
        if formula is None:
            return best
        wrong = [example for example in rest if formula.holds(example.point) is not example.failing]
        agreement = 1 - len(wrong) / len(rest) if rest else 1.0
        if agreement >= best[1]:
            best = (formula, agreement)
        if not wrong or not within():
            return best
        training += wrong[:STEP]
