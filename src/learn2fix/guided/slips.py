"""Answers that may be slips: without one of them, a fix that was likely a moment ago would still be there.

Two stories are weighed. Either every answer is right, and the fix is one of those that are left or one that
nobody has tried; or one answer is wrong, and the fix is among those that only this answer refutes.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

from learn2fix.model import Label, Requirement, Verdict
from learn2fix.repair.space import Space

USUAL_NOISE = 0.03
"""Chance that an answer is wrong, where nobody says how often answers are."""
UNTRIED = 0.3
"""Chance that the right fix is none of the candidates, before any answer …"""
BY_CHANCE = 0.4
"""… and the chance of each answer then."""
STEEPNESS = 1.5
"""How fast belief falls with cost here: more slowly than in votes, since many a right fix is not cheap."""
MOST_COMPARED = 1_500
"""Number of refuted candidates that are looked at for each answer."""
MOST_AGAIN = 2
"""Number of times that a person is asked again, in one session."""


@dataclass(frozen=True, slots=True)
class Suspect:
    """An answer that may be a slip."""

    place: int
    """Which answer, counted from 0."""
    odds: float
    """How many times likelier it is that this answer is wrong than that all are right."""


def odds_of_slip(noise: float, answers: int, first: float, left: float, without: float) -> float:
    """For the costs of the cheapest fix that explains the failing inputs, that is left, and that would be
    left without the answer; infinite where there is none."""
    if not math.isfinite(without):
        return 0.0
    tried = 1 - UNTRIED
    wrong = noise * tried * math.exp(STEEPNESS * (first - without))
    right = UNTRIED * BY_CHANCE**answers + tried * math.exp(STEEPNESS * (first - left))
    return wrong / right


def suspect(space: Space, asked: Sequence[Label], certain: Sequence[int], noise: float) -> Suspect | None:
    """The answer that is likeliest to be wrong; None where all of them are likelier to be right.

    `certain`: answers that were given twice.
    """
    judged = [place for place, label in enumerate(asked) if label.answer.verdict in (Verdict.BUG, Verdict.OK)]
    first_asked = len(space.requirements) - sum(Requirement.from_label(label) is not None for label in asked)
    explaining = [number for number, met in space.fallen.items() if met >= first_asked]
    costs = [space.costs[number] for number in (*explaining, *space.survivors)]
    first, left = (
        min(costs, default=math.inf),
        min((space.costs[number] for number in space.survivors), default=math.inf),
    )
    found: list[Suspect] = []
    for place in judged:
        at = _requirement(space, asked[place])
        if place not in certain and at is not None:
            others = space.without(at, MOST_COMPARED)
            without = space.costs[others[0]] if others else math.inf
            found.append(Suspect(place, odds_of_slip(noise, len(judged), first, left, without)))
    best = max(found, key=lambda each: (each.odds, -each.place), default=None)
    return best if best is not None and best.odds >= 1 else None


def _requirement(space: Space, label: Label) -> int | None:
    """Which requirement an answer made; of a failing input that is asked about, the later one."""
    text = label.observation.input.text
    found = [place for place, each in enumerate(space.requirements) if each.input.text == text]
    return found[-1] if found else None
