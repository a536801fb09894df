"""The baselines: ask at random, ask where the oracle is least certain."""

from __future__ import annotations

from collections.abc import Sequence

from learn2fix.querying.protocol import Ask, Case, Choice, State


def uncertainty(chance: float) -> float:
    """1 where the oracle knows nothing, 0 where it is certain."""
    return 1.0 - abs(2.0 * chance - 1.0)


class RandomRule:
    """Every generated test is asked about."""

    name = "random"
    pool = 1
    growth = 0

    def choose(self, state: State, pool: Sequence[Case]) -> Choice:
        return Ask(0, "drawn at random", fair=True)


class UncertaintyRule:
    """The test of a pool on which the oracle is least certain; at random among equals."""

    name = "uncertainty"
    pool = 100
    growth = 10

    def choose(self, state: State, pool: Sequence[Case]) -> Choice:
        scores = [uncertainty(state.oracle.chance(case.point)) for case in pool]
        best = max(scores)
        index = state.rng.choice([place for place, score in enumerate(scores) if score == best])
        return Ask(index, f"the oracle gives this a chance of {state.oracle.chance(pool[index].point):.0%}")
