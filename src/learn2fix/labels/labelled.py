"""Learning from labels alone: the paper's loop, and ours for a program without source."""

from __future__ import annotations

import random
from collections.abc import Callable, Generator, Sequence

from learn2fix.conversation.rig import Rig
from learn2fix.fuzzing import EXTENDED, PAPER, Fuzzer, infer
from learn2fix.labels.loop import Budget, Loop, Setup
from learn2fix.labels.patch_learner import SKETCH, PatchLearner, PatchOracle
from learn2fix.model import Answer, Input, Observation, Outcome, Point, Question, Reply, Verdict
from learn2fix.oracles.decision_tree import ForestOracle
from learn2fix.oracles.doubt import Doubting, DoubtingLearner, doubting
from learn2fix.oracles.formula import Formula
from learn2fix.oracles.protocol import Learner, Oracle
from learn2fix.oracles.registry import learner
from learn2fix.querying import rule
from learn2fix.repair.space import Space

TOGETHER = 0.3
"""How often positions that hold the same number are changed alike: from 2 2 2 to 5 5 5, which mutations of
one position at a time hardly ever make."""

WIDENINGS = 2
"""Small inputs have few usual neighbours: of 2 1 there are a hundred up to ten. Then comes what is up to a
hundred and a thousand, not 10**18."""

CONDITION_SECONDS = 1.0


class Labelled:
    """One run of the active loop, with what it knows readable between two questions."""

    def __init__(
        self, rig: Rig, learner_name: str, rule_name: str, patches: Callable[[], Space] | None = None
    ) -> None:
        """`patches` makes the candidates that the learner called "patches" consists of."""
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
            widenings=WIDENINGS,
            seen={given.text for given in known},
        )
        self.rig = rig
        self.patches: PatchLearner | None = None
        self._shown: tuple[Oracle, Formula | None] | None = None
        if learner_name == "patches":
            if patches is None:
                raise ValueError("patches need the source of the program")
            sketch = rig.observe(fuzzer.sample(SKETCH, random.Random(rng.getrandbits(64))))
            self.patches = PatchLearner(rig, patches(), sketch, learner("forest"))
        self.loop = Loop(
            Setup(
                domain=rig.domain,
                known=rig.known,
                run=self._run,
                fuzzer=fuzzer,
                learner=self.patches or _learner(learner_name, asks_by_doubt=not paper),
                rule=rule(rule_name),
                rng=rng,
                clock=rig.clock,
                budget=Budget(labels=options.labels, deadline=rig.deadline),
                emit=rig.emit,
            )
        )

    def _run(self, inputs: Sequence[Input]) -> list[Outcome]:
        if self.patches is None:
            return self.rig.run(inputs)
        return self.patches.ran(self.rig.observe(inputs))

    def questions(self) -> Generator[Question, Reply, None]:
        conversation = self.loop.questions()
        try:
            question = next(conversation)
            while True:
                reply = yield question
                if self.patches is not None and isinstance(reply, Answer):
                    self.patches.told(question.observation, reply)
                question = conversation.send(reply)
        except StopIteration:
            return

    def chances(self, observations: Sequence[Observation]) -> list[float]:
        if self.patches is not None:
            self.patches.ran(observations)
        oracle, point = self._graded(), self.rig.domain.point
        known = {label.observation.input.text: label.answer.verdict for label in self.loop.learned().labels}
        certain = {Verdict.BUG: 1.0, Verdict.OK: 0.0}
        return [
            certain.get(known.get(each.input.text, Verdict.UNSURE), oracle.chance(point(each)))
            for each in observations
        ]

    def formula(self) -> Formula | None:
        """The condition to read. A forest's is that of its best tree, or a shorter one that agrees with every
        answer: on development subjects the shortest is as right as the forest."""
        oracle = self.loop.oracle
        if self._shown is None or self._shown[0] is not oracle:
            found = oracle.formula
            if isinstance(oracle, ForestOracle) and found is not None:
                rng = random.Random(self.rig.options.seed)
                short = learner("smt").learn(self.loop.variables, self.loop.examples, rng, CONDITION_SECONDS)
                if short.formula is not None and short.formula.cost < found.cost:
                    found = short.formula
            self._shown = (oracle, found)
        return self._shown[1]

    def _graded(self) -> Oracle:
        """The oracle with its doubts: one that says only yes or no is sure of nothing far from the labels."""
        oracle, examples = self.loop.oracle, self.loop.examples
        if isinstance(oracle, PatchOracle):
            return oracle
        if len({example.failing for example in examples}) < 2:
            return Unknowing()
        if isinstance(oracle, ForestOracle | Doubting):
            return oracle
        return doubting(oracle, self.loop.variables, examples, random.Random(self.rig.options.seed))


def _learner(name: str, asks_by_doubt: bool) -> Learner:
    """Under the paper's rule the learner itself; ours needs to know where the labels leave it open."""
    if not asks_by_doubt:
        return learner(name)
    # A forest's condition is that of its best tree, so a tree is not given up by asking as a forest does.
    return learner("forest") if name in ("tree", "forest") else DoubtingLearner(learner(name))


class Unknowing:
    """Only failing inputs are known: the bug may show everywhere or nowhere else."""

    formula: Formula | None = None

    def chance(self, point: Point) -> float:
        return 0.5
