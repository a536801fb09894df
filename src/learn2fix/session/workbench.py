"""What repairing one program takes: its source, an evaluator, and where candidates come from."""

from __future__ import annotations

import random
from bisect import bisect_right
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from fractions import Fraction
from itertools import islice
from typing import Protocol

from learn2fix.conversation.rig import Rig
from learn2fix.edits.localisation import genprog_weights, ochiai
from learn2fix.edits.protocol import Generator, Hints
from learn2fix.errors import BuildError
from learn2fix.fuzzing import Fuzzer, Light, constants
from learn2fix.guided.lighter import SLOW
from learn2fix.languages.c.edits.generator import CEdits
from learn2fix.languages.c.edits.genprog import GenProgEdits
from learn2fix.languages.c.edits.pairs import CPairs
from learn2fix.languages.c.judging.engine import EngineError
from learn2fix.languages.c.judging.evaluator import CEvaluator
from learn2fix.languages.c.judging.rebuild import RebuildEvaluator
from learn2fix.languages.c.subject import CSubject
from learn2fix.languages.c.synthesis.synthesis import CSynthesis
from learn2fix.languages.c.undefined import Undefined
from learn2fix.languages.evaluator import Evaluator
from learn2fix.languages.python.edits.generator import PythonEdits, PythonPairs
from learn2fix.languages.python.judging.evaluator import PythonEvaluator
from learn2fix.languages.python.subject import PythonSubject
from learn2fix.model import Candidate, Input, Observation, Requirement, Verdict
from learn2fix.repair import Repairable
from learn2fix.repair.external import patches_of
from learn2fix.repair.genetic import FAILING_WEIGHT, PASSING_WEIGHT, evolve
from learn2fix.repair.space import Space, Stage
from learn2fix.sandbox import Limits

SEEDS_OF_PAIRS = 60
"""Near misses that pairs of edits are made from."""
MOST_PAIRS = 12_000
"""There are ever more of them, and values may lead further."""
MOST_SEARCHED = 40_000
"""Candidates that the paper's repair looks at."""

WIDE_WORDS = (b"long long", b"int64", b"%lld", b"%llu")
FORKED = 50_000
"""Lines that a process of its own is counted as."""
GLANCE = 0.3
"""Seconds that a program has at least on a generated input."""
HOT = 0.001
"""The share of all executed lines from which on a line is executed again and again."""
LIGHT = 5_000
"""Steps of a Python program that are never too many."""


class Takes(Protocol):
    """A source of new inputs."""

    def take(self, count: int) -> list[Input]: ...


