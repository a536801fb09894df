"""Where candidates come from, one way after the other: single edits, pairs of near misses, synthesis."""

from __future__ import annotations

import math
from bisect import bisect_right
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from difflib import SequenceMatcher
from fractions import Fraction
from itertools import chain, islice

from learn2fix.domain.ranges import letters_in, numbers_in
from learn2fix.edits.localisation import ochiai
from learn2fix.edits.pairs import TOGETHER
from learn2fix.edits.protocol import Hints
from learn2fix.languages.evaluator import Clock, Evaluator
from learn2fix.languages.protocol import Repairable
from learn2fix.model import Candidate, Label, Requirement, Verdict
from learn2fix.repair.combining import combined, grouped
from learn2fix.repair.space import Space, Stage

LIKELIER = 0.3
"""Cost by which a change must become cheaper to count anew."""
SEEDS_OF_PAIRS = 60
"""Number of near misses that pairs of edits are made from."""
MOST_PAIRS = 12_000
"""Maximum number of pairs: there are ever more of them, and synthesis may lead further."""
MOST_PAIRS_ANEW = 1_500
"""… of those that another answer leads to."""
MOST_COMBINED = 6_000
"""Maximum number of edits that are combined because of what each of them meets."""
COMBINED_AMONG = 4_000
"""Number of the cheapest candidates among which these are looked for …"""
COMBINED_NEAR = 2_000
"""… and of those that met something before they fell."""
MOST_TAKEN_APART = 20
"""Number of survivors whose parts are looked at."""
TRIED_AHEAD = 6_000
"""Number of the first candidates among which steps ahead are looked for."""
SAME_STEP = 4
"""Number of candidates that lead to the same output."""
SLOW = 500_000
"""Number of lines executed on the failing input from which on a program counts as slow."""
NEAR = 2
"""Number of lines from where a run was seen to go wrong within which the cause often stands."""
OTHERS = 0.9
"""What is left of the suspicion of all other lines."""
MOST_COMPARED = 8
"""Number of answers that are compared with what is right."""
SHORT = 3
"""Number of characters up to which an answer may stand in a fix by chance."""
HOT = 0.001
"""Share of all executed lines from which on a line counts as executed again and again."""


