"""What the loop shows a query rule, and what the rule may decide.

One protocol serves rules that look at one test at a time (the paper's: ask or throw away) and rules that pick
the best of many: the rule says how many tests it wants to see, and keeps or throws away the rest.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Protocol

from learn2fix.model import Example, Observation, Point, Variable
from learn2fix.oracles.protocol import Oracle


@dataclass(frozen=True, slots=True)
class Case:
    """A generated test that was not asked about, with the point that learners see of it."""

    observation: Observation
    point: Point


@dataclass(frozen=True, slots=True)
class State:
    """All that is known when a question is chosen."""

    variables: Sequence[Variable]
    examples: Sequence[Example]
    """The labelled points, in the order of the answers."""
    oracle: Oracle
    """What was learned from them."""
    learn: Callable[[Sequence[Example]], Oracle]
    """The same learner on other examples."""
    neighbours: Callable[[int], Sequence[Case]]
    """That many fresh tests near the failing ones, run but not counted as generated."""
    around: Callable[[Case, int], Sequence[Case]]
    """That many tests made from this one, run but not counted as generated."""
    rng: random.Random
    asked: int
    """Questions answered so far."""
    remaining: int
    """Questions that may still be asked."""
    usual: Callable[[Case], bool] = lambda case: True
    """Whether an input is of the sign and magnitude of those that are known."""


@dataclass(frozen=True, slots=True)
class Ask:
    """Ask about the test at this place."""

    index: int
    why: str = ""
    fair: bool = False
    """Drawn at random from generated tests, whatever the oracle says of them: an unbiased check of it."""


@dataclass(frozen=True, slots=True)
class Skip:
    """None of these is worth a question: throw them away and show others."""


@dataclass(frozen=True, slots=True)
class Stop:
    """No question can change the result."""

    reason: str


Choice = Ask | Skip | Stop


class Rule(Protocol):
    """Chooses among generated tests. One object serves one run, so a rule may remember."""

    name: str
    pool: int
    """Number of tests it wants to see at once."""
    growth: int
    """Number of further tests after every answer, since new failing inputs have new neighbours."""

    def choose(self, state: State, pool: Sequence[Case]) -> Choice: ...
