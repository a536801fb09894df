"""The fast evaluator keeps the protocol, and agrees with rebuilt programs."""

from __future__ import annotations

from evaluator_conformance import EvaluatorConformance
from learn2fix.evaluation import Evaluator
from learn2fix.evaluation.c import CEvaluator


class TestEngine(EvaluatorConformance):
    def make(self, source: bytes) -> Evaluator:
        return CEvaluator(source)
