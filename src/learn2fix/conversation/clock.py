"""The clock of `--timeout`: it counts the tool's work and stands still while a person thinks."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager


class PausingClock:
    """Monotonic between two calls of `restart`, and safe to read from any thread."""

    def __init__(self, clock: Callable[[], float] = time.monotonic) -> None:
        self._clock = clock
        self._mutex = threading.Lock()
        self._began = clock()
        self._waiting_since: float | None = None

    def __call__(self) -> float:
        with self._mutex:
            now = self._clock() if self._waiting_since is None else self._waiting_since
            return now - self._began

    def restart(self) -> None:
        """Starts from zero: a replay gets the whole time again."""
        with self._mutex:
            self._began = self._clock()

    @contextmanager
    def waiting(self) -> Iterator[None]:
        with self._mutex:
            self._waiting_since = self._clock()
        try:
            yield
        finally:
            with self._mutex:
                assert self._waiting_since is not None
                self._began += self._clock() - self._waiting_since
                self._waiting_since = None
