"""The journal extension's learners keep the protocol; they need not fit every label."""

from __future__ import annotations

import random

import pytest

from learn2fix.oracles.baselines import BASELINES, FITTED, Baseline
from learn2fix.oracles.protocol import Learner
from learn2fix.oracles.registry import LEARNERS, learner
from learner_conformance import LearnerConformance

pytest.importorskip("sklearn")


class _Baseline(LearnerConformance):
    fits_exactly = False
    examples = 5
    kind = ""

    def learner(self) -> Learner:
        return Baseline(self.kind)


class TestPlainTree(_Baseline):
    kind = "plain-tree"


class TestAdaBoost(_Baseline):
    kind = "adaboost"


class TestNaiveBayes(_Baseline):
    kind = "bayes"


class TestSvm(_Baseline):
    kind = "svm"


class TestMlp(_Baseline):
    kind = "mlp"


def test_every_baseline_is_a_learner_by_name() -> None:
    """The names that the journal extension's learners have in tables, and the ones from before."""
    for name in ("adaboost", "bayes", "svm", "mlp", "tree", "plain-tree"):
        assert learner(name).name == name
    assert learner("naive-bayes").name == "bayes"
    assert {"adaboost", "bayes", "svm", "mlp", "tree"} <= set(LEARNERS)


@pytest.mark.parametrize("name", BASELINES)
def test_what_was_fitted_says_what_the_library_says(name: str) -> None:
    """Also where a tree splits nothing, for numbers beyond single precision, and for points on a limit."""
    for seed in range(12):
        rng = random.Random(seed)
        width, largest = rng.randint(1, 4), (1, 2, 50, 10**9, 10**15)[seed % 5]

        def row(width: int = width, largest: int = largest, rng: random.Random = rng) -> list[float]:
            return [float(rng.randint(-largest, largest)) for _ in range(width)]

        rows = [row() for _ in range(rng.randint(6, 25))]
        labels = [rng.random() < 0.5 for _ in rows[:-2]] + [True, False]
        library = BASELINES[name](seed).fit(rows, labels)
        ours = FITTED[name](library)
        for point in rows + [row() for _ in range(20)]:
            if name == "svm":
                assert ours.failing(point) == float(library.predict([point])[0])
            else:
                assert ours.failing(point) == pytest.approx(library.predict_proba([point])[0][1], abs=1e-9)
