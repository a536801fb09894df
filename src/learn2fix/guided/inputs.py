"""The inputs that candidates are compared on: near the failing ones, and a few from farther away.

What the program works long on is left out: every candidate would have to work as long. Work is counted, so
the same seed gives the same inputs on any machine.
"""

from __future__ import annotations

import random
from collections.abc import Iterable, Iterator, Sequence
from itertools import chain, islice
from typing import Any

from learn2fix.conversation.problem import Problem
from learn2fix.domain.ranges import numbers_in
from learn2fix.domain.where import Where
from learn2fix.fuzzing import (
    EXTENDED,
    Corpus,
    Fuzzer,
    Hangs,
    at_least,
    compared_letters,
    compared_numbers,
    compared_words,
    constants,
    corners,
    executed,
    infer,
    wide,
)
from learn2fix.fuzzing.sense import in_words, learned
from learn2fix.guided import parting
from learn2fix.languages.evaluator import WORK_LIMIT, Evaluator
from learn2fix.languages.protocol import Repairable
from learn2fix.model import Candidate, Ending, Input, Label, Observation, Outcome, Verdict

RELATED = 0.25
"""Chance that several values of an input change as one."""
WIDENINGS = 2
"""Number of times that what is usual grows tenfold before anything goes."""
BATCH = 8
"""Inputs run at a time: what hangs is noticed before the next ones are made."""
CLOSE, CLOSE_EACH = 160, 2
"""Number of inputs up to which a few of each batch differ from a known bug in a single value."""
LONGER = 10
"""How many times the work of the failing inputs an input may take, which may be the very bug."""
MOST_HEAVY_NEAR = 64
"""Number of inputs that take long after which the inputs there are have to do …"""
MOST_HEAVY_FAR = 6
"""… and after which none of another magnitude is tried."""
SATURATED = 64
"""Number of inputs in a row that lead the program nowhere new, after which no more are tried for that."""
SOME = 16
"""Number of inputs of a slow program of which it is looked what they execute."""
MOST_STUMBLING = 0.25
"""Share of the inputs compared on that may make the program stumble where no failing input does: most make no
sense, such as an index beyond its list …"""
LEFT_OUT = 4
"""… and the number of them, for each that is wanted, that are left out for that."""
MOST_SEEDS, MOST_SOLVED = 2, 96
"""Number of known inputs that solved values are laid into, and of inputs made so at a time."""
NEVER_ENDS = Outcome(Ending.TIMEOUT)
FOR_EVER = 10 * WORK_LIMIT
"""Number of steps after which it is certain enough that a run never ends to ask a person about it."""


