"""One program and one person: opens the program, converses, says what was found."""

from __future__ import annotations

import os
import re
import sys
import time
from collections.abc import Callable, Generator, Sequence
from pathlib import Path
from types import TracebackType

from learn2fix.conversation.clock import PausingClock
from learn2fix.conversation.loop import converse
from learn2fix.conversation.options import Options
from learn2fix.conversation.problem import Problem
from learn2fix.conversation.protocol import Strategy
from learn2fix.conversation.result import Result
from learn2fix.domain import Domain
from learn2fix.errors import UsageError
from learn2fix.events import Emit, ignore
from learn2fix.guided.from_tests import FromTests
from learn2fix.guided.hypotheses import Hypotheses
from learn2fix.guided.recalled import Recalled
from learn2fix.guided.strategy import Guided
from learn2fix.labels.strategy import FromLabels
from learn2fix.languages.opening import open_subject
from learn2fix.languages.protocol import Subject
from learn2fix.languages.surroundings import surroundings
from learn2fix.model import (
    BUG_FROM,
    Grounds,
    Observation,
    Question,
    Reply,
    Verdict,
    digest,
)
from learn2fix.sandbox import Sandbox
from learn2fix.session.proving import prove

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
            problem = prove(subject, texts, form, options, emit, clock)
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


def _new_id(program: str | tuple[str, ...], seed: int) -> str:
    name = program if isinstance(program, str) else program[0]
    stem = "".join(c for c in Path(name.split(":")[0]).stem if c.isalnum())[:12] or "session"
    return f"{stem}-{digest(name, str(seed), str(time.time_ns()), length=6)}"
