"""Learning from labels alone: the paper's strategy, which repairs afterwards, and ours without a source."""

from __future__ import annotations

import random
from collections.abc import Callable, Sequence

from learn2fix.conversation.options import Options
from learn2fix.conversation.problem import FINISHING, Problem
from learn2fix.conversation.protocol import Ask, Stop
from learn2fix.conversation.result import Effort, Findings
from learn2fix.conversation.stopwatch import Stopwatch
from learn2fix.domain.describing import on_one_line
from learn2fix.errors import UsageError
from learn2fix.fuzzing import EXTENDED, PAPER, Fuzzer, infer
from learn2fix.fuzzing.published import mutant
from learn2fix.labels.learning import LEARN_STEPS, Learned, Learning, Setup
from learn2fix.labels.patch_learner import SKETCH, PatchLearner, PatchOracle
from learn2fix.labels.published import as_published
from learn2fix.languages.evaluator import Evaluator
from learn2fix.languages.protocol import Repairable
from learn2fix.model import (
    Answer,
    Example,
    Input,
    Label,
    Observation,
    Outcome,
    Patch,
    Point,
    Question,
    Requirement,
    Verdict,
)
from learn2fix.oracles.contradictions import likely_slip
from learn2fix.oracles.decision_tree import ForestOracle
from learn2fix.oracles.doubt import Doubting, DoubtingLearner, doubting
from learn2fix.oracles.formula import Formula
from learn2fix.oracles.incal import IncalAsRun, IncalLra
from learn2fix.oracles.protocol import Learner, Oracle
from learn2fix.oracles.readable import Shown, brief, shown
from learn2fix.oracles.registry import learner
from learn2fix.oracles.smtlib import script
from learn2fix.oracles.work import UNLIMITED, Work
from learn2fix.querying import Stop as RuleStop
from learn2fix.querying import rule
from learn2fix.repair.offering import Offer, offer
from learn2fix.repair.searching import Searcher
from learn2fix.repair.space import Space
from learn2fix.repair.stages import Stages
from learn2fix.wording import quoted

TOGETHER = 0.3
"""How often positions that hold the same number are changed alike: from 2 2 2 to 5 5 5, which mutations of
one position at a time hardly ever make."""
WIDENINGS = 2
"""Small inputs have few usual neighbours: of 2 1 there are a hundred up to ten. Then comes what is up to a
hundred and a thousand, not 10**18."""
CONDITION_STEPS = 4_000_000
"""Work allowed for a condition that is shorter than the one at hand."""
MOST_GENERATED = 20_000
"""Number of tests after which our rules give up; the paper's goes on until the time is up."""
FIRST_SEED = 0.5
"""How often the authors' program starts from the first failing test, however many there are."""
MOST_AGAIN = 2
"""Maximum number of answers that are asked for again in one session."""
CONFIDENCE = 0.5
"""Confidence in a patch of which no more is known than that it passes all labelled tests."""


