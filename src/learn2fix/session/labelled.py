"""Learning from labels alone: the paper's loop, and ours for a program without source."""

from __future__ import annotations

import random
from collections.abc import Generator, Sequence

from learn2fix.fuzzing import EXTENDED, PAPER, Fuzzer, infer
from learn2fix.learning import Budget, Loop, Setup
from learn2fix.model import Observation, Question, Reply, Verdict
from learn2fix.oracles.registry import learner
from learn2fix.querying import rule
from learn2fix.session.rig import Rig

TOGETHER = 0.3
"""How often positions that hold the same number are changed alike: from 2 2 2 to 5 5 5, which mutations of
one position at a time hardly ever make."""


class Labelled:
    """One run of the active loop, with what it knows readable between two questions."""

    def __init__(self, rig: Rig, learner_name: str, rule_name: str) -> None:
        options = rig.options
        rng = random.Random(options.seed)
        failing = [label.observation.input for label in rig.known if label.answer.verdict is Verdict.BUG]
        known = [label.observation.input for label in rig.known]
        paper = options.strategy == "paper"
        mutations = options.mutations or ("paper" if paper else "extended")
        fuzzer = Fuzzer(
            rig.domain,
            failing,
            random.Random(rng.getrandbits(64)),
            operators=PAPER if mutations == "paper" else EXTENDED,
            together=0.0 if mutations == "paper" else TOGETHER,
            contract=None if paper else infer([given.values for given in known]),
            seen={given.text for given in known},
        )
        self.rig = rig
        self.loop = Loop(
            Setup(
                domain=rig.domain,
                known=rig.known,
                run=rig.run,
                fuzzer=fuzzer,
                learner=learner(learner_name),
                rule=rule(rule_name),
                rng=rng,
                clock=rig.clock,
                budget=Budget(labels=options.labels, deadline=rig.deadline),
                emit=rig.emit,
            )
        )

    def questions(self) -> Generator[Question, Reply, None]:
        yield from self.loop.questions()

    def chances(self, observations: Sequence[Observation]) -> list[float]:
        oracle, point = self.loop.oracle, self.rig.domain.point
        known = {label.observation.input.text: label.answer.verdict for label in self.loop.learned().labels}
        certain = {Verdict.BUG: 1.0, Verdict.OK: 0.0}
        return [
            certain.get(known.get(each.input.text, Verdict.UNSURE), oracle.chance(point(each)))
            for each in observations
        ]
