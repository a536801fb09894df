"""A Python function, or a script that reads stdin."""

from __future__ import annotations

import ast
import re
import tempfile
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import closing
from pathlib import Path

from learn2fix.domain import Domain, call_domain
from learn2fix.domain.inputs import read_call
from learn2fix.domain.outputs import same_output
from learn2fix.domain.shapes import Shape, annotated
from learn2fix.edits.protocol import Hints
from learn2fix.errors import BuildError, NotFailing, UsageError
from learn2fix.languages.arguments import Arguments
from learn2fix.languages.evaluator import Clock, Evaluator, Fed
from learn2fix.languages.files import read_source
from learn2fix.languages.input_form import input_domain, recording, refuse_form
from learn2fix.languages.names import missing_arguments
from learn2fix.languages.protocol import Repairable, RunKind, RunRecipe
from learn2fix.languages.python.copies import as_module, copied
from learn2fix.languages.python.edits.generator import PythonEdits, PythonPairs
from learn2fix.languages.python.edits.genprog import GenProgEdits
from learn2fix.languages.python.judging.evaluator import PythonEvaluator
from learn2fix.languages.python.missing import refuse_missing
from learn2fix.languages.python.names import assigned
from learn2fix.languages.python.reading import PythonReader
from learn2fix.languages.python.same import normal_value, same_value
from learn2fix.model import Candidate, Ending, Input, Kind, Outcome, Requirement, Response
from learn2fix.sandbox import NO_SURROUNDINGS, Limits, Sandbox, Surroundings, Worker

ANNOTATIONS = {"int": Kind.INT, "float": Kind.REAL, "bool": Kind.BOOL, "str": Kind.TEXT}

FRACTION = re.compile(rb"[^/]/[^/]|\d\.\d|float|math|%[.\d]*f|\.\d*f}")
"""What a script that prints numbers with a fraction has in its source."""

NO_ARGUMENTS = Arguments()
CANNOT_IMPORT = ("ModuleNotFoundError: ", "ImportError: ")


class PythonSubject:
    """Runs forked from one warm, sandboxed interpreter."""

    suffix = ".py"
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
    ) -> None:
        """`text`: run this (a patched version, say) instead of `original`, which is what the file holds."""
        self.source: Path | None = path
        self.notes: Sequence[str] = ()
        self._arguments, self._around = arguments, around
        self.function = function
        self.name = f"{path}:{function}" if function else str(path)
        self._original = original if original is not None else read_source(path)
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
        self._parameters: dict[str, Kind | None] = {}
        self._required: frozenset[str] = frozenset()
        self._shapes: dict[str, Shape] = {}
        self._tree = tree = parse_python(self.text, path.name)
        if function is not None:
            node = function_of(tree, function, path.name)
            self._parameters = parameters_of(node, path.name)
            self._required = required_of(node)
            self._shapes = shapes_of(node)
        self._worker: Worker | None = None

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
        known = {name: kind for name, kind in self._parameters.items() if kind is not None}
        for text in examples:
            given = read_call(text, list(self._parameters))
            missing = [name for name in self._parameters if name in self._required and name not in given]
            if missing:
                raise missing_arguments(self.function, missing, list(self._parameters), text)
        return call_domain(examples, list(self._parameters), known, shapes=self._shapes)

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
        )

    def _file(self) -> Path:
        """The user's file, or a copy with the other text beside links to the modules it imports."""
        text = as_module(self.path, self.text)
        if not self._replaced and text == self.text:
            return self.path
        self._folder = tempfile.TemporaryDirectory(prefix="learn2fix-")
        return copied(self.path, text, Path(self._folder.name))

    def run(self, inputs: Sequence[Input]) -> list[Outcome]:
        if self._worker is None:
            around = self._around
            self._worker = self._sandbox.python(self._file(), self.function, self._limits, around=around)
        fed = list(map(self.feed, inputs))
        return list(self._worker.run_many((each.data for each in fed), (each.arguments for each in fed)))

    @property
    def recipe(self) -> RunRecipe:
        kind = RunKind.FUNCTION if self.function else RunKind.SCRIPT
        return RunRecipe(kind, self.function or "", around=self._around)

    def prove(self, inputs: Sequence[Input], outcomes: Sequence[Outcome]) -> None:
        """Whether it can be run at all: a module that is missing is no bug to learn from."""
        for outcome in outcomes:
            if outcome.ending is Ending.RAISED and outcome.detail.startswith(CANNOT_IMPORT):
                raise NotFailing(
                    f"{self.name} cannot be run: {outcome.detail}",
                    "what it imports must lie beside it or be installed",
                )

    def same(self, expected: Response, found: Response) -> bool:
        if self.function:
            return same_value(expected, found, self._tolerance)
        return same_output(expected, found, self._tolerance, self._prints_fractions)

    def normal(self, response: Response) -> Response:
        return normal_value(response) if self.function else response

    @property
    def repairable(self) -> Repairable:
        return self

    def evaluator(self, clock: Clock) -> Evaluator:
        return PythonEvaluator(
            self.path,
            self.function,
            self._sandbox,
            source=self.text,
            clock=clock,
            same=self.same,
            feed=self.feed,
            around=self._around,
        )

    def edits(self, hints: Hints) -> Iterator[Candidate]:
        return PythonEdits().candidates(self.text, hints)

    def pairs(self, seeds: Sequence[Candidate], hints: Hints) -> Iterator[Candidate]:
        return PythonPairs(seeds).candidates(self.text, hints)

    def synthesis(
        self, requirements: Sequence[Requirement], hints: Hints, clock: Clock, within: Callable[[], bool]
    ) -> Iterator[Candidate]:
        return iter(())

    def statement_edits(self, weights: Mapping[int, float]) -> GenProgEdits:
        return GenProgEdits(self.text, weights)

    def undefined(self, inputs: Sequence[Input]) -> list[bool]:
        return [False for _ in inputs]

    def close(self) -> None:
        if self._worker is not None:
            self._worker.close()
            self._worker = None
        if self._folder is not None:
            self._folder.cleanup()
            self._folder = None


