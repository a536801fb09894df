"""Reading a user's source: every way in which it cannot be read is one clear line."""

from __future__ import annotations

from pathlib import Path

from learn2fix.errors import UsageError

LARGEST_SOURCE = 4 << 20


def read_source(path: Path) -> bytes:
    try:
        if path.is_dir():
            raise UsageError(f"{path} is a folder, not a program")
        if not path.exists():
            raise UsageError(f"no such file: {path}")
        if not path.is_file():
            raise UsageError(f"{path} is not a plain file")
        size = path.stat().st_size
        if size > LARGEST_SOURCE:
            raise UsageError(f"{path} has {size:,} bytes; {LARGEST_SOURCE:,} is the most that is read")
        source = path.read_bytes()
    except (OSError, ValueError) as problem:
        reason = getattr(problem, "strerror", None) or str(problem)
        raise UsageError(f"cannot read {path}: {reason}") from None
    if not source.strip():
        raise UsageError(f"{path} is empty")
    if b"\0" in source:
        raise UsageError(f"{path} is not source text: it contains NUL bytes")
    return source
