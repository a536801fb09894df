"""Candidates of a Python function or script, many a second, in one warm sandboxed interpreter.

Candidates become variants of few programs (python_schema). Those that cannot leave a trace run one after the
other in a child, the others in a child each (python_worker). A candidate is not run at all on an input on
which no statement that it changes is executed: it does there what the original does.
"""

from __future__ import annotations

import ast
import gc
import marshal
import operator
import signal
import struct
import sys
import tempfile
import time
import warnings
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any, NamedTuple

from learn2fix.errors import IsolationError
from learn2fix.events import Emit, Judged, ignore
from learn2fix.languages.evaluator import WORK_LIMIT, Clock, Judgement, by_answer, failing_first
from learn2fix.languages.python.judging.purity import Purity
from learn2fix.languages.python.judging.schema import MOST_IN_ONE, Change, Program, Schema, Sites, Variant
from learn2fix.languages.python.same import same_value
from learn2fix.model import Candidate, Ending, Input, Outcome, Requirement, Response, Same
from learn2fix.sandbox import Limits, Sandbox
from learn2fix.sandbox.imports import imports, package_of
from learn2fix.sandbox.interpreters import interpreter
from learn2fix.sandbox.link import Link, Lost
from learn2fix.sandbox.place import INSIDE
from learn2fix.sandbox.processes import START_SECONDS

WORKER = Path(__file__).with_name("worker.py")
RECORD = struct.Struct("<BII")
FACTOR, FLOOR = 5, 4_000
"""A candidate may take FACTOR times the original's steps and FLOOR more."""
MOST_STEPS = 2_000_000
"""What the original may take, and any candidate at most."""
CHUNK = 1000
"""Candidates that are judged together before the clock is looked at and news is told."""
SECONDS = 1.0
"""How long one run may be stuck where no step is counted."""
UNCOMPILABLE = Outcome(Ending.NOT_COMPILED).response

Job = tuple[int, list[tuple[int, int]], bytes, int]
"""A program, its switches that are on, an input, and the most steps."""


class Record(NamedTuple):
    """How one run ended, as the process in the sandbox says it."""

    kind: str
    text: bytes
    steps: int


@dataclass(frozen=True, slots=True)
class Run:
    """What the original does on one input."""

    answer: Response
    steps: int
    counts: dict[int, int]
    """Statement → how often it ran."""


