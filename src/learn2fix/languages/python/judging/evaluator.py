"""Candidates of a Python function or script, many a second, in one warm sandboxed interpreter.

Candidates become variants of few programs (schema.py, sites.py). Those that cannot leave a trace run one
after the other in a child, and so do those that work with modules of others, under a guard and with checks
(_guarded); the rest in a child each (worker.py). A candidate is not run at all on an input
on which no statement that it changes is executed: it does there what the original does.

Runs are cut by their steps (counting.py), never by the clock: the deadline alone is a time.
"""

from __future__ import annotations

import ast
import math
import operator
import sys
import time
import warnings
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import replace
from functools import partial
from itertools import takewhile
from pathlib import Path

from learn2fix.events import Emit, Judged, ignore
from learn2fix.languages.evaluator import (
    WORK_LIMIT,
    Clock,
    Fed,
    Feed,
    Judgement,
    by_answer,
    failing_first,
)
from learn2fix.languages.python.judging.process import STOPPED, Job, OutOfTime, Record, WorkerProcess
from learn2fix.languages.python.judging.purity import Purity
from learn2fix.languages.python.judging.runs import MOST_ORIGINAL, Run, gave_up, read_run
from learn2fix.languages.python.judging.schema import Change, Schema
from learn2fix.languages.python.judging.sites import MOST_IN_ONE, Program, Sites, Variant
from learn2fix.languages.python.judging.trees import without_collection
from learn2fix.languages.python.same import same_value
from learn2fix.model import Candidate, Ending, Input, Outcome, Requirement, Response, Same
from learn2fix.sandbox import NO_SURROUNDINGS, Limits, Sandbox, Surroundings
from learn2fix.sandbox.imports import make_absolute, package_of
from learn2fix.sandbox.interpreters import interpreter

