"""The reference evaluator: each candidate is the patched source, compiled and run by itself.

Slow (a compiler run a candidate) and right by construction: what the fast evaluator says is checked
against it, and it does the work where the fast one cannot. Nothing is added to a program but counters that
end it after LONGEST steps.
"""

from __future__ import annotations

import math
import operator
import re
import shutil
import signal
import tempfile
import time
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager, suppress
from dataclasses import replace
from pathlib import Path

from learn2fix.errors import BuildError
from learn2fix.events import Emit, Judged, ignore
from learn2fix.languages.c.judging.compiling import Late, compile_c
from learn2fix.languages.c.judging.instrument import STEP, lines, per_line, steps
from learn2fix.languages.c.judging.weave import weave
from learn2fix.languages.c.syntax import parse
from learn2fix.languages.evaluator import (
    WORK_LIMIT,
    Clock,
    Feed,
    Judgement,
    as_written,
    by_answer,
    failing_first,
)
from learn2fix.model import Candidate, Ending, Input, Outcome, Requirement, Response, Same
from learn2fix.sandbox import NO_SURROUNDINGS, Program, Sandbox, Surroundings

COMPILER = ("gcc", "-O1", "-std=gnu11", "-w", "-lm")
"""What `--build` and `--cflags` default to."""
LONGEST = 50_000_000
"""Steps after which a run is ended."""
NET = 60.0
"""Seconds after which a run that takes no steps any more is given up, however busy the machine is."""

HEAD = b"extern long long l2f_steps; void l2f_stop(void);\n"
"""Steps are counted down; see instrument.py. It is defined at the end, in the last unit."""
STEPS = b"\nlong long l2f_steps = %d;" % LONGEST
STOP = STEPS + b"\nvoid l2f_stop(void) { extern int raise(int); raise(%d); }\n" % signal.SIGXCPU
COUNTERS = b"extern unsigned long l2f_lines[%d];\n"
# Counters go to stderr at the end, also at a crash or when its steps are spent.
DUMP = rb"""
unsigned long l2f_lines[%d];
#include <stdio.h>
#include <signal.h>
static void l2f_dump(void) {
    fprintf(stderr, "\nl2f steps %lld\n", l2f_steps);
    for (unsigned k = 0; k < sizeof l2f_lines / sizeof *l2f_lines; k++)
        if (l2f_lines[k]) fprintf(stderr, "\nl2f %u %lu\n", k, l2f_lines[k]);
    fflush(stderr);
}
static void l2f_caught(int number) { l2f_dump(); signal(number, SIG_DFL); raise(number); }
void l2f_stop(void) { l2f_caught(SIGXCPU); }
__attribute__((destructor)) static void l2f_end(void) { l2f_dump(); }
__attribute__((constructor)) static void l2f_begin(void) {
    static const int caught[] = {SIGSEGV, SIGFPE, SIGABRT, SIGBUS, SIGILL};
    static char room[1 << 16];
    stack_t other = {.ss_sp = room, .ss_size = sizeof room};
    sigaltstack(&other, 0);
    struct sigaction action = {.sa_handler = l2f_caught, .sa_flags = SA_ONSTACK};
    for (unsigned k = 0; k < sizeof caught / sizeof *caught; k++) sigaction(caught[k], &action, 0);
}
"""


