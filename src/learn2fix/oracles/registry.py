"""Learners by name. What a learner needs is imported when it is asked for, and not before."""

from __future__ import annotations

from learn2fix.errors import UsageError
from learn2fix.oracles.protocol import Learner

LEARNERS = ("smt", "incal", "tree", "forest", "plain-tree", "adaboost", "naive-bayes", "svm", "mlp")


def learner(name: str) -> Learner:
    """The learner of this name with its usual settings."""
    match name:
        case "smt":
            from learn2fix.oracles.smt_lra import SmtLra

            return SmtLra()
        case "incal":
            from learn2fix.oracles.incal import IncalLra

            return IncalLra()
        case "tree":
            from learn2fix.oracles.decision_tree import TreeLearner

            return TreeLearner()
        case "forest":
            from learn2fix.oracles.decision_tree import ForestLearner

            return ForestLearner()
        case "plain-tree" | "adaboost" | "naive-bayes" | "svm" | "mlp":
            from learn2fix.oracles.baselines import Baseline

            return Baseline(name)
        case _:
            raise UsageError(f"no learner is called {name!r}", f"there are {', '.join(LEARNERS)}")
