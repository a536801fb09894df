"""The thread behind the question: works while the person thinks, and is never in anybody's way for long."""

from __future__ import annotations

import threading
from collections.abc import Iterable, Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import contextmanager


class Background:
    """One job at a time, made of short steps. What must be done is done before `finish` returns, so that
    nothing depends on how long a person thinks; what may be done is cut short."""

    def __init__(self) -> None:
        self._executor = ThreadPoolExecutor(1)
        self._job: Future[None] | None = None
        self._turn = threading.Lock()
        self._hurry = threading.Event()
        self._closed = threading.Event()

    def start(self, required: Iterable[object], optional: Iterable[object] = ()) -> None:
        self.finish()
        self._hurry.clear()
        self._job = self._executor.submit(self._work, iter(required), iter(optional))

    def finish(self) -> None:
        """Waits for the required steps; raises what they raised."""
        self._hurry.set()
        job, self._job = self._job, None
        if job is not None:
            job.result()

    @contextmanager
    def paused(self) -> Iterator[None]:
        """Between two steps: for whoever reads what the steps change."""
        with self._turn:
            yield

    def close(self) -> None:
        """Stops after the present step."""
        self._closed.set()
        self.finish()
        self._executor.shutdown()

    def _work(self, required: Iterator[object], optional: Iterator[object]) -> None:
        while not self._closed.is_set() and self._step(required):
            pass
        while not self._hurry.is_set() and self._step(optional):
            pass

    def _step(self, steps: Iterator[object]) -> bool:
        done = object()
        with self._turn:
            return next(steps, done) is not done
