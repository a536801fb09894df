"""A C program, or one function of it behind a generated main()."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import closing
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from learn2fix.domain import Domain, call_domain
from learn2fix.domain.inputs import as_call, read_call, write_word
from learn2fix.domain.outputs import same_output
from learn2fix.edits.ordering import with_repetitions
from learn2fix.edits.parts import Part
from learn2fix.edits.priors import priors
from learn2fix.edits.protocol import Hints
from learn2fix.errors import BuildError, UsageError
from learn2fix.languages.arguments import Arguments
from learn2fix.languages.c.building import FRESH_MEMORY, BuildOptions, build_c, warnings_c
from learn2fix.languages.c.edits.generator import CEdits
from learn2fix.languages.c.edits.genprog import GenProgEdits
from learn2fix.languages.c.edits.pairs import CPairs
from learn2fix.languages.c.harness import (
    RENAMED_MAIN,
    CFunction,
    find_function,
    functions_in,
    harness,
    range_of,
)
from learn2fix.languages.c.headers import with_headers
from learn2fix.languages.c.judging.engine import EngineError
from learn2fix.languages.c.judging.evaluator import CEvaluator
from learn2fix.languages.c.judging.rebuild import COMPILER, RebuildEvaluator
from learn2fix.languages.c.layout import parts, units
from learn2fix.languages.c.memory import FILLED, WARNINGS, fill_that_shows, unset_variables
from learn2fix.languages.c.mistakes import mistakes_in
from learn2fix.languages.c.project import Project
from learn2fix.languages.c.reading import CReader
from learn2fix.languages.c.room import with_room
from learn2fix.languages.c.sanitizing import FLAGS, PLAIN, reports
from learn2fix.languages.c.symbolic import meaning
from learn2fix.languages.c.synthesis.synthesis import CSynthesis
from learn2fix.languages.c.tree import Lines
from learn2fix.languages.c.undefined import Undefined
from learn2fix.languages.c.value_harness import value_harness
from learn2fix.languages.c.values import Signature, find_signature, letter_hint
from learn2fix.languages.c.watching import watched
from learn2fix.languages.evaluator import Clock, Evaluator, Fed
from learn2fix.languages.files import read_source
from learn2fix.languages.input_form import input_domain, recording, refuse_form
from learn2fix.languages.names import missing_arguments
from learn2fix.languages.protocol import Proof, Repairable, RunKind, RunRecipe
from learn2fix.languages.surroundings import refuse_missing
from learn2fix.languages.symbolic import Meaning
from learn2fix.languages.watching import Held, told
from learn2fix.model import Candidate, Input, Outcome, Requirement, Response
from learn2fix.sandbox import NO_SURROUNDINGS, Limits, Program, Sandbox, Surroundings, Worker

JUDGED_BY = ("-D", "-U", "-I", "-l", "-L")
"""Flags that decide what a program means and what it is linked with, also where candidates are judged."""
WIDE_WORDS = (b"long long", b"int64", b"%lld", b"%llu")
FRACTION = re.compile(rb"%[-+ #0-9.*]*l?[feFEgG]")
REDIRECTED = re.compile(r"freopen\s*\(\s*\"([^\"]+)\"\s*,\s*\"r[^\"]*\"\s*,\s*stdin\s*\)")
NO_ARGUMENTS = Arguments()
SANITIZING = 10.0
"""Seconds for a run that is watched by sanitizers, which make it slow."""
Editable = Callable[[str], bool]
"""Whether a file, by its absolute path, may be changed."""


def everywhere(path: str) -> bool:
    return True


def _declaration(text: bytes, name: str, file: str) -> CFunction | Signature:
    """What a function takes and gives: numbers alone, or other values too."""
    own = parts(text)[-1].content(text) if parts(text) else text
    if name in functions_in(own):
        try:
            return find_function(own, name, file)
        except UsageError:
            return find_signature(text, name, file)
    return find_function(own, name, file)


@dataclass(frozen=True, slots=True)
class Started:
    """A program that is always started with the same arguments, to be recorded."""

    subject: CSubject
    words: tuple[str, ...]

    @property
    def program_text(self) -> bytes:
        return self.subject.program_text

    def build(self, extra: tuple[str, ...]) -> Path:
        return self.subject.build(extra)

    def start(self, extra: tuple[str, ...], limits: Limits | None = None) -> Worker:
        return self.subject.start(extra, limits, self.words)


class CSubject:
    """Built once for each content; runs in one sandboxed worker."""

    suffix = ".c"

    def __init__(
        self,
        path: Path,
        function: str | None,
        sandbox: Sandbox,
        options: BuildOptions | None = None,
        limits: Limits | None = None,
        text: bytes | None = None,
        tolerance: float | None = None,
        original: bytes | None = None,
        *,
        arguments: Arguments = NO_ARGUMENTS,
        around: Surroundings = NO_SURROUNDINGS,
        root: Path | None = None,
        project: Project | None = None,
        fresh: tuple[str, ...] = (),
    ) -> None:
        """`text`: run this (a patched version, say) instead of `original`, which is what the file holds.

        A program of several files is one text (layout.py); `root`: the folder that their names are seen from.
        `project`: where it has a build of its own; `root` is then its copy.
        `fresh`: the flag that says what fresh memory holds.
        """
        self.source: Path | None = path
        self.notes: Sequence[str] = ()
        self._arguments, self._around = arguments, around
        self.function = function
        self.name = f"{path}:{function}" if function else str(path)
        self.options = options or BuildOptions()
        self._original = original if original is not None else read_source(path)
        self.text = self._original if text is None else text
        self._prints_fractions = FRACTION.search(self._original) is not None
        self._sandbox = sandbox
        self._limits = limits
        self._tolerance = tolerance
        self._path = path.absolute()  # found also when the process has gone to another folder
        self._root = root or self._path.parent.resolve()
        self._project = project
        self._fresh = fresh
        self.proved_by_choice = False
        self.suspects: frozenset[int] = frozenset()
        self.editable: Editable = everywhere
        """Which of its files may be changed."""
        self._declared = _declaration(self.text, function, path.name) if function else None
        try:
            self.binary = self.build()
        except BuildError as problem:
            defined = functions_in(self.text)
            if function is None and defined and "main" not in defined:
                words = f"name one of its functions: {path}:{defined[0]}"
                raise BuildError(problem.message, problem.diagnostics, words) from None
            raise
        self._worker: Worker | None = None
        self._undefined: Undefined | None = None

    @property
    def program_text(self) -> bytes:
        """The source with its generated main(), if any, appended: what is compiled."""
        match self._declared:
            case None:
                return self.text
            case Signature():
                return self.text + value_harness(self._declared)
            case CFunction():
                return self.text + harness(self._declared)

    @property
    def extra_flags(self) -> tuple[str, ...]:
        return ((f"-Dmain={RENAMED_MAIN}",) if self._declared else ()) + self._fresh

    def build(self, extra: tuple[str, ...] = ()) -> Path:
        if self._project is not None and not (extra or self.extra_flags):
            return self._project.build(self.program_text)
        return build_c(
            self.program_text,
            self._root,
            self._path.name,
            self.options,
            self._sandbox,
            self.extra_flags + extra,
        )

    def patched(self, text: bytes) -> CSubject:
        """The same program with another source text, same compiler and flags."""
        if self._project is not None and not self._project.passes(text):
            raise BuildError("the command that fails because of the bug still fails")
        made = CSubject(
            self._path,
            self.function,
            self._sandbox,
            self.options,
            self._limits,
            text,
            self._tolerance,
            self._original,
            arguments=self._arguments,
            around=self._around,
            root=self._root,
            project=self._project,
            fresh=self._fresh,
        )
        made.editable, made.suspects = self.editable, self.suspects
        return made

    @property
    def parts(self) -> tuple[Part, ...]:
        return tuple(replace(part, path=str(self._home / part.path)) for part in parts(self.text))

    @property
    def _home(self) -> Path:
        """Where the user's files are."""
        return self._project.folder if self._project is not None else self._root

    def domain(self, examples: Sequence[str], form: str | None = None) -> Domain:
        if self._declared is None and self._arguments.places:
            refuse_form(form, self.name)
            domain = self._arguments.domain(examples)
            self._refuse_missing(domain.parse(examples[0]))
            return domain
        if self._declared is None:
            self._refuse_missing(Input(examples[0]))
            with closing(CReader(self, self._sandbox)) as reader:
                found = input_domain(examples, recording(reader.record, self._around.input_file), form)
            return with_room(found, self.text, map(found.parse, examples))
        refuse_form(form, self.name)
        if isinstance(self._declared, Signature):
            return self._declared.domain(examples)
        names = [parameter.name for parameter in self._declared.parameters]
        kinds = {parameter.name: parameter.kind for parameter in self._declared.parameters}
        for text in examples:
            given = read_call(as_call(text), names)
            if missing := [name for name in names if name not in given]:
                raise missing_arguments(self._declared.name, missing, names, text)
            for name, value in given.items():
                if hint := letter_hint(value):
                    raise UsageError(f"{name} must be a number, not {value!r}", hint)
        domain = call_domain(examples, names, kinds, words=True)
        ranges = tuple(map(range_of, self._declared.types))
        rows = [domain.parse(text).values for text in examples]
        fits = all(within.covers(value) for row in rows for within, value in zip(ranges, row, strict=True))
        return domain.with_ranges(ranges) if fits else domain

    def _refuse_missing(self, given: Input) -> None:
        fed = self.feed(given)
        name, command = str(self.source), ""
        if self._project is not None:
            name, command = self._project.shown_target, self._project.with_arguments
        with closing(CReader(Started(self, fed.arguments), self._sandbox)) as reader:
            for outcome, trace in reader.run([fed.data]):
                redirected = frozenset(REDIRECTED.findall(self.text.decode("latin-1")))
                for note in refuse_missing(
                    name, trace, outcome, self._arguments, self._around, redirected, command
                ):
                    self._tell(note)

    def feed(self, given: Input) -> Fed:
        if self._declared is None:
            return self._arguments.feed(given)
        if isinstance(self._declared, Signature):
            return Fed(self._declared.encode(given.text))
        return Fed((" ".join(write_word(value) for value in given.values) + "\n").encode())

    def run(self, inputs: Sequence[Input]) -> list[Outcome]:
        if self._worker is None:
            self._worker = self._sandbox.start(self._program(self.binary, fork_server=True), self._limits)
        fed = list(map(self.feed, inputs))
        return list(self._worker.run_many((each.data for each in fed), map(self._varied, fed)))

    def run_on(self, worker: Worker, given: Input) -> Outcome:
        """On a worker that `start` returned."""
        fed = self.feed(given)
        return worker.run(fed.data, self._varied(fed))

    def _varied(self, fed: Fed) -> tuple[str, ...]:
        """The arguments that the program is not started with."""
        return fed.arguments[len(self._arguments.fixed) :]

    def _program(self, binary: Path, words: tuple[str, ...] = (), fork_server: bool = False) -> Program:
        argv = (str(binary), *(words or self._arguments.fixed))
        return Program(argv, fork_server=fork_server, around=self._around)

    def start(
        self, extra: tuple[str, ...], limits: Limits | None = None, words: tuple[str, ...] = ()
    ) -> Worker:
        """The same program, built with further flags, in a worker that the caller closes.

        `words`: its arguments in every run, where they would differ between inputs.
        """
        return self._sandbox.start(self._program(self.build(extra), words), limits or self._limits)

    @property
    def recipe(self) -> RunRecipe:
        own = set(units(self.text)[:-1])  # the last one is {source}
        more = [p.path for p, part in zip(self.parts, parts(self.text), strict=True) if part.path in own]
        # A test compiles a copy of {source}, which stands elsewhere.
        beside = (f"-I{self._path.parent.resolve()}",) if self.parts else ()
        words = self.options.in_one().argv(["{source}", *more], "{output}", (*self.extra_flags, *beside))
        build = tuple(word.replace(str(self._root), str(self._home)) for word in words)
        added = self.program_text[len(self.text) :].decode("utf-8", "surrogateescape")
        return RunRecipe(RunKind.BUILT, self.function or "", build, added, around=self._around)

    def prove(self, runs: Sequence[Proof]) -> bool:
        """Whether what is printed depends on what fresh memory holds; from now on that is always the same."""
        if not self.suspects:
            self._sanitize(runs[0].input)
        if self.options.fixes_fresh_memory or self._fresh:
            return False
        found = fill_that_shows(self, runs)
        if found is None:
            return False
        fill, changed = found
        who = unset_variables(self._warnings())
        self.notes = (
            *self.notes,
            f"{self.name} reads memory that it never set{': ' + who if who else ''}; {changed}. "
            f"In this session fresh memory holds {FILLED[fill]}, so that it repeats itself.",
        )
        self.close()
        self._fresh = (FRESH_MEMORY + fill,)
        self.proved_by_choice = True
        self.binary = self.build()
        return True

    def _sanitize(self, given: Input) -> None:
        """What the compiler's sanitizers report on an input is told, and the place suspected."""
        limits = replace(self._limits or self._sandbox.limits, memory=0, seconds=SANITIZING)
        for flags in (FLAGS, PLAIN):
            try:
                with self.start(flags, limits) as worker:
                    said = self.run_on(worker, given).stderr.decode("utf-8", "replace")
                break
            except BuildError:
                continue
        else:
            return
        rows, spans = Lines(self.text.decode("latin-1")), parts(self.text)
        for report in reports(said):
            part = next((each for each in spans if f"/{report.file}".endswith(f"/{each.path}")), None)
            last = part.content(self.text) if part is not None else self.text
            if (spans and part is None) or report.line > last.count(b"\n") + 1:
                continue  # in what is not the user's
            name = part.path if part is not None else self._path.name
            first = rows.at(part.start) if part is not None else 1
            self.suspects |= {first + report.line - 1}
            self.notes = (*self.notes, f"On the failing input: {report.words} ({name} line {report.line}).")

    def _warnings(self) -> str:
        return warnings_c(
            self.program_text, self._root, self._path.name, self.options, self._sandbox, WARNINGS
        )

    def same(self, expected: Response, found: Response) -> bool:
        return same_output(expected, found, self._tolerance, self._prints_fractions)

    def normal(self, response: Response) -> Response:
        return response

    def deliberate(self, outcome: Outcome) -> bool:
        return False

    @property
    def repairable(self) -> Repairable:
        return self

    @property
    def digits(self) -> int:
        return 18 if any(word in self.text for word in WIDE_WORDS) else 9

    def evaluator(self, clock: Clock) -> Evaluator:
        """All candidates in one process where that works for the program; else a compiler run a candidate."""
        judged = (flag for flag in self.options.flags if flag[:2] in JUDGED_BY or FRESH_MEMORY in flag)
        flags = (*self.extra_flags, *judged)
        flags += self.options.shared
        given: dict[str, Any] = {"sandbox": self._sandbox, "clock": clock, "same": self.same}
        given |= {"feed": self.feed, "around": self._around}
        try:
            # What fresh memory holds is for the user's compiler to say.
            made = CEvaluator(self.program_text, cflags=flags, linked=bool(self._fresh), **given)
        except EngineError as problem:
            self._tell(f"{self._path.name}: candidates are built one by one, which is slow ({problem}).")
            return RebuildEvaluator(self.program_text, command=(*COMPILER, *flags), **given)
        for unit, reason in made.foreign.reasons.items():
            self._tell(f"{unit} is compiled by your compiler alone ({reason}): it is run, and not changed.")
        if made.slow_because:
            self._tell(f"{self._path.name}: your compiler builds candidates, slowly ({made.slow_because}).")
        return made

    def _tell(self, note: str) -> None:
        if note not in self.notes:
            self.notes = (*self.notes, note)

    def edits(self, hints: Hints) -> Iterator[Candidate]:
        every = with_repetitions(CEdits().candidates(self.text, hints), self.text, priors("c"))
        return self._allowed(every)

    def pairs(
        self, seeds: Sequence[Candidate], hints: Hints, partners: Sequence[Candidate] | None = None
    ) -> Iterator[Candidate]:
        return self._allowed(CPairs(seeds, partners).candidates(self.text, hints))

    def _allowed(self, candidates: Iterator[Candidate]) -> Iterator[Candidate]:
        """Those that change what may be changed."""
        found = self.parts
        if not found:
            return candidates
        allowed = [part for part in found if self.editable(part.path)]
        return (
            candidate
            for candidate in candidates
            if all(any(e.start >= p.start and e.end <= p.end for p in allowed) for e in candidate.edits)
        )

    def synthesis(
        self, requirements: Sequence[Requirement], hints: Hints, clock: Clock, within: Callable[[], bool]
    ) -> Iterator[Candidate]:
        # Probes are no candidates: they have an evaluator of their own.
        with closing(self.evaluator(clock)) as prober:
            made = CSynthesis(prober, requirements, within, self.same)
            yield from self._allowed(made.candidates(self.text, hints))

    def statement_edits(self, weights: Mapping[int, float]) -> GenProgEdits:
        rows = Lines(self.text.decode("latin-1"))
        closed = [part for part in self.parts if not self.editable(part.path)]
        shut = {line for part in closed for line in range(rows.at(part.start), rows.at(part.end))}
        return GenProgEdits(self.text, {line: w for line, w in weights.items() if line not in shut})

    def completed(self, candidate: Candidate) -> Candidate:
        return with_headers(self.text, candidate)

    def undefined(self, inputs: Sequence[Input]) -> list[bool]:
        if self._undefined is None:
            self._undefined = Undefined(self)
        return self._undefined.complains(inputs)

    def meaning(self, text: bytes) -> Meaning | None:
        return meaning(text)

    def held(self, given: Input) -> Held:
        try:
            with closing(self.patched(watched(self.text))) as made:
                return told(made.run([given])[0].stderr)
        except BuildError:
            return {}

    def mistakes(self) -> Iterator[Candidate]:
        return mistakes_in(self.text, self.function)

    def close(self) -> None:
        if self._undefined is not None:
            self._undefined.close()
            self._undefined = None
        if self._worker is not None:
            self._worker.close()
            self._worker = None
