"""The reference evaluator keeps the protocol, and so does the engine linked by the user's compiler."""

from __future__ import annotations

import time

from tests.evaluator_programs import C

from evaluator_conformance import EvaluatorConformance
from learn2fix.languages.c.judging.evaluator import CEvaluator
from learn2fix.languages.c.judging.rebuild import RebuildEvaluator
from learn2fix.languages.evaluator import Clock, Evaluator


class TestRebuild(EvaluatorConformance):
    programs = C

    def make(self, source: bytes, clock: Clock = time.monotonic) -> Evaluator:
        return RebuildEvaluator(source, command=("gcc", "-O0", "-w", "-lm"), clock=clock)


class TestLinked(EvaluatorConformance):
    programs = C

    def make(self, source: bytes, clock: Clock = time.monotonic) -> Evaluator:
        return CEvaluator(source, cflags=("-std=gnu11",), linked=True, clock=clock)
