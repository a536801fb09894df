"""The reference evaluator: each candidate is the plain patched source, compiled and run by itself.

Slow (a compiler run a candidate) and right by construction: what the fast evaluator says is checked
against it, and it does the work where the fast one cannot.
"""

from __future__ import annotations

import re
import shutil
import tempfile
import time
from collections.abc import Iterable, Sequence
from dataclasses import replace
from pathlib import Path

from learn2fix.errors import BuildError
from learn2fix.events import Emit, Judged, ignore
from learn2fix.languages.c.judging.compiling import compile_c
from learn2fix.languages.c.judging.instrument import lines, per_line
from learn2fix.languages.c.judging.weave import weave
from learn2fix.languages.evaluator import WORK_LIMIT, Clock, Judgement, by_answer, failing_first
from learn2fix.model import Candidate, Ending, Input, Outcome, Requirement, Response
from learn2fix.sandbox import Program, Sandbox

COMPILER = ("gcc", "-O1", "-std=gnu11", "-w", "-lm")
"""What `--build` and `--cflags` default to."""
FACTOR, FLOOR = 5.0, 1.0
"""A candidate may take the larger of FLOOR seconds and FACTOR times the original's own time."""
LONGEST = 5.0

DUMP_HEAD = b"static unsigned long l2f_lines[%d];\n#line 1\n"
# Counters go to stderr at the end, also at a crash or when time is up.
DUMP_TAIL = rb"""
#include <stdio.h>
#include <signal.h>
#include <unistd.h>
static void l2f_dump(void) {
    for (unsigned k = 0; k < sizeof l2f_lines / sizeof *l2f_lines; k++)
        if (l2f_lines[k]) fprintf(stderr, "\nl2f %u %lu\n", k, l2f_lines[k]);
    fflush(stderr);
}
static void l2f_caught(int number) { l2f_dump(); signal(number, SIG_DFL); raise(number); }
__attribute__((destructor)) static void l2f_end(void) { l2f_dump(); }
__attribute__((constructor)) static void l2f_begin(void) {
    static const int caught[] = {SIGSEGV, SIGFPE, SIGABRT, SIGBUS, SIGILL, SIGALRM};
    for (unsigned k = 0; k < sizeof caught / sizeof *caught; k++) signal(caught[k], l2f_caught);
    alarm(2);
}
"""


def encoded(given: Input) -> bytes:
    """Exactly what the program reads."""
    return given.text.encode("utf-8", "surrogateescape")


class RebuildEvaluator:
    """One compiler run a candidate. `command` is the compiler with its options, `-lm` and the like last."""

    def __init__(
        self,
        source: bytes,
        *,
        command: Sequence[str] = COMPILER,
        sandbox: Sandbox | None = None,
        clock: Clock = time.monotonic,
    ) -> None:
        self._own = Sandbox() if sandbox is None else None
        self._sandbox = sandbox or self._own or Sandbox()
        self.source = source
        self.command = tuple(command)
        self.clock = clock
        self.executions = 0
        self._candidates: list[Candidate] = []
        self._uncompilable: set[int] = set()
        self._folder = Path(tempfile.mkdtemp(prefix="learn2fix-rebuild-"))
        self._original: dict[Input, Outcome] = {}
        trouble = compile_c(self._sandbox, self.command, source, self._folder / "original")
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
        known = {r.input: self._reference(r.input) for r in requirements}
        ordered = failing_first(requirements, {i: (o.response, o.seconds) for i, o in known.items()})
        survivors: list[int] = []
        judged = 0
        for identifier in everyone:
            if deadline is not None and self.clock() >= deadline:
                break
            program = self._build(identifier)
            if program is not None and all(r.met_by(self._answer(program, r.input)) for r in ordered):
                survivors.append(identifier)
            self._discard(program)
            judged += 1
            emit(Judged(judged, len(survivors), judged / max(self.clock() - started, 1e-9)))
        return Judgement(tuple(survivors), judged, judged == len(everyone), self.executions - executions)

    def outputs(self, inputs: Sequence[Input], among: Iterable[int]) -> list[dict[Response, tuple[int, ...]]]:
        answers: list[list[tuple[int, Response]]] = [[] for _ in inputs]
        for identifier in sorted(set(among)):
            program = self._build(identifier)
            for column, given in zip(answers, inputs, strict=True):
                answer = (
                    Outcome(Ending.NOT_COMPILED).response if program is None else self._answer(program, given)
                )
                column.append((identifier, answer))
            self._discard(program)
        return [by_answer(column) for column in answers]

    light = 1_000_000
    overhead = 0

    def work(self, inputs: Sequence[Input], limit: int = WORK_LIMIT) -> list[int]:
        return [min(limit, sum(counts.values())) for counts in self.coverage(inputs)]

    def original(self, inputs: Sequence[Input]) -> list[Response]:
        return [self._reference(given).response for given in inputs]

    def coverage(self, inputs: Sequence[Input]) -> list[dict[int, int]]:
        wraps, spoken = lines(self.source, "l2f_lines")
        program = self._folder / "counting"
        text = DUMP_HEAD % max(1, len(spoken)) + weave(self.source, wraps) + DUMP_TAIL
        trouble = compile_c(self._sandbox, self.command, text, program)
        if trouble is not None:
            raise BuildError("the program does not compile with counters in it", trouble)
        return [per_line(self._counts(program, given, len(spoken)), spoken) for given in inputs]

    def _counts(self, program: Path, given: Input, size: int) -> list[int]:
        self.executions += 1
        complaint = self._run(program, given, LONGEST).stderr
        counts = [0] * size
        for number, count in re.findall(rb"\nl2f (\d+) (\d+)(?=\n)", complaint):
            if int(number) < size:
                counts[int(number)] = int(count)
        return counts

    def close(self) -> None:
        shutil.rmtree(self._folder, ignore_errors=True)
        if self._own is not None:
            self._own.close()

    def _reference(self, given: Input) -> Outcome:
        outcome = self._original.get(given)
        if outcome is None:
            self.executions += 1
            outcome = self._run(self._folder / "original", given, LONGEST)
            self._original[given] = outcome
        return outcome

    def _answer(self, program: Path, given: Input) -> Response:
        limit = min(LONGEST, max(FLOOR, FACTOR * self._reference(given).seconds))
        self.executions += 1
        return self._run(program, given, limit).response

    def _run(self, program: Path, given: Input, seconds: float) -> Outcome:
        limits = replace(self._sandbox.limits, seconds=seconds)
        return self._sandbox.run(Program((str(program),), (program,)), encoded(given), limits=limits)

    def _build(self, identifier: int) -> Path | None:
        if identifier in self._uncompilable:
            return None
        target = self._folder / f"candidate-{identifier}"
        patched = self._candidates[identifier].apply(self.source)
        if compile_c(self._sandbox, self.command, patched, target) is None:
            return target
        self._uncompilable.add(identifier)
        return None

    def _discard(self, program: Path | None) -> None:
        if program is not None:
            program.unlink(missing_ok=True)
