"""Any executable: inputs go into its arguments where it has {places}, the rest to stdin."""

from __future__ import annotations

import os
import shutil
from collections.abc import Sequence
from pathlib import Path

from learn2fix.domain import Domain
from learn2fix.domain.outputs import same_output
from learn2fix.errors import UsageError
from learn2fix.languages.arguments import Arguments
from learn2fix.languages.evaluator import Fed
from learn2fix.languages.input_form import input_domain, refuse_form
from learn2fix.languages.protocol import Proof, Repairable, RunKind, RunRecipe
from learn2fix.model import Input, Outcome, Response
from learn2fix.sandbox import NO_SURROUNDINGS, Program, Sandbox, Surroundings, Worker


class ExecutableSubject:
    """A program without source: it can be asked about, not repaired."""

    repairable: Repairable | None = None
    source: Path | None = None
    function: str | None = None
    notes: Sequence[str] = ()

    def __init__(
        self,
        argv: Sequence[str],
        sandbox: Sandbox,
        tolerance: float | None = None,
        around: Surroundings = NO_SURROUNDINGS,
    ) -> None:
        found = shutil.which(argv[0]) or (argv[0] if os.path.isfile(argv[0]) else None)
        if found is None:
            raise UsageError(f"no such program: {argv[0]}")
        if not os.access(found, os.X_OK):
            raise UsageError(f"{argv[0]} is not executable", f"chmod +x {argv[0]}")
        self.name = " ".join(argv)
        self._path = os.path.abspath(found)
        self._arguments = Arguments(argv[1:])
        self._sandbox = sandbox
        self._tolerance, self._around = tolerance, around
        self._worker: Worker | None = None

    def domain(self, examples: Sequence[str], form: str | None = None) -> Domain:
        if not self._arguments.places:
            return input_domain(examples, None, form)
        refuse_form(form, self.name)
        return self._arguments.domain(examples)

    def feed(self, given: Input) -> Fed:
        return self._arguments.feed(given)

    @property
    def recipe(self) -> RunRecipe:
        return RunRecipe(RunKind.COMMAND, command=self._path, around=self._around)

    def run(self, inputs: Sequence[Input]) -> list[Outcome]:
        if self._worker is None:
            program = Program((self._path,), around=self._around)
            self._worker = self._sandbox.start(program)
        fed = list(map(self.feed, inputs))
        return list(self._worker.run_many((each.data for each in fed), (each.arguments for each in fed)))

    def prove(self, runs: Sequence[Proof]) -> bool:
        """Nothing is known of an executable beyond what it prints."""
        return False

    @property
    def proved_by_choice(self) -> bool:
        return False

    def same(self, expected: Response, found: Response) -> bool:
        return same_output(expected, found, self._tolerance)

    def normal(self, response: Response) -> Response:
        return response

    def deliberate(self, outcome: Outcome) -> bool:
        return False

    def close(self) -> None:
        if self._worker is not None:
            self._worker.close()
            self._worker = None
