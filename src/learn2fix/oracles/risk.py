"""The risk that is left: how often the oracle mispredicts on inputs like those generated.

Two sources are combined.

Answers ("prequential"): before each answer the oracle of that moment made a prediction. Questions are not
a random sample, but rules ask where the oracle is least certain, so mistakes among the questions are
more frequent than among inputs at large; counting them as if the questions were drawn at random errs on
the safe side. Only the later half counts, because the oracle of the first questions is not the one that
is reported. The exact (Clopper-Pearson) bound on these counts holds whatever the bug is.

Doubt ("committee"): on the generated inputs that nobody was asked about, the oracle's own chances say how
much it expects to be wrong.

The upper bound is the Clopper-Pearson bound on the later answers; the estimate is the posterior mean of
the share of mistakes with the committee's doubt as its prior. `tests/test_risk.py` simulates bugs of many
kinds and checks that the bound covers the truth in at least 95 of 100 runs.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

METHOD = "prequential Clopper-Pearson on the later half of the answers, committee doubt as prior"


@dataclass(frozen=True, slots=True)
class Prediction:
    """What the oracle said before an answer, and the answer."""

    chance: float
    failing: bool

    @property
    def wrong(self) -> bool:
        return (self.chance >= 0.5) != self.failing


@dataclass(frozen=True, slots=True)
class Risk:
    """The chance of a wrong prediction."""

    estimate: float
    upper95: float
    method: str = METHOD


def assess(predictions: Sequence[Prediction], chances: Sequence[float]) -> Risk:
    """`predictions` in the order of the answers; `chances` of the final oracle on generated inputs."""
    later = predictions[len(predictions) // 2 :]
    wrong = sum(prediction.wrong for prediction in later)
    upper = clopper_pearson(wrong, len(later))
    doubt = sum(min(chance, 1 - chance) for chance in chances) / len(chances) if chances else 0.5
    estimate = (wrong + PRIOR * doubt) / (len(later) + PRIOR)
    return Risk(min(estimate, upper), upper)


PRIOR = 4.0
"""As many answers as the committee's own doubt is worth."""


def clopper_pearson(wrong: int, total: int, level: float = 0.95) -> float:
    """The largest share of mistakes under which so few would be seen with a chance of 1 - level."""
    if wrong >= total:
        return 1.0
    low, high = wrong / total, 1.0
    for _ in range(60):
        share = (low + high) / 2
        if at_most(wrong, total, share) > 1 - level:
            low = share
        else:
            high = share
    return high


def at_most(wrong: int, total: int, share: float) -> float:
    """The chance of at most so many mistakes in so many answers."""
    return sum(math.comb(total, k) * share**k * (1 - share) ** (total - k) for k in range(wrong + 1))
