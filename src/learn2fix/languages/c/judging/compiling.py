"""Compilers, run in the sandbox."""

from __future__ import annotations

import math
import re
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

from learn2fix.languages.c.layout import translation_units
from learn2fix.model import Ending, Outcome
from learn2fix.sandbox import Sandbox
from learn2fix.sandbox.values import COMPILER_LIMITS


class Late(Exception):
    """The deadline came first."""


LIBRARY = re.compile(r"-l|/.*\.(?:a|so)\Z")
"""What stands after the sources."""
COMPILING = 300.0
"""Seconds that a compiler may take, however busy the machine is."""


def compile_c(
    sandbox: Sandbox, command: Sequence[str], source: bytes, target: Path, left: float = math.inf
) -> str | None:
    """Compile `source` into `target`; the compiler's words when it refuses. Libraries stand last.

    Raises Late after `left` seconds.
    """
    sources = write_units(source, target.parent, target.stem)
    libraries = [flag for flag in command[1:] if LIBRARY.match(flag)]
    options = [flag for flag in command[1:] if not LIBRARY.match(flag)]
    argv = [command[0], *options, "-o", target.name, *sources, *libraries]
    outcome = run_compiler(sandbox, argv, target.parent, left)
    for name in sources:
        (target.parent / name).unlink()
    if outcome.ending is Ending.EXITED and outcome.status == 0:
        return None
    return outcome.stderr.decode("utf-8", "replace") or str(outcome.response) or "the compiler failed"


def write_units(text: bytes, folder: Path, stem: str) -> list[str]:
    """The translation units of a text as files; their names."""
    units = translation_units(text)
    names = [f"{stem}.c" if len(units) == 1 else f"{stem}-{number}.c" for number in range(len(units))]
    for name, unit in zip(names, units, strict=True):
        (folder / name).write_bytes(unit)
    return names


def run_compiler(sandbox: Sandbox, argv: Sequence[str], folder: Path, left: float) -> Outcome:
    limits = replace(COMPILER_LIMITS, seconds=min(left, COMPILING))
    outcome = sandbox.compile(argv, cwd=folder, limits=limits)
    if outcome.ending is Ending.TIMEOUT and left <= COMPILING:
        raise Late
    return outcome
