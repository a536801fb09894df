"""The clock of `--timeout` for sessions in a browser: it stops soon after a question is shown."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager

MAX_WAITING = 20.0
"""Maximum number of seconds that one wait counts for; the search behind the question may use them."""


class PausingClock:
    """Monotonic between two calls of `restart`, and safe to read from any thread."""

    def __init__(self, clock: Callable[[], float] = time.monotonic, most: float = MAX_WAITING) -> None:
        self._clock = clock
        self._most = most
        self._mutex = threading.Lock()
        self._began = clock()
        self._skipped = 0.0
        self._waiting_since: float | None = None

    def __call__(self) -> float:
        with self._mutex:
            return self._now()

    def _now(self) -> float:
        now = self._clock()
        if self._waiting_since is not None:
            now = min(now, self._waiting_since + self._most)
        return now - self._began - self._skipped

    def restart(self) -> None:
        """Starts from zero: a replay gets the whole time again."""
        with self._mutex:
            self._began, self._skipped = self._clock(), 0.0

    @contextmanager
    def waiting(self) -> Iterator[None]:
        with self._mutex:
            self._waiting_since = self._clock()
        try:
            yield
        finally:
            with self._mutex:
                assert self._waiting_since is not None
                beyond = self._clock() - self._waiting_since - self._most
                self._skipped += max(0.0, beyond)
                self._waiting_since = None
