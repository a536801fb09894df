"""The learners of the authors' journal extension, on raw inputs and output, for comparison in experiments."""

from __future__ import annotations

import random
from collections.abc import Callable, Sequence
from typing import Any

from learn2fix.errors import UsageError
from learn2fix.model import Example, Point, Scalar, Variable
from learn2fix.oracles.fitted import Bayes, Fitted, Network, Stumps, Tree, Vectors
from learn2fix.oracles.formula import FALSE, TRUE, Formula
from learn2fix.oracles.work import Work

LARGEST = 10**15
"""Library learners compute in floating point (trees in single precision): larger numbers are cut off."""
ITERATIONS = 100_000
"""Of a solver that would otherwise go on until it converges."""


class Baseline:
    """A classifier of scikit-learn under our protocol."""

    def __init__(self, name: str) -> None:
        if name not in BASELINES:
            raise ValueError(f"no baseline is called {name!r}")
        self.name = name

    def learn(
        self,
        variables: Sequence[Variable],
        examples: Sequence[Example],
        rng: random.Random,
        work: Work | None = None,
    ) -> BaselineOracle:
        labels = [example.failing for example in examples]
        rows = [_row(example.point) for example in examples]
        majority = 2 * sum(labels) >= len(labels)
        # A single label, or numbers that are equal in floating point: nothing to tell apart.
        if len(set(labels)) < 2 or all(row == rows[0] for row in rows):
            return BaselineOracle(None, majority)
        try:
            classifier = BASELINES[self.name](rng.getrandbits(31))
        except ImportError as error:
            raise UsageError(
                f"the learner {self.name} needs scikit-learn", "pip install 'learn2fix[trees]'"
            ) from error
        classifier.fit(rows, labels)
        return BaselineOracle(FITTED[self.name](classifier), False)


class BaselineOracle:
    """What a library classifier says; constant while only one label was seen."""

    def __init__(self, classifier: Fitted | None, always: bool) -> None:
        self._classifier = classifier
        self._always = always

    def chance(self, point: Point) -> float:
        if self._classifier is None:
            return float(self._always)
        return self._classifier.failing(_row(point))

    @property
    def formula(self) -> Formula | None:
        if self._classifier is not None:
            return None
        return TRUE if self._always else FALSE


def _row(point: Point) -> list[float]:
    """Each variable as a number, and whether it was text instead."""
    return [number for value in point for number in (_float(value), float(isinstance(value, str)))]


def _float(value: Scalar) -> float:
    if isinstance(value, str):
        return 0.0
    return float(min(max(value, -LARGEST), LARGEST))


def _plain_tree(seed: int) -> Any:
    from sklearn.tree import DecisionTreeClassifier

    return DecisionTreeClassifier(random_state=seed)


def _adaboost(seed: int) -> Any:
    from sklearn.ensemble import AdaBoostClassifier

    return AdaBoostClassifier(random_state=seed)


def _naive_bayes(seed: int) -> Any:
    from sklearn.naive_bayes import GaussianNB

    return GaussianNB()


def _svm(seed: int) -> Any:
    from sklearn.pipeline import make_pipeline
    from sklearn.preprocessing import StandardScaler
    from sklearn.svm import SVC

    return make_pipeline(StandardScaler(), SVC(random_state=seed, max_iter=ITERATIONS))


def _mlp(seed: int) -> Any:
    from sklearn.neural_network import MLPClassifier
    from sklearn.pipeline import make_pipeline
    from sklearn.preprocessing import StandardScaler

    network = MLPClassifier(hidden_layer_sizes=(20,), solver="lbfgs", max_iter=300, random_state=seed)
    return make_pipeline(StandardScaler(), network)


BASELINES: dict[str, Callable[[int], Any]] = {
    "plain-tree": _plain_tree,
    "adaboost": _adaboost,
    "bayes": _naive_bayes,
    "svm": _svm,
    "mlp": _mlp,
}

FITTED: dict[str, Callable[[Any], Fitted]] = {
    "plain-tree": Tree,
    "adaboost": Stumps,
    "bayes": Bayes,
    "svm": lambda pipeline: Vectors(*(step for _, step in pipeline.steps)),
    "mlp": lambda pipeline: Network(*(step for _, step in pipeline.steps)),
}
"""The same classifiers, once they have learned."""
