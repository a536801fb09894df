"""What the survivors say: the oracle, the condition, the patches that are offered, and what is in doubt."""

from __future__ import annotations

import math
import random
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace

from learn2fix.conversation.problem import Problem
from learn2fix.conversation.result import Effort, Findings
from learn2fix.conversation.stopwatch import Stopwatch
from learn2fix.domain import Domain
from learn2fix.domain.describing import on_one_line
from learn2fix.edits.reviewing import preferred
from learn2fix.errors import BuildError
from learn2fix.events import Found
from learn2fix.guided.comparing import decided, easiest, side_by_side
from learn2fix.guided.confidence import confidence
from learn2fix.guided.hypotheses import Hypotheses
from learn2fix.guided.signals import Signals, signals
from learn2fix.guided.state import State
from learn2fix.model import (
    BUG_FROM,
    Candidate,
    Example,
    Grounds,
    Input,
    Label,
    Observation,
    Patch,
    Response,
    Verdict,
)
from learn2fix.oracles.patch_committee import Behaviour
from learn2fix.oracles.protocol import Oracle
from learn2fix.oracles.readable import FIRST, Shown, readable, shown
from learn2fix.oracles.registry import learner
from learn2fix.oracles.risk import Prediction, Risk, assess
from learn2fix.oracles.smtlib import script
from learn2fix.oracles.work import Work
from learn2fix.repair.offering import Offer, offer
from learn2fix.wording import plural, quoted

CONDITION_STEPS = 8_000_000
"""Work allowed for the condition that is shown."""
FEATURES_FIRST = 60
FEATURES_PRICE = 0.012
"""For conditions over features of lists and texts, which are many: see `readable`."""
MOST_PATCHES = 3
WORTH_OFFERING = 0.05
"""A behaviour with less of the vote is mentioned as a doubt, not offered as a patch."""
WORTH_SAYING = 0.05
"""Share of lines never executed that is mentioned."""
MOST_ALIKE = 12
"""Number of fixes of one behaviour that are looked at for one that holds."""
LOOKED_AT = 40
"""Number of inputs on which it is looked whether a fix keeps the rules of its language."""
CARELESS_TRUST = 0.85
"""Share of the trust that is left in a fix that does not: four of five on development subjects were right."""
CARELESS = "does what the language leaves undefined, such as reading a variable that was never set"