def shapes_of(node: ast.FunctionDef) -> dict[str, Shape]:
    """What the annotations of the parameters say."""
    arguments = [*node.args.posonlyargs, *node.args.args, *node.args.kwonlyargs]
    return {argument.arg: annotated(argument.annotation) for argument in arguments}


def parse_python(source: bytes, name: str) -> ast.Module:
    try:
        return ast.parse(source, filename=name)
    except (SyntaxError, ValueError, RecursionError, MemoryError) as problem:
        line = f" (line {problem.lineno})" if isinstance(problem, SyntaxError) and problem.lineno else ""
        reason = problem.msg if isinstance(problem, SyntaxError) else str(problem)
        raise BuildError(f"{name} is not valid Python: {reason}{line}") from None


def function_of(tree: ast.Module, function: str, file: str) -> ast.FunctionDef:
    functions = {node.name: node for node in tree.body if isinstance(node, ast.FunctionDef)}
    if function not in functions:
        choices = ", ".join(functions) or "none"
        raise UsageError(f"no function {function} in {file}", f"it defines: {choices}")
    return functions[function]


def parameters_of(node: ast.FunctionDef, file: str) -> dict[str, Kind | None]:
    """Parameter names in order with the type each annotation says, None where it says nothing simple."""
    if node.args.vararg or node.args.kwarg:
        raise UsageError(f"{node.name} in {file} takes a variable number of arguments")
    found: dict[str, Kind | None] = {}
    for argument in [*node.args.posonlyargs, *node.args.args, *node.args.kwonlyargs]:
        note = argument.annotation
        found[argument.arg] = ANNOTATIONS.get(note.id, Kind.ANY) if isinstance(note, ast.Name) else None
    if not found:
        raise UsageError(f"{node.name} in {file} takes no parameters")
    return found


def required_of(node: ast.FunctionDef) -> frozenset[str]:
    """Parameters without a default. (A decorator may give them one, so then none is required.)"""
    if node.decorator_list:
        return frozenset()
    usual = [*node.args.posonlyargs, *node.args.args]
    usual = usual[: len(usual) - len(node.args.defaults)]
    named = [
        argument
        for argument, default in zip(node.args.kwonlyargs, node.args.kw_defaults, strict=True)
        if default is None
    ]
    return frozenset(argument.arg for argument in [*usual, *named])
