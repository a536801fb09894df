"""Any executable: inputs go into its arguments where it has {places}, the rest to stdin."""

from __future__ import annotations

import os
import re
import shutil
from collections.abc import Sequence
from pathlib import Path

from learn2fix.domain import Domain, words_domain
from learn2fix.domain.inputs import write_word
from learn2fix.domain.outputs import same_output
from learn2fix.errors import UsageError
from learn2fix.languages.input_form import as_stdin, input_domain, refuse_form
from learn2fix.languages.protocol import Repairable, RunKind, RunRecipe
from learn2fix.model import Input, Outcome, Response
from learn2fix.sandbox import Limits, Program, Sandbox, Worker

PLACE = re.compile(r"\{([A-Za-z_][A-Za-z_0-9]*)\}")


class ExecutableSubject:
    """A program without source: it can be asked about, not repaired."""

    recipe = RunRecipe(RunKind.COMMAND)
    repairable: Repairable | None = None
    source: Path | None = None
    function: str | None = None

    def __init__(
        self,
        argv: Sequence[str],
        sandbox: Sandbox,
        limits: Limits | None = None,
        tolerance: float | None = None,
    ) -> None:
        found = shutil.which(argv[0]) or (argv[0] if os.path.isfile(argv[0]) else None)
        if found is None:
            raise UsageError(f"no such program: {argv[0]}")
        if not os.access(found, os.X_OK):
            raise UsageError(f"{argv[0]} is not executable", f"chmod +x {argv[0]}")
        self.name = " ".join(argv)
        self._fixed = os.path.abspath(found)
        self._arguments = tuple(argv[1:])
        self._places = tuple(dict.fromkeys(PLACE.findall(" ".join(argv[1:]))))
        self._sandbox, self._limits, self._tolerance = sandbox, limits, tolerance
        self._worker: Worker | None = None

    def domain(self, examples: Sequence[str], form: str | None = None) -> Domain:
        if not self._places:
            return input_domain(examples, None, form)
        refuse_form(form, self.name)
        texts = [self._plain(text) for text in examples]
        count = len(texts[0].split())
        if count < len(self._places):
            raise UsageError(
                f"the input gives {count} values for {', '.join(self._places)}",
                'write it as --failing "3 4" or "a=3, b=4"',
            )
        names = [*self._places, *(f"i{i}" for i in range(len(self._places) + 1, count + 1))]
        return words_domain(texts, names)

    def _plain(self, text: str) -> str:
        """`a=3, b=4` in the order of the places; other texts as they are."""
        pairs = dict(re.findall(r"([A-Za-z_]\w*)\s*=\s*([^\s,]+)", text))
        if not pairs:
            return text
        if set(pairs) != set(self._places):
            wanted = ", ".join(self._places) or "no named inputs"
            raise UsageError(f"the input names {', '.join(pairs)}; the command has {wanted}")
        return " ".join(pairs[name] for name in self._places)

    def stdin(self, given: Input) -> bytes:
        if not self._places:
            return as_stdin(given.text)
        rest = given.values[len(self._places) :]
        return (" ".join(map(write_word, rest)) + "\n").encode("utf-8", "surrogateescape") if rest else b""

    def arguments(self, given: Input) -> tuple[str, ...]:
        words = given.text.split()
        values = dict(zip(self._places, words, strict=False))
        return tuple(PLACE.sub(lambda match: values[match[1]], word) for word in self._arguments)

    def run(self, inputs: Sequence[Input]) -> list[Outcome]:
        if self._worker is None:
            program = Program((self._fixed,), readable=(Path(self._fixed).parent,))
            self._worker = self._sandbox.start(program, self._limits)
        return list(self._worker.run_many(map(self.stdin, inputs), map(self.arguments, inputs)))

    def prove(self, inputs: Sequence[Input], outcomes: Sequence[Outcome]) -> None:
        """Nothing is known of an executable beyond what it prints."""

    def same(self, expected: Response, found: Response) -> bool:
        return same_output(expected, found, self._tolerance)

    def normal(self, response: Response) -> Response:
        return response

    def close(self) -> None:
        if self._worker is not None:
            self._worker.close()
            self._worker = None