class Reporter:
    """For one run. Everything follows from the state; what takes long is kept until the labels change."""

    def __init__(self, hypotheses: Hypotheses, watch: Stopwatch, learning_seed: int) -> None:
        self._hypotheses, self._watch, self._seed = hypotheses, watch, learning_seed
        self._problem = hypotheses.problem
        self._oracle: tuple[tuple[Label, ...], Oracle] | None = None
        self._patches: tuple[object, tuple[tuple[Patch, Behaviour], ...]] | None = None
        self._signals: tuple[object, Signals] | None = None
        """Each with what it was made from."""

    def findings(self, state: State) -> Findings:
        problem, hypotheses = self._problem, self._hypotheses
        offered = self._offered(state)
        patches = tuple([patch for patch, _ in offered])
        said, condition, smtlib = self._condition(state, lambda: not problem.over)
        status = "no_patch"
        if problem.options.only_learn:
            status, patches = "learned", ()
        elif patches:
            asks, enough = problem.options.asks, problem.options.confident
            sure = not asks or patches[0].confidence >= enough
            status = "repaired" if sure else "undecided"
        return Findings(
            status=status,
            labels=state.labels,
            questions=len(state.asked) + state.again,
            oracle_kind="patches" if state.behaviours else "forest",
            condition=condition,
            smtlib=smtlib,
            risk=self._risk(state),
            patches=patches,
            signals=self._signals_of(state).named() if patches else {},
            effort=Effort(
                len(hypotheses.inputs.generated),
                hypotheses.inputs.executions + hypotheses.space.executions,
                hypotheses.space.judged,
                self._watch["learn"],
                self._watch["repair"],
            ),
            shows=said.sentence,
            where=hypotheses.inputs.where,
            beside=side_by_side(state, hypotheses.repairable, offered) if patches else None,
            decided=decided(state, hypotheses.space, hypotheses.repairable, problem.domain),
            doubts=_doubts(state, hypotheses.problem.domain) if patches else (),
            generated=tuple(hypotheses.inputs.generated),
            grounds=self._grounds(state),
        )

    def _grounds(self, state: State) -> Grounds:
        weights = {behaviour.best: behaviour.weight for behaviour in state.behaviours}
        space, leading = self._hypotheses.space, self._hypotheses.committee.leading
        fixes = tuple((space.candidates[number], weights[number]) for number in leading)
        return Grounds(state.labels, fixes, state.trust)

    # The oracle.

    def oracle(self, state: State) -> Oracle:
        """What labels alone teach: for when no patch survives, and as a second opinion."""
        if self._oracle is None or self._oracle[0] != state.labels:
            with self._watch.timed("learn"):
                self._oracle = (state.labels, learned_from(self._problem, state.labels, self._seed))
        return self._oracle[1]

    def chances(
        self, state: State, observations: Sequence[Observation], until: float = math.inf
    ) -> list[float]:
        """For each observation the chance that it shows the bug; from labels alone where time is up."""
        trust = state.trust
        if trust:
            committee = self._hypotheses.committee
            committee.print(observations, committee.leading, until)
        seen = [state.chance(each) if trust and state.votes(each.input) else None for each in observations]
        return weighed(self._problem, self.oracle(state), state.labels, observations, seen, trust)

    def condition(self, state: State, within: Callable[[], bool]) -> str:
        """When the bug shows, in a sentence; empty when nothing is known."""
        return self._condition(state, within)[0].sentence

    def _condition(self, state: State, within: Callable[[], bool]) -> tuple[Shown, str, str]:
        """What to say of it, the condition as text where there is a short one, and all of it as SMT-LIB."""
        problem, variables = self._problem, self._problem.domain.seen_variables
        # What is printed follows from the input: a condition on the input alone says when to expect the bug.
        inputs = len(variables)
        certain = [Example(e.point[:inputs], e.failing) for e in problem.examples(state.labels)]
        predicted = [
            Example(problem.domain.point(each)[:inputs], chance >= BUG_FROM)
            for each, chance in zip(state.pool, self.chances(state, state.pool, problem.end), strict=True)
        ]
        features = problem.domain.lens is not None
        with self._watch.timed("learn"):
            formula, _ = readable(
                learner("smt"),
                variables,
                certain,
                predicted,
                random.Random(problem.options.seed),
                Work(CONDITION_STEPS, within),
                first=FEATURES_FIRST if features else FIRST,
                price=FEATURES_PRICE if features else 0.0,
            )
        pool = state.pool
        said = shown(
            formula,
            variables,
            certain,
            predicted,
            lambda place: _quoted(problem.domain, pool[place].input),
            problem.options.condition_length,
        )
        text = "" if said.formula is None else said.formula.text(variables)
        return said, text, "" if said.formula is None or formula is None else script(formula, variables)

    def _risk(self, state: State) -> Risk:
        predictions = [Prediction(e.chance, e.bug) for e in state.expectations if e is not None]
        bugs = [chance >= BUG_FROM for chance in self.chances(state, state.pool, self._problem.end)]
        if not bugs:
            return assess(predictions, (), 1.0)
        # Each behaviour that is left may be the truth: how often would the oracle be wrong then?
        shares = [
            sum(
                (state.printed.answer(each.input.text, behaviour.best) != state.shown(each)) != bug
                for each, bug in zip(state.pool, bugs, strict=True)
            )
            / len(bugs)
            for behaviour in state.behaviours
        ]
        return assess(predictions, shares, sum(bugs) / len(bugs))

    # Confidence.

    def confident(self, state: State) -> bool:
        """Whether the best fix is likely enough to be called the repair; tests alone leave nothing to ask."""
        options = self._problem.options
        return not options.asks or self.confidence(state) >= options.confident

    def confidence(self, state: State) -> float:
        if not state.behaviours:
            return 0.0
        return confidence(self._signals_of(state)) * self._agreement(state)

    def _agreement(self, state: State) -> float:
        """The share of the vote that does as the best fix where the bug was reported and nobody has said what
        is right: what answers about other inputs say of the best fix, they say of those that differ there."""
        share = 1.0
        for each in self._hypotheses.committee.unexplained:
            answer = state.printed.answer(each.input.text, state.behaviours[0].best)
            if answer is not None:
                share = min(share, state.votes(each.input)[answer])
        return share

    def _signals_of(self, state: State) -> Signals:
        best = state.behaviours[0]
        key = (state.labels, state.settled, best)
        if self._signals is None or self._signals[0] != key:
            self._signals = (key, signals(state, best, self._hypotheses))
        return self._signals[1]

    # Patches.

    def _offered(self, state: State) -> tuple[tuple[Patch, Behaviour], ...]:
        """Patches, each with the behaviour that it stands for."""
        key = (state.labels, state.settled)
        if self._patches is None or self._patches[0] != key:
            found: list[tuple[Patch, Behaviour]] = []
            with self._watch.timed("repair"):
                likely, place = state, 0
                for _ in state.behaviours[:MOST_PATCHES]:
                    behaviour = likely.behaviours[place]
                    if found and behaviour.weight < WORTH_OFFERING:
                        break
                    patches = offer(
                        self._hypotheses.repairable,
                        self._alike(likely, behaviour),
                        self._hypotheses.space.requirements,
                        most=1,
                        within=lambda: not self._problem.over,
                    )
                    found += [(patch, behaviour) for patch in patches]
                    if found:
                        place += 1
                    else:
                        likely = replace(likely, behaviours=shared_anew(likely.behaviours[1:]))
            # Made small, fixes of two behaviours may be one.
            found = list({each[0].id: each for each in reversed(found)}.values())[::-1]
            for patch, _ in found:
                self._problem.emit(Found(patch))
            self._patches = (key, tuple(found))
        return self._patches[1]

    def _alike(self, state: State, behaviour: Behaviour) -> Iterator[Offer]:
        """Members behave alike as far as is known; the first that holds stands for all of them.

        Those that read what was never set, or the like, come last: they may behave otherwise elsewhere.
        """
        # The others share what the first leaves, by their votes.
        first, chance = state.behaviours[0], self.confidence(state)
        if behaviour is not first:
            chance = (1 - chance) * behaviour.weight
        evidence = _evidence(state, behaviour, self._hypotheses.problem.domain)
        if behaviour is first:
            evidence += _against(self._signals_of(state))
        space = self._hypotheses.space
        inputs = _of_every_path(state)[:LOOKED_AT]
        printed = ((given, state.printed.answer(given.text, behaviour.best)) for given in inputs)
        answers = tuple([(given, known) for given, known in printed if known is not None and known.completed])
        members = [space.candidates[member] for member in behaviour.members[:MOST_ALIKE]]
        looked, careless = _unchanged(state, behaviour, inputs), []
        for candidate in preferred(self._hypotheses.repairable.text, members):
            if self._careless(candidate, looked):
                careless.append(Offer(candidate, chance * CARELESS_TRUST, (*evidence, CARELESS), answers))
            else:
                yield Offer(candidate, chance, evidence, answers)
        yield from careless

    def _careless(self, candidate: Candidate, inputs: Sequence[Input]) -> bool:
        """Whether a patch does what the language leaves undefined where the program as it is does not."""
        repairable = self._hypotheses.repairable
        usual = [given for given, odd in zip(inputs, repairable.undefined(inputs), strict=True) if not odd]
        try:
            patched = repairable.patched(candidate.apply(repairable.text))
        except BuildError:
            return False
        try:
            return any(patched.undefined(usual))
        finally:
            patched.close()


