"""The ways to go about it, behind one protocol: patches as hypotheses, or learning from labels alone."""

from __future__ import annotations

import random
from collections.abc import Callable, Generator, Iterator, Sequence
from typing import Protocol

from learn2fix.conversation.result import Effort, Result
from learn2fix.conversation.rig import Rig
from learn2fix.events import Found
from learn2fix.guided.guided import Guided
from learn2fix.guided.lighter import lighter
from learn2fix.guided.tuning import Tuning
from learn2fix.guided.unasked import Plausible, Unasked
from learn2fix.labels.labelled import Labelled
from learn2fix.labels.loop import Learned
from learn2fix.model import (
    Basis,
    Example,
    Input,
    Label,
    Observation,
    Patch,
    Question,
    Reply,
    Requirement,
    Response,
)
from learn2fix.oracles.contradictions import likely_slip
from learn2fix.oracles.formula import Formula
from learn2fix.oracles.patch_committee import Behaviour
from learn2fix.oracles.readable import FIRST, readable
from learn2fix.oracles.registry import learner
from learn2fix.oracles.risk import Prediction, Risk, assess
from learn2fix.repair import Offer, offer
from learn2fix.repair.space import Space
from learn2fix.session.workbench import Workbench, workbench

CONDITION_SECONDS = 2.0
FEATURES_FIRST = 60
FEATURES_PRICE = 0.012
"""For conditions over features of lists and texts, which are many: see `readable`."""
BUG_FROM = 0.5
MOST_PATCHES = 3
WORTH_OFFERING = 0.05
"""A behaviour with less of the vote is mentioned as a doubt, not offered as a patch."""
FEW, RUN_LINES = 8, 200_000_000
"""Candidates, and lines in all, that a slow failing input is good for."""
MOST_ALIKE = 8
"""Fixes of one behaviour that are looked at for one that holds."""
CARELESS = "does what C leaves undefined, such as reading a variable that was never set"
GRACE = 30.0
"""Seconds after the deadline in which patches that were found are still built and checked."""


class Strategy(Protocol):
    """One run. Everything but `questions` may be called between two questions."""

    def questions(self) -> Generator[Question, Reply, None]: ...
    def result(self, session: str, isolation: str) -> Result: ...
    def chances(self, observations: Sequence[Observation]) -> list[float]: ...
    def condition(self, within: Callable[[], bool]) -> str:
        """When the bug shows, as far as is known between two questions; "" when `within` says no first."""
        ...

    @property
    def generated(self) -> int: ...
    def close(self) -> None: ...


def make_strategy(rig: Rig, bases: Sequence[Basis] = (), waits: bool = True) -> Strategy:
    options = rig.options
    oracle = options.learner or ("smt" if options.strategy == "paper" else "patches")
    bench = workbench(rig)
    if oracle == "patches" and bench is not None and options.strategy == "guided" and not options.repairer:
        return WithPatches(rig, bench, bases, waits)
    if oracle == "patches" and not (options.strategy == "paper" and options.learner):
        oracle = "forest"
    return FromLabels(rig, oracle, "paper" if options.strategy == "paper" else "spread", bench)