@dataclass(frozen=True, slots=True)
class Stages:
    """The ways to make candidates of one program, led by its labelled tests."""

    repairable: Repairable
    evaluator: Evaluator
    known: Sequence[Label]
    clock: Clock
    deadline: float

    def all(self) -> list[Stage]:
        return [self.singles, self.informed, self.several, self.synthesis]

    def several(self, space: Space) -> Iterator[Candidate]:
        """Several edits at once, led by what single ones meet."""
        return _new(space, chain(self.combined(space), self.pairs(space)))

    def anew(self, space: Space) -> Iterator[Candidate]:
        """What every answer leads otherwise: several edits at once, and synthesis."""
        pairs = islice(_new(space, self.pairs(space)), MOST_PAIRS_ANEW)
        return _new(space, chain(self.combined(space), pairs, self.synthesis(space)))

    def parts(self, space: Space) -> Iterator[Candidate]:
        """The best survivors without one of their edits: one that only fits an answer may have come in while
        the others were not seen to be enough."""
        wholes = [space.candidates[number] for number in space.survivors[:MOST_TAKEN_APART]]
        return _new(space, (part for whole in wholes for part in _without_one(whole)))

    def combined(self, space: Space) -> Iterator[Candidate]:
        """Edits that meet between them what the program does not."""
        original = self.evaluator.original([each.input for each in space.requirements])
        same = self.repairable.same
        wrong = [
            requirement
            for requirement, answer in zip(space.requirements, original, strict=True)
            if not requirement.met_by(answer, same)
        ]
        if len(wrong) < 2:
            return iter(())
        ordered = sorted(range(len(space.candidates)), key=lambda n: (space.costs[n], n))
        near = [number for number in ordered if space.fallen.get(number)]
        numbers = list(dict.fromkeys((*ordered[:COMBINED_AMONG], *near[:COMBINED_NEAR])))
        groups = grouped(space.met(numbers, wrong), space.candidates)
        hints = self.hints()
        every = combined(
            groups,
            frozenset(range(len(wrong))),
            lambda seeds, partners: self.repairable.pairs(seeds, hints, partners),
        )
        return islice(every, MOST_COMBINED)

    def singles(self, space: Space) -> Iterator[Candidate]:
        made = self.repairable.edits(self.hints())
        counts = self.evaluator.coverage([self.known[0].observation.input])[0]
        if sum(counts.values()) < SLOW:
            return made
        return iter(sorted(made, key=_before_the_work(self.repairable.text, counts)))

    def informed(self, space: Space, most: int | None = None) -> Iterator[Candidate]:
        """Single edits again, where it was not known at first what is right on a failing input.

        `most`: the number of edits, the cheapest, that are looked through for what is new.
        """
        if any(label.answer.expected is not None for label in self.known):
            return iter(())
        told = (requirement.expected for requirement in space.requirements)
        expected = tuple(dict.fromkeys(str(each) for each in told if each is not None))
        if not expected:
            return iter(())
        seen = {candidate.edits: candidate.cost for candidate in space.candidates}
        hints = replace(self.hints(), expected=expected, missing=self._missing(space.requirements))
        made = islice(self.repairable.edits(hints), most)
        # What is right may make a change much likelier than it was.
        return (each for each in made if each.cost < seen.get(each.edits, math.inf) - LIKELIER)

    def _missing(self, requirements: Sequence[Requirement]) -> tuple[int | Fraction, ...]:
        """By how much the program's answers are too small."""
        told = [each for each in requirements if each.expected is not None][:MOST_COMPARED]
        found = self.evaluator.original([each.input for each in told])
        wanted = (str(each.expected) for each in told)
        return differences(zip(wanted, map(str, found), strict=True))

    def pairs(self, space: Space) -> Iterator[Candidate]:
        answers = [str(each.expected).encode() for each in space.requirements if each.expected is not None]
        fallen = (n for n in space.fallen if not _writes(space.candidates[n], answers))
        near = sorted(fallen, key=lambda n: (-space.fallen[n], space.costs[n], n))[:SEEDS_OF_PAIRS]
        near += self._steps_ahead(space, SEEDS_OF_PAIRS - len(near))
        seeds = [space.candidates[number] for number in near]
        if not seeds:
            return iter(())
        return islice(self.repairable.pairs(seeds, self.hints()), MOST_PAIRS)

    def _steps_ahead(self, space: Space, most: int) -> list[int]:
        """Candidates that change what a failing input leads to, the nearest to what is right first.

        Where two mistakes hide each other, no single edit is right anywhere.
        """
        wanted = next((each for each in space.requirements if each.expected is not None), None)
        singles = [n for n, each in enumerate(space.candidates[:TRIED_AHEAD]) if n not in space.fallen]
        if wanted is None or wanted.expected is None or most <= 0 or not singles:
            return []
        expected, before = (
            str(wanted.expected),
            self.repairable.normal(self.evaluator.original([wanted.input])[0]),
        )
        found: list[tuple[float, float, int]] = []
        for response, who in space.outputs([wanted.input], singles)[0].items():
            if response.completed and response != before:
                likeness = _likeness(str(response), expected)
                best = sorted(who, key=lambda n: (space.costs[n], n))[:SAME_STEP]
                found += [(-likeness, space.costs[n], n) for n in best]
        return [number for _, _, number in sorted(found)[:most]]

    def synthesis(self, space: Space) -> Iterator[Candidate]:
        return self.repairable.synthesis(
            space.requirements, self.hints(), self.clock, lambda: self.clock() < self.deadline
        )

    def hints(self) -> Hints:
        """What the known tests say of where the bug is and which values matter."""
        failing = [label for label in self.known if label.answer.verdict is Verdict.BUG]
        passing = [label for label in self.known if label.answer.verdict is Verdict.OK]
        bad = self.evaluator.coverage([label.observation.input for label in failing])
        good = self.evaluator.coverage([label.observation.input for label in passing])
        given = [list(label.observation.input.values) for label in failing]
        return Hints(
            inputs=tuple(tuple(numbers_in(values)) for values in given),
            given=tuple(label.observation.input.text for label in failing),
            letters="".join(dict.fromkeys(letter for values in given for letter in letters_in(values))),
            expected=tuple(label.answer.expected for label in failing if label.answer.expected is not None),
            missing=differences(
                (label.answer.expected, str(label.observation.outcome.response))
                for label in failing
                if label.answer.expected is not None
            ),
            executed=frozenset(line for counts in bad for line, count in counts.items() if count) or None,
            suspicion=_seen_to_go_wrong(
                ochiai(hits(bad), hits(good), len(bad)), frozenset(self.repairable.suspects)
            ),
            function=self.repairable.function,
        )


