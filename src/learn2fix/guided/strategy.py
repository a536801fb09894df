"""Patches as hypotheses: ask what tells the candidate fixes apart, until one is left and has been confirmed.

One round: widen the space (in the background, while the person thinks), run a pool of fuzzed inputs on
the survivors, group them by what they print, and ask about the input whose answer is expected to remove
most. When no generated input separates the survivors, a few questions confirm the best one where it was
not tested yet. When nothing survives, questions go on as for a program without source, and the wider
space gets another chance.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from itertools import islice
from typing import TypeVar

from learn2fix import events
from learn2fix.conversation.problem import Problem
from learn2fix.conversation.protocol import Ask, Stop
from learn2fix.conversation.result import Findings
from learn2fix.conversation.stopwatch import Stopwatch
from learn2fix.guided import choosing, confirming, slips
from learn2fix.guided.background import Background
from learn2fix.guided.duels import Duels
from learn2fix.guided.hypotheses import Hypotheses, executed
from learn2fix.guided.reporting import Reporter, learning_seed
from learn2fix.guided.search import Search
from learn2fix.guided.state import Expectation, Foreseen, State
from learn2fix.languages.protocol import Repairable
from learn2fix.model import (
    Answer,
    Ending,
    Label,
    Observation,
    Question,
    Requirement,
    merged,
)
from learn2fix.querying.guided import Chosen, Prospect
from learn2fix.wording import TIME_IS_UP, plural

FEW = 8
"""Number of candidates, at least, that a slow failing input is run on …"""
SLOW_LINES = 200_000_000
"""… and the lines that may be executed for that."""
WORTH_SHRINKING = 0.9
"""Share of the expected gain that a smaller input must bring: an answer from a glance is worth the rest."""

T = TypeVar("T")


def _about(chosen: Ask | Stop) -> Observation | None:
    return chosen.observation if isinstance(chosen, Ask) else None


class Guided:
    """A strategy (`conversation.protocol`) for programs whose source is known."""

    def __init__(self, problem: Problem, repairable: Repairable) -> None:
        rng = random.Random(problem.options.seed)
        rng.getrandbits(64)  # this one is for learning
        self._problem = problem
        self._hypotheses = hypotheses = Hypotheses.of(problem, repairable, rng)
        self._tuning = hypotheses.tuning
        self._search = Search(
            hypotheses.space, self._tuning.most, self._tuning.most_of_all, lambda: problem.late
        )
        self._background = Background()
        self._watch = Stopwatch(problem.clock)
        self._reporter = Reporter(hypotheses, self._watch, learning_seed(problem))
        self._asked: list[Label] = []
        self._expectations: list[Expectation | None] = []
        self._foreseen: list[Foreseen | None] = []
        """What was expected of each answer, to be judged anew when it is taken back."""
        self._certain: list[int] = []
        """Answers that were asked for again."""
        self._more = 0
        """Number of questions that offered more of what may be right."""
        self._settled = False
        """Whether there is nothing left that is worth asking."""
        self._doubting = False
        """Whether the newest answer was not the expected one, or nothing is left: there may be a slip."""
        self._set_aside = ""
        """What to say of an answer that was set aside at the end."""
        self._undefined: set[str] = set()
        self._duels = Duels(hypotheses, lambda: problem.late)
        self._far_asked = False
        self._odd_asked = False
        self._sought_rivals = -1
        """Number of answers when bolder edits were last looked for although some fix was left."""
        slow = hypotheses.inputs.small is not None
        if not slow and problem.options.feedback != "verdict":
            hypotheses.committee.part_at(choosing.unexplained(hypotheses.state()))
        self._deferred = problem.requirements if slow else []
        """What the failing inputs demand, where they are so slow that only few candidates are run on them."""
        self._few = max(FEW, SLOW_LINES // max(1, executed(problem, hypotheses.evaluator))) if slow else 0
        for requirement in () if slow else problem.requirements:
            hypotheses.space.require(requirement)
        self._begun = False

    # The strategy.

    def choose(self) -> Ask | Stop:
        with self._watch.timed("repair"):
            again = self._again()
            if again is not None:
                return replace(choosing.with_choices(self._state(), again), least=self._least())
            chosen = self._choose() if self._begun else self._begin()
            self._settled = isinstance(chosen, Stop) and not self._problem.late
        if isinstance(chosen, Ask):
            chosen = replace(choosing.with_choices(self._state(), chosen), least=self._least())
            # While the person thinks, more candidates are judged, and the next question is prepared.
            self._search.owe(self._tuning.further)
            self._background.start(self._search.steps(), self._foresight(chosen.observation))
        return chosen

    def _least(self) -> int:
        """Predictions that must hold after the answer to this question, which may be the next that does."""
        return max(0, self._tuning.trusted - self._state().streak - 1)

    def record(self, question: Question, answer: Answer) -> None:
        with self._watch.timed("repair"):
            self._background.finish()
            label = Label(question.observation, answer)
            if question.again is not None:
                self._record_again(label)
                return
            if answer.expected is not None:
                self._hypotheses.committee.explained(label.observation)
            if self._record_more(label):
                return
            foreseen = self._expected(label.observation)
            expectation = Expectation.of(foreseen, label, self._hypotheses.repairable.same)
            self._foreseen.append(foreseen)
            self._expectations.append(expectation)
            self._asked.append(label)
            self._doubting = expectation is not None and not expectation.right
            self._require(label, informing=question.reported and answer.expected is not None)
            self._hypotheses.inputs.told(label)

    def _require(self, label: Label, *, informing: bool) -> None:
        requirement = Requirement.from_label(label)
        if requirement is None:
            return
        space = self._hypotheses.space
        before = len(space.survivors)
        met = self._hypotheses.committee.meet(requirement, self._hypotheses.repairable.same)
        space.require(requirement, met, self._problem.end)
        if informing:
            self._hypotheses.inform()
        self._doubting = self._doubting or not space.survivors
        if before and not space.survivors:
            words = "no fix tried so far agrees with every answer; trying more"
            self._problem.emit(events.Notice(words))

    def _record_more(self, label: Label) -> bool:
        """Whether none of what was offered before for this input was right: then the two answers are one."""
        texts = [each.observation.input.text for each in self._asked]
        if label.observation.input.text not in texts:
            return False
        place = texts.index(label.observation.input.text)
        self._asked[place] = merged(self._asked[place], label)
        self._more += 1
        self._require(label, informing=label.answer.expected is not None)
        return True

    def _record_again(self, label: Label) -> None:
        """The later answer counts; where it is another one, everything is judged anew."""
        place = self._certain[-1]
        before, self._asked[place] = self._asked[place], label
        if label.answer != before.answer:
            same = self._hypotheses.repairable.same
            self._expectations[place] = Expectation.of(self._foreseen[place], label, same)
            self._state_anew()
            self._hypotheses.inputs.told(label)

    def _state_anew(self, without: int | None = None) -> None:
        """Requirements from the answers as they are now, `without` one of them."""
        known = [] if self._deferred else self._problem.requirements
        kept = [label for place, label in enumerate(self._asked) if place != without]
        asked = [each for label in kept if (each := Requirement.from_label(label)) is not None]
        self._hypotheses.space.restate([*known, *asked])

    def finish(self) -> None:
        with self._watch.timed("repair"):
            self._background.finish()
            self._require_deferred()
            self._set_aside_slip()
            hypotheses = self._hypotheses
            if not hypotheses.space.survivors:
                self._search.persist()
                hypotheses.explore(self._tuning.sketch)
            hypotheses.committee.regroup(hypotheses.inputs.pool)
            if hypotheses.space.survivors and not hypotheses.committee.behaviours:
                # The last answer was another one than before: fixes are back that nobody has compared since.
                hypotheses.explore(len(hypotheses.inputs.pool))
            for _ in range(self._tuning.last_duels):
                # Nobody is asked any more, but what was not told apart must not count as one fix.
                if not self._duels.part():
                    break
                hypotheses.committee.print(hypotheses.inputs.pool, hypotheses.committee.members)
                hypotheses.committee.regroup(hypotheses.inputs.pool)

    def findings(self) -> Findings:
        with self._background.paused():
            found = self._reporter.findings(self._state())
        return replace(found, doubts=(self._set_aside, *found.doubts)) if self._set_aside else found

    def chances(self, observations: Sequence[Observation]) -> list[float]:
        with self._background.paused():
            return self._reporter.chances(self._state(), observations)

    def condition(self, within: Callable[[], bool]) -> str:
        with self._background.paused():
            return self._reporter.condition(self._state(), within)

    @property
    def generated(self) -> int:
        return len(self._hypotheses.inputs.generated)

    @property
    def hypotheses(self) -> Hypotheses:
        """To measure the candidates by, when all is over."""
        return self._hypotheses

    def close(self) -> None:
        self._background.close()
        self._hypotheses.close()

    # Choosing.

    def _state(self) -> State:
        self._undefined |= self._hypotheses.accidents()
        return self._hypotheses.state(
            self._asked,
            self._expectations,
            frozenset(self._undefined),
            len(self._certain) + self._more,
            self._settled,
        )

    def _again(self) -> Ask | None:
        """The answer that is likelier to be a slip than all of them are right, to be asked for again."""
        doubting, self._doubting = self._doubting, False
        if not doubting or len(self._certain) >= slips.MOST_AGAIN:
            return None
        self._look_for_bolder()
        found = self._suspect()
        if found is None:
            return None
        self._certain.append(found.place)
        label = self._asked[found.place]
        why = "without this answer a likely fix would be left, with it only far-fetched ones or none"
        return Ask(label.observation, why, again=label.answer)

    def _suspect(self) -> slips.Suspect | None:
        noise = self._problem.options.noise or slips.USUAL_NOISE
        return slips.suspect(self._hypotheses.space, self._asked, self._certain, noise)

    def _begin(self) -> Ask | Stop:
        """What is right where the bug was seen tells most and needs no other input: it is asked at once."""
        self._begun = True
        self._search.round(self._tuning.first)
        reported = choosing.unexplained(self._state())[:1]
        if not reported or not self._hypotheses.space.survivors:
            return self._choose()
        self._hypotheses.committee.explore(reported)
        return Ask(reported[0], "what is right here tells most")

    def _choose(self) -> Ask | Stop:
        while True:
            chosen = self._separating()
            if chosen is None and not self._duels.part() and not self._look_for_rivals():
                chosen = self._confirming()
            if self._problem.late and not isinstance(chosen, Ask):
                return Stop(TIME_IS_UP)
            if chosen is not None:
                return chosen

    def _separating(self) -> Ask | Stop | None:
        """None when no input generated so far separates the survivors."""
        hypotheses, tuning = self._hypotheses, self._tuning
        self._look_for_bolder()
        if self._deferred and len(hypotheses.space.survivors) <= self._few:
            self._require_deferred()
            return self._separating()
        hypotheses.take_apart()
        if not hypotheses.space.survivors:
            hypotheses.inputs.generate(tuning.pool - len(hypotheses.inputs.pool))
            oracle = self._reporter.oracle(self._state())
            return self._defined(lambda: choosing.question_without_fixes(self._state(), oracle), _about)
        size = max(tuning.sketch, len(hypotheses.inputs.pool))
        while True:
            hypotheses.explore(size, choosing.unexplained(self._state()))
            chosen = self._best()
            # While answers remove much anyway, a longer search for the very best question only costs time.
            exhausted = len(hypotheses.inputs.pool) < size
            settled = exhausted or size >= tuning.pool
            if chosen is not None and (chosen.gain >= tuning.enough or settled):
                left, many = len(hypotheses.space.survivors), len(hypotheses.committee.behaviours)
                fixes = f"{plural(left, 'possible fix')} with {plural(many, 'behaviour')}"
                why = f"{fixes} are left; they disagree here"
                chosen = self._shrunk(chosen)
                return Ask(chosen.prospect.observation, why)
            if size >= tuning.largest_pool or exhausted:
                if not self._deferred:
                    return None
                self._require_deferred()
                return self._separating()
            size = min(2 * size, tuning.largest_pool)

    def _look_for_bolder(self) -> None:
        """Bolder edits only when the simpler ones have all been refuted."""
        for _ in range(self._tuning.patience):
            if self._hypotheses.space.survivors or not self._search.round(self._tuning.further):
                break

    def _look_for_rivals(self) -> bool:
        """Bolder edits also where a far-fetched one has survived: it may fit the answers by chance, and what
        is right may be another one. Once for every answer, until enough of what it says has held; whether
        there are more survivors now."""
        space, answers = self._hypotheses.space, len(self._asked)
        if not space.survivors or answers == self._sought_rivals:
            return False
        if confirming.confirmed(self._state(), self._tuning):
            return False
        if space.costs[space.survivors[0]] < self._tuning.far_fetched:
            return False
        self._sought_rivals = answers
        before = len(space.survivors)
        for _ in range(self._tuning.rounds_for_rivals):
            if not self._search.round(self._tuning.further):
                break
        return len(space.survivors) > before

    def _best(self) -> Chosen | None:
        def about(chosen: Chosen | None) -> Observation | None:
            return None if chosen is None else chosen.prospect.observation

        return self._defined(lambda: choosing.best_question(self._state()), about)

    def _defined(self, choose: Callable[[], T], about: Callable[[T], Observation | None]) -> T:
        """What is chosen, about an input on which the program keeps the rules of its language."""
        for _ in range(self._tuning.checks):
            chosen = choose()
            observation = about(chosen)
            if observation is None or observation.input.text in self._undefined:
                return chosen
            if self._hypotheses.inputs.certain(observation) != observation:
                continue
            ended = observation.outcome.ending is not Ending.TIMEOUT
            if not ended or not self._hypotheses.repairable.undefined([observation.input])[0]:
                return chosen
            self._undefined.add(observation.input.text)
        return choose()

    def _shrunk(self, chosen: Chosen) -> Chosen:
        """A question that tells as much about a smaller input, where inputs are more than numbers."""
        inputs, state = self._hypotheses.inputs, self._state()
        taken = {label.observation.input.text for label in state.labels}
        for _ in range(self._tuning.shrinking):
            variants = inputs.smaller(chosen.prospect.observation.input)
            fresh = list(islice((v for v in variants if v.text not in taken), self._tuning.variants))
            taken |= {each.text for each in fresh}
            made = inputs.observe(fresh)
            self._hypotheses.committee.print(made, [behaviour.best for behaviour in state.behaviours])
            prospects = [choosing.prospect(state, each) for each in made]
            worth = [
                each
                for each in prospects
                if choosing.worth(state, each).gain >= WORTH_SHRINKING * chosen.gain
            ]
            best = choosing.easiest(state, [chosen.prospect, *worth])
            if best is None or best.prospect is chosen.prospect:
                break
            inputs.keep([best.prospect.observation])
            chosen = best
        return chosen

    def _confirming(self) -> Ask | Stop:
        state = self._state()
        far = []
        if confirming.bugs_predicted(state) and not confirming.confirmed(state, self._tuning):
            far = self._far_telling(state)
        chosen = self._confirmation(far, doubtful=False)
        if isinstance(chosen, Stop) and not self._reporter.confident(replace(state, settled=True)):
            chosen = self._confirmation(far, doubtful=True)
        odd = self._odd(state) if isinstance(chosen, Stop) else None
        return chosen if odd is None else Ask(odd, "every likely fix ends so here; is that right?")

    def _odd(self, state: State) -> Observation | None:
        """An input on which what all fixes do looks wrong by itself, if none was asked about already."""
        if self._odd_asked:
            return None
        for each in confirming.looks_wrong(state)[: self._tuning.checks]:
            observation = self._hypotheses.inputs.certain(each)
            ended = observation.outcome.ending is not Ending.TIMEOUT
            if observation == each and not (ended and self._hypotheses.repairable.undefined([each.input])[0]):
                self._odd_asked = True
                return each
        return None

    def _confirmation(self, far: Sequence[Prospect], *, doubtful: bool) -> Ask | Stop:
        contested = self._hypotheses.contested(self._state())
        return self._defined(
            lambda: confirming.confirmation(self._state(), self._tuning, far, contested, doubtful=doubtful),
            _about,
        )

    def _far_telling(self, state: State) -> list[Prospect]:
        """Inputs of another magnitude where the fix changes what is printed, if none was asked already."""
        if self._far_asked or not state.behaviours:
            return []
        asked = {label.observation.input.text for label in state.asked}
        far = [each for each in self._hypotheses.inputs.far if each.input.text not in asked]
        far = choosing.readable(state, far)[: self._tuning.sketch]
        self._hypotheses.committee.print(far, [behaviour.best for behaviour in state.behaviours])
        found = [choosing.prospect(state, each) for each in far if state.chance(each) >= 0.5]
        self._far_asked = bool(found)
        return found

    # Answers.

    def _expected(self, observation: Observation) -> Foreseen | None:
        """What the committee expects; where the bug was reported everybody knows that it is one."""
        state = self._state()
        if not state.behaviours:
            return None
        if observation.input in state.known_inputs:
            return None
        expected = state.votes(observation.input)
        top = max(expected, key=lambda answer: expected[answer], default=None)
        return state.chance(observation), top

    def _set_aside_slip(self) -> None:
        """Where answers are said to be wrong now and then, and nobody can be asked again: the fix that all
        others speak for is better than none."""
        if not self._problem.options.noise or self._hypotheses.space.survivors:
            return
        found = self._suspect()
        if found is not None:
            text = self._asked[found.place].observation.input.text.strip()
            self._set_aside = f"the answer about {text!r} does not fit the others and was set aside"
            self._state_anew(without=found.place)

    def _require_deferred(self) -> None:
        """What the failing inputs demand, once few agree with the answers about smaller ones."""
        deferred, self._deferred = self._deferred, []
        for requirement in deferred:
            self._hypotheses.space.require(requirement, deadline=self._problem.deadline)

    def _foresight(self, observation: Observation) -> Iterator[None]:
        """Prepares the question after this one, for the answers that are likely."""
        state = self._state()
        expected = state.votes(observation.input)
        likely = sorted(expected, key=lambda answer: -expected[answer])[: self._tuning.foreseen]
        if state.shown(observation) not in likely:
            likely.append(state.shown(observation))
        return self._hypotheses.committee.foresee(state.pool, observation, likely)
