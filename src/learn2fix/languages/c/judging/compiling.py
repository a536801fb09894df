"""Compilers, run in the sandbox."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

from learn2fix.model import Ending, Outcome
from learn2fix.sandbox import Sandbox
from learn2fix.sandbox.values import COMPILER_LIMITS


class Late(Exception):
    """The deadline came first."""


COMPILING = 300.0
"""Seconds that a compiler may take, however busy the machine is."""


def compile_c(
    sandbox: Sandbox, command: Sequence[str], source: bytes, target: Path, left: float = math.inf
) -> str | None:
    """Compile `source` into `target`; the compiler's words when it refuses. Libraries stand last.

    Raises Late after `left` seconds.
    """
    path = target.with_suffix(".c")
    path.write_bytes(source)
    libraries = [flag for flag in command[1:] if flag.startswith("-l")]
    options = [flag for flag in command[1:] if not flag.startswith("-l")]
    argv = [command[0], *options, "-o", target.name, path.name, *libraries]
    outcome = run_compiler(sandbox, argv, target.parent, left)
    path.unlink()
    if outcome.ending is Ending.EXITED and outcome.status == 0:
        return None
    return outcome.stderr.decode("utf-8", "replace") or str(outcome.response) or "the compiler failed"


def run_compiler(sandbox: Sandbox, argv: Sequence[str], folder: Path, left: float) -> Outcome:
    limits = replace(COMPILER_LIMITS, seconds=min(left, COMPILING))
    outcome = sandbox.compile(argv, cwd=folder, limits=limits)
    if outcome.ending is Ending.TIMEOUT and left <= COMPILING:
        raise Late
    return outcome