class Workbench:
    """For one program. The evaluator also sees a generated main(), if any; edits touch the user's part."""

    def __init__(
        self,
        subject: CSubject | PythonSubject,
        evaluator: Evaluator,
        singles: Generator,
        pairs: Callable[[Sequence[Candidate]], Generator],
        prober: Callable[[], Evaluator] | None = None,
    ) -> None:
        """`prober` makes an evaluator for what is tried only to learn from it."""
        self.subject: Repairable = subject
        self.evaluator = evaluator
        self._singles, self._pairs, self._prober = singles, pairs, prober
        self._text = subject.text
        self._function = subject.function
        self._language = subject.language
        self._undefined: Undefined | None = None
        self._hasty: CSubject | None = None

    def close(self) -> None:
        if self._hasty is not None:
            self._hasty.close()
        if self._undefined is not None:
            self._undefined.close()
        self.evaluator.close()

    @property
    def numbers(self) -> tuple[int, ...]:
        """The whole numbers in the source."""
        return constants(self._text.decode("utf-8", "replace"))

    @property
    def digits(self) -> int:
        """Of the numbers that the program reads: more do not fit into what it declares."""
        return 18 if any(word in self._text for word in WIDE_WORDS) else 9

    def glance(self, rig: Rig, inputs: Sequence[Input]) -> list[Observation]:
        """What the program does, given little more time than on the failing inputs: hanging takes long."""
        if self._hasty is None and isinstance(self.subject, CSubject):
            known = max(label.observation.outcome.seconds for label in rig.known)
            self._hasty = self.subject.within(min(Limits().seconds, max(GLANCE, 20 * known)))
        outcomes = rig.run(inputs) if self._hasty is None else self._hasty.run(inputs)
        return [Observation(given, outcome) for given, outcome in zip(inputs, outcomes, strict=True)]

    def complains(self, inputs: Sequence[Input]) -> list[bool]:
        """Where the program does what its language leaves undefined."""
        if self._undefined is None and isinstance(self.subject, CSubject):
            self._undefined = Undefined(self.subject)
        return [False for _ in inputs] if self._undefined is None else self._undefined.complains(inputs)

    def careless(self, candidate: Candidate, inputs: Sequence[Input]) -> bool:
        """Whether a patch does what C leaves undefined where the program as it is does not."""
        if not isinstance(self.subject, CSubject):
            return False
        usual = [given for given, odd in zip(inputs, self.complains(inputs), strict=True) if not odd]
        try:
            patched = self.subject.patched(candidate.apply(self._text))
        except BuildError:
            return False
        check = Undefined(patched)
        try:
            return any(check.complains(usual))
        finally:
            check.close()
            patched.close()

    def stages(self, rig: Rig) -> list[Stage]:
        """Single edits, then pairs led by those that came near, then what values demand."""

        def singles(space: Space) -> Iterator[Candidate]:
            made = self._singles.candidates(self._text, self.hints(rig))
            return self._cool_first(rig, made) if self.executed(rig) >= SLOW else made

        def pairs(space: Space) -> Iterator[Candidate]:
            near = sorted(space.fallen, key=lambda n: (-space.fallen[n], space.costs[n], n))
            seeds = [space.candidates[number] for number in near[:SEEDS_OF_PAIRS]]
            if not seeds:
                return iter(())
            return islice(self._pairs(seeds).candidates(self._text, self.hints(rig)), MOST_PAIRS)

        def synthesis(space: Space) -> Iterator[Candidate]:
            assert self._prober is not None
            # Probes are no candidates: they have an evaluator of their own.
            prober = self._prober()
            try:
                read = [Requirement(rig.read(r.input), r.expected, r.forbidden) for r in space.requirements]
                made = CSynthesis(prober, read, within=lambda: rig.clock() < rig.deadline)
                yield from made.candidates(self._text, self.hints(rig))
            finally:
                prober.close()

        return [singles, pairs] if self._prober is None else [singles, pairs, synthesis]

    def _cool_first(self, rig: Rig, candidates: Iterator[Candidate]) -> Iterator[Candidate]:
        """Where a program works long, what comes after that work is tried first: it is done once for all.

        Whatever changes something before or in a line that is executed again and again does it all itself.
        """
        counts = self.evaluator.coverage([rig.read(rig.known[0].observation.input)])[0]
        most = sum(counts.values()) * HOT
        last = max((line for line, count in counts.items() if count > most), default=0)
        starts = [0, *(at + 1 for at, byte in enumerate(self._text) if byte == ord("\n"))]

        def works(candidate: Candidate) -> bool:
            return any(bisect_right(starts, edit.start) <= last for edit in candidate.edits)

        return iter(sorted(candidates, key=works))

    def executed(self, rig: Rig) -> int:
        """Lines that the first failing input executes, each as often as it does."""
        lines = self.lines(rig, rig.known[0].observation.input)
        # A process for each run costs as much as many lines.
        alone = isinstance(self.evaluator, PythonEvaluator) and not self.evaluator.pure
        return max(lines, FORKED) if alone else lines

    def lines(self, rig: Rig, given: Input) -> int:
        """Lines that an input executes, each as often as it does."""
        return sum(self.evaluator.coverage([rig.read(given)])[0].values())

    def light(self, rig: Rig, fuzzer: Fuzzer) -> Takes:
        """The fuzzer, kept to inputs that the program is soon done with where that can be counted."""
        evaluator = self.evaluator
        if not isinstance(evaluator, PythonEvaluator):
            return fuzzer
        steps = evaluator.steps
        known = max(steps([rig.read(label.observation.input) for label in rig.known]))
        return Light(
            fuzzer, lambda inputs: steps([rig.read(given) for given in inputs]), max(LIGHT, 10 * known)
        )

    def hints(self, rig: Rig) -> Hints:
        failing = [label for label in rig.known if label.answer.verdict is Verdict.BUG]
        passing = [label for label in rig.known if label.answer.verdict is Verdict.OK]
        bad = self.evaluator.coverage([rig.read(label.observation.input) for label in failing])
        good = self.evaluator.coverage([rig.read(label.observation.input) for label in passing])
        executed = frozenset(line for counts in bad for line, count in counts.items() if count)
        suspicion = ochiai(_hits(bad), _hits(good), len(bad))
        return Hints(
            inputs=tuple(
                tuple(v for v in label.observation.input.values if isinstance(v, int | Fraction))
                for label in failing
            ),
            expected=tuple(label.answer.expected for label in failing if label.answer.expected is not None),
            executed=executed or None,
            suspicion=suspicion,
            function=self._function,
        )

    def _weights(self, rig: Rig, requirements: Sequence[Requirement]) -> dict[int, float]:
        """GenProg's weights of lines, from what the labelled tests execute."""
        inputs = [requirement.input for requirement in requirements]
        runs = self.evaluator.coverage([rig.read(given) for given in inputs])
        answers = [outcome.response for outcome in rig.run(inputs)]
        passed = [r.met_by(answer, rig.same) for r, answer in zip(requirements, answers, strict=True)]
        bad = [run for run, ok in zip(runs, passed, strict=True) if not ok]
        good = [run for run, ok in zip(runs, passed, strict=True) if ok]
        return genprog_weights(_hits(bad), _hits(good))

    def search(self, rig: Rig, requirements: Sequence[Requirement]) -> tuple[list[Candidate], int]:
        """Candidates that pass all labelled tests, and how many were tried, by the chosen repairer."""
        repairer = rig.options.repairer or ("genprog" if rig.options.strategy == "paper" else "edits")
        if repairer not in ("edits", "genprog", "genetic"):
            suffix = ".c" if self._language == "c" else ".py"
            left = rig.deadline - rig.clock()
            found = patches_of(repairer, self._text, suffix, requirements, left)
            return found, len(found)
        read = [Requirement(rig.read(r.input), r.expected, r.forbidden) for r in requirements]
        if repairer == "edits" or self._language != "c":
            edits = self._singles.candidates(self._text, self.hints(rig))
        else:
            operators = GenProgEdits(self._text, self._weights(rig, requirements))
            if repairer == "genetic":
                return self._evolve(rig, operators, read)
            edits = operators.all_edits()
        candidates = list(islice(edits, MOST_SEARCHED))
        ids = self.evaluator.add(candidates)
        judgement = self.evaluator.judge(read, ids, deadline=rig.deadline)
        return [candidates[number - ids.start] for number in judgement.survivors], len(candidates)

    def _evolve(
        self, rig: Rig, operators: GenProgEdits, requirements: Sequence[Requirement]
    ) -> tuple[list[Candidate], int]:
        original = self.evaluator.original([requirement.input for requirement in requirements])
        failing = [not r.met_by(answer, rig.same) for r, answer in zip(requirements, original, strict=True)]

        def passes(variants: Sequence[Candidate]) -> list[tuple[bool, ...]]:
            ids = self.evaluator.add(variants)
            met = [set(self.evaluator.judge([r], ids, deadline=rig.deadline).survivors) for r in requirements]
            return [tuple(number in passed for passed in met) for number in ids]

        evolved = evolve(
            operators,
            passes,
            [FAILING_WEIGHT if fails else PASSING_WEIGHT for fails in failing],
            random.Random(rig.options.seed),
            within=lambda: rig.clock() < rig.deadline,
        )
        return list(evolved.repairs), evolved.tried


