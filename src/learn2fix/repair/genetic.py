"""GenProg's genetic search: variants that pass more tests have more offspring, until one passes them all."""

from __future__ import annotations

import random
from collections.abc import Callable, Sequence
from dataclasses import dataclass

from learn2fix.languages.protocol import StatementEdits
from learn2fix.model import Candidate

FAILING_WEIGHT, PASSING_WEIGHT = 10.0, 1.0
"""What a test counts that the original fails or passes, as GenProg has it."""


@dataclass(frozen=True, slots=True)
class Population:
    size: int = 40
    generations: int = 10
    mutation: float = 0.5
    tournament: int = 2


@dataclass(frozen=True, slots=True)
class Evolved:
    """What the search found: variants that pass every test, the first found first."""

    repairs: tuple[Candidate, ...]
    tried: int


Passes = Callable[[Sequence[Candidate]], Sequence[tuple[bool, ...]]]
"""For each variant, which of the tests it passes."""


def evolve(
    operators: StatementEdits,
    passes: Passes,
    weights: Sequence[float],
    rng: random.Random,
    population: Population | None = None,
    within: Callable[[], bool] = lambda: True,
) -> Evolved:
    """`weights`: what each test counts. Ends with the first generation that has a repair."""
    limits = population or Population()
    known: dict[Candidate, tuple[bool, ...]] = {}

    def judge(variants: Sequence[Candidate]) -> None:
        new = list(dict.fromkeys(variant for variant in variants if variant not in known))
        known.update(zip(new, passes(new) if new else (), strict=True))

    def fitness(variant: Candidate) -> float:
        return sum(weight for weight, passed in zip(weights, known[variant], strict=True) if passed)

    first = [edit for _ in range(limits.size) if (edit := operators.random_edit(rng)) is not None]
    variants = first
    for _ in range(limits.generations):
        judge(variants)
        repairs = [variant for variant in dict.fromkeys(variants) if all(known[variant])]
        if repairs or len(variants) < 2 or not within():
            return Evolved(tuple(repairs), len(known))

        def parent() -> Candidate:
            return max(rng.choices(variants, k=limits.tournament), key=fitness)  # noqa: B023 - used at once

        offspring: list[Candidate] = []
        while len(offspring) < limits.size:
            offspring += operators.crossover(parent(), parent(), rng)
        mutated = [
            operators.mutate(child, rng) if rng.random() < limits.mutation else child for child in offspring
        ]
        judge(mutated)
        # The fittest of both generations go on: a good variant is never lost to an unlucky draw.
        variants = sorted(dict.fromkeys([*variants, *mutated]), key=fitness, reverse=True)[: limits.size]
    repairs = [variant for variant in variants if all(known[variant])]
    return Evolved(tuple(repairs), len(known))
