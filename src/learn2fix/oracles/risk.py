"""The risk that is left: how often the oracle mispredicts on inputs like those generated.

The method is called "answers and committee". Two upper bounds are computed, each at 97.5 %, and the smaller
one is reported, so that together they hold at 95 %.

Answers. Before each answer the oracle of that moment made a prediction; these are counted, the first third
left out because the oracle of the first questions is not the one that is reported. Questions are not a random
sample, for two reasons. Rules ask where the oracle is least certain, so that mistakes are more frequent among
the questions than among inputs at large; that errs on the safe side. And a rule may prefer inputs that
are predicted to fail (the paper's does); therefore predicted bugs and predicted passes are counted apart,
each with the exact bound of Clopper and Pearson, and weighed by their shares among the generated inputs.

Committee. Trees drawn from all that agree with every answer (a forest) stand for what the truth may be. The
share of generated inputs on which such a tree contradicts the oracle is what the risk would be if the tree
were the truth; its 95 % quantile is taken, with an allowance for what no tree imagines: the surprises
among the later half of the answers and two more, as a share of all answers. It was set in simulation.
Until both a bug and a pass were seen there is no such bound, since all trees say the same.

The estimate is the mean share on which trees contradict the oracle, held against the answers.
`tests/test_risk.py` simulates bugs of many kinds and checks how often the bound covers the truth.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

METHOD = "answers and committee"
CONFIDENCE = 0.975
ALLOWANCE = 2.0
"""Number of surprises allowed for beyond those that were seen."""
WORTH = 4.0
"""Weight of the committee in the estimate, in answers."""


@dataclass(frozen=True, slots=True)
class Prediction:
    """What the oracle said before an answer, and the answer."""

    chance: float
    failing: bool

    @property
    def bug(self) -> bool:
        return self.chance >= 0.5

    @property
    def wrong(self) -> bool:
        return self.bug != self.failing


@dataclass(frozen=True, slots=True)
class Risk:
    """The chance of a wrong prediction."""

    estimate: float
    upper95: float
    method: str = METHOD


def assess(predictions: Sequence[Prediction], shares: Sequence[float], bugs: float) -> Risk:
    """The risk of an oracle.

    `predictions` in the order of the answers; `shares`, for each drawn tree, of the generated inputs on
    which it contradicts the oracle; `bugs`, the share of generated inputs that the oracle calls a bug.
    """
    later = predictions[len(predictions) // 3 :]
    upper = min(from_answers(later, bugs), from_committee(predictions, shares))
    wrong = sum(prediction.wrong for prediction in later)
    expected = sum(shares) / len(shares) if shares else 0.5
    # Questions are asked where it is hardest, so mistakes among them count as those of more inputs.
    estimate = (wrong + WORTH * expected) / (2 * len(later) + WORTH)
    return Risk(min(estimate, upper), upper)


def from_answers(predictions: Sequence[Prediction], bugs: float) -> float:
    """The bound from answers: predicted bugs and predicted passes apart, weighed by their shares."""
    total = 0.0
    for bug, weight in ((True, bugs), (False, 1 - bugs)):
        counted = [prediction for prediction in predictions if prediction.bug == bug]
        wrong = sum(prediction.wrong for prediction in counted)
        # Half of what may go wrong for each of the two.
        total += weight * clopper_pearson(wrong, len(counted), 1 - (1 - CONFIDENCE) / 2)
    return min(total, 1.0)


def from_committee(predictions: Sequence[Prediction], shares: Sequence[float]) -> float:
    """The bound from the trees that agree with every answer; none while all answers were the same."""
    if not shares or len({prediction.failing for prediction in predictions}) < 2:
        return 1.0
    ordered = sorted(shares)
    quantile = ordered[min(math.ceil(0.95 * len(ordered)), len(ordered)) - 1]
    surprises = sum(prediction.wrong for prediction in predictions[len(predictions) // 2 :])
    return min(quantile + (surprises + ALLOWANCE) / len(predictions), 1.0)


def clopper_pearson(wrong: int, total: int, level: float = 0.95) -> float:
    """The largest share of mistakes under which at most `wrong` are seen with a chance of 1 - level."""
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
    """The chance of at most `wrong` mistakes in `total` answers."""
    return sum(math.comb(total, k) * share**k * (1 - share) ** (total - k) for k in range(wrong + 1))
