"""The reference evaluator keeps the protocol."""

from __future__ import annotations

from evaluator_conformance import EvaluatorConformance
from learn2fix.evaluation import Evaluator, RebuildEvaluator


class TestRebuild(EvaluatorConformance):
    def make(self, source: bytes) -> Evaluator:
        return RebuildEvaluator(source, command=("gcc", "-O0", "-w", "-lm"))