def _without_one(candidate: Candidate) -> Iterator[Candidate]:
    """All but one of several edits that were put together; single ones are candidates anyway, and one that
    takes several places, such as the type of a variable, is no use in part."""
    edits = candidate.edits
    if len(edits) > 2 and candidate.kind.count(TOGETHER) == len(edits) - 1:
        cost = candidate.cost * (len(edits) - 1) / len(edits)
        for place in range(len(edits)):
            yield replace(candidate, edits=(*edits[:place], *edits[place + 1 :]), cost=cost)


def _writes(candidate: Candidate, answers: Sequence[bytes]) -> bool:
    """Whether it writes an answer down as it was given: that is no part of a fix."""
    return any(len(answer) > SHORT and answer in edit.text for edit in candidate.edits for answer in answers)


def _new(space: Space, candidates: Iterable[Candidate]) -> Iterator[Candidate]:
    """Those that the space does not hold yet."""
    seen = {candidate.edits for candidate in space.candidates}
    for each in candidates:
        if each.edits not in seen:
            seen.add(each.edits)
            yield each


def differences(answers: Iterable[tuple[str, str]]) -> tuple[int | Fraction, ...]:
    """What is right less what was answered, where both are numbers and not the same."""
    found: dict[int | Fraction, None] = {}
    for wanted, answered in answers:
        try:
            difference = Fraction(wanted.strip()) - Fraction(answered.strip())
        except (ValueError, ZeroDivisionError):
            continue
        if difference:
            found[int(difference) if difference.denominator == 1 else difference] = None
    return tuple(found)


def _likeness(found: str, expected: str) -> float:
    """Share of the words that two outputs have in common, in order."""
    return SequenceMatcher(None, found.split(), expected.split(), autojunk=False).ratio()


def _seen_to_go_wrong(suspicion: dict[int, float], suspects: frozenset[int]) -> dict[int, float]:
    """Lines where a run was seen to go wrong, or near one, are more suspicious than the others."""
    near = {line + step for line in suspects for step in range(-NEAR, NEAR + 1)}
    if not near & suspicion.keys():
        return suspicion
    return {line: score if line in near else OTHERS * score for line, score in suspicion.items()}


def hits(runs: Sequence[Mapping[int, int]]) -> dict[int, int]:
    """Line → how many of the runs executed it."""
    return dict(Counter(line for counts in runs for line, count in counts.items() if count))


def _before_the_work(source: bytes, counts: Mapping[int, int]) -> Callable[[Candidate], bool]:
    """Whether a candidate changes something before or in a line that is executed again and again.

    All others share the long work, which is then done once for them; so they are tried first.
    """
    most = sum(counts.values()) * HOT
    last = max((line for line, count in counts.items() if count > most), default=0)
    starts = [0, *(at + 1 for at, byte in enumerate(source) if byte == ord("\n"))]
    return lambda candidate: any(bisect_right(starts, edit.start) <= last for edit in candidate.edits)
