"""Repair when nobody can be asked: the whole space is searched for what the tests that exist demand."""

from __future__ import annotations

import random
from collections.abc import Callable, Sequence

from learn2fix.conversation.problem import Problem
from learn2fix.conversation.protocol import Stop
from learn2fix.conversation.result import Findings
from learn2fix.conversation.stopwatch import Stopwatch
from learn2fix.guided.hypotheses import Hypotheses
from learn2fix.guided.reporting import Reporter, learning_seed
from learn2fix.languages.evaluator import Evaluator
from learn2fix.languages.protocol import Repairable
from learn2fix.model import Answer, Label, Observation, Question, Requirement, Verdict

SHARE = 500
"""Number of candidates judged at a time: when the time is up, those before have been judged on every test."""
MOST = 60_000
"""Maximum number of candidates of one stage."""
HEAVY = 200_000
"""Number of lines from which on a test waits for all lighter ones, even if it fails: every candidate pays."""
SEARCHING = 0.7
"""Share of the time for searching; the rest is for telling apart what was found."""


class FromTests:
    """A strategy (`conversation.protocol`) that asks nothing. Bolder edits are tried only when no simpler one
    meets every test."""

    def __init__(self, problem: Problem, repairable: Repairable) -> None:
        rng = random.Random(problem.options.seed)
        rng.getrandbits(64)  # this one is for learning
        self._problem = problem
        self._hypotheses = Hypotheses.of(problem, repairable, rng)
        self._watch = Stopwatch(problem.clock)
        self._reporter = Reporter(self._hypotheses, self._watch, learning_seed(problem))
        for requirement in cheap_first(problem.known, self._hypotheses.evaluator):
            self._hypotheses.space.require(requirement)

    def choose(self) -> Stop:
        return Stop("nobody was to be asked")

    def record(self, question: Question, answer: Answer) -> None:
        raise AssertionError("nothing was asked")

    def finish(self) -> None:
        problem, hypotheses = self._problem, self._hypotheses
        space = hypotheses.space
        now = problem.clock()
        until = now + SEARCHING * (problem.deadline - now)
        with self._watch.timed("repair"):
            while not space.survivors and problem.clock() < until and space.open_stage():
                room = MOST
                while room > 0 and not space.stage_done and problem.clock() < until:
                    room -= space.widen(min(SHARE, room))
            if space.survivors:
                hypotheses.explore(hypotheses.tuning.pool)
            hypotheses.committee.regroup(hypotheses.inputs.pool)

    def findings(self) -> Findings:
        return self._reporter.findings(self._hypotheses.state())

    def chances(self, observations: Sequence[Observation]) -> list[float]:
        return self._reporter.chances(self._hypotheses.state(), observations)

    def condition(self, within: Callable[[], bool]) -> str:
        return self._reporter.condition(self._hypotheses.state(), within)

    @property
    def generated(self) -> int:
        return len(self._hypotheses.inputs.generated)

    @property
    def hypotheses(self) -> Hypotheses:
        return self._hypotheses

    def close(self) -> None:
        self._hypotheses.close()


def cheap_first(labels: Sequence[Label], evaluator: Evaluator) -> list[Requirement]:
    """What is required, in the order in which it is best tried: failing tests first, but no heavy ones."""
    work = dict(zip(labels, evaluator.work([label.observation.input for label in labels]), strict=True))

    def key(label: Label) -> tuple[bool, bool, int]:
        return work[label] > HEAVY, label.answer.verdict is not Verdict.BUG, work[label]

    found = (Requirement.from_label(label) for label in sorted(labels, key=key))
    return [requirement for requirement in found if requirement is not None]
