"""What every learner is handed and gives back; tests/learner_conformance.py says the rest."""

from __future__ import annotations

import random
from collections.abc import Sequence
from typing import Protocol

from learn2fix.model import Example, Point, Variable
from learn2fix.oracles.formula import Formula
from learn2fix.oracles.work import Work


class Oracle(Protocol):
    """Says of any point how likely the bug shows there. Total: no point makes it raise."""

    def chance(self, point: Point) -> float:
        """The chance, 0 to 1, that this point shows the bug."""
        ...

    @property
    def formula(self) -> Formula | None:
        """The readable condition, when there is one."""
        ...


class Learner(Protocol):
    """Turns labelled points into an oracle. The same examples and generator give the same oracle."""

    @property
    def name(self) -> str: ...

    def learn(
        self,
        variables: Sequence[Variable],
        examples: Sequence[Example],
        rng: random.Random,
        work: Work | None = None,
    ) -> Oracle:
        """An oracle of these labels, learned within `work` (the usual allowance when it is None).

        Contradictory labels on one point are no error: the most frequent one counts, failing on a tie.
        """
        ...
