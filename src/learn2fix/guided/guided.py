"""Patches as hypotheses: ask what tells the candidate fixes apart, until one is left and has been confirmed.

One round: widen the space (in the background, while the person thinks), run a pool of fuzzed inputs on
the survivors, group them by what they print, and ask about the input whose answer is expected to remove
most. When no generated input separates the survivors, a few questions confirm the best one where it was
not tested yet. When nothing survives, questions go on as for a program without source, and the wider
space gets another chance.
"""

from __future__ import annotations

import math
import random
from collections.abc import Callable, Generator, Sequence
from dataclasses import dataclass
from itertools import islice

from learn2fix import events
from learn2fix.conversation.rig import Rig
from learn2fix.fuzzing import Fuzzer, smaller
from learn2fix.guided.committee import Committee
from learn2fix.guided.inputs import Inputs
from learn2fix.guided.search import Search
from learn2fix.guided.tuning import Tuning
from learn2fix.model import (
    Answer,
    Basis,
    Control,
    Ending,
    Example,
    Input,
    Label,
    Observation,
    Question,
    Reply,
    Requirement,
    Response,
    Verdict,
)
from learn2fix.oracles.patch_committee import Behaviour, Printed, chance_of_bug, votes
from learn2fix.oracles.protocol import Learner, Oracle
from learn2fix.querying.guided import Chosen, Prospect, choose, effort, value
from learn2fix.querying.spread import distances
from learn2fix.repair.space import Space

DUEL_STEP = 20


@dataclass(frozen=True, slots=True)
class Expectation:
    """What the committee said before an answer, for judging the committee."""

    chance: float
    bug: bool
    right: bool