class FromLabels:
    """A strategy (`conversation.protocol`) for any program and any learner."""

    def __init__(self, problem: Problem, kind: str, rule_name: str, repairable: Repairable | None) -> None:
        """`kind` names the learner; without `repairable` nothing is repaired."""
        options = problem.options
        self._problem, self._kind, self._repairable = problem, kind, repairable
        self._paper = options.strategy == "paper"
        self._domain = as_published(problem.domain, problem.known) if self._paper else problem.domain
        self._watch = Stopwatch(problem.clock)
        self._evaluator: Evaluator | None = None
        self._patches: tuple[tuple[Label, ...], tuple[Patch, ...]] | None = None
        self._tried = 0
        self._slip: tuple[tuple[Example, ...], tuple[Example, Formula] | None] | None = None
        self._shown: tuple[Oracle, Formula | None] | None = None
        self._certain: list[int] = []
        """Answers that were asked for again."""
        self._looked_at = 0
        """Number of answers when a slip was last looked for."""
        rng = random.Random(options.seed)
        fuzzer = self._fuzzer(rng)
        self._patch_learner: PatchLearner | None = None
        if kind == "patches":
            sketch = problem.observe(fuzzer.sample(SKETCH, random.Random(rng.getrandbits(64))))
            self._patch_learner = PatchLearner(problem, self._space(), sketch, learner("forest"))
        with self._watch.timed("learn"):
            self._learning = Learning(
                Setup(
                    domain=self._domain,
                    known=problem.known,
                    run=self._run,
                    fuzzer=fuzzer,
                    learner=self._patch_learner or _learner(kind, options),
                    rule=rule(rule_name),
                    rng=rng,
                    labels=options.questions,
                    generated=None if self._paper else MOST_GENERATED,
                    steps=UNLIMITED if self._paper and kind == "incal" else LEARN_STEPS,
                    avoids_nonsense=not self._paper,
                    late=lambda: problem.late,
                    emit=problem.emit,
                )
            )

    def _fuzzer(self, rng: random.Random) -> Fuzzer:
        problem, options = self._problem, self._problem.options
        known = [label.observation.input for label in problem.known]
        mutations = options.mutations or ("paper" if self._paper else "extended")
        return Fuzzer(
            problem.domain,
            [label.observation.input for label in problem.failing],
            random.Random(rng.getrandbits(64)),
            operators=PAPER if mutations == "paper" else EXTENDED,
            together=0.0 if mutations == "paper" else TOGETHER,
            contract=None if self._paper else infer([given.values for given in known]),
            known=known,
            widenings=WIDENINGS,
            seen={given.text for given in known},
            again=self._paper,
            first=FIRST_SEED if options.as_run else 0.0,
            numbers=mutant if mutations == "paper" else None,
        )

    # The strategy.

    def choose(self) -> Ask | Stop:
        with self._watch.timed("learn"):
            place = self._slipped()
            if place is not None:
                self._certain.append(place)
                label = self._learning.asked[place].label
                return Ask(label.observation, "this answer fits the others badly", again=label.answer)
            chosen = self._learning.choose()
        if isinstance(chosen, RuleStop):
            return Stop(chosen.reason)
        case, why = chosen
        return Ask(case.observation, why)

    def _slipped(self) -> int | None:
        """The answer to ask for again; the paper believes every answer, unless some are said to be wrong."""
        answers = len(self._learning.asked)
        if answers == self._looked_at or len(self._certain) >= MOST_AGAIN:
            return None
        self._looked_at = answers
        if self._paper and not self._problem.options.noise:
            return None
        return self._learning.suspect(self._certain)

    def record(self, question: Question, answer: Answer) -> None:
        with self._watch.timed("learn"):
            if question.again is not None:
                self._learning.correct(self._certain[-1], answer)
                if self._patch_learner is not None and answer != question.again:
                    self._patch_learner.corrected(self._learning.learned().labels)
                return
            if self._patch_learner is not None:
                self._patch_learner.told(question.observation, answer)
            self._learning.record(answer)

    def finish(self) -> None:
        """Repair comes with the findings."""

    def findings(self) -> Findings:
        learned, problem = self._learning.learned(), self._problem
        wants_patch = not problem.options.only_learn and self._repairable is not None
        patches = self._repaired(learned.labels) if wants_patch else ()
        formula, variables, said = self._formula(), self._domain.all_variables, self._said()
        return Findings(
            status="repaired" if patches else "no_patch" if wants_patch else "learned",
            labels=learned.labels,
            questions=learned.questions + len(self._certain),
            oracle_kind=self._kind,
            condition=said.formula.text(variables) if said.formula is not None else "",
            shows=said.sentence,
            smtlib=script(formula, variables) if formula is not None else "",
            risk=learned.risk(),
            patches=patches,
            effort=Effort(
                len(learned.generated),
                learned.executions,
                self._tried + (self._patch_learner.tried if self._patch_learner is not None else 0),
                self._watch["learn"],
                self._watch["repair"],
            ),
            doubts=self._doubts(learned),
            generated=learned.generated,
        )

    def chances(self, observations: Sequence[Observation]) -> list[float]:
        if self._patch_learner is not None:
            self._patch_learner.ran(observations)
        point = self._domain.point
        if self._paper:
            return [self._learning.oracle.chance(point(each)) for each in observations]
        oracle = self._graded()
        answered = {
            label.observation.input.text: label.answer.verdict for label in self._learning.learned().labels
        }
        certain = {Verdict.BUG: 1.0, Verdict.OK: 0.0}
        return [
            certain.get(answered.get(each.input.text, Verdict.UNSURE), oracle.chance(point(each)))
            for each in observations
        ]

    def condition(self, within: Callable[[], bool]) -> str:
        return self._said().sentence

    @property
    def generated(self) -> int:
        return len(self._learning.generated)

    def close(self) -> None:
        if self._evaluator is not None:
            self._evaluator.close()

    # The oracle.

    def _run(self, inputs: Sequence[Input]) -> list[Outcome]:
        if self._patch_learner is None:
            return self._problem.run(inputs)
        return self._patch_learner.ran(self._problem.observe(inputs))

    def _said(self) -> Shown:
        learning, domain = self._learning, self._problem.domain
        tests, oracle = learning.learned().generated, learning.oracle
        predicted = [Example(point, oracle.chance(point) >= 0.5) for point in map(self._domain.point, tests)]
        return shown(
            self._formula(),
            self._domain.all_variables,
            learning.examples,
            predicted,
            lambda place: quoted(on_one_line(domain, tests[place].input)),
            self._problem.options.condition_length,
        )

    def _formula(self) -> Formula | None:
        """The condition to read. A forest's is that of its best tree, or a shorter one that agrees with every
        answer: on development subjects the shortest is as right as the forest."""
        oracle = self._learning.oracle
        if self._shown is None or self._shown[0] is not oracle:
            found = oracle.formula
            if isinstance(oracle, ForestOracle) and found is not None:
                rng = random.Random(self._problem.options.seed)
                work = Work(CONDITION_STEPS)
                short = learner("smt").learn(self._learning.variables, self._learning.examples, rng, work)
                if short.formula is not None and short.formula.cost < found.cost:
                    found = short.formula
            self._shown = (oracle, found)
        return self._shown[1]

    def _graded(self) -> Oracle:
        """The oracle with its doubts: one that says only yes or no is sure of nothing far from the labels."""
        oracle, examples = self._learning.oracle, self._learning.examples
        if isinstance(oracle, PatchOracle):
            return oracle
        if len({example.failing for example in examples}) < 2:
            return Undecided()
        if isinstance(oracle, ForestOracle | Doubting):
            return oracle
        rng = random.Random(self._problem.options.seed)
        return doubting(oracle, self._learning.variables, examples, rng)

    def _doubts(self, learned: Learned) -> tuple[str, ...]:
        """An answer that fits the others badly: the person may look at it again."""
        if self._slip is None or self._slip[0] != learned.examples:
            found = likely_slip(learned.variables, learned.examples)
            self._slip = (learned.examples, found)
        if self._slip[1] is None:
            return ()
        example, formula = self._slip[1]
        for label in learned.labels:
            if self._domain.point(label.observation) == example.point:
                text = label.observation.input.text.strip()
                said = "bug" if example.failing else "ok"
                shows = brief(formula, learned.variables, self._problem.options.condition_length)
                otherwise = f"; were it a slip, the bug would show when {shows}" if shows else ""
                return (f"the answer about {text!r} ({said}) fits the others badly{otherwise}",)
        return ()

    # Repair.

    def _stages(self) -> Stages:
        if self._repairable is None:
            raise UsageError("patches need the source of the program", "without it: --learner tree, or smt")
        if self._evaluator is None:
            self._evaluator = self._repairable.evaluator(self._problem.clock)
        problem = self._problem
        deadline = self._repair_deadline if self._paper else problem.deadline
        return Stages(self._repairable, self._evaluator, problem.known, problem.clock, deadline)

    @property
    def _repair_deadline(self) -> float:
        """The paper limits repair by itself. The whole run keeps a little time for building patches."""
        problem = self._problem
        part = problem.options.timeout / problem.options.phases
        return min(problem.clock() + part, problem.end - FINISHING * part)

    def _space(self) -> Space:
        stages, problem = self._stages(), self._problem
        return Space(
            stages.evaluator,
            stages.all(),
            clock=problem.clock,
            deadline=problem.deadline,
            normal=problem.subject.normal,
            emit=problem.emit,
        )

    def _repaired(self, labels: Sequence[Label]) -> tuple[Patch, ...]:
        if self._patches is None or self._patches[0] != tuple(labels):
            problem, stages = self._problem, self._stages()
            options = problem.options
            repairer = options.repairer or ("genprog" if options.strategy == "paper" else "edits")
            required = [r for label in labels if (r := Requirement.from_label(label)) is not None]
            searcher = Searcher(
                stages.repairable,
                stages.evaluator,
                stages,
                problem.clock,
                stages.deadline,
                options.seed,
                swaps=not options.as_run,
            )
            with self._watch.timed("repair"):
                searched = searcher.search(repairer, required)
                self._tried = searched.tried
                offers = (Offer(candidate, CONFIDENCE) for candidate in searched.found)
                found = offer(stages.repairable, offers, required, within=lambda: not problem.over)
            self._patches = (tuple(labels), tuple(found))
        return self._patches[1]


def _learner(name: str, options: Options) -> Learner:
    """Under the paper's rule the learner itself; ours needs to know where the labels leave it open."""
    if options.strategy == "paper":
        if name != "incal":
            return learner(name)
        return IncalAsRun() if options.as_run else IncalLra(covers=False)
    # A forest's condition is that of its best tree, so a tree is not given up by asking as a forest does.
    return learner("forest") if name in ("tree", "forest") else DoubtingLearner(learner(name))


class Undecided:
    """Only failing inputs are known: the bug may show everywhere or nowhere else."""

    formula: Formula | None = None

    def chance(self, point: Point) -> float:
        return 0.5
