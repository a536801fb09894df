"""The fast evaluator of C programs: all candidates in one process, forked where they diverge.

Candidates that fit become alternatives of one meta-program (meta.py) that the engine (engine.c) runs once an
input for all of them; the others are compiled in memory and run one by one in the same engine.
"""

from __future__ import annotations

import re
import signal
import struct
import tempfile
import time
from array import array
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path

from learn2fix.errors import BuildError
from learn2fix.events import Emit, Judged, ignore
from learn2fix.languages.c.judging import instrument, prelude
from learn2fix.languages.c.judging.compiling import compile_c
from learn2fix.languages.c.judging.engine import UNDECIDED, Engine, EngineError, LinkedEngine, engine_program
from learn2fix.languages.c.judging.finding import find_sites
from learn2fix.languages.c.judging.instrument import STEP, STEP_RUNTIME, per_line
from learn2fix.languages.c.judging.meta import Meta
from learn2fix.languages.c.judging.placing import STRUCTURE
from learn2fix.languages.c.judging.rebuild import RebuildEvaluator, encoded
from learn2fix.languages.c.judging.rendering import RUNTIME, owner, passed
from learn2fix.languages.c.judging.spots import Use
from learn2fix.languages.c.judging.weave import weave
from learn2fix.languages.c.syntax import parse
from learn2fix.languages.evaluator import WORK_LIMIT, Clock, Judgement, by_answer, failing_first
from learn2fix.model import Candidate, Edit, Ending, Input, Outcome, Requirement, Response
from learn2fix.sandbox import Sandbox

UNIT = 20_000
OPEN = 48
"""Engines that wait for the next question about their candidates."""
FEWEST, CHUNK_STEPS = 150, 100_000_000
FACTOR, FLOOR = 3, 20_000
"""A candidate may take FACTOR times the original's steps and FLOOR more. Of 197 real bugs the right program
needs more than that on some test for three, and for two of them still more than FLOOR = 300,000."""
MOST_MORE = 10_000_000
"""… but no more than so many beyond the original's: where it works long, what hangs would take ages."""
ORIGINAL_STEPS = 250_000_000
CRASHED_FLOOR = 1_000_000
HUNG_STEPS = 5_000_000
GUARD_FACTOR, GUARD_FLOOR, GUARD_ORIGINAL = 10.0, 0.5, 5.0
"""CPU seconds that a process may take, for what no step counter sees."""
FEW_WRONG = 6
"""Wrong alternatives up to which all the others that are not yet known to be good are compiled together."""
CHECKED = 2_000
"""Alternatives that are compiled together when more than that are wrong."""
EMPTY_TABLES = struct.pack("=IIII", 0, 0, 0, 0)
ERROR_LINE = re.compile(r":(\d+):(?:\d+:)? error")
UNDEFINED = re.compile(r"undefined symbol '(\w+)'")
CRASHED = Outcome(Ending.SIGNALLED, status=signal.SIGSEGV).response
NOT_COMPILED = Outcome(Ending.NOT_COMPILED).response


@dataclass(slots=True)
class _Known:
    """The original on one input."""

    outcome: Outcome
    steps: int
    seconds: float

    @property
    def guard(self) -> float:
        return max(GUARD_FLOOR, GUARD_FACTOR * self.seconds)

    def budget(self, floor: int) -> int:
        usual = self.steps + min((FACTOR - 1) * self.steps, MOST_MORE) + floor
        match self.outcome.ending:
            case Ending.EXITED:
                return usual
            case Ending.TIMEOUT:
                return max(HUNG_STEPS, floor)
            case _:
                return max(usual, CRASHED_FLOOR)


@dataclass(slots=True)
class _Unit:
    """A meta-program in its engine, which may have been closed to make room for others."""

    engine: Engine
    meta: Meta
    open: bool = True


