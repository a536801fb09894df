"""From PROGRAM on the command line to a subject."""

from __future__ import annotations

import re
from collections.abc import Sequence
from pathlib import Path

from learn2fix.errors import UsageError
from learn2fix.languages.executable.subject import ExecutableSubject
from learn2fix.languages.protocol import Subject
from learn2fix.sandbox import Limits, Sandbox

FUNCTION = re.compile(r"(?P<file>.*\.(?:c|py)):(?P<function>[A-Za-z_][A-Za-z_0-9]*)\Z", re.DOTALL)


def open_subject(
    program: str | Sequence[str],
    sandbox: Sandbox,
    *,
    build: str | None = None,
    cflags: str | None = None,
    limits: Limits | None = None,
    tolerance: float | None = None,
) -> Subject:
    """`triangle.c`, `triangle.c:classify`, `shop.py:discount`, `script.py`, or a command in words.

    `tolerance`: within which numbers with a fraction are the same; None for what its own format can show.
    """
    if not isinstance(program, str):
        words = list(program)
        if not words:
            raise UsageError("no program given", "learn2fix fix triangle.c --failing '2 2 2'")
        if len(words) > 1:
            return ExecutableSubject(words, sandbox, limits, tolerance)
        program = words[0]
    match = FUNCTION.match(program)
    path, function = (Path(match["file"]), match["function"]) if match else (Path(program), None)
    # Imported on demand: each language takes as long to load as everything else together.
    if path.suffix == ".c":
        from learn2fix.languages.c.building import BuildOptions
        from learn2fix.languages.c.subject import CSubject

        options = BuildOptions.parse(build, cflags)
        return CSubject(path, function, sandbox, options, limits, tolerance=tolerance)
    if path.suffix == ".py":
        from learn2fix.languages.python.subject import PythonSubject

        return PythonSubject(path, function, sandbox, limits, tolerance=tolerance)
    if not program:
        raise UsageError("no program given", "learn2fix fix triangle.c --failing '2 2 2'")
    return ExecutableSubject([program], sandbox, limits, tolerance)
