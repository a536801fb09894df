"""The active loop over labels: fuzz, run, decide what to ask, learn again, for any learner and query rule.

Who asks is the conversation; here is what the next question is and what an answer teaches.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import Any, Protocol

from learn2fix import events
from learn2fix.fuzzing import Fuzzer
from learn2fix.model import (
    Answer,
    Ending,
    Example,
    Input,
    Label,
    Observation,
    Outcome,
    Point,
    Variable,
    Verdict,
)
from learn2fix.oracles.contradictions import contradicted, likely_slip
from learn2fix.oracles.decision_tree import ForestLearner
from learn2fix.oracles.formula import TRUE
from learn2fix.oracles.protocol import Learner, Oracle
from learn2fix.oracles.readable import brief
from learn2fix.oracles.risk import Prediction, Risk, assess
from learn2fix.oracles.smt_lra import FormulaOracle
from learn2fix.oracles.work import OutOfWork, Work
from learn2fix.querying import Ask, Case, Rule, Skip, State, Stop
from learn2fix.wording import TIME_IS_UP

Run = Callable[[Sequence[Input]], Sequence[Outcome]]
LARGEST_BATCH = 32
RISK_POINTS = 300
"""Number of generated inputs, the newest, on which the risk is estimated."""
SCARCE = 60
"""Pool size that is enough when further tests would be unusual."""
LEARN_STEPS = 8_000_000
"""Work allowed each time an oracle is learned: about two seconds, which few labels need."""
NONSENSE = 0.6
"""Chance of being senseless from which inputs are avoided."""


class Domain(Protocol):
    """What learning needs to know of a domain."""

    @property
    def seen_variables(self) -> tuple[Variable, ...]: ...
    @property
    def all_variables(self) -> tuple[Variable, ...]: ...
    def point(self, observation: Observation) -> Point: ...


@dataclass(frozen=True, slots=True)
class Setup:
    """Everything the loop needs, handed in."""

    domain: Domain
    known: Sequence[Label]
    """What was known before the first question: the failing input(s), perhaps tests that pass."""
    run: Run
    fuzzer: Fuzzer
    learner: Learner
    rule: Rule
    rng: random.Random
    labels: int = 10
    """Maximum number of questions."""
    generated: int | None = None
    """Number of tests after which no question counts as worth asking any more; None: no limit."""
    steps: int = LEARN_STEPS
    """Work allowed each time an oracle is learned."""
    avoids_nonsense: bool = True
    """Whether inputs like those that made no sense become rare."""
    late: Callable[[], bool] = lambda: False
    emit: events.Emit = events.ignore


@dataclass(frozen=True, slots=True)
class Asked:
    """One question, what was predicted before its answer, and the answer."""

    place: int
    """Which of the generated tests it was, from 0."""
    label: Label
    chance: float
    """What the oracle said before it knew."""
    fair: bool
    """Drawn at random, whatever the oracle said."""


@dataclass(frozen=True, slots=True)
class Learned:
    """What the loop ends with."""

    oracle: Oracle
    variables: tuple[Variable, ...]
    examples: tuple[Example, ...]
    known: tuple[Label, ...]
    asked: tuple[Asked, ...]
    """The questions in their order: the labelled tests."""
    generated: tuple[Observation, ...]
    """Every generated test that the rule was shown, in order."""
    points: tuple[Point, ...]
    """What learners see of them."""
    executions: int

    @property
    def labels(self) -> tuple[Label, ...]:
        return (*self.known, *(asked.label for asked in self.asked))

    @property
    def questions(self) -> int:
        return len(self.asked)

    def risk(self, committee: int = 50) -> Risk:
        """The chance that the oracle mispredicts on inputs like those generated."""
        points = self.points[-RISK_POINTS:]
        said = [self.oracle.chance(point) >= 0.5 for point in points]
        forest = ForestLearner(committee).learn(self.variables, self.examples, random.Random(len(self.asked)))
        votes = [forest.votes(point) for point in points]
        shares = [
            sum((vote >= 0.5) != bug for vote, bug in zip(column, said, strict=True)) / len(points)
            for column in zip(*votes, strict=True)
        ]
        predictions = [
            Prediction(asked.chance, asked.label.answer.verdict is Verdict.BUG)
            for asked in self.asked
            if asked.label.answer.verdict in (Verdict.BUG, Verdict.OK)
        ]
        return assess(predictions, shares, sum(said) / len(said) if said else 1.0)


class Learning:
    """One run; what it has learned so far can be read between two questions."""

    def __init__(self, setup: Setup) -> None:
        self.setup = setup
        # One generator for each purpose: how many tests a rule looks at must not change what is learned.
        self.choosing = random.Random(setup.rng.getrandbits(64))
        self.sampling = random.Random(setup.rng.getrandbits(64))
        self.learning_seed = setup.rng.getrandbits(64)
        self.variables = setup.domain.all_variables
        self.executions = 0
        self.generated: list[Observation] = []
        self.points: list[Point] = []
        self.asked: list[Asked] = []
        self.places: dict[str, int] = {}
        self.ready: list[Case] = []
        self.batch = 1
        self.pool: list[Case] = []
        self.chosen: tuple[Case, Ask] | None = None
        self.examples = [example for label in setup.known if (example := self.example(label)) is not None]
        self.nonsense: list[Point] = []
        if not any(example.failing for example in self.examples):
            raise ValueError("learning starts from at least one failing input")
        self.oracle: Oracle = FormulaOracle(TRUE)
        self.relearn()

    def choose(self) -> tuple[Case, str] | Stop:
        """The test to ask about, and why."""
        rule = self.setup.rule
        while not self.setup.late():
            if self.setup.generated is not None and len(self.generated) >= self.setup.generated:
                made = len(self.generated)
                return Stop(f"none of the last of {made} generated inputs was worth a question")
            self.fill(rule.pool + rule.growth * len(self.asked))
            if not self.pool:
                return Stop("there are no further inputs near the failing ones")
            try:
                choice = rule.choose(self.state(), self.pool)
            except OutOfWork:
                break
            if isinstance(choice, Skip):
                self.pool.clear()
                continue
            if isinstance(choice, Stop):
                return choice
            self.chosen = (self.pool.pop(choice.index), choice)
            return self.chosen[0], choice.why
        return Stop(TIME_IS_UP)

    def record(self, answer: Answer) -> None:
        """Keeps the answer to the question that was chosen last."""
        assert self.chosen is not None
        case, choice = self.chosen
        if self.keep(case, answer, self.oracle.chance(case.point), choice):
            self.relearn()

    def correct(self, place: int, answer: Answer) -> None:
        """Another answer to the question asked there, from 0: the first one is forgotten."""
        asked = self.asked[place]
        if answer == asked.label.answer:
            return
        self.asked[place] = replace(asked, label=Label(asked.label.observation, answer))
        labels = [*self.setup.known, *(each.label for each in self.asked)]
        self.examples = [example for label in labels if (example := self.example(label)) is not None]
        self.relearn()

    def suspect(self, certain: Sequence[int]) -> int | None:
        """An answer that may be a slip: the newest, where it is the opposite of what was said of an input
        that looks the same, or the one without which the condition is much simpler. `certain` ones were
        given twice."""
        if not self.asked:
            return None
        point = self.setup.domain.point
        newest, labels = len(self.asked) - 1, [each.label for each in self.asked]
        others = [*self.setup.known, *labels[:newest]]
        if newest not in certain and contradicted(
            labels[newest], others, lambda each: point(each.observation)
        ):
            return newest
        found = likely_slip(self.variables, self.examples)
        if found is None:
            return None
        places = (place for place, each in enumerate(labels) if point(each.observation) == found[0].point)
        return next((place for place in places if place not in certain), None)

    def learned(self) -> Learned:
        """What is known now."""
        return Learned(
            self.oracle,
            self.variables,
            tuple(self.examples),
            tuple(self.setup.known),
            tuple(self.asked),
            tuple(self.generated),
            tuple(self.points),
            self.executions,
        )

    def keep(self, case: Case, answer: Answer, chance: float, choice: Ask) -> bool:
        """Keeps the answer; whether it taught something."""
        label = Label(case.observation, answer)
        self.notice_contradiction(label)
        self.asked.append(Asked(self.places[case.observation.input.text], label, chance, choice.fair))
        if answer.verdict is Verdict.INVALID:
            self.nonsense.append(self.inputs_of(case.point))
            self.setup.fuzzer.refuse(case.observation.input)
        example = self.example(label)
        if example is not None:
            self.examples.append(example)
        if self.nonsense and self.setup.avoids_nonsense:
            self.avoid_nonsense()
        self.setup.fuzzer.exclude(case.observation.input)
        self.ready = [each for each in self.ready if each.observation.input != case.observation.input]
        if example is None:
            return False
        if example.failing:
            self.setup.fuzzer.add_seed(case.observation.input)
            # What was made ahead came from the old seeds; the paper fuzzes from all failing tests.
            self.setup.fuzzer.forget(ready.observation.input for ready in self.ready)
            self.ready.clear()
        else:
            self.setup.fuzzer.allow(case.observation.input)
        self.batch = 1
        return True

    def notice_contradiction(self, label: Label) -> None:
        """Two inputs that look alike to the learner, and opposite answers: one of them may be a slip."""
        labels = [*self.setup.known, *(asked.label for asked in self.asked)]
        other = contradicted(label, labels, lambda each: self.setup.domain.point(each.observation))
        if other is not None:
            here, there = label.observation.input.text.strip(), other.observation.input.text.strip()
            self.setup.emit(
                events.Notice(
                    f"{here!r} was called {label.answer.verdict}, but {there!r}, which is the same to me, "
                    f"was called {other.answer.verdict}; the previous key takes an answer back"
                )
            )

    def avoid_nonsense(self) -> None:
        """What the person called senseless is generalised, carefully, and asked about rarely from now on."""
        sensible = [Example(self.inputs_of(example.point), False) for example in self.examples]
        senseless = [Example(point, True) for point in self.nonsense]
        rng = random.Random(self.learning_seed)
        area = ForestLearner(trees=20).learn(self.setup.domain.seen_variables, sensible + senseless, rng)

        def avoided(values: tuple[Any, ...]) -> bool:
            unseen = Observation(Input("", values), Outcome(Ending.NOT_STARTED))
            return area.chance(self.inputs_of(self.setup.domain.point(unseen))) > NONSENSE

        self.setup.fuzzer.avoid(avoided)
        kept = [case for case in self.pool if area.chance(self.inputs_of(case.point)) <= NONSENSE]
        self.pool = kept or self.pool
        self.setup.fuzzer.forget(ready.observation.input for ready in self.ready)
        self.ready.clear()

    def inputs_of(self, point: Point) -> Point:
        return point[: len(self.setup.domain.seen_variables)]

    def example(self, label: Label) -> Example | None:
        """Unsure teaches nothing; an input that makes no sense neither passes nor fails."""
        if label.answer.verdict not in (Verdict.BUG, Verdict.OK):
            return None
        return Example(self.setup.domain.point(label.observation), label.answer.verdict is Verdict.BUG)

    def relearn(self) -> None:
        try:
            self.oracle = self.oracle_of(self.examples)
        except OutOfWork:
            return  # the time is up: what was learned before stays
        if shows := brief(self.oracle.formula, self.variables):
            self.setup.emit(events.Learned(shows))

    def oracle_of(self, examples: Sequence[Example]) -> Oracle:
        # A fresh generator each time: how often a rule looks ahead must not change what is learned later.
        rng = random.Random(self.learning_seed)
        work = Work(self.setup.steps, lambda: not self.setup.late())
        return self.setup.learner.learn(self.variables, examples, rng, work)

    def state(self) -> State:
        return State(
            variables=self.variables,
            examples=tuple(self.examples),
            oracle=self.oracle,
            learn=self.oracle_of,
            neighbours=self.neighbours,
            around=self.around,
            rng=self.choosing,
            asked=len(self.asked),
            remaining=self.setup.labels - len(self.asked),
            usual=self.usual,
        )

    def usual(self, case: Case) -> bool:
        contract = self.setup.fuzzer.contract
        return contract is None or contract.holds(case.observation.input.values)

    def neighbours(self, count: int) -> list[Case]:
        return self.execute(self.setup.fuzzer.sample(count, self.sampling))

    def around(self, case: Case, count: int) -> list[Case]:
        return self.execute(self.setup.fuzzer.near(case.observation.input, count, self.sampling))

    def fill(self, size: int) -> None:
        """Adds new tests until the pool has this size, or there are no more."""
        while len(self.pool) < (size if self.setup.fuzzer.usual_left else min(size, SCARCE)):
            if not self.ready:
                # Runs are cheaper together. The batch grows while nothing is worth asking; what was made
                # ahead and not looked at when an answer brings a new seed is forgotten, as if never made.
                wanted = max(self.batch, size - len(self.pool))
                self.ready = self.execute(self.setup.fuzzer.take(wanted))[::-1]
                self.batch = min(2 * self.batch, LARGEST_BATCH)
                if not self.ready:
                    return
            case = self.ready.pop()
            self.places[case.observation.input.text] = len(self.generated)
            self.generated.append(case.observation)
            self.points.append(case.point)
            self.pool.append(case)
            if len(self.generated) % 100 == 0:
                self.setup.emit(events.Progress("generated", len(self.generated)))

    def execute(self, inputs: Sequence[Input]) -> list[Case]:
        outcomes = self.setup.run(inputs) if inputs else []
        self.executions += len(outcomes)
        observations = [Observation(new, outcome) for new, outcome in zip(inputs, outcomes, strict=True)]
        return [Case(each, self.setup.domain.point(each)) for each in observations]
