"""A C program, or one function of it behind a generated main()."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from functools import cached_property
from pathlib import Path

from learn2fix.domain import Domain, call_domain, words_domain
from learn2fix.domain.inputs import as_call, read_call, write_word
from learn2fix.errors import BuildError
from learn2fix.languages.c.building import BuildOptions, build_c
from learn2fix.languages.c.harness import (
    RENAMED_MAIN,
    find_function,
    functions_in,
    harness,
)
from learn2fix.languages.c.names import scanned
from learn2fix.languages.files import read_source
from learn2fix.languages.names import missing_arguments
from learn2fix.model import Input, Outcome
from learn2fix.sandbox import Limits, Program, Sandbox, Worker


class CSubject:
    """Built once for each content; runs in one sandboxed worker."""

    language = "c"

    def __init__(
        self,
        path: Path,
        function: str | None,
        sandbox: Sandbox,
        options: BuildOptions | None = None,
        limits: Limits | None = None,
        text: bytes | None = None,
    ) -> None:
        """`text`: run this instead of what the file holds now (a patched version, say)."""
        self.source: Path | None = path
        self.function = function
        self.name = f"{path}:{function}" if function else str(path)
        self.options = options or BuildOptions()
        self.text = read_source(path) if text is None else text
        self._sandbox = sandbox
        self._limits = limits
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
        return CSubject(self._path, self.function, self._sandbox, self.options, self._limits, text)

    def within(self, seconds: float) -> CSubject:
        """The same program, with less time for each run."""
        limits = replace(self._limits or Limits(), seconds=seconds)
        return CSubject(self._path, self.function, self._sandbox, self.options, limits, self.text)

    def domain(self, examples: Sequence[str]) -> Domain:
        if self._declared is None:
            source = self.text.decode("utf-8", "replace")
            return words_domain(examples, scanned(source, len(examples[0].split())))
        names = [parameter.name for parameter in self._declared.parameters]
        kinds = {parameter.name: parameter.kind for parameter in self._declared.parameters}
        for text in examples:
            given = read_call(as_call(text), names)
            if missing := [name for name in names if name not in given]:
                raise missing_arguments(self._declared.name, missing, names, text)
        return call_domain(examples, names, kinds, words=True)

    def stdin(self, given: Input) -> bytes:
        if self._declared is None:
            text = given.text if given.text.endswith("\n") else given.text + "\n"
            return text.encode("utf-8", "surrogateescape")
        return (" ".join(write_word(value) for value in given.values) + "\n").encode()

    @cached_property
    def _program(self) -> Program:
        return Program((str(self.binary),), fork_server=True)

    def run(self, inputs: Sequence[Input]) -> list[Outcome]:
        if self._worker is None:
            self._worker = self._sandbox.start(self._program, self._limits)
        return list(self._worker.run_many(self.stdin(given) for given in inputs))

    def start(self, extra: tuple[str, ...]) -> Worker:
        """The same program, built with further flags, in a worker that the caller closes."""
        return self._sandbox.start(Program((str(self.build(extra)),)), self._limits)

    def close(self) -> None:
        if self._worker is not None:
            self._worker.close()
            self._worker = None
