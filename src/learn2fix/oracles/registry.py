"""Learners by name. Heavy libraries are imported by the learners themselves, when they are first used."""

from __future__ import annotations

from learn2fix.errors import UsageError
from learn2fix.oracles.baselines import BASELINES, Baseline
from learn2fix.oracles.decision_tree import ForestLearner, TreeLearner
from learn2fix.oracles.incal import IncalLra
from learn2fix.oracles.protocol import Learner
from learn2fix.oracles.smt_lra import SmtLra

SYNONYMS = {"naive-bayes": "bayes"}
LEARNERS = ("smt", "incal", "tree", "forest", *BASELINES)


def learner(name: str) -> Learner:
    """The learner of this name with its usual settings."""
    match SYNONYMS.get(name, name):
        case "smt":
            return SmtLra()
        case "incal":
            return IncalLra()
        case "tree":
            return TreeLearner()
        case "forest":
            return ForestLearner()
        case known if known in BASELINES:
            return Baseline(known)
        case _:
            raise UsageError(f"no learner is called {name!r}", f"there are {', '.join(LEARNERS)}")
