"""One program and one person: opens the program, proves the rig, converses, says what was found."""

from __future__ import annotations

import os
import re
import sys
import time
from collections.abc import Callable, Generator, Sequence
from dataclasses import replace
from pathlib import Path
from types import TracebackType

from learn2fix.conversation.clock import PausingClock
from learn2fix.conversation.loop import converse
from learn2fix.conversation.options import Options
from learn2fix.conversation.problem import FINISHING, Problem
from learn2fix.conversation.protocol import Strategy
from learn2fix.conversation.result import Result
from learn2fix.domain import Domain, infer_ranges, parse_lengths, parse_ranges
from learn2fix.errors import LayoutDecides, NotFailing, UsageError
from learn2fix.events import Emit, Notice, ignore
from learn2fix.guided.from_tests import FromTests
from learn2fix.guided.hypotheses import Hypotheses
from learn2fix.guided.recalled import Recalled
from learn2fix.guided.strategy import Guided
from learn2fix.labels.strategy import FromLabels
from learn2fix.languages.opening import open_subject
from learn2fix.languages.protocol import Subject
from learn2fix.languages.proving import prove_repeatable
from learn2fix.languages.surroundings import surroundings
from learn2fix.model import (
    Answer,
    Grounds,
    Input,
    Label,
    Observation,
    Outcome,
    Question,
    Reply,
    Response,
    Verdict,
    canonical,
    digest,
)
from learn2fix.oracles.value_features import value_features
from learn2fix.sandbox import Sandbox

BUG_FROM = 0.5
UNSURE_WITHIN = 0.15
"""Distance from an even chance within which the honest word is unsure."""
LARGEST_INPUT = 1 << 20


class Session:
    """Made by `create`; closed after use."""

    def __init__(
        self,
        problem: Problem,
        sandbox: Sandbox,
        program: str | tuple[str, ...],
        failing: tuple[str, ...],
        id: str,
        clock: PausingClock,
    ) -> None:
        self._problem, self._sandbox = problem, sandbox
        self.clock = clock
        self.id = id
        self.program = program
        self.failing = failing
        self.options = problem.options
        self.subject: Subject = problem.subject
        self.domain: Domain = problem.domain
        self.isolation = sandbox.isolation
        self.warning = sandbox.warning
        self.known = problem.known
        self._strategy: Strategy | None = None
        self._recalled: Recalled | None = None
        self._reason = "stopped before the end"

    @classmethod
    def create(
        cls,
        program: str | Sequence[str],
        failing: Sequence[str],
        options: Options,
        *,
        emit: Emit = ignore,
        id: str | None = None,
        clock: Callable[[], float] = time.monotonic,
    ) -> Session:
        """Opens and builds the program, runs the failing inputs, and refuses what cannot be learned from."""
        named = program if isinstance(program, str) else tuple(program)
        texts = tuple(failing)
        clock = PausingClock(clock)
        sandbox = Sandbox(jobs=options.jobs, counted=options.counted)
        try:
            if options.require_isolation:
                sandbox.require_isolation()
            around, form = surroundings(options.files, options.variables, options.form)
            subject = open_subject(
                named,
                sandbox,
                build=options.build,
                cflags=options.cflags,
                tolerance=options.tolerance,
                around=around,
                only=options.only,
                run=options.run,
                python=options.python,
                check=options.check,
            )
            problem = _prove(subject, texts, form, options, emit, clock)
        except BaseException:
            sandbox.close()
            raise
        return cls(problem, sandbox, named, texts, id or _new_id(named, options.seed), clock)

    @property
    def source_digest(self) -> str:
        source = self.subject.source
        return digest(source.read_bytes()) if source is not None else ""

    @property
    def files(self) -> tuple[tuple[str, str], ...]:
        """Of a program in several files all of them, as seen from here, each with its digest."""
        known = self.subject.repairable
        if known is None:
            return ()
        return tuple((os.path.relpath(part.path), digest(part.content(known.text))) for part in known.parts)

    @property
    def verb(self) -> str:
        """What the program does with its answer: a function returns it."""
        return verb_of(self.program)

    def conversation(self) -> Generator[Question, Reply, Result]:
        """Questions out, answers in. The same seed and answers give the same questions."""
        if self._strategy is not None:
            self._strategy.close()
        self._strategy = strategy_for(self._problem)
        self._reason = "stopped before the end"
        problem = self._problem
        self._reason = yield from converse(
            self._strategy,
            labels=problem.options.questions,
            late=lambda: problem.late,
            emit=problem.emit,
        )
        return self.result()

    def result(self) -> Result:
        """What is known now: at the end, or between two questions."""
        return Result.of(
            self._begun().findings(),
            session=self.id,
            seed=self.options.seed,
            strategy=self.options.strategy,
            isolation=self.isolation,
            reason=self._reason,
        )

    def condition(self, within: Callable[[], bool] = lambda: True) -> str:
        """When the bug shows, as far as is known between two questions; stops early when `within` says so."""
        return self._strategy.condition(within) if self._strategy is not None else ""

    @property
    def generated(self) -> int:
        """How many tests were generated so far."""
        return self._strategy.generated if self._strategy is not None else 0

    @property
    def hypotheses(self) -> Hypotheses | None:
        """The candidates and what is known of them, to measure them by; None for a strategy without any."""
        return self._strategy.hypotheses if isinstance(self._strategy, Guided | FromTests) else None

    def chances(self, inputs: Sequence[str]) -> list[float]:
        """For each input the chance that the program is wrong on it."""
        return (self._recalled or self._begun()).chances(self.observe(inputs))

    def recall(self, grounds: Grounds) -> None:
        """Predicts from what was found before, without having the conversation again."""
        repairable = self.subject.repairable
        if repairable is None:
            raise ValueError("only a program with its source has fixes that vote")
        self._recalled = Recalled(self._problem, repairable, grounds)

    def predict(self, inputs: Sequence[str]) -> list[Verdict]:
        return [verdict(chance) for chance in self.chances(inputs)]

    def observe(self, inputs: Sequence[str]) -> list[Observation]:
        return self._problem.observe([self.domain.parse(text) for text in inputs])

    def _begun(self) -> Strategy:
        if self._strategy is None:
            self._strategy = strategy_for(self._problem)
        return self._strategy

    def close(self) -> None:
        if self._recalled is not None:
            self._recalled.close()
        if self._strategy is not None:
            self._strategy.close()
        self.subject.close()
        self._sandbox.close()

    def __enter__(self) -> Session:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()