class PythonEvaluator:
    """`source` is what the file would hold; `path` says where it lies, for what it imports."""

    def __init__(
        self,
        path: Path,
        function: str | None,
        sandbox: Sandbox,
        *,
        source: bytes | None = None,
        limits: Limits | None = None,
        clock: Clock = time.monotonic,
        share: bool = True,
        isolate: bool = False,
    ) -> None:
        """`share` off: every candidate is run on every input. `isolate`: each run in a process of its own."""
        self.path, self.function = path.absolute(), function
        self.source = path.read_bytes() if source is None else source
        self.executions = 0
        self._sandbox, self._limits, self._clock = sandbox, limits or sandbox.limits, clock
        self._share = share
        package = package_of(self.path)
        self._schema = Schema(self.source, path.name, package.name if package else "")
        self._purity = Purity(self._schema.tree)
        self._pure = self._purity.module and not isolate
        self._programs: list[Program] = [Program(self._schema.visited())]
        self._variants: list[Variant | None] = []
        self._uncompilable: frozenset[int] = frozenset()
        self._original: dict[Input, Run] = {}
        self._worker = _Worker(self.path, function, sandbox, self._limits, self._programs)

    @property
    def pure(self) -> bool:
        """Whether candidates share a process."""
        return self._pure

    # -- candidates -----------------------------------------------------------------------------------------

    def add(self, candidates: Sequence[Candidate]) -> range:
        first = len(self._variants)
        changes: list[tuple[int, Change]] = []
        with warnings.catch_warnings(), _without_collection():
            # What Python finds odd in a candidate ("is" with a literal) is no news to the user.
            warnings.simplefilter("ignore")
            for number, candidate in enumerate(candidates, first):
                self._variants.append(None)
                change = self._schema.change(candidate)
                if change is not None:
                    changes.append((number, change))
                else:
                    self._alone(number, candidate)
            for start in range(0, len(changes), MOST_IN_ONE):
                self._weave(changes[start : start + MOST_IN_ONE])
        refused = (n for n in range(first, len(self._variants)) if self._variants[n] is None)
        self._uncompilable |= frozenset(refused)
        return range(first, len(self._variants))

    def _alone(self, number: int, candidate: Candidate) -> None:
        made = self._schema.alone(candidate)
        if made is None:
            return
        code, tree = made
        pure = self._pure and Purity(tree).module
        self._variants[number] = Variant(len(self._programs), (), None, pure)
        self._programs.append(Program(code))

    def _weave(self, changes: Sequence[tuple[int, Change]]) -> None:
        """One program for all of these; in halves when the compiler refuses, until those at fault remain."""
        sites = Sites(self._schema)
        on = [sites.add(change) for _, change in changes]
        try:
            program = sites.program()
        except (SyntaxError, ValueError, RecursionError, MemoryError):
            if len(changes) > 1:
                half = len(changes) // 2
                self._weave(changes[:half])
                self._weave(changes[half:])
            return
        for (number, change), switches in zip(changes, on, strict=True):
            pure = self._pure and self._purity.holds(change.new)
            statements = frozenset(change.numbers)
            self._variants[number] = Variant(len(self._programs), switches, statements, pure)
        self._programs.append(program)

    @property
    def uncompilable(self) -> frozenset[int]:
        return self._uncompilable

    # -- what they do ---------------------------------------------------------------------------------------

    def judge(
        self,
        requirements: Sequence[Requirement],
        among: Iterable[int] | None = None,
        *,
        deadline: float | None = None,
        emit: Emit = ignore,
    ) -> Judgement:
        chosen = range(len(self._variants)) if among is None else sorted(set(among))
        started, before = self._clock(), self.executions
        survivors: list[int] = []
        judged = 0
        if deadline is not None and started >= deadline:
            return Judgement((), 0, not chosen, 0)
        inputs = [requirement.input for requirement in requirements]
        runs = zip(inputs, self._runs(inputs), strict=True)
        known = {given: (run.answer, float(run.steps)) for given, run in runs}
        ordered = failing_first(requirements, known)
        for start in range(0, len(chosen), CHUNK):
            alive = [i for i in chosen[start : start + CHUNK] if self._variants[i] is not None]
            for requirement in ordered:
                if not alive or (deadline is not None and self._clock() >= deadline):
                    break
                (answers,) = self._answers([requirement.input], alive)
                same: Same = same_value if self.function else operator.eq
                met = {text: requirement.met_by(text, same) for text in set(answers.values())}
                alive = [i for i in alive if met[answers[i]]]
            if alive and deadline is not None and self._clock() >= deadline:
                return Judgement(tuple(survivors), judged, False, self.executions - before)
            survivors += alive
            judged += len(chosen[start : start + CHUNK])
            spent = max(self._clock() - started, 1e-9)
            emit(Judged(judged, len(survivors), judged / spent))
        return Judgement(tuple(survivors), judged, True, self.executions - before)

    def outputs(self, inputs: Sequence[Input], among: Iterable[int]) -> list[dict[Response, tuple[int, ...]]]:
        chosen = sorted(set(among))
        alive = [i for i in chosen if self._variants[i] is not None]
        return [
            by_answer((i, answers.get(i, UNCOMPILABLE)) for i in chosen)
            for answers in self._answers(inputs, alive)
        ]

    def original(self, inputs: Sequence[Input]) -> list[Response]:
        return [run.answer for run in self._runs(inputs)]

    light = 5_000

    @property
    def overhead(self) -> int:
        """A process of its own for each run where candidates may not share one."""
        return 0 if self.pure else 50_000

    def work(self, inputs: Sequence[Input], limit: int = WORK_LIMIT) -> list[int]:
        return [min(limit, steps) for steps in self.steps(inputs)]

    def steps(self, inputs: Sequence[Input]) -> list[int]:
        """How much the original does on each input; what does not end does MOST_STEPS."""
        ended = Outcome(Ending.TIMEOUT).response
        return [MOST_STEPS if run.answer == ended else run.steps for run in self._runs(inputs)]

    def coverage(self, inputs: Sequence[Input]) -> list[dict[int, int]]:
        found = []
        for run in self._runs(inputs):
            lines: dict[int, int] = {}
            for number, node in enumerate(self._schema.numbered):
                if isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant):
                    continue
                for line in self._schema.lines(number):
                    lines[line] = max(lines.get(line, 0), run.counts.get(number, 0))
            found.append(dict(sorted(lines.items())))
        return found

    def close(self) -> None:
        self._worker.close()

    # -- runs -----------------------------------------------------------------------------------------------

    def _runs(self, inputs: Sequence[Input]) -> list[Run]:
        """What the original does, and where: once an input."""
        new = [given for given in dict.fromkeys(inputs) if given not in self._original]
        jobs: list[Job] = [(0, [], self._text(given), MOST_STEPS) for given in new]
        self.executions += len(jobs)
        for given, record in zip(new, self._worker.run(jobs, self._pure, counted=True), strict=True):
            counts, found, shown = record.text.partition(b"\n")
            answer = outcome(record.kind, shown if found else record.text).response
            self._original[given] = Run(answer, record.steps, _counts(counts) if found else {})
        return [self._original[given] for given in inputs]

    def _text(self, given: Input) -> bytes:
        text = given.text
        if self.function is None and not text.endswith("\n"):
            text += "\n"
        return text.encode("utf-8", "surrogateescape" if self.function is None else "surrogatepass")

    def _answers(self, inputs: Sequence[Input], among: Sequence[int]) -> list[dict[int, Response]]:
        """What each candidate prints. Those that are the same program, or change nothing that runs, share."""
        found: list[dict[int, Response]] = []
        jobs: tuple[list[Job], list[Job]] = ([], [])
        members: tuple[list[tuple[int, list[int]]], list[tuple[int, list[int]]]] = ([], [])
        for place, (given, run) in enumerate(zip(inputs, self._runs(inputs), strict=True)):
            found.append({})
            groups: dict[tuple[int, tuple[tuple[int, int], ...]], list[int]] = {}
            for number in among:
                variant = self._variants[number]
                assert variant is not None
                if self._share and _idle(variant, run):
                    found[place][number] = run.answer
                else:
                    groups.setdefault((variant.program, variant.on), []).append(number)
            steps = min(FACTOR * run.steps + FLOOR, MOST_STEPS)
            text = self._text(given)
            for (program, on), numbers in groups.items():
                variant = self._variants[numbers[0]]
                way = 0 if variant is not None and variant.pure else 1
                jobs[way].append((program, list(on), text, steps))
                members[way].append((place, numbers))
        self.executions += len(jobs[0]) + len(jobs[1])
        for way, together in ((0, True), (1, False)):
            answers = self._worker.answers(jobs[way], together)
            for (place, numbers), answer in zip(members[way], answers, strict=True):
                found[place].update(dict.fromkeys(numbers, answer))
        return found


