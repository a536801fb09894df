"""A Python function, or a script that reads stdin."""

from __future__ import annotations

import ast
import re
import sys
import tempfile
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import closing
from dataclasses import replace
from pathlib import Path

from learn2fix.domain import Domain
from learn2fix.domain.outputs import same_output
from learn2fix.edits.ordering import with_repetitions
from learn2fix.edits.parts import Part
from learn2fix.edits.priors import priors
from learn2fix.edits.protocol import Hints
from learn2fix.errors import BuildError, NotFailing, UsageError
from learn2fix.languages.arguments import Arguments
from learn2fix.languages.evaluator import Clock, Fed
from learn2fix.languages.files import read_source
from learn2fix.languages.input_form import input_domain, recording, refuse_form
from learn2fix.languages.protocol import Proof, Repairable, RunKind, RunRecipe
from learn2fix.languages.python.bundle import Bundle, bundle_of, whole_part
from learn2fix.languages.python.calls import call_form
from learn2fix.languages.python.copies import as_module, copied
from learn2fix.languages.python.edits.generator import PythonEdits, PythonPairs
from learn2fix.languages.python.edits.genprog import GenProgEdits
from learn2fix.languages.python.effects import ALL, PRINTS, effects, is_lazy
from learn2fix.languages.python.judging.evaluator import PythonEvaluator
from learn2fix.languages.python.missing import refuse_missing
from learn2fix.languages.python.mistakes import mistakes_in
from learn2fix.languages.python.names import assigned
from learn2fix.languages.python.parts import parts_of
from learn2fix.languages.python.raising import on_purpose
from learn2fix.languages.python.reading import PythonReader
from learn2fix.languages.python.same import normal_value, same_value
from learn2fix.languages.python.signatures import Definitions, Target
from learn2fix.languages.python.symbolic import meaning
from learn2fix.languages.python.watching import watched
from learn2fix.languages.symbolic import Meaning
from learn2fix.languages.watching import Held, told
from learn2fix.model import Candidate, Ending, Input, Outcome, Requirement, Response
from learn2fix.sandbox import NO_SURROUNDINGS, Limits, Sandbox, Surroundings, Worker
from learn2fix.sandbox.inside.guard import FILES, NETWORK

FRACTION = re.compile(rb"[^/]/[^/]|\d\.\d|float|math|%[.\d]*f|\.\d*f}")
"""What a script that prints numbers with a fraction has in its source."""

NO_ARGUMENTS = Arguments()
CANNOT_IMPORT = ("ModuleNotFoundError: ", "ImportError: ")