def strategy_for(problem: Problem) -> Strategy:
    """Patches as hypotheses where the source is known, unless the user wants the paper's way or a learner."""
    options, repairable = problem.options, problem.subject.repairable
    paper = options.strategy == "paper"
    kind = options.learner or ("incal" if paper else "patches")
    if kind == "patches" and repairable is not None and not paper and not options.repairer:
        return Guided(problem, repairable) if options.asks else FromTests(problem, repairable)
    if kind == "patches" and not (paper and options.learner):
        kind = "forest"
    rule = "as-run" if options.as_run else "paper" if paper else "spread"
    return FromLabels(problem, kind, rule, repairable)


def verb_of(program: str | Sequence[str]) -> str:
    """`return` for a function (`shop.py:price`), `print` for a whole program or a command."""
    function = isinstance(program, str) and re.search(r":[A-Za-z_][\w.]*\Z", program)
    return "return" if function else "print"


def verdict(chance: float) -> Verdict:
    if abs(chance - BUG_FROM) < UNSURE_WITHIN:
        return Verdict.UNSURE
    return Verdict.BUG if chance > BUG_FROM else Verdict.OK


def read_input(text: str) -> str:
    """The text itself, or what stands in the file that `@file` names; `@-` is standard input."""
    if not text.startswith("@"):
        return text
    if text == "@-":
        return sys.stdin.read(LARGEST_INPUT)
    path = Path(text[1:])
    try:
        if path.stat().st_size > LARGEST_INPUT:
            raise UsageError(f"the input {path} is larger than {LARGEST_INPUT:,} bytes")
        return path.read_bytes().decode("utf-8", "surrogateescape")
    except (OSError, ValueError) as problem:
        raise UsageError(f"cannot read the input {path}: {getattr(problem, 'strerror', problem)}") from None


def _prove(
    subject: Subject,
    failing: tuple[str, ...],
    form: str | None,
    options: Options,
    emit: Emit,
    clock: Callable[[], float],
) -> Problem:
    examples = [*failing, *(text for text, _ in options.tests)]
    if not examples:
        raise UsageError("no failing input given", 'say on what it goes wrong: --failing "2 2 2"')
    if options.learner == "patches" and subject.repairable is None:
        raise UsageError("patches need the source of the program", "without it: --learner tree, or smt")
    _refuse_genprog(subject, options)
    domain = subject.domain(examples, form)
    for note in subject.notes:
        emit(Notice(note))
    inputs = [domain.parse(text) for text in failing]
    tests = [(domain.parse(text), Response.read(output, options.layout)) for text, output in options.tests]
    if options.ranges:
        lengths = parse_lengths(options.ranges, domain.variables)
        domain = domain.with_ranges(parse_ranges(options.ranges, domain.variables), lengths)
        for given in inputs:
            if not domain.inside(given.values):
                raise UsageError(f"the failing input {given.text!r} is outside of --range", "widen the range")
    elif tests:
        domain = domain.with_ranges(infer_ranges([*inputs, *(given for given, _ in tests)], domain.variables))
    if options.where:
        domain = domain.with_where(options.where)
        for given in inputs:
            if not domain.inside(given.values):
                raise UsageError(f"the failing input {given.text!r} is outside of --where", "widen it")
    told = len(subject.notes)
    known = _known(subject, inputs, tests, options)
    for note in subject.notes[told:]:
        emit(Notice(note))
    domain = domain.with_output(known[0].observation.outcome)
    if not domain.numeric:
        domain = domain.with_lens(value_features(domain, inputs))
    end = options.timeout
    kept = 1 / 2 if options.phases == 2 else FINISHING
    return Problem(subject, domain, options, known, clock, end - kept * options.timeout, end, emit)


