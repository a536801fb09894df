"""The programs of a subject, opened for an experiment."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import ExitStack, closing
from dataclasses import replace
from pathlib import Path
from typing import Any

from learn2fix.domain import Domain
from learn2fix.errors import UsageError
from learn2fix.experiments.subjects import FolderSubject, Source
from learn2fix.languages.opening import open_subject
from learn2fix.languages.protocol import Subject
from learn2fix.model import Input, Outcome, Response, Same
from learn2fix.sandbox import Limits, Sandbox, Surroundings

FRESH_MEMORY = "-ftrivial-auto-var-init="
MEASURING_LIMITS = Limits(seconds=1.0)
"""Of programs that answer and that are measured; a session has limits of its own."""


def placed(subject: FolderSubject, source: Source, folder: Path) -> Path:
    """Writes the program and the files it needs into a folder of their own."""
    folder.mkdir(parents=True, exist_ok=True)
    for each in (*subject.extra, source):
        path = folder / each.name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(each.content)
    return folder / source.name


def named(subject: FolderSubject, path: Path) -> tuple[str, ...]:
    return (f"{path}:{subject.function}" if subject.function else str(path), *subject.arguments)


def file_options(subject: FolderSubject) -> dict[str, Any]:
    """The options of a session about a program that reads a file."""
    name = subject.input_file
    return {"files": ((name, ""),), "form": f"{name}:"} if name else {}


def open_source(subject: FolderSubject, source: Source, folder: Path, sandbox: Sandbox) -> Subject:
    program = named(subject, placed(subject, source, folder))
    around = Surroundings(input_file=subject.input_file)
    return open_subject(program, sandbox, build=subject.build, cflags=subject.cflags, around=around)


def parsed(domain: Domain, text: str) -> Input:
    """An input of another shape still has a text, which is all that a program reads."""
    try:
        return domain.parse(text)
    except UsageError:
        return Input(text)


def has_form(domain: Domain, given: Input) -> bool:
    return bool(parsed(domain, given.text).values)


class GoldenProgram:
    """The golden program, run once per input. Nothing but its output is ever read."""

    def __init__(self, subject: Subject, refilled: Subject | None = None) -> None:
        """`refilled`: the same program, built with other fresh memory; its answers are then checked."""
        self._subject, self._refilled = subject, refilled
        self.same: Same = subject.same
        self.deliberate = subject.deliberate
        self._known: dict[str, Outcome] = {}
        self._checked: dict[str, bool] = {}
        self._checks_bounds = refilled is not None

    @classmethod
    def open(cls, subject: FolderSubject, folder: Path, sandbox: Sandbox, checked: bool) -> GoldenProgram:
        """`checked`: there is no right answer where the program does what its language leaves undefined."""
        with ExitStack() as stack:
            program = stack.enter_context(closing(open_source(subject, subject.golden, folder, sandbox)))
            if not checked:
                stack.pop_all()
                return cls(program)
            cflags = subject.cflags or ""
            fill = "zero" if cflags.endswith("pattern") else "pattern"
            other = replace(subject, cflags=f"{cflags} {FRESH_MEMORY}{fill}")
            refilled = stack.enter_context(closing(open_source(other, subject.golden, folder, sandbox)))
            golden = cls(program, refilled)
            texts = [test.input for test in subject.training]
            if subject.function or subject.arguments:
                domain = program.domain(texts[:1] or subject.failing[:1])
                golden.accept([parsed(domain, text) for text in texts])
            else:
                golden.accept([Input(text) for text in texts])
            stack.pop_all()
            return golden

    def accept(self, inputs: Sequence[Input]) -> None:
        """These make sense: a program that goes out of bounds there does so without harm elsewhere too."""
        repairable = self._subject.repairable
        self._checks_bounds = repairable is not None and not any(repairable.undefined(inputs))

    def run(self, given: Input) -> Outcome:
        return self.run_all([given])[0]

    def run_all(self, inputs: Sequence[Input]) -> list[Outcome]:
        new = {given.text: given for given in inputs if given.text not in self._known}
        outcomes = self._subject.run(list(new.values()))
        self._known.update(zip(new, outcomes, strict=True))
        return [self._known[given.text] for given in inputs]

    def answers(self, inputs: Sequence[Input]) -> list[Response | None]:
        """None where it crashes, hangs, prints nothing or is undefined: there is no right answer."""
        return [
            outcome.response
            if (outcome.answered or self.deliberate(outcome)) and not self.undefined(given)
            else None
            for given, outcome in zip(inputs, self.run_all(inputs), strict=True)
        ]

    def undefined(self, given: Input) -> bool:
        """Whether it goes out of bounds or prints what was never set; False where answers are not checked."""
        if given.text not in self._checked:
            odd = self.reads_unset([given])
            if not odd and self._checks_bounds and self._subject.repairable is not None:
                odd = self._subject.repairable.undefined([given])[0]
            self._checked[given.text] = odd
        return self._checked[given.text]

    def reads_unset(self, inputs: Sequence[Input]) -> bool:
        """Whether what it prints for any of these depends on what fresh memory holds."""
        return self._refilled is not None and not _alike(self.run_all(inputs), self._refilled.run(inputs))

    def repeats(self, inputs: Sequence[Input]) -> bool:
        """Whether a second run of each input prints the same."""
        return _alike(self.run_all(inputs), self._subject.run(inputs))

    def domain(self, examples: Sequence[str]) -> Domain:
        return self._subject.domain(examples)

    def close(self) -> None:
        self._subject.close()
        if self._refilled is not None:
            self._refilled.close()


def _alike(first: Sequence[Outcome], second: Sequence[Outcome]) -> bool:
    return all(a.response == b.response for a, b in zip(first, second, strict=True))
