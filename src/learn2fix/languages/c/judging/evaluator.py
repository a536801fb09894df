"""The fast evaluator of C programs: all candidates in one process, forked where they diverge.

Candidates that fit become alternatives of one meta-program (meta.py) that the engine (runtime/) runs once an
input for all of them; the others are compiled in memory and run one by one in the same engine.
"""

from __future__ import annotations

import math
import operator
import signal
import time
from array import array
from collections.abc import Iterable, Sequence
from contextlib import suppress
from dataclasses import replace
from itertools import takewhile

from learn2fix.events import Emit, Judged, ignore
from learn2fix.languages.c.judging import instrument
from learn2fix.languages.c.judging.budget import FLOOR, GUARD, Known, caught_after, longest_run
from learn2fix.languages.c.judging.compiling import Late
from learn2fix.languages.c.judging.covering import Covering
from learn2fix.languages.c.judging.engine import (
    LOST,
    UNDECIDED,
    Engine,
    EngineError,
    LinkedEngine,
    Run,
    engine_beside,
    engine_program,
    refusal,
)
from learn2fix.languages.c.judging.finding import find_sites
from learn2fix.languages.c.judging.foreign import Foreign
from learn2fix.languages.c.judging.instrument import STEP
from learn2fix.languages.c.judging.loading import UNDEFINED, Loaded, Loader, Plain, Unit, own_name
from learn2fix.languages.c.judging.meta import Meta
from learn2fix.languages.c.judging.needless import without_parameter_sizes
from learn2fix.languages.c.judging.rebuild import RebuildEvaluator
from learn2fix.languages.c.judging.texts import Texts
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
from learn2fix.sandbox import NO_SURROUNDINGS, Sandbox, Surroundings

