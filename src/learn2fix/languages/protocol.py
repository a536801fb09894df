"""What every language offers: a program that can be run and, where its source is known, repaired.

A new language is a folder beside this file whose classes pass tests/language_conformance.py; nothing above
`languages` knows which one it is (docs/languages.md).
"""

from __future__ import annotations

import random
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from pathlib import Path
from typing import Protocol

from learn2fix.domain import Domain
from learn2fix.edits.parts import Part
from learn2fix.edits.protocol import Hints
from learn2fix.languages.evaluator import Clock, Evaluator, Fed
from learn2fix.languages.symbolic import Meaning
from learn2fix.languages.watching import Held
from learn2fix.model import Candidate, Input, Outcome, Requirement, Response
from learn2fix.sandbox import NO_SURROUNDINGS, Surroundings


class RunKind(StrEnum):
    """How a test of another tool runs a program."""

    BUILT = "built"
    """Compiled, then given its input on stdin."""
    FUNCTION = "function"
    """A Python function that is called."""
    SCRIPT = "script"
    """Run by the Python interpreter, with its input on stdin."""
    COMMAND = "command"
    """Any command, with values in its arguments."""


@dataclass(frozen=True, slots=True)
class RunRecipe:
    """Everything that a test of another tool needs to run a program."""

    kind: RunKind
    function: str = ""
    build: tuple[str, ...] = ()
    """The words of the compiler, with {source} and {output}."""
    harness: str = ""
    """Text that is appended to the source: the generated main() of a function."""
    command: str = ""
    """The path of an executable."""
    around: Surroundings = NO_SURROUNDINGS
    """Files, environment variables, and whether the input is a file."""
    lazy: bool = False
    """The function gives an iterator or a coroutine."""


@dataclass(frozen=True, slots=True)
class Proof:
    """What is known of an input before anything is asked."""

    input: Input
    outcome: Outcome
    steady: bool
    """Every run ended alike."""
    expected: Response | None = None
    """What is right, where somebody said so."""


class Subject(Protocol):
    """A program, opened and built. It is closed after use."""

    @property
    def name(self) -> str:
        """The program as the user wrote it."""

    @property
    def source(self) -> Path | None:
        """The user's file, None for an executable without source."""

    @property
    def function(self) -> str | None:
        """The function that is called, None for a whole program."""

    @property
    def recipe(self) -> RunRecipe: ...

    @property
    def repairable(self) -> Repairable | None:
        """The same program with all that repair needs, None where its source is not known."""

    def domain(self, examples: Sequence[str], form: str | None = None) -> Domain:
        """The inputs, named and typed, from the program's declaration and example inputs.

        `form`: how they are laid out, where the user says it.
        """

    @property
    def notes(self) -> Sequence[str]:
        """What the user should know of how it reads its input, in sentences; complete after `domain`."""

    def feed(self, given: Input) -> Fed:
        """What the process really gets for this input."""

    def run(self, inputs: Sequence[Input]) -> list[Outcome]:
        """One outcome an input, in order."""

    def prove(self, runs: Sequence[Proof]) -> bool:
        """Whether the outcomes depend on something that has now been fixed, so that they must be had anew."""

    @property
    def proved_by_choice(self) -> bool:
        """Whether `prove` had to choose what the outcomes depend on; what is right would choose better."""

    def same(self, expected: Response, found: Response) -> bool:
        """Whether `found` is what somebody meant who expected the other."""

    def normal(self, response: Response) -> Response:
        """A form to group responses by: those with an equal one are the same."""

    def deliberate(self, outcome: Outcome) -> bool:
        """Whether the program ends so on purpose although it answers nothing: its own code raises that."""

    def close(self) -> None:
        """End what runs for it."""


class Repairable(Subject, Protocol):
    """A program whose source is known."""

    @property
    def text(self) -> bytes:
        """The source that edits apply to."""

    @property
    def parts(self) -> Sequence[Part]:
        """The files that the text is made of, with absolute paths; nothing for a text that is one file."""

    @property
    def suspects(self) -> Collection[int]:
        """Lines of the text, from 1, where a failing run was seen to go wrong; known after `prove`."""

    @property
    def suffix(self) -> str:
        """How the names of source files end."""

    @property
    def digits(self) -> int | None:
        """Maximum number of digits of whole numbers that fit into what the program declares; None for any."""

    def patched(self, text: bytes) -> Repairable:
        """The same program with another source; BuildError when it does not compile."""

    def evaluator(self, clock: Clock) -> Evaluator:
        """Judges candidates of this program; the caller closes it."""

    def edits(self, hints: Hints) -> Iterator[Candidate]:
        """Single edits, the most plausible first."""

    def pairs(
        self, seeds: Sequence[Candidate], hints: Hints, partners: Sequence[Candidate] | None = None
    ) -> Iterator[Candidate]:
        """Two edits at once, led by single ones that came near; with these partners only, where given."""

    def synthesis(
        self, requirements: Sequence[Requirement], hints: Hints, clock: Clock, within: Callable[[], bool]
    ) -> Iterator[Candidate]:
        """Expressions made from the values that they must have; nothing where a language has no synthesis."""

    def statement_edits(self, weights: Mapping[int, float]) -> StatementEdits | None:
        """GenProg's edits of statements, with weights by line; None where a language has none."""

    def completed(self, candidate: Candidate) -> Candidate:
        """The candidate with what its new names need elsewhere in the file, such as a header."""

    def undefined(self, inputs: Sequence[Input]) -> list[bool]:
        """For each input, whether the program does there what its language leaves undefined."""

    def meaning(self, text: bytes) -> Meaning | None:
        """The program with this source as statements that can be solved for; None where it cannot be read."""

    def held(self, given: Input) -> Held:
        """What its variables held at last in a run on this input; nothing where that cannot be seen."""

    def mistakes(self) -> Iterator[Candidate]:
        """Ways to get this program wrong, for experiments with bugs of our own; `kind` names the mistake."""


class StatementEdits(Protocol):
    """The operators of GenProg: all single edits, and what its genetic search needs."""

    def all_edits(self) -> Iterator[Candidate]:
        """Deletions, then appended copies, then swaps; of each, those at the heaviest place first."""

    def random_edit(self, rng: random.Random) -> Candidate | None: ...
    def mutate(self, candidate: Candidate, rng: random.Random) -> Candidate: ...
    def crossover(
        self, first: Candidate, second: Candidate, rng: random.Random
    ) -> tuple[Candidate, Candidate]: ...