class CEvaluator:
    """Raises EngineError where the engine cannot be had or does not take the program."""

    def __init__(
        self,
        source: bytes,
        *,
        cflags: Sequence[str] = (),
        compiler: str = "gcc",
        sandbox: Sandbox | None = None,
        linked: bool = False,
        clock: Clock = time.monotonic,
    ) -> None:
        self.source = source
        self.cflags = tuple(cflags)
        self.compiler = compiler
        self.clock = clock
        self.executions = 0
        self.floor = FLOOR
        """Steps that every candidate may take; to be raised where a right program may need many more."""
        self._own = Sandbox() if sandbox is None else None
        self._sandbox = sandbox or self._own or Sandbox()
        self._program = None if linked else engine_program()
        self._sites = find_sites(source)
        self._steps = instrument.steps(parse(source), STEP)
        self._ours = self._program is not None and prelude.replaceable(source)
        self._body = prelude.without_includes(source) if self._ours else source
        self._headers = prelude.included(source)
        self._words = prelude.words(self._body)
        self._options = " ".join(f for f in self.cflags if f[:2] in ("-D", "-U", "-I")).encode()
        self._preludes: dict[frozenset[str], bytes] = {}
        self._candidates: list[Candidate] = []
        self._waiting: list[int] = []
        self._alone: list[int] = []
        self._uncompilable: set[int] = set()
        self._units: list[_Unit] = []
        self._recent: dict[int, _Unit] = {}
        self._spent = 0.0
        self._where: dict[int, tuple[_Unit, int]] = {}
        self._known: dict[Input, _Known] = {}
        self._outside: dict[int, int] = {}
        self._rebuild: RebuildEvaluator | None = None
        self._covering: tuple[Engine, list[list[int]]] | None = None
        self._covered: dict[Input, dict[int, int]] = {}
        self._plain = self._engine()
        trouble = self._plain.load(EMPTY_TABLES, self._plain_text(), self._options)
        if trouble and self._program is not None:
            # What libtcc does not take, the user's compiler may.
            self._plain.close()
            self._program, self._ours, self._body = None, False, source
            self._plain = self._engine()
            trouble = self._plain.load(EMPTY_TABLES, self._plain_text(), self._options)
        if trouble:
            try:
                raise self._refusal(trouble)
            finally:
                self.close()

    @property
    def fast(self) -> bool:
        """Candidates are compiled in memory by libtcc, not by the user's compiler."""
        return self._program is not None

    def _engine(self) -> Engine:
        if self._program is not None:
            return Engine(self._sandbox, self._program)
        return LinkedEngine(self._sandbox, (self.compiler, *self.cflags))

    def _refusal(self, trouble: str) -> Exception:
        """Is the program wrong, or only not for us?"""
        with tempfile.TemporaryDirectory(prefix="learn2fix-check-") as folder:
            command = (self.compiler, *self.cflags, "-w", "-lm")
            words = compile_c(self._sandbox, command, self.source, Path(folder) / "program")
        if words is not None:
            return BuildError("the program does not compile", words)
        return EngineError(f"the program does not compile in the engine: {trouble}")

    @property
    def alone(self) -> frozenset[int]:
        """Candidates known to fit into no meta-program: each is compiled by itself."""
        return frozenset(self._alone)

    @property
    def cpu_seconds(self) -> float:
        """CPU time of the engines and of all that they ran."""
        engines = [self._plain, *(unit.engine for unit in self._units if unit.open)]
        if self._covering is not None:
            engines.append(self._covering[0])
        return sum(engine.cpu_seconds for engine in engines) + self._spent

    # -- candidates ------------------------------------------------------------------------------------

    def add(self, candidates: Sequence[Candidate]) -> range:
        first = len(self._candidates)
        self._candidates += candidates
        identifiers = range(first, len(self._candidates))
        self._waiting += identifiers
        return identifiers

    @property
    def uncompilable(self) -> frozenset[int]:
        return frozenset(self._uncompilable)

    def _prepare(self) -> None:
        """Compile what was added since."""
        waiting, self._waiting = self._waiting, []
        size = self._plain.unit
        for position in range(0, len(waiting), size):
            self._load(waiting[position : position + size])

    def _load(self, identifiers: Sequence[int]) -> None:
        meta = Meta(self._sites, self._steps)
        for identifier in identifiers:
            meta.add(identifier, self._candidates[identifier])
        if meta.uses:
            engine = self._engine()
            if self._compile(engine, meta):
                unit = _Unit(engine, meta)
                self._units.append(unit)
                self._opened(unit)
                for local, identifier in enumerate(meta.identifiers):
                    self._where[identifier] = (unit, local)
            else:
                engine.close()
                meta.alone += meta.identifiers
        self._alone += meta.alone

    def _opened(self, unit: _Unit) -> Engine:
        """The engine of a unit. Only those used last are open: each is a process with memory of its own."""
        if not unit.open:
            unit.engine = self._engine()
            trouble = unit.engine.load(unit.meta.tables(), self._text(unit.meta), self._options)
            if trouble:
                raise EngineError(f"what compiled once does no more: {trouble}")
            unit.open = True
        self._recent.pop(id(unit), None)
        self._recent[id(unit)] = unit
        while len(self._recent) > OPEN:
            oldest = self._recent.pop(next(iter(self._recent)))
            self._spent += oldest.engine.cpu_seconds
            oldest.engine.close()
            oldest.open = False
        return unit.engine

    def _compile(self, engine: Engine, meta: Meta) -> bool:
        """Load a meta-program without the alternatives that do not compile; false when that does not help."""
        text = self._text(meta)
        trouble = engine.load(meta.tables(), text, self._options)
        if not trouble:
            return True
        if engine.lists_all_errors:
            self._drop_listed(engine, meta)
        else:
            self._find_guilty(engine, meta, text, trouble)
        meta.settle()
        return bool(meta.uses) and not engine.load(meta.tables(), self._text(meta), self._options)

    def _find_guilty(self, engine: Engine, meta: Meta, text: bytes, trouble: str) -> None:
        """Drop what does not compile, given the whole text and what the compiler said about it.

        The compiler stops at the first error, so all that stands before it is good and need not be compiled
        again: all errors together cost little more than compiling each alternative once.
        """
        every = {(s, a) for s, spot in enumerate(meta.spots) for a in range(1, len(spot.alternatives) + 1)}
        for _ in range(FEW_WRONG):
            left = self._blame(meta, text, trouble, every)
            if left is None:
                break
            every = left
            text = self._text(meta, every)
            trouble = engine.load(EMPTY_TABLES, text, self._options) if every else ""
            if not trouble:
                return
        ordered = sorted(every)
        for position in range(0, len(ordered), CHECKED):
            part = set(ordered[position : position + CHECKED])
            while part:
                text = self._text(meta, part)
                trouble = engine.load(EMPTY_TABLES, text, self._options)
                if not trouble:
                    break
                left = self._blame(meta, text, trouble, part)
                if left is None:
                    self._halve(engine, meta, part)
                    break
                part = left

    def _blame(self, meta: Meta, text: bytes, trouble: str, among: set[Use]) -> set[Use] | None:
        """Drop whom the compiler names; who is left to be compiled, or None when it names nobody."""
        good: set[Use] = set()
        undefined = UNDEFINED.search(trouble)
        found = ERROR_LINE.search(trouble)
        if undefined is not None:
            word = undefined.group(1).encode()
            guilty = {(s, a) for s, a in among if word in meta.spots[s].alternatives[a - 1]}
        elif found is not None:
            lines = text.split(b"\n")
            use = owner(lines, int(found.group(1)))
            guilty = set() if use is None else {use}
            good = passed(lines, int(found.group(1)))
        else:
            guilty = set()
        if not guilty and len(among) == 1:
            guilty = set(among)
        for spot, alternative in guilty:
            meta.drop(spot, alternative)
        broken = {s for s, a in guilty if a == 0}
        return (
            {u for u in among if u not in guilty and u[0] not in broken and u not in good} if guilty else None
        )

    def _drop_listed(self, engine: Engine, meta: Meta) -> None:
        for _ in range(5):
            text = self._text(meta)
            trouble = engine.load(EMPTY_TABLES, text, self._options)
            lines = text.split(b"\n")
            rows = {int(row) for row in ERROR_LINE.findall(trouble)}
            guilty = {use for row in rows if (use := owner(lines, row)) is not None}
            if not guilty:
                return
            for spot, alternative in guilty:
                meta.drop(spot, alternative)

    def _halve(self, engine: Engine, meta: Meta, left: set[Use]) -> None:
        """An error that names no line: drop what does not compile by halves."""
        parts = [sorted(left)]
        while parts:
            part = parts.pop()
            if not engine.load(EMPTY_TABLES, self._text(meta, set(part)), self._options):
                continue
            if len(part) == 1:
                meta.drop(*part[0])
            else:
                parts += [part[: len(part) // 2], part[len(part) // 2 :]]

    def _text(self, meta: Meta, only: set[Use] | None = None) -> bytes:
        return self._declared(meta, RUNTIME) + b"\n" + meta.text(only)

    def _declared(self, meta: Meta | None, runtime: bytes, more: frozenset[str] = frozenset()) -> bytes:
        if not self._ours:
            return runtime
        if meta is not None:
            more = meta.words()
        known = self._preludes.get(more)
        if known is None:
            text = prelude.declarations(self._headers, self._words | more, self._sites.declared)
            known = self._preludes[more] = text.encode()
        return known + runtime

    def _plain_text(self) -> bytes:
        return self._declared(None, STEP_RUNTIME) + weave(self._body, self._steps)

    def _alone_text(self, candidate: Candidate) -> bytes:
        more = frozenset(word for edit in candidate.edits for word in prelude.words(edit.text))
        body = self._body
        edits = candidate.edits
        if self._ours and any(_about_includes(self.source, edit) for edit in edits):
            headers = prelude.included(candidate.apply(self.source))
            declared = prelude.declarations(headers, self._words | more, self._sites.declared).encode()
            return declared + STEP_RUNTIME + prelude.without_includes(weave(self.source, self._steps, edits))
        if any(STRUCTURE.search(self.source[e.start : e.end] + b" " + e.text) for e in edits):
            # Where statements begin and end may have changed: the loops are looked for once more.
            patched = candidate.apply(body)
            counted = weave(patched, instrument.steps(parse(patched), STEP))
            return self._declared(None, STEP_RUNTIME, more) + counted
        return self._declared(None, STEP_RUNTIME, more) + weave(body, self._steps, edits)

    # -- runs --------------------------------------------------------------------------------------------

    def _reference(self, given: Input) -> _Known:
        known = self._known.get(given)
        if known is None:
            self.executions += 1
            run = self._plain.run(array("I"), encoded(given), ORIGINAL_STEPS, GUARD_ORIGINAL)
            if run.root is None:
                raise EngineError("the original could not be run")
            known = self._known[given] = _Known(run.root, run.steps, run.seconds)
        return known

    light = 1_000_000
    overhead = 0

    def work(self, inputs: Sequence[Input], limit: int = WORK_LIMIT) -> list[int]:
        return [min(limit, self._reference(given).steps) for given in inputs]

    def original(self, inputs: Sequence[Input]) -> list[Response]:
        return [self._reference(given).outcome.response for given in inputs]

    def _answers(self, given: Input, among: Sequence[int], deadline: float | None) -> dict[int, Response]:
        """What each prints; who is missing was not run before the deadline."""
        known = self._reference(given)
        data = encoded(given)
        answers: dict[int, Response] = {}
        by_unit: dict[int, tuple[_Unit, list[int]]] = {}
        alone: list[int] = []
        for identifier in among:
            place = self._where.get(identifier)
            if place is None:
                alone.append(identifier)
            else:
                by_unit.setdefault(id(place[0]), (place[0], []))[1].append(identifier)
        for unit, members in by_unit.values():
            if self._left(deadline) < 0:
                return answers
            for patience in sorted({self._candidates[member].patience for member in members}):
                alike = [member for member in members if self._candidates[member].patience == patience]
                answers |= self._together(unit, alike, data, known, patience, deadline)
        for identifier in alone:
            if self._left(deadline) < 0:
                return answers
            answers[identifier] = self._alone_answers(identifier, [given])[0]
        return answers

    def _together(
        self,
        unit: _Unit,
        members: list[int],
        data: bytes,
        known: _Known,
        patience: int,
        deadline: float | None,
    ) -> dict[int, Response]:
        answers: dict[int, Response] = {}
        parts = [members]
        while parts:
            part = parts.pop()
            left = self._left(deadline)
            if left < 0:
                break
            alive = array("I", [self._where[identifier][1] for identifier in part])
            engine = self._opened(unit)
            run = engine.run(alive, data, known.budget(self.floor * patience), known.guard, left)
            self.executions += run.executions
            texts = [outcome.response for outcome in run.outcomes]
            lost = []
            for identifier, ended in zip(part, run.ended, strict=True):
                if ended != UNDECIDED:
                    answers[identifier] = texts[ended]
                else:
                    lost.append(identifier)
            if run.late or not lost:
                continue
            # A wild write hit the engine's own memory: who did it is found by halves, and has crashed.
            if len(part) == 1:
                answers[part[0]] = CRASHED
            else:
                parts += [lost[: len(lost) // 2], lost[len(lost) // 2 :]] if len(lost) > 1 else [lost]
        return answers

    def _alone_answers(self, identifier: int, inputs: Sequence[Input]) -> list[Response]:
        """A candidate that fits into no meta-program, compiled by itself."""
        if self._program is None and identifier not in self._outside:
            self._leave_outside(identifier)
        if identifier not in self._uncompilable and identifier not in self._outside:
            text = self._alone_text(self._candidates[identifier])
            known = [self._reference(given) for given in inputs]
            floor = self.floor * self._candidates[identifier].patience
            given = [(k.budget(floor), encoded(i)) for k, i in zip(known, inputs, strict=True)]
            guard = max((k.guard for k in known), default=GUARD_FLOOR)
            outcomes = self._plain.alone(text, given, guard, self._options)
            if not outcomes or outcomes[0].ending is not Ending.NOT_COMPILED:
                self.executions += len(outcomes)
                return [outcome.response for outcome in outcomes]
            if UNDEFINED.search(outcomes[0].detail):
                # A function that the engine does not offer may well exist outside.
                self._leave_outside(identifier)
            else:
                self._uncompilable.add(identifier)
        if identifier in self._outside and self._rebuild is not None:
            number = self._outside[identifier]
            found = self._rebuild.outputs(inputs, [number])
            if number in self._rebuild.uncompilable:
                self._uncompilable.add(identifier)
            return [next(iter(groups)) for groups in found]
        return [NOT_COMPILED] * len(inputs)

    def _leave_outside(self, identifier: int) -> None:
        if self._rebuild is None:
            command = (self.compiler, *self.cflags, "-w", "-lm")
            self._rebuild = RebuildEvaluator(self.source, command=command, sandbox=self._sandbox)
        self._outside[identifier] = self._rebuild.add([self._candidates[identifier]])[0]

    def _left(self, deadline: float | None) -> float:
        """Seconds until the deadline: 0 for none, negative when it is past."""
        if deadline is None:
            return 0.0
        left = deadline - self.clock()
        return left if left > 0 else -1.0

    # -- the protocol --------------------------------------------------------------------------------------

    def judge(
        self,
        requirements: Sequence[Requirement],
        among: Iterable[int] | None = None,
        *,
        deadline: float | None = None,
        emit: Emit = ignore,
    ) -> Judgement:
        started, executions = self.clock(), self.executions
        everyone = list(range(len(self._candidates)) if among is None else sorted(set(among)))
        survivors: list[int] = []
        judged = 0
        finished = True
        if self._left(deadline) < 0:
            return Judgement((), 0, not everyone, 0)
        self._prepare()
        known = {r.input: self._reference(r.input) for r in requirements}
        ordered = failing_first(requirements, {i: (k.outcome.response, k.steps) for i, k in known.items()})
        # Where runs are long, few at a time: a deadline then finds the first ones judged on everything.
        longest = max((k.steps for k in known.values()), default=0)
        size = max(FEWEST, min(UNIT, CHUNK_STEPS // max(1, longest)))
        for position in range(0, len(everyone), size):
            chunk = everyone[position : position + size]
            alive = chunk
            undecided = 0
            for requirement in ordered:
                if not alive:
                    break
                answers = self._answers(requirement.input, alive, deadline)
                undecided += len(alive) - len(answers)
                met = {text: requirement.met_by(text) for text in set(answers.values())}
                alive = [i for i in alive if (text := answers.get(i)) is not None and met[text]]
            if not ordered:
                alive = [i for i in alive if self._compiles(i)]
            judged += len(chunk) - undecided
            survivors += [i for i in alive if i not in self._uncompilable]
            finished = finished and not undecided
            emit(Judged(judged, len(survivors), judged / max(self.clock() - started, 1e-9)))
            if self._left(deadline) < 0:
                finished = finished and position + size >= len(everyone)
                break
        return Judgement(tuple(survivors), judged, finished, self.executions - executions)

    def _compiles(self, identifier: int) -> bool:
        if identifier not in self._where:
            self._alone_answers(identifier, [Input("")])
        return identifier not in self._uncompilable

    def outputs(self, inputs: Sequence[Input], among: Iterable[int]) -> list[dict[Response, tuple[int, ...]]]:
        self._prepare()
        everyone = sorted(set(among))
        shared = [i for i in everyone if i in self._where]
        columns = [self._answers(given, shared, None) for given in inputs]
        for identifier in everyone:
            if identifier not in self._where:
                texts = self._alone_answers(identifier, inputs)
                for column, text in zip(columns, texts, strict=True):
                    column[identifier] = text
        return [by_answer(sorted(column.items())) for column in columns]

    def coverage(self, inputs: Sequence[Input]) -> list[dict[int, int]]:
        if self._covering is None:
            wraps, spoken = instrument.lines(self.source, "l2f_lines")
            text = self._declared(None, STEP_RUNTIME) + b"unsigned long l2f_lines[%d];\n" % (len(spoken) + 1)
            engine = self._engine()
            text += weave(self._body, [*self._steps, *wraps])
            trouble = engine.load(EMPTY_TABLES, text, self._options, len(spoken))
            if trouble:
                engine.close()
                raise EngineError(trouble)
            self._covering = (engine, spoken)
        engine, spoken = self._covering
        for given in inputs:
            if given not in self._covered:
                self.executions += 1
                counts = list(engine.run(array("I"), encoded(given), ORIGINAL_STEPS, GUARD_ORIGINAL).lines)
                self._covered[given] = per_line(counts or [0] * len(spoken), spoken)
        return [dict(self._covered[given]) for given in inputs]

    def close(self) -> None:
        self._plain.close()
        for unit in self._units:
            if unit.open:
                unit.engine.close()
        if self._covering is not None:
            self._covering[0].close()
        self._units, self._recent = [], {}
        if self._rebuild is not None:
            self._rebuild.close()
        if self._own is not None:
            self._own.close()


def _about_includes(source: bytes, edit: Edit) -> bool:
    if b"#" in edit.text:
        return True
    start = source.rfind(b"\n", 0, edit.start) + 1
    return prelude.INCLUDE.match(source, start) is not None
