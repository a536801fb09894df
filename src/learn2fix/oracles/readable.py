"""A condition that a person can read, learned on what the oracle itself says of many inputs."""

from __future__ import annotations

import math
import random
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass

from learn2fix.model import Example, Variable
from learn2fix.oracles.formula import FALSE, TRUE, And, Formula, Or, conjunction, disjunction
from learn2fix.oracles.protocol import Learner
from learn2fix.oracles.work import STEPS, Work
from learn2fix.wording import plural

FIRST = 24
STEP = 8
LIMIT = 80
"""Maximum number of characters of a condition."""
ROUGH = 0.5
"""Share of the rarer side, bugs or others, that a condition may get wrong and still be called rough."""


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
    known = set(training)
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
        # Those that contradict others stay wrong however often they are added.
        new = [example for example in dict.fromkeys(wrong) if example not in known]
        if not new or work.spent:
            return best
        training += new[:STEP]
        known.update(new[:STEP])


def _pruned(
    formula: Formula, certain: Sequence[Example], rest: Sequence[Example], price: float
) -> tuple[Formula, float]:
    """Without the parts that do not bring what they cost; what the person said stays true."""

    found = _agreement(formula, rest)
    while True:
        kept = [e for e in certain if formula.holds(e.point) is e.failing]
        smaller = [
            (_agreement(one, rest), one)
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


@dataclass(frozen=True, slots=True)
class Shown:
    """A condition for people: a formula that they can read, or only a sentence."""

    sentence: str
    """When the bug shows, with how often that is wrong; never longer than people read."""
    formula: Formula | None = None
    """None where no short one comes near."""
    wrong: int = 0
    """Number of predictions that the formula contradicts."""


def shown(
    formula: Formula | None,
    variables: Sequence[Variable],
    certain: Sequence[Example],
    predicted: Sequence[Example],
    named: Callable[[int], str],
    limit: int = LIMIT,
) -> Shown:
    """What to say of a formula. `named` says an input: of those predicted, by its place."""
    bugs = [place for place, each in enumerate(predicted) if each.failing]
    others = [place for place, each in enumerate(predicted) if not each.failing]
    if predicted and not others:
        if len(predicted) == 1:
            return Shown("")
        return Shown(f"The bug shows on all of the {len(predicted)} inputs that were generated.")
    short = None if formula is None else shortened(formula, variables, certain, predicted, limit)
    known = [example for example in certain if example.failing]
    if short not in (None, TRUE, FALSE) and any(short.holds(example.point) for example in known):
        wrong = sum(short.holds(each.point) is not each.failing for each in predicted)
        text = short.text(variables)
        if not wrong:
            return Shown(f"The bug shows when: {text}", short)
        if wrong <= ROUGH * min(len(bugs), len(others)):
            often = f"wrong on {wrong} of {plural(len(predicted), 'generated input')}"
            return Shown(f"The bug shows roughly when: {text} ({often})", short, wrong)
    if not bugs:
        return Shown("")
    shows, not_on = _few(bugs, named), _few(others, named, most=1)
    return Shown(f"The bug shows on {shows}, for example, but not on {not_on}.")


def brief(formula: Formula | None, variables: Sequence[Variable], limit: int = LIMIT) -> str:
    """A formula in passing; empty where it is too long to be read, or says nothing."""
    if formula in (None, TRUE, FALSE):
        return ""
    text = formula.text(variables)
    return text if len(text) <= limit else ""


def shortened(
    formula: Formula,
    variables: Sequence[Variable],
    certain: Sequence[Example],
    rest: Sequence[Example],
    limit: int,
) -> Formula | None:
    """Without as many parts as it takes to be short, those first that matter least."""
    while len(formula.text(variables)) > limit:
        smaller = list(_parts_left_out(formula))
        if not smaller:
            return None
        formula = max(smaller, key=lambda one: (_agreement(one, certain) + _agreement(one, rest), -one.cost))
    return formula


def _agreement(formula: Formula, examples: Sequence[Example]) -> float:
    return sum(formula.holds(e.point) is e.failing for e in examples) / len(examples) if examples else 1.0


def _few(places: Sequence[int], named: Callable[[int], str], most: int = 2) -> str:
    """The shortest of them, in words."""
    return " and ".join(sorted({named(place) for place in places}, key=lambda text: (len(text), text))[:most])
