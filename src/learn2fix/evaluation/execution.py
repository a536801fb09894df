"""The one place of this package that starts processes: compilers, patched programs, the engine."""

from __future__ import annotations

import os
import signal
import subprocess
import time
from collections.abc import Sequence
from pathlib import Path
from tempfile import TemporaryFile

from learn2fix.model import Ending, Outcome

OUTPUT_LIMIT = 1 << 20


def run(argv: Sequence[str], stdin: bytes, seconds: float) -> Outcome:
    """Run a program to its end or to its limits."""
    started = time.monotonic()
    with (
        TemporaryFile() as given,
        TemporaryFile() as printed,
        TemporaryFile() as err,
    ):
        given.write(stdin)
        given.seek(0)
        process = subprocess.Popen(
            list(argv), stdin=given, stdout=printed, stderr=err, start_new_session=True
        )
        try:
            status = process.wait(seconds)
        except subprocess.TimeoutExpired:
            os.killpg(process.pid, signal.SIGKILL)
            process.wait()
            return Outcome(Ending.TIMEOUT, seconds=time.monotonic() - started)
        printed.seek(0)
        output = printed.read(OUTPUT_LIMIT + 1)
        err.seek(0)
        complaint = err.read(OUTPUT_LIMIT)
    spent = time.monotonic() - started
    if len(output) > OUTPUT_LIMIT:
        return Outcome(Ending.FLOOD, seconds=spent)
    if status < 0:
        return Outcome(Ending.SIGNALLED, output, -status, stderr=complaint, seconds=spent)
    return Outcome(Ending.EXITED, output, status, stderr=complaint, seconds=spent)


def compile_c(command: Sequence[str], source: bytes, target: Path, seconds: float = 20.0) -> str | None:
    """Compile `source` into `target`; the compiler's words when it refuses."""
    path = target.with_suffix(".c")
    path.write_bytes(source)
    argv = [command[0], "-o", str(target), str(path), *command[1:]]
    try:
        done = subprocess.run(
            argv, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, timeout=seconds
        )
    except subprocess.TimeoutExpired:
        return "the compiler took too long"
    finally:
        path.unlink()
    return None if done.returncode == 0 else done.stderr.decode("utf-8", "replace")


def start(argv: Sequence[str]) -> subprocess.Popen[bytes]:
    """A long-lived process that is spoken to over its stdin and stdout."""
    pipe, nothing = subprocess.PIPE, subprocess.DEVNULL
    return subprocess.Popen(list(argv), stdin=pipe, stdout=pipe, stderr=nothing, start_new_session=True)


def complaints(compiler: str, flags: Sequence[str], source: bytes, seconds: float = 60.0) -> str | None:
    """What the user's compiler says against a program; None when it takes it."""
    kept = [flag for flag in flags if not flag.startswith(("-l", "-o"))]
    try:
        done = subprocess.run(
            [compiler, "-fsyntax-only", "-w", *kept, "-x", "c", "-"],
            input=source,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.PIPE,
            timeout=seconds,
        )
    except subprocess.TimeoutExpired:
        return "the compiler took too long"
    return None if done.returncode == 0 else done.stderr.decode("utf-8", "replace")