def _hits(runs: Sequence[Mapping[int, int]]) -> dict[int, int]:
    """Line → how many of the runs executed it."""
    return dict(Counter(line for counts in runs for line, count in counts.items() if count))


def workbench(rig: Rig) -> Workbench | None:
    """None for a program whose source is not known."""
    subject = rig.subject
    if isinstance(subject, CSubject):
        return Workbench(
            subject,
            _c_evaluator(subject, rig),
            CEdits(),
            CPairs,
            lambda: _c_evaluator(subject, rig),
        )
    if isinstance(subject, PythonSubject):
        evaluator = PythonEvaluator(
            subject.path, subject.function, rig.sandbox, source=subject.text, clock=rig.clock
        )
        return Workbench(subject, evaluator, PythonEdits(), PythonPairs)
    return None


def _c_evaluator(subject: CSubject, rig: Rig) -> Evaluator:
    """All candidates in one process where that works for the program; else one compiler run a candidate."""
    flags = (*subject.extra_flags, *(f for f in subject.options.flags if f[:2] in ("-D", "-U", "-I")))
    try:
        return CEvaluator(subject.program_text, cflags=flags, sandbox=rig.sandbox, clock=rig.clock)
    except EngineError:
        return RebuildEvaluator(subject.program_text, sandbox=rig.sandbox, clock=rig.clock)
