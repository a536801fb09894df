"""The chance that a patch is right, from what the session knows of it.

A logistic model; its weights stand in confidence.toml, where tools/fit_confidence.py writes them. Confidence
is a claim: of the patches offered at 80 %, about 80 % should be right.
"""

from __future__ import annotations

import math
import tomllib
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from importlib.resources import files

from learn2fix.guided.signals import Signals


@dataclass(frozen=True, slots=True)
class Model:
    bias: float
    weights: Mapping[str, float]
    """For each of the signals."""

    @classmethod
    def read(cls, text: str) -> Model:
        data = tomllib.loads(text)
        return cls(float(data["bias"]), {name: float(weight) for name, weight in data["weights"].items()})

    def logit(self, signals: Mapping[str, float]) -> float:
        return self.bias + sum(weight * signals[name] for name, weight in self.weights.items())

    def chance(self, signals: Mapping[str, float]) -> float:
        return 1 / (1 + math.exp(-max(-30.0, min(30.0, self.logit(signals)))))


@cache
def model() -> Model:
    return Model.read(files("learn2fix.guided").joinpath("confidence.toml").read_text())


def confidence(signals: Signals) -> float:
    return model().chance(signals.named())
