"""The surviving patches of one problem, and what they print on inputs that are made to tell them apart."""

from __future__ import annotations

import random
from collections.abc import Sequence
from dataclasses import dataclass, field

from learn2fix.conversation.problem import Problem
from learn2fix.events import Notice
from learn2fix.guided.choosing import MOST_TO_RECOGNISE
from learn2fix.guided.committee import Committee
from learn2fix.guided.inputs import Inputs
from learn2fix.guided.smaller_start import smaller_start
from learn2fix.guided.state import Expectation, State
from learn2fix.guided.tuning import Tuning
from learn2fix.languages.evaluator import WORK_LIMIT, Evaluator
from learn2fix.languages.protocol import Repairable
from learn2fix.model import Ending, Label, Observation
from learn2fix.repair.space import Space
from learn2fix.repair.stages import Stages

NEARLY_RIGHT = 60
"""Number of refuted candidates that show where fixes go wrong."""


@dataclass(slots=True)
class Checked:
    """How far the pool was looked through, and what was found there."""

    count: int = 0
    found: set[str] = field(default_factory=set)


@dataclass(frozen=True, slots=True)
class Hypotheses:
    problem: Problem
    repairable: Repairable
    evaluator: Evaluator
    tuning: Tuning
    space: Space
    inputs: Inputs
    committee: Committee
    stages: Stages
    checked: Checked = field(default_factory=Checked)

    @classmethod
    def of(cls, problem: Problem, repairable: Repairable, rng: random.Random) -> Hypotheses:
        told = len(repairable.notes)
        evaluator = repairable.evaluator(problem.clock)
        for note in repairable.notes[told:]:
            problem.emit(Notice(note))
        lines = executed(problem, evaluator)
        small = smaller_start(problem, evaluator, lines) if problem.options.asks else None
        if small is not None:
            lines = sum(evaluator.coverage([small.input])[0].values())
        tuning = Tuning.of(lines)
        stages = Stages(repairable, evaluator, problem.known, problem.clock, problem.deadline)
        space = Space(
            evaluator,
            stages.all(),
            again=stages.anew,
            clock=problem.clock,
            deadline=problem.deadline,
            normal=repairable.normal,
            emit=problem.emit,
        )
        inputs = Inputs(problem, repairable, evaluator, rng, small, tuning.tried)
        committee = Committee(
            space,
            problem.clock,
            problem.deadline,
            few=tuning.sketch,
            wide=tuning.sketched,
            size=tuning.committee,
        )
        return cls(problem, repairable, evaluator, tuning, space, inputs, committee, stages)

    def explore(self, size: int, extra: Sequence[Observation] = ()) -> None:
        """What the survivors print on that many inputs."""
        self.inputs.generate(size - len(self.inputs.pool))
        self.committee.explore(self.inputs.pool[:size], extra)

    def inform(self) -> None:
        """It is known now what is right where the bug was seen: what that makes likely is judged at once."""
        self.space.take(self.stages.informed(self.space, self.tuning.informed))

    def take_apart(self) -> None:
        """Parts of the best survivors that agree with every answer as well."""
        self.space.take(self.stages.parts(self.space))

    def contested(self, state: State) -> dict[str, float]:
        """For the text of some inputs, the share of the nearly right behaviours that answer otherwise there
        than the best fix: of candidates that met answers before they were refuted."""
        most, met, costs = self.tuning.contested, self.space.fallen, self.space.costs
        if not state.behaviours or not most:
            return {}
        best = state.behaviours[0].best
        near = sorted(met, key=lambda number: (-met[number], costs[number], number))
        near = [number for number in near[:NEARLY_RIGHT] if met[number]]
        # Evenly from those where the best fix sees the bug, and from those where it does not.
        pools: tuple[list[Observation], list[Observation]] = ([], [])
        for each in state.pool:
            pools[state.chance(each) < 0.5].append(each)
        some = [each for pool in pools for each in pool[:: max(1, len(pool) // most)]]
        self.committee.print(some, [best, *near])
        printed, texts = self.committee.printed, [each.input.text for each in some]
        rivals = [each.best for each in printed.behaviours(texts, near, costs)]
        return {
            text: sum(printed.answer(text, each) != printed.answer(text, best) for each in rivals)
            / max(1, len(rivals))
            for text in texts
        }

    def accidents(self) -> set[str]:
        """Inputs compared on where the program answers otherwise when candidates are judged than when it is
        run: what it does there depends on what lies in memory, and says nothing about a candidate."""
        pool, normal = self.inputs.pool, self.repairable.normal
        new = [each for each in pool[self.checked.count :] if each.outcome.ending is not Ending.TIMEOUT]
        self.checked.count = len(pool)
        judged = self.evaluator.original([each.input for each in new])
        self.checked.found |= {
            each.input.text
            for each, answer in zip(new, judged, strict=True)
            if normal(answer) != normal(each.outcome.response)
        }
        return self.checked.found

    def state(
        self,
        asked: Sequence[Label] = (),
        expectations: Sequence[Expectation | None] = (),
        undefined: frozenset[str] = frozenset(),
        again: int = 0,
        settled: bool = False,
    ) -> State:
        expected = (requirement.expected for requirement in self.space.requirements)
        for label in (*self.problem.known, *asked):
            self.inputs.look_into(label.observation.input)
        return State(
            domain=self.problem.domain,
            known=self.problem.known,
            asked=tuple(asked),
            pool=tuple(self.inputs.pool),
            behaviours=self.committee.behaviours,
            printed=self.committee.printed,
            survivors=len(self.space.survivors),
            expectations=tuple(expectations),
            outputs=self.problem.options.feedback != "verdict",
            offered=MOST_TO_RECOGNISE if self.problem.options.feedback == "choice" else None,
            raising=any(each is not None and each.ending is Ending.RAISED for each in expected),
            deferred=self.inputs.small is not None,
            undefined=undefined,
            again=again,
            settled=settled,
            paths=self.inputs.paths,
            usual=self.inputs.usual,
            allowed=self.inputs.allowed,
            fits=self.inputs.fits,
            normal=self.repairable.normal,
            same=self.repairable.same,
        )

    def close(self) -> None:
        self.evaluator.close()


def executed(problem: Problem, evaluator: Evaluator) -> int:
    """Number of lines that the first failing input executes, each as often as it does.

    0 where it never ends: candidates that go on for ever are cut soon, and those that end work less.
    """
    given = problem.known[0].observation.input
    if evaluator.work([given])[0] >= WORK_LIMIT:
        return 0
    return max(evaluator.overhead, sum(evaluator.coverage([given])[0].values()))