class Inputs:
    """`pool` grows at its end only."""

    def __init__(
        self,
        problem: Problem,
        repairable: Repairable,
        evaluator: Evaluator,
        rng: random.Random,
        small: Observation | None = None,
        tried: int = 1,
    ) -> None:
        """`small`: an input to start from instead of the failing ones, which take long. `tried`: the number
        of inputs made for one that is compared on."""
        self._problem, self._repairable, self._evaluator = problem, repairable, evaluator
        self._tried = tried
        self.small = small
        known = [label.observation.input for label in problem.known]
        seeds = [label.observation.input for label in problem.failing] if small is None else [small.input]
        source = repairable.text.decode("utf-8", "replace")
        letters = compared_letters(source)
        contract = infer([given.values for given in known], letters=letters)
        seen = {given.text for given in (*known, *seeds)}
        self._corpus = Corpus()
        self._fuzzer = Fuzzer(
            problem.domain,
            seeds,
            random.Random(rng.getrandbits(64)),
            operators=EXTENDED,
            contract=contract,
            known=known,
            widenings=WIDENINGS,
            seen=set(seen),
            words=compared_words(source),
            asked=compared_numbers(source),
            letters=letters,
            corpus=self._corpus,
            related=RELATED,
        )
        self._wide = wide(
            problem.domain,
            seeds,
            constants(source),
            contract,
            random.Random(rng.getrandbits(64)),
            {given.text for given in known},
            repairable.digits,
            self._corpus,
        )
        numbers = (abs(value) for given in known for value in numbers_in(given.values))
        digits = repairable.digits
        self._largest = None if digits is None else max([10**digits, *numbers])
        self._statements = 0
        """Number of statements of the program, once it is known …"""
        self._reached: frozenset[int] = frozenset()
        """… and those that some input compared on executes."""
        self._looked_into: list[Input] = []
        self._in_vain = 0
        """Number of inputs in a row that were tried for something new and did not bring it."""
        self._stumbling = self._left_out = 0
        """Number of inputs compared on that the program stumbles on, and of those left out for that."""
        self._sure_footed = all(label.observation.outcome.completed for label in problem.failing)
        self._heavy: list[tuple[Any, ...]] = []
        self._soon_done: list[tuple[Any, ...]] = []
        """Lists and texts that did not take long: what is as large need not take long either."""
        self._hangs = Hangs()
        start = [small.input] if small is not None else known
        work = evaluator.work(start)
        if not problem.domain.numeric:
            self._soon_done += [g.values for g, w in zip(start, work, strict=True) if w < WORK_LIMIT]
        self._bearable = _most_work(work, evaluator.light)
        self.endless = max(work) >= WORK_LIMIT
        """Whether the bug is that the program never ends: then inputs like that are what to ask about."""
        self.pool: list[Observation] = [] if small is None else [small]
        self.generated: list[Observation] = list(self.pool)
        """All that were made and run, also those that are not compared on."""
        self._singly: Iterator[Input] = chain.from_iterable(map(self._fuzzer.singly, seeds))
        self.singles: list[Observation] = []
        """Inputs that differ from a known bug in a single value."""
        self.far: list[Observation] = []
        """Inputs of other magnitudes that the program answers."""
        self.executions = 0
        self.paths: dict[str, frozenset[int]] = {}
        """For each input of which it is known, the statements that the program executes there."""
        self._corners = corners(problem.domain, seeds) if repairable.function is not None else []
        self._corner_cases: list[Observation] = []
        self._sensible = [given.values for given in known]
        self._senseless: list[tuple[Any, ...]] = []
        self.learned: tuple[Where, ...] = ()
        """What inputs have that make sense, as learned from those that make none."""

    def generate(self, count: int) -> None:
        """That many more near the failing ones, as far as there are any that do not take long.

        More are tried: those on which the program does something new are compared on too.
        """
        wanted = len(self.pool) + count
        while (left := wanted - len(self.pool)) > 0 and len(self._heavy) < MOST_HEAVY_NEAR:
            batch = self._fuzzer.take(min(BATCH, left))
            if not batch or self._problem.late:
                break
            made = self._mostly_answered(self._made(batch), LEFT_OUT * wanted)
            if len(self.pool) < CLOSE:
                made += self.changed_singly(min(CLOSE_EACH, left - len(made)))
            self._note(made)
            if len(made) < left:
                made += self._new_ones(left - len(made))
            self.generated += made
            self.pool += made

    def _mostly_answered(self, made: list[Observation], most: int) -> list[Observation]:
        """Those that are compared on: not many on which the program raises an exception or crashes, unless
        that is the bug. At most so many are left out in all."""
        if not self._sure_footed:
            return made
        kept: list[Observation] = []
        for each in made:
            if not each.outcome.completed:
                few = self._stumbling < MOST_STUMBLING * max(BATCH, len(self.pool) + len(kept))
                if not few and self._left_out < most:
                    self._left_out += 1
                    continue
                self._stumbling += 1
            kept.append(each)
        return kept

    def _new_ones(self, most: int) -> list[Observation]:
        """Inputs that lead the program where none has led it before.

        Unusual ones only if they reach a statement that none has reached: the program expects them, it seems.
        """
        found: list[Observation] = []
        for turn in range(1, self._tried):
            if len(found) >= most or len(self._heavy) >= MOST_HEAVY_NEAR or self._problem.late:
                break
            if self._in_vain >= SATURATED:
                break
            last = turn == self._tried - 1 and len(self._reached) < self._statements
            light = self._light(self._fuzzer.unusual(BATCH) if last else self._fuzzer.take(BATCH))
            new = []
            for given, counts in zip(light, self._evaluator.statements(light), strict=True):
                reaches = _executed(counts) - self._reached
                if (reaches or not last) and self._noted(given, counts):
                    new.append(given)
            self._in_vain = 0 if new else self._in_vain + BATCH
            found += self.observe(new[: most - len(found)])
        return found

    def _note(self, made: Sequence[Observation]) -> None:
        """What the program does on inputs that are compared on anyway."""
        some = made if self._tried > 1 else made[: max(0, SOME - len(self.pool))]
        for each, counts in zip(some, self._evaluator.statements([each.input for each in some]), strict=True):
            self._noted(each.input, counts)
            self._corpus.note_answer(each.input, each.outcome.response)

    def _noted(self, given: Input, counts: Sequence[int]) -> bool:
        """Whether something new was executed there."""
        path = _executed(counts)
        self._statements, self._reached = len(counts), self._reached | path
        self._looked_into.append(given)
        self.paths[given.text] = path
        return self._corpus.note(given, executed(counts))

    def unreached_but(self, reached: frozenset[int]) -> float:
        """Share of the program's lines that no input compared on has executed, where these lines are reached
        as well; 0 while nothing is known."""
        runs = self._evaluator.coverage(self._looked_into)
        executed_lines = {line for counts in runs for line, count in counts.items() if count}
        lines = {line for counts in runs for line in counts}
        return len(lines - executed_lines - reached) / max(1, len(lines))

    def distant(self, count: int) -> list[Observation]:
        """Of other magnitudes and at the program's own numbers; only what it answers soon."""
        made: list[Observation] = []
        for given in islice(self._wide, count):
            if self.weary or self._problem.late:
                break
            if self.allowed(given) and not self._too_heavy(given.values):
                made += [each for each in self._made([given]) if self.endless or each.outcome.answered]
        self.far += made
        return made

    def changed_singly(self, count: int) -> list[Observation]:
        """So many more that differ from a known bug in a single value; only what the program answers soon."""
        made: list[Observation] = []
        known = {each.input.text for each in (*self.generated, *self.singles)}
        while len(made) < count and not self._problem.late:
            left = min(BATCH, count - len(made))
            batch = list(islice((each for each in self._singly if each.text not in known), left))
            if not batch:
                break
            known |= {each.text for each in batch}
            made += [each for each in self._made(batch) if self.endless or each.outcome.answered]
        self.singles += made
        return made

    def corners(self) -> list[Observation]:
        """The failing calls with one argument 0 or empty, as far as they are not compared on yet: near inputs
        have the signs and lengths of the failing ones. Nothing for a whole program, whose input seldom makes
        sense then."""
        if self._corners:
            self._corner_cases += self._made(self._corners)
            self._corners = []
        compared = {each.input.text for each in self.pool}
        return [
            each
            for each in self._corner_cases
            if each.input.text not in compared and self.allowed(each.input)
        ]

    def solved(self, fixes: Sequence[Candidate]) -> list[Observation]:
        """Inputs at which the first of these fixes may part from others, by what they say."""
        seeds = [label.observation.input for label in self._problem.known][:MOST_SEEDS]
        found = parting.solved(self._repairable, self._problem.domain, fixes, seeds)
        fitting = islice((given for given in found if self.fits(given)), MOST_SOLVED)
        return [each for each in self._made(list(fitting)) if self.endless or each.outcome.answered]

    def heavy(self, observations: Iterable[Observation]) -> None:
        """No fix ends there in the steps that it may take: larger ones would tell nothing, and take long."""
        self._heavy += [each.input.values for each in observations]

    @property
    def weary(self) -> bool:
        """Whether too many took long."""
        return len(self._heavy) >= MOST_HEAVY_FAR

    def keep(self, made: Sequence[Observation]) -> None:
        """Inputs made on purpose, to compare on from now on."""
        self.generated += made
        self.pool += made

    def observe(self, inputs: Sequence[Input]) -> list[Observation]:
        self.executions += len(inputs)
        return self._problem.observe(inputs)

    def told(self, label: Label) -> None:
        """What is usual follows from what made sense and what did not; near a bug more inputs are made."""
        given = label.observation.input
        if label.answer.verdict is Verdict.INVALID:
            self._fuzzer.refuse(given)
            self._senseless.append(given.values)
        elif label.answer.verdict is not Verdict.UNSURE:
            self._fuzzer.allow(given)
            self._sensible.append(given.values)
        if self._senseless:
            self._learn_sense()
        if label.answer.verdict is Verdict.BUG:
            self._fuzzer.add_seed(given)
            self._singly = chain(self._fuzzer.singly(given), self._singly)
            self._in_vain = 0

    def _learn_sense(self) -> None:
        """Fixes are compared no more on inputs that make no sense."""
        names = [variable.name for variable in self._problem.domain.variables]
        self.learned = learned(names, self._sensible, self._senseless)
        self.pool, self.far, self.singles = (
            [each for each in some if self.allowed(each.input)]
            for some in (self.pool, self.far, self.singles)
        )

    def allowed(self, given: Input) -> bool:
        return given.values not in self._senseless and all(w.holds(given.values) for w in self.learned)

    @property
    def where(self) -> str:
        """What every input meets that is asked about from now on."""
        return in_words((*self._problem.domain.where, *self.learned))

    def look_into(self, given: Input) -> None:
        """What the program executes there is known from now on."""
        if given.text not in self.paths:
            self.paths[given.text] = _executed(self._evaluator.statements([given])[0])

    def smaller(self, given: Input) -> Iterator[Input]:
        return self._fuzzer.smaller(given)

    def usual(self, given: Input) -> bool:
        return self._fuzzer.contract is None or self._fuzzer.contract.holds(given.values)

    def fits(self, given: Input) -> bool:
        """Whether the program can read its numbers."""
        return self._largest is None or all(abs(value) <= self._largest for value in numbers_in(given.values))

    def certain(self, observation: Observation) -> Observation:
        """The same, where it was only presumed that the program never ends."""
        given = observation.input
        if observation.outcome != NEVER_ENDS or self._evaluator.work([given], FOR_EVER)[0] >= FOR_EVER:
            return observation
        (seen,) = self.observe([given])
        self.pool = [seen if each == observation else each for each in self.pool]
        return seen

    def _made(self, inputs: Sequence[Input]) -> list[Observation]:
        """What the program does there. Inputs that take long are left out, unless they are what the bug is
        about: then candidates are cut by their steps as the program is."""
        seen = {each.input.text: each for each in self.observe(self._light(inputs))}
        if self.endless:
            return [seen.get(given.text) or Observation(given, NEVER_ENDS) for given in inputs]
        return list(seen.values())

    def _light(self, inputs: Sequence[Input]) -> list[Input]:
        """Those that do not take long; the others are kept in mind, and the like avoided. Those that make no
        sense are left out."""
        inputs = [given for given in inputs if self.allowed(given)]
        work = self._evaluator.work(inputs, self._bearable + 1)
        self.executions += len(inputs)
        light = [given for given, steps in zip(inputs, work, strict=True) if steps <= self._bearable]
        if self.endless:
            return light
        for given, steps in zip(inputs, work, strict=True):
            self._hangs.note(given.values, steps > self._bearable)
            if steps > self._bearable:
                self._heavy.append(given.values)
            elif not self._problem.domain.numeric:
                self._soon_done.append(given.values)
        if len(light) < len(inputs):
            self._fuzzer.avoid(self._too_heavy)
        return light

    def _too_heavy(self, values: Sequence[Any]) -> bool:
        """A short list may take for ever because of one element: longer ones are not to blame for that."""
        return self._hangs.likely(values) or any(
            at_least(values, heavy) and not any(at_least(light, heavy) for light in self._soon_done)
            for heavy in self._heavy
        )


def _executed(counts: Sequence[int]) -> frozenset[int]:
    return frozenset(number for number, count in enumerate(counts) if count)


def _most_work(known: Sequence[int], light: int) -> int:
    """The steps that a run may take: some more than the known ones do, as far as these end at all."""
    return min(WORK_LIMIT - 1, max([light, *(LONGER * work for work in known if work < WORK_LIMIT)]))
