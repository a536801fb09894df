"""The journal extension's learners keep the protocol; they need not fit every label."""

from __future__ import annotations

import pytest

from learn2fix.oracles.baselines import Baseline
from learn2fix.oracles.protocol import Learner
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
    kind = "naive-bayes"


class TestSvm(_Baseline):
    kind = "svm"


class TestMlp(_Baseline):
    kind = "mlp"