class PythonSubject:
    """Runs forked from one warm, sandboxed interpreter."""

    suffix = ".py"
    suspects: tuple[int, ...] = ()
    digits = None

    def __init__(
        self,
        path: Path,
        function: str | None,
        sandbox: Sandbox,
        limits: Limits | None = None,
        text: bytes | None = None,
        tolerance: float | None = None,
        original: bytes | None = None,
        *,
        arguments: Arguments = NO_ARGUMENTS,
        around: Surroundings = NO_SURROUNDINGS,
        bundle: Bundle | None = None,
        python: str | None = None,
    ) -> None:
        """`text`: run this (a patched version, say) instead of `original`, which is what the file holds.

        `bundle`: the program and files that it imports, of which `text` is a changed version. `python`: the
        interpreter of the user's project.
        """
        self.source: Path | None = path
        self.notes: Sequence[str] = ()
        self._arguments, self._around = arguments, around
        self.function = function
        self.name = f"{path}:{function}" if function else str(path)
        self._bundle, self._python = bundle, python or sys.executable
        self._original = original if original is not None else read_source(path)
        if function is not None and bundle is None and text is None and original is None:
            self._bundle = bundle_of(path, self._original)
            self._original = self._original if self._bundle is None else self._bundle.text
        self.parts: Sequence[Part] = () if self._bundle is None else self._bundle.parts
        self.text = self._original if text is None else text
        self._prints_fractions = FRACTION.search(self._original) is not None
        self._replaced = text is not None
        self._folder: tempfile.TemporaryDirectory[str] | None = None
        self.path, self._sandbox, self._limits = path.absolute(), sandbox, limits
        self._tolerance = tolerance
        if sandbox.counted.stderr or (function and sandbox.counted.status):
            raise UsageError(
                f"of {self.name} standard error is not compared"
                if sandbox.counted.stderr
                else f"{function} is a function and has no exit status",
                "leave out --stderr" if sandbox.counted.stderr else "leave out --expected-status",
            )
        self._tree = parse_python(self.text, path.name)
        self._target: Target | None = None
        self._keep: tuple[str, ...] = ()
        """Effects that every answer tells of: those of the original, also in what is patched."""
        self._usual: tuple[str, ...] = ()
        """Effects that a person who writes an answer may leave out."""
        if function is not None:
            self._target = Definitions(self._tree).target(function, path.name)
            before = self._tree if text is None else parse_python(self._original, path.name)
            self._usual = (*effects(Definitions(before).target(function, path.name)), PRINTS)
            self._keep = tuple(each for each in self._usual if each == ALL)
        self._worker: Worker | None = None
        self._counter: PythonEvaluator | None = None
        """Counts the steps of calls, once one did not end."""

    def domain(self, examples: Sequence[str], form: str | None = None) -> Domain:
        if self._arguments.places:
            refuse_form(form, self.name)
            domain = self._arguments.domain(examples)
            self._refuse_missing(domain.parse(examples[0]))
            return domain
        if self.function is None:
            self._refuse_missing(Input(examples[0]))
            source = self.text.decode("utf-8", "replace")
            names = assigned(source, len(examples[0].split()))
            if self._around.input_file:
                return input_domain(examples, None, form, names)
            words, around = self._arguments.words, self._around
            reader = PythonReader(self.path, self.text, self._sandbox, words=words, around=around)
            with closing(reader):
                return input_domain(examples, recording(reader.record), form, names)
        refuse_form(form, self.name)
        assert self._target is not None
        return call_form(examples, self._target, Definitions(self._tree))

    def _refuse_missing(self, given: Input) -> None:
        (outcome,) = self.run([given])
        self.notes = refuse_missing(str(self.source), self._tree, outcome, self._arguments)

    def feed(self, given: Input) -> Fed:
        if self.function is not None:
            return Fed(given.text.encode("utf-8", "surrogatepass"))
        return self._arguments.feed(given)

    def patched(self, text: bytes) -> PythonSubject:
        """The same program with another source text."""
        return PythonSubject(
            self.path,
            self.function,
            self._sandbox,
            self._limits,
            text,
            self._tolerance,
            self._original,
            arguments=self._arguments,
            around=self._around,
            bundle=self._bundle,
            python=self._python,
        )

    def _file(self) -> Path:
        """The user's file, or a copy with the other text."""
        if self._bundle is not None and self._replaced:
            text = self._bundle.runnable(self.text)
        else:
            own = self.text if self._bundle is None else self._bundle.named(self.text)
            text = as_module(self.path, own)
            if not self._replaced and text == own:
                return self.path
        self._folder = tempfile.TemporaryDirectory(prefix="learn2fix-")
        return copied(self.path, text, Path(self._folder.name))

    def run(self, inputs: Sequence[Input]) -> list[Outcome]:
        """Once a call did not end, others are counted first: to wait for each of them takes long."""
        endless: set[Input] = set()
        if self._counter is not None:
            answers = zip(inputs, self._counter.original(inputs), strict=True)
            endless = {given for given, answer in answers if answer.ending is Ending.TIMEOUT}
        ending = self._run([given for given in inputs if given not in endless])
        found = [Outcome(Ending.TIMEOUT) if given in endless else next(ending) for given in inputs]
        if self.function and self._counter is None and any(o.ending is Ending.TIMEOUT for o in found):
            self._counter = self.evaluator(time.monotonic)
        return found

    def _run(self, inputs: Sequence[Input]) -> Iterator[Outcome]:
        if self._worker is None:
            self._worker = self._sandbox.python(
                self._file(), self._called, self._limits, self._python, around=self._around, origin=self.path
            )
        fed = list(map(self.feed, inputs))
        return self._worker.run_many((each.data for each in fed), (each.arguments for each in fed))

    @property
    def _called(self) -> str | None:
        """The function for the process that calls it, and what it always tells of."""
        return None if self.function is None else " ".join([self.function, *self._keep])

    @property
    def recipe(self) -> RunRecipe:
        kind = RunKind.FUNCTION if self.function else RunKind.SCRIPT
        lazy = self._target is not None and is_lazy(self._target.node)
        return RunRecipe(kind, self.function or "", around=self._around, lazy=lazy)

    def prove(self, runs: Sequence[Proof]) -> bool:
        """Whether it can be run at all: a module that is missing is no bug to learn from."""
        for outcome in (run.outcome for run in runs):
            if outcome.ending is Ending.RAISED and outcome.detail.startswith(CANNOT_IMPORT):
                raise NotFailing(
                    f"{self.name} cannot be run: {outcome.detail}",
                    "what it imports must lie beside it or be installed",
                )
        self.notes = [*self.notes, *self._effects([run.input for run in runs])]
        return False

    @property
    def proved_by_choice(self) -> bool:
        return False

    def _effects(self, inputs: Sequence[Input]) -> list[str]:
        """What a function does beyond its own objects, in words: none of it reaches the user's machine."""
        if self.function is None or self._around.items:
            return []
        evaluator = self.evaluator(time.monotonic)
        try:
            if not evaluator.guarded:
                return []
            evaluator.original(inputs)
            return [in_words(effect, self.name) for effect in evaluator.effects]
        finally:
            evaluator.close()

    def same(self, expected: Response, found: Response) -> bool:
        if self.function:
            return same_value(expected, found, self._tolerance, self._usual)
        return same_output(expected, found, self._tolerance, self._prints_fractions)

    def normal(self, response: Response) -> Response:
        return normal_value(response) if self.function else response

    def deliberate(self, outcome: Outcome) -> bool:
        return outcome.ending is Ending.RAISED and on_purpose(self._tree, outcome.detail)

    @property
    def repairable(self) -> Repairable:
        return self

    def evaluator(self, clock: Clock) -> PythonEvaluator:
        return PythonEvaluator(
            self.path,
            self._called,
            self._sandbox,
            source=self.text,
            clock=clock,
            same=self.same,
            feed=self.feed,
            around=self._around,
            known=self._counter,
            join=None if self._bundle is None else self._bundle.join,
            python=self._python,
        )

    def edits(self, hints: Hints) -> Iterator[Candidate]:
        singles = self._inside(PythonEdits().candidates(self.text, _by_parts(hints)))
        return with_repetitions(singles, self.text, priors("python"))

    def pairs(
        self, seeds: Sequence[Candidate], hints: Hints, partners: Sequence[Candidate] | None = None
    ) -> Iterator[Candidate]:
        return self._inside(PythonPairs(seeds, partners).candidates(self.text, _by_parts(hints)))

    def _inside(self, candidates: Iterator[Candidate]) -> Iterator[Candidate]:
        """Those that change files of the user, and not what we put between them."""
        if not self.parts:
            return candidates
        return (each for each in candidates if all(whole_part(self.parts, edit) for edit in each.edits))

    def synthesis(
        self, requirements: Sequence[Requirement], hints: Hints, clock: Clock, within: Callable[[], bool]
    ) -> Iterator[Candidate]:
        return iter(())

    def statement_edits(self, weights: Mapping[int, float]) -> GenProgEdits:
        return GenProgEdits(self.text, weights)

    def completed(self, candidate: Candidate) -> Candidate:
        return candidate

    def undefined(self, inputs: Sequence[Input]) -> list[bool]:
        return [False for _ in inputs]

    def meaning(self, text: bytes) -> Meaning | None:
        return meaning(text)

    def held(self, given: Input) -> Held:
        if self._bundle is not None:
            return {}  # lines of several files: what is put between them is not ours to change
        with closing(self.patched(watched(self.text, self.function is None))) as made:
            return told(made.run([given])[0].stderr)

    def mistakes(self) -> Iterator[Candidate]:
        return mistakes_in(self.text, self.function)

    def close(self) -> None:
        if self._counter is not None:
            self._counter.close()
            self._counter = None
        if self._worker is not None:
            self._worker.close()
            self._worker = None
        if self._folder is not None:
            self._folder.cleanup()
            self._folder = None


def in_words(effect: str, name: str) -> str:
    """What the guard stopped, and what comes of it."""
    what, _, file = effect.partition(": ")
    kept = {
        FILES: f"{name} changes files ({file}): here in a folder of its own, and yours stay as they are.",
        NETWORK: f"{name} uses the network, and there is none here.",
    }
    return kept.get(what, f"{name} {what}: every run of it takes a process of its own, which takes longer.")


def _by_parts(hints: Hints) -> Hints:
    """Every part of an expected answer is a useful constant."""
    parts = (part for text in hints.expected for part in parts_of(text).values())
    return replace(hints, expected=tuple(dict.fromkeys(parts)))


def parse_python(source: bytes, name: str) -> ast.Module:
    try:
        return ast.parse(source, filename=name)
    except (SyntaxError, ValueError, RecursionError, MemoryError) as problem:
        line = f" (line {problem.lineno})" if isinstance(problem, SyntaxError) and problem.lineno else ""
        reason = problem.msg if isinstance(problem, SyntaxError) else str(problem)
        raise BuildError(f"{name} is not valid Python: {reason}{line}") from None