FACTOR, FLOOR = 5, 1_000
"""A candidate may take FACTOR times the original's steps and FLOOR more. Where the original does not end,
most candidates do not: they get FACTOR times the most that it takes elsewhere, and FLOOR more."""
DEPTH = 400
"""Frames that a candidate may use where the original recurses for ever: most candidates do, too."""
MOST_STEPS = 2_000_000
"""What any candidate may take at most."""
FAR = 20
"""Once the original did not end on some input, this many times its longest run is taken for endless, too."""
MOST_COUNTED = 20_000
"""Steps of a run that does not end in which the executions of statements are counted."""
MOST_KNOWN = 5_000
"""Steps elsewhere that are believed to say anything about an input on which the original does not end."""
PATIENT = 200_000
"""Steps of a candidate that is right elsewhere, where nobody knows how many it needs."""
MORE = 20
"""How many times its steps a candidate gets that is right elsewhere."""
GUARDED = 500
"""Runs that share a process under a guard before it is checked that nothing was left behind."""
CHUNK = 1000
"""Candidates that are judged together before news is told."""
UNCOMPILABLE = Outcome(Ending.NOT_COMPILED).response
VISITED, PLAIN = 0, 1
"""Programs that are the original: one counts how often each statement is executed."""


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
        same: Same | None = None,
        feed: Feed | None = None,
        around: Surroundings = NO_SURROUNDINGS,
        known: PythonEvaluator | None = None,
        join: Callable[[ast.Module], None] | None = None,
        python: str = sys.executable,
        elsewhere: bool = False,
    ) -> None:
        """`share` off: every candidate is run on every input. `isolate`: each run in a process of its own.

        `feed`: what a process gets for an input. `known`: one for the same source, whose runs are known.
        `join`: makes the imports of the source work, where relative ones made absolute will not do. `python`:
        the interpreter that runs them, `elsewhere`: as one of another version.
        """
        self._feed = feed or self._as_written
        self.path, self.function = path.absolute(), function
        self.source = path.read_bytes() if source is None else source
        self.executions = 0
        self._sandbox, self._limits, self._clock = sandbox, limits or sandbox.limits, clock
        self._share = share
        self._same: Same = same or (same_value if function else operator.eq)
        join = join or partial(self._make_absolute, self.path)
        self._schema = Schema(self.source, path.name, join, elsewhere or not interpreter(python).ours)
        self._purity = Purity(self._schema.tree)
        self._pure = self._purity.module and not isolate
        self._guards = (
            not self._pure and self._purity.guarded and not isolate and bool(function) and not around.items
        )
        """Whether candidates share a process under a guard."""
        self.effects: dict[str, None] = {}
        """What the original was about to do beyond its own objects when the guard stopped it."""
        self._programs = [
            Program(self._schema.visited(), visits=len(self._schema.numbered)),
            Program(self._schema.counted()),
        ]
        self._variants: list[Variant | None] = []
        self._uncompilable: frozenset[int] = frozenset()
        self._original: dict[Input, Run] = {}
        self._proven: set[int] = set()
        """Candidates that are right on an input on which the original is not."""
        self._longest, self._endless = 0, False
        """Most steps of a run of the original that ended, and whether there is one that does not end."""
        if known is not None:
            self._original |= known._original
            self._note(known._original.values())
        self._worker = WorkerProcess(
            self.path, function, sandbox, self._limits, self._programs, around, python
        )

    @staticmethod
    def _make_absolute(path: Path, tree: ast.Module) -> None:
        package = package_of(path)
        if package is not None:
            make_absolute(tree, package.name)

    @property
    def pure(self) -> bool:
        """Whether candidates share a process."""
        return self._pure or self._guards

    @property
    def guarded(self) -> bool:
        """Whether they do so under a guard, until it stops the original."""
        return self._guards

    # -- candidates -----------------------------------------------------------------------------------------

    def add(self, candidates: Sequence[Candidate]) -> range:
        first = len(self._variants)
        changes: list[tuple[int, Change]] = []
        with warnings.catch_warnings(), without_collection():
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
        purity = Purity(tree)
        pure = (self._pure and purity.module) or (self._guards and purity.guarded)
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
            pure = (self._pure or self._guards) and self._purity.holds(change.new)
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
        try:
            ordered = self._in_order(requirements, deadline)
            for start in range(0, len(chosen), CHUNK):
                chunk = chosen[start : start + CHUNK]
                survivors += self._survivors(chunk, ordered, deadline)
                judged += len(chunk)
                spent = max(self._clock() - started, 1e-9)
                emit(Judged(judged, len(survivors), judged / spent))
        except OutOfTime:
            return Judgement(tuple(survivors), judged, not chosen, self.executions - before)
        return Judgement(tuple(survivors), judged, True, self.executions - before)

    def _in_order(self, requirements: Sequence[Requirement], deadline: float | None) -> list[Requirement]:
        inputs = [requirement.input for requirement in requirements]
        runs = zip(inputs, self._runs(inputs, deadline), strict=True)
        known = {g: (run.answer, float(run.steps if run.ended else self._most_steps(run))) for g, run in runs}
        return failing_first(requirements, known, self._same)

    def _survivors(
        self, chunk: Sequence[int], ordered: Sequence[Requirement], deadline: float | None
    ) -> list[int]:
        alive = [number for number in chunk if self._variants[number] is not None]
        late: list[int] = []
        for requirement in ordered:
            if not alive:
                break
            answers = self._asked(requirement, alive, deadline)
            if not self._unknown(requirement):
                answers |= self._with_more_steps(requirement, answers, deadline)
            met = {text: requirement.met_by(text, self._same) for text in set(answers.values())}
            if self._unknown(requirement):
                late += [n for n in alive if gave_up(answers[n]) and not met[answers[n]]]
            if self._tells(requirement):
                self._proven |= {number for number in alive if met[answers[number]]}
            alive = [number for number in alive if met[answers[number]]]
        return sorted([*alive, *self._late(late, ordered, deadline)])

    def _asked(
        self, requirement: Requirement, among: Sequence[int], deadline: float | None, steps: int = 0
    ) -> dict[int, Response]:
        found = self._answers([requirement.input], among, deadline, steps)
        if not found:
            raise OutOfTime
        return found[0]

    def _tells(self, requirement: Requirement) -> bool:
        """Whether who meets it has mended something: it is known what is right, and the original is wrong."""
        wrong = not requirement.met_by(self._original[requirement.input].answer, self._same)
        return requirement.expected is not None and wrong

    def _with_more_steps(
        self, requirement: Requirement, answers: Mapping[int, Response], deadline: float | None
    ) -> dict[int, Response]:
        """What those answer that used up their steps where there is an answer, and are right elsewhere where
        the original is not: a fix may have far more to do, such as to make every order of some letters."""
        expected, run = requirement.expected, self._original[requirement.input]
        if expected is None or expected.ending is Ending.TIMEOUT:
            return {}
        some = [n for n, each in answers.items() if each.ending is Ending.TIMEOUT and n in self._proven]
        steps = min(PATIENT, MORE * self._most_steps(run))
        return self._asked(requirement, some, deadline, steps) if some else {}

    def _unknown(self, requirement: Requirement) -> bool:
        """Whether nobody knows how many steps a right answer takes: the original does not end there."""
        expected = requirement.expected
        answered = expected is not None and expected.ending is not Ending.TIMEOUT
        run = self._original[requirement.input]
        return answered and (run.deep or not run.ended)

    def _late(
        self, numbers: Sequence[int], ordered: Sequence[Requirement], deadline: float | None
    ) -> list[int]:
        """Those that did not end in the few steps that they had, and do when they get more. Only who is right
        on another input on which the original does not end gets more: most never end."""
        unknown = [requirement for requirement in ordered if self._unknown(requirement)]
        if len(unknown) < 2:
            numbers = [number for number in numbers if number in self._proven]
        waiting: dict[int, list[Requirement]] = {number: [] for number in numbers}
        for requirement in [*unknown, *(each for each in ordered if each not in unknown)]:
            if not waiting:
                return []
            answers = self._asked(requirement, list(waiting), deadline)
            for number, answer in answers.items():
                if requirement.met_by(answer, self._same):
                    self._proven |= {number} if requirement in unknown else set()
                elif requirement in unknown and gave_up(answer):
                    waiting[number].append(requirement)
                else:
                    del waiting[number]
        left = [number for number in waiting if number in self._proven]
        for requirement in unknown:
            some = [number for number in left if requirement in waiting[number]]
            answers = self._asked(requirement, some, deadline, PATIENT) if some else {}
            wrong = {n for n, answer in answers.items() if not requirement.met_by(answer, self._same)}
            left = [number for number in left if number not in wrong]
        return left

    def outputs(
        self, inputs: Sequence[Input], among: Iterable[int], *, deadline: float | None = None
    ) -> list[dict[Response, tuple[int, ...]]]:
        chosen = sorted(set(among))
        alive = [i for i in chosen if self._variants[i] is not None]
        return [
            by_answer((i, answers.get(i, UNCOMPILABLE)) for i in chosen)
            for answers in self._answers(inputs, alive, deadline)
        ]

    def original(self, inputs: Sequence[Input]) -> list[Response]:
        return [run.answer for run in self._runs(inputs)]

    light = 5_000

    @property
    def overhead(self) -> int:
        """A process of its own for each run where candidates may not share one."""
        return 0 if self.pure else 50_000

    def work(self, inputs: Sequence[Input], limit: int = WORK_LIMIT) -> list[int]:
        return [min(limit, run.steps) for run in self._runs(inputs, most=min(limit, MOST_ORIGINAL))]

    def coverage(self, inputs: Sequence[Input]) -> list[dict[int, int]]:
        found = []
        for counts in self.statements(inputs):
            lines: dict[int, int] = {}
            for number, (node, count) in enumerate(zip(self._schema.numbered, counts, strict=True)):
                if isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant):
                    continue
                for line in self._schema.lines(number):
                    lines[line] = max(lines.get(line, 0), count)
            found.append(dict(sorted(lines.items())))
        return found

    def statements(self, inputs: Sequence[Input]) -> list[list[int]]:
        numbers = range(len(self._schema.numbered))
        # A run that is cut has executed what it will execute for ever.
        runs = self._runs(inputs, most=self.light)
        return [[run.executed(number) for number in numbers] for run in runs]

    def close(self) -> None:
        self._worker.close()

    # -- runs -----------------------------------------------------------------------------------------------

    def _runs(
        self, inputs: Sequence[Input], deadline: float | None = None, most: int = MOST_ORIGINAL
    ) -> list[Run]:
        """What the original does, and where: once an input, in `most` steps or some more."""
        known = self._original
        new = [given for given in dict.fromkeys(inputs) if given not in known]
        known |= self._run_original(VISITED, new, min(most, MOST_COUNTED), deadline)
        self._note(known[given] for given in new)
        for given in dict.fromkeys(inputs):
            # Counting statements makes a run slower: one that is long is first shown to end.
            steps = min(MOST_ORIGINAL, FAR * self._longest) if self._endless else MOST_ORIGINAL
            if known[given].cut < min(most, steps):
                (run,) = self._run_original(PLAIN, [given], steps, deadline).values()
                known[given] = replace(known[given], cut=steps)
                if run.ended:
                    known |= self._run_original(VISITED, [given], steps, deadline)
                self._note([known[given]])
        return [known[given] for given in inputs]

    def _note(self, runs: Iterable[Run]) -> None:
        for run in runs:
            self._longest = max(self._longest, run.steps if run.ended else 0)
            self._endless = self._endless or run.cut == MOST_ORIGINAL

    def _run_original(
        self, program: int, inputs: Sequence[Input], steps: int, deadline: float | None
    ) -> dict[Input, Run]:
        if not inputs:
            return {}
        fed = map(self._feed, inputs)
        jobs: list[Job] = [(program, [], each.data, steps, 0, each.arguments) for each in fed]
        self.executions += len(jobs)
        until = self._until(deadline)
        if self._guards:
            # The first once more: what it does must not depend on what ran in between.
            records = self._guarded(jobs, jobs[0], lambda first, again: first[:2] == again[:2], until)
        else:
            records = self._worker.run(jobs, self._pure, until)
        visits = self._programs[program].visits
        counted = self._sandbox.counted
        pairs = zip(inputs, records, strict=True)
        return {given: read_run(record, visits, steps, counted) for given, record in pairs}

    def _until(self, deadline: float | None) -> float:
        """The deadline as a value of time.monotonic(); OutOfTime once it has come."""
        left = math.inf if deadline is None else deadline - self._clock()
        if left <= 0:
            raise OutOfTime
        return time.monotonic() + left

    def _most_steps(self, run: Run) -> int:
        """What a candidate may take where the original does this."""
        if run.ended:
            return min(FACTOR * run.steps + FLOOR, MOST_STEPS)
        return FACTOR * min(self._longest, MOST_KNOWN) + FLOOR

    def _as_written(self, given: Input) -> Fed:
        text = given.text
        if self.function is None and not text.endswith("\n"):
            text += "\n"
        return Fed(text.encode("utf-8", "surrogateescape" if self.function is None else "surrogatepass"))

    def _answers(
        self, inputs: Sequence[Input], among: Sequence[int], deadline: float | None = None, steps: int = 0
    ) -> list[dict[int, Response]]:
        """What each candidate prints, for the first inputs alone when the deadline comes first. Those
        that are the same program, or change nothing that runs, share. `steps`: more than they usually get."""
        try:
            runs = self._runs(inputs, deadline)
        except OutOfTime:
            return []
        found: list[dict[int, Response]] = []
        jobs: tuple[list[Job], list[Job]] = ([], [])
        members: tuple[list[tuple[int, list[int]]], list[tuple[int, list[int]]]] = ([], [])
        for place, (given, run) in enumerate(zip(inputs, runs, strict=True)):
            found.append({})
            groups: dict[tuple[int, tuple[tuple[int, int], ...]], list[int]] = {}
            for number in among:
                variant = self._variants[number]
                assert variant is not None
                if self._share and run.idle(variant.statements, bool(variant.on)):
                    found[place][number] = run.answer
                else:
                    groups.setdefault((variant.program, variant.on), []).append(number)
            limits = max(steps, self._most_steps(run)), DEPTH if run.deep and not steps else 0
            fed = self._feed(given)
            for (program, on), numbers in groups.items():
                variant = self._variants[numbers[0]]
                way = 0 if variant is not None and variant.pure and self.pure else 1
                jobs[way].append((program, list(on), fed.data, *limits, fed.arguments))
                members[way].append((place, numbers))
        self.executions += len(jobs[0]) + len(jobs[1])
        known: dict[tuple[str, bytes], Response] = {}  # most candidates answer alike
        with suppress(OutOfTime):
            for way, together in ((0, True), (1, False)):
                if together and self._guards and jobs[way]:
                    records = self._checked(jobs[way], dict(zip(inputs, runs, strict=True)), deadline)
                else:
                    records = self._worker.run(jobs[way], together, self._until(deadline))
                for (place, numbers), record in zip(members[way], records, strict=True):
                    answer = known.get(record[:2])
                    if answer is None:
                        answer = known[record[:2]] = record.response(self._sandbox.counted)
                    found[place].update(dict.fromkeys(numbers, answer))
        return list(takewhile(lambda answers: len(answers) == len(among), found))

    def _checked(
        self, jobs: Sequence[Job], runs: Mapping[Input, Run], deadline: float | None
    ) -> Iterator[Record]:
        """Under the guard, with the original after them, on the input on which it has least to do."""
        given, run = min(runs.items(), key=lambda each: (not each[1].ended, each[1].steps))
        fed = self._feed(given)
        steps = MOST_ORIGINAL if run.ended else FLOOR
        again: Job = (PLAIN, [], fed.data, steps, DEPTH if run.deep else 0, fed.arguments)
        counted = self._sandbox.counted
        return self._guarded(
            jobs, again, lambda _, record: record.response(counted) == run.answer, self._until(deadline)
        )

    def _guarded(
        self, jobs: Sequence[Job], last: Job, unchanged: Callable[[Record, Record], bool], until: float
    ) -> Iterator[Record]:
        """Records of jobs that share a process under a guard. What the guard stops runs alone; so does all
        from then on once what comes last shows that something was left behind, or the original is stopped."""
        for start in range(0, len(jobs), GUARDED):
            chunk = jobs[start : start + GUARDED]
            found = list(self._worker.run([*chunk, last], True, until, True)) if self._guards else []
            if found and found[-1].kind != STOPPED and unchanged(found[0], found[-1]):
                records = found[:-1]
            else:
                if found and found[-1].kind == STOPPED:
                    self.effects[found[-1].text.decode("utf-8", "replace")] = None
                self._guards = False
                records = [Record(STOPPED, b"", 0)] * len(chunk)
            alone = [job for job, record in zip(chunk, records, strict=True) if record.kind == STOPPED]
            again = self._worker.run(alone, False, until)
            yield from (next(again) if record.kind == STOPPED else record for record in records)
