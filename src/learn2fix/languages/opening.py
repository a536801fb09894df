"""From PROGRAM on the command line to a subject."""

from __future__ import annotations

import os
import re
from collections.abc import Sequence
from pathlib import Path

from learn2fix.errors import UsageError
from learn2fix.languages.arguments import Arguments
from learn2fix.languages.executable.subject import ExecutableSubject
from learn2fix.languages.protocol import Subject
from learn2fix.sandbox import NO_SURROUNDINGS, Sandbox, Surroundings

FUNCTION = re.compile(r"(?P<file>.*\.(?:c|py)):(?P<function>[A-Za-z_]\w*(?:\.[A-Za-z_]\w*)?)\Z", re.DOTALL)


def open_subject(
    program: str | Sequence[str],
    sandbox: Sandbox,
    *,
    build: str | None = None,
    cflags: str | None = None,
    tolerance: float | None = None,
    around: Surroundings = NO_SURROUNDINGS,
    only: Sequence[str] = (),
    run: str | None = None,
    python: str | None = None,
    check: str | None = None,
) -> Subject:
    """`triangle.c`, `triangle.c:classify`, `shop.py:discount`, `script.py`, or a command in words.

    The words after a whole program are its arguments, with {places} for values of the input.
    `build` and `run`: a project, built by the one and run by the other, in words; without `run`, a folder.
    `only`: the files of the program that may be changed; none for all.
    `tolerance`: within which numbers with a fraction are the same; None for what its own format can show.
    `check`: of a project, a command that fails because of the bug: it must pass with a patch.
    `python`: the interpreter that runs a Python program; None for ours.
    """
    program, *words = [program] if isinstance(program, str) else [*program, *([] if program else [""])]
    arguments = Arguments(words)
    if arguments.places and around.input_file:
        raise UsageError(
            f"the input cannot be both in the arguments and in {around.input_file}", "leave one of them out"
        )
    if run is not None or os.path.isdir(program):
        from learn2fix.languages.c.opening import open_project

        folder = Path.cwd() if run is not None else Path(program)
        return open_project(
            folder,
            program if run is not None else "",
            sandbox,
            build=build,
            only=only,
            check=check,
            tolerance=tolerance,
            arguments=arguments,
            around=around,
        )
    match = FUNCTION.match(program)
    path, function = (Path(match["file"]), match["function"]) if match else (Path(program), None)
    if function is not None and (words or around != NO_SURROUNDINGS):
        raise UsageError(
            f"{program} is a function: the input is what it is called with",
            "arguments, --file and --env are for whole programs",
        )
    # Imported on demand: each language takes as long to load as everything else together.
    if path.suffix == ".c" and python is None:
        from learn2fix.languages.c.opening import open_c

        return open_c(
            path,
            function,
            sandbox,
            build=build,
            cflags=cflags,
            only=only,
            tolerance=tolerance,
            arguments=arguments,
            around=around,
        )
    if only:
        raise UsageError(f"--only is about C programs, not {program}", "leave it out")
    if path.suffix == ".py":
        from learn2fix.languages.python.subject import PythonSubject

        return PythonSubject(
            path,
            function,
            sandbox,
            tolerance=tolerance,
            arguments=arguments,
            around=around,
            python=python,
        )
    if python is not None:
        raise UsageError(f"{program} is no Python program", "leave out --python")
    if not program:
        raise UsageError("no program given", "learn2fix fix triangle.c --failing '2 2 2'")
    return ExecutableSubject([program, *words], sandbox, tolerance=tolerance, around=around)
