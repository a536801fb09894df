"""What the sandbox is told: limits and programs."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path


@dataclass(frozen=True, slots=True)
class Limits:
    """What one execution may use. Wall time; the rest in bytes, except processes."""

    seconds: float = 2.0
    memory: int = 1 << 30
    """Address space of each process; 0 for no limit (sanitizers reserve terabytes)."""
    output: int = 1 << 20
    """Of stdout and of stderr each."""
    processes: int = 32
    stack: int = 256 << 20
    file_size: int = 16 << 20


DEFAULT_LIMITS = Limits()
COMPILER_LIMITS = Limits(
    seconds=20.0, memory=2 << 30, output=1 << 20, processes=64, stack=64 << 20, file_size=64 << 20
)


@dataclass(frozen=True, slots=True)
class Program:
    """Something to execute. `argv[0]` is an absolute path."""

    argv: tuple[str, ...]
    readable: tuple[Path, ...] = ()
    """Files and folders beyond the system's that it must read."""
    fork_server: bool = False
    """It may be started once and forked for each input (a plain C program that we compiled)."""