UNIT = 20_000
OPEN = 48
"""Engines that wait for the next question about their candidates."""
FEWEST, CHUNK_STEPS, PLACED = 150, 100_000_000, 500
"""PLACED: candidates that are placed in a meta-program before the clock is looked at."""
CRASHED = Outcome(Ending.SIGNALLED, status=signal.SIGSEGV).response
NOT_COMPILED = Outcome(Ending.NOT_COMPILED).response


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
        same: Same = operator.eq,
        feed: Feed = as_written,
        around: Surroundings = NO_SURROUNDINGS,
    ) -> None:
        self.source, self._feed, self._around = source, feed, around
        self.cflags = tuple(cflags)
        self.compiler = compiler
        self.clock = clock
        self._same = same
        self.executions = 0
        self._own = Sandbox() if sandbox is None else None
        self._sandbox = sandbox or self._own or Sandbox()
        self._program = None if linked else engine_program()
        source = without_parameter_sizes(source)
        self._sites = find_sites(source)
        root = parse(source)
        self._steps = [*instrument.saved_stack(root), *instrument.steps(root, STEP)]
        self._options = " ".join(f for f in self.cflags if f[:2] in ("-D", "-U", "-I")).encode()
        self._candidates: list[Candidate] = []
        self._waiting: list[int] = []
        self._alone: list[int] = []
        self._uncompilable: set[int] = set()
        self._units: list[Unit] = []
        self._recent: dict[int, Unit] = {}
        self._where: dict[int, tuple[Unit, int]] = {}
        self._known: dict[Input, Known] = {}
        self._long: dict[Input, int] = {}
        self._outside: dict[int, int] = {}
        self._rebuild: RebuildEvaluator | None = None
        self._covering: Covering | None = None
        self._covered: dict[Input, list[int]] = {}
        self._texts = Texts(source, self._sites, self._steps, ours=self._program is not None)
        self.slow_because = ""
        self.foreign = Foreign(self._sandbox, (compiler, *self.cflags), source, engine_beside)
        while (trouble := self._open_original()) and self.fast:
            if renamed := own_name(trouble, self._options):
                self._options = renamed
                continue
            if self.foreign.take(self._texts.original()[0], trouble):
                continue
            self.foreign.clear()  # what libtcc does not take, the user's compiler may
            self.slow_because, self._program = trouble, None
            self._texts = Texts(source, self._sites, self._steps, ours=False)
        if trouble:
            try:
                raise refusal(self._sandbox, self._command, self.source, trouble)
            finally:
                self.close()

    @property
    def fast(self) -> bool:
        """Candidates are compiled in memory by libtcc, not by the user's compiler."""
        return self._program is not None

    def _engine(self) -> Engine:
        if self._program is not None:
            return Engine(self._sandbox, self.foreign.program or self._program, self._around, self.foreign)
        return LinkedEngine(self._sandbox, (self.compiler, *self.cflags), self._around)

    def _open_original(self) -> str:
        self._plain = Plain(self._engine, *self._texts.original(), self._options)
        return self._plain.load()

    @property
    def _command(self) -> tuple[str, ...]:
        return (self.compiler, *self.cflags, "-w", "-lm")

    @property
    def alone(self) -> frozenset[int]:
        """Candidates known to fit into no meta-program: each is compiled by itself."""
        return frozenset(self._alone)

    @property
    def _loaded(self) -> list[Loaded]:
        return [self._plain, *self._units, *([self._covering] if self._covering else ())]

    @property
    def cpu_seconds(self) -> float:
        """CPU time of the engines and of all that they ran."""
        return sum(loaded.cpu_seconds for loaded in self._loaded)

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

    def _prepare(self, deadline: float | None = None) -> None:
        """Compile what was added since."""
        while self._waiting:
            part = self._waiting[: self._plain.engine.unit]
            self._place(part, deadline)
            self._waiting = self._waiting[len(part) :]

    def _place(self, identifiers: Sequence[int], deadline: float | None) -> None:
        meta = Meta(self._sites, self._steps)
        for number, identifier in enumerate(identifiers):
            if number % PLACED == 0:
                self._left(deadline)
            meta.add(identifier, self._candidates[identifier])
        if meta.uses:
            unit = Unit(self._engine, lambda engine, left: self._reload(engine, meta, left), meta)
            try:
                loader = Loader(unit.engine, meta, self._texts, self._options, lambda: self._left(deadline))
                fits = loader.load()
            except EngineError:
                fits = False  # it brings the compiler down: each is compiled by itself
            except BaseException:
                unit.engine.close()
                raise
            if fits:
                self._units.append(unit)
                self._opened(unit, math.inf)
                for local, identifier in enumerate(meta.identifiers):
                    self._where[identifier] = (unit, local)
            else:
                unit.engine.close()
                meta.alone += meta.identifiers
        self._alone += meta.alone

    def _reload(self, engine: Engine, meta: Meta, left: float) -> str:
        return engine.load(meta.tables(), self._texts.meta(meta), self._options, left=left)

    def _opened(self, unit: Unit, left: float) -> Engine:
        """The engine of a unit. Only those used last are open: each is a process with memory of its own."""
        engine = unit.opened(left)
        self._recent.pop(id(unit), None)
        self._recent[id(unit)] = unit
        while len(self._recent) > OPEN:
            self._recent.pop(next(iter(self._recent))).engine.close()
        return engine

    # -- runs --------------------------------------------------------------------------------------------

    def _reference(self, given: Input, deadline: float | None = None) -> Known:
        known = self._known.get(given)
        if known is None:
            steps = longest_run(self._known.values())
            known = self._learn(given, steps, self._run_original(given, steps, deadline), deadline)
        return known

    def _run_original(self, given: Input, steps: int, deadline: float | None = None) -> Run:
        self.executions += 1
        run = self._observed(self._plain, given, steps, self._left(deadline))
        if run.late:
            raise Late
        # A program that writes everywhere destroys the record of its own run: that is as good as a crash.
        crash = Outcome(Ending.SIGNALLED, status=signal.SIGSEGV)
        return run if run.root is not None else replace(run, root=crash)

    def _observed(self, loaded: Loaded, given: Input, steps: int, left: float = math.inf) -> Run:
        for _ in range(2):
            with suppress(EngineError):
                return loaded.opened(left).run(array("I"), self._feed(given), steps, GUARD, left)
        return LOST

    def _learn(self, given: Input, steps: int, run: Run, deadline: float | None) -> Known:
        """What a run of the original says that ended, or was given as many steps as any."""
        assert run.root is not None
        outcome, begun = run.root, None
        if outcome.ending is not Ending.EXITED and run.steps > FLOOR:
            if run.steps <= steps:
                # It ran out of stack, or of room for its output: would it have gone on for ever?
                steps = run.steps - 1
                run = self._run_original(given, steps, deadline)
            if run.root == outcome:
                begun = caught_after(run.earlier, run.later, steps - steps // 2)
        elif outcome.ending is Ending.TIMEOUT:
            begun = 0
        known = self._known[given] = Known(outcome, run.steps, begun, run.seconds)
        return known

    def original(self, inputs: Sequence[Input]) -> list[Response]:
        return [self._reference(given).outcome.response for given in inputs]

    light = 1_000_000
    overhead = 0

    def work(self, inputs: Sequence[Input], limit: int = WORK_LIMIT) -> list[int]:
        return [min(self._work(given, limit), limit) for given in inputs]

    def _work(self, given: Input, limit: int) -> int:
        known = self._known.get(given)
        if known is not None and (known.begun is None or known.steps >= limit):
            return known.work(limit)
        if self._long.get(given, 0) < limit:
            run = self._run_original(given, limit)
            if run.steps <= limit:
                return self._learn(given, limit, run, None).work(limit)
            self._long[given] = limit
        return limit

    def _answers(self, given: Input, among: Sequence[int], deadline: float | None) -> dict[int, Response]:
        """What each prints; who is missing was not run before the deadline."""
        answers: dict[int, Response] = {}
        by_unit: dict[int, tuple[Unit, list[int]]] = {}
        alone: list[int] = []
        for identifier in among:
            place = self._where.get(identifier)
            if place is None:
                alone.append(identifier)
            else:
                by_unit.setdefault(id(place[0]), (place[0], []))[1].append(identifier)
        with suppress(Late):
            for unit, members in by_unit.values():
                self._together(unit, members, given, deadline, answers)
            for identifier in alone:
                answers[identifier] = self._alone_answers(identifier, [given], deadline)[0]
        return answers

    def _together(
        self,
        unit: Unit,
        members: list[int],
        given: Input,
        deadline: float | None,
        answers: dict[int, Response],
    ) -> None:
        """Adds the answers of candidates that share a meta-program."""
        known = self._reference(given, deadline)
        budget, guard = known.budget(), known.guard
        parts, suspects = [members], list[list[int]]()
        while parts:
            part = parts.pop()
            left = self._left(deadline)
            alive = array("I", [self._where[identifier][1] for identifier in part])
            lost = []
            try:
                run = self._opened(unit, left).run(alive, self._feed(given), budget, guard, left)
            except EngineError:
                lost = part
            else:
                self.executions += run.executions
                if known.contradicted(run.root):
                    unit.astray.add(given)
                texts = [outcome.response for outcome in run.outcomes]
                for identifier, ended in zip(part, run.ended, strict=True):
                    if ended != UNDECIDED:
                        answers[identifier] = texts[ended]
                    else:
                        lost.append(identifier)
                if run.late:
                    raise Late
            # One of them destroyed the engine or its records: it is found by halves, and has crashed.
            if part in suspects and lost:
                answers[part[0]] = CRASHED
            elif len(part) == 1 and lost:
                suspects.append(part)  # once more: others may have killed the engine
                parts.append(part)
            elif lost:
                half = len(lost) // 2
                parts += [lost[:half], lost[half:]] if half else [lost]

    def _alone_answers(
        self, identifier: int, inputs: Sequence[Input], deadline: float | None = None
    ) -> list[Response]:
        """A candidate that fits into no meta-program, compiled by itself."""
        if self._program is None and identifier not in self._outside:
            self._leave_outside(identifier)
        if identifier not in self._uncompilable and identifier not in self._outside:
            outcomes = self._run_alone(self._candidates[identifier], inputs, deadline)
            if not outcomes or outcomes[0].ending is not Ending.NOT_COMPILED:
                answers = [outcome.response for outcome in outcomes]
                return answers + [CRASHED] * (len(inputs) - len(answers))
            if UNDEFINED.search(outcomes[0].detail):
                # A function that the engine does not offer may well exist outside.
                self._leave_outside(identifier)
            else:
                self._uncompilable.add(identifier)
        if identifier in self._outside and self._rebuild is not None:
            number = self._outside[identifier]
            found = self._rebuild.answers(number, inputs, deadline)
            if number in self._rebuild.uncompilable:
                self._uncompilable.add(identifier)
            return found
        return [NOT_COMPILED] * len(inputs)

    def _run_alone(
        self, candidate: Candidate, inputs: Sequence[Input], deadline: float | None
    ) -> list[Outcome]:
        known = [self._reference(given, deadline) for given in inputs]
        each = [(k.budget(), self._feed(given)) for k, given in zip(known, inputs, strict=True)]
        guard = max((each.guard for each in known), default=GUARD)
        text, left = self._texts.alone(candidate), self._left(deadline)
        self.executions += len(inputs)
        for _ in range(2):
            with suppress(EngineError):
                return self._plain.opened(left).alone(text, each, guard, self._options, left)
        return []

    def _leave_outside(self, identifier: int) -> None:
        if self._rebuild is None:
            self._rebuild = RebuildEvaluator(
                self.source,
                command=self._command,
                sandbox=self._sandbox,
                clock=self.clock,
                same=self._same,
                feed=self._feed,
                around=self._around,
            )
        self._outside[identifier] = self._rebuild.add([self._candidates[identifier]])[0]

    def _left(self, deadline: float | None) -> float:
        """Seconds until the deadline. Raises Late when it is past."""
        left = math.inf if deadline is None else deadline - self.clock()
        if left <= 0:
            raise Late
        return left

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
        with suppress(Late):
            self._left(deadline)
            self._prepare(deadline)
            known = {r.input: self._reference(r.input, deadline) for r in requirements}
            original = {given: (k.outcome.response, k.cost) for given, k in known.items()}
            ordered = failing_first(requirements, original, self._same)
            # Where runs are long, few at a time: a deadline then finds the first ones judged on everything.
            size = max(FEWEST, min(UNIT, CHUNK_STEPS // max([1, *(k.cost for k in known.values())])))
            for position in range(0, len(everyone), size):
                self._left(deadline)
                chunk = everyone[position : position + size]
                decided, passed = self._judge_chunk(chunk, ordered, deadline)
                judged += decided
                survivors += passed
                emit(Judged(judged, len(survivors), judged / max(self.clock() - started, 1e-9)))
        return Judgement(tuple(survivors), judged, judged == len(everyone), self.executions - executions)

    def _judge_chunk(
        self, chunk: Sequence[int], requirements: Sequence[Requirement], deadline: float | None
    ) -> tuple[int, list[int]]:
        """How many were decided, and who of them satisfies everything."""
        alive = list(chunk)
        decided = len(chunk)
        for requirement in requirements:
            answers = self._answers(requirement.input, alive, deadline)
            decided -= len(alive) - len(answers)
            met = {text: requirement.met_by(text, self._same) for text in set(answers.values())}
            alive = [i for i in alive if (text := answers.get(i)) is not None and met[text]]
            if not requirement.met_by(self._known[requirement.input].outcome.response, self._same):
                alive = self._believed(alive, requirement, deadline)
        if not requirements:
            alive = [i for i in alive if self._compiles(i)]
        return decided, [i for i in alive if i not in self._uncompilable]

    def _believed(self, alive: list[int], requirement: Requirement, deadline: float | None) -> list[int]:
        """Without those that are right only because their meta-program went astray: now they run alone."""
        given = requirement.input
        strays = [i for i in alive if i in self._where and given in self._where[i][0].astray]
        for identifier in strays:
            del self._where[identifier]
        self._alone += strays
        alone = {i: self._alone_answers(i, [given], deadline)[0] for i in strays}
        return [i for i in alive if i not in alone or requirement.met_by(alone[i], self._same)]

    def _compiles(self, identifier: int) -> bool:
        if identifier not in self._where:
            self._alone_answers(identifier, [Input("")])
        return identifier not in self._uncompilable

    def outputs(
        self, inputs: Sequence[Input], among: Iterable[int], *, deadline: float | None = None
    ) -> list[dict[Response, tuple[int, ...]]]:
        everyone = sorted(set(among))
        try:
            self._prepare(deadline)
            shared = [i for i in everyone if i in self._where]
            answers = (self._answers(given, shared, deadline) for given in inputs)
            columns = list(takewhile(lambda column: len(column) == len(shared), answers))
            for identifier in (i for i in everyone if i not in self._where):
                texts = self._alone_answers(identifier, inputs[: len(columns)], deadline)
                for column, text in zip(columns, texts, strict=True):
                    column[identifier] = text
            return [by_answer(sorted(column.items())) for column in columns]
        except Late:
            return []

    def coverage(self, inputs: Sequence[Input]) -> list[dict[int, int]]:
        return [self._counting().lines(counts) for counts in self.statements(inputs)]

    def statements(self, inputs: Sequence[Input]) -> list[list[int]]:
        for given in (each for each in dict.fromkeys(inputs) if each not in self._covered):
            self.executions += 1
            run = self._observed(self._counting(), given, self._reference(given).cost)
            self._covered[given] = self._counting().counts(run)
        return [list(self._covered[given]) for given in inputs]

    def _counting(self) -> Covering:
        if self._covering is None:
            self._covering = Covering(self._engine, *self._texts.counting_lines(), self._options)
        return self._covering

    def close(self) -> None:
        for loaded in self._loaded:
            loaded.engine.close()
        self._units, self._recent = [], {}
        self.foreign.clear()
        for owned in (self._rebuild, self._own):
            if owned is not None:
                owned.close()
