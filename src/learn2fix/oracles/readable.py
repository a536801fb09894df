"""A condition that a person can read, learned on what the oracle itself says of many inputs."""

from __future__ import annotations

import math
import random
from collections.abc import Iterator, Sequence

from learn2fix.model import Example, Variable
from learn2fix.oracles.formula import And, Formula, Or, conjunction, disjunction
from learn2fix.oracles.protocol import Learner
from learn2fix.oracles.work import STEPS, Work

FIRST = 24
STEP = 8


def readable(
    learner: Learner,
    variables: Sequence[Variable],
    certain: Sequence[Example],
    predicted: Sequence[Example],
    rng: random.Random,
    work: Work,
    *,
    first: int = FIRST,
    price: float = 0.0,
) -> tuple[Formula | None, float]:
    """The simplest formula found that agrees with the predictions, and the share of them it agrees with.

    Learned on few of them first; those that the formula gets wrong are added until none is, as INCAL does,
    or until the work is done. `price` is the agreement that a formula must bring for each unit of its cost:
    where features only come near to what matters, the last exceptions make a condition that nobody can read.
    """
    rest = list(predicted)
    rng.shuffle(rest)
    rest.sort(key=lambda example: not example.failing)
    failing = [example for example in rest if example.failing][: first // 2]
    passing = [example for example in rest if not example.failing][: first - len(failing)]
    training = [*certain, *failing, *passing]
    best: tuple[Formula | None, float] = (None, 0.0)
    highest = -math.inf
    while True:
        # A round that has begun is finished: half a search finds conditions that are longer than need be.
        one = Work(within=work.within)
        formula = learner.learn(variables, training, random.Random(rng.getrandbits(64)), one).formula
        work.steps -= STEPS - one.steps
        if formula is None or one.late:
            return best
        wrong = [example for example in rest if formula.holds(example.point) is not example.failing]
        agreement = 1 - len(wrong) / len(rest) if rest else 1.0
        if price:
            formula, agreement = _pruned(formula, certain, rest, price)
        score = agreement - price * formula.cost
        if score >= highest:
            best, highest = (formula, agreement), score
        if not wrong or work.spent:
            return best
        training += wrong[:STEP]


def _pruned(
    formula: Formula, certain: Sequence[Example], rest: Sequence[Example], price: float
) -> tuple[Formula, float]:
    """Without the parts that do not bring what they cost; what the person said stays true."""

    def agreement(one: Formula) -> float:
        return sum(one.holds(e.point) is e.failing for e in rest) / len(rest) if rest else 1.0

    found = agreement(formula)
    while True:
        kept = [e for e in certain if formula.holds(e.point) is e.failing]
        smaller = [
            (agreement(one), one)
            for one in _parts_left_out(formula)
            if all(one.holds(e.point) is e.failing for e in kept)
        ]
        better = max(smaller, key=lambda each: each[0] - price * each[1].cost, default=None)
        if better is None or better[0] - price * better[1].cost <= found - price * formula.cost:
            return formula, found
        found, formula = better


def _parts_left_out(formula: Formula) -> Iterator[Formula]:
    join = conjunction if isinstance(formula, And) else disjunction if isinstance(formula, Or) else None
    if join is None:
        return
    parts = formula.children
    for place, part in enumerate(parts):
        others = [*parts[:place], *parts[place + 1 :]]
        if others:
            yield join(others)
        for smaller in _parts_left_out(part):
            yield join([*parts[:place], smaller, *parts[place + 1 :]])
