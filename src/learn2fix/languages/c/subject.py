"""A C program, or one function of it behind a generated main()."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import closing
from functools import cached_property
from pathlib import Path

from learn2fix.domain import Domain, call_domain
from learn2fix.domain.inputs import as_call, read_call, write_word
from learn2fix.domain.outputs import same_output
from learn2fix.edits.protocol import Hints
from learn2fix.errors import BuildError, NotDeterministic
from learn2fix.languages.c.building import FRESH_MEMORY, BuildOptions, build_c
from learn2fix.languages.c.edits.generator import CEdits
from learn2fix.languages.c.edits.genprog import GenProgEdits
from learn2fix.languages.c.edits.pairs import CPairs
from learn2fix.languages.c.harness import (
    RENAMED_MAIN,
    find_function,
    functions_in,
    harness,
)
from learn2fix.languages.c.judging.engine import EngineError
from learn2fix.languages.c.judging.evaluator import CEvaluator
from learn2fix.languages.c.judging.rebuild import RebuildEvaluator
from learn2fix.languages.c.reading import CReader
from learn2fix.languages.c.synthesis.synthesis import CSynthesis
from learn2fix.languages.c.undefined import Undefined
from learn2fix.languages.evaluator import AsRead, Clock, Evaluator
from learn2fix.languages.files import read_source
from learn2fix.languages.input_form import as_stdin, input_domain, recording, refuse_form
from learn2fix.languages.names import missing_arguments
from learn2fix.languages.protocol import Repairable, RunKind, RunRecipe
from learn2fix.model import Candidate, Ending, Input, Outcome, Requirement, Response
from learn2fix.sandbox import Limits, Program, Sandbox, Worker

WIDE_WORDS = (b"long long", b"int64", b"%lld", b"%llu")
FRACTION = re.compile(rb"%[-+ #0-9.*]*l?[feFEgG]")
FILLED = {"zero": "zeroed", "pattern": "filled with a pattern"}


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
    ) -> None:
        """`text`: run this (a patched version, say) instead of `original`, which is what the file holds."""
        self.source: Path | None = path
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
        self._declared = find_function(self.text, function, path.name) if function else None
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
        return self.text + harness(self._declared) if self._declared else self.text

    @property
    def extra_flags(self) -> tuple[str, ...]:
        return (f"-Dmain={RENAMED_MAIN}",) if self._declared else ()

    def build(self, extra: tuple[str, ...] = ()) -> Path:
        return build_c(
            self.program_text,
            self._path.parent.resolve(),
            self._path.name,
            self.options,
            self._sandbox,
            self.extra_flags + extra,
        )

    def patched(self, text: bytes) -> CSubject:
        """The same program with another source text, same compiler and flags."""
        options = self.options, self._limits, text, self._tolerance, self._original
        return CSubject(self._path, self.function, self._sandbox, *options)

    def domain(self, examples: Sequence[str], form: str | None = None) -> Domain:
        if self._declared is None:
            with closing(CReader(self, self._sandbox)) as reader:
                return input_domain(examples, recording(reader.record), form)
        refuse_form(form, self.name)
        names = [parameter.name for parameter in self._declared.parameters]
        kinds = {parameter.name: parameter.kind for parameter in self._declared.parameters}
        for text in examples:
            given = read_call(as_call(text), names)
            if missing := [name for name in names if name not in given]:
                raise missing_arguments(self._declared.name, missing, names, text)
        return call_domain(examples, names, kinds, words=True)

    def stdin(self, given: Input) -> bytes:
        if self._declared is None:
            return as_stdin(given.text)
        return (" ".join(write_word(value) for value in given.values) + "\n").encode()

    @cached_property
    def _program(self) -> Program:
        return Program((str(self.binary),), fork_server=True)

    def run(self, inputs: Sequence[Input]) -> list[Outcome]:
        if self._worker is None:
            self._worker = self._sandbox.start(self._program, self._limits)
        return list(self._worker.run_many(self.stdin(given) for given in inputs))

    def start(self, extra: tuple[str, ...], limits: Limits | None = None) -> Worker:
        """The same program, built with further flags, in a worker that the caller closes."""
        return self._sandbox.start(Program((str(self.build(extra)),)), limits or self._limits)

    @property
    def recipe(self) -> RunRecipe:
        build = tuple(self.options.argv(Path("{source}"), Path("{output}"), self.extra_flags))
        added = self.program_text[len(self.text) :].decode("utf-8", "surrogateescape")
        return RunRecipe(RunKind.BUILT, self.function or "", build, added)

    def prove(self, inputs: Sequence[Input], outcomes: Sequence[Outcome]) -> None:
        """Whether what is printed depends on what fresh memory holds."""
        if self.options.fixes_fresh_memory:
            return
        for filled, words in FILLED.items():
            try:
                worker = self.start((FRESH_MEMORY + filled,))
            except BuildError:
                return  # a compiler without that option: re-running is all we can do
            with worker:
                for given, outcome in zip(inputs, outcomes, strict=True):
                    if outcome.ending is Ending.TIMEOUT:
                        continue  # whatever fresh memory holds, there is nothing to compare
                    again = worker.run(self.stdin(given)).response
                    if again != outcome.response:
                        raise NotDeterministic(
                            f"{self.name} reads memory that it never set: for {given.text!r} it printed "
                            f"{str(outcome.response)!r}, with fresh memory {words} {str(again)!r}",
                            f"set every variable, or fix what fresh memory holds: "
                            f"--cflags '{' '.join(self.options.flags)} {FRESH_MEMORY}zero'",
                        )

    def same(self, expected: Response, found: Response) -> bool:
        return same_output(expected, found, self._tolerance, self._prints_fractions)

    def normal(self, response: Response) -> Response:
        return response

    @property
    def repairable(self) -> Repairable:
        return self

    @property
    def digits(self) -> int:
        return 18 if any(word in self.text for word in WIDE_WORDS) else 9

    def evaluator(self, clock: Clock) -> Evaluator:
        """All candidates in one process where that works for the program; else a compiler run a candidate."""
        return AsRead(self._evaluator(clock), self.stdin)

    def _evaluator(self, clock: Clock) -> Evaluator:
        flags = (*self.extra_flags, *(flag for flag in self.options.flags if flag[:2] in ("-D", "-U", "-I")))
        text, sandbox, same = self.program_text, self._sandbox, self.same
        try:
            return CEvaluator(text, cflags=flags, sandbox=sandbox, clock=clock, same=same)
        except EngineError:
            return RebuildEvaluator(text, sandbox=sandbox, clock=clock, same=same)

    def edits(self, hints: Hints) -> Iterator[Candidate]:
        return CEdits().candidates(self.text, hints)

    def pairs(self, seeds: Sequence[Candidate], hints: Hints) -> Iterator[Candidate]:
        return CPairs(seeds).candidates(self.text, hints)

    def synthesis(
        self, requirements: Sequence[Requirement], hints: Hints, clock: Clock, within: Callable[[], bool]
    ) -> Iterator[Candidate]:
        # Probes are no candidates: they have an evaluator of their own.
        with closing(self.evaluator(clock)) as prober:
            made = CSynthesis(prober, requirements, within, self.same)
            yield from made.candidates(self.text, hints)

    def statement_edits(self, weights: Mapping[int, float]) -> GenProgEdits:
        return GenProgEdits(self.text, weights)

    def undefined(self, inputs: Sequence[Input]) -> list[bool]:
        if self._undefined is None:
            self._undefined = Undefined(self)
        return self._undefined.complains(inputs)

    def close(self) -> None:
        if self._undefined is not None:
            self._undefined.close()
            self._undefined = None
        if self._worker is not None:
            self._worker.close()
            self._worker = None
