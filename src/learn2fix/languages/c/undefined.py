"""Inputs on which a C program does what C leaves undefined: what it prints there teaches little.

Overflow of signed numbers is left out: it is often the very bug that somebody reports.
"""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import ExitStack
from typing import Protocol

from learn2fix.errors import BuildError
from learn2fix.languages.c.building import BuildOptions
from learn2fix.model import Input, Outcome
from learn2fix.sandbox import Worker

CHECKS = (
    "-fsanitize=undefined",
    "-fno-sanitize=signed-integer-overflow,float-cast-overflow,alignment,vptr",
    "-fsanitize-undefined-trap-on-error",
)
"""Traps, not messages: these need no runtime library and no memory of their own."""
PLAIN = ("-O0",)
"""What lies beside what: a program that keeps the rules does not know."""
FILLED = ("-ftrivial-auto-var-init=zero", "-ftrivial-auto-var-init=pattern")


class Checked(Protocol):
    """A program that can be built with checks."""

    @property
    def options(self) -> BuildOptions: ...
    def run(self, inputs: Sequence[Input]) -> list[Outcome]: ...
    def run_on(self, worker: Worker, given: Input) -> Outcome: ...
    def start(self, extra: tuple[str, ...]) -> Worker: ...


class Undefined:
    """Built when first asked; a compiler that does not know the options complains about nothing."""

    def __init__(self, subject: Checked) -> None:
        self._subject = subject
        self._open = ExitStack()
        self._known: dict[str, bool] = {}
        self._built = False
        self._checked: Worker | None = None
        self._filled: list[Worker] = []

    def complains(self, inputs: Sequence[Input]) -> list[bool]:
        """Whether the program goes out of bounds, divides by zero or reads what was never set."""
        if not self._built:
            self._built = True
            self._checked = self._start(CHECKS)
            filled = [] if self._subject.options.fixes_fresh_memory else [self._start((f,)) for f in FILLED]
            self._filled = [worker for worker in (self._start(PLAIN), *filled) if worker is not None]
        for given in inputs:
            if given.text not in self._known:
                self._known[given.text] = self._odd(given)
        return [self._known[given.text] for given in inputs]

    def _odd(self, given: Input) -> bool:
        plain = self._subject.run([given])[0].response
        workers = [*([self._checked] if self._checked is not None else []), *self._filled]
        return any(self._subject.run_on(worker, given).response != plain for worker in workers)

    def _start(self, flags: tuple[str, ...]) -> Worker | None:
        try:
            return self._open.enter_context(self._subject.start(flags))
        except BuildError:
            return None

    def close(self) -> None:
        self._open.close()
