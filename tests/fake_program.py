"""A program whose candidates are plain functions: strategies are tested with it, without a compiler."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from learn2fix.conversation.options import Options
from learn2fix.conversation.problem import Problem
from learn2fix.domain import Domain, words_domain
from learn2fix.edits.parts import Part
from learn2fix.edits.protocol import Hints
from learn2fix.errors import BuildError
from learn2fix.events import Emit, ignore
from learn2fix.languages.evaluator import WORK_LIMIT, Clock, Evaluator, Fed, Judgement, as_written, by_answer
from learn2fix.languages.protocol import RunKind, RunRecipe
from learn2fix.model import (
    Answer,
    Candidate,
    Edit,
    Ending,
    Input,
    Label,
    Observation,
    Outcome,
    Requirement,
    Response,
    Verdict,
)

Function = Callable[..., object]
"""What a version of the program prints; an exception is a crash, `...` one that never ends."""

ORIGINAL = b"the original"


def outcome(function: Function, given: Input) -> Outcome:
    try:
        printed = function(*given.values)
    except ArithmeticError as error:
        return Outcome(Ending.RAISED, detail=f"{type(error).__name__}: {error}")
    return Outcome(Ending.TIMEOUT) if printed is ... else Outcome(Ending.EXITED, str(printed).encode())


@dataclass
class FakeEvaluator:
    functions: Mapping[bytes, Function]
    """By the text of the candidate's edit; a text that is not there does not compile."""
    work_of: Callable[[Input], int] = lambda given: 10
    light: int = 1_000
    overhead: int = 0
    candidates: list[Candidate] = field(default_factory=list)
    runs: int = 0

    def _text(self, number: int) -> bytes:
        return self.candidates[number].edits[0].text

    @property
    def uncompilable(self) -> frozenset[int]:
        return frozenset(n for n in range(len(self.candidates)) if self._text(n) not in self.functions)

    def add(self, candidates: Sequence[Candidate]) -> range:
        start = len(self.candidates)
        self.candidates += candidates
        return range(start, len(self.candidates))

    def response(self, number: int, given: Input) -> Response:
        self.runs += 1
        return outcome(self.functions[self._text(number)], given).response

    def judge(
        self,
        requirements: Sequence[Requirement],
        among: Iterable[int] | None = None,
        *,
        deadline: float | None = None,
        emit: Emit = ignore,
    ) -> Judgement:
        ids = list(range(len(self.candidates)) if among is None else among)
        alive = [number for number in ids if number not in self.uncompilable]
        for requirement in requirements:
            alive = [n for n in alive if requirement.met_by(self.response(n, requirement.input))]
        return Judgement(tuple(alive), len(ids), True, len(ids) * len(requirements))

    def outputs(
        self, inputs: Sequence[Input], among: Iterable[int], *, deadline: float | None = None
    ) -> list[dict[Response, tuple[int, ...]]]:
        ids = [number for number in among if number not in self.uncompilable]
        return [by_answer((number, self.response(number, given)) for number in ids) for given in inputs]

    def original(self, inputs: Sequence[Input]) -> list[Response]:
        return [outcome(self.functions[ORIGINAL], given).response for given in inputs]

    def coverage(self, inputs: Sequence[Input]) -> list[dict[int, int]]:
        return [{1: self.work_of(given)} for given in inputs]

    def statements(self, inputs: Sequence[Input]) -> list[list[int]]:
        return [[self.work_of(given)] for given in inputs]

    def work(self, inputs: Sequence[Input], limit: int = WORK_LIMIT) -> list[int]:
        return [min(limit, self.work_of(given)) for given in inputs]

    def close(self) -> None:
        pass


@dataclass
class FakeProgram:
    """Candidates in the order given, each a little costlier than the one before."""

    original: Function
    fixes: Mapping[str, Function]
    work_of: Callable[[Input], int] = lambda given: 10
    text: bytes = b""
    suffix: str = ".fake"
    parts: Sequence[Part] = ()
    suspects: Sequence[int] = ()
    digits: int = 9
    name: str = "fake"
    source: Path | None = None
    function: str | None = None
    notes: Sequence[str] = ()
    recipe: RunRecipe = field(default_factory=lambda: RunRecipe(RunKind.COMMAND))
    made: list[FakeEvaluator] = field(default_factory=list)

    @property
    def repairable(self) -> FakeProgram:
        return self

    def domain(self, examples: Sequence[str]) -> Domain:
        return words_domain(examples, ["a", "b", "c"][: len(examples[0].split())])

    def feed(self, given: Input) -> Fed:
        return as_written(given)

    def run(self, inputs: Sequence[Input]) -> list[Outcome]:
        version = self.fixes[self.text.decode()] if self.text else self.original
        return [outcome(version, given) for given in inputs]

    def prove(self, inputs: Sequence[Input], outcomes: Sequence[Outcome]) -> None:
        pass

    def same(self, expected: Response, found: Response) -> bool:
        return expected == found

    def normal(self, response: Response) -> Response:
        return response

    def deliberate(self, outcome: Outcome) -> bool:
        return False

    def patched(self, text: bytes) -> FakeProgram:
        if text.decode() not in self.fixes:
            raise BuildError("it does not compile")
        return FakeProgram(self.original, self.fixes, text=text)

    def evaluator(self, clock: Clock) -> Evaluator:
        functions = {name.encode(): fix for name, fix in self.fixes.items()}
        made = FakeEvaluator({ORIGINAL: self.original, **functions}, self.work_of)
        self.made.append(made)
        return made

    def edits(self, hints: Hints) -> Iterator[Candidate]:
        for place, name in enumerate(self.fixes):
            yield Candidate((Edit(0, 0, name.encode()),), "fake", 1 + place / 10)

    def pairs(
        self, seeds: Sequence[Candidate], hints: Hints, partners: Sequence[Candidate] | None = None
    ) -> Iterator[Candidate]:
        return iter(())

    def synthesis(
        self, requirements: Sequence[Requirement], hints: Hints, clock: Clock, within: Callable[[], bool]
    ) -> Iterator[Candidate]:
        return iter(())

    def statement_edits(self, weights: Mapping[int, float]) -> None:
        return None

    def completed(self, candidate: Candidate) -> Candidate:
        return candidate

    def undefined(self, inputs: Sequence[Input]) -> list[bool]:
        return [False for _ in inputs]

    def meaning(self, text: bytes) -> None:
        return None

    def held(self, given: Input) -> Mapping[tuple[str, str], str]:
        return {("", "version"): self.text.decode() or "the original"}

    def mistakes(self) -> Iterator[Candidate]:
        return iter(())

    def close(self) -> None:
        pass


def problem_of(
    program: FakeProgram,
    failing: str,
    expected: str | None = None,
    *,
    clock: Clock = time.monotonic,
    timeout: float = 1e9,
    emit: Emit = ignore,
    **options: object,
) -> Problem:
    domain = program.domain([failing])
    given = domain.parse(failing)
    observation = Observation(given, program.run([given])[0])
    known = (Label(observation, Answer(Verdict.BUG, expected)),)
    end = clock() + timeout
    return Problem(
        program,
        domain.with_output(observation.outcome),
        Options(seed=1, **options),  # type: ignore[arg-type]
        known,
        clock,
        end,
        end,
        emit,
    )


def said(text: str) -> Response:
    return Response.read(text)


def given_input(*values: int) -> Input:
    return Input(" ".join(map(str, values)), values)


def observed(*values: int) -> Observation:
    given = given_input(*values)
    return Observation(given, outcome(lambda a, b: a, given))
