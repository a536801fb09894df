"""The latest progress of a session, for the programmer's page."""

from __future__ import annotations

import threading
from collections import deque
from collections.abc import Callable
from dataclasses import dataclass

from learn2fix.events import Event, Found, Judged, Learned, Notice, Progress, Stopped

MAX_NOTICES = 20


@dataclass(frozen=True, slots=True)
class Reading:
    tried: int
    surviving: int
    per_second: float
    doing: str
    condition: str
    notices: tuple[str, ...]


class Telemetry:
    """Collects events; thread-safe."""

    def __init__(self) -> None:
        self._mutex = threading.Lock()
        self.on_change: Callable[[], None] = lambda: None
        self._notices: deque[str] = deque(maxlen=MAX_NOTICES)
        self._tried = self._surviving = 0
        self._rate = 0.0
        self._doing = ""
        self._condition = ""

    def __call__(self, event: Event) -> None:
        with self._mutex:
            match event:
                case Judged(tried, surviving, rate):
                    # Parts report their own counts; the total must never fall within a run.
                    self._tried, self._surviving, self._rate = max(tried, self._tried), surviving, rate
                    self._doing = "judging possible fixes"
                case Learned(condition):
                    self._condition = condition
                case Progress(phase, done, total, note):
                    of = f" {done:,} of {total:,}" if total else f" {done:,}" if done else ""
                    self._doing = f"{phase}{of}{f', {note}' if note else ''}"
                case Notice(text):
                    self._notices.append(text)
                case Stopped(reason):
                    self._doing = f"no further question: {reason}"
                case Found():
                    self._doing = "checking the fixes that are left with your compiler"
                case _:
                    return
        self.on_change()

    def say(self, text: str) -> None:
        self(Notice(text))

    def begin(self) -> None:
        """Resets everything for a new run of the conversation."""
        with self._mutex:
            self._tried = self._surviving = 0
            self._rate, self._doing, self._condition = 0.0, "making and judging possible fixes", ""

    def learned(self, condition: str) -> None:
        with self._mutex:
            self._condition = condition

    @property
    def reading(self) -> Reading:
        with self._mutex:
            return Reading(
                self._tried, self._surviving, self._rate, self._doing, self._condition, tuple(self._notices)
            )