class Guided:
    """One run. `questions` is the conversation; the rest can be read between two questions."""

    def __init__(
        self,
        rig: Rig,
        space: Space,
        learner: Learner,
        tuning: Tuning | None = None,
        light: Callable[[Fuzzer], Callable[[int], list[Input]]] | None = None,
        *,
        numbers: Sequence[int] = (),
        digits: int = 9,
        complains: Callable[[Sequence[Input]], list[bool]] = lambda inputs: [False for _ in inputs],
        glance: Callable[[Sequence[Input]], list[Observation]] | None = None,
        small: Observation | None = None,
        few: int = 8,
        bases: Sequence[Basis] = (),
        waits: bool = True,
    ) -> None:
        """`light`: takes from a fuzzer what the program is soon done with.

        `numbers` stand in the program, which reads numbers of so many `digits`; `complains` says where it
        does what its language leaves undefined; `glance` runs it, but not for long. `small`: an input to
        start from instead of the failing ones, which take so long that only the last `few` candidates are
        run on them. The rest is for `Search`.
        """
        self.rig, self.space, self.learner = rig, space, learner
        self.tuning = tuning or Tuning()
        self.search = Search(space, self.tuning.most, rig.clock, rig.deadline, bases=bases, waits=waits)
        rng = random.Random(rig.options.seed)
        self._learning_seed = rng.getrandbits(64)
        self.inputs = Inputs(
            rig, rng, light=light, numbers=numbers, digits=digits, small=small, observe=glance
        )
        self._few = few
        self._deferred: list[Requirement] = list(rig.requirements) if small is not None else []
        self.labels: list[Label] = list(rig.known)
        self.asked: list[Label] = []
        self.committee = Committee(
            space,
            rig.clock,
            rig.deadline,
            few=self.tuning.sketch,
            wide=self.tuning.sketched,
            size=self.tuning.committee,
        )
        self.expectations: list[Expectation] = []
        self.streak = 0
        self.reason = "stopped before the end"
        self.learn_seconds = 0.0
        self.repair_seconds = 0.0
        self._complains = complains
        self._odd: set[str] = set()
        self._duelled: set[frozenset[int]] = set()
        self._far_asked = False
        self._oracle: tuple[int, Oracle] | None = None

    @property
    def pool(self) -> Sequence[Observation]:
        """The inputs that fixes are compared on."""
        return self.inputs.pool

    @property
    def printed(self) -> Printed:
        return self.committee.printed

    @property
    def behaviours(self) -> tuple[Behaviour, ...]:
        return self.committee.behaviours

    # The conversation.

    def questions(self) -> Generator[Question, Reply, None]:
        rig = self.rig
        if not self._deferred:
            self.space.requirements += rig.requirements
        try:
            self.space.open_stage()
            self.search.round(1, self.tuning.first, self.tuning.first_wait)
            while True:
                reason = self._spent()
                if reason:
                    break
                question = self._next()
                if isinstance(question, str):
                    reason = question
                    break
                rig.emit(events.Asked(question))
                # While the person thinks, more candidates are judged.
                self.search.ahead(question.number + 1, self.tuning.further, self._foresight(question))
                reply = yield question
                self.search.settle()
                if reply is Control.FINISH:
                    reason = "the person finished"
                    break
                if not isinstance(reply, Answer):
                    raise ValueError(f"{reply!r} is not an answer; undo by replaying the answers before it")
                rig.emit(events.Answered(question, reply))
                self._record(question, reply)
        finally:
            self.search.close()
        self.reason = reason
        rig.emit(events.Stopped(reason))
        self._require_deferred()
        if not self.space.survivors:
            self.search.persist(self.tuning.most_of_all)
            self._explore(self.tuning.sketch)
        self.committee.regroup(self.pool)

    def _spent(self) -> str:
        if len(self.asked) >= self.rig.options.labels:
            return "the agreed number of questions was asked"
        if self.rig.clock() >= self.rig.deadline:
            return "the time is up"
        return ""

    def _next(self) -> Question | str:
        """The next question, or why there is none."""
        while True:
            question = self._look()
            if question is not None:
                return question
            # A question that is ready does not wait for candidates; the end of all questions does.
            if not self.search.complete(len(self.asked) + 1) and not self._duel():
                return self._confirm()

    def _look(self) -> Question | str | None:
        """None when no input generated so far separates the survivors."""
        number = len(self.asked) + 1
        for _ in range(self.tuning.patience):
            # Bolder edits only when the simpler ones have all been refuted.
            if self.space.survivors or not self.search.round(number, self.tuning.further, self.tuning.wait):
                break
        replayed = self.search.basis(number)
        if replayed is not None:
            self.inputs.generate(replayed.generated - self.inputs.tried, anyway=True)
        if self._deferred and len(self.space.survivors) <= self._few:
            self._require_deferred()
            return self._look()
        if not self.space.survivors:
            return self._by_labels()
        size = max(self.tuning.sketch, len(self.pool))
        until = self._late if replayed is None else math.inf
        while True:
            self._explore(size, until)
            chosen = self._choose()
            # While answers remove much anyway, a longer search for the very best question only costs time.
            exhausted = len(self.pool) < size
            settled = exhausted or size >= self.tuning.pool or self.rig.clock() >= until
            settled = settled or replayed is not None
            if chosen is not None and (chosen.gain >= self.tuning.enough or settled):
                left, many = len(self.space.survivors), len(self.behaviours)
                why = f"{left} possible fixes with {many} behaviours are left; they disagree here"
                chosen = self._shrunk(chosen)
                return self._question(chosen.prospect.observation, why, chosen.proposal)
            if size >= self.tuning.largest_pool or exhausted:
                if self._deferred:
                    self._require_deferred()
                    return self._look()
                return None
            size = min(2 * size, self.tuning.largest_pool)

    def _require_deferred(self) -> None:
        """What the failing inputs demand, once few agree with the answers about smaller ones."""
        deferred, self._deferred = self._deferred, []
        for requirement in deferred:
            self.space.require(requirement, deadline=self.rig.deadline)

    @property
    def _late(self) -> float:
        """When a person has waited long enough for the next question."""
        return math.inf if self.search.waits else self.rig.clock() + self.tuning.look

    def _foresight(self, question: Question) -> Callable[[], bool]:
        """Prepares the question after this one, a little at each call, for the answers that are likely."""
        shown = question.observation.outcome.response
        expected = votes(self.behaviours, self.printed, question.observation.input.text)
        likely = sorted(expected, key=lambda answer: -expected[answer])[: self.tuning.foreseen]
        if shown not in likely:
            likely.append(shown)
        pool = tuple(self.pool)
        return lambda: self.committee.foresee(pool, question.observation, likely)

    def _choose(self) -> Chosen | None:
        """The best question about an input on which the program keeps the rules of its language."""
        for _ in range(self.tuning.checks):
            chosen = choose(self._prospects(), self._known_inputs(), outputs=self._outputs)
            if chosen is None or chosen.prospect.observation.input.text in self._odd:
                return chosen
            given = chosen.prospect.observation.input
            if not self._complains([given])[0]:
                return chosen
            self._odd.add(given.text)
        return choose(self._prospects(), self._known_inputs(), outputs=self._outputs)

    def _duel(self) -> bool:
        """Inputs made on purpose, of other magnitudes and at the program's own numbers, until one of them
        tells some of the best fixes apart that nothing has told apart so far."""
        rivals = [m for behaviour in self.behaviours[:4] for m in behaviour.members[:8]]
        rivals = rivals[: self.tuning.rivals]
        if len(rivals) < 2 or frozenset(rivals) in self._duelled or not self.rig.domain.numeric:
            return False
        self._duelled.add(frozenset(rivals))
        for _ in range(0, self.tuning.duel, DUEL_STEP):
            if self.inputs.weary or self.rig.clock() >= self.rig.deadline:
                break
            made = self.inputs.distant(DUEL_STEP)
            self.committee.print(made, rivals)
            split = [each for each in made if self._splits(each, rivals)]
            if split:
                self.inputs.keep(split)
                return True
        return False

    def _splits(self, observation: Observation, rivals: Sequence[int]) -> bool:
        said = {self.printed.answer(observation.input.text, rival) for rival in rivals}
        return len(said) > 1

    @property
    def _outputs(self) -> bool:
        return self.rig.options.feedback == "output"

    def _question(self, observation: Observation, why: str, proposal: Response | None = None) -> Question:
        number = len(self.asked) + 1
        left = self.rig.options.labels - number
        basis = Basis(
            self.search.count, self.inputs.tried, self.committee.sketched, len(self.committee.members)
        )
        return Question(number, left, observation, proposal, why, basis)

    # What the survivors print.

    def _shrunk(self, chosen: Chosen) -> Chosen:
        """A question that tells as much about a smaller input, where inputs are more than numbers."""
        if self.rig.domain.numeric:
            return chosen
        known = self._known_inputs()
        taken = {label.observation.input.text for label in self.labels}
        for _ in range(self.tuning.shrinking):
            given = chosen.prospect.observation.input
            variants = (self.rig.domain.render(values) for values in smaller(given.values))
            fresh = {each.text: each for each in variants if each.text not in taken}
            taken |= set(fresh)
            made = self.inputs.observe(list(islice(fresh.values(), self.tuning.variants)))
            self.committee.print(made, [behaviour.best for behaviour in self.behaviours])
            prospects = [self._prospect(each) for each in made]
            # A little may be lost: an answer that comes from a glance is worth it.
            worth = [p for p in prospects if value(p, outputs=self._outputs).gain >= 0.9 * chosen.gain]
            best = choose([chosen.prospect, *worth], known, outputs=self._outputs)
            if best is None or best.prospect is chosen.prospect:
                break
            self.inputs.keep([best.prospect.observation])
            chosen = best
        return chosen

    def _explore(self, size: int, until: float = math.inf) -> None:
        """What the survivors print on so many inputs."""
        self.inputs.generate(size - len(self.pool))
        replayed = self.search.basis(len(self.asked) + 1)
        width = (replayed.sketched, replayed.committee) if replayed is not None else (0, 0)
        self.committee.explore(self.pool[:size], self._unexplained(), width=width, until=until)

    def _unexplained(self) -> list[Observation]:
        """Failing inputs of which only the wrong output is known: what should be printed is worth asking."""
        if not self._outputs or self.inputs.small is not None:
            return []
        asked = {label.observation.input.text for label in self.asked}
        return [
            label.observation
            for label in self.rig.known
            if label.answer.verdict is Verdict.BUG
            and label.answer.expected is None
            and label.observation.input.text not in asked
        ]

    def _prospects(self) -> list[Prospect]:
        asked = {label.observation.input.text for label in self.labels}
        inputs = [*self._unexplained(), *(each for each in self.pool if each.input.text not in asked)]
        return [self._prospect(each) for each in inputs]

    def _prospect(self, each: Observation) -> Prospect:
        return Prospect(each, votes(self.behaviours, self.printed, each.input.text), self._sense(each))

    def _sense(self, observation: Observation) -> float:
        """The chance that an input makes sense, guessed from what is known of the others."""
        outcome = observation.outcome
        sense = 1.0 if outcome.answered else 0.3
        if outcome.ending is Ending.RAISED and self._raising_is_right:
            sense = 1.0
        if observation.input.text in self._odd:
            sense *= 0.2
        if self.inputs.too_long(observation.input):
            sense *= 0.1
        if not self.inputs.usual(observation.input):
            sense *= 0.5
        wrong = [label.observation for label in self.asked if label.answer.verdict is Verdict.INVALID]
        if wrong:
            point = self.rig.domain.point
            right = [
                label.observation for label in self.labels if label.answer.verdict is not Verdict.INVALID
            ]
            here = [point(observation)]
            if distances(here, [point(w) for w in wrong])[0] <= distances(here, [point(r) for r in right])[0]:
                sense *= 0.3
        return sense

    @property
    def _raising_is_right(self) -> bool:
        """Whether an exception is what some input should end in: then it is an answer like others."""
        return any(
            requirement.expected is not None and requirement.expected.ending is Ending.RAISED
            for requirement in self.space.requirements
        )

    def _known_inputs(self) -> list[Input]:
        return [label.observation.input for label in self.rig.known]

    # When nothing separates the survivors.

    def _confirm(self) -> Question | str:
        left = len(self.space.survivors)
        done = f"no generated input tells the likely ones of the {left} possible fixes that are left apart"
        if self.streak >= self.tuning.trusted:
            return done
        bugs = sum(e.bug and e.right for e in self.expectations)
        fines = sum(not e.bug and e.right for e in self.expectations)
        candidates = [p for p in self._prospects() if p.sense >= 0.5 and p.expected]
        telling = [p for p in candidates if chance_of_bug(p.expected, p.observation.outcome.response) >= 0.5]
        quiet = [p for p in candidates if chance_of_bug(p.expected, p.observation.outcome.response) < 0.5]
        if telling and bugs < self.tuning.bugs_confirmed:
            why = "the fix changes what is printed here; is it right?"
            return self._question(self._farthest(self._far_telling() or telling if bugs else telling), why)
        if quiet and fines < self.tuning.fines_confirmed:
            return self._question(self._farthest(quiet), "the fix changes nothing here; is that right?")
        return done

    def _far_telling(self) -> list[Prospect]:
        """Inputs of another magnitude where the fix changes what is printed, if one was not asked already."""
        asked = {label.observation.input.text for label in self.asked}
        if self._far_asked or not self.behaviours:
            return []
        far = [each for each in self.inputs.far if each.input.text not in asked][: self.tuning.sketch]
        self.committee.print(far, [behaviour.best for behaviour in self.behaviours])
        prospects = [self._prospect(each) for each in far]
        found = [p for p in prospects if chance_of_bug(p.expected, p.observation.outcome.response) >= 0.5]
        self._far_asked = bool(found)
        # The smallest of them: somebody has to work it out.
        return sorted(found, key=lambda p: effort(p.observation, ()))[:1]

    def _farthest(self, prospects: Sequence[Prospect]) -> Observation:
        """What is least like anything answered so far: there an overfitted fix would show."""
        point = self.rig.domain.point
        known = [point(label.observation) for label in self.labels]
        gaps = distances([point(p.observation) for p in prospects], known)
        best = max(range(len(prospects)), key=lambda i: (gaps[i], -i))
        if not self.rig.domain.numeric:
            # Long lists and texts are far from everything, and hard to judge.
            far = [i for i in range(len(prospects)) if gaps[i] >= self.tuning.far * gaps[best]]
            best = min(far, key=lambda i: (effort(prospects[i].observation, ()), i))
        return prospects[best].observation

    def _by_labels(self) -> Question | str:
        """No candidate agrees with every answer: ask what teaches a condition over the inputs most."""
        self.inputs.generate(self.tuning.pool - len(self.pool))
        asked = {label.observation.input.text for label in self.labels}
        open_ = [each for each in self.pool if each.input.text not in asked and self._sense(each) >= 0.3]
        if not open_:
            return "there are no further inputs near the failing ones"
        oracle, point = self.oracle(), self.rig.domain.point
        points = [point(each) for each in open_]
        gaps = distances(points, [point(label.observation) for label in self.labels])
        chances = [oracle.chance(p) for p in points]
        scores = [(1.05 - abs(2 * c - 1)) * gap for c, gap in zip(chances, gaps, strict=True)]
        best = max(range(len(open_)), key=lambda i: (scores[i], -i))
        return self._question(
            open_[best], "no fix agrees with every answer; this one tells most about the bug"
        )

    # Answers.

    def _record(self, question: Question, answer: Answer) -> None:
        label = Label(question.observation, answer)
        self.labels.append(label)
        self.asked.append(label)
        self._expect(label)
        requirement = Requirement.from_label(label)
        if requirement is not None:
            began = self.rig.clock()
            before = len(self.space.survivors)
            self.space.require(requirement, self.committee.meet(requirement, self.rig.same))
            self.repair_seconds += self.rig.clock() - began
            if before and not self.space.survivors:
                self.rig.emit(events.Notice("no fix tried so far agrees with every answer; trying more"))
        if answer.verdict is Verdict.BUG:
            self.inputs.lead_to(question.observation.input)

    def _expect(self, label: Label) -> None:
        if label.answer.verdict not in (Verdict.BUG, Verdict.OK) or not self.behaviours:
            self.streak = self.streak if label.answer.verdict in (Verdict.UNSURE, Verdict.INVALID) else 0
            return
        text, shown = label.observation.input.text, label.observation.outcome.response
        expected = votes(self.behaviours, self.printed, text)
        chance = chance_of_bug(expected, shown)
        requirement = Requirement.from_label(label)
        top = max(expected, key=lambda answer: expected[answer], default=None)
        right = top is not None and requirement is not None and requirement.met_by(top, self.rig.same)
        self.expectations.append(Expectation(chance, label.answer.verdict is Verdict.BUG, right))
        self.streak = self.streak + 1 if right else 0

    # The oracle.

    def examples(self) -> list[Example]:
        return [
            Example(self.rig.domain.point(label.observation), label.answer.verdict is Verdict.BUG)
            for label in self.labels
            if label.answer.verdict in (Verdict.BUG, Verdict.OK)
        ]

    def oracle(self) -> Oracle:
        """What labels alone teach: for when no patch survives, and as a second opinion."""
        if self._oracle is None or self._oracle[0] != len(self.labels):
            began = self.rig.clock()
            rng = random.Random(self._learning_seed)
            learned = self.learner.learn(self.rig.domain.all_variables, self.examples(), rng)
            self._oracle = (len(self.labels), learned)
            self.learn_seconds += self.rig.clock() - began
        return self._oracle[1]

    def chances(self, observations: Sequence[Observation]) -> list[float]:
        """For each observation the chance that it shows the bug."""
        with self.search.paused():
            return self._chances(observations)

    def _chances(self, observations: Sequence[Observation]) -> list[float]:
        oracle, point = self.oracle(), self.rig.domain.point
        known = {label.observation.input.text: label.answer.verdict for label in self.labels}
        trust = self.trust
        if trust:
            self.committee.print(observations, self.committee.leading, late=True)
        found = []
        for each in observations:
            text, shown = each.input.text, each.outcome.response
            expected = votes(self.behaviours, self.printed, text) if trust else {}
            second = oracle.chance(point(each))
            chance = trust * chance_of_bug(expected, shown) + (1 - trust) * second if expected else second
            verdict = known.get(text)
            found.append(1.0 if verdict is Verdict.BUG else 0.0 if verdict is Verdict.OK else chance)
        return found

    @property
    def trust(self) -> float:
        """How much the survivors are believed beside the labels: more with every prediction that held."""
        if not self.behaviours:
            return 0.0
        return 1.0 - 0.4 / (1.0 + self.streak)
