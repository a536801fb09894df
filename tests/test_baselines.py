"""The journal extension's learners keep the protocol; they need not fit every label."""

from __future__ import annotations

import pytest

from learn2fix.oracles.baselines import Baseline
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