def shared_anew(behaviours: Sequence[Behaviour]) -> tuple[Behaviour, ...]:
    """Those that are left share the vote, when no fix of the likeliest one holds as the user builds it."""
    total = sum(each.weight for each in behaviours)
    return tuple([replace(each, weight=each.weight / total) for each in behaviours])


def _unchanged(state: State, behaviour: Behaviour, inputs: Sequence[Input]) -> list[Input]:
    """Those that are labelled, or on which the fix changes nothing.

    Where it changes the answer it may lead the program to lines that nothing reached before, and what these
    do on an input that makes no sense is none of its doing.
    """
    labelled = {label.observation.input.text for label in state.labels}
    shown = {each.input.text: state.shown(each) for each in state.pool}
    return [
        given
        for given in inputs
        if given.text in labelled or state.printed.answer(given.text, behaviour.best) == shown[given.text]
    ]


def _of_every_path(state: State) -> list[Input]:
    """Inputs that the program answers: the labelled ones, then one of each way that the program goes, then
    the others."""
    labelled = [label.observation for label in state.labels]
    first: dict[frozenset[int] | None, str] = {}
    for each in state.pool:
        first.setdefault(state.paths.get(each.input.text), each.input.text)
    texts = set(first.values())
    pool = sorted(state.pool, key=lambda each: each.input.text not in texts)
    return [each.input for each in (*labelled, *pool) if each.outcome.completed]