class RebuildEvaluator:
    """One compiler run a candidate. `command` is the compiler with its options, `-lm` and the like last."""

    def __init__(
        self,
        source: bytes,
        *,
        command: Sequence[str] = COMPILER,
        sandbox: Sandbox | None = None,
        clock: Clock = time.monotonic,
        same: Same = operator.eq,
        feed: Feed = as_written,
        around: Surroundings = NO_SURROUNDINGS,
    ) -> None:
        """`feed`: what a process gets for an input."""
        self._feed, self._around = feed, around
        self._own = Sandbox() if sandbox is None else None
        self._sandbox = sandbox or self._own or Sandbox()
        self.source = source
        self.command = tuple(command)
        self.clock = clock
        self._same = same
        self.executions = 0
        self._candidates: list[Candidate] = []
        self._uncompilable: set[int] = set()
        self._folder = Path(tempfile.mkdtemp(prefix="learn2fix-rebuild-"))
        self._original: dict[Input, Outcome] = {}
        trouble = self._compile(source, self._folder / "original")
        if trouble is not None:
            self.close()
            raise BuildError("the program does not compile", trouble)

    def add(self, candidates: Sequence[Candidate]) -> range:
        first = len(self._candidates)
        self._candidates += candidates
        return range(first, len(self._candidates))

    @property
    def uncompilable(self) -> frozenset[int]:
        return frozenset(self._uncompilable)

    def judge(
        self,
        requirements: Sequence[Requirement],
        among: Iterable[int] | None = None,
        *,
        deadline: float | None = None,
        emit: Emit = ignore,
    ) -> Judgement:
        started, executions = self.clock(), self.executions
        everyone = range(len(self._candidates)) if among is None else sorted(set(among))
        survivors: list[int] = []
        judged = 0
        with suppress(Late):
            inputs = [r.input for r in requirements]
            known = {i: self._reference(i, deadline).response for i in inputs}
            work = dict(zip(inputs, self.work(inputs), strict=True)) if len(inputs) > 1 else {}
            ordered = failing_first(requirements, {i: (known[i], work.get(i, 0)) for i in inputs}, self._same)
            for identifier in everyone:
                with self._built(identifier, deadline) as program:
                    if program is not None and all(
                        r.met_by(self._answer(program, r.input, deadline), self._same) for r in ordered
                    ):
                        survivors.append(identifier)
                judged += 1
                emit(Judged(judged, len(survivors), judged / max(self.clock() - started, 1e-9)))
        return Judgement(tuple(survivors), judged, judged == len(everyone), self.executions - executions)

    def outputs(
        self, inputs: Sequence[Input], among: Iterable[int], *, deadline: float | None = None
    ) -> list[dict[Response, tuple[int, ...]]]:
        everyone = sorted(set(among))
        try:
            rows = [self.answers(identifier, inputs, deadline) for identifier in everyone]
        except Late:
            return []
        return [
            by_answer((i, row[n]) for i, row in zip(everyone, rows, strict=True)) for n in range(len(inputs))
        ]

    def answers(
        self, identifier: int, inputs: Sequence[Input], deadline: float | None = None
    ) -> list[Response]:
        """What one candidate prints for each input. Raises Late."""
        with self._built(identifier, deadline) as program:
            if program is None:
                return [Outcome(Ending.NOT_COMPILED).response] * len(inputs)
            return [self._answer(program, given, deadline) for given in inputs]

    def original(self, inputs: Sequence[Input]) -> list[Response]:
        return [self._reference(given).response for given in inputs]

    def coverage(self, inputs: Sequence[Input]) -> list[dict[int, int]]:
        _, spoken = self._counting()
        return [per_line(counts, spoken) for counts in self.statements(inputs)]

    def statements(self, inputs: Sequence[Input]) -> list[list[int]]:
        program, spoken = self._counting()
        return [self._counts(program, given, len(spoken)) for given in inputs]

    light = 1_000_000
    overhead = 0

    def work(self, inputs: Sequence[Input], limit: int = WORK_LIMIT) -> list[int]:
        program, _ = self._counting()
        return [min(limit, self._work(program, given)) for given in inputs]

    def _counting(self) -> tuple[Path, list[list[int]]]:
        """The original with counters of steps and statements, and the lines that these speak for."""
        wraps, spoken = lines(self.source, "l2f_lines")
        program = self._folder / "counting"
        if not program.exists():
            size = max(1, len(spoken))
            head, tail = HEAD + COUNTERS % size + b"#line 1\n", STEPS + DUMP.replace(b"%d", b"%d" % size, 1)
            text = head + weave(self.source, [*steps(parse(self.source), STEP), *wraps]) + tail
            trouble = compile_c(self._sandbox, self.command, text, program)
            if trouble is not None:
                raise BuildError("the program does not compile with counters in it", trouble)
        return program, spoken

    def _counts(self, program: Path, given: Input, size: int) -> list[int]:
        counts = [0] * size
        for number, count in re.findall(rb"\nl2f (\d+) (\d+)(?=\n)", self._run(program, given).stderr):
            if int(number) < size:
                counts[int(number)] = int(count)
        return counts

    def _work(self, program: Path, given: Input) -> int:
        left = re.findall(rb"\nl2f steps (-?\d+)\n", self._run(program, given).stderr)
        return LONGEST - int(left[-1]) if left else LONGEST

    def close(self) -> None:
        shutil.rmtree(self._folder, ignore_errors=True)
        if self._own is not None:
            self._own.close()

    def _reference(self, given: Input, deadline: float | None = None) -> Outcome:
        outcome = self._original.get(given)
        if outcome is None:
            outcome = self._original[given] = self._run(self._folder / "original", given, deadline)
        return outcome

    def _answer(self, program: Path, given: Input, deadline: float | None) -> Response:
        return self._run(program, given, deadline).response

    def _run(self, program: Path, given: Input, deadline: float | None = None) -> Outcome:
        left = self._left(deadline)
        limits = replace(self._sandbox.limits, seconds=min(NET, left))
        self.executions += 1
        fed = self._feed(given)
        runs = Program((str(program),), (program,), around=self._around)
        outcome = self._sandbox.run(runs, fed.data, fed.arguments, limits)
        if outcome.ending is Ending.TIMEOUT and outcome.seconds >= left:
            raise Late
        return outcome

    @contextmanager
    def _built(self, identifier: int, deadline: float | None) -> Iterator[Path | None]:
        """The candidate's program, None when it does not compile; removed afterwards."""
        target = self._folder / f"candidate-{identifier}"
        if identifier not in self._uncompilable:
            left = self._left(deadline)
            trouble = self._compile(self._candidates[identifier].apply(self.source), target, left)
            if trouble is not None:
                self._uncompilable.add(identifier)
        try:
            yield None if identifier in self._uncompilable else target
        finally:
            target.unlink(missing_ok=True)

    def _compile(self, text: bytes, target: Path, left: float = math.inf) -> str | None:
        """Compile a program that stops after LONGEST steps; what takes no counters is only stopped by NET."""
        counted = HEAD + b"#line 1\n" + weave(text, steps(parse(text), STEP)) + STOP
        if compile_c(self._sandbox, self.command, counted, target, left) is None:
            return None
        return compile_c(self._sandbox, self.command, text, target, left)

    def _left(self, deadline: float | None) -> float:
        """Seconds until the deadline. Raises Late when it is past."""
        left = math.inf if deadline is None else deadline - self.clock()
        if left <= 0:
            raise Late
        return left
