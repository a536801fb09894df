"""Compilers, run in the sandbox."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from learn2fix.model import Ending
from learn2fix.sandbox import Sandbox


def compile_c(sandbox: Sandbox, command: Sequence[str], source: bytes, target: Path) -> str | None:
    """Compile `source` into `target`; the compiler's words when it refuses. Libraries stand last."""
    path = target.with_suffix(".c")
    path.write_bytes(source)
    libraries = [flag for flag in command[1:] if flag.startswith("-l")]
    options = [flag for flag in command[1:] if not flag.startswith("-l")]
    argv = [command[0], *options, "-o", target.name, path.name, *libraries]
    outcome = sandbox.compile(argv, cwd=target.parent)
    path.unlink()
    if outcome.ending is Ending.EXITED and outcome.status == 0:
        return None
    return outcome.stderr.decode("utf-8", "replace") or str(outcome.response) or "the compiler failed"