def learning_seed(problem: Problem) -> int:
    """The first number that the seed gives."""
    return random.Random(problem.options.seed).getrandbits(64)


def learned_from(problem: Problem, labels: Sequence[Label], seed: int) -> Oracle:
    variables, examples = problem.domain.all_variables, problem.examples(labels)
    return learner("forest").learn(variables, examples, random.Random(seed))


def weighed(
    problem: Problem,
    oracle: Oracle,
    labels: Sequence[Label],
    observations: Sequence[Observation],
    seen: Sequence[float | None],
    trust: float,
) -> list[float]:
    """The chance of the bug on each: as answered, else what the fixes say (`seen`) beside the labels."""
    certain = {Verdict.BUG: 1.0, Verdict.OK: 0.0}
    answered = {label.observation.input.text: label.answer.verdict for label in labels}
    found = []
    for each, votes in zip(observations, seen, strict=True):
        chance = oracle.chance(problem.domain.point(each))
        if votes is not None:
            chance = trust * votes + (1 - trust) * chance
        found.append(certain.get(answered.get(each.input.text, Verdict.UNSURE), chance))
    return found


def _quoted(domain: Domain, given: Input) -> str:
    line, text = on_one_line(domain, given), given.text.strip()
    return quoted(text) if line == text else line


def _evidence(state: State, behaviour: Behaviour, domain: Domain) -> tuple[str, ...]:
    changed = [
        each.input
        for each in state.pool
        if state.printed.answer(each.input.text, behaviour.best) not in (None, state.shown(each))
    ]
    where = f"changes the result on {len(changed)} of {plural(len(state.pool), 'generated input')}"
    found = [f"{where}, {_quoted(domain, changed[0])} for one" if changed else where]
    if len(behaviour.members) > 1:
        others = len(behaviour.members) - 1
        found.append(f"{plural(others, 'other candidate')} behave{'s' * (others == 1)} the same")
    return tuple(found)


def _against(known: Signals) -> tuple[str, ...]:
    """What makes the best fix less likely to be right."""
    found = []
    if known.switched_off:
        found.append("switches code off: lines that were executed are executed on no generated input")
    if known.removes_block:
        found.append("takes a loop or a block out")
    if known.own_numbers:
        found.append("compares with a number of the failing input that the program did not have")
    if known.expected_text:
        found.append("writes what was expected of the failing input as a text of its own")
    if known.unexecuted >= WORTH_SAYING:
        found.append(f"{known.unexecuted:.0%} of the program's lines are executed on no generated input")
    return tuple(found)


def _doubts(state: State, domain: Domain) -> tuple[str, ...]:
    if len(state.behaviours) < 2:
        return ()
    first, second = (behaviour.best for behaviour in state.behaviours[:2])

    def given(each: Observation) -> tuple[Response | None, Response | None]:
        text = each.input.text
        return state.printed.answer(text, first), state.printed.answer(text, second)

    reported = (label.observation for label in state.known)
    apart = [
        each for each in (*reported, *state.pool) if None not in given(each) and len(set(given(each))) > 1
    ]
    if not apart:
        return ()
    where = easiest(state, apart)
    left, right = given(where)
    weight = state.behaviours[1].weight
    likely = f"{weight:.0%}" if weight >= 0.01 else "less than 1%"
    differs = f"on {_quoted(domain, where.input)} it gives {quoted(str(right))}, not {quoted(str(left))}"
    return (f"another fix ({likely} likely) agrees with every answer; {differs}",)