class WithPatches:
    """Candidate patches choose the questions; patch and oracle are finished together."""

    def __init__(self, rig: Rig, bench: Workbench, bases: Sequence[Basis], waits: bool) -> None:
        self._rig, self._bench = rig, bench
        self._space = Space(
            bench.evaluator,
            bench.stages(rig),
            read=rig.read,
            clock=rig.clock,
            noise=rig.options.noise,
            emit=rig.emit,
        )
        way = Guided if rig.options.asks else Unasked
        executed = bench.executed(rig)
        small = lighter(rig, lambda given: bench.lines(rig, given), executed) if rig.options.asks else None
        self._guided = way(
            rig,
            self._space,
            learner("forest"),
            Tuning.of(executed if small is None else bench.lines(rig, small.input)),
            lambda fuzzer: bench.light(rig, fuzzer).take,
            numbers=bench.numbers,
            digits=bench.digits,
            complains=bench.complains,
            glance=lambda inputs: bench.glance(rig, inputs),
            small=small,
            few=max(FEW, RUN_LINES // executed),
            bases=bases,
            waits=waits,
        )
        if isinstance(self._guided, Unasked):
            self._guided.weigh = lambda given: bench.lines(rig, given)
        self._patches: tuple[int, tuple[Patch, ...]] = (-1, ())
        self._agreement = 1.0
        """The share of the generated inputs on which the condition says what the survivors say."""

    def questions(self) -> Generator[Question, Reply, None]:
        yield from self._guided.questions()

    def chances(self, observations: Sequence[Observation]) -> list[float]:
        return self._guided.chances(observations)

    @property
    def generated(self) -> int:
        return len(self._guided.inputs.generated)

    def close(self) -> None:
        self._bench.close()

    @property
    def plausible(self) -> Plausible:
        """What meets every requirement so far."""
        space, guided = self._space, self._guided
        guided.search.settle()
        return Plausible(
            tuple(space.survivors),
            tuple(behaviour.members for behaviour in guided.behaviours),
            tuple(space.candidates),
            len(self._bench.evaluator.uncompilable),
        )

    def printed(self, inputs: Sequence[Input], among: Sequence[int]) -> list[dict[Response, tuple[int, ...]]]:
        """For each input what is printed, and by which candidates."""
        return self._space.outputs(inputs, among)

    def result(self, session: str, isolation: str) -> Result:
        with self._guided.search.paused():
            return self._result(session, isolation)

    def condition(self, within: Callable[[], bool]) -> str:
        with self._guided.search.paused():
            return self._condition(within)[0]

    def _result(self, session: str, isolation: str) -> Result:
        guided, rig = self._guided, self._rig
        patches = self._offers()
        condition, smtlib = self._condition(lambda: True)
        if rig.options.only_learn:
            status, patches = "learned", ()
        else:
            status = "repaired" if patches else "no_patch"
        return Result(
            session=session,
            status=status,
            seed=rig.options.seed,
            strategy=rig.options.strategy,
            questions=len(guided.asked),
            labels=tuple(guided.labels),
            oracle_kind="patches" if guided.behaviours else "forest",
            condition=condition,
            smtlib=smtlib,
            risk=self._risk(),
            patches=patches,
            effort=Effort(
                len(guided.inputs.generated),
                guided.inputs.executions + self._space.executions,
                self._space.judged,
                guided.learn_seconds,
                guided.repair_seconds + guided.search.seconds + guided.committee.seconds,
            ),
            isolation=isolation,
            reason=guided.reason,
            doubts=self._doubts(),
            generated=tuple(guided.inputs.generated),
        )

    def _offers(self) -> tuple[Patch, ...]:
        guided = self._guided
        if self._patches[0] != len(guided.labels):
            began = self._rig.clock()
            found: list[Patch] = []
            for behaviour in guided.behaviours[:MOST_PATCHES]:
                if found and behaviour.weight < WORTH_OFFERING:
                    break
                found += offer(
                    self._bench.subject,
                    self._alike(behaviour),
                    self._space.requirements,
                    most=1,
                    same=self._rig.same,
                    within=lambda: self._rig.clock() < self._rig.deadline + GRACE,
                )
            for patch in found:
                self._rig.emit(Found(patch))
            self._patches = (len(guided.labels), tuple(found))
            guided.repair_seconds += self._rig.clock() - began
        return self._patches[1]

    def _alike(self, behaviour: Behaviour) -> Iterator[Offer]:
        """Members behave alike as far as is known; the first that holds stands for all of them.

        Those that read what was never set, or the like, come last: they may behave otherwise elsewhere.
        """
        confidence, evidence = self._guided.trust * behaviour.weight, self._evidence(behaviour)
        inputs = [requirement.input for requirement in self._space.requirements]
        careless = []
        for member in behaviour.members[:MOST_ALIKE]:
            candidate = self._space.candidates[member]
            if self._bench.careless(candidate, inputs):
                careless.append(Offer(candidate, confidence, (*evidence, CARELESS)))
            else:
                yield Offer(candidate, confidence, evidence)
        yield from careless

    def _evidence(self, behaviour: Behaviour) -> tuple[str, ...]:
        guided = self._guided
        changed = [
            each.input.text.strip()
            for each in guided.pool
            if guided.printed.answer(each.input.text, behaviour.best) not in (None, each.outcome.response)
        ]
        where = f"changes what is printed on {len(changed)} of {len(guided.pool)} generated inputs"
        found = [f"{where}, {changed[0]!r} for one" if changed else where]
        if len(behaviour.members) > 1:
            others = len(behaviour.members) - 1
            found.append(f"{others} other candidate{'s' * (others > 1)} behave{'s' * (others == 1)} the same")
        return tuple(found)

    def _condition(self, within: Callable[[], bool]) -> tuple[str, str]:
        guided, rig = self._guided, self._rig
        began = rig.clock()
        pool, variables = guided.pool, rig.domain.seen_variables
        # What is printed follows from the input: a condition on the input alone says when to expect the bug.
        inputs = len(variables)
        predicted = [
            Example(rig.domain.point(each)[:inputs], chance >= 0.5)
            for each, chance in zip(pool, guided.chances(pool), strict=True)
        ]
        features = rig.domain.lens is not None
        formula, self._agreement = readable(
            learner("smt"),
            variables,
            [Example(example.point[:inputs], example.failing) for example in guided.examples()],
            predicted,
            random.Random(rig.options.seed),
            lambda: within() and rig.clock() - began < CONDITION_SECONDS,
            first=FEATURES_FIRST if features else FIRST,
            price=FEATURES_PRICE if features else 0.0,
        )
        guided.learn_seconds += rig.clock() - began
        bugs = [example.point[:inputs] for example in guided.examples() if example.failing]
        # Features that do not tell bugs from the rest teach `False`: no condition is better than that one.
        if formula is not None and not any(formula.holds(point) for point in bugs):
            formula, self._agreement = None, 1.0
        if formula is None:
            return "", ""
        return formula.text(variables), formula.smtlib(variables)

    def _risk(self) -> Risk:
        guided = self._guided
        predictions = [Prediction(e.chance, e.bug) for e in guided.expectations]
        bugs = [chance >= BUG_FROM for chance in guided.chances(guided.pool)]
        if not bugs:
            return assess(predictions, (), 1.0)
        # Each behaviour that is left may be the truth: how often would the oracle be wrong then?
        shares = [
            sum(
                (guided.printed.answer(each.input.text, behaviour.best) != each.outcome.response) != bug
                for each, bug in zip(guided.pool, bugs, strict=True)
            )
            / len(bugs)
            for behaviour in guided.behaviours
        ]
        return assess(predictions, shares, sum(bugs) / len(bugs))

    def _doubts(self) -> tuple[str, ...]:
        guided = self._guided
        near: tuple[str, ...] = ()
        if self._agreement < 1:
            many = round((1 - self._agreement) * len(guided.pool))
            near = (f"the condition only comes near: {many} of {len(guided.pool)} generated inputs differ",)
        if len(guided.behaviours) < 2:
            return near
        first, second = guided.behaviours[:2]
        for each in guided.pool:
            text = each.input.text
            left, right = guided.printed.answer(text, first.best), guided.printed.answer(text, second.best)
            if left != right:
                where = f"on {text.strip()!r} it prints {right!r}, not {left!r}"
                likely = f"{second.weight:.0%}" if second.weight >= 0.01 else "less than 1%"
                other = f"another fix ({likely} likely) agrees with every answer; {where}"
                return (other, *near)
        return near


class FromLabels:
    """The active loop on labels alone; the paper's strategy repairs afterwards with the labelled tests."""

    def __init__(self, rig: Rig, oracle: str, rule: str, bench: Workbench | None) -> None:
        self._rig, self._kind, self._bench = rig, oracle, bench
        self._labelled = Labelled(rig, oracle, rule, self._space if bench is not None else None)
        self._patches: tuple[int, tuple[Patch, ...]] = (-1, ())
        self._tried = 0
        self._slip: tuple[int, tuple[Example, Formula] | None] | None = None
        self._began = rig.clock()
        self._repair_seconds = 0.0

    def _space(self) -> Space:
        assert self._bench is not None
        rig = self._rig
        return Space(
            self._bench.evaluator,
            self._bench.stages(rig),
            read=rig.read,
            clock=rig.clock,
            noise=rig.options.noise,
            emit=rig.emit,
        )

    def questions(self) -> Generator[Question, Reply, None]:
        yield from self._labelled.questions()

    def chances(self, observations: Sequence[Observation]) -> list[float]:
        return self._labelled.chances(observations)

    def condition(self, within: Callable[[], bool]) -> str:
        formula = self._labelled.formula()
        return formula.text(self._rig.domain.all_variables) if formula is not None else ""

    @property
    def generated(self) -> int:
        return len(self._labelled.loop.generated)

    def close(self) -> None:
        if self._bench is not None:
            self._bench.close()

    def result(self, session: str, isolation: str) -> Result:
        learned, rig = self._labelled.loop.learned(), self._rig
        formula, variables = self._labelled.formula(), rig.domain.all_variables
        learn_seconds = rig.clock() - self._began - self._repair_seconds
        wants_patch = not rig.options.only_learn and self._bench is not None
        patches = self._repair(learned.labels) if wants_patch else ()
        return Result(
            session=session,
            status="repaired" if patches else "no_patch" if wants_patch else "learned",
            seed=rig.options.seed,
            strategy=rig.options.strategy,
            questions=learned.questions,
            labels=learned.labels,
            oracle_kind=self._kind,
            condition=formula.text(variables) if formula is not None else "",
            smtlib=formula.smtlib(variables) if formula is not None else "",
            risk=learned.risk(),
            patches=patches,
            effort=Effort(
                len(learned.generated),
                learned.executions,
                self._tried + (self._labelled.patches.tried if self._labelled.patches else 0),
                learn_seconds,
                self._repair_seconds,
            ),
            isolation=isolation,
            reason=learned.reason,
            doubts=self._doubts(learned),
            generated=learned.generated,
        )

    def _doubts(self, learned: Learned) -> tuple[str, ...]:
        """An answer that fits the others badly: the person may look at it again."""
        if self._slip is None or self._slip[0] != len(learned.examples):
            found = likely_slip(learned.variables, learned.examples)
            self._slip = (len(learned.examples), found)
        if self._slip[1] is None:
            return ()
        example, formula = self._slip[1]
        point = self._rig.domain.point
        for label in learned.labels:
            if point(label.observation) == example.point:
                text = label.observation.input.text.strip()
                said = "the bug" if example.failing else "fine"
                return (
                    f"the answer about {text!r} ({said}) fits the others badly; "
                    f"were it a slip, the bug would show when {formula.text(learned.variables)}",
                )
        return ()

    def _repair(self, labels: Sequence[Label]) -> tuple[Patch, ...]:
        assert self._bench is not None
        if self._patches[0] != len(labels):
            began = self._rig.clock()
            found = [r for label in labels if (r := Requirement.from_label(label)) is not None]
            candidates, tried = self._bench.search(self._rig, found)
            self._tried = tried
            offers = (Offer(candidate, 0.5) for candidate in candidates)
            self._patches = (
                len(labels),
                tuple(offer(self._bench.subject, offers, found, same=self._rig.same)),
            )
            self._repair_seconds = self._rig.clock() - began
        return self._patches[1]
