"""Ask where the oracle is uncertain and far from what is known; look around until both answers are known."""

from __future__ import annotations

import math
from collections.abc import Sequence

from learn2fix.model import Point, Scalar
from learn2fix.oracles.formula import ABSENT
from learn2fix.querying.baselines import uncertainty
from learn2fix.querying.protocol import Ask, Case, Choice, State, Stop

LARGEST = 10**300
"""Larger numbers do not fit a float, and are all equally far."""
UNUSUAL = 0.4
"""What a question about an unusual input is worth beside a usual one: it may make no sense."""
CALM = 0.03
PATIENCE = 3


class SpreadRule:
    """Uncertainty times distance to the nearest labelled test, over a pool.

    Random and far questions alternate until both a bug and a pass are known. It stops when the mean
    uncertainty over the pool stays below CALM for PATIENCE questions; an oracle that never says
    anything but yes and no has no uncertainty to go by, and is not stopped.
    """

    name = "spread"
    pool = 200
    growth = 20

    def __init__(self, stops: bool = True) -> None:
        self._stops = stops
        self._quiet = 0
        self._graded = False

    def choose(self, state: State, pool: Sequence[Case]) -> Choice:
        if len({example.failing for example in state.examples}) < 2:
            return self._look_around(state, pool)
        doubts = [uncertainty(state.oracle.chance(case.point)) for case in pool]
        self._quiet = self._quiet + 1 if sum(doubts) / len(doubts) < CALM else 0
        self._graded = self._graded or any(doubts)
        if self._stops and self._graded and self._quiet >= PATIENCE:
            return Stop("the oracle has been sure of nearly all generated inputs for several questions")
        distances = self._distances(state, pool)
        scores = [
            doubt * distance * (1.0 if state.usual(case) else UNUSUAL)
            for doubt, distance, case in zip(doubts, distances, pool, strict=True)
        ]
        if max(scores) <= 0:
            index = _best(distances)
            return Ask(index, "it is far from every input asked about so far")
        index = _best(scores)
        return Ask(index, f"bug or not is open here ({state.oracle.chance(pool[index].point):.0%})")

    def _look_around(self, state: State, pool: Sequence[Case]) -> Choice:
        # An input that passes is likeliest found among the usual ones, while there are any.
        usual = [place for place, case in enumerate(pool) if state.usual(case)] or list(range(len(pool)))
        if state.asked % 2 == 0:
            fair = len(usual) == len(pool)
            return Ask(state.rng.choice(usual), "drawn at random, to look around", fair=fair)
        far = _best(self._distances(state, [pool[place] for place in usual]))
        return Ask(usual[far], "it is far from every input asked about so far")

    def _distances(self, state: State, pool: Sequence[Case]) -> list[float]:
        known = [example.point for example in state.examples]
        return distances([case.point for case in pool], known)


def _best(scores: Sequence[float]) -> int:
    return max(range(len(scores)), key=scores.__getitem__)


def distances(points: Sequence[Point], known: Sequence[Point]) -> list[float]:
    """For each point the distance to the nearest known one.

    Numbers are compared by their logarithm and scaled by the spread of all of them, so that no variable
    drowns the others; texts are equal or not.
    """
    width = len(points[0]) if points else 0
    columns: list[tuple[list[float], list[float]]] = []
    for place in range(width):
        here = [point[place] for point in points]
        there = [point[place] for point in known]
        columns.append(_scaled(here, there))
    result = []
    for index in range(len(points)):
        nearest = math.inf
        for other in range(len(known)):
            total = 0.0
            for here_scaled, there_scaled in columns:
                total += abs(here_scaled[index] - there_scaled[other])
                if total >= nearest:
                    break
            nearest = min(nearest, total)
        result.append(nearest if known else 1.0)
    return result


def _scaled(here: Sequence[Scalar], there: Sequence[Scalar]) -> tuple[list[float], list[float]]:
    both = [*here, *there]
    texts = {value: place for place, value in enumerate(sorted({v for v in both if isinstance(v, str)}))}
    numbers = [_logarithm(value) for value in both if not isinstance(value, str)]
    least, largest = (min(numbers), max(numbers)) if numbers else (0.0, 0.0)
    span = largest - least or 1.0

    def scale(value: Scalar) -> float:
        if value == ABSENT:
            return -0.5  # so that an empty list, which has hardly any feature, is not far from everything
        # Every text is one unit or more away from every number and from every other text.
        return 2.0 + texts[value] if isinstance(value, str) else (_logarithm(value) - least) / span

    scaled = [scale(value) for value in both]
    return scaled[: len(here)], scaled[len(here) :]


def _logarithm(value: Scalar) -> float:
    if isinstance(value, str):
        return 0.0
    # An exact number of any size, without overflow.
    size = float(value if value >= 0 else -value) if -LARGEST < value < LARGEST else float(LARGEST)
    # Not copysign(): it takes a float, and whole numbers of Python can be larger than any.
    return math.log1p(size) if value >= 0 else -math.log1p(size)
