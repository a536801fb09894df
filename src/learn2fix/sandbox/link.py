"""The one client of a worker's pipe: bytes to and from a process in the sandbox, bounded and timed.

What comes back was written where untrusted code runs. A caller unpacks it with `unpack` and `read`, checks
what it says, and raises `Lost` when it makes no sense.
"""

from __future__ import annotations

import math
import os
import select
import struct
import time
from collections.abc import Callable
from typing import Any

from learn2fix.sandbox.processes import Process, stop

LONGEST = 1 << 28
"""Bytes that one message may hold; a length beyond that is not believed."""
SEND_SECONDS = 60.0
"""How long the other end may leave a request unread."""


class Lost(Exception):
    """The other end died, fell silent (`late`) or made no sense. The link is of no use any more."""

    def __init__(self, why: str, *, late: bool = False) -> None:
        super().__init__(why)
        self.late = late


class Link:
    """Bytes to and from one process that serves requests in order. Not for several threads at once."""

    def __init__(self, process: Process, release: Callable[[], None] = lambda: None) -> None:
        """`release` is called once, after the process has ended."""
        assert process.stdin is not None
        assert process.stdout is not None
        self.process, self._release = process, release
        self._in, self._out = process.stdin.fileno(), process.stdout.fileno()
        os.set_blocking(self._in, False)
        # select() takes no descriptor above 1023.
        self._readable, self._writable = select.poll(), select.poll()
        self._readable.register(self._out, select.POLLIN)
        self._writable.register(self._in, select.POLLOUT)
        self._buffer, self._start = b"", 0
        self._closed = False

    def send(self, data: bytes, seconds: float = SEND_SECONDS) -> None:
        view = memoryview(data)
        until = time.monotonic() + seconds
        while view:
            try:
                view = view[os.write(self._in, view) :]
            except BlockingIOError:
                _wait(self._writable, until)
            except OSError:
                raise Lost("it died") from None

    def unpack(self, form: struct.Struct, until: float = math.inf) -> tuple[Any, ...]:
        return form.unpack(self.read(form.size, until))

    def read(self, size: int, until: float = math.inf) -> bytes:
        """The next `size` bytes, which must come by `until`, a value of time.monotonic()."""
        if len(self._buffer) - self._start < size:
            self._fill(size, until)
        start, self._start = self._start, self._start + size
        return self._buffer[start : self._start]

    def _fill(self, size: int, until: float) -> None:
        if size > LONGEST:
            raise Lost(f"it announced {size} bytes")
        parts = [self._buffer[self._start :]]
        missing = size - len(parts[0])
        while missing > 0:
            _wait(self._readable, until)
            parts.append(os.read(self._out, 1 << 18))
            if not parts[-1]:
                raise Lost("it died")
            missing -= len(parts[-1])
        self._buffer, self._start = b"".join(parts), 0

    def close(self) -> None:
        """End the process and all that it started."""
        if not self._closed:
            self._closed = True
            stop(self.process)
            self._release()


def _wait(ready: select.poll, until: float) -> None:
    left = until - time.monotonic()
    if left <= 0 or not ready.poll(None if left == math.inf else 1000 * left):
        raise Lost("it fell silent", late=True)