def _counts(text: bytes) -> dict[int, int]:
    pairs = [pair.split(b":") for pair in text.split(b",")]
    return {int(p[0]): int(p[1]) for p in pairs if len(p) == 2 and p[0].isdigit() and p[1].isdigit()}


@contextmanager
def _without_collection() -> Iterator[None]:
    """Trees are many small objects without cycles: looking for garbage in them costs more than all else."""
    enabled = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if enabled:
            gc.enable()


def _idle(variant: Variant, run: Run) -> bool:
    """Whether nothing that the candidate changes was executed."""
    if variant.statements is None:
        return False
    return not variant.on or not any(run.counts.get(statement) for statement in variant.statements)


class _Worker:
    """The process in the sandbox; started when first needed, and again when it is lost."""

    def __init__(
        self,
        path: Path,
        function: str | None,
        sandbox: Sandbox,
        limits: Limits,
        programs: Sequence[Program],
    ) -> None:
        """`programs` may grow."""
        self._path, self._function, self._sandbox, self._limits = path, function, sandbox, limits
        self._programs = programs
        self._link: Link | None = None
        self._folder: tempfile.TemporaryDirectory[str] | None = None
        self._loaded: set[int] = set()
        self._answers: dict[tuple[str, bytes], Response] = {}

    def answers(self, jobs: Sequence[Job], together: bool) -> list[Response]:
        found = []
        for record in self.run(jobs, together):
            # Most candidates answer alike.
            key = (record.kind, record.text)
            answer = self._answers.get(key)
            if answer is None:
                answer = self._answers[key] = outcome(*key).response
            found.append(answer)
        return found

    def run(self, jobs: Sequence[Job], together: bool, counted: bool = False) -> Iterator[Record]:
        """One record a job, in order; a job at which the process is lost is blamed for it."""
        done = 0
        while done < len(jobs):
            several = jobs[done:] if together else jobs[done : done + 1]
            try:
                link = self._link or self._connect()
                self._reload(several)
                if together:
                    self._send("together", several, counted)
                else:
                    self._send("apart", several[0], counted)
                for _ in several:
                    yield self._record(link)
                    done += 1
            except Lost:
                self.close()
                yield Record("S", str(int(signal.SIGKILL)).encode(), 0)
                done += 1

    def _reload(self, jobs: Sequence[Job]) -> None:
        """Hand over the programs that the process does not know yet."""
        for number in dict.fromkeys(job[0] for job in jobs):
            if number not in self._loaded:
                program = self._programs[number]
                self._send("load", number, marshal.dumps(program.code), program.switches)
                self._loaded.add(number)

    def close(self) -> None:
        if self._link is not None:
            self._link.close()
            self._link = None
        if self._folder is not None:
            self._folder.cleanup()
            self._folder = None
        self._loaded.clear()

    # -- the pipe -------------------------------------------------------------------------------------------

    def _connect(self) -> Link:
        python = interpreter(sys.executable)
        needs = imports(self._path)
        self._folder = tempfile.TemporaryDirectory(prefix="learn2fix-")
        folder = Path(self._folder.name)
        folder.chmod(0o755)
        for module in needs.beside:
            (folder / module.name).symlink_to(module)
        numbers = [repr(SECONDS), str(self._limits.output), str(self._limits.memory), "0"]
        head = [python.executable, "-s", str(WORKER), str(INSIDE), str(self._path), self._function or ""]
        self._link = self._sandbox.connect(
            [*head, *numbers, str(folder), *needs.elsewhere],
            readable=(WORKER, INSIDE, folder, *needs.beside, *python.readable),
            limits=self._limits,
            env={"PYTHONHASHSEED": "0", "PYTHONDONTWRITEBYTECODE": "1", "PYTHONUTF8": "1"},
        )
        try:
            self._record(self._link, START_SECONDS)
        except Lost:
            self.close()
            raise IsolationError(f"{python.executable} does not start in the sandbox") from None
        return self._link

    def _send(self, *request: Any) -> None:
        data = marshal.dumps(request)
        (self._link or self._connect()).send(struct.pack("<I", len(data)) + data)

    @staticmethod
    def _record(link: Link, seconds: float = 60.0) -> Record:
        until = time.monotonic() + seconds
        kind, length, steps = link.unpack(RECORD, until)
        return Record(chr(kind), link.read(length, until), steps)


def outcome(kind: str, text: bytes) -> Outcome:
    detail = text.decode("utf-8", "replace")
    match kind:
        case "=" | "X":
            return Outcome(Ending.EXITED, text)
        case "!":
            return Outcome(Ending.RAISED, detail=detail)
        case "T":
            return Outcome(Ending.TIMEOUT)
        case "M":
            return Outcome(Ending.MEMORY)
        case "F":
            return Outcome(Ending.FLOOD)
        case "S":
            return Outcome(Ending.SIGNALLED, status=int(detail) if detail.isdigit() else signal.SIGKILL)
        case _:
            return Outcome(Ending.NOT_STARTED, detail=detail)
