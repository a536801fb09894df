"""How long things took, for showing it: nothing is decided by these seconds."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import contextmanager


class Stopwatch:
    """Seconds by phase. Within a phase another one may be timed; it is not counted twice."""

    def __init__(self, clock: Callable[[], float]) -> None:
        self._clock = clock
        self._seconds: Counter[str] = Counter()
        self._inner = 0.0

    @contextmanager
    def timed(self, phase: str) -> Iterator[None]:
        outer, self._inner = self._inner, 0.0
        began = self._clock()
        try:
            yield
        finally:
            took = self._clock() - began
            self._seconds[phase] += took - self._inner  # type: ignore[assignment]
            self._inner = outer + took

    def __getitem__(self, phase: str) -> float:
        return float(self._seconds[phase])
