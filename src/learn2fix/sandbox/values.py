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
class Surroundings:
    """What a program finds besides its input, the same for every run."""

    files: tuple[tuple[str, bytes], ...] = ()
    """Names and contents of files in its working directory."""
    variables: tuple[tuple[str, str], ...] = ()
    """Environment variables beyond those that every program gets."""
    input_file: str = ""
    """The file in its working directory that holds the input; empty for standard input."""

    @property
    def environment(self) -> dict[str, str]:
        return dict(self.variables)

    @property
    def items(self) -> list[tuple[str, str | bytes]]:
        """What the runner is told of the files."""
        named = [item for name, content in self.files for item in (("n", name), ("c", content))]
        return [*named, *([("i", self.input_file)] if self.input_file else [])]


NO_SURROUNDINGS = Surroundings()


@dataclass(frozen=True, slots=True)
class Program:
    """Something to execute. `argv[0]` is an absolute path."""

    argv: tuple[str, ...]
    readable: tuple[Path, ...] = ()
    """Files and folders beyond the system's that it must read."""
    fork_server: bool = False
    """It may be started once and forked for each input (a plain C program that we compiled)."""
    around: Surroundings = NO_SURROUNDINGS
