"""Imported by a script ahead of its own first statement: from then on each read of its input is recorded.

Records (languages/records.py) go to what was standard error, a line each, as they happen. A place is

    P KIND WIDTH FUNCTION:OFFSET:FILE:LINE:COLUMN,…

with the calls that are under way, innermost first. FILE is `main` for the script itself.
"""

from __future__ import annotations

import builtins
import io
import os
import sys

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from types import CodeType, FrameType
    from typing import Any

    Call = tuple[CodeType, int]

CHANNEL = 190
MOST_READS, MOST_MISSED, DEEPEST = 20_000, 1_000, 1_000
LIBRARY = os.path.dirname(os.path.abspath(os.__file__))


class Recorder:
    """The input, how much of it was read, and by whom."""

    def __init__(self, data: bytes) -> None:
        self.data, self.position = data, 0
        self._places: dict[tuple[str, int, tuple[Call, ...]], int] = {}
        self._reads = self._missed = 0

    def line(self, size: int | None) -> bytes:
        """Up to and including the end of the line, or `size` bytes."""
        start, limit = self.position, -1 if size is None else size
        after = self.data.find(b"\n", start) + 1 or len(self.data)
        if 0 <= limit < after - start:
            after = start + limit
        line = self.data[start:after]
        self.position = after
        self.record("l", limit, start, after - line.endswith(b"\n"), after > start or limit == 0)
        return line

    def take(self, size: int | None) -> bytes:
        start, limit = self.position, -1 if size is None else size
        end = len(self.data) if limit < 0 else min(len(self.data), start + limit)
        self.position = end
        self.record("b", limit, start, end, end > start or limit == 0)
        return self.data[start:end]

    def record(self, kind: str, width: int, start: int, end: int, found: bool) -> None:
        self._missed = 0 if found else self._missed + 1
        self._reads += 1
        if self._reads > MOST_READS or self._missed > MOST_MISSED:
            send("C")
            os._exit(0)
        calls = under_way()
        key = kind, width, tuple((frame.f_code, frame.f_lasti) for frame in calls)
        if key not in self._places:
            self._places[key] = len(self._places)
            send(f"P {kind} {max(width, 0)} {','.join(map(shown, calls))}")
        send(f"{self._places[key]} {start} {end}{'' if found else ' !'}")


def send(line: str) -> None:
    data = line.replace("\n", "?").encode("utf-8", "surrogateescape") + b"\n"
    while data:
        data = data[os.write(CHANNEL, data) :]


def under_way() -> list[FrameType]:
    """The calls in the user's code, innermost first; what recursion adds is left out."""
    main = sys.modules["__main__"].__dict__
    frames: list[FrameType] = []
    frame: FrameType | None = sys._getframe(1)
    while frame is not None and len(frames) < DEEPEST:
        code = frame.f_code
        if users(code.co_filename):
            frames.append(frame)
        if code.co_name == "<module>" and frame.f_globals is main:
            break
        frame = frame.f_back
    kept: list[FrameType] = []
    while frames:
        kept.append(frames[0])
        last = max(i for i, frame in enumerate(frames) if frame.f_code is kept[-1].f_code)
        frames = frames[last + 1 :]
    return kept


def users(file: str) -> bool:
    library = file.startswith((LIBRARY, "<frozen")) or "site-packages" in file or "dist-packages" in file
    return not library and file != __file__


def shown(frame: FrameType) -> str:
    code, line, column = frame.f_code, frame.f_lineno, -1
    if hasattr(code, "co_positions"):
        for number, (at, _, start, _) in enumerate(code.co_positions()):
            if number == frame.f_lasti // 2 and at is not None and start is not None:
                line, column = at, start
                break
    file = "main" if frame.f_globals is sys.modules["__main__"].__dict__ else "other"
    return f"{code.co_name}:{frame.f_lasti}:{file}:{line}:{column}"


class Binary(io.BufferedIOBase):
    name, mode = "<stdin>", "rb"

    def __init__(self, recorder: Recorder) -> None:
        self._recorder = recorder

    def readable(self) -> bool:
        return True

    def fileno(self) -> int:
        return 0

    def read(self, size: int | None = -1, /) -> bytes:
        return self._recorder.take(size)

    def read1(self, size: int = -1, /) -> bytes:
        return self._recorder.take(size)

    def peek(self, size: int = 0, /) -> bytes:
        return self._recorder.data[self._recorder.position :]

    def readline(self, size: int | None = -1, /) -> bytes:
        return self._recorder.line(size)


class Text(io.TextIOBase):
    name, mode, encoding, errors, newlines = "<stdin>", "r", "utf-8", "surrogateescape", None

    def __init__(self, recorder: Recorder) -> None:
        self._recorder = recorder
        self.buffer = Binary(recorder)

    def readable(self) -> bool:
        return True

    def fileno(self) -> int:
        return 0

    def reconfigure(self, **options: object) -> None:
        """What can be set concerns encodings and line ends."""

    def read(self, size: int | None = -1, /) -> str:
        if size is not None and size > 0:  # characters, not bytes
            left = self._recorder.data[self._recorder.position :].decode("utf-8", "surrogateescape")
            size = len(left[:size].encode("utf-8", "surrogateescape")) or size
        return self._recorder.take(size).decode("utf-8", "surrogateescape")

    def readline(self, size: int | None = -1, /) -> str:  # type: ignore[override]
        return self._recorder.line(size).decode("utf-8", "surrogateescape")


def opening(real: Callable[..., Any], stdin: Text) -> Callable[..., Any]:
    """open() that knows the input by its number, and tells which files are opened for reading."""

    def open(file: Any, mode: str = "r", *more: Any, **named: Any) -> Any:
        if file == 0 and not isinstance(file, bool):
            return stdin.buffer if "b" in mode else stdin
        if not isinstance(file, int) and ("r" in mode or "+" in mode):
            send(f"O {os.fsdecode(file)}")
        return real(file, mode, *more, **named)

    return open


def reading(real: Callable[[int, int], bytes], recorder: Recorder) -> Callable[[int, int], bytes]:
    def read(fd: int, length: int, /) -> bytes:
        return recorder.take(length) if fd == 0 else real(fd, length)

    return read


def begin() -> None:
    os.dup2(2, CHANNEL, inheritable=False)
    nowhere = os.open(os.devnull, os.O_WRONLY)
    os.dup2(nowhere, 2)
    os.close(nowhere)
    parts = []
    while part := os.read(0, 1 << 16):
        parts.append(part)
    recorder = Recorder(b"".join(parts))
    sys.stdin = sys.__stdin__ = stdin = Text(recorder)  # type: ignore[misc,assignment]
    io.open = builtins.open = opening(builtins.open, stdin)
    os.read = reading(os.read, recorder)
    send("F ")


begin()