def _refuse_genprog(subject: Subject, options: Options) -> None:
    """Before any question: the paper's repairer cannot do its part for every language."""
    if options.only_learn or subject.repairable is None:
        return
    repairer = options.repairer or ("genprog" if options.strategy == "paper" else "edits")
    if repairer in ("genprog", "genetic") and subject.repairable.statement_edits({}) is None:
        raise UsageError(
            f"GenProg's edits of statements do not exist for {subject.name}",
            "ask and learn only (learn2fix learn), or repair with ours: --repairer edits",
        )


def _known(
    subject: Subject,
    failing: Sequence[Input],
    tests: Sequence[tuple[Input, Response]],
    options: Options,
) -> tuple[Label, ...]:
    """The labels from before the first question: failing inputs first."""
    labels = []
    tested = {given.text: wanted for given, wanted in tests}
    wishes = [
        tested.get(given.text, _said(options) if i == 0 and options.expected else None)
        for i, given in enumerate(failing)
    ]
    for i, (given, outcome) in enumerate(
        zip(failing, prove_repeatable(subject, failing, wishes) if failing else [], strict=True)
    ):
        wanted = tested.get(given.text, expected_response(options, outcome) if i == 0 else None)
        if wanted is not None and subject.same(wanted, outcome.response):
            if i == 0 and options.expected is not None and not options.layout:
                refuse_layout(options.expected, outcome, subject.name)
            raise NotFailing(
                f"{subject.name} gives {str(outcome.response)!r} for {given.text!r}, which is what was "
                "expected",
                "give an input on which it goes wrong"
                + ("" if wanted == outcome.response else ", or --tolerance 0 if the form of numbers matters"),
            )
        said = Answer(Verdict.BUG, None if wanted is None else str(wanted))
        labels.append(Label(Observation(given, outcome), said))
    seen = {given.text for given in failing}
    rest = [(given, wanted) for given, wanted in tests if given.text not in seen]
    for (given, wanted), outcome in zip(rest, subject.run([given for given, _ in rest]), strict=True):
        right = subject.same(wanted, outcome.response)
        said = Answer(Verdict.OK) if right else Answer(Verdict.BUG, str(wanted))
        labels.append(Label(Observation(given, outcome), said))
    labels.sort(key=lambda label: label.answer.verdict is not Verdict.BUG)
    if not labels or labels[0].answer.verdict is not Verdict.BUG:
        raise NotFailing(
            f"{subject.name} passes every test it was given", 'say on what it fails: --failing "…"'
        )
    return tuple(labels)


def expected_response(options: Options, outcome: Outcome) -> Response | None:
    """What is right for the first failing input, as far as the user said it."""
    wanted = _said(options)
    if options.expected_status is None:
        return wanted
    if wanted is None and outcome.completed:
        wanted = outcome.response  # told by its status alone: what it prints is right
    return None if wanted is None else replace(wanted, status=options.expected_status)


def _said(options: Options) -> Response | None:
    return None if options.expected is None else Response.read(options.expected, options.layout)


def refuse_layout(right: bytes | str, outcome: Outcome, name: str) -> None:
    """Raises LayoutDecides where indentation and blank lines are all that is wrong."""
    alike = outcome.completed and canonical(right) == canonical(outcome.output)
    if alike and canonical(right, layout=True) != canonical(outcome.output, layout=True):
        raise LayoutDecides(
            f"{name} goes wrong in nothing but indentation and blank lines", "--layout makes them count"
        )


def _new_id(program: str | tuple[str, ...], seed: int) -> str:
    name = program if isinstance(program, str) else program[0]
    stem = "".join(c for c in Path(name.split(":")[0]).stem if c.isalnum())[:12] or "session"
    return f"{stem}-{digest(name, str(seed), str(time.time_ns()), length=6)}"
