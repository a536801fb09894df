"""The bytes between us and the runner: a configuration, then requests and results."""

from __future__ import annotations

import os
import struct
import time
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from learn2fix.model import Ending, Outcome
from learn2fix.sandbox.link import Link, Lost

REQUEST = struct.Struct("=III")
RESULT = struct.Struct("=IiQQIII4s")
MARK = b"L2F="
"""Ends the fixed part of every result: bytes that got among them, or are missing, are noticed."""

ENDINGS = (
    Ending.EXITED,
    Ending.SIGNALLED,
    Ending.TIMEOUT,
    Ending.MEMORY,
    Ending.FLOOD,
    Ending.NOT_STARTED,
    Ending.RAISED,
)


def configuration(items: Iterable[tuple[str, str | bytes | os.PathLike[str] | int]]) -> bytes:
    """Keyed strings, each with its length: no value can be taken for another or for an option."""
    frames = []
    for key, value in items:
        data = key.encode() + (str(value).encode() if isinstance(value, int) else os.fsencode(value))
        if b"\0" in data and key != "c":  # the content of a file may hold any byte
            raise ValueError("a path or argument contains a NUL byte")
        frames.append(struct.pack("=I", len(data)) + data)
    return struct.pack("=I", len(frames)) + b"".join(frames)


def request(stdin: bytes, args: Sequence[str] = ()) -> bytes:
    encoded = [os.fsencode(arg) for arg in args]
    if any(b"\0" in arg for arg in encoded):
        raise ValueError("an argument contains a NUL byte")
    packed = b"".join(arg + b"\0" for arg in encoded)
    return REQUEST.pack(len(encoded), len(packed), len(stdin)) + packed + stdin


def receive(link: Link, seconds: float) -> Outcome:
    """The next result, which must come within `seconds`."""
    until = time.monotonic() + seconds
    header = Header.unpack(link.read(RESULT.size, until))
    return header.outcome(link.read(header.length, until))


@dataclass(frozen=True, slots=True)
class Header:
    """The fixed part of a result; output and stderr follow."""

    ending: Ending
    status: int
    seconds: float
    peak: int
    output: int
    error: int
    detail: int

    @classmethod
    def unpack(cls, data: bytes) -> Header:
        ending, status, nanoseconds, peak, output, error, detail, mark = RESULT.unpack(data)
        if ending >= len(ENDINGS) or mark != MARK:
            raise Lost("its result makes no sense")
        return cls(ENDINGS[ending], status, nanoseconds / 1e9, peak, output, error, detail)

    @property
    def length(self) -> int:
        return self.output + self.error + self.detail

    def outcome(self, body: bytes) -> Outcome:
        """`body`: output, stderr and detail, one after the other."""
        output, error = body[: self.output], body[self.output : self.output + self.error]
        detail = body[self.output + self.error :].decode("utf-8", "replace")
        match self.ending:
            case Ending.NOT_STARTED:
                why = detail or os.strerror(self.status)
                return Outcome(self.ending, detail=why, stderr=error, seconds=self.seconds)
            case Ending.RAISED:
                return Outcome(self.ending, output, detail=detail, stderr=error, seconds=self.seconds)
            case Ending.EXITED | Ending.SIGNALLED:
                return Outcome(self.ending, output, self.status, stderr=error, seconds=self.seconds)
            case _:
                return Outcome(self.ending, output, stderr=error, seconds=self.seconds)
