"""What a library has fitted, evaluated at one point: its own calls spend their time on checking arguments.

A committee asks about one test at a time, with up to twenty members: that is most of what a learner does.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any, Protocol


class Fitted(Protocol):
    def failing(self, row: Sequence[float]) -> float:
        """The chance that a point is failing."""
        ...


class Stumps:
    """AdaBoost over trees of one split."""

    def __init__(self, fitted: Any) -> None:
        import numpy as np

        trees = [each.tree_ for each in fitted.estimators_]
        self._weights = np.asarray(fitted.estimator_weights_[: len(trees)])
        self._features = np.array([max(0, tree.feature[0]) for tree in trees])
        self._limits = np.array([tree.threshold[0] for tree in trees])
        # A tree of one leaf says the same on both sides.
        sides = [(0, 0) if tree.node_count == 1 else (1, 2) for tree in trees]
        self._votes = np.array(
            [
                [2 * int(tree.value[side][0].argmax()) - 1 for side in pair]
                for tree, pair in zip(trees, sides, strict=True)
            ]
        )

    def failing(self, row: Sequence[float]) -> float:
        import numpy as np

        # Trees compare numbers in single precision.
        values = np.asarray(row, dtype=np.float32)[self._features]
        votes = np.where(values <= self._limits, self._votes[:, 0], self._votes[:, 1])
        return _logistic(float(2 * (votes @ self._weights) / self._weights.sum()))


class Bayes:
    """Naive Bayes with normal distributions."""

    def __init__(self, fitted: Any) -> None:
        self._classes = [
            (math.log(prior) - 0.5 * sum(math.log(2 * math.pi * v) for v in variances), means, variances)
            for prior, means, variances in zip(
                fitted.class_prior_.tolist(), fitted.theta_.tolist(), fitted.var_.tolist(), strict=True
            )
        ]

    def failing(self, row: Sequence[float]) -> float:
        passing, failing = (
            constant - 0.5 * sum((x - m) ** 2 / v for x, m, v in zip(row, means, variances, strict=True))
            for constant, means, variances in self._classes
        )
        return _logistic(failing - passing)


class Vectors:
    """Support vectors with radial kernels, on scaled numbers."""

    def __init__(self, scaler: Any, fitted: Any) -> None:
        self._mean, self._scale = scaler.mean_, scaler.scale_
        self._vectors, self._gamma = fitted.support_vectors_, fitted._gamma
        self._weights, self._shift = fitted.dual_coef_[0], float(fitted.intercept_[0])

    def failing(self, row: Sequence[float]) -> float:
        import numpy as np

        apart = self._vectors - (np.asarray(row) - self._mean) / self._scale
        kernels = np.exp(-self._gamma * (apart * apart).sum(axis=1))
        return float(kernels @ self._weights + self._shift > 0)


class Network:
    """One hidden layer of rectified units and a logistic one, on scaled numbers."""

    def __init__(self, scaler: Any, fitted: Any) -> None:
        self._mean, self._scale = scaler.mean_, scaler.scale_
        (self._first, self._last), (self._shift, self._bias) = fitted.coefs_, fitted.intercepts_

    def failing(self, row: Sequence[float]) -> float:
        import numpy as np

        hidden = np.maximum(((np.asarray(row) - self._mean) / self._scale) @ self._first + self._shift, 0.0)
        return _logistic(float((hidden @ self._last + self._bias)[0]))


class Tree:
    """A decision tree."""

    def __init__(self, fitted: Any) -> None:
        tree = fitted.tree_
        self._left, self._right = tree.children_left.tolist(), tree.children_right.tolist()
        self._features, self._limits = tree.feature.tolist(), tree.threshold.tolist()
        self._shares = [float(value[0][1] / value[0].sum()) for value in tree.value]

    def failing(self, row: Sequence[float]) -> float:
        import numpy as np

        node = 0
        while self._left[node] != -1:
            within = float(np.float32(row[self._features[node]])) <= self._limits[node]
            node = self._left[node] if within else self._right[node]
        return self._shares[node]


def _logistic(value: float) -> float:
    if value >= 0:
        return 1 / (1 + math.exp(-value))
    return math.exp(value) / (1 + math.exp(value))
